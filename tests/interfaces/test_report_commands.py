"""`lyra report accuracy`, `feedback`, `factcheck` and `run` from the command line, with good input and bad."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from lyra.reports.validation import problems
from tests.interfaces.terminal import Terminal

SAMPLE = Path(__file__).parents[2] / "sample" / "report"
AT = "2026-02-01T00:00:00Z"
FILES = {
    "report.md",
    "structured.json",
    "verified-report.md",
    "verified-structured.json",
    "verification-results.json",
    "accuracy-report.json",
}


@pytest.fixture
def terminal(tmp_path: Path) -> Terminal:
    return Terminal(tmp_path / "home")


@pytest.fixture(scope="module")
def verified(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The built and verified example, made once."""
    folder = tmp_path_factory.mktemp("example")
    terminal, out = Terminal(folder / "home"), folder / "out"
    assert terminal.run("report", "build", SAMPLE / "structured.json", "-o", out, "--at", AT).code == 0
    assert terminal.run("report", "verify", out, "--at", AT).code == 0
    return out


@pytest.fixture
def ready(verified: Path, tmp_path: Path) -> Path:
    """A folder of its own with the built and verified example."""
    return Path(shutil.copytree(verified, tmp_path / "out"))


def files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()} if folder.is_dir() else {}


def test_run_builds_verifies_and_measures_in_one_go(terminal: Terminal, tmp_path: Path) -> None:
    out = tmp_path / "out"
    ran = terminal.run("report", "run", SAMPLE / "structured.json", "-o", out, "--human", SAMPLE, "--at", AT, "--json")
    assert ran.code == 0
    assert set(files(out)) == FILES
    answer = ran.json
    assert answer["verification"]["overall_status"] == "pass_with_corrections"
    assert answer["accuracy"] == {"mode": "full", "passed": True, "overall_verdict": "pass", "simplified_status": "pass"}


def test_the_example_shows_the_five_checks_that_a_built_report_can_break(ready: Path) -> None:
    layers = json.loads((ready / "verification-results.json").read_bytes())["verification_layers"].values()
    broken = {check["check_id"] for layer in layers for check in layer["checks"] if check["status"] == "fail"}
    assert broken == {"A-3", "B-7", "B-8", "C-1", "C-2"}


def test_the_example_covers_every_rule_pattern_and_kind_of_claim() -> None:
    claims = json.loads((SAMPLE / "structured.json").read_bytes())["claims"]
    rules = {result["rule"] for claim in claims for result in claim.get("rule_evaluation", {}).get("results", [])}
    assert rules == {f"rule_{number}" for number in range(1, 13)}
    checks = [claim.get("verification", {}) for claim in claims]
    assert {pattern for check in checks for pattern in check.get("pattern_rejections", [])} == set("ABCDEFG")
    assert {pattern for check in checks for pattern in check.get("pattern_matches", [])} == {"I", "II", "III", "IV", "V"}
    assert [claim["claim_type"] for claim in claims].count("competitive_advantage") == 10


def test_a_second_run_at_the_same_time_gives_the_same_bytes(terminal: Terminal, tmp_path: Path) -> None:
    words = ("report", "run", SAMPLE / "structured.json", "--human", SAMPLE, "--html", "--at", AT, "-o")
    terminal.run(*words, tmp_path / "one")
    terminal.run(*words, tmp_path / "two")
    assert files(tmp_path / "one") == files(tmp_path / "two")


def test_a_run_that_saves_names_the_report_in_the_store(terminal: Terminal, tmp_path: Path) -> None:
    words = ("report", "run", SAMPLE / "structured.json", "--at", AT, "--save", "--json", "--out")
    first, again = (terminal.run(*words, tmp_path / name).json["report_id"] for name in ("one", "two"))
    assert first == again and first.startswith("report_")


def test_the_hand_computed_figures_of_the_docs_come_out(terminal: Terminal, ready: Path) -> None:
    answer = terminal.run("report", "accuracy", ready, "--human", SAMPLE / "human_XMPL_phase2.md", "--json").json
    full = answer["full_mode_results"]
    own, linked = full["advantage_accuracy"], full["cagr_accuracy"]
    assert [one["deviation"] for one in own["comparisons"]] == [5, 0, -5, -5, 0, 10, -10, 0, 5, -10]
    assert (own["mean_abs_deviation"], own["max_abs_deviation"], own["mean_signed_deviation"]) == (5.0, 10, -1.0)
    assert [one["deviation"] for one in linked["comparisons"]] == [5, 0, -10, 0]
    assert (linked["mean_abs_deviation"], linked["mean_signed_deviation"]) == (3.75, -1.25)
    assert full["claim_matching"]["missing_in_ai"] == 1
    assert problems({name: answer[name] for name in _report_fields(ready)}, "accuracy-report") == []


def _report_fields(folder: Path) -> list[str]:
    return list(json.loads((folder / "accuracy-report.json").read_bytes()))


def test_accuracy_prefers_the_corrected_data(terminal: Terminal, ready: Path) -> None:
    assert terminal.run("report", "accuracy", ready, "--json").json["read"]["structured"].endswith("verified-structured.json")
    (ready / "verified-structured.json").unlink()
    ran = terminal.run("report", "accuracy", ready, "--json")
    assert ran.json["read"]["structured"].endswith("out/structured.json")
    assert (ran.code, ran.json["simplified_mode_results"]["overall_status"]) == (1, "fail")  # as given, rules are broken


def test_an_evaluation_beside_the_report_is_found_by_its_name(terminal: Terminal, ready: Path) -> None:
    assert terminal.run("report", "accuracy", ready, "--json").json["mode"] == "simplified"
    shutil.copy(SAMPLE / "human_XMPL_phase2.md", ready / "other_xmpl_phase2.md")
    assert terminal.run("report", "accuracy", ready, "--json").json["mode"] == "full"


def test_a_folder_without_an_evaluation_is_said_and_measured_without(terminal: Terminal, ready: Path, tmp_path: Path) -> None:
    ran = terminal.run("report", "accuracy", ready, "--human", tmp_path, "--lang", "en")
    assert ran.code == 0
    assert "No *_XMPL_phase2.md" in ran.err


def test_a_failed_comparison_ends_in_1_and_still_writes(terminal: Terminal, ready: Path, tmp_path: Path) -> None:
    (tmp_path / "low.md").write_text("## 1. 店舗網の密度が支える当日配送の速さ\n\n却下（10%）\n", encoding="utf-8")
    ran = terminal.run("report", "accuracy", ready, "--human", tmp_path / "low.md", "--json")
    assert ran.code == 1
    assert {reason["code"] for reason in ran.json["full_mode_results"]["failure_reasons"]} >= {"max_deviation", "direction_bias"}
    assert json.loads((ready / "accuracy-report.json").read_bytes())["full_mode_results"]["overall_verdict"] == "fail"


def test_overrides_set_a_pair(terminal: Terminal, ready: Path, tmp_path: Path) -> None:
    (tmp_path / "pairs.json").write_text('{"advantages": {"#7": 11}}', encoding="utf-8")
    words = ("report", "accuracy", ready, "--human", SAMPLE, "--overrides", tmp_path / "pairs.json", "--json")
    comparisons = terminal.run(*words).json["full_mode_results"]["advantage_accuracy"]["comparisons"]
    (seventh,) = (one for one in comparisons if one["claim_id"] == 7)
    assert (seventh["y_number"], seventh["matched_by"], seventh["margin"]) == (11, "override", None)


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_people_see_the_comparison_in_their_language(terminal: Terminal, ready: Path, lang: str) -> None:
    ran = terminal.run("report", "accuracy", ready, "--human", SAMPLE, "--lang", lang)
    assert ran.code == 0
    assert ("accuracy against a person: pass" if lang == "en" else "評価者との比較は合格") in ran.out
    assert "返品率の低さを支える検品体制" in ran.out


def test_the_page_is_written_on_demand_by_verify_accuracy_and_run(terminal: Terminal, ready: Path, tmp_path: Path) -> None:
    for words in (("verify", ready), ("accuracy", ready)):
        answer = terminal.run("report", *words, "--html", "--json").json
        assert Path(answer["written"]["page"]).read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
        (ready / "report.html").unlink()
    ran = terminal.run("report", "run", SAMPLE / "structured.json", "-o", tmp_path / "run", "--html", "--lang", "ja")
    assert ran.code == 0 and "確信度分布と基準値" in (tmp_path / "run" / "report.html").read_text(encoding="utf-8")


def test_data_that_changed_since_it_was_verified_is_not_measured(terminal: Terminal, ready: Path) -> None:
    data = json.loads((ready / "structured.json").read_bytes())
    data["claims"][0]["rule_evaluation"]["confidence"] = 50
    (ready / "structured.json").write_text(json.dumps(data), encoding="utf-8")
    ran = terminal.run("report", "accuracy", ready, "--json")
    assert (ran.code, ran.json["error"]["code"]) == (2, "report_stale")
    assert terminal.run("report", "verify", ready).code == 0
    assert terminal.run("report", "accuracy", ready).code == 0


def test_a_filled_in_copy_can_be_measured_and_its_marks_are_no_changes_of_verification(terminal: Terminal, ready: Path) -> None:
    path = ready / "verified-report.md"
    path.write_text(path.read_text(encoding="utf-8").replace("回答:", "回答: 同意。", 1), encoding="utf-8")
    ran = terminal.run("report", "accuracy", ready, "--html", "--lang", "en")
    assert ran.code == 0
    page = (ready / "report.html").read_text(encoding="utf-8")
    assert "the lines are not compared" in page and "<ins>回答" not in page


def test_a_page_shows_no_accuracy_of_other_data(terminal: Terminal, ready: Path) -> None:
    person = SAMPLE / "human_XMPL_phase2.md"
    assert terminal.run("report", "accuracy", ready, "--human", person).code == 0
    assert terminal.run("report", "verify", ready, "--html").code == 0
    assert "Against a person" in (ready / "report.html").read_text(encoding="utf-8")
    stale = json.loads((ready / "accuracy-report.json").read_bytes()) | {"data_digest": "0" * 64}
    (ready / "accuracy-report.json").write_text(json.dumps(stale), encoding="utf-8")
    assert terminal.run("report", "verify", ready, "--html").code == 0
    assert "Against a person" not in (ready / "report.html").read_text(encoding="utf-8")


@pytest.mark.parametrize("target", ["structured.json", "report.md"])
def test_feedback_and_factcheck_replace_no_file_of_another_kind(terminal: Terminal, ready: Path, target: str) -> None:
    before = files(ready)
    ran = terminal.run("report", "feedback", SAMPLE / "filled-in.md", "-o", ready / target, "--json")
    assert (ran.code, ran.json["error"]["code"]) == (2, "report_out_other")
    ran = terminal.run("report", "factcheck", SAMPLE / "structured.json", "--task", "x", "-o", ready / "report.md", "--json")
    assert (ran.code, ran.json["error"]["code"]) == (2, "report_out_other")
    assert files(ready) == before


def test_a_page_of_an_unverified_report_is_refused(terminal: Terminal, tmp_path: Path) -> None:
    out = tmp_path / "out"
    terminal.run("report", "build", SAMPLE / "structured.json", "-o", out)
    ran = terminal.run("report", "accuracy", out, "--html", "--json")
    assert (ran.code, ran.json["error"]["code"]) == (2, "report_not_verified")


# Feedback


def test_a_filled_in_report_becomes_an_evaluation_for_accuracy(terminal: Terminal, ready: Path) -> None:
    text = (ready / "verified-report.md").read_text(encoding="utf-8")
    filled = text.replace("10% / 30% / 50% / 70% / 90%", "10% / 30% / ○50% / 70% / 90%").replace("□ はい", "☑ はい", 1)
    (ready / "filled.md").write_text(filled, encoding="utf-8")
    ran = terminal.run("report", "feedback", ready / "filled.md", "--json")
    assert ran.code == 0
    assert [one["score"] for one in ran.json["advantages"]] == [50] * 10
    assert [one["number"] for one in ran.json["knowledge_candidates"]] == [1]
    measured = terminal.run("report", "accuracy", ready, "--human", ran.json["written"], "--json").json["full_mode_results"]
    assert measured["claim_matching"]["matched"] == 10
    assert measured["cagr_accuracy"] is None


def test_a_report_as_it_was_built_is_not_filled_in(terminal: Terminal, ready: Path) -> None:
    for name in ("report.md", "verified-report.md"):
        ran = terminal.run("report", "feedback", ready / name, "--json")
        assert (ran.code, ran.json["error"]["code"]) == (2, "feedback_nothing_filled_in")


def test_feedback_never_overwrites_the_report(terminal: Terminal, ready: Path) -> None:
    before = (ready / "report.md").read_bytes()
    ran = terminal.run("report", "feedback", ready / "report.md", "-o", ready / "report.md", "--json")
    assert (ran.code, ran.json["error"]["code"]) == (2, "report_out_is_input")
    assert (ready / "report.md").read_bytes() == before


def test_a_mark_that_cannot_be_used_is_named(terminal: Terminal, ready: Path) -> None:
    text = (ready / "report.md").read_text(encoding="utf-8").replace("10% / 30%", "○10% / ○30%", 1)
    (ready / "filled.md").write_text(text, encoding="utf-8")
    ran = terminal.run("report", "feedback", ready / "filled.md", "--lang", "en")
    assert ran.code == 0 and "several values are marked (10%, 30%)" in ran.err


# Fact check


def test_factcheck_answers_from_the_evidence_of_a_task(terminal: Terminal, tmp_path: Path) -> None:
    library = tmp_path / "library"
    library.mkdir()
    (library / "a.txt").write_text("Evening coffee shortens sleep in young adults, a trial found.", encoding="utf-8")
    (library / "b.txt").write_text("Nurses say that evening coffee shortens their sleep by half an hour.", encoding="utf-8")
    task = terminal.run("check", "Evening coffee shortens sleep.", "--library", library, "--json").json["task_id"]
    claims = [{"id": 1, "claim_type": "factual_claim", "claim": "Evening coffee shortens sleep."}]
    claims.append({"id": 2, "claim_type": "factual_claim", "claim": "Tea does."})
    (tmp_path / "s.json").write_text(json.dumps({"ticker": "XMPL", "claims": claims}), encoding="utf-8")
    words = ("report", "factcheck", tmp_path / "s.json", "--task", task)
    ran = terminal.run(*words, "-o", tmp_path / "checked.json", "--json")
    assert [(one["status"], len(one["evidence"])) for one in ran.json["checked"]] == [("verified", 2), ("not_checked", 0)]
    written = json.loads((tmp_path / "checked.json").read_bytes())["claims"]
    assert [claim["verification_status"] for claim in written] == ["verified", "not_checked"]
    assert json.loads(terminal.run(*words).out) == json.loads((tmp_path / "checked.json").read_bytes())


@pytest.fixture
def coffee(terminal: Terminal, tmp_path: Path) -> tuple[str, str]:
    """A task with one claim that two sources support: its id and the claim's."""
    library = tmp_path / "library"
    library.mkdir()
    (library / "a.txt").write_text("Evening coffee shortens sleep in young adults, a trial found.", encoding="utf-8")
    (library / "b.txt").write_text("Nurses say that evening coffee shortens their sleep by half an hour.", encoding="utf-8")
    answer = terminal.run("check", "Evening coffee shortens sleep.", "--library", library, "--json").json
    return answer["task_id"], answer["claims"][0]["claim_id"]


def facts(folder: Path, *texts: str) -> Path:
    claims = [{"id": number, "claim_type": "factual_claim", "claim": text} for number, text in enumerate(texts, start=1)]
    path = folder / "s.json"
    path.write_text(json.dumps({"ticker": "XMPL", "claims": claims}), encoding="utf-8")
    return path


def test_factcheck_takes_the_same_words_whatever_their_case_and_end(
    terminal: Terminal, tmp_path: Path, coffee: tuple[str, str]
) -> None:
    path = facts(tmp_path, "evening coffee  shortens sleep", "Evening coffee shortens sleep by 1.5 hours")
    checked = terminal.run("report", "factcheck", path, "--task", coffee[0], "--json").json["checked"]
    assert [(one["status"], one["matched_by"]) for one in checked] == [("verified", "text"), ("not_checked", None)]


def test_factcheck_names_the_nearest_claim_and_uses_it_only_when_a_person_pairs_it(
    terminal: Terminal, tmp_path: Path, coffee: tuple[str, str]
) -> None:
    task, claim = coffee
    words = ("report", "factcheck", facts(tmp_path, "Evening coffee does not shorten sleep.", "Tea does."), "--task", task)
    near, other = terminal.run(*words, "--json").json["checked"]
    assert (near["status"], near["suggested"]["task_claim_id"]) == ("not_checked", claim)
    assert (other["status"], other["suggested"]) == ("not_checked", None)
    assert claim in terminal.run(*words, "--lang", "ja").err
    pairs = tmp_path / "pairs.json"
    pairs.write_text(json.dumps({"#2": claim, "1": None}), encoding="utf-8")
    none, paired = terminal.run(*words, "--pairs", pairs, "--json").json["checked"]
    assert (none["status"], none["suggested"]) == ("not_checked", None)
    assert (paired["status"], paired["matched_by"], paired["task_claim_id"]) == ("verified", "pair", claim)


@pytest.mark.parametrize(
    ("content", "code"),
    [
        ("[]", "pairs_shape"),
        ('{"x": "y"}', "pairs_shape"),
        ('{"1": 2}', "pairs_shape"),
        ('{"1": null, "#1": null}', "pairs_shape"),
        ('{"9": null}', "override_unknown_claim"),
        ('{"1": "claim_none"}', "pairs_unknown_claim"),
        ("{", "broken_json"),
    ],
)
def test_pairs_that_cannot_be_used_are_refused(
    terminal: Terminal, tmp_path: Path, coffee: tuple[str, str], content: str, code: str
) -> None:
    (tmp_path / "pairs.json").write_text(content, encoding="utf-8")
    words = ("report", "factcheck", facts(tmp_path, "Tea does."), "--task", coffee[0], "--pairs", tmp_path / "pairs.json")
    ran = terminal.run(*words, "-o", tmp_path / "checked.json", "--json")
    assert (ran.code, ran.json["error"]["code"]) == (2, code)
    assert not (tmp_path / "checked.json").exists()


def test_factcheck_never_overwrites_its_input(terminal: Terminal, tmp_path: Path) -> None:
    source = tmp_path / "s.json"
    shutil.copy(SAMPLE / "structured.json", source)
    task = terminal.run("task", "new", "Why?", "--json").json["task_id"]
    ran = terminal.run("report", "factcheck", source, "--task", task, "-o", source, "--json")
    assert (ran.code, ran.json["error"]["code"]) == (2, "report_out_is_input")
    assert source.read_bytes() == (SAMPLE / "structured.json").read_bytes()


def test_factcheck_of_an_unknown_task_is_refused(terminal: Terminal) -> None:
    ran = terminal.run("report", "factcheck", SAMPLE / "structured.json", "--task", "none", "--json")
    assert ran.code == 2


# Bad input


def broken(change: Any) -> str:
    value = json.loads((SAMPLE / "structured.json").read_bytes())
    change(value)
    return json.dumps(value, ensure_ascii=False)


@pytest.mark.parametrize(
    ("content", "code", "named"),
    [
        ("{", "broken_json", "structured.json"),
        (broken(lambda v: v.update(claims=[])), "report_no_claims", "claims"),
        (
            broken(lambda v: v["claims"][1]["verification"].update(final_confidence=85)),
            "report_confidence_off_scale",
            "claims[1]",
        ),
        (broken(lambda v: v["claims"][1]["verification"].update(final_confidence="70%")), "report_confidence_off_scale", "70%"),
        (broken(lambda v: v["claims"][1].update(id=1)), "report_id_repeated", "claims[1].id"),
        (broken(lambda v: v.pop("ticker")), "report_field_missing", "ticker"),
    ],
)
def test_run_refuses_unusable_data_and_writes_nothing(
    terminal: Terminal, tmp_path: Path, content: str, code: str, named: str
) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "structured.json").write_text(content, encoding="utf-8")
    ran = terminal.run("report", "run", tmp_path / "in" / "structured.json", "-o", tmp_path / "out", "--json")
    assert (ran.code, ran.json["error"]["code"]) == (2, code)
    assert named in ran.json["error"]["message"]
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("name", "content", "code"),
    [
        ("human.md", "# 評価\n\n良い。\n", "human_no_scores"),
        ("x_OTHER_phase2.md", "## 1. 店舗網\n\n却下（10%）\n", "human_other_ticker"),
        ("human.md", "## 1. 店舗網\n\n納得度: 120%\n", "human_score_off_scale"),
        ("human.json", "{]", "broken_json"),
    ],
)
def test_an_unusable_evaluation_is_refused_before_anything_is_written(
    terminal: Terminal, tmp_path: Path, name: str, content: str, code: str
) -> None:
    (tmp_path / name).write_text(content, encoding="utf-8")
    out = tmp_path / "out"
    ran = terminal.run("report", "run", SAMPLE / "structured.json", "-o", out, "--human", tmp_path / name, "--json")
    assert (ran.code, ran.json["error"]["code"]) == (2, code)
    assert not out.exists()


def test_two_evaluations_of_one_ticker_are_refused(terminal: Terminal, ready: Path, tmp_path: Path) -> None:
    folder = tmp_path / "humans"
    folder.mkdir()
    for name in ("a_XMPL_phase2.md", "b_XMPL_phase2.md"):
        shutil.copy(SAMPLE / "human_XMPL_phase2.md", folder / name)
    ran = terminal.run("report", "accuracy", ready, "--human", folder, "--json")
    assert (ran.code, ran.json["error"]["code"]) == (2, "human_several")


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("accuracy", "nowhere"), "report_no_folder"),
        (("feedback", "nowhere.md"), "report_file_missing"),
        (("factcheck", "nowhere.json", "--task", "t"), "report_file_missing"),
        (("run", "nowhere.json", "-o", "out"), "report_file_missing"),
    ],
)
def test_what_is_not_there_is_named(
    terminal: Terminal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], code: str
) -> None:
    monkeypatch.chdir(tmp_path)
    for lang in ("en", "ja"):
        ran = terminal.run("report", *words, "--json", "--lang", lang)
        assert (ran.code, ran.json["error"]["code"]) == (2, code)
        assert "nowhere" in ran.json["error"]["message"]


def test_overrides_without_a_person_are_refused(terminal: Terminal, ready: Path, tmp_path: Path) -> None:
    (tmp_path / "pairs.json").write_text("{}", encoding="utf-8")
    ran = terminal.run("report", "accuracy", ready, "--overrides", tmp_path / "pairs.json", "--json")
    assert (ran.code, ran.json["error"]["code"]) == (2, "override_without_human")


def test_a_folder_that_cannot_be_written_to_is_refused(terminal: Terminal, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x", encoding="utf-8")
    ran = terminal.run("report", "run", SAMPLE / "structured.json", "-o", tmp_path / "file" / "out", "--json")
    assert (ran.code, ran.json["error"]["code"]) == (2, "report_out_unwritable")
