"""The page's part on accuracy: verdict, criteria, the comparison with a person, the eight checks, what to improve."""

from collections.abc import Iterable, Mapping, Sequence
from html import escape

from lyra.core.messages import render

Json = Mapping[str, object]

_BLOCKS = ("advantage_accuracy", "cagr_accuracy")
_COMPARED = ("ai_confidence", "y_confidence", "deviation", "severity", "y_text")
_COMPARED_HEADS = ("claim", "ai", "human", "deviation", "class", "text")
_CHECKED = ("check_id", "name", "severity", "status", "value", "threshold")
_CHECKED_HEADS = ("check", "name", "severity", "status", "found", "wanted")
# Values of the results that have a word in the reader's language; any other is shown as it is.
_WORDS = {
    "pass": "label.accuracy_pass",
    "fail": "label.accuracy_fail",
    "pass_with_warnings": "label.simplified_pass_with_warnings",
    "warning": "label.severity_warning",
    "critical": "label.severity_critical",
    "info": "label.severity_info",
    "True": "label.accuracy_pass",
    "False": "label.accuracy_fail",
    "None": "label.accuracy_not_judged",
}


def accuracy_html(report: Json | None, lang: str) -> str:
    """Return the section on accuracy from the content of `accuracy-report.json`; nothing where it was not measured."""
    if report is None:
        return ""
    simplified, full = report.get("simplified_mode_results"), report.get("full_mode_results")
    parts = [f"<section><h2>{escape(render('label.report_accuracy', lang))}</h2>"]
    if isinstance(full, Mapping):
        parts += _full(full, lang)
    rows = [[_word(check.get(name), lang) for name in _CHECKED] for check in objects_in(simplified, "checks")]
    status = simplified.get("overall_status") if isinstance(simplified, Mapping) else None
    parts.append(f"<h3>{escape(render('label.accuracy_simplified', lang))}: {_word(status, lang)}</h3>")
    parts.append(_table([escape(render(f"label.accuracy_{name}", lang)) for name in _CHECKED_HEADS], rows))
    return "".join([*parts, "</section>"])


def _full(full: Json, lang: str) -> list[str]:
    verdict = _word(full.get("overall_verdict"), lang)
    parts = [f"<h3>{escape(render('label.accuracy_against_person', lang))}: {verdict}</h3>", _criteria(full, lang)]
    heads = [escape(render(f"label.accuracy_{name}", lang)) for name in _COMPARED_HEADS]
    for block, letter in zip(_BLOCKS, ("#", "C"), strict=True):
        rows = [
            [escape(f"{letter}{one.get('claim_id')}"), *(escape(str(one.get(name))) for name in _COMPARED)]
            for one in objects_in(full.get(block), "comparisons")
        ]
        if rows:
            parts += [f"<h4>{escape(render(f'label.{block}', lang))}</h4>", _table(heads, rows)]
    advice = full.get("improvement_suggestions")
    items = "".join(f"<li>{escape(str(one))}</li>" for one in advice) if isinstance(advice, Sequence) else ""
    return [*parts, f'<ul lang="ja">{items}</ul>' if items else ""]


def _criteria(full: Json, lang: str) -> str:
    criteria = full.get("pass_criteria")
    if not isinstance(criteria, Mapping):
        return ""
    known = ("mean_deviation_within_10", "max_deviation_within_30", "over_20_percent_under_25_pct", "direction_bias_within_5")
    said = [f"<li>{escape(render(f'label.{name}', lang))}: {_word(criteria.get(name), lang)}</li>" for name in known]
    return f"<ul>{''.join(said)}</ul>"


def objects_in(holder: object, name: str) -> list[Json]:
    """Return the objects in a list field of a JSON object; none where there is no such list."""
    listed = holder.get(name) if isinstance(holder, Mapping) else None
    return [one for one in listed if isinstance(one, Mapping)] if isinstance(listed, list) else []


def _word(value: object, lang: str) -> str:
    code = _WORDS.get(str(value))
    return escape(str(value) if code is None else render(code, lang))


def _table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """Return a table of cells that are escaped already."""
    top = "".join(f"<th>{cell}</th>" for cell in head)
    body = "".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in rows)
    return f"<table><thead><tr>{top}</tr></thead><tbody>{body}</tbody></table>"
