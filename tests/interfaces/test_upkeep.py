"""Deleting tasks, backing up and restoring from the command line."""

from pathlib import Path

import pytest

from tests.interfaces.terminal import Terminal

CLAIM = "Cats sleep most of the day."


@pytest.fixture
def task(terminal: Terminal, library: Path) -> str:
    return str(terminal.run("check", CLAIM, "--library", library, "--json").json["task_id"])


def test_a_dry_run_says_what_the_deletion_then_does(terminal: Terminal, library: Path, task: str) -> None:
    terminal.run("library", "remove", library)
    planned = terminal.run("task", "delete", task, "--hard", "--dry-run", "--json").json
    assert (planned["dry_run"], planned["hard"], planned["deleted"]["claims"]) == (True, True, 1)
    assert planned["deleted"]["pages"] > 0
    assert terminal.run("task", "show", task).code == 0
    done = terminal.run("task", "delete", task, "--hard", "--json").json
    assert (done["dry_run"], done["deleted"]) == (False, planned["deleted"])
    assert terminal.run("status", "--json").json["counts"]["pages"] == 0


def test_a_deletion_is_told_in_words_and_the_task_is_gone(terminal: Terminal, task: str) -> None:
    planned = terminal.run("task", "delete", task, "--dry-run").out
    assert planned.startswith("Nothing was deleted.")
    told = terminal.run("task", "delete", task).out
    assert told.splitlines()[1:] == planned.splitlines()[1:]
    assert "claims: 1\n" in told
    again = terminal.run("task", "delete", task, "--json")
    assert (again.code, again.json["error"]["code"]) == (2, "unknown_task")


def test_a_deletion_reads_in_japanese(japanese: Terminal, task: str) -> None:
    assert japanese.run("task", "delete", task).out.startswith(f"タスク {task} を削除しました")


def test_a_backup_brings_everything_back(terminal: Terminal, task: str, tmp_path: Path) -> None:
    before, target = terminal.run("materials", task, "--json").json, tmp_path / "lyra.backup"
    made = terminal.run("backup", target, "--json").json
    assert (made["path"], made["size_bytes"]) == (str(target), target.stat().st_size)
    terminal.run("task", "delete", task, "--hard")
    restored = terminal.run("restore", target, "--json").json
    assert restored["counts"]["tasks"] == 1
    assert terminal.run("materials", task, "--json").json == before
    told = terminal.run("restore", restored["kept"])
    assert told.code == 0
    assert "tasks: 0\n" in told.out
    assert terminal.run("task", "list", "--json").json["tasks"] == []


def test_a_backup_is_told_in_words(terminal: Terminal, task: str, tmp_path: Path) -> None:
    assert f"lyra restore {tmp_path / 'b'}" in terminal.run("backup", tmp_path / "b").out


@pytest.mark.parametrize("command", ["backup", "restore"])
def test_a_file_that_cannot_be_used_ends_in_one_sentence(terminal: Terminal, library: Path, command: str) -> None:
    ran = terminal.run(command, library / "cats.md", "--json")
    assert (ran.code, ran.err.count("\n")) == (2, 1)
    assert ran.json["error"]["code"] == {"backup": "backup_exists", "restore": "backup_not_lyra"}[command]
    assert (library / "cats.md").read_text(encoding="utf-8").startswith("# Sleep of cats")
