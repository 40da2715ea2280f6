"""The page of a report: its text with the checks beside it, what was corrected, the distribution, and the accuracy."""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass
from html import escape
from importlib import resources

from lyra.core.messages import render
from lyra.interfaces.report_page.diff import diff_html
from lyra.interfaces.report_page.measured import Json, accuracy_html
from lyra.interfaces.report_page.picture import distribution_svg
from lyra.interfaces.report_page.text import report_html

_ANCHOR = re.compile(r'id="claim-(\d+)"')
_WORDS = {
    **{status: f"label.report_{status}" for status in ("pass", "pass_with_corrections", "fail")},
    **{severity: f"label.severity_{severity}" for severity in ("critical", "warning", "info")},
}
_POLICY = "default-src 'none'; style-src 'unsafe-inline'"


@dataclass(frozen=True, slots=True)
class PageCheck:
    """One check as the page shows it."""

    check_id: str
    name: str
    status: str
    severity: str
    details: str
    claims: tuple[int, ...]

    @property
    def look(self) -> str:
        """Return how it is coloured: pass, warned or fail."""
        if self.status == "pass":
            return "pass"
        return "fail" if self.severity == "critical" else "warned"


@dataclass(frozen=True, slots=True)
class PageCorrection:
    """One correction as the page shows it."""

    check_id: str
    claim_id: int | None
    before: str
    after: str
    reason: str


@dataclass(frozen=True, slots=True)
class ReportView:
    """Everything on the page. `accuracy` is the content of `accuracy-report.json`, where there is one."""

    ticker: str
    company: str
    counts: Mapping[int, int]
    before: str | None
    after: str
    overall_status: str
    checks: tuple[PageCheck, ...]
    corrections: tuple[PageCorrection, ...]
    accuracy: Json | None = None


def page_html(view: ReportView, lang: str) -> str:
    """Return the page: one file, no script, nothing loaded from anywhere; every text in it is escaped."""

    def say(code: str) -> str:
        return escape(render(code, lang))

    title = escape(f"{view.ticker} {view.company}".strip())
    look = {"pass": "pass", "pass_with_corrections": "warned"}.get(view.overall_status, "fail")
    article = report_html(view.after, _badges(view.checks))
    anchors = {int(claim) for claim in _ANCHOR.findall(article)}
    corrections = _corrections(view.corrections, anchors) or f"<p>{say('text.report_no_corrections')}</p>"
    said = "text.report_no_change" if view.before is not None else "text.report_changed_since"
    changed = (view.before is not None and diff_html(view.before, view.after)) or f"<p>{say(said)}</p>"
    parts = [
        f'<!DOCTYPE html><html lang="{lang}"><head><meta charset="utf-8">',
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{title}</title><style>{_style()}</style></head><body>",
        f"<header><h1>{title}</h1>",
        f'<p class="status {look}">{say("label.report_verification")}: {_said(view.overall_status, lang)}</p>',
        _distribution(view, lang),
        f'</header><main><div class="columns"><article lang="ja">{article}</article>',
        f'<aside aria-label="{say("label.report_checks")}"><h2>{say("label.report_checks")}</h2>',
        f"{_checks(view.checks, anchors, lang)}</aside></div>",
        f'<section lang="ja"><h2>{say("label.report_corrections")}</h2>{corrections}</section>',
        f'<section lang="ja"><h2>{say("label.report_diff")}</h2>{changed}</section>',
        accuracy_html(view.accuracy, lang),
        "</main></body></html>\n",
    ]
    return "".join(parts)


def _said(value: str, lang: str) -> str:
    """A status or a severity in the reader's language; anything else as it is."""
    code = _WORDS.get(value)
    return escape(value if code is None else render(code, lang))


def _style() -> str:
    return (resources.files("lyra.interfaces.report_page") / "page.css").read_text(encoding="utf-8")


def _claim_link(claim: int, anchors: Set[int]) -> str:
    """A claim by its number, linked where it has a section (CAGR connections have none)."""
    return f'<a href="#claim-{claim}">#{claim}</a>' if claim in anchors else f"#{claim}"


def _distribution(view: ReportView, lang: str) -> str:
    words = {
        "title": render("label.report_distribution", lang),
        "ai": render("label.report_share", lang),
        "base": render("label.report_base_rate", lang),
        "anomaly": render("label.report_anomaly", lang),
    }
    return distribution_svg(view.counts, words)


def _badges(checks: Iterable[PageCheck]) -> dict[int, str]:
    found: dict[int, list[str]] = defaultdict(list)
    for check in checks:
        if check.status != "pass":
            for claim in check.claims:
                link = f'<a class="badge {check.look}" href="#check-{escape(check.check_id)}">{escape(check.check_id)}</a>'
                found[claim].append(link)
    return {claim: "".join(links) for claim, links in found.items()}


def _checks(checks: Iterable[PageCheck], anchors: Set[int], lang: str) -> str:
    items = []
    for check in checks:
        claims, named = " ".join(_claim_link(claim, anchors) for claim in check.claims), escape(check.check_id)
        items.append(
            f'<li class="{check.look}" id="check-{named}"><span class="badge {check.look}">{named}</span>'
            f"{escape(check.name)} <small>{_said(check.status, lang)} · {_said(check.severity, lang)}</small>"
            f"<div>{escape(check.details)} {claims}</div></li>"
        )
    return f'<ul class="checks">{"".join(items)}</ul>'


def _corrections(corrections: Iterable[PageCorrection], anchors: Set[int]) -> str:
    parts = []
    for one in corrections:
        where = "" if one.claim_id is None else f" {_claim_link(one.claim_id, anchors)}"
        parts.append(
            f'<div class="hunk"><div class="where">{escape(one.check_id)}{where}: {escape(one.reason)}</div>'
            f"<del>{escape(one.before)}</del><ins>{escape(one.after)}</ins></div>"
        )
    return "".join(parts)
