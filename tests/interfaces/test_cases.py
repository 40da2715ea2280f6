"""`lyra cases`: what a person meets, from the command line, in both languages and with bad input."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from lyra.cases.findings import RULES, VARIANTS, Finding
from lyra.cases.schema import case_schema, shipped_schema
from lyra.core.messages import render
from tests.docs.shell import ROOT
from tests.interfaces.terminal import Terminal
from tests.loopback.world import NUMBER, loopback_world

SOUND: dict[str, Any] = {
    "id": "a",
    "text": "Daily walking lowers blood pressure.",
    "outcome": "Success",
    "outcome_status": "verified_correct",
    "verification_confidence": "medium",
    "sources": [{"url": "https://example.org/walk", "source_role": "secondary_source", "coi_status": "none"}],
}
OPEN = {"id": "b", "text": "t", "outcome_status": "unverified", "sources": []}


@pytest.fixture
def terminal(home: Path) -> Terminal:
    return Terminal(home)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path


def put(path: Path, *cases: Any) -> Path:
    path.write_text("".join(json.dumps(case, ensure_ascii=False) + "\n" for case in cases), encoding="utf-8")
    return path


# Validate


def test_sound_cases_end_in_0_and_broken_ones_in_1(terminal: Terminal, folder: Path) -> None:
    good = terminal.run("cases", "validate", put(folder / "a.jsonl", SOUND))
    assert (good.code, good.out) == (0, "Cases: 1; errors: none, warnings: 0.\n")
    bad = terminal.run("cases", "validate", put(folder / "b.jsonl", SOUND, SOUND | {"id": "b", "verification_confidence": "low"}))
    assert bad.code == 1
    first, last = bad.out.splitlines()
    assert first.startswith(
        "row 2 b error L10 verification_confidence: verified_correct needs the confidence high or medium, not low."
    )
    assert first.endswith("(docs/reference/case-rules.md#l10)")
    assert last == "Cases: 2, with errors: 1; errors: 1, warnings: 0."


def test_a_warning_alone_ends_in_0(terminal: Terminal, folder: Path) -> None:
    path = put(folder / "a.jsonl", SOUND | {"needs_review": True})
    assert terminal.run("cases", "validate", path).code == 0
    assert "L50" in terminal.run("cases", "validate", path).out
    assert "L50" not in terminal.run("cases", "validate", path, "--errors-only").out


def test_a_row_that_cannot_be_read_ends_in_2_and_the_others_are_validated(terminal: Terminal, folder: Path) -> None:
    path = folder / "a.csv"
    path.write_bytes("id,text,outcome\r\n一,売上が伸びた,成功\r\n二,x\r\n".encode("cp932"))
    ran = terminal.run("cases", "validate", path)
    assert ran.code == 2
    assert f"{path}:3: The row has 2 cells and the header 3" in ran.err
    assert f"{path} was read as cp932." in ran.err
    assert "row 2 一 error L01 outcome: '成功' is no legal value: did you mean Success?" in ran.out
    assert "Rows that could not be read: 1." in ran.out


def test_findings_read_in_japanese(terminal: Terminal, folder: Path) -> None:
    ran = terminal.run("cases", "validate", put(folder / "a.jsonl", SOUND | {"tier": "gold"}), "--lang", "ja")
    assert "1 行目 a 誤り L02 tier: このフィールドは廃止されました。" in ran.out


def test_findings_as_json_carry_codes_and_sentences(terminal: Terminal, folder: Path) -> None:
    found = terminal.run("cases", "validate", put(folder / "a.jsonl", SOUND | {"outcome": "sucess"}), "--json").json
    assert (found["schema_version"], found["cases"], found["invalid"], found["errors"], found["format"]) == (
        "1",
        1,
        1,
        1,
        "jsonl",
    )
    (finding,) = found["findings"]
    assert (finding["row"], finding["id"], finding["rule"], finding["field"]) == (1, "a", "L01", "outcome")
    assert (finding["value"], finding["nearest"], finding["link"]) == ("sucess", "Success", "docs/reference/case-rules.md#l01")


def test_standard_input_is_a_file(home: Path) -> None:
    ran = Terminal(home, stdin=json.dumps([SOUND]).encode()).run("cases", "validate", "-")
    assert ran.code == 0


def test_what_a_file_says_cannot_write_to_the_terminal(terminal: Terminal, folder: Path) -> None:
    evil = SOUND | {"id": "a\x1b[2J\nrow 9 z error", "outcome": "\x1b]0;x\x07", "\x1b[31m": 1}
    out = terminal.run("cases", "validate", put(folder / "a.jsonl", evil)).out
    assert "\x1b" not in out
    assert len(out.splitlines()) == 3


@pytest.mark.parametrize(
    ("name", "content", "code"),
    [
        ("none.json", None, "cases_file_missing"),
        ("empty.json", "", "cases_empty"),
        ("broken.json", '[{"id": 1},', "cases_broken_json"),
        ("number.json", "3", "cases_broken_json"),
        ("long.csv", "rater,unit,field,value\nA,u,f,v\n", "cases_are_labels"),
        ("twice.csv", "id,id\n1,2\n", "cases_column_twice"),
    ],
)
def test_a_file_that_cannot_be_used_is_one_sentence_and_2(
    terminal: Terminal, folder: Path, name: str, content: str | None, code: str
) -> None:
    if content is not None:
        (folder / name).write_text(content, encoding="utf-8")
    for lang in ("en", "ja"):
        ran = terminal.run("cases", "validate", folder / name, "--json", "--lang", lang)
        assert (ran.code, ran.json["error"]["code"]) == (2, code)
        assert len(ran.err.splitlines()) == 1


def test_mixed_projects_are_refused_until_one_is_chosen(terminal: Terminal, folder: Path) -> None:
    tasks: list[Any] = [{"id": n, "project": n, "data": SOUND, "annotations": []} for n in (1, 2)]
    (folder / "a.json").write_text(json.dumps(tasks), encoding="utf-8")
    assert "several Label Studio projects (1, 2)" in terminal.run("cases", "validate", folder / "a.json").err
    assert terminal.run("cases", "validate", folder / "a.json", "--project", "2").code == 0


def test_every_rule_has_its_paragraph_in_the_documentation_with_its_sentences() -> None:
    page = (ROOT / "docs/reference/case-rules.md").read_text(encoding="utf-8")
    parts = dict(zip(*[iter(re.split(r"^### (L\d+)\n", page, flags=re.MULTILINE)[1:])] * 2, strict=True))
    assert set(parts) == set(RULES)
    for rule, severity in RULES.items():
        assert parts[rule].strip().startswith(f"{severity.value.capitalize()}. ")
        for variant in VARIANTS.get(rule, (None,)):
            finding = Finding(rule, "", variant)
            for lang in ("en", "ja"):
                assert render(finding.code, lang) in parts[rule]
                assert finding.hint(lang) in parts[rule]


def test_a_value_of_the_wrong_kind_is_told_in_words(terminal: Terminal, home: Path, folder: Path) -> None:
    path = put(folder / "a.jsonl", SOUND | {"needs_review": "yes", "claims": "none"})
    shown = terminal.run("cases", "validate", path).out
    assert "write true or false." in shown and "write a list of objects with fields." in shown
    assert "true か false" in Terminal(home).run("cases", "validate", path, "--lang", "ja").out


# Keep


def test_saved_cases_tell_who_labelled_them_and_why(terminal: Terminal, folder: Path) -> None:
    path = put(folder / "a.jsonl", SOUND)
    ran = terminal.run("cases", "validate", path, "--save", "--who", "Ann", "--why", "first round", "--json").json
    assert ran["saved"] == {"cases": 1, "labels": 5}
    assert terminal.run("cases", "validate", path, "--save", "--who", "Ann", "--json").json["saved"] == {"cases": 0, "labels": 0}
    (kept,) = terminal.run("cases", "list", "--json").json["kept"]
    assert (kept["id"], kept["outcome_status"]) == ("a", "verified_correct")
    events = terminal.run("cases", "history", "a", "--json").json["events"]
    assert {(one["kind"], one["who"], one["why"]) for one in events} == {
        ("saved", "Ann", "first round"),
        ("labelled", "Ann", "first round"),
    }
    assert "labelled Ann a outcome = Success · first round" in terminal.run("cases", "history", "a").out
    terminal.run("cases", "list", "--out", folder / "kept.jsonl")
    assert json.loads((folder / "kept.jsonl").read_text(encoding="utf-8")) == SOUND


@pytest.mark.parametrize("cases", [[SOUND, SOUND], [SOUND, {"text": "t"}]])
def test_cases_that_cannot_be_told_apart_are_not_saved_at_all(terminal: Terminal, folder: Path, cases: list[Any]) -> None:
    ran = terminal.run("cases", "validate", put(folder / "a.jsonl", *cases), "--save")
    assert ran.code == 2
    assert terminal.run("cases", "list").out.startswith("No cases are kept")


def test_a_case_nobody_kept_has_no_history(terminal: Terminal) -> None:
    ran = terminal.run("cases", "history", "z")
    assert (ran.code, ran.err) == (2, "No case z is kept in this home: `lyra cases list` shows those that are.\n")


# Legal values


def test_what_may_still_be_chosen_is_said_with_the_reason_why_not_the_rest(terminal: Terminal, folder: Path) -> None:
    path = put(folder / "a.jsonl", SOUND, OPEN)
    out = terminal.run("cases", "legal", path, "--id", "b", "--field", "verification_confidence").out.splitlines()
    assert out[0] == "verification_confidence (now: empty)"
    assert out[1] == "  high: may not be chosen"
    assert "  none: may be chosen" in out
    assert out[-1] == "Still to be filled: outcome, verification_confidence, unverified_reason."
    found = terminal.run("cases", "legal", path, "--id", "b", "--json").json
    by_field = {one["field"]: one for one in found["fields"]}
    reasons = {one["value"]: [why["rule"] for why in one["because"]] for one in by_field["unverified_reason"]["choices"]}
    assert reasons["no_source"] == []
    assert "L30" in reasons["ongoing"]


@pytest.mark.parametrize(
    ("options", "code"),
    [([], "cases_more_than_one"), (["--id", "z"], "cases_unknown_id"), (["--id", "b", "--field", "colour"], "cases_no_label")],
)
def test_a_case_or_label_that_is_not_there_is_said(terminal: Terminal, folder: Path, options: list[str], code: str) -> None:
    ran = terminal.run("cases", "legal", put(folder / "a.jsonl", SOUND, OPEN), *options, "--json")
    assert (ran.code, ran.json["error"]["code"]) == (2, code)


# Migrate and convert


def test_migration_reports_what_changed_and_what_a_person_must_decide(terminal: Terminal, folder: Path) -> None:
    old = {"id": "o", "text": "t", "outcome": "Success", "trust_level": "plausible", "source_url": "https://a.example"}
    path = put(folder / "old.jsonl", old, SOUND)
    dry = terminal.run("cases", "migrate", path)
    assert dry.code == 0
    assert "row 1 o outcome_status: empty → unverified" in dry.out
    assert "Cases: 2; migrated: 1, already in the present form: 1." in dry.out
    assert "o L21 unverified_reason" in dry.out
    assert "Nothing was written" in dry.out
    done = terminal.run("cases", "migrate", path, "--out", folder / "new.json", "--json").json
    assert (done["migrated"], done["unchanged"]) == (1, 1)
    assert {one["rule"] for one in done["review"]} == {"L04", "L21"}
    first, second = json.loads((folder / "new.json").read_text(encoding="utf-8"))["cases"]
    assert (first["verification_confidence"], first["needs_review"]) == ("low", True)
    assert second == SOUND
    again = terminal.run("cases", "migrate", folder / "new.json", "--json").json
    assert (again["migrated"], again["changes"]) == (0, [])


def test_a_change_reads_as_what_stood_there_and_what_stands_there_now(terminal: Terminal, folder: Path) -> None:
    old = {"id": "o", "text": "t", "outcome": "Success", "tier": "gold", "source_url": ""}
    ran = terminal.run("cases", "migrate", put(folder / "old.jsonl", {"rater": "Ann", **old}), "--out", folder / "new.jsonl")
    assert "tier: gold → removed" in ran.out and "needs_review: empty → true" in ran.out
    assert "source_url" not in ran.out
    written = json.loads((folder / "new.jsonl").read_text(encoding="utf-8"))
    assert (written["rater"], written["sources"]) == ("Ann", [])


def test_nothing_of_yours_is_overwritten_and_nothing_half_written(terminal: Terminal, folder: Path) -> None:
    path = put(folder / "a.jsonl", SOUND)
    assert "exists" in terminal.run("cases", "convert", path, "--out", path).err
    (folder / "b.jsonl").write_text(json.dumps(SOUND) + "\nbroken\n", encoding="utf-8")
    for command in ("convert", "migrate", "check"):
        assert terminal.run("cases", command, folder / "b.jsonl", "--out", folder / "new.jsonl").code == 2
    assert sorted(entry.name for entry in folder.iterdir() if entry.is_file() and entry.suffix != ".toml") == [
        "a.jsonl",
        "b.jsonl",
    ]
    assert terminal.run("cases", "convert", path, "--out", folder / "no" / "new.jsonl").code == 2


@pytest.mark.parametrize("name", ["b.json", "b.csv", "b.jsonl"])
def test_cases_come_back_from_every_format(terminal: Terminal, folder: Path, name: str) -> None:
    path = put(folder / "a.jsonl", SOUND)
    assert terminal.run("cases", "convert", path, "--out", folder / name).code == 0
    assert terminal.run("cases", "convert", folder / name, "--out", folder / "c.jsonl").code == 0
    assert json.loads((folder / "c.jsonl").read_text(encoding="utf-8")) == SOUND


def test_labels_are_written_as_a_long_table_for_agreement(terminal: Terminal, folder: Path) -> None:
    ran = terminal.run(
        "cases", "convert", put(folder / "a.jsonl", SOUND), "--to", "long", "--who", "Ann", "--out", folder / "l.csv"
    )
    assert ran.code == 0
    assert "Ann,a,outcome,Success" in (folder / "l.csv").read_text(encoding="utf-8")
    assert terminal.run("cases", "convert", folder / "a.jsonl", "--to", "xml", "--out", folder / "x").code == 2


# Schema


def test_the_schema_that_ships_is_the_one_of_the_model(terminal: Terminal) -> None:
    import jsonschema  # noqa: PLC0415 - slow to import

    shown = terminal.run("cases", "schema").json
    assert shown == shipped_schema() == case_schema()
    assert terminal.run("cases", "schema", "--json").json["schema"] == shown
    jsonschema.Draft202012Validator.check_schema(shown)
    validator = jsonschema.Draft202012Validator(shown)
    assert list(validator.iter_errors(SOUND | {"sources": [{"url": ""}], "memo": 1})) == []
    for broken in (
        SOUND | {"outcome": "success"},
        SOUND | {"tier": "gold"},
        {"id": "a"},
        SOUND | {"sources": [{"url": "https://a"}]},
    ):
        assert list(validator.iter_errors(broken)) != []


# Check


def test_cases_are_checked_against_the_library_and_proposals_written(terminal: Terminal, folder: Path) -> None:
    library = folder / "library"
    library.mkdir()
    front = "---\nurl: https://example.org/walk\n---\n\n"
    (library / "walk.md").write_text(front + "Daily walking lowers blood pressure in adults.\n", encoding="utf-8")
    unlabelled = {name: SOUND[name] for name in ("id", "text", "outcome", "sources")}
    gone = {
        "id": "c",
        "text": "Another event.",
        "outcome": "Success",
        "sources": [{**SOUND["sources"][0], "url": "https://gone.example"}],
    }
    path = put(folder / "a.jsonl", unlabelled, gone, {"id": "", "text": "x"})
    ran = terminal.run("cases", "check", path, "--library", library, "--out", folder / "p.jsonl", "--save", "--who", "Ann")
    assert ran.code == 2  # the case without an id
    assert "has no id" in ran.err
    assert "a: verified_correct, medium" in ran.out
    assert "c: no proposal" in ran.out
    assert "https://gone.example: secondary_source, not fetched" in ran.out
    first, second = (json.loads(line) for line in (folder / "p.jsonl").read_text(encoding="utf-8").splitlines())
    assert (first["outcome_status"], first["needs_review"], len(first["check"]["evidence"])) == ("verified_correct", True, 1)
    assert second["sources"][0]["access"] == "not_fetched"
    assert "outcome_status" not in second
    events = terminal.run("cases", "history", "a", "--json").json["events"]
    assert [(one["kind"], one["value"], one["who"]) for one in events] == [("saved", "check", "Ann")]
    kept = {one["id"]: one["task_id"] for one in terminal.run("cases", "list", "--json").json["kept"]}
    assert first["check"]["task_id"] == kept["a"]
    again = terminal.run("cases", "check", path, "--json").json
    assert [one["task_id"] for one in again["cases"]] == [kept["a"], kept["c"]]


def test_one_case_is_checked_once(terminal: Terminal, folder: Path) -> None:
    bare = {"id": "a", "text": "A thing happened.", "outcome": "Success", "sources": []}
    people = put(folder / "people.jsonl", bare | {"rater": "Ann"}, bare | {"rater": "Bob"})
    assert len(terminal.run("cases", "check", people, "--json").json["cases"]) == 1
    twice = terminal.run("cases", "check", put(folder / "twice.jsonl", bare, bare, {"text": "t"}), "--json")
    assert (twice.code, len(twice.json["cases"])) == (2, 1)
    assert {(one["code"]) for one in twice.json["problems"]} == {"cases_checked_once", "cases_no_id"}
    assert "twice.jsonl:3: The case has no id" in twice.err


def test_sources_are_fetched_only_where_that_is_asked_for(home: Path, folder: Path) -> None:
    with loopback_world(by_number=True) as world:
        terminal = Terminal(home, {**world.environ(), "LYRA_FETCH_ATTEMPTS": "1", "LYRA_FETCH_ARCHIVE_URL": "none"})
        address = world.at("/news/tea", NUMBER)
        source = {"url": address, "source_role": "secondary_source", "coi_status": "none"}
        path = put(folder / "a.jsonl", {"id": "a", "text": "Green tea lowers blood pressure.", "sources": [source]})
        alone = terminal.run("cases", "check", path)
        assert f"{address}: secondary_source, not fetched" in alone.out and "--fetch" in alone.out
        assert world.asked() == 0
        offline = terminal.run("cases", "check", path, "--fetch", "--offline")
        assert f"{address}: secondary_source, not fetched" in offline.out and "switched off" in offline.out
        assert world.asked() == 0
        fetched = terminal.run("cases", "check", path, "--fetch", "--json").json["cases"][0]
        assert [(one["access"], one["place"]) for one in fetched["attempts"]] == [("ok", "network")]
        again = terminal.run("cases", "check", path, "--json").json["cases"][0]
        assert [one["place"] for one in again["attempts"]] == ["library"]
