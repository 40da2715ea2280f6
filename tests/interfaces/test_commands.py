"""The other commands, help, and what the program does not load to start."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from typer.core import TyperGroup

from lyra.core.own_result import MARKDOWN_MARK
from lyra.interfaces.cli.layout import padded, two_columns, width_of, wrapped
from lyra.interfaces.cli.main import build
from tests.interfaces.terminal import Terminal, no_models

CLAIM = "Cats sleep most of the day."
JAPANESE = re.compile(r"[\u3040-\u30ff\u4e00-\u9fff]")


def commands(node: Any = None, path: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """The path of every command and group."""
    found = build() if node is None else node
    yield path
    if isinstance(found, TyperGroup):
        for name, inner in found.commands.items():
            yield from commands(inner, (*path, name))


@pytest.mark.parametrize("path", sorted(commands()))
def test_every_command_explains_itself_in_both_languages(terminal: Terminal, path: tuple[str, ...]) -> None:
    english, japanese = terminal.run(*path, "--help"), terminal.run(*path, "--help", "--lang", "ja")
    assert (english.code, japanese.code) == (0, 0)
    assert english.out.startswith(f"Usage: {' '.join(('lyra', *path))} ")
    assert english.out.isascii() or "…" in english.out
    assert JAPANESE.search(japanese.out.splitlines()[0])
    for option in ("--home DIR", "--json", "--lang LANG", "--help"):
        assert option in english.out
        assert option in japanese.out
    assert not re.search(r"\bhelp\.\w|None", english.out + japanese.out)
    assert max(width_of(line) for line in (english.out + japanese.out).splitlines()) <= 100


def test_a_program_called_without_a_command_explains_itself(terminal: Terminal) -> None:
    assert terminal.run().out == terminal.run("--help").out
    assert terminal.run("task").out.startswith("Usage: lyra task ")


def test_common_options_are_taken_before_and_after_the_command(terminal: Terminal, tmp_path: Path) -> None:
    other = tmp_path / "other"
    for arguments in (
        ("--home", str(other), "--json", "status"),
        ("status", f"--home={other}", "--json"),
        ("--json", "status", "--home", str(other)),
    ):
        assert terminal.run(*arguments).json["home"] == str(other)
    assert not terminal.home.exists()


def test_what_follows_two_dashes_is_no_option(terminal: Terminal, library: Path) -> None:
    ran = terminal.run("check", "--library", library, "--", "--json", "--home")
    assert ran.code == 0
    assert "--json" in ran.out


def test_the_version_is_shown(terminal: Terminal) -> None:
    assert re.fullmatch(r"lyra \S+\n", terminal.run("--version").out)
    assert set(terminal.run("--version", "--json").json) == {"schema_version", "version"}


def test_tasks_are_made_listed_shown_and_stopped(terminal: Terminal, library: Path) -> None:
    made = terminal.run("task", "new", " Do cats\nsleep? ", "--hypothesis", "They do.", "--library", library, "--json").json
    assert (made["question"], made["hypothesis"], made["roots"]) == ("Do cats sleep?", "They do.", [str(library)])
    listed = terminal.run("task", "list", "--json").json["tasks"]
    assert [task["task_id"] for task in listed] == [made["task_id"]]
    shown = terminal.run("task", "show", made["task_id"])
    for part in (made["task_id"], "Do cats sleep?", "They do.", str(library), "active"):
        assert part in shown.out
    assert "stopped" in terminal.run("task", "stop", made["task_id"]).out.lower()
    assert terminal.run("task", "show", made["task_id"], "--json").json["task_status"] == "stopped"
    assert "Do cats sleep?" in terminal.run("task", "list").out


def test_a_task_shows_its_claims_without_their_evidence(terminal: Terminal, library: Path) -> None:
    task = terminal.run("check", CLAIM, "--library", library, "--json").json["task_id"]
    shown = terminal.run("task", "show", task, "--json").json
    assert [claim["text"] for claim in shown["claims"]] == [CLAIM]
    assert "evidence" not in shown["claims"][0]
    assert [job["status"] for job in shown["jobs"]] == ["done"]
    assert CLAIM in terminal.run("task", "show", task).out


def test_a_fresh_home_says_how_to_start(terminal: Terminal) -> None:
    assert "lyra check" in terminal.run("task", "list").out
    assert "lyra library add" in terminal.run("library", "list").out


def test_the_library_is_added_to_listed_and_removed(terminal: Terminal, library: Path) -> None:
    added = terminal.run("library", "add", library, "--json")
    assert (added.code, added.json["roots"]) == (0, [str(library)])
    files = terminal.run("library", "list", "--json").json["files"]
    assert {Path(entry["path"]).name: entry["status"] for entry in files} == {
        "broken.pdf": "failed",
        "cats.md": "read",
        "dogs.txt": "read",
        "inu.txt": "read",
        "table.csv": "skipped",
    }
    problems = terminal.run("library", "list", "--problems")
    assert "broken.pdf" in problems.out
    assert "cats.md" not in problems.out
    removed = terminal.run("library", "remove", library, "--json").json
    assert removed["removed"] == [{"root": str(library), "files": 5}]
    assert terminal.run("library", "list", "--json").json == {"schema_version": "1", "roots": [], "files": []}


def test_adding_a_path_that_cannot_be_used_beside_one_that_can(terminal: Terminal, library: Path, tmp_path: Path) -> None:
    ran = terminal.run("library", "add", tmp_path / "nowhere", library, "--json")
    assert (ran.code, ran.json["roots"], len(ran.json["problems"])) == (2, [str(library)], 1)
    assert ran.err.count("\n") == 1


def test_what_a_removed_file_said_stays_and_is_marked(terminal: Terminal, library: Path) -> None:
    task = terminal.run("check", CLAIM, "--library", library, "--json").json["task_id"]
    terminal.run("library", "remove", library)
    (claim,) = terminal.run("materials", task, "--json").json["claims"]
    assert all(item["locator"]["stale"] for item in claim["evidence"])
    assert "has changed or gone since this was read" in terminal.run("materials", task, "--format", "md").out


def test_materials_are_written_in_both_formats_to_both_places(terminal: Terminal, library: Path, tmp_path: Path) -> None:
    task = terminal.run("check", CLAIM, "--library", library, "--json").json["task_id"]
    shown = terminal.run("materials", task).out
    assert shown.startswith(f"{MARKDOWN_MARK}\n\n# Evidence: ")
    assert terminal.run("materials", task, "--format", "md", "--json").json["text"] == shown
    value = terminal.run("materials", task, "--format", "json").json
    assert value == terminal.run("materials", task, "--json").json
    assert terminal.run("materials", task, "--out", tmp_path / "a.md").code == 0
    assert (tmp_path / "a.md").read_text(encoding="utf-8") == shown
    assert terminal.run("materials", task, "--out", tmp_path / "a.json").code == 0
    assert json.loads((tmp_path / "a.json").read_text(encoding="utf-8")) == value


def test_the_claims_of_a_check_and_of_its_materials_are_the_same(terminal: Terminal, library: Path) -> None:
    answer = terminal.run("check", CLAIM, "Dogs bark at strangers.", "--library", library, "--json").json
    assert terminal.run("materials", answer["task_id"], "--json").json["claims"] == answer["claims"]


def test_a_result_can_be_written_to_a_device(terminal: Terminal, library: Path) -> None:
    assert terminal.run("check", CLAIM, "--library", library, "--out", os.devnull).code == 0
    assert not Path(os.devnull).is_file()


def test_the_status_counts_what_is_stored(terminal: Terminal, library: Path) -> None:
    fresh = terminal.run("status", "--json").json
    assert set(fresh["counts"].values()) == {0}
    terminal.run("check", CLAIM, "--library", library)
    status = terminal.run("status", "--json").json
    assert (status["counts"]["tasks"], status["counts"]["claims"], status["roots"]) == (1, 1, [str(library)])
    assert status["models"]["stance"]["name"] == "keyword"
    assert (status["endpoints"], status["jobs"], status["model_problem"]) == ([], [], None)
    assert str(library) in terminal.run("status").out
    assert "判定モデル" in terminal.run("status", "--lang", "ja").out


def test_the_settings_are_shown_with_their_origin(terminal: Terminal) -> None:
    terminal.config().write_text("[judge]\ntop_k = 5\n", encoding="utf-8")
    shown = terminal.run("config", "show", "--lang", "en", "--json").json
    origins = {entry["key"]: (entry["value"], entry["origin"]) for entry in shown["settings"]}
    assert origins["judge.top_k"] == (5, f"file {terminal.config()}")
    assert origins["home"] == (str(terminal.home), "environment LYRA_HOME")
    assert origins["lang"] == ("en", "flag")
    assert origins["store.busy_seconds"] == (30.0, "default")
    lines = [" ".join(line.split()) for line in terminal.run("config", "show").out.splitlines()]
    assert f"judge.top_k 5 (file {terminal.config()})" in lines


def test_the_number_of_judged_fragments_is_a_setting(terminal: Terminal, library: Path) -> None:
    few = replace(terminal, environ={"LYRA_JUDGE_TOP_K": "1"})
    (claim,) = few.run("check", CLAIM, "--library", library, "--json").json["claims"]
    assert claim["evidence_count"] == 1


def test_the_doctor_finds_everything_in_order(terminal: Terminal) -> None:
    ran = terminal.run("doctor", "--json")
    names = ["python", "engine", "settings", "home", "disk", "store", "models", "judgement", "providers", "paths", "endpoints"]
    assert [check["name"] for check in ran.json["checks"]] == names
    assert (ran.code, ran.json["ok"], ran.json["endpoints"]) == (0, True, [])
    assert "正常" in terminal.run("doctor", "--lang", "ja").out


def test_the_doctor_names_what_failed_and_looks_at_the_rest(terminal: Terminal) -> None:
    terminal.home.mkdir()
    (terminal.home / "lyra.db").write_bytes(b"no database " * 500)
    ran = replace(terminal, models=no_models).run("doctor", "--json")
    status = {check["name"]: check["status"] for check in ran.json["checks"]}
    assert (ran.code, ran.json["ok"]) == (3, False)
    assert (status["store"], status["models"], status["home"]) == ("failed", "failed", "ok")


def test_the_doctor_warns_of_a_variable_that_is_no_setting(terminal: Terminal) -> None:
    ran = replace(terminal, environ={"LYRA_JUDGE_TOPK": "3"}).run("doctor", "--json")
    (settings,) = [check for check in ran.json["checks"] if check["name"] == "settings"]
    assert (ran.code, settings["status"]) == (0, "warning")
    assert "LYRA_JUDGE_TOP_K" in settings["detail"]


HEAVY = ("numpy", "onnxruntime", "tokenizers", "trafilatura", "lxml", "rich", "pydantic", "lyra.providers", "lyra.workflows")


@pytest.mark.parametrize("arguments", [["--help"], ["check", "--help"], ["status"], ["task", "list"], ["config", "show"]])
def test_a_short_command_loads_nothing_heavy(terminal: Terminal, arguments: list[str]) -> None:
    program = (
        "import sys\n"
        "from lyra.interfaces.cli.main import run\n"
        f"code = run({arguments!r})\n"
        f"loaded = [name for name in {HEAVY!r} if name in sys.modules]\n"
        "sys.exit(f'{code} {loaded}' if code or loaded else 0)\n"
    )
    environ = os.environ | {"LYRA_HOME": str(terminal.home), "LYRA_CONFIG": str(terminal.config())}
    environ["PYTHONPATH"] = os.pathsep.join(sys.path)
    ran = subprocess.run([sys.executable, "-c", program], env=environ, capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stderr) == (0, "")


def test_wide_characters_count_as_two_columns() -> None:
    assert width_of("abc") == 3
    assert width_of("減塩は。") == 8
    assert padded("減", 4) == "減  "
    assert wrapped("減塩は血圧を下げる。", 8) == ["減塩は血", "圧を下げ", "る。"]
    assert wrapped("one two three", 7) == ["one two", "three"]
    assert wrapped("", 7) == [""]
    assert two_columns([("a", "one two"), ("long name", "x")], 40, widest=4) == ["  a     one two", "  long name", "        x"]
