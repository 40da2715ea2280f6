"""Statements of a client: what only reads is answered, everything else is refused, and none keeps the others waiting."""

from pathlib import Path
from threading import Event
from typing import Any

import anyio
import pytest
from mcp import Client
from mcp.server.lowlevel import Server

from lyra.interfaces.mcp.calls import MAX_LONG_THREADS, MAX_THREADS
from lyra.interfaces.mcp.research import query
from lyra.workflows.query import run_sql
from tests.interfaces.mcp.client import MODERN, Talk, converse, opened, served
from tests.interfaces.mcp.test_bad_input import everything
from tests.store.test_statements import COUNTING, LEGAL, REFUSED


def test_at_least_forty_hostile_statements_are_tried() -> None:
    assert len(REFUSED) + len(LEGAL) >= 40


def test_hostile_statements_are_refused_and_harmless_ones_answered(home: Path, library: Path) -> None:
    async def talk_(talk: Talk) -> None:
        for sql in REFUSED:
            assert (await talk.fail("query_evidence", sql=sql))["code"] == "query_refused", sql
        for sql, _ in LEGAL:
            assert (await talk.ask("query_evidence", sql=sql))["table"]["rows"], sql

    with served(home, library) as server:
        before = everything(home)
        converse(server, talk_)
        assert everything(home) == before


def test_a_statement_that_runs_away_is_ended(server: Server[Any]) -> None:
    async def talk_(talk: Talk) -> None:
        error = await talk.fail("query_evidence", sql=f"{COUNTING} SELECT count(*) FROM c")
        assert error["code"] == "query_too_slow" and "WHERE" in error["next_step"]

    converse(server, talk_)


def test_statements_that_run_on_keep_no_other_call_waiting(server: Server[Any], monkeypatch: pytest.MonkeyPatch) -> None:
    real, released, began = run_sql, Event(), []

    def held(*arguments: Any) -> Any:
        began.append(1)
        released.wait(60)
        return real(*arguments)

    monkeypatch.setattr(query, "run_sql", held)

    async def run() -> None:
        async with Client(server, mode=MODERN) as slow, Client(server, mode=MODERN) as quick, anyio.create_task_group() as group:
            for _ in range(MAX_THREADS + 4):
                group.start_soon(slow.call_tool, "query_evidence", {"sql": "SELECT 1"})
            talk = await opened(quick)
            with anyio.fail_after(60):
                while len(began) < MAX_LONG_THREADS:
                    await anyio.sleep(0.01)
                await talk.ask("get_status")
                await talk.ask("create_task", question="Does tea help?")
            assert not released.is_set() and len(began) == MAX_LONG_THREADS
            released.set()

    try:
        anyio.run(run)
    finally:
        released.set()
    assert len(began) == MAX_THREADS + 4
