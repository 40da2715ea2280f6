"""`verification-results.json`: all twenty checks, every correction, and what they come to."""

from collections.abc import Sequence

from lyra.reports.assumptions import Assumption
from lyra.reports.checks import CHECKS, Check, Layer, Severity
from lyra.reports.correction import Corrected, Recorded
from lyra.reports.draft import Finding

Json = dict[str, object]
SCHEMA_VERSION = "1"
PASS, FAIL = "pass", "fail"
WITH_WARNINGS, WITH_CORRECTIONS = "pass_with_warnings", "pass_with_corrections"


def overall_status(corrected: Corrected) -> str:
    """Return `fail` when a Critical is left, `pass_with_corrections` when something was corrected, else `pass`."""
    severities = {check.id: check.severity for check in CHECKS}
    if any(severities[finding.check] is Severity.CRITICAL for finding in corrected.remaining):
        return FAIL
    return WITH_CORRECTIONS if corrected.corrections else PASS


def results_json(corrected: Corrected, timestamp: str, assumptions: Sequence[Assumption] = ()) -> Json:
    """Return the results as JSON-ready values. Statuses and statistics count what was detected, before corrections."""
    structured = corrected.draft.structured
    return {
        "schema_version": SCHEMA_VERSION,
        "research_id": structured.research_id,
        "ticker": structured.ticker,
        "verification_timestamp": timestamp,
        "knowledge_version": corrected.draft.knowledge.version,
        "verification_layers": {layer.value: _layer(corrected, layer) for layer in Layer},
        "corrections": [_correction(number, one) for number, one in enumerate(corrected.corrections, start=1)],
        "uncorrected": [_uncorrected(finding) for finding in corrected.remaining],
        "overall_status": overall_status(corrected),
        "statistics": statistics(corrected),
        "assumptions": [{"code": one.code, "path": one.path, "found": one.found, "taken": one.taken} for one in assumptions],
    }


def statistics(corrected: Corrected) -> Json:
    """Return how many checks passed and failed."""
    failed = [check.severity for check in CHECKS if corrected.findings[check.id]]
    return {
        "total_checks": len(CHECKS),
        "passed": len(CHECKS) - len(failed),
        "failed_critical": failed.count(Severity.CRITICAL),
        "failed_warning": failed.count(Severity.WARNING),
        "info": failed.count(Severity.INFO),
        "corrections_applied": len(corrected.corrections),
    }


def _layer(corrected: Corrected, layer: Layer) -> Json:
    checks = [check for check in CHECKS if check.layer is layer]
    severities = {check.severity for check in checks if corrected.findings[check.id]}
    status = FAIL if Severity.CRITICAL in severities else WITH_WARNINGS if Severity.WARNING in severities else PASS
    return {"status": status, "checks": [_check(corrected, check) for check in checks]}


def _check(corrected: Corrected, check: Check) -> Json:
    findings = corrected.findings[check.id]
    affected = sorted({finding.claim_id for finding in findings if finding.claim_id is not None})
    return {
        "check_id": check.id,
        "name": check.name,
        "status": FAIL if findings else PASS,
        "severity": check.severity.value,
        "details": " / ".join(filter(None, [*(finding.details for finding in findings), corrected.notes[check.id]])),
        "affected_claims": affected,
    }


def _correction(number: int, one: Recorded) -> Json:
    return {
        "correction_id": number,
        "source_check": one.check,
        "claim_id": one.claim_id,
        "type": one.kind.value,
        "before": one.before,
        "after": one.after,
        "reason": one.reason,
    }


def _uncorrected(finding: Finding) -> Json:
    return {"check_id": finding.check, "claim_id": finding.claim_id, "details": finding.details}
