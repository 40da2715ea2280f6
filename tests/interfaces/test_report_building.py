"""`lyra report build` and `lyra report verify` from the command line: files in, files out, nothing lost."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.interfaces.terminal import Terminal
from tests.loopback.ollama import answering
from tests.loopback.server import serving
from tests.reports.examples import advantage, consistent, document

AT = ("--at", "2026-02-17T10:35:00Z")


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "in" / "structured.json"
    path.parent.mkdir()
    path.write_text(json.dumps(consistent(), ensure_ascii=False), encoding="utf-8")
    return path


@pytest.fixture
def folder(terminal: Terminal, source: Path, tmp_path: Path) -> Path:
    out = tmp_path / "out"
    assert terminal.run("report", "build", source, "-o", out).code == 0
    return out


def files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def edit(path: Path, before: str, after: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert before in text
    path.write_bytes(text.replace(before, after, 1).encode())


def test_building_writes_the_report_and_the_completed_data(terminal: Terminal, source: Path, tmp_path: Path) -> None:
    ran = terminal.run("report", "build", source, "--out", tmp_path / "a" / "b", "--json")
    assert ran.code == 0
    assert ran.json["written"] == {name: str(tmp_path / "a" / "b" / file) for name, file in WRITTEN.items()}
    assert ran.json["summary"]["warning_flags"]["quarterly_derived_claims"] == 1
    data = json.loads((tmp_path / "a" / "b" / "structured.json").read_text(encoding="utf-8"))
    assert data["summary"]["confidence_distribution"] == {"90": 1, "70": 1, "50": 1, "30": 1, "10": 1}
    told = terminal.run("report", "build", source, "--out", tmp_path / "c")
    assert "5 advantages, 3 CAGR connections" in told.out
    assert files(tmp_path / "a" / "b") == files(tmp_path / "c")


WRITTEN = {"report": "report.md", "structured": "structured.json"}


def test_time_and_id_can_be_given_and_default_to_now_and_the_content(terminal: Terminal, tmp_path: Path) -> None:
    path = tmp_path / "bare.json"
    path.write_text(json.dumps(document(advantage(1, 50), generated_at=None, research_id=None)), encoding="utf-8")
    given = terminal.run("report", "build", path, "-o", tmp_path / "a", *AT, "--research-id", "mine", "--json").json
    assert (given["generated_at"], given["research_id"]) == ("2026-02-17T10:35:00Z", "mine")
    ids = {terminal.run("report", "build", path, "-o", tmp_path / name, "--json").json["research_id"] for name in "bc"}
    assert len(ids) == 1 and ids.pop().startswith("NORTH-")


def test_a_report_that_somebody_filled_in_is_not_replaced_unasked(terminal: Terminal, source: Path, folder: Path) -> None:
    edit(folder / "report.md", "回答:", "回答: 同意する。")
    ran = terminal.run("report", "build", source, "-o", folder, "--json")
    assert (ran.code, ran.json["error"]["code"]) == (2, "report_out_exists")
    assert "同意する" in (folder / "report.md").read_text(encoding="utf-8")
    assert terminal.run("report", "build", source, "-o", folder, "--replace").code == 0
    assert "同意する" not in (folder / "report.md").read_text(encoding="utf-8")


@pytest.mark.parametrize(("name", "before"), [("verified-report.md", "回答:"), ("verified-structured.json", '"ticker": ')])
def test_a_verified_copy_that_somebody_changed_is_not_replaced_unasked(
    terminal: Terminal, source: Path, folder: Path, name: str, before: str
) -> None:
    assert terminal.run("report", "verify", folder).code == 0
    assert terminal.run("report", "verify", folder).code == 0, "its own copy is in nobody's way"
    edit(folder / name, before, f"{before} ")
    kept = files(folder)
    for words in (("verify", folder), ("run", source, "-o", folder)):
        ran = terminal.run("report", *words, "--json")
        assert (ran.code, ran.json["error"]["code"]) == (2, "report_out_changed")
        assert files(folder) == kept
    assert terminal.run("report", "verify", folder, "--replace").code == 0
    assert files(folder)[name] != kept[name]


def test_a_run_keeps_a_filled_in_copy_although_the_report_itself_is_gone(terminal: Terminal, source: Path, folder: Path) -> None:
    assert terminal.run("report", "verify", folder).code == 0
    edit(folder / "verified-report.md", "回答:", "回答: 同意する。")
    (folder / "report.md").unlink()
    kept = files(folder)
    assert terminal.run("report", "run", source, "-o", folder).code == 2
    assert files(folder) == kept


def test_nothing_is_written_where_a_directory_has_a_file_s_name(terminal: Terminal, source: Path, tmp_path: Path) -> None:
    (tmp_path / "out" / "structured.json").mkdir(parents=True)
    ran = terminal.run("report", "build", source, "-o", tmp_path / "out", "--json")
    assert (ran.code, ran.json["error"]["code"]) == (2, "out_is_directory")
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["structured.json"]


def test_a_linked_input_is_not_replaced(terminal: Terminal, source: Path, tmp_path: Path) -> None:
    (tmp_path / "links").mkdir()
    linked = tmp_path / "links" / "structured.json"
    linked.symlink_to(source)
    ran = terminal.run("report", "build", linked, "-o", linked.parent, "--replace", "--json")
    assert (ran.code, ran.json["error"]["code"]) == (2, "report_out_is_input")


def test_a_sound_report_verifies_and_its_inputs_stay(terminal: Terminal, folder: Path) -> None:
    before = files(folder)
    ran = terminal.run("report", "verify", folder, *AT, "--json")
    assert (ran.code, ran.json["overall_status"], ran.json["statistics"]["passed"]) == (0, "pass", 20)
    after = files(folder)
    assert {name: after[name] for name in before} == before
    assert after["verified-report.md"] == before["report.md"]
    assert after["verified-structured.json"] == before["structured.json"]
    written = json.loads(after["verification-results.json"])
    assert {key: ran.json[key] for key in written} == written
    assert terminal.run("report", "verify", folder, *AT).code == 0
    assert files(folder) == after


def test_a_broken_report_is_told_corrected_and_then_clean(terminal: Terminal, folder: Path, tmp_path: Path) -> None:
    edit(folder / "report.md", "その1 | 90%", "その1 | 70%")
    ran = terminal.run("report", "verify", folder)
    assert ran.code == 0
    assert "passed with corrections: 19 of 20 checks passed, 1 critical" in ran.out
    assert "A-2" in ran.out
    second = tmp_path / "second"
    second.mkdir()
    for name in ("report.md", "structured.json"):
        (second / name).write_bytes((folder / f"verified-{name}").read_bytes())
    assert terminal.run("report", "verify", second, "--json").json["overall_status"] == "pass"


def test_without_rewriting_a_wrong_tone_ends_in_one(terminal: Terminal, tmp_path: Path) -> None:
    value = document(advantage(1, 30, ai_comment="納得感があり、優位性として妥当である。"))
    (tmp_path / "in.json").write_text(json.dumps(value), encoding="utf-8")
    terminal.run("report", "build", tmp_path / "in.json", "-o", tmp_path / "out")
    ran = terminal.run("report", "verify", tmp_path / "out", "--no-rewrite")
    assert ran.code == 1
    assert "Left to a person: A-3" in ran.out
    assert terminal.run("report", "verify", tmp_path / "out").code == 0


def test_it_reads_in_japanese(japanese: Terminal, source: Path, folder: Path) -> None:
    assert "レポートを" in japanese.run("report", "build", source, "-o", folder.parent / "ja").out
    edit(folder / "report.md", "その1 | 90%", "その1 | 70%")
    ran = japanese.run("report", "verify", folder)
    assert "修正して合格: 20 項目中 19 項目が合格" in ran.out
    assert "重大" in ran.out


def test_what_was_assumed_is_told(terminal: Terminal, japanese: Terminal, tmp_path: Path) -> None:
    value: dict[str, Any] = {"symbol": "NORTH", "claims": [{"no": 1, "title": "配送網", "final_confidence": 70}]}
    (tmp_path / "in.json").write_text(json.dumps(value), encoding="utf-8")
    ran = terminal.run("report", "build", tmp_path / "in.json", "-o", tmp_path / "out", "--json")
    assert {one["code"] for one in ran.json["assumptions"]} == {"field_name", "field_place", "claim_type"}
    told = terminal.run("report", "build", tmp_path / "in.json", "-o", tmp_path / "out-en").err
    assert "symbol: the field symbol was read as ticker." in told
    assert (
        "symbol: 項目 symbol を ticker として読みました。"
        in japanese.run("report", "build", tmp_path / "in.json", "-o", tmp_path / "out-ja").err
    )


def test_saved_reports_are_what_later_ones_are_compared_with(terminal: Terminal, folder: Path, tmp_path: Path) -> None:
    assert not terminal.home.exists()
    terminal.run("report", "verify", folder)
    assert not terminal.home.exists(), "verifying alone makes no store"
    saved = terminal.run("report", "verify", folder, "--save", "--json").json["report_id"]
    assert saved == terminal.run("report", "verify", folder, "--save", "--json").json["report_id"]
    other = document(advantage(1, 50, verification={"pattern_matches": ["IV"]}), ticker="SOUTH")
    (tmp_path / "south.json").write_text(json.dumps(other), encoding="utf-8")
    terminal.run("report", "build", tmp_path / "south.json", "-o", tmp_path / "south")
    ran = terminal.run("report", "verify", tmp_path / "south", "--json").json
    checks = {check["check_id"]: check for layer in ran["verification_layers"].values() for check in layer["checks"]}
    assert checks["C-4"]["affected_claims"] == [1]
    assert "NORTH" in checks["C-4"]["details"]
    assert ran["statistics"]["info"] == 1


def test_a_store_that_cannot_be_opened_matters_only_to_saving(terminal: Terminal, folder: Path) -> None:
    terminal.home.mkdir()
    (terminal.home / "lyra.db").write_bytes(b"no database, but long enough to look like one" * 20)
    ran = terminal.run("report", "verify", folder)
    assert (ran.code, ran.err.count("\n")) == (0, 1)
    assert terminal.run("report", "verify", folder, "--save").code == 3


def test_other_knowledge_can_be_given(terminal: Terminal, folder: Path, tmp_path: Path) -> None:
    (tmp_path / "own.toml").write_text("version = 1", encoding="utf-8")
    ran = terminal.run("report", "verify", folder, "--knowledge", tmp_path / "own.toml", "--json")
    assert (ran.code, ran.json["error"]["code"]) == (2, "report_knowledge_field")


def bad_calls(folder: Path, source: Path, tmp_path: Path) -> dict[str, list[str | Path]]:
    (tmp_path / "file").touch()
    (tmp_path / "broken.json").write_text("{", encoding="utf-8")
    return {
        "report_file_missing": ["report", "verify", tmp_path / "nowhere"],
        "report_file_unreadable": ["report", "build", tmp_path, "-o", tmp_path / "x"],
        "report_out_is_input": ["report", "build", source, "-o", source.parent],
        "report_out_unwritable": ["report", "build", source, "-o", tmp_path / "file"],
        "report_bad_time": ["report", "verify", folder, "--at", "yesterday"],
        "broken_json": ["report", "build", tmp_path / "broken.json", "-o", tmp_path / "x"],
    }


@pytest.mark.parametrize(
    "code",
    [
        "report_file_missing",
        "report_file_unreadable",
        "report_out_is_input",
        "report_out_unwritable",
        "report_bad_time",
        "broken_json",
    ],
)
def test_bad_input_ends_in_one_sentence_and_writes_nothing(
    code: str, terminal: Terminal, folder: Path, source: Path, tmp_path: Path
) -> None:
    call = bad_calls(folder, source, tmp_path)[code]
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    ran = terminal.run(*call, "--json")
    assert (ran.code, ran.json["error"]["code"], ran.err.count("\n")) == (2, code, 1)
    assert {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()} == before


def test_an_output_that_is_the_input_by_another_name_is_refused(terminal: Terminal, folder: Path) -> None:
    (folder / "verified-report.md").symlink_to(folder / "report.md")
    ran = terminal.run("report", "verify", folder, "--json")
    assert (ran.code, ran.json["error"]["code"]) == (2, "report_out_is_input")


def test_results_can_go_to_another_directory(terminal: Terminal, folder: Path, tmp_path: Path) -> None:
    before = files(folder)
    assert terminal.run("report", "verify", folder, "-o", tmp_path / "results").code == 0
    assert files(folder) == before
    assert set(files(tmp_path / "results")) == {"verified-report.md", "verified-structured.json", "verification-results.json"}


def llm_flags(url: str) -> dict[str, str]:
    return {"LYRA_LANG": "en", "LYRA_LLM_USE": "ollama", "LYRA_LLM_URL": url, "LYRA_FETCH_ATTEMPTS": "1"}


def test_a_configured_model_words_what_is_rewritten(tmp_path: Path) -> None:
    (tmp_path / "in.json").write_text(
        json.dumps(document(advantage(1, 30, ai_comment="納得感があり、優位性として妥当である。"))), encoding="utf-8"
    )
    said = "この主張にはあまり納得しない。定量的な裏付けが不足している。"
    with serving(answering(lambda _: json.dumps({"comment": said}, ensure_ascii=False))) as model:
        terminal = Terminal(tmp_path / "home", llm_flags(model.url))
        ran = terminal.run("report", "run", tmp_path / "in.json", "-o", tmp_path / "out", "--llm", "--json")
    assert ran.code == 0
    assert said in (tmp_path / "out" / "verified-report.md").read_text(encoding="utf-8")
    assert (
        terminal.run("report", "verify", tmp_path / "out", "-o", tmp_path / "second", "--json").json["overall_status"] != "fail"
    )


def test_a_model_that_cannot_be_reached_is_told_and_the_template_stands(tmp_path: Path) -> None:
    (tmp_path / "in.json").write_text(
        json.dumps(document(advantage(1, 30, ai_comment="納得感があり、優位性として妥当である。"))), encoding="utf-8"
    )
    terminal = Terminal(tmp_path / "home", llm_flags("http://127.0.0.1:9"))
    assert terminal.run("report", "build", tmp_path / "in.json", "-o", tmp_path / "out").code == 0
    ran = terminal.run("report", "verify", tmp_path / "out", "--llm")
    assert ran.code == 0 and "127.0.0.1" in ran.err
    assert "優位性としてはあまり納得しない" in (tmp_path / "out" / "verified-report.md").read_text(encoding="utf-8")


def test_without_a_configured_model_nothing_is_written(terminal: Terminal, source: Path, tmp_path: Path) -> None:
    ran = terminal.run("report", "run", source, "-o", tmp_path / "out", "--llm", "--json")
    assert (ran.code, ran.json["error"]["code"]) == (2, "report_no_llm")
    assert not (tmp_path / "out").exists()
