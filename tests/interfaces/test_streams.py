"""Standard streams that are closed or full: no traceback, the right exit code, and one sentence where it can be read."""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from lyra.core.records import Stance
from lyra.interfaces.cli.exit_codes import EXIT_INTERRUPTED
from tests.fakes import KeywordStance
from tests.interfaces.terminal import Terminal, fake_models

CLAIM = "Cats sleep most of the day."
LOST = "The result could not be written out ("
ENTRY = "import sys; from lyra.interfaces.cli.entry import run; sys.exit(run())"
WITH_FAKES = """
import sys
from lyra.interfaces.cli.main import run
from tests.interfaces.terminal import fake_models
sys.exit(run(sys.argv[1:], fake_models()))
"""
INTERRUPTED_IMPORT = f"""
import sys
class Interrupting:
    def find_spec(self, name, path=None, target=None):
        if name == "lyra.interfaces.cli.task":
            raise KeyboardInterrupt
sys.meta_path.insert(0, Interrupting())
{ENTRY.removeprefix("import sys; ")}
"""
needs_full_device = pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
pytestmark = pytest.mark.skipif(os.name != "posix", reason="closes descriptors in a shell")

Process = subprocess.CompletedProcess[str]
Called = Callable[..., Process]


@pytest.fixture
def called(terminal: Terminal) -> Called:
    """Runs the program in a process of its own, its streams redirected as a shell does it."""

    def call(redirected: str, *arguments: str | Path, program: str = WITH_FAKES) -> Process:
        environ = os.environ | {"LYRA_HOME": str(terminal.home), "LYRA_CONFIG": str(terminal.config()), "LYRA_LANG": "en"}
        environ["PYTHONPATH"] = os.pathsep.join(sys.path)
        words = ["sh", "-c", f'exec "$@" {redirected}', "sh", sys.executable, "-c", program, *map(str, arguments)]
        ran = subprocess.run(words, capture_output=True, env=environ, check=False, text=True, encoding="utf-8")
        assert "Traceback" not in ran.stdout + ran.stderr, ran
        return ran

    return call


def tasks(called: Called) -> Any:
    return json.loads(called("", "task", "list", "--json").stdout)["tasks"]


@pytest.mark.parametrize("target", [">&-", pytest.param(">/dev/full", marks=needs_full_device)])
@pytest.mark.parametrize("extra", [(), ("--json",)])
def test_a_result_that_stdout_cannot_take_is_one_sentence_and_the_task_is_kept(
    called: Called, library: Path, target: str, extra: tuple[str, ...]
) -> None:
    ran = called(target, "check", CLAIM, "--library", library, *extra)
    assert (ran.returncode, ran.stdout, ran.stderr.count("\n")) == (3, "", 1)
    assert ran.stderr.startswith(LOST)
    assert [task["claim_count"] for task in tasks(called)] == [1]


@pytest.mark.parametrize("target", [">&-", pytest.param(">/dev/full", marks=needs_full_device)])
@pytest.mark.parametrize(
    "arguments", [("--help",), (), ("task",), ("check", "--help"), ("--version",), ("status",), ("config", "show", "--json")]
)
def test_no_command_fails_otherwise_when_stdout_cannot_take_it(called: Called, target: str, arguments: tuple[str, ...]) -> None:
    ran = called(target, *arguments, program=ENTRY)
    assert (ran.returncode, ran.stderr.count("\n")) == (3, 1)
    assert ran.stderr.startswith(LOST)


@pytest.mark.parametrize("target", ["2>&-", pytest.param("2>/dev/full", marks=needs_full_device)])
def test_a_stderr_that_is_gone_loses_the_notes_and_nothing_else(called: Called, library: Path, target: str) -> None:
    good = called(target, "check", CLAIM, "", "--library", library, "--json")
    assert (good.returncode, len(json.loads(good.stdout)["claims"]), good.stderr) == (2, 1, "")
    assert called(target, "status").returncode == 0
    bad = called(target, "check", "", "--json")
    assert (bad.returncode, json.loads(bad.stdout)["error"]["code"]) == (2, "empty_claim")
    assert called(target, "check", "").returncode == 2


def test_a_program_without_any_stream_still_does_its_work(called: Called, library: Path) -> None:
    assert called("<&- >&- 2>&-", "check", CLAIM, "--library", library).returncode == 3
    assert [task["claim_count"] for task in tasks(called)] == [1]
    assert json.loads(called("", "doctor", "--json").stdout)["ok"]


def test_claims_from_a_closed_stdin_are_bad_input(called: Called) -> None:
    ran = called("<&-", "check", "--claims", "-", "--json")
    assert (ran.returncode, json.loads(ran.stdout)["error"]["code"]) == (2, "claims_file_unreadable")
    assert ran.stderr.count("\n") == 1


def test_an_interrupt_while_the_program_loads_shows_no_traceback(called: Called) -> None:
    ran = called("", "status", program=INTERRUPTED_IMPORT)
    assert (ran.returncode, ran.stdout, ran.stderr) == (EXIT_INTERRUPTED, "", "")


# The file of --out


class RemovingStance(KeywordStance):
    """Somebody removes a folder while a claim is judged."""

    def __init__(self, folder: Path) -> None:
        super().__init__()
        self.folder = folder

    def judge(self, pairs: Sequence[tuple[str, str]]) -> list[Stance]:
        self.folder.rmdir()
        return super().judge(pairs)


@needs_full_device
def test_a_file_that_cannot_be_written_after_the_work_hides_no_result(terminal: Terminal, library: Path) -> None:
    ran = terminal.run("check", CLAIM, "--library", library, "--out", "/dev/full")
    (task,) = terminal.run("task", "list", "--json").json["tasks"]
    assert (ran.code, ran.err.count("\n")) == (3, 1)
    assert ran.err.startswith("The result could not be written to /dev/full (No space left on device): it is kept")
    assert task["task_id"] in ran.err
    assert f"1. {CLAIM}" in ran.out
    assert f"lyra materials {task['task_id']}" in ran.out
    assert "/dev/full" not in ran.out


@needs_full_device
def test_a_program_gets_the_result_and_the_problem_of_the_file(terminal: Terminal, library: Path) -> None:
    ran = terminal.run("check", CLAIM, "", "--library", library, "--out", "/dev/full", "--json")
    assert (ran.code, len(ran.json["claims"]), ran.json["status"]) == (3, 1, "done")
    assert [problem["code"] for problem in ran.json["problems"]] == ["empty_claim", "out_failed"]
    again = terminal.run("materials", ran.json["task_id"], "--out", "/dev/full", "--json")
    assert (again.code, again.json["error"]["code"]) == (3, "out_failed")


def test_a_folder_that_vanishes_during_the_work_hides_no_result(terminal: Terminal, library: Path, tmp_path: Path) -> None:
    folder = tmp_path / "results"
    folder.mkdir()
    vanishing = Terminal(terminal.home, models=fake_models(RemovingStance(folder)))
    ran = vanishing.run("check", CLAIM, "--library", library, "--out", folder / "a.md", "--json")
    assert (ran.code, len(ran.json["claims"])) == (3, 1)
    assert [problem["code"] for problem in ran.json["problems"]] == ["out_failed"]
