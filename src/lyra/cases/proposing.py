"""Writing a proposal into a case: the labels, what became of the sources, and the record a person confirms it by."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from lyra.cases.deciding import Proposal
from lyra.cases.model import Access, Case
from lyra.cases.shape import read_case
from lyra.cases.writing import case_json

_LABELS = (
    "outcome outcome_status verification_confidence unverified_reason error_type error_description suggested_outcome"
).split()


def proposed_case(raw: Mapping[str, Any], seen: Case, proposal: Proposal, record: Mapping[str, Any]) -> dict[str, Any]:
    """Return the case with the proposed labels, marked for review. Labels that no longer apply are kept in the record.

    `seen` is the case with its sources as they were opened. Where nothing is proposed, the labels stay as they are.
    """
    case = dict(raw)
    kept = dict(record)
    if proposal.status is not None:
        proposed = {
            "outcome": proposal.outcome,
            "outcome_status": proposal.status,
            "verification_confidence": proposal.confidence,
            "unverified_reason": proposal.reason,
            "error_type": proposal.error_type,
            "error_description": proposal.error_description,
            "suggested_outcome": proposal.suggested_outcome,
        }
        before = {name: case.pop(name) for name in _LABELS if case.get(name) not in (None, "")}
        after = {name: str(value) for name, value in proposed.items() if value is not None}
        case |= after
        kept["before"] = {name: value for name, value in before.items() if after.get(name) != value}
        if proposal.recommended_action is not None:
            case["recommended_action"] = proposal.recommended_action
        seen = _with_claims(seen, proposal)
    shown = case_json(_with_recorded_access(seen, read_case(raw).case))
    for name in ("sources", "claims"):
        if name in shown:
            case[name] = shown[name]
    case.pop("source_url", None)
    return case | {"needs_review": True, "check": kept}


def _with_recorded_access(seen: Case, given: Case) -> Case:
    """Return the case with what people recorded of a source that nothing could fetch now."""
    if len(seen.sources) != len(given.sources):
        return seen
    sources = tuple(
        replace(now, access=before.access, archive_search=before.archive_search)
        if now.access is Access.NOT_FETCHED and before.access is not None
        else now
        for now, before in zip(seen.sources, given.sources, strict=True)
    )
    return replace(seen, sources=sources)


def _with_claims(seen: Case, proposal: Proposal) -> Case:
    if not seen.claims or len(seen.claims) != len(proposal.claims):
        return seen
    claims = tuple(
        replace(claim, outcome_status=one.status, verification_confidence=one.confidence)
        for claim, one in zip(seen.claims, proposal.claims, strict=True)
    )
    return replace(seen, claims=claims)
