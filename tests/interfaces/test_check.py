"""`lyra check`, `search` and `work`: what they answer, to a program and to a person."""

import json
import sys
from collections.abc import Sequence
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import replace
from pathlib import Path

import pytest

from lyra.core.own_result import MARKDOWN_MARK
from lyra.core.records import Stance
from lyra.core.sentences import split_sentences
from lyra.interfaces.cli.exit_codes import EXIT_INTERRUPTED
from lyra.interfaces.cli.layout import width_of
from lyra.interfaces.cli.main import run
from tests.fakes import KeywordStance
from tests.interfaces.terminal import Stream, Terminal, fake_models
from tests.interfaces.test_presenter import CLAIM_FIELDS, EVIDENCE_FIELDS, LOCATOR_FIELDS

CLAIM = "Cats sleep most of the day."
OTHER = "Dogs never bark at strangers."
UNKNOWN = "Chess lowers cholesterol in adults."


class DecisiveStance(KeywordStance):
    """Names the first sentence as the decisive one."""

    def judge(self, pairs: Sequence[tuple[str, str]]) -> list[Stance]:
        return [
            replace(stance, decisive=split_sentences(fragment)[0])
            for stance, (fragment, _) in zip(super().judge(pairs), pairs, strict=True)
        ]


class StoppedStance(KeywordStance):
    """The person presses Ctrl-C while the second claim is judged."""

    def judge(self, pairs: Sequence[tuple[str, str]]) -> list[Stance]:
        if self.judged:
            raise KeyboardInterrupt
        return super().judge(pairs)


class StoppingStance(KeywordStance):
    """Another process stops every task while the first claim is judged."""

    def __init__(self, terminal: Terminal) -> None:
        super().__init__()
        self.terminal = terminal

    def judge(self, pairs: Sequence[tuple[str, str]]) -> list[Stance]:
        for task in self.terminal.run("task", "list", "--json").json["tasks"]:
            self.terminal.run("task", "stop", task["task_id"])
        return super().judge(pairs)


def test_the_answer_to_a_program_has_exactly_the_promised_shape(terminal: Terminal, library: Path) -> None:
    ran = terminal.run("check", CLAIM, UNKNOWN, "--library", library, "--json")
    assert (ran.code, ran.err) == (0, "")
    answer = ran.json
    assert set(answer) == {
        "schema_version",
        "task_id",
        "status",
        "claims",
        "providers",
        "models",
        "endpoints",
        "paths",
        "page_summaries",
        "problems",
    }
    assert answer["schema_version"] == "1"
    assert answer["status"] == "done"
    assert (answer["endpoints"], answer["problems"]) == ([], [])
    assert answer["models"] == {
        "stance": {"name": "keyword", "version": "1", "calibration_version": "none"},
        "embedder": {"name": "hash", "version": "1", "calibration_version": None},
    }
    assert [claim["text"] for claim in answer["claims"]] == [CLAIM, UNKNOWN]
    for claim in answer["claims"]:
        assert set(claim) == CLAIM_FIELDS
        for item in claim["evidence"]:
            assert set(item) == EVIDENCE_FIELDS
            assert set(item["locator"]) == LOCATOR_FIELDS
    assert [claim["finding"] for claim in answer["claims"]] == ["evidence", "no_evidence"]


def test_the_library_tells_what_could_not_be_read(terminal: Terminal, library: Path) -> None:
    (provider,) = terminal.run("check", CLAIM, "--library", library, "--json").json["providers"]
    assert (provider["name"], provider["status"], provider["endpoint"]) == ("library", "ok", None)
    assert provider["counts"] == {"failed": 1, "read": 3, "skipped": 1}
    assert {(Path(one["path"]).name, one["status"], one["code"]) for one in provider["problems"]} == {
        ("broken.pdf", "failed", "damaged_pdf"),
        ("table.csv", "skipped", "unsupported_type"),
    }


def test_every_quote_stands_at_its_place_in_the_stored_text(terminal: Terminal, library: Path) -> None:
    decisive = replace(terminal, models=fake_models(DecisiveStance()))
    answer = decisive.run("check", CLAIM, OTHER, "犬は知らない人に吠える。", "--library", library, "--json").json
    items = [item for claim in answer["claims"] for item in claim["evidence"]]
    assert len(items) >= 6
    for item in items:
        locator = item["locator"]
        text = terminal.run("library", "text", item["page_id"], "--version", locator["page_version_id"]).out
        assert text[locator["start"] : locator["end"]] == item["quote"]
        start, end = item["decisive"]["start"], item["decisive"]["end"]
        assert item["quote"][start:end].strip()
        assert 0 <= start < end <= len(item["quote"])


def test_the_stored_text_comes_out_byte_for_byte(terminal: Terminal, tmp_path: Path) -> None:
    folder = tmp_path / "one"
    folder.mkdir()
    (folder / "a.txt").write_bytes("First line.\r\nSecond line — 第二行。".encode())
    page = terminal.run("library", "add", folder, "--json")
    assert page.code == 0
    (entry,) = terminal.run("library", "list", "--json").json["files"]
    stored = terminal.run("library", "text", entry["page_id"], "--json").json
    assert terminal.run("library", "text", entry["page_id"]).out == stored["text"]
    assert stored["text"].endswith("第二行。")
    assert set(stored) == {"schema_version", "page_id", "page_version_id", "content_hash", "text"}


def test_a_second_check_reads_nothing_again_and_gives_the_same_numbers(terminal: Terminal, library: Path) -> None:
    first = terminal.run("check", CLAIM, "--library", library, "--json").json
    second = terminal.run("check", CLAIM, "--json").json
    assert second["providers"][0]["counts"] == {"failed": 1, "skipped": 1, "unchanged": 3}
    assert second["task_id"] != first["task_id"]
    assert second["claims"][0]["alpha"] == first["claims"][0]["alpha"]
    third = terminal.run("check", CLAIM, "--reread", "--json").json
    assert third["providers"][0]["counts"]["read"] == 3


def test_claims_can_be_added_to_a_task(terminal: Terminal, library: Path) -> None:
    task = terminal.run("check", CLAIM, "--library", library, "--question", "What do pets do?", "--json").json["task_id"]
    added = terminal.run("check", OTHER, "--task", task, "--json").json
    assert added["task_id"] == task
    assert [claim["text"] for claim in added["claims"]] == [OTHER]
    materials = terminal.run("materials", task, "--json").json
    assert materials["question"] == "What do pets do?"
    assert [claim["text"] for claim in materials["claims"]] == [CLAIM, OTHER]


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("claims.txt", f"# a comment\n{CLAIM}\n\n{OTHER}\n".encode()),
        ("claims.csv", f"id,claim\n1,{CLAIM}\n2,{OTHER}\n".encode()),
        ("claims.tsv", f"claim\tid\n{CLAIM}\t1\n{OTHER}\t2\n".encode("utf-16")),
        ("claims.json", json.dumps([CLAIM, {"claim": OTHER}]).encode()),
        ("claims.jsonl", f'"{CLAIM}"\n{{"text": "{OTHER}"}}\n'.encode()),
    ],
)
def test_claims_come_from_files_of_every_kind(
    terminal: Terminal, library: Path, tmp_path: Path, name: str, content: bytes
) -> None:
    (tmp_path / name).write_bytes(content)
    ran = terminal.run("check", "--claims", tmp_path / name, "--library", library, "--json")
    assert (ran.code, ran.err) == (0, "")
    assert [claim["text"] for claim in ran.json["claims"]] == [CLAIM, OTHER]


def test_claims_come_from_standard_input(terminal: Terminal, library: Path) -> None:
    piped = replace(terminal, stdin="犬は知らない人に吠える。\n".encode("cp932"))
    ran = piped.run("check", CLAIM, "--claims", "-", "--library", library, "--json")
    assert [claim["text"] for claim in ran.json["claims"]] == [CLAIM, "犬は知らない人に吠える。"]


def test_a_broken_row_is_named_and_the_others_are_checked(terminal: Terminal, library: Path, tmp_path: Path) -> None:
    claims = tmp_path / "claims.csv"
    claims.write_text(f'claim,note\n{CLAIM},a\n" ",b\n{OTHER},c\n"open,d\n', encoding="utf-8")
    ran = terminal.run("check", "--claims", claims, "--library", library, "--json")
    assert ran.code == 2
    assert [claim["text"] for claim in ran.json["claims"]] == [CLAIM, OTHER]
    assert [problem["code"] for problem in ran.json["problems"]] == ["empty_claim", "broken_row"]
    first, second = ran.err.splitlines()
    assert f"{claims}:3: " in first
    assert f"{claims}:5: " in second


def test_an_unusable_path_beside_a_usable_one_is_named_and_the_other_is_read(
    terminal: Terminal, library: Path, tmp_path: Path
) -> None:
    ran = terminal.run("check", CLAIM, "--library", tmp_path / "nowhere", "--library", library, "--json")
    assert ran.code == 2
    assert ran.json["claims"][0]["finding"] == "evidence"
    assert len(ran.json["problems"]) == 1
    assert "nowhere" in ran.err


@pytest.mark.parametrize("columns", ["80", "100", "140"])
@pytest.mark.parametrize("lang", ["en", "ja"])
def test_the_table_fits_its_width_and_keeps_every_word(terminal: Terminal, library: Path, columns: str, lang: str) -> None:
    narrow = replace(terminal, environ={"COLUMNS": columns})
    long = "猫は昼間に寝ることが多いが、夕方になると起きて狩りをする。" * 3
    ran = narrow.run("check", CLAIM, UNKNOWN, long, "--library", library, "--lang", lang)
    lines = ran.out.splitlines()
    rule = next(number for number, line in enumerate(lines) if set(line) == {"─"})
    table = lines[: lines.index("", rule)]
    assert max(width_of(line) for line in table) <= int(columns)
    assert all("…" not in line for line in table)
    joined = "".join(line[:60] for line in table)
    assert joined.count("猫") == 3
    assert all(line == line.rstrip() for line in lines)


def test_a_person_sees_numbers_quotes_sources_and_what_was_not_read(terminal: Terminal, library: Path) -> None:
    out = terminal.run("check", CLAIM, OTHER, UNKNOWN, "--library", library).out
    for part in ("├", "●", "supports 0.", "refutes 0.", "Sleep of cats · ", "characters", "no evidence found"):
        assert part in out, part
    assert "No evidence found: nothing in the documents speaks for or against this claim." in out
    assert "documents: 3 read, 1 skipped, 1 failed" in out
    assert "broken.pdf" in out
    assert "\x1b" not in out


def test_a_person_reads_japanese(japanese: Terminal, library: Path) -> None:
    out = japanese.run("check", CLAIM, UNKNOWN, "--library", library).out
    for part in ("確信度", "支持", "証拠は見つかりませんでした", "文書: 読み取り 3 件、対象外 1 件、失敗 1 件"):
        assert part in out, part


def test_the_answer_to_a_program_does_not_depend_on_the_language(terminal: Terminal, library: Path) -> None:
    def neutral(lang: str) -> str:
        answer = terminal.run("check", CLAIM, "--library", library, "--json", "--lang", lang).json
        for provider in answer["providers"]:
            provider.pop("detail")
            for problem in provider["problems"]:
                problem.pop("detail")
        text = json.dumps([answer["status"], answer["providers"][0]["problems"], answer["models"], list(answer)])
        return text + json.dumps([claim["verification_status"] for claim in answer["claims"]])

    terminal.run("library", "add", library)
    assert neutral("en") == neutral("ja")


def test_a_result_never_replaces_a_document(terminal: Terminal, library: Path, tmp_path: Path) -> None:
    paper = tmp_path / "paper.md"
    paper.write_text("Mine.", encoding="utf-8")
    ran = terminal.run("check", CLAIM, "--library", library, "--out", paper, "--json")
    assert (ran.code, ran.json["error"]["code"]) == (2, "out_exists")
    assert paper.read_text(encoding="utf-8") == "Mine."
    assert terminal.run("task", "list", "--json").json["tasks"] == []


def test_the_result_is_written_to_a_file(terminal: Terminal, library: Path, tmp_path: Path) -> None:
    out = tmp_path / "result.md"
    out.write_text(f"{MARKDOWN_MARK}\n\nold", encoding="utf-8")
    ran = terminal.run("check", CLAIM, "--library", library, "--out", out)
    assert ran.out.rstrip().endswith(f"The result with all quotes is in {out}.")
    assert out.read_text(encoding="utf-8").startswith(f"{MARKDOWN_MARK}\n\n# Evidence: Cats sleep most of the day.\n")
    assert [path.name for path in tmp_path.iterdir() if "result" in path.name] == ["result.md"]


def test_a_file_named_json_gets_the_answer_for_programs(terminal: Terminal, library: Path, tmp_path: Path) -> None:
    ran = terminal.run("check", CLAIM, "--library", library, "--out", tmp_path / "result.json", "--json")
    assert json.loads((tmp_path / "result.json").read_text(encoding="utf-8")) == ran.json


def test_a_search_grows_the_task_and_adds_nothing_twice(terminal: Terminal, library: Path) -> None:
    task = terminal.run("task", "new", "When do cats sleep?", "--library", library, "--json").json["task_id"]
    first = terminal.run("search", task, "cats sleep", "dogs bark", "--json").json
    assert first["claims"]
    assert all(claim["origin"] is not None for claim in first["claims"])
    second = terminal.run("search", task, "cats sleep", "dogs bark", "--json").json
    assert [claim["claim_id"] for claim in second["claims"]] == [claim["claim_id"] for claim in first["claims"]]


def test_an_interrupted_check_keeps_what_was_done_and_is_resumed(terminal: Terminal, library: Path) -> None:
    interrupted = replace(terminal, models=fake_models(StoppedStance()))
    ran = interrupted.run("check", CLAIM, OTHER, "--library", library)
    assert ran.code == EXIT_INTERRUPTED
    assert ran.err == "Interrupted: what was done is kept, and `lyra work` goes on from there.\n"
    (job,) = terminal.run("status", "--json").json["jobs"]
    assert (job["status"], job["kind"]) == ("queued", "check")
    resumed = terminal.run("work", "--json").json["jobs"]
    assert [(one["job_id"], one["status"]) for one in resumed] == [(job["job_id"], "done")]
    assert terminal.run("work").out == "There is no unfinished job.\n"
    claims = terminal.run("materials", job["task_id"], "--json").json["claims"]
    assert [claim["finding"] for claim in claims] == ["evidence", "evidence"]


def test_an_interrupted_check_tells_a_program_so(terminal: Terminal, library: Path) -> None:
    interrupted = replace(terminal, models=fake_models(StoppedStance()))
    ran = interrupted.run("check", CLAIM, OTHER, "--library", library, "--json")
    assert (ran.code, ran.json["error"]["code"]) == (EXIT_INTERRUPTED, "interrupted")
    assert ran.err == ran.json["error"]["message"] + "\n"


def test_a_check_whose_task_is_stopped_says_so_and_keeps_what_was_done(terminal: Terminal, library: Path) -> None:
    stopping = replace(terminal, models=fake_models(StoppingStance(terminal)))
    ran = stopping.run("check", CLAIM, OTHER, "--library", library, "--json")
    assert (ran.code, ran.json["status"]) == (0, "stopped")
    assert "is stopped" in stopping.run("check", CLAIM, "--library", library).out


def test_a_stream_that_cannot_take_japanese_still_gets_valid_output(terminal: Terminal, library: Path) -> None:
    narrow = replace(terminal, encoding="ascii")
    claim = "犬は知らない人に吠える。"
    assert narrow.run("check", claim, "--library", library, "--json").json["claims"][0]["text"] == claim
    assert "\\u72ac" in narrow.run("check", claim, "--library", library).out


def test_progress_is_shown_on_a_terminal_and_nowhere_else(
    terminal: Terminal, library: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out, err = Stream(), Stream(terminal=True)
    monkeypatch.setenv("TERM", "xterm")
    environ = {"LYRA_HOME": str(terminal.home), "LYRA_CONFIG": str(terminal.config()), "TERM": "xterm"}
    with redirect_stdout(out), redirect_stderr(err):
        assert run(["check", CLAIM, "--library", str(library), "--json"], fake_models(), environ) == 0
    assert "Reading documents" in err.written()
    assert "Judging claims" in err.written()
    assert json.loads(out.written())["status"] == "done"
    assert terminal.run("check", CLAIM, "--json").err == ""


def test_colours_are_shown_on_a_terminal_unless_they_are_not_wanted(
    terminal: Terminal, library: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm-256color")
    common = {"LYRA_HOME": str(terminal.home), "LYRA_CONFIG": str(terminal.config()), "COLUMNS": "90"}
    shown = {}
    for name, environ in {"colour": common, "plain": common | {"NO_COLOR": "1"}}.items():
        out = Stream(terminal=True)
        with redirect_stdout(out):
            assert run(["check", CLAIM, "--library", str(library)], fake_models(), environ) == 0
        shown[name] = out.written()
    assert "\x1b[32m" in shown["colour"]
    assert "\x1b[32m" not in shown["plain"]


def test_no_document_can_send_escapes_to_the_terminal(terminal: Terminal, tmp_path: Path) -> None:
    folder = tmp_path / "hostile"
    folder.mkdir()
    (folder / "a.txt").write_text(f"{CLAIM} \x1b]0;owned\x07\x1b[2J [bold red]x[/] :smile:\n", encoding="utf-8")
    # Text that is turned round where nobody sees it puts the page in quarantine; it must not reach the terminal either.
    (folder / "b.txt").write_text(f"{CLAIM} \u202egnp.exe\n", encoding="utf-8")
    ran = terminal.run("check", f"{CLAIM} [bold]x[/]", "--library", folder)
    assert not {"\x1b", "\x07", "\u202e"} & set(ran.out + ran.err)
    assert "[bold red]x[/] :smile:" in ran.out


def test_the_terminal_is_safe_from_the_stored_text_too(terminal: Terminal, tmp_path: Path) -> None:
    folder = tmp_path / "hostile"
    folder.mkdir()
    (folder / "a.html").write_text(f"<p>{CLAIM} \u202etxt.exe</p>", encoding="utf-8")
    terminal.run("library", "add", folder)
    (entry,) = terminal.run("library", "list", "--json").json["files"]
    out = Stream(terminal=True)
    environ = {"LYRA_HOME": str(terminal.home), "LYRA_CONFIG": str(terminal.config())}
    kept = sys.stdout
    with redirect_stdout(out):
        assert run(["library", "text", entry["page_id"]], fake_models(), environ) == 0
    assert sys.stdout is kept
    assert "\u202e" not in out.written()
    assert CLAIM in out.written()
