"""The history behind a number: events in order, each with what caused it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate


@dataclass(frozen=True, slots=True)
class TrailEvent:
    """Something that happened. `source` says whose history it stands in: claim, edge, page, domain or override."""

    at: str
    source: str
    event_type: str
    cause_id: str | None
    payload: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Contribution:
    """An edge behind the numbers of a claim."""

    edge_id: str
    relation: str
    nli_confidence: float
    model: str
    model_version: str
    calibration_version: str | None
    cause_id: str | None
    created_at: str
    edge_human_corrected: bool
    correction_id: str | None


def in_order(histories: Sequence[Sequence[TrailEvent]]) -> list[TrailEvent]:
    """Return several histories as one, by time, never changing the order inside one: a clock may have gone backwards."""
    placed = [
        (reached, number, position, event)
        for number, history in enumerate(histories)
        for position, (reached, event) in enumerate(zip(accumulate((event.at for event in history), max), history, strict=True))
    ]
    return [event for *_, event in sorted(placed, key=lambda item: item[:3])]
