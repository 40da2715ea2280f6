"""Labels of several people, from files or the store, and the final word on where they differ."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from lyra.cases.adjudication import Item, judge_labels
from lyra.cases.model import Annotation
from lyra.cases.near import nearest
from lyra.core.case_records import Adjudication, KeptAnnotation
from lyra.core.errors import InvalidInput, NotFound

if TYPE_CHECKING:
    from lyra.store.evidence_store import EvidenceStore


def keep_labels(store: "EvidenceStore", annotations: Iterable[Annotation]) -> int:
    """Keep labels, all or none; those that are there already add nothing. Returns how many were new."""
    given = (
        KeptAnnotation(one.unit, one.field, one.rater, one.value, one.lead_time) for one in annotations if one.value is not None
    )
    with store.transaction():
        return store.cases.annotate(given)


def kept_labels(store: "EvidenceStore") -> list[Annotation]:
    """Return the newest label of every rater for every field."""
    return [Annotation(one.rater, one.unit, one.field, one.value, one.lead_time) for one in store.cases.annotations()]


def decisions_of(store: "EvidenceStore") -> dict[tuple[str, str], Adjudication]:
    """Return the newest decision for every label."""
    return {(one.unit, one.field): one for one in store.cases.adjudications()}


def judged(annotations: Iterable[Annotation], decisions: Iterable[Adjudication]) -> list[Item]:
    """Return every label with its consensus, decisions taken into account."""
    return judge_labels(annotations, {(one.unit, one.field): one.value for one in decisions})


def decide(store: "EvidenceStore", items: Sequence[Item], decision: Adjudication) -> Adjudication:
    """Record a person's final word, with the consensus that was proposed for it.

    Raises NotFound for a label nobody gave and InvalidInput for a value that its scale does not have.
    """
    item = next((one for one in items if (one.unit, one.field) == (decision.unit, decision.field)), None)
    if item is None:
        raise NotFound("adjudication_unknown_label", unit=decision.unit, field=decision.field)
    if decision.value not in item.probabilities:
        near = nearest(decision.value, item.probabilities) or ", ".join(item.probabilities)
        raise InvalidInput("adjudication_off_scale", value=decision.value, field=decision.field, nearest=near)
    recorded = Adjudication(
        decision.unit,
        decision.field,
        decision.value,
        decision.decided_by,
        decision.reason,
        item.proposed,
        item.probabilities[item.proposed],
    )
    store.cases.adjudicate(recorded)
    return store.cases.adjudications(decision.unit)[-1]
