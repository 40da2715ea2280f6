"""Long work: resumed after a kill, shared by two servers, put back when a server stops."""

import os
import signal
from collections.abc import Sequence
from pathlib import Path

import anyio
import pytest
from httpx2 import TransportError
from mcp import Client
from mcp.shared.exceptions import MCPError

from lyra.app import Models, open_bench, open_reading_store
from lyra.core.errors import ModelError
from lyra.core.records import JobStatus, Stance
from lyra.interfaces.mcp.worker import Worker, _Stoppable
from lyra.workflows.check import CheckRequest, submit_check
from tests.contents import contents, faults
from tests.crashes import CLAIMS, uninterrupted, write_library
from tests.fakes import HashEmbedder, KeywordStance, SilentProgress
from tests.interfaces.mcp.client import LEGACY, MODERN, MODES, Talk, converse, served, settings_of
from tests.interfaces.mcp.crowd import crowd, losses
from tests.interfaces.mcp.process import over_http, start
from tests.interfaces.terminal import fake_models

CALLS, CLIENTS = 500, 50


@pytest.mark.parametrize("mode", MODES)
def test_a_killed_server_leaves_a_job_that_the_next_one_finishes(tmp_path: Path, mode: str) -> None:
    home, library = tmp_path / "home", write_library(tmp_path / "library")
    expected = uninterrupted(tmp_path / "calm" / "home", library)
    killed, address = start(home, "--library", str(library), LYRA_TEST_SLOW="0.4")

    async def submit(talk: Talk) -> tuple[str, str]:
        made = await talk.ask("check_claims", claims=list(CLAIMS))
        while not (await talk.ask("get_status", task_id=made["task_id"]))["jobs"][0]["done"]:
            await anyio.sleep(0.05)
        return made["task_id"], made["job"]["job_id"]

    async def wait_for_it(task_id: str) -> None:
        with anyio.fail_after(60):
            async with anyio.create_task_group() as group, Client(address, mode=mode) as client:
                group.start_soon(_kill, killed.pid)
                await client.call_tool("get_status", {"task_id": task_id, "wait_seconds": 50})

    try:
        task_id, job_id = converse(address, submit, mode)
        with pytest.raises(BaseException) as ended:
            anyio.run(wait_for_it, task_id)
    finally:
        killed.kill()
        killed.communicate()
    # Clean for the client: an error of the connection, not a hang; it goes on with the next server.
    assert all(isinstance(one, (MCPError, TransportError)) for one in _leaves(ended.value))
    with open_reading_store(settings_of(home)) as store:
        assert store.jobs.get(job_id).status is JobStatus.RUNNING

    async def afterwards(talk: Talk) -> None:
        status = await talk.ask("get_status", task_id=task_id, wait_seconds=50)
        assert [(job["status"], job["attempts"]) for job in status["jobs"]] == [("done", 2)]

    with over_http(home) as again:
        converse(again, afterwards, mode)
    with open_reading_store(settings_of(home)) as store:
        assert contents(store) == expected and faults(store) == []


async def _kill(pid: int) -> None:
    await anyio.sleep(0.2)
    os.kill(pid, signal.SIGKILL)


def _leaves(error: BaseException) -> list[BaseException]:
    inner = error.exceptions if isinstance(error, BaseExceptionGroup) else ()
    return [leaf for one in inner for leaf in _leaves(one)] or [error]


def test_two_servers_on_one_home_lose_and_repeat_nothing_for_many_clients(home: Path, library: Path) -> None:
    with over_http(home, "--library", str(library)) as first, over_http(home) as second:
        tally = anyio.run(crowd, [first, second], CLIENTS, CALLS, 1)
    assert tally.calls == CALLS and len(tally.tasks) >= CLIENTS
    assert losses(home, tally) == []


class Interrupting(KeywordStance):
    """Stops the worker while it judges."""

    def __init__(self) -> None:
        super().__init__()
        self.worker: Worker | None = None

    def judge(self, pairs: Sequence[tuple[str, str]]) -> list[Stance]:
        if self.worker is not None:
            self.worker._stopping.set()
        return super().judge(pairs)


def queued(home: Path, library: Path, models: Models) -> str:
    with open_bench(settings_of(home), SilentProgress(), lambda _: models) as bench:
        return submit_check(bench, CheckRequest(CLAIMS, (library,))).job.job_id


def test_a_server_that_stops_puts_its_job_back(tmp_path: Path) -> None:
    home, library, stance = tmp_path / "home", write_library(tmp_path / "library"), Interrupting()
    models = Models(HashEmbedder(), stance, lambda: None)
    job_id = queued(home, library, models)
    stance.worker = Worker(settings_of(home), models, poll_seconds=0.01)
    stance.worker.start()
    stance.worker._thread.join(60)
    stance.worker.stop()
    with open_reading_store(settings_of(home)) as store:
        left = store.jobs.get(job_id)
    assert (left.status, left.attempts, left.lease_owner) == (JobStatus.QUEUED, 1, None)
    with served(home, models=fake_models()) as server:
        status = converse(server, lambda talk: talk.ask("get_status", wait_seconds=50))
    assert status["waiting_for"] == []
    with open_reading_store(settings_of(home)) as store:
        assert store.jobs.get(job_id).status is JobStatus.DONE


class Failing(KeywordStance):
    """Fails the first time."""

    def __init__(self) -> None:
        super().__init__()
        self.calls = 0

    def judge(self, pairs: Sequence[tuple[str, str]]) -> list[Stance]:
        self.calls += 1
        if self.calls == 1:
            raise ModelError("weights_missing", file="stance.onnx")
        return super().judge(pairs)


def test_a_job_that_failed_is_shown_with_its_code_and_tried_again_later(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home, library, stance = tmp_path / "home", write_library(tmp_path / "library"), Failing()
    models = Models(HashEmbedder(), stance, lambda: None)

    async def talk_(talk: Talk) -> None:
        made = await talk.ask("check_claims", claims=list(CLAIMS), wait_seconds=50)
        assert (made["job"]["status"], made["job"]["error"]) == ("failed", "weights_missing") and made["materials"] is None
        with anyio.fail_after(60):
            while (await talk.ask("get_status", task_id=made["task_id"]))["jobs"][0]["status"] != "done":
                await anyio.sleep(0.05)

    monkeypatch.setattr("lyra.interfaces.mcp.worker.RETRY_SECONDS", 0.5)
    with served(home, library, models=lambda _: models) as server:
        converse(server, talk_, MODERN)


def test_weights_that_are_missing_are_said_before_anything_is_written(home: Path, library: Path) -> None:
    def missing() -> None:
        raise ModelError("weights_missing", file="manifest.json")

    async def talk_(talk: Talk) -> None:
        error = await talk.fail("check_claims", claims=["Water boils."])
        assert error["code"] == "weights_missing" and error["retryable"]
        assert (await talk.ask("get_status"))["tasks"] == []

    with served(home, library, models=lambda _: Models(HashEmbedder(), KeywordStance(), missing)) as server:
        converse(server, talk_, LEGACY)


def test_work_is_cut_off_only_when_the_server_stops() -> None:
    from threading import Event  # noqa: PLC0415 - only here

    stopping = Event()
    with _Stoppable(stopping).track("progress.judging", 3) as step:
        step.advance()
        stopping.set()
        with pytest.raises(KeyboardInterrupt):
            step.advance()
