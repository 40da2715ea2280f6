"""The group `reports`: one tool that builds, verifies and measures evaluation reports. No file is touched."""

from typing import Annotated, Any, Literal

from pydantic import Field

from lyra.app import SystemClock
from lyra.core.errors import InvalidInput
from lyra.core.times import to_text
from lyra.interfaces.mcp.arguments import Arguments, MaxKb
from lyra.interfaces.mcp.calls import Call
from lyra.interfaces.mcp.fitting import budget_of, size_on_wire
from lyra.interfaces.mcp.shapes import Answer
from lyra.interfaces.mcp.toolbox import Hints, Tool
from lyra.interfaces.presenter import Json, document
from lyra.interfaces.report_functions import build_report, report_accuracy, verify_report

_MAX_TEXT = 500_000
# What is left out first where an answer is too large.
_BULKY = ("structured", "report", "results", "accuracy")


class Reports(Arguments):
    """Arguments of reports."""

    action: Literal["build", "verify", "accuracy"]
    structured: Annotated[dict[str, Any], Field(description="The content of structured.json.")]
    report: Annotated[str | None, Field(max_length=_MAX_TEXT, description="verify: the report as Markdown.")] = None
    human: Annotated[str | None, Field(max_length=_MAX_TEXT, description="accuracy: a person's evaluation as Markdown.")] = None
    rewrite: Annotated[bool, Field(description="verify: also rewrite comments that contradict their confidence.")] = True
    max_kb: MaxKb = 60


class ReportsAnswer(Answer):
    """The report, or the results of its verification or measurement. `left_out` names what was too large for the answer."""

    action: str
    status: Literal["pass", "pass_with_corrections", "fail"] | None
    report: str | None
    structured: dict[str, Any] | None
    results: dict[str, Any] | None
    accuracy: dict[str, Any] | None
    left_out: list[str]


async def reports(call: Call, given: Reports) -> Json:
    """Build, verify or measure."""
    return await call.in_long_thread(lambda: _answer(given))


def _answer(given: Reports) -> Json:
    if (given.action == "verify") != (given.report is not None) or (given.human is not None and given.action != "accuracy"):
        raise InvalidInput("mcp_reports_what", action=given.action)
    now = to_text(SystemClock().now())
    answer = document(action=given.action, status=None, **dict.fromkeys(_BULKY), left_out=[])
    if given.action == "build":
        answer["report"] = build_report(given.structured, now)
    elif given.action == "verify":
        done = verify_report(given.structured, given.report or "", now, rewrite=given.rewrite)
        answer |= {"status": done.status, "report": done.report, "structured": done.structured, "results": done.results}
    else:
        answer["accuracy"] = report_accuracy(given.structured, now, given.human)
    return _fitted(answer, budget_of(given.max_kb))


def _fitted(answer: Json, budget: int) -> Json:
    left_out: list[str] = []
    for name in _BULKY:
        if size_on_wire(answer) <= budget:
            break
        if answer[name] is not None:
            answer = {**answer, name: None}
            left_out.append(name)
    return {**answer, "left_out": left_out}


TOOLS = (
    Tool(
        "reports",
        Reports,
        ReportsAnswer,
        Hints(read_only=True, idempotent=True),
        reports,
        ("report", "structured", "results", "accuracy"),
    ),
)
