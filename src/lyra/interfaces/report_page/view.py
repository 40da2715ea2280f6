"""What the page shows, taken from the records and from the content of `verification-results.json`."""

from collections.abc import Mapping

from lyra.interfaces.report_page.measured import Json, objects_in
from lyra.interfaces.report_page.page import PageCheck, PageCorrection, ReportView
from lyra.reports.derived import distribution
from lyra.reports.model import Structured


def view_of(structured: Structured, before: str | None, after: str, results: Json, accuracy: Json | None = None) -> ReportView:
    """Return the view of a verified report; `before` is None where the reports cannot be compared.

    `results` and `accuracy` are valid against their schemas.
    """
    layers = results.get("verification_layers")
    blocks = list(layers.values()) if isinstance(layers, Mapping) else []
    return ReportView(
        ticker=structured.ticker,
        company=structured.company_name,
        counts=distribution(structured),
        before=before,
        after=after,
        overall_status=str(results.get("overall_status", "")),
        checks=tuple(_check(check) for block in blocks for check in objects_in(block, "checks")),
        corrections=tuple(_correction(one) for one in objects_in(results, "corrections")),
        accuracy=accuracy,
    )


def _check(value: Json) -> PageCheck:
    claims = value.get("affected_claims")
    return PageCheck(
        check_id=str(value.get("check_id", "")),
        name=str(value.get("name", "")),
        status=str(value.get("status", "")),
        severity=str(value.get("severity", "")),
        details=str(value.get("details", "")),
        claims=tuple(one for one in claims if isinstance(one, int)) if isinstance(claims, list) else (),
    )


def _correction(value: Json) -> PageCorrection:
    claim = value.get("claim_id")
    return PageCorrection(
        check_id=str(value.get("source_check", "")),
        claim_id=claim if isinstance(claim, int) else None,
        before=str(value.get("before", "")),
        after=str(value.get("after", "")),
        reason=str(value.get("reason", "")),
    )
