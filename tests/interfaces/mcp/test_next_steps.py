"""Every answer says what to do next, and what is not finished is never passed off as a result."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from mcp.server.lowlevel import Server

from lyra.app import Models, open_bench, open_reading_store
from lyra.core.messages import LANGUAGES, codes, render
from lyra.core.records import JobStatus, Stance
from lyra.interfaces.mcp.research.materials import _LONGEST_STEP
from lyra.workflows.check import CheckRequest, submit_check
from tests.fakes import HashEmbedder, KeywordStance, SilentProgress
from tests.interfaces.mcp.client import Talk, converse, served, settings_of
from tests.interfaces.mcp.test_bounds import many_claims
from tests.interfaces.terminal import fake_models

CLAIM = "Daily walking increases attention in children."


class Broken(KeywordStance):
    """Has a mistake in its program."""

    def judge(self, pairs: Sequence[tuple[str, str]]) -> list[Stance]:
        raise ZeroDivisionError


def test_materials_of_a_check_that_failed_say_that_nobody_has_looked(home: Path, library: Path) -> None:
    async def talk_(talk: Talk) -> None:
        made = await talk.ask("check_claims", claims=[CLAIM], wait_seconds=50)
        assert (made["job"]["status"], made["job"]["error"]) == ("failed", "internal_error")
        assert "lyra doctor" in made["next_step"]
        page = await talk.ask("get_materials", task_id=made["task_id"])
        assert page["claims"][0]["finding"] == "no_evidence"
        assert page["unfinished_jobs"] == [
            {"job_id": made["job"]["job_id"], "kind": "check", "status": "failed", "error": "internal_error"}
        ]
        assert "nobody has looked" in page["next_step"] and "lyra doctor" in page["next_step"]
        assert "lyra doctor" in (await talk.ask("get_status", task_id=made["task_id"]))["next_step"]

    broken = Models(HashEmbedder(), Broken(), lambda: None)
    with served(home, library, models=lambda _: broken) as server:
        converse(server, talk_)


def test_materials_of_a_task_that_is_worked_on_say_that_they_are_not_final(home: Path, library: Path) -> None:
    async def talk_(talk: Talk) -> None:
        made = await talk.ask("check_claims", claims=[CLAIM], wait_seconds=50)
        whole = await talk.ask("get_materials", task_id=made["task_id"])
        assert whole["unfinished_jobs"] == [] and "all the claims" in whole["next_step"]
        with open_reading_store(settings_of(home)) as store:
            job = store.jobs.add("check", made["task_id"])
            store.jobs.acquire(job.job_id, "another machine:1")
            page = await talk.ask("get_materials", task_id=made["task_id"])
            status = await talk.ask("get_status", task_id=made["task_id"])
        assert [(one["job_id"], one["status"]) for one in page["unfinished_jobs"]] == [(job.job_id, "running")]
        assert "no_evidence is not final" in page["next_step"]
        assert [one["status"] for one in status["jobs"]] == ["running", "done"], "what is open comes first"

    with served(home, library) as server:
        converse(server, talk_)


def test_a_page_that_is_not_the_last_says_how_to_read_on(home: Path, server: Server[Any]) -> None:
    task_id = many_claims(home, 5)

    async def talk_(talk: Talk) -> None:
        assert "page.next" in (await talk.ask("get_materials", task_id=task_id, limit=2))["next_step"]
        assert "all the claims" in (await talk.ask("get_materials", task_id=task_id, limit=5))["next_step"]

    converse(server, talk_)


def test_the_newest_jobs_of_a_task_are_shown_where_not_all_can_be(home: Path, library: Path) -> None:
    with open_bench(settings_of(home), SilentProgress(), fake_models()) as bench:
        task_id = submit_check(bench, CheckRequest((CLAIM,), (library,))).task.task_id
        with bench.store.transaction():
            made = [bench.store.jobs.add("check", task_id) for _ in range(400)]
            for job in bench.store.jobs.of_task(task_id):
                held = bench.store.jobs.acquire(job.job_id, "test:1")
                assert held is not None
                bench.store.jobs.finish(held, JobStatus.DONE)

    async def talk_(talk: Talk) -> None:
        status = await talk.ask("get_status", task_id=task_id)
        assert status["omitted"]["jobs"] and status["jobs"][0]["job_id"] == made[-1].job_id

    with served(home) as server:
        converse(server, talk_)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_there_is_room_for_every_next_step_of_materials(lang: str) -> None:
    steps = [render(code, lang) for code in codes(lang) if code.startswith(("text.mcp_next_", "text.mcp_after_"))]
    longest = render("text.mcp_materials_failed", lang, step=max(steps, key=lambda step: len(step.encode())))
    assert len(longest.encode()) <= _LONGEST_STEP


@pytest.mark.parametrize(
    ("tool", "arguments", "step"),
    [
        ("query_evidence", {"sql": "SELECT * FROM nowhere"}, "sqlite_schema"),
        ("query_evidence", {"view": "citation_neighbours"}, "parameters"),
        ("calibration_rollback", {"version": "v9"}, "get_stats"),
        ("resolve_auth", {"name": "nobody.example", "action": "skip"}, "get_auth_queue"),
        ("get_materials", {"task_id": "task_x"}, "get_status"),
        ("feedback", {"action": "edge_correct", "edge_id": "e", "correct_relation": "neutral"}, "get_materials"),
    ],
)
def test_a_refusal_names_the_tool_or_argument_that_helps(
    server: Server[Any], tool: str, arguments: dict[str, Any], step: str
) -> None:
    assert step in converse(server, lambda talk: talk.fail(tool, **arguments))["next_step"]


def test_a_value_of_the_wrong_type_is_answered_with_the_type_that_is_wanted(server: Server[Any]) -> None:
    async def talk_(talk: Talk) -> None:
        wrong = {"limit": "10", "claim_ids": "claim_1", "max_kb": 60.5, "task_id": 7}
        problems = (await talk.fail("get_materials", **wrong))["problems"]
        wanted = {one["argument"]: one["detail"].rpartition("(")[2] for one in problems}
        names = {"limit": "integer", "claim_ids": "array", "max_kb": "integer", "task_id": "string"}
        assert wanted == {name: f"{kind} is wanted)" for name, kind in names.items()}

    converse(server, talk_)


def test_the_parameters_of_the_views_are_told_to_the_client(server: Server[Any]) -> None:
    async def talk_(talk: Talk) -> None:
        (tool,) = [one for one in (await talk.client.list_tools()).tools if one.name == "query_evidence"]
        words = tool.input_schema["properties"]["parameters"]["description"]
        assert "citation_neighbours: page, distance" in words and "freshness: before" in words

    converse(server, talk_)
