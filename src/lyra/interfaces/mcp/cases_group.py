"""The group `cases`: one tool that validates, explains, migrates and compares labelled cases. No file is touched."""

from typing import Annotated, Any, Literal

from pydantic import Field

from lyra.cases.agreement import MOST_REPLICATES
from lyra.cases.legal import label_paths, legal_values
from lyra.cases.migration import migrate_case
from lyra.cases.surface import agreement
from lyra.cases.validation import CaseValidator
from lyra.core.errors import InvalidInput
from lyra.interfaces.agreement_presenter import agreement_json
from lyra.interfaces.case_presenter import change_json, finding_json, legal_json
from lyra.interfaces.mcp.arguments import Arguments, MaxKb
from lyra.interfaces.mcp.calls import Call
from lyra.interfaces.mcp.fitting import budget_of, cut_texts, fit_lists
from lyra.interfaces.mcp.shapes import Answer, Shape
from lyra.interfaces.mcp.toolbox import Hints, Tool
from lyra.interfaces.presenter import Json, document
from lyra.interfaces.untrusted import on_one_line

_REPLICATES = 1_000
_CUTTABLE = ("findings", "changes", "migrated", "legal.fields", "legal.findings", "agreement.pairs", "agreement.labels")


class Rating(Arguments):
    """What one rater said of one unit; null is a missing value."""

    rater: Annotated[str, Field(min_length=1, max_length=200)]
    unit: Annotated[str, Field(min_length=1, max_length=200)]
    value: Annotated[str, Field(max_length=200)] | None


class Cases(Arguments):
    """Arguments of cases."""

    action: Literal["validate", "legal", "migrate", "agreement"]
    cases: list[dict[str, Any]] = Field(
        default_factory=list, max_length=200, description="Cases as objects; one for legal, none for agreement."
    )
    field: Annotated[str | None, Field(max_length=200, description="legal: only this label.")] = None
    ratings: list[Rating] = Field(default_factory=list, max_length=5_000, description="agreement: who said what of which unit.")
    level: Literal["nominal", "ordinal", "interval"] = "nominal"
    categories: Annotated[
        list[Annotated[str, Field(max_length=200)]] | None,
        Field(max_length=100, description="agreement: the whole scale in its order."),
    ] = None
    weights: Literal["linear", "quadratic", "ordinal"] = "quadratic"
    replicates: Annotated[int, Field(ge=0, le=min(10_000, MOST_REPLICATES))] = _REPLICATES
    max_kb: MaxKb = 60


class Finding(Shape):
    """A rule that a case breaks."""

    row: int
    id: str | None
    rule: str
    severity: str
    field: str
    value: Any
    nearest: Any
    message: str
    hint: str
    link: str | None


class Change(Shape):
    """What a migration changed."""

    row: int
    id: str | None
    field: str
    before: Any
    after: Any


class CasesAnswer(Answer):
    """Findings, legal values, migrated cases or agreement, by the action; what does not belong to it is empty or null."""

    action: str
    cases: int
    errors: int
    warnings: int
    findings: list[Finding]
    legal: dict[str, Any] | None
    migrated: list[dict[str, Any]]
    changes: list[Change]
    agreement: dict[str, Any] | None
    omitted: dict[str, int]


async def cases(call: Call, given: Cases) -> Json:
    """Validate, explain, migrate or compare."""
    return await call.in_long_thread(lambda: _answer(given, call.desk.lang))


def _answer(given: Cases, lang: str) -> Json:
    if (given.action == "agreement") == bool(given.cases) or (given.action == "agreement") != bool(given.ratings):
        raise InvalidInput("mcp_cases_what", action=given.action)
    validator = CaseValidator()
    done = [migrate_case(case) for case in given.cases] if given.action == "migrate" else []
    looked_at = [one.case for one in done] or given.cases
    found = [(row, case, one) for row, case in enumerate(looked_at, start=1) for one in validator.validate(case, row)]
    answer = document(
        action=given.action,
        cases=len(given.cases),
        errors=sum(one.is_error for _, _, one in found),
        warnings=sum(not one.is_error for _, _, one in found),
        findings=[_place(row, case) | finding_json(one, lang) for row, case, one in found],
        legal=_legal(given, lang) if given.action == "legal" else None,
        migrated=[one.case for one in done],
        changes=[_place(row, one.case) | change_json(change) for row, one in enumerate(done, start=1) for change in one.changes],
        agreement=_agreement(given) if given.action == "agreement" else None,
    )
    cut = cut_texts(answer)
    shown, omitted = fit_lists(cut if isinstance(cut, dict) else answer, _CUTTABLE, budget_of(given.max_kb))
    return {**shown, "omitted": omitted}


def _place(row: int, case: dict[str, Any]) -> Json:
    return {"row": row, "id": on_one_line(str(case.get("id") or "")) or None}


def _legal(given: Cases, lang: str) -> Json:
    if len(given.cases) != 1:
        raise InvalidInput("mcp_cases_one")
    (case,) = given.cases
    if given.field is not None and given.field not in label_paths(case):
        raise InvalidInput("cases_no_label", path=given.field, paths=", ".join(label_paths(case)))
    return legal_json(legal_values(case, given.field), lang)


def _agreement(given: Cases) -> Json:
    triples = [(one.rater, one.unit, one.value) for one in given.ratings]
    return agreement_json(
        agreement(triples, level=given.level, categories=given.categories, weights=given.weights, replicates=given.replicates)
    )


TOOLS = (
    Tool(
        "cases",
        Cases,
        CasesAnswer,
        Hints(read_only=True, idempotent=True),
        cases,
        ("findings", "legal", "migrated", "changes", "agreement"),
    ),
)
