"""A server in a process of its own, with fake models: `python -m tests.interfaces.mcp.process mcp --home HOME ...`.

With LYRA_TEST_SLOW set, every judgement takes so many seconds, so that a server can be killed during a job.
"""

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from mcp import StdioServerParameters

from lyra.core.records import Stance
from lyra.interfaces.cli.main import run
from tests.fakes import KeywordStance
from tests.interfaces.terminal import fake_models

REPOSITORY = Path(__file__).parents[3]


class SlowStance(KeywordStance):
    """Takes its time for every batch."""

    def __init__(self, seconds: float) -> None:
        super().__init__()
        self._seconds = seconds

    def judge(self, pairs: Sequence[tuple[str, str]]) -> list[Stance]:
        time.sleep(self._seconds)
        return super().judge(pairs)


def environment(home: Path, **more: str) -> dict[str, str]:
    config = home.parent / "lyra.toml"
    config.parent.mkdir(parents=True, exist_ok=True)
    config.touch()
    paths = os.pathsep.join([str(REPOSITORY / "src"), str(REPOSITORY)])
    return {**os.environ, "PYTHONPATH": paths, "LYRA_CONFIG": str(config), "LYRA_HOME": str(home), "LYRA_LANG": "en", **more}


def command(*arguments: str) -> list[str]:
    return ["-m", "tests.interfaces.mcp.process", *arguments]


def on_stdio(home: Path, *arguments: str, **more: str) -> StdioServerParameters:
    """How the official client starts the server."""
    return StdioServerParameters(
        command=sys.executable, args=command("mcp", *arguments), env=environment(home, **more), cwd=str(REPOSITORY)
    )


def start(home: Path, *arguments: str, **more: str) -> "tuple[subprocess.Popen[str], str]":
    """Start the server over HTTP and return its process and its address."""
    process = subprocess.Popen(
        [sys.executable, *command("serve", "--port", "0", "--json", *arguments)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=REPOSITORY,
        env=environment(home, **more),
    )
    assert process.stdout is not None and process.stderr is not None
    said = ""
    while "}" not in said:
        line = process.stdout.readline()
        if not line:
            raise AssertionError(process.stderr.read())
        said += line
    return process, json.loads(said)["address"]


def end(process: "subprocess.Popen[str]") -> str:
    """Stop a server and return what it wrote to stderr."""
    process.terminate()
    try:
        return process.communicate(timeout=30)[1]
    except subprocess.TimeoutExpired:
        process.kill()
        return process.communicate()[1]


@contextmanager
def over_http(home: Path, *arguments: str, **more: str) -> Iterator[str]:
    """The address of a server that runs as long as the block does."""
    process, address = start(home, *arguments, **more)
    try:
        yield address
    finally:
        said = end(process)
        assert "Traceback" not in said, said


if __name__ == "__main__":
    slow = os.environ.get("LYRA_TEST_SLOW")
    sys.exit(run(models=fake_models(SlowStance(float(slow)) if slow else None)))
