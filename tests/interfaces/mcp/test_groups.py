"""The groups beside research: chosen by name, one tool each, nothing stored."""

import json
from pathlib import Path
from typing import Any

import pytest

from lyra.core.errors import InvalidInput
from lyra.interfaces.mcp.groups import chosen_tools
from tests.interfaces.mcp.client import MODES, Talk, converse, served
from tests.interfaces.mcp.process import REPOSITORY

SAMPLE = REPOSITORY / "sample"


def rows(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (SAMPLE / "cases" / name).read_text(encoding="utf-8").splitlines() if line.strip()]


def structured() -> dict[str, Any]:
    return dict(json.loads((SAMPLE / "report" / "structured.json").read_text(encoding="utf-8")))


def test_groups_are_chosen_by_name() -> None:
    assert [tool.name for tool in chosen_tools("reports, cases")] == ["reports", "cases"]
    assert len(chosen_tools("research,cases,reports,research")) == len(chosen_tools("research")) + 2
    with pytest.raises(InvalidInput) as refused:
        chosen_tools("research,case")
    assert refused.value.params["nearest"] == "cases"


@pytest.mark.parametrize("mode", MODES)
def test_cases_are_validated_explained_migrated_and_compared(home: Path, mode: str) -> None:
    async def talk_(talk: Talk) -> None:
        moved = await talk.ask("cases", action="migrate", cases=rows("old.jsonl"))
        assert moved["changes"] and len(moved["migrated"]) == len(rows("old.jsonl"))
        checked = await talk.ask("cases", action="validate", cases=moved["migrated"])
        assert (checked["cases"], checked["errors"]) == (len(moved["migrated"]), moved["errors"])
        broken = await talk.ask("cases", action="validate", cases=[{"id": "x", "text": "t", "verification_status": "maybe"}])
        assert broken["errors"] and broken["findings"][0]["message"]
        legal = await talk.ask("cases", action="legal", cases=rows("cases.jsonl")[:1])
        assert legal["legal"]["fields"]
        ratings = [
            {"rater": rater, "unit": str(unit), "value": "yes" if unit % 3 or rater == "ann" else "no"}
            for rater in ("ann", "bob")
            for unit in range(12)
        ]
        agreed = await talk.ask("cases", action="agreement", ratings=ratings, replicates=50)
        assert agreed["agreement"]["raters"] == ["ann", "bob"] and agreed["agreement"]["coefficients"]

    with served(home, tools="cases") as server:
        converse(server, talk_, mode)


@pytest.mark.parametrize(
    "arguments",
    [
        {},
        {"action": "delete"},
        {"action": "validate"},
        {"action": "validate", "cases": "x"},
        {"action": "validate", "cases": [1]},
        {"action": "validate", "cases": [{}] * 201},
        {"action": "validate", "cases": [{}], "path": "/etc/passwd"},
        {"action": "validate", "cases": [{}], "ratings": [{"rater": "a", "unit": "b", "value": None}]},
        {"action": "legal", "cases": [{}, {}]},
        {"action": "legal", "cases": [{"id": "x", "text": "t"}], "field": "nothing"},
        {"action": "agreement"},
        {"action": "agreement", "ratings": [{"rater": "a"}]},
        {"action": "agreement", "ratings": [{"rater": "a", "unit": "u", "value": value} for value in "vw"]},
        {"action": "agreement", "ratings": [{"rater": "a", "unit": "u", "value": "v"}], "replicates": 10**6},
        {"action": "agreement", "ratings": [{"rater": "a", "unit": "u", "value": "v"}], "categories": ["w"]},
    ],
)
def test_cases_refuse_what_they_cannot_use(home: Path, arguments: dict[str, Any]) -> None:
    with served(home, tools="cases") as server:
        assert converse(server, lambda talk: talk.fail("cases", **arguments))["code"] != "mcp_internal"


@pytest.mark.parametrize("mode", MODES)
def test_a_report_is_built_verified_and_measured(home: Path, mode: str) -> None:
    async def talk_(talk: Talk) -> None:
        built = await talk.ask("reports", action="build", structured=structured(), max_kb=500)
        assert built["report"].startswith("#") and built["left_out"] == []
        arguments = {"action": "verify", "structured": structured(), "report": built["report"]}
        verified = await talk.ask("reports", **arguments, max_kb=500)
        assert verified["status"] in ("pass", "pass_with_corrections") and verified["structured"] and verified["results"]
        short = await talk.ask("reports", **arguments)
        assert short["status"] == verified["status"] and "structured" in short["left_out"]
        human = (SAMPLE / "report" / "human_XMPL_phase2.md").read_text(encoding="utf-8")
        measured = await talk.ask("reports", action="accuracy", structured=structured(), human=human, max_kb=500)
        assert measured["accuracy"]

    with served(home, tools="reports") as server:
        converse(server, talk_, mode)


@pytest.mark.parametrize(
    "arguments",
    [
        {},
        {"action": "build"},
        {"action": "print", "structured": {}},
        {"action": "build", "structured": {}},
        {"action": "build", "structured": []},
        {"action": "build", "structured": {"claims": "x"}},
        {"action": "build", "structured": {}, "report": "# r"},
        {"action": "verify", "structured": {}},
        {"action": "verify", "structured": {}, "report": 1},
        {"action": "verify", "structured": {}, "report": ""},
        {"action": "accuracy", "structured": {}, "report": "# r"},
        {"action": "accuracy", "structured": {"claims": 3}},
        {"action": "build", "structured": {}, "out": "/tmp"},
        {"action": "verify", "structured": {}, "report": "x" * 500_001},
    ],
)
def test_reports_refuse_what_they_cannot_use(home: Path, arguments: dict[str, Any]) -> None:
    with served(home, tools="reports") as server:
        assert converse(server, lambda talk: talk.fail("reports", **arguments))["code"] != "mcp_internal"
