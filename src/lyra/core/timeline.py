"""The history of claims, as it is read back."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class TimelineEvent:
    """One thing that happened to a claim: found, judged, judged again, corrected, rejected, restored, retraction seen."""

    event_seq: int
    claim_id: str
    event_type: str
    payload: Mapping[str, object]
    cause_id: str | None
    created_at: str
