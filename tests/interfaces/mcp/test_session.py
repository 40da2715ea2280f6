"""A complete session: question, check, search, contradictions, correction, materials; on every transport and protocol."""

from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp.server.lowlevel import Server

from tests.interfaces.mcp.client import LEGACY, MODERN, MODES, Talk, converse
from tests.interfaces.mcp.process import REPOSITORY, on_stdio, over_http

SAMPLE = REPOSITORY / "sample" / "library"
CLAIMS = ["Daily walking increases attention in children.", "Street noise increases attention in children."]


async def session(talk: Talk, claims: list[str]) -> None:
    """What a client does in an afternoon, with what must be true after each step."""
    task = (await talk.ask("create_task", question="What helps attention?", hypothesis="Walking does."))["task"]
    task_id = task["task_id"]
    assert task["task_status"] == "active" and task["hypothesis"] == "Walking does."

    handle = await talk.ask("check_claims", claims=claims, task_id=task_id)
    assert handle["materials"] is None and handle["task_id"] == task_id and len(handle["claim_ids"]) == len(claims)
    waited = await talk.ask("get_status", task_id=task_id, wait_seconds=50)
    assert waited["waiting_for"] == [] and [job["status"] for job in waited["jobs"]] == ["done"]
    assert waited["idle_seconds"] >= 0

    searched = await talk.ask("search", task_id=task_id, queries=["attention"], wait_seconds=50)
    assert searched["job"]["status"] == "done"

    page = await talk.ask("get_materials", task_id=task_id, order="controversy", evidence_per_claim=6, lens="contradictions")
    shown = [claim for claim in page["claims"] if claim["claim_id"] in handle["claim_ids"]]
    assert shown and all(claim["evidence_count"] for claim in shown)
    claim = max(page["claims"], key=lambda one: one["supporting_count"] + one["refuting_count"])
    edge = next(edge for edge in claim["evidence"] if edge["relation"] != "neutral")
    assert edge["quote"] and edge["locator"]["end"] > edge["locator"]["start"]

    views = await talk.ask("query_evidence", view="contradictions", task_id=task_id)
    assert views["table"]["columns"][0] == "claim_id"
    found = await talk.ask("query_evidence", text="attention", task_id=task_id)
    assert found["found"]["passages"]
    counted = await talk.ask("query_evidence", sql="SELECT count(*) AS n FROM claims WHERE task_id = :task", task_id=task_id)
    assert counted["table"]["rows"] == [[page["page"]["claims_total"]]]

    other = "refutes" if edge["relation"] == "supports" else "supports"
    given = await talk.ask("feedback", action="edge_correct", edge_id=edge["edge_id"], correct_relation=other, reason="misread")
    assert given["changed"] and given["task_id"] == task_id
    again = await talk.ask("get_materials", task_id=task_id, claim_ids=[claim["claim_id"]], evidence_per_claim=50)
    corrected = next(one for one in again["claims"][0]["evidence"] if one["edge_id"] == edge["edge_id"])
    assert (corrected["relation"], corrected["edge_human_corrected"], corrected["nli_confidence"]) == (other, True, 1.0)
    assert again["claims"][0]["confidence"] != claim["confidence"]

    rejected = await talk.ask("feedback", action="claim_reject", claim_id=claim["claim_id"], reason="out of scope")
    assert rejected["undo"]["action"] == "claim_restore"
    left = await talk.ask("get_materials", task_id=task_id, adopted="not_adopted")
    assert [one["claim_id"] for one in left["claims"]] == [claim["claim_id"]]
    await talk.ask("feedback", action="claim_restore", claim_id=claim["claim_id"])

    planned = await talk.ask("stop_task", task_id=task_id, cleanup="hard", dry_run=True)
    assert planned["task_status"] == "active" and planned["deleted"]["claims"] == page["page"]["claims_total"]
    stopped = await talk.ask("stop_task", task_id=task_id)
    assert stopped["task_status"] == "stopped" and stopped["deleted"] == {}
    refused = await talk.fail("search", task_id=task_id)
    assert refused["code"] == "task_stopped" and "create_task" in refused["next_step"]
    gone = await talk.ask("stop_task", task_id=task_id, cleanup="soft", confirm=True)
    assert gone["task_status"] == "deleted" and gone["deleted"]["tasks"] == 1
    assert (await talk.fail("get_status", task_id=task_id))["code"] == "unknown_task"


@pytest.mark.parametrize("mode", MODES)
def test_a_session_in_one_process(server: Server[Any], mode: str) -> None:
    converse(server, lambda talk: session(talk, CLAIMS), mode)


@pytest.mark.parametrize("mode", MODES)
def test_a_session_over_stdio_on_the_sample_library(home: Path, mode: str) -> None:
    claims = ["Coffee in the evening shortens sleep.", "Vitamin D prevents falls in older adults."]
    converse(on_stdio(home, "--library", str(SAMPLE)), lambda talk: session(talk, claims), mode)


def test_sessions_of_both_protocols_over_http_at_once(home: Path, library: Path) -> None:
    async def both(address: str) -> None:
        async with anyio.create_task_group() as group:
            for mode in (MODERN, LEGACY):
                group.start_soon(_apart, address, mode)

    async def _apart(address: str, mode: str) -> None:
        await anyio.to_thread.run_sync(lambda: converse(address, lambda talk: session(talk, CLAIMS), mode))

    with over_http(home, "--library", str(library)) as address:
        anyio.run(both, address)


@pytest.mark.parametrize("mode", MODES)
def test_a_check_that_is_done_in_time_answers_with_materials(server: Server[Any], mode: str) -> None:
    async def talk_(talk: Talk) -> None:
        answer = await talk.ask("check_claims", claims=CLAIMS, question="Attention?", wait_seconds=50)
        assert [claim["claim_id"] for claim in answer["materials"]["claims"]] == answer["claim_ids"]
        assert answer["materials"]["question"] == "Attention?" and answer["materials"]["models"]["stance"]["name"] == "keyword"

    converse(server, talk_, mode)


@pytest.mark.parametrize("mode", MODES)
def test_waiting_tells_progress_to_a_client_that_asks_for_it(server: Server[Any], mode: str) -> None:
    seen: list[tuple[float, float | None, str | None]] = []

    async def note(progress: float, total: float | None, message: str | None) -> None:
        seen.append((progress, total, message))

    async def talk_(talk: Talk) -> None:
        arguments = {"claims": CLAIMS, "wait_seconds": 50}
        result = await talk.client.call_tool("check_claims", arguments, progress_callback=note)
        assert not result.is_error

    converse(server, talk_, mode)
    assert seen and all("check: " in str(message) for _, _, message in seen)


def test_the_sentences_of_a_japanese_server_are_japanese_and_its_codes_are_not(home: Path) -> None:
    from tests.interfaces.mcp.client import served  # noqa: PLC0415 - the fixture would serve English

    async def talk_(talk: Talk) -> None:
        error = await talk.fail("check_claims", claims=["眠りは大切だ。"])
        assert error["code"] == "no_library" and "文書" in error["message"] and "利用者" in error["next_step"]
        status = await talk.ask("get_status")
        assert "ライブラリ" in status["next_step"]

    with served(home, lang="ja") as japanese:
        converse(japanese, talk_)
