"""Answers are short whatever the store holds, and reading on page by page loses nothing and repeats nothing."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mcp.server.lowlevel import Server

from lyra.app import open_reading_store
from lyra.core.confidence import confidence
from lyra.core.materials import assess
from lyra.core.records import Claim
from lyra.interfaces.mcp.fitting import cut_texts, dicts, fit_claim, fit_lists, size_on_wire
from lyra.interfaces.mcp.research.materials import _claim_json
from lyra.interfaces.mcp.shapes import Claim as ClaimShape
from tests.fakes import evidence
from tests.interfaces.mcp.client import MODES, Talk, converse, settings_of
from tests.interfaces.mcp.growing import growing

LONG_CLAIM = "睡眠は" * 3_333


def many_claims(home: Path, count: int, *more: str) -> str:
    """A task with many claims and no evidence."""
    with open_reading_store(settings_of(home)) as store:
        task = store.tasks.create("Many?", None, store.library.roots())
        store.tasks.add_claims(task.task_id, [*more, *(f"Statement number {number} holds." for number in range(count))])
    return task.task_id


async def all_pages(talk: Talk, task_id: str, **arguments: Any) -> list[str]:
    """The claims of all pages in the order they come."""
    seen: list[str] = []
    cursor = None
    while True:
        page = await talk.ask("get_materials", task_id=task_id, **arguments, **({"cursor": cursor} if cursor else {}))
        seen += [claim["claim_id"] for claim in page["claims"]]
        cursor = page["page"]["next"]
        if cursor is None:
            return seen


def test_all_pages_together_hold_each_claim_once_also_when_a_page_is_cut_by_size(home: Path, server: Server[Any]) -> None:
    task_id = many_claims(home, 60, LONG_CLAIM, "a" * 9_990, *(f"{number} {'long ' * 900}" for number in range(6)))

    async def read(talk: Talk) -> None:
        for arguments in ({"limit": 50}, {"limit": 7, "order": "uncertainty"}, {"limit": 100, "max_kb": 20}):
            seen = await all_pages(talk, task_id, **arguments)
            assert len(seen) == len(set(seen)) == 68, arguments

    converse(server, read)


@pytest.mark.parametrize("order", ["evidence", "controversy", "added"])
def test_all_pages_hold_each_claim_once_while_another_process_adds_evidence(home: Path, server: Server[Any], order: str) -> None:
    converse(server, lambda talk: talk.ask("check_claims", claims=["Green tea increases attention."], wait_seconds=50))
    task_id = many_claims(home, 120)
    with growing(home, task_id) as grown:
        for mode in MODES:
            seen = converse(server, lambda talk: all_pages(talk, task_id, limit=9, order=order), mode)
            assert len(seen) == len(set(seen)) >= 121
    assert grown["edges"] > 0


def test_a_claim_named_in_an_answer_that_is_full_is_named_as_left_out(home: Path, server: Server[Any]) -> None:
    task_id = many_claims(home, 0, *(f"{number} {'word ' * 1_900}" for number in range(9)))

    async def read(talk: Talk) -> None:
        found = await talk.ask("get_materials", task_id=task_id, limit=9, max_kb=500)
        ids = [claim["claim_id"] for claim in found["claims"]]
        page = await talk.ask("get_materials", task_id=task_id, claim_ids=ids)
        assert [claim["claim_id"] for claim in page["claims"]] + page["page"]["omitted_claim_ids"] == ids
        assert page["page"]["omitted_claim_ids"] and page["page"]["next"] is None
        assert (await talk.fail("get_materials", task_id=task_id, claim_ids=["claim_x"]))["code"] == "unknown_claim"

    converse(server, read)


def test_a_status_of_many_tasks_jobs_and_blocks_stays_short(home: Path, server: Server[Any]) -> None:
    with open_reading_store(settings_of(home)) as store, store.transaction():
        for number in range(300):
            task = store.tasks.create("何が眠りに効くか " * 100, None, [])
            if number < 40:
                store.tasks.stop(task.task_id)
            store.overrides.set(f"host{number}.example", "block", "長い理由 " * 60, f"feedback_{number}")

    async def read(talk: Talk) -> None:
        status = await talk.ask("get_status", detail="full")
        assert status["omitted"] and len(status["tasks"]) <= 20
        assert sum(status["omitted"].values()) + len(status["domain_overrides"]) + len(status["blocked_domains"]) >= 300

    converse(server, read)


def test_rows_of_a_query_are_cut_to_fit_and_that_is_said(home: Path, server: Server[Any]) -> None:
    many_claims(home, 3, *(f"{number} {'long ' * 1_900}" for number in range(60)))

    async def read(talk: Talk) -> None:
        table = (await talk.ask("query_evidence", sql="SELECT claim_text FROM claims", limit=200))["table"]
        assert table["truncated"] == "size" and table["rows"]
        view = (await talk.ask("query_evidence", view="most_uncertain", limit=200))["table"]
        assert view["truncated"] in ("size", "rows") and view["rows"]

    converse(server, read)


EDGES = st.lists(
    st.tuples(st.sampled_from(["supports", "refutes", "neutral"]), st.integers(0, 2_000), st.integers(0, 400)), max_size=16
)


@settings(max_examples=40)
@given(EDGES, st.integers(0, 10_000), st.integers(20_000, 60_000))
def test_a_claim_fits_whatever_it_holds_and_says_what_was_cut(
    edges: list[tuple[str, int, int]], length: int, budget: int
) -> None:
    items = [
        replace(evidence(f"edge_{number}", relation, 0.8, f"page_{number}"), quote="長" * quote, authors=("A. Author",) * authors)
        for number, (relation, quote, authors) in enumerate(edges)
    ]
    text = "a" * length or "a"
    values = confidence([(one.relation.value, one.nli_confidence) for one in items])
    whole = _claim_json(assess(Claim("claim_1", "task_1", text, "en"), values, items))
    fitted = fit_claim(whole, budget)
    ClaimShape.model_validate(fitted)
    assert size_on_wire(fitted) <= budget
    kept = dicts(fitted["evidence"])
    assert fitted["evidence_omitted"] == len(items) - len(kept)
    assert bool(fitted["cut"]) == ({**fitted, "cut": []} != whole)
    sides = {relation for relation, _, _ in edges} - {"neutral"}
    if len(kept) >= 2:
        assert {edge["relation"] for edge in kept} >= sides
    assert fitted["evidence_count"] == whole["evidence_count"]


@settings(max_examples=40)
@given(st.lists(st.text(max_size=300), max_size=80), st.lists(st.text(max_size=300), max_size=80), st.integers(3_000, 30_000))
def test_lists_are_cut_from_the_end_and_what_is_left_out_is_counted(first: list[str], second: list[str], budget: int) -> None:
    shown, omitted = fit_lists({"first": first, "inner": {"second": second}}, ("first", "inner.second"), budget)
    inner = shown["inner"]
    assert isinstance(inner, dict) and isinstance(shown["first"], list)
    assert size_on_wire(shown) <= budget
    assert len(shown["first"]) + omitted.get("first", 0) == len(first) and shown["first"] == first[: len(shown["first"])]
    assert len(inner["second"]) + omitted.get("inner.second", 0) == len(second)


def test_texts_are_cut_with_a_mark() -> None:
    assert cut_texts({"a": ["x" * 9]}, 5) == {"a": ["xxxx…"]}
