"""Whatever goes wrong ends in one sentence and the right exit code; with --json, in one JSON value, too."""

import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import replace
from pathlib import Path

import apsw
import pytest

from lyra.core.records import Stance
from lyra.interfaces.cli.exit_codes import EXIT_PIPE_CLOSED
from lyra.interfaces.cli.main import run
from tests.fakes import KeywordStance
from tests.interfaces.terminal import Ran, Stream, Terminal, fake_models, no_models

CLAIM = "Cats sleep most of the day."


def assert_one_sentence(ran: Ran, code: int, error: str) -> None:
    """One line on stderr; one JSON value with the same message on stdout."""
    assert (ran.code, ran.err.count("\n"), ran.json["error"]["code"]) == (code, 1, error), ran
    assert set(ran.json) == {"schema_version", "error"}
    assert ran.json["error"]["message"] == ran.err.rstrip("\n")


@pytest.mark.parametrize("claim", ["", "   ", "?!", "\u200b\u200b", "\x00"])
def test_an_empty_claim_is_bad_input(terminal: Terminal, library: Path, claim: str) -> None:
    assert_one_sentence(terminal.run("check", claim, "--library", library, "--json"), 2, "empty_claim")


def test_a_claim_of_more_than_ten_thousand_characters_is_bad_input(terminal: Terminal, library: Path) -> None:
    assert_one_sentence(terminal.run("check", "x" * 10_001, "--library", library, "--json"), 2, "claim_too_long")
    assert terminal.run("check", "x" * 10_000, "--library", library, "--json").code == 0


def test_a_bad_claim_beside_a_good_one_is_named_and_the_good_one_is_checked(terminal: Terminal, library: Path) -> None:
    ran = terminal.run("check", "", CLAIM, "--library", library, "--json")
    assert (ran.code, len(ran.json["claims"]), ran.err.count("\n")) == (2, 1, 1)


def test_no_claim_at_all_is_bad_input(terminal: Terminal, library: Path) -> None:
    assert_one_sentence(terminal.run("check", "--library", library, "--json"), 2, "no_claims")


def test_no_library_at_all_is_bad_input(terminal: Terminal) -> None:
    assert_one_sentence(terminal.run("check", CLAIM, "--json"), 2, "no_library")


def test_a_folder_without_documents_is_bad_input(terminal: Terminal, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    ran = terminal.run("check", CLAIM, "--library", tmp_path / "empty", "--json")
    assert_one_sentence(ran, 2, "library_empty")
    assert str(tmp_path / "empty") in ran.err


def test_a_library_without_any_text_is_bad_input(terminal: Terminal, tmp_path: Path) -> None:
    (tmp_path / "scan").mkdir()
    (tmp_path / "scan" / "a.pdf").write_bytes(b"%PDF-1.7\n")
    assert_one_sentence(terminal.run("check", CLAIM, "--library", tmp_path / "scan", "--json"), 2, "library_without_text")


def test_an_empty_path_is_bad_input_and_not_the_current_folder(terminal: Terminal) -> None:
    assert terminal.run("check", CLAIM, "--library", "", "--json").code == 2
    assert terminal.run("status", "--json").json["roots"] == []


def test_a_path_that_does_not_exist_is_bad_input(terminal: Terminal, tmp_path: Path) -> None:
    assert_one_sentence(terminal.run("check", CLAIM, "--library", tmp_path / "nowhere", "--json"), 2, "path_missing")


@pytest.mark.parametrize(
    "arguments",
    [
        ("task", "show", "task_x"),
        ("task", "stop", "task_x"),
        ("materials", "task_x"),
        ("search", "task_x"),
        ("status", "task_x"),
        ("check", CLAIM, "--task", "task_x"),
    ],
)
def test_an_unknown_task_is_bad_input(terminal: Terminal, arguments: tuple[str, ...]) -> None:
    assert_one_sentence(terminal.run(*arguments, "--json"), 2, "unknown_task")


def test_an_unknown_page_or_root_is_bad_input(terminal: Terminal, tmp_path: Path) -> None:
    assert_one_sentence(terminal.run("library", "text", "page_x", "--json"), 2, "unknown_page")
    assert_one_sentence(terminal.run("library", "remove", tmp_path, "--json"), 2, "unknown_root")


def test_a_stopped_task_takes_no_more_claims(terminal: Terminal, library: Path) -> None:
    task = terminal.run("check", CLAIM, "--library", library, "--json").json["task_id"]
    assert terminal.run("task", "stop", task, "--json").json["task_status"] == "stopped"
    assert_one_sentence(terminal.run("check", CLAIM, "--task", task, "--json"), 2, "task_stopped")


@pytest.mark.parametrize(
    ("name", "content", "error"),
    [
        ("a.json", b"{", "broken_json"),
        ("a.json", b"{}", "no_claim_list"),
        ("a.csv", b"id,note\n1,x\n", "no_claim_column"),
        ("a.csv", b"claim\n\n", "no_claims_in_file"),
        ("a.txt", b"# nothing\n", "no_claims_in_file"),
        ("a.txt", bytes(range(256)) * 8, "claims_file_not_text"),
    ],
)
def test_a_claims_file_that_cannot_be_used_is_bad_input(terminal: Terminal, name: str, content: bytes, error: str) -> None:
    file = terminal.config().with_name(name)
    file.write_bytes(content)
    assert_one_sentence(terminal.run("check", "--claims", file, "--json"), 2, error)


def test_a_claims_file_with_only_broken_rows_names_all_of_them(terminal: Terminal, library: Path, tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text('{"claim": 3}\n{\n', encoding="utf-8")
    ran = terminal.run("check", "--claims", tmp_path / "a.jsonl", "--library", library, "--json")
    assert (ran.code, ran.json["error"]["code"]) == (2, "row_without_claim")
    assert [part in ran.err for part in ("a.jsonl:1:", "a.jsonl:2:")] == [True, True]


def test_a_claims_file_that_is_missing_a_folder_or_too_large_is_bad_input(terminal: Terminal, tmp_path: Path) -> None:
    assert_one_sentence(terminal.run("check", "--claims", tmp_path / "none.txt", "--json"), 2, "claims_file_missing")
    assert_one_sentence(terminal.run("check", "--claims", tmp_path, "--json"), 2, "claims_file_unreadable")
    small = replace(terminal, environ={"LYRA_LIBRARY_MAX_FILE_MB": "1"})
    (tmp_path / "big.txt").write_bytes(b"x" * 1_100_000)
    assert_one_sentence(small.run("check", "--claims", tmp_path / "big.txt", "--json"), 2, "claims_file_too_large")


def test_missing_weights_are_found_before_anything_is_written(terminal: Terminal, library: Path) -> None:
    ran = replace(terminal, models=no_models).run("check", CLAIM, "--library", library, "--json")
    assert_one_sentence(ran, 3, "weights_missing")
    assert terminal.run("status", "--json").json["counts"]["tasks"] == 0


# The store


def break_database(home: Path) -> None:
    home.mkdir(parents=True, exist_ok=True)
    (home / "lyra.db").write_bytes(b"this is no database " * 400)


def test_a_damaged_database_is_a_failed_dependency(terminal: Terminal, library: Path) -> None:
    break_database(terminal.home)
    for arguments in (("check", CLAIM, "--library", str(library)), ("status",), ("task", "list"), ("work",)):
        assert_one_sentence(terminal.run(*arguments, "--json"), 3, "database_corrupted")


def test_a_database_damaged_inside_is_a_failed_dependency(terminal: Terminal, library: Path) -> None:
    terminal.run("check", CLAIM, "--library", library)
    database = terminal.home / "lyra.db"
    content = bytearray(database.read_bytes())
    content[4096 : len(content)] = b"\xa5" * (len(content) - 4096)
    database.write_bytes(content)
    ran = terminal.run("check", CLAIM, "--json")
    assert (ran.code, ran.json["error"]["code"]) == (3, "database_corrupted")


@pytest.fixture
def locked(terminal: Terminal, library: Path) -> Iterator[None]:
    terminal.run("library", "add", library)
    other = apsw.Connection(str(terminal.home / "lyra.db"))
    other.execute("BEGIN IMMEDIATE")
    yield
    other.execute("ROLLBACK")
    other.close()


@pytest.mark.usefixtures("locked")
def test_a_database_that_another_program_writes_to_is_waited_for_and_then_reported(terminal: Terminal) -> None:
    impatient = replace(terminal, environ={"LYRA_STORE_BUSY_SECONDS": "0.2"})
    assert_one_sentence(impatient.run("check", CLAIM, "--json"), 3, "database_in_use")
    assert impatient.run("status", "--json").code == 0


def test_a_database_from_the_future_is_refused_and_left_alone(terminal: Terminal) -> None:
    terminal.run("status")
    with apsw.Connection(str(terminal.home / "lyra.db")) as connection:
        connection.execute("INSERT INTO schema_migrations VALUES (999, 'tomorrow', '2030-01-01')")
    connection.close()
    before = (terminal.home / "lyra.db").read_bytes()
    assert_one_sentence(terminal.run("status", "--json"), 3, "database_from_future")
    assert (terminal.home / "lyra.db").read_bytes() == before


def test_a_database_of_another_program_is_refused(terminal: Terminal) -> None:
    terminal.home.mkdir()
    connection = apsw.Connection(str(terminal.home / "lyra.db"))
    connection.execute("CREATE TABLE recipes (name)")
    connection.close()
    assert_one_sentence(terminal.run("status", "--json"), 3, "database_foreign")


def test_a_home_that_is_a_file_is_a_failed_dependency(terminal: Terminal) -> None:
    terminal.home.write_text("in the way", encoding="utf-8")
    assert_one_sentence(terminal.run("status", "--json"), 3, "home_unusable")


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="needs a file system where nothing can be made")
def test_a_home_where_nothing_can_be_made_is_a_failed_dependency(terminal: Terminal) -> None:
    assert_one_sentence(terminal.run("status", "--home", "/proc/lyra", "--json"), 3, "home_unusable")


def test_a_folder_in_the_place_of_the_database_is_a_failed_dependency(terminal: Terminal) -> None:
    (terminal.home / "lyra.db").mkdir(parents=True)
    assert_one_sentence(terminal.run("status", "--json"), 3, "database_not_a_file")


def test_bytes_that_are_no_text_are_bad_input_and_no_bug(terminal: Terminal, library: Path) -> None:
    assert_one_sentence(terminal.run("task", "show", "task_\udcff", "--json"), 2, "unknown_task")
    assert_one_sentence(terminal.run("check", CLAIM, "--library", f"{library}\udcff", "--json"), 2, "path_missing")
    assert_one_sentence(terminal.run("check", "\udcff", "--library", library, "--json"), 2, "empty_claim")
    assert_one_sentence(replace(terminal, environ={"LYRA_HOME": "/x\udcff"}).run("status", "--json"), 2, "bad_setting")


# Output


def test_a_folder_for_out_is_refused_before_any_work(terminal: Terminal, library: Path, tmp_path: Path) -> None:
    for arguments in (("check", CLAIM, "--library", str(library)), ("materials", "task_x"), ("search", "task_x")):
        assert_one_sentence(terminal.run(*arguments, "--out", tmp_path, "--json"), 2, "out_is_directory")
    assert terminal.run("status", "--json").json["counts"]["tasks"] == 0


def test_a_missing_folder_for_out_is_refused_before_any_work(terminal: Terminal, library: Path, tmp_path: Path) -> None:
    ran = terminal.run("check", CLAIM, "--library", library, "--out", tmp_path / "none" / "a.md", "--json")
    assert_one_sentence(ran, 2, "out_unwritable")


class BrokenStream(Stream):
    """A stream whose reader is gone, or whose disk is full."""

    failure: OSError = BrokenPipeError()

    def write(self, text: str) -> int:
        raise self.failure


def failing_run(terminal: Terminal, failure: OSError) -> tuple[int, str]:
    out, err = BrokenStream(), Stream()
    out.failure = failure
    environ = {"LYRA_HOME": str(terminal.home), "LYRA_CONFIG": str(terminal.config())}
    with redirect_stdout(out), redirect_stderr(err):
        return run(["status"], fake_models(), environ), err.written()


def test_a_reader_that_goes_away_is_nothing_to_talk_about(terminal: Terminal) -> None:
    assert failing_run(terminal, BrokenPipeError(32, "Broken pipe")) == (EXIT_PIPE_CLOSED, "")


def test_a_full_disk_under_stdout_is_one_sentence(terminal: Terminal) -> None:
    code, err = failing_run(terminal, OSError(28, "No space left on device"))
    assert code == 3
    assert err.startswith("The result could not be written out (No space left on device)")
    assert err.count("\n") == 1


# Usage


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        (("chek",), "unknown_command"),
        (("task", "rename"), "unknown_command"),
        (("check", "--librarry", "x"), "unknown_option_near"),
        (("check", "--xyz"), "unknown_option"),
        (("task", "show"), "missing_argument"),
        (("check", "--claims"), "missing_value"),
        (("task", "list", "more"), "extra_argument"),
        (("materials", "task_x", "--format", "yaml"), "bad_format"),
        (("status", "--lang", "fr"), "bad_setting"),
        (("check", "-5 degrees is cold"), "unknown_option"),
        (("task", "new", "?"), "empty_question"),
        (("task", "new", "x" * 2_001), "question_too_long"),
        (("task", "new", "Why?", "--hypothesis", "x" * 2_001), "question_too_long"),
        (("check", CLAIM, "--question", ""), "empty_question"),
        (("check", CLAIM, "--question", "x" * 2_001), "question_too_long"),
    ],
)
@pytest.mark.parametrize("lang", ["en", "ja"])
def test_wrong_usage_is_one_sentence_in_both_languages(
    terminal: Terminal, arguments: tuple[str, ...], error: str, lang: str
) -> None:
    ran = replace(terminal, environ={"LYRA_LANG": lang}).run("--json", *arguments)
    assert_one_sentence(ran, 2, error)
    assert ran.err.isascii() == (lang == "en")


def test_a_claim_that_begins_with_a_dash_is_told_where_to_go(terminal: Terminal, library: Path) -> None:
    assert "goes after `--`" in terminal.run("check", "-5 degrees is cold", "--library", library).err
    assert terminal.run("check", "--library", library, "--", "-5 degrees is cold").code == 0


def test_a_wrong_command_names_the_nearest_one(terminal: Terminal) -> None:
    assert "did you mean 'check'?" in terminal.run("chek").err


@pytest.mark.parametrize(
    ("text", "error"),
    [("[judge]\ntopk = 3", "unknown_setting"), ("[judge]\ntop_k = 0", "bad_setting"), ("[judge", "config_broken")],
)
def test_wrong_settings_are_one_sentence_and_help_still_works(terminal: Terminal, text: str, error: str) -> None:
    terminal.config().write_text(text, encoding="utf-8")
    assert_one_sentence(terminal.run("status", "--json"), 2, error)
    assert terminal.run("--help").code == 0


# Bugs


class BuggyStance(KeywordStance):
    """A programming mistake."""

    def judge(self, pairs: Sequence[tuple[str, str]]) -> list[Stance]:
        raise ZeroDivisionError("so sorry\nvery")


def test_a_bug_is_one_sentence_that_asks_for_a_report(terminal: Terminal, library: Path) -> None:
    buggy = replace(terminal, models=fake_models(BuggyStance()))
    ran = buggy.run("check", CLAIM, "--library", library, "--json")
    assert_one_sentence(ran, 3, "internal")
    assert "ZeroDivisionError: so sorry very" in ran.err
    assert "please report" in ran.err


def test_the_traceback_of_a_bug_is_shown_to_who_asks_for_it(terminal: Terminal, library: Path) -> None:
    out, err = Stream(), Stream()
    environ = {"LYRA_HOME": str(terminal.home), "LYRA_CONFIG": str(terminal.config()), "LYRA_DEBUG": "1"}
    with redirect_stdout(out), redirect_stderr(err):
        assert run(["check", CLAIM, "--library", str(library)], fake_models(BuggyStance()), environ) == 3
    assert "Traceback" in err.written()


def test_a_closed_pipe_makes_no_noise_when_the_program_ends(terminal: Terminal) -> None:
    environ = os.environ | {"LYRA_HOME": str(terminal.home), "LYRA_CONFIG": str(terminal.config())}
    environ["PYTHONPATH"] = os.pathsep.join(sys.path)
    reading, writing = os.pipe()
    os.close(reading)
    try:
        command = [sys.executable, "-m", "lyra", "status"]
        ran = subprocess.run(command, stdout=writing, stderr=subprocess.PIPE, env=environ, check=False, text=True)
    finally:
        os.close(writing)
    assert (ran.returncode, ran.stderr) == (EXIT_PIPE_CLOSED, "")
