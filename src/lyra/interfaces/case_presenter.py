"""Findings, choices, migrations and proposals as JSON-ready values and lines: the same for every interface."""

import json
from collections.abc import Iterable
from typing import Any

from lyra.cases.findings import Finding
from lyra.cases.legal import Choice, FieldChoices, LegalValues
from lyra.cases.migration import Change
from lyra.core.case_records import KeptCase
from lyra.core.messages import render
from lyra.core.times import to_text
from lyra.interfaces.presenter import Json
from lyra.interfaces.untrusted import on_one_line, shortened

RULES_PAGE = "docs/reference/case-rules.md"
_SHOWN_VALUE = 80


def rule_link(rule: str) -> str:
    """Return where the documentation explains a rule."""
    return f"{RULES_PAGE}#{rule.lower()}"


def finding_json(finding: Finding, lang: str) -> Json:
    """Return a finding: rule, severity, field and values as codes, and the two sentences beside them."""
    return {
        "rule": finding.rule,
        "severity": finding.severity.value,
        "field": on_one_line(finding.path),
        "value": _plain(finding.params.get("value")),
        "nearest": _plain(finding.params.get("nearest")),
        "message": message(finding, lang),
        "hint": finding.hint(lang),
        "link": rule_link(finding.rule),
    }


def message(finding: Finding, lang: str) -> str:
    """Return the sentence of a finding, on one line whatever the file held."""
    return on_one_line(finding.sentence(lang))


def finding_line(finding: Finding, identity: str, place: str, lang: str) -> str:
    """Return a finding as one line: where, which case, the rule, the field, what is wrong and what to do."""
    return render(
        "text.cases_finding",
        lang,
        place=place,
        id=shown_id(identity),
        severity=render(f"label.severity_{finding.severity.value}", lang),
        rule=finding.rule,
        path=on_one_line(finding.path),
        message=message(finding, lang),
        hint=finding.hint(lang),
        link=rule_link(finding.rule),
    )


def place_of(number: int, rater: str | None, lang: str) -> str:
    """Return how a row is named, with the rater where a file holds several people's labels."""
    if rater is None:
        return render("text.cases_row", lang, row=number)
    return render("text.cases_row_rater", lang, row=number, rater=on_one_line(rater))


def shown_id(identity: object) -> str:
    """Return the id of a case as it is shown; a dash where there is none."""
    return shortened(on_one_line(str(identity)), _SHOWN_VALUE) if identity else "-"


def legal_json(legal: LegalValues, lang: str) -> Json:
    """Return what may be chosen, by label."""
    return {
        "fields": [_field_json(field, lang) for field in legal.fields],
        "missing": list(legal.missing),
        "findings": [finding_json(one, lang) for one in legal.findings],
    }


def _field_json(field: FieldChoices, lang: str) -> Json:
    return {"field": field.path, "value": field.value, "choices": [_choice_json(one, lang) for one in field.choices]}


def _choice_json(choice: Choice, lang: str) -> Json:
    return {
        "value": choice.value,
        "allowed": choice.allowed,
        "because": [finding_json(one, lang) for one in choice.because],
        "warnings": [finding_json(one, lang) for one in choice.warnings],
    }


def legal_lines(legal: LegalValues, lang: str) -> Iterable[str]:
    """Yield what may be chosen as lines for a person."""
    for field in legal.fields:
        now = shown_value(field.value, lang)
        yield f"{field.path} ({render('text.cases_now', lang, value=now)})"
        for choice in field.choices:
            state = render("text.cases_allowed" if choice.allowed else "text.cases_forbidden", lang)
            yield f"  {choice.value}: {state}"
            for one in (*choice.because, *choice.warnings):
                yield f"    {one.rule} {message(one, lang)}"
    if legal.missing:
        yield render("text.cases_still_missing", lang, paths=", ".join(legal.missing))
    else:
        yield render("text.cases_nothing_missing", lang)


def kept_json(kept: KeptCase) -> Json:
    """Return a case that is kept: its id, its labels, when it was last saved, and the task it was checked in."""
    case = json.loads(kept.content)
    labels = {name: shown_label(case.get(name)) for name in ("outcome", "outcome_status", "verification_confidence")}
    return {"id": on_one_line(kept.case_id), "updated_at": to_text(kept.updated_at), "task_id": kept.task_id, **labels}


def shown_label(value: object) -> str | None:
    """Return a label of a file as it may be shown; None where there is none."""
    return shortened(on_one_line(str(value)), _SHOWN_VALUE) if value not in (None, "") else None


def change_json(change: Change) -> Json:
    """Return one change of a migration."""
    return {"field": change.path, "before": _plain(change.before), "after": _plain(change.after)}


def shown_value(value: object, lang: str) -> str:
    """Return a value for a line, as JSON where it is no text; the word for empty where there is none."""
    if value is None or value == "":
        return render("text.cases_empty_value", lang)
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return shortened(on_one_line(text), _SHOWN_VALUE)


def changed_to(value: object, lang: str) -> str:
    """Return what a field became for a line; the word for removed where it is not there any more."""
    return render("text.cases_no_value", lang) if value is None else shown_value(value, lang)


def _plain(value: object) -> Any:
    return value if value is None or isinstance(value, (str, int, float, bool, list, dict)) else str(value)
