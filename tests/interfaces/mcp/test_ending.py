"""How a server ends: in order when it is told to, without a word when its client has gone, and without waiting for a line."""

import json
import signal
import subprocess
import sys
from pathlib import Path

import anyio
import pytest

from lyra.app import open_reading_store
from lyra.core.records import JobStatus
from tests.crashes import CLAIMS, write_library
from tests.interfaces.mcp.client import Talk, converse, settings_of
from tests.interfaces.mcp.process import REPOSITORY, command, end, environment, start

HELLO = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}},
}
PATIENCE = 60


def stdio(home: Path) -> "subprocess.Popen[str]":
    """A server on standard input and output that has answered its first request."""
    process = subprocess.Popen(
        [sys.executable, *command("mcp")],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=REPOSITORY,
        env=environment(home),
    )
    assert process.stdin is not None and process.stdout is not None
    process.stdin.write(json.dumps(HELLO) + "\n")
    process.stdin.flush()
    assert json.loads(process.stdout.readline())["result"]["serverInfo"]["name"] == "lyra"
    return process


@pytest.mark.parametrize(("told", "code"), [(signal.SIGTERM, 0), (signal.SIGINT, 130)])
def test_a_server_on_stdio_ends_when_it_is_told_to_though_its_client_says_nothing(
    home: Path, told: signal.Signals, code: int
) -> None:
    with stdio(home) as process:
        process.send_signal(told)
        assert process.wait(PATIENCE) == code
        assert process.stderr is not None and "Traceback" not in process.stderr.read()


def test_a_server_whose_client_reads_no_more_ends_without_a_word(home: Path) -> None:
    with stdio(home) as process:
        assert process.stdin is not None and process.stdout is not None and process.stderr is not None
        process.stdout.close()
        process.stdin.write(json.dumps({"jsonrpc": "2.0", "id": 2, "method": "tools/list"}) + "\n")
        process.stdin.flush()
        assert (process.wait(PATIENCE), process.stderr.read()) == (0, "")


def test_a_server_whose_client_closes_its_end_ends(home: Path) -> None:
    with stdio(home) as process:
        assert process.communicate(timeout=PATIENCE) == ("", "") and process.returncode == 0


def test_lines_that_are_no_messages_do_not_end_a_server_on_stdio(home: Path) -> None:
    with stdio(home) as process:
        assert process.stdin is not None and process.stdout is not None
        for line in ("not json", "{}", "[]", "\x00", "x" * 200_000, '{"jsonrpc":"2.0","id":2,"method":"none"}'):
            process.stdin.write(line + "\n")
        process.stdin.flush()
        assert json.loads(process.stdout.readline())["error"]["code"] == -32601
        process.communicate(timeout=PATIENCE)
    assert process.returncode == 0


def test_a_server_over_http_that_is_told_to_end_puts_its_job_back(tmp_path: Path) -> None:
    home, library = tmp_path / "home", write_library(tmp_path / "library")
    process, address = start(home, "--library", str(library), LYRA_TEST_SLOW="0.3")

    async def submit(talk: Talk) -> str:
        made = await talk.ask("check_claims", claims=list(CLAIMS))
        while not (await talk.ask("get_status", task_id=made["task_id"]))["jobs"][0]["done"]:
            await anyio.sleep(0.05)
        return str(made["job"]["job_id"])

    try:
        job_id = converse(address, submit)
    finally:
        said = end(process)
    assert "Traceback" not in said and process.returncode == 0
    with open_reading_store(settings_of(home)) as store:
        left = store.jobs.get(job_id)
    assert (left.status, left.lease_owner) == (JobStatus.QUEUED, None)
