"""The history of a kept case: every version, label and decision in the order of time, each with who and why."""

from datetime import datetime

from lyra.core.times import to_text
from lyra.interfaces.presenter import Json
from lyra.store.evidence_store import EvidenceStore


def history_of(store: EvidenceStore, case_id: str) -> list[Json]:
    """Return the events of a case, oldest first. Raises NotFound for a case that is not kept."""
    store.cases.get(case_id)
    events: list[Json] = [
        _event(one.created_at, "saved", one.saved_by, one.reason) | {"unit": case_id, "field": None, "value": one.made_by}
        for one in store.cases.revisions(case_id)
    ]
    events += [
        _event(one.created_at, "labelled", one.rater, one.reason) | {"unit": one.unit, "field": one.field, "value": one.value}
        for one in store.cases.annotations(case_id, history=True)
    ]
    events += [
        _event(one.created_at, "decided", one.decided_by, one.reason) | {"unit": one.unit, "field": one.field, "value": one.value}
        for one in store.cases.adjudications(case_id, history=True)
    ]
    return sorted(events, key=lambda event: str(event["at"]))


def _event(at: datetime | None, kind: str, who: str | None, why: str | None) -> Json:
    return {"at": to_text(at) if at else "", "kind": kind, "who": who, "why": why}
