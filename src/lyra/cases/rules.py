"""The rules between the fields of a case. Each reads a record and the suspended fields, and gives its findings.

A rule that would have to read a suspended field gives none: one defect, one finding.
"""

from collections.abc import Collection

from lyra.cases.findings import Finding
from lyra.cases.model import (
    FAILED,
    INTERESTED,
    Case,
    ClaimType,
    CoiStatus,
    ErrorType,
    Outcome,
    OutcomeStatus,
    Source,
    SourceRole,
    UnverifiedReason,
    VerificationConfidence,
    works,
)
from lyra.cases.sources import SourceClass, Verifier, any_access_failed, class_of, corroborated, verifiers, was_descended

_HIGH, _MEDIUM = VerificationConfidence.HIGH, VerificationConfidence.MEDIUM
_LOW, _NONE = VerificationConfidence.LOW, VerificationConfidence.NONE
_CORRECT, _INCORRECT, _UNVERIFIED = OutcomeStatus.VERIFIED_CORRECT, OutcomeStatus.VERIFIED_INCORRECT, OutcomeStatus.UNVERIFIED
_MATRIX = {
    _CORRECT: ("L10", (_HIGH, _MEDIUM)),
    _INCORRECT: ("L11", (_HIGH, _MEDIUM)),
    _UNVERIFIED: ("L12", (_LOW, _NONE)),
}
# What a class without anything to verify with leaves: the rule, the reason and the confidence it asks for.
_FORCED: dict[SourceClass, tuple[str, UnverifiedReason | None, VerificationConfidence | None]] = {
    SourceClass.NONE: ("L30", UnverifiedReason.NO_SOURCE, _NONE),
    SourceClass.REJECTED: ("L31", None, _NONE),
    SourceClass.INDIRECT: ("L32", None, None),
    SourceClass.UNREACHABLE: ("L33", UnverifiedReason.SOURCE_UNAVAILABLE, _NONE),
}
_CLASS_READS = frozenset(("sources", "references", "sources.source_role", "sources.access", "sources.url"))
_OPINIONS = (ClaimType.EVALUATIVE, ClaimType.COMPARATIVE)


def check_rules(case: Case, off: Collection[str] = frozenset()) -> list[Finding]:
    """Return what is inconsistent in a case. `off` are the fields that rules must not read."""
    found: list[Finding] = []
    status = case.outcome_status
    if status is not None and "outcome_status" not in off:
        _matrix(case, status, off, found)
        _reason(case, status, off, found)
        _correction(case, status, off, found)
    _sources(case, off, found)
    if not any(name in _CLASS_READS for name in off):
        able = verifiers(case)
        group = class_of(case, able)
        if group in _FORCED:
            _forced(case, group, off, found)
        if group in (SourceClass.INDIRECT, SourceClass.VERIFYING):
            _excuses(case, off, found)
        if group is SourceClass.VERIFYING:
            _verifying(case, able, off, found)
    if case.needs_review:
        found.append(Finding("L50", "needs_review"))
    return found


def _matrix(case: Case, status: OutcomeStatus, off: Collection[str], found: list[Finding]) -> None:
    confidence = case.verification_confidence
    rule, legal = _MATRIX[status]
    if confidence is not None and confidence not in legal and "verification_confidence" not in off:
        found.append(Finding(rule, "verification_confidence", params={"value": confidence.value}))
    if case.outcome is None or "outcome" in off:
        return
    if status is _CORRECT and case.outcome is Outcome.UNKNOWN:
        found.append(Finding("L20", "outcome"))
    if status is _UNVERIFIED and case.outcome is not Outcome.UNKNOWN:
        found.append(Finding("L28", "outcome", params={"value": case.outcome.value}))


def _reason(case: Case, status: OutcomeStatus, off: Collection[str], found: list[Finding]) -> None:
    if "unverified_reason" in off:
        return
    if status is _UNVERIFIED:
        if case.unverified_reason is None:
            found.append(Finding("L21", "unverified_reason"))
    elif case.unverified_reason is not None:
        found.append(Finding("L22", "unverified_reason", params={"status": status.value}))


def _correction(case: Case, status: OutcomeStatus, off: Collection[str], found: list[Finding]) -> None:
    if status is _INCORRECT:
        if case.error_type is None and "error_type" not in off:
            found.append(Finding("L23", "error_type"))
        if case.error_description is None and "error_description" not in off:
            found.append(Finding("L25", "error_description"))
        if "suggested_outcome" not in off:
            _suggestion(case, off, found)
        return
    if case.error_type is not None and "error_type" not in off:
        found.append(Finding("L24", "error_type", params={"status": status.value}))
    for name, value in (("error_description", case.error_description), ("suggested_outcome", case.suggested_outcome)):
        if value is not None and name not in off:
            found.append(Finding("L27", name, params={"status": status.value}))


def _suggestion(case: Case, off: Collection[str], found: list[Finding]) -> None:
    suggested, error = case.suggested_outcome, None if "error_type" in off else case.error_type
    if suggested is None:
        found.append(Finding("L26", "suggested_outcome", "missing"))
    elif error is None:
        return
    elif suggested is Outcome.UNKNOWN and error is not ErrorType.CRITICAL:
        found.append(Finding("L26", "suggested_outcome", "unknown", {"error_type": error.value}))
    elif suggested is case.outcome and error is not ErrorType.MINOR and "outcome" not in off:
        found.append(Finding("L26", "suggested_outcome", "same", {"value": suggested.value, "error_type": error.value}))


def _sources(case: Case, off: Collection[str], found: list[Finding]) -> None:
    for position, source in enumerate(case.sources):
        path = f"sources[{position}]"
        for number, one in enumerate(works(source), start=-1):
            if one.primary_type is not None and one.source_role not in (None, SourceRole.PRIMARY):
                where = path if number < 0 else f"{path}.references[{number}]"
                found.append(Finding("L36", f"{where}.primary_type", params={"value": one.primary_type.value}))
        if _is_undescended(source) and not ("references" in off or "sources.access" in off):
            found.append(Finding("L37", f"{path}.references"))


def _is_undescended(source: Source) -> bool:
    is_open_pointer = source.source_role is SourceRole.POINTER and source.access not in FAILED
    return is_open_pointer and source.url != "" and not was_descended(source)


def _forced(case: Case, group: SourceClass, off: Collection[str], found: list[Finding]) -> None:
    rule, reason, confidence = _FORCED[group]
    status = None if "outcome_status" in off else case.outcome_status
    if status not in (None, _UNVERIFIED):
        found.append(Finding(rule, "outcome_status", params={"value": status.value}))
        return
    given = None if "unverified_reason" in off else case.unverified_reason
    if reason is not None and given not in (None, reason):
        found.append(Finding(rule, "unverified_reason", params={"value": given.value}))
    level = None if "verification_confidence" in off else case.verification_confidence
    if confidence is not None and level not in (None, confidence):
        found.append(Finding(rule, "verification_confidence", params={"value": level.value}))


def _excuses(case: Case, off: Collection[str], found: list[Finding]) -> None:
    if "unverified_reason" in off:
        return
    if case.unverified_reason is UnverifiedReason.NO_SOURCE:
        found.append(Finding("L34", "unverified_reason"))
    elif case.unverified_reason is UnverifiedReason.SOURCE_UNAVAILABLE and not any_access_failed(case):
        found.append(Finding("L35", "unverified_reason"))


def _verifying(case: Case, able: list[Verifier], off: Collection[str], found: list[Finding]) -> None:
    status = None if "outcome_status" in off else case.outcome_status
    if "sources.coi_status" not in off:
        high = case.verification_confidence is _HIGH and "verification_confidence" not in off
        if high and status is not _UNVERIFIED and not corroborated(able):
            found.append(Finding("L38", "verification_confidence"))
        if status in (_CORRECT, _INCORRECT) and all(one.coi is CoiStatus.UNKNOWN for one in able):
            found.append(Finding("L39", "outcome_status", params={"status": status.value}))
        _opinions(case, able, off, found)
        if _only_own_word_for_success(case, able, status, off):
            found.append(Finding("L42", "claims"))
    if status is _CORRECT:
        for position, claim in enumerate(case.claims):
            if claim.outcome_status not in (None, _CORRECT):
                path = f"claims[{position}].outcome_status"
                found.append(Finding("L41", path, params={"value": claim.outcome_status.value}))


def _opinions(case: Case, able: list[Verifier], off: Collection[str], found: list[Finding]) -> None:
    for position, claim in enumerate(case.claims):
        path = f"claims[{position}]"
        if claim.claim_type not in _OPINIONS or claim.outcome_status is not _CORRECT or f"{path}.source_refs" in off:
            continue
        refs = frozenset(claim.source_refs)
        behind = [one for one in able if not refs or refs & one.names]
        interests = [one.coi for one in behind] or [
            source.coi_status for source in case.sources if source.url and (source.id in refs or source.url in refs)
        ]
        if interests and all(coi in INTERESTED for coi in interests):
            found.append(Finding("L40", f"{path}.outcome_status", params={"claim_type": claim.claim_type.value}))


def _only_own_word_for_success(case: Case, able: list[Verifier], status: OutcomeStatus | None, off: Collection[str]) -> bool:
    if status is not _CORRECT or case.outcome is not Outcome.SUCCESS or case.claims or "claims" in off or "outcome" in off:
        return False
    return all(one.coi in INTERESTED for one in able)
