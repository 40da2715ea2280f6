"""`lyra cases agreement`, `adjudicate` and `classify` as a person uses them."""

import csv
import json
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import pytest

from tests.interfaces.terminal import Terminal

LABELS = """rater,unit,field,value
ann,c1,outcome,Success
bob,c1,outcome,Success
ann,c2,outcome,Failure
bob,c2,outcome,Mixed
ann,c3,outcome,Failure
bob,c3,outcome,Failure
ann,c1,verification_confidence,high
bob,c1,verification_confidence,medium
ann,c2,verification_confidence,low
bob,c2,verification_confidence,low
ann,c1,error_type,
bob,c1,error_type,
"""


@pytest.fixture
def labels(tmp_path: Path) -> Path:
    path = tmp_path / "labels.csv"
    path.write_text(LABELS, encoding="utf-8")
    return path


def case(identity: str, outcome: str, **fields: Any) -> dict[str, Any]:
    return {"id": identity, "text": "x", "outcome": outcome, "outcome_status": "unverified", **fields}


def test_the_report_is_markdown_with_every_coefficient(terminal: Terminal, labels: Path) -> None:
    ran = terminal.run("cases", "agreement", labels)
    assert ran.code == 0
    assert "# Agreement between 2 raters" in ran.out
    assert "| Cohen's κ |" in ran.out and "Krippendorff's α, ordinal" in ran.out
    assert "Fields that nobody filled in: error\\_type." in ran.out


def test_the_report_reads_in_japanese(japanese: Terminal, labels: Path) -> None:
    assert "評価者 2 人の一致度" in japanese.run("cases", "agreement", labels).out


def test_json_gives_values_intervals_and_confusion(terminal: Terminal, labels: Path) -> None:
    answer = terminal.run("cases", "agreement", labels, "--json").json
    outcome = next(one for one in answer["agreement"] if one["field"] == "outcome")
    percent = next(one for one in outcome["coefficients"] if one["name"] == "percent")
    assert percent["value"] == pytest.approx(2 / 3, abs=1e-6) and len(percent["interval"]) == 2
    assert outcome["pairs"][0]["confusion"][1][2] == 1
    assert answer["unlabelled"] == ["error_type"]


def test_one_file_for_each_person_is_read_by_its_name(terminal: Terminal, tmp_path: Path) -> None:
    for name, outcomes in {"ann": ("Success", "Failure"), "bob": ("Success", "Mixed")}.items():
        rows = [case(f"c{n}", outcome) for n, outcome in enumerate(outcomes)]
        (tmp_path / f"{name}.json").write_text(json.dumps(rows), encoding="utf-8")
    answer = terminal.run("cases", "agreement", tmp_path / "ann.json", tmp_path / "bob.json", "--json").json
    assert answer["raters"] == ["ann", "bob"]


def test_a_label_that_is_no_legal_value_is_refused_and_not_taken_for_missing(terminal: Terminal, tmp_path: Path) -> None:
    (tmp_path / "ann.json").write_text(json.dumps([case("c1", "Success"), case("c2", "ＳＵＣＣＥＳＳ")]), encoding="utf-8")
    (tmp_path / "bob.json").write_text(json.dumps([case("c1", "Success"), case("c2", "Mixed")]), encoding="utf-8")
    ran = terminal.run("cases", "agreement", tmp_path / "ann.json", tmp_path / "bob.json", "--json")
    assert (ran.code, ran.json["error"]["code"]) == (2, "agreement_illegal_label")
    assert "ann.json:2" in ran.err and "did you mean Success?" in ran.err


def test_no_label_becomes_a_formula_in_a_spreadsheet(terminal: Terminal, tmp_path: Path) -> None:
    path = tmp_path / "labels.csv"
    path.write_text("rater,unit,field,value\nann,=1+1,mood,@x\nbob,=1+1,mood,@x\n", encoding="utf-8")
    assert terminal.run("cases", "adjudicate", path, "--out", tmp_path / "final.csv").code == 0
    assert "'=1+1,mood,'@x,unanimous" in (tmp_path / "final.csv").read_text(encoding="utf-8")


@pytest.mark.parametrize("encoding", ["utf-8-sig", "cp932", "euc-jp", "utf-16"])
def test_tables_in_older_encodings_are_read(terminal: Terminal, tmp_path: Path, encoding: str) -> None:
    path = tmp_path / "labels.csv"
    text = "rater,unit,field,value\n山田,事例一,印象の評価,とても良い\n佐藤,事例一,印象の評価,とても悪い\n"
    path.write_bytes(text.encode(encoding))
    assert terminal.run("cases", "agreement", path, "--json").json["raters"] == ["佐藤", "山田"]


def test_a_ragged_row_is_named(terminal: Terminal, tmp_path: Path) -> None:
    path = tmp_path / "labels.csv"
    path.write_text("rater,unit,field,value\nann,1,outcome\n", encoding="utf-8")
    ran = terminal.run("cases", "agreement", path)
    assert ran.code == 2 and "labels.csv:2" in ran.err


def test_an_export_of_several_projects_is_read_project_by_project(terminal: Terminal, tmp_path: Path) -> None:
    def task(number: int, project: int, choices: dict[int, str]) -> dict[str, Any]:
        labelled = [
            {"completed_by": who, "result": [{"from_name": "outcome", "type": "choices", "value": {"choices": [value]}}]}
            for who, value in choices.items()
        ]
        return {"id": number, "project": project, "data": {"id": f"c{number}", "text": "x"}, "annotations": labelled}

    path = tmp_path / "export.json"
    tasks = [
        task(1, 1, {7: "Success", 8: "Mixed"}),
        task(2, 1, {7: "Mixed", 8: "Mixed"}),
        task(3, 2, {7: "Failure", 9: "Failure"}),
    ]
    path.write_text(json.dumps(tasks), encoding="utf-8")
    assert terminal.run("cases", "agreement", path).code == 2
    answer = terminal.run("cases", "agreement", path, "--project", "1", "--json").json
    assert answer["agreement"][0]["paired_units"] == 2 and len(answer["raters"]) == 2


def test_files_of_the_same_name_are_two_people(terminal: Terminal, tmp_path: Path) -> None:
    for name in ("ann", "bob"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "cases.json").write_text(json.dumps([case("c1", "Success"), case("c2", "Mixed")]), encoding="utf-8")
    ran = terminal.run("cases", "agreement", tmp_path / "ann" / "cases.json", tmp_path / "bob" / "cases.json", "--json")
    assert len(ran.json["raters"]) == 2


def test_constant_labels_are_said_to_be_undefined_with_the_raw_agreement(terminal: Terminal, tmp_path: Path) -> None:
    path = tmp_path / "same.csv"
    path.write_text(
        "rater,unit,field,value\na,1,outcome,Success\nb,1,outcome,Success\na,2,outcome,Success\nb,2,outcome,Success\n"
    )
    ran = terminal.run("cases", "agreement", path)
    assert "undefined: all labels are the same (observed agreement 1.000)" in ran.out


def test_pictures_are_valid_svg_without_scripts(terminal: Terminal, labels: Path, tmp_path: Path) -> None:
    hostile = tmp_path / "hostile.csv"
    hostile.write_text(
        'rater,unit,field,value\n<script>alert(1)</script>,u1,"../x<b>",a&b\nbob,u1,"../x<b>",c\n'
        '<script>alert(1)</script>,u2,"../x<b>",c\nbob,u2,"../x<b>",c\n',
        encoding="utf-8",
    )
    for file, folder in ((labels, "one"), (hostile, "two")):
        answer = terminal.run("cases", "agreement", file, "--plot", tmp_path / folder, "--json").json
        assert len(answer["pictures"]) >= 2
        for path in map(Path, answer["pictures"]):
            assert path.parent == tmp_path / folder
            tree = ET.fromstring(path.read_text(encoding="utf-8"))
            assert {element.tag.rpartition("}")[2] for element in tree.iter()} <= {
                "svg",
                "title",
                "desc",
                "rect",
                "line",
                "circle",
                "text",
            }
    again = terminal.run("cases", "agreement", labels, "--plot", tmp_path / "one")
    assert again.code == 0


def test_a_file_that_is_no_picture_is_never_replaced(terminal: Terminal, labels: Path, tmp_path: Path) -> None:
    (tmp_path / "pictures").mkdir()
    (tmp_path / "pictures" / "forest.svg").write_text("mine", encoding="utf-8")
    ran = terminal.run("cases", "agreement", labels, "--plot", tmp_path / "pictures")
    assert (ran.code, (tmp_path / "pictures" / "forest.svg").read_text()) == (2, "mine")
    assert terminal.run("cases", "agreement", labels, "--plot", labels).code == 2


def test_a_report_is_written_again_over_a_former_one_only(terminal: Terminal, labels: Path, tmp_path: Path) -> None:
    report, mine = tmp_path / "report.md", tmp_path / "mine.md"
    mine.write_text("# Mine\n", encoding="utf-8")
    assert terminal.run("cases", "agreement", labels, "--out", report).code == 0
    assert terminal.run("cases", "agreement", labels, "--out", report).code == 0
    assert terminal.run("cases", "agreement", labels, "--out", mine).code == 2
    assert mine.read_text(encoding="utf-8") == "# Mine\n"


@pytest.mark.parametrize(
    ("options", "code"),
    [
        (["--weights", "cubic"], "agreement_bad_weights"),
        (["--level", "outcome"], "agreement_bad_level"),
        (["--level", "outcome=ratio"], "agreement_bad_level"),
        (["--level", "outcome=interval"], "agreement_not_numeric"),
        (["--field", "outcom"], "agreement_unknown_field"),
        (["--replicates", "many"], "agreement_bad_number"),
        (["--replicates", "-1"], "agreement_bad_number"),
        (["--seed", "1.5"], "agreement_bad_number"),
    ],
)
def test_bad_options_are_one_sentence(terminal: Terminal, labels: Path, options: list[str], code: str) -> None:
    ran = terminal.run("cases", "agreement", labels, *options, "--json")
    assert (ran.code, ran.json["error"]["code"]) == (2, code)


def test_one_person_and_no_labels_are_told_what_to_do(terminal: Terminal, tmp_path: Path) -> None:
    path = tmp_path / "one.csv"
    path.write_text("rater,unit,field,value\nann,c1,outcome,Success\n", encoding="utf-8")
    assert terminal.run("cases", "agreement", path, "--json").json["error"]["code"] == "agreement_one_rater"
    assert terminal.run("cases", "agreement", "--json").json["error"]["code"] == "agreement_no_labels"
    path.write_text("rater,unit,field,value\nann,c1,outcome,\n", encoding="utf-8")
    assert terminal.run("cases", "agreement", path, "--json").json["error"]["code"] == "agreement_no_labels"


def test_labels_that_were_kept_are_measured_without_files(terminal: Terminal, labels: Path) -> None:
    first = terminal.run("cases", "agreement", labels, "--save", "--json").json
    assert first["saved"] == 10
    assert terminal.run("cases", "agreement", labels, "--save", "--json").json["saved"] == 0
    again = terminal.run("cases", "agreement", "--json").json
    assert again["agreement"] == first["agreement"]


def test_the_whole_way_from_disagreement_to_a_final_set(terminal: Terminal, labels: Path, tmp_path: Path) -> None:
    opened = terminal.run("cases", "adjudicate", labels, "--save", "--json").json
    assert {(item["unit"], item["field"]) for item in opened["queue"]} == {("c2", "outcome"), ("c1", "verification_confidence")}
    decision = ["--unit", "c2", "--field", "outcome", "--value", "Mixed", "--who", "chie", "--reason", "one of two plants closed"]
    done = terminal.run("cases", "adjudicate", *decision, "--json").json
    assert done["decision"]["decided_by"] == "chie" and done["decision"]["decided_at"] and done["decision"]["proposed"]
    assert done["open"] == 1
    ran = terminal.run("cases", "adjudicate", "--out", tmp_path / "final.csv")
    assert ran.code == 0 and "decided by a person: 1" in ran.out
    lines = (tmp_path / "final.csv").read_text(encoding="utf-8").splitlines()
    rows = {(row["unit"], row["field"]): row for row in csv.DictReader(lines)}
    assert rows["c2", "outcome"] | {"decided_at": ""} == {
        "unit": "c2",
        "field": "outcome",
        "value": "Mixed",
        "basis": "decided",
        "probability": "1.0",
        "decided_by": "chie",
        "reason": "one of two plants closed",
        "decided_at": "",
    }
    assert rows["c3", "outcome"]["basis"] == "unanimous"
    for name in ("final.json", "final.jsonl"):
        assert terminal.run("cases", "adjudicate", "--out", tmp_path / name).code == 0
    assert len(json.loads((tmp_path / "final.json").read_text(encoding="utf-8"))["labels"]) == 5
    assert len((tmp_path / "final.jsonl").read_text(encoding="utf-8").splitlines()) == 5


def test_the_queue_shows_units_in_full(terminal: Terminal, tmp_path: Path) -> None:
    unit = "case-1#source:https://example.org/" + "a" * 120
    path = tmp_path / "labels.csv"
    path.write_text(f"rater,unit,field,value\nann,{unit},coi_status,self\nbob,{unit},coi_status,none\n", encoding="utf-8")
    ran = terminal.run("cases", "adjudicate", path)
    assert f"{unit} coi_status (" in ran.out and "ann: self  bob: none" in ran.out
    decision = ["--unit", unit, "--field", "coi_status", "--value", "self", "--who", "chie", "--reason", "its own site"]
    assert terminal.run("cases", "adjudicate", path, *decision).code == 0


def test_a_second_decision_takes_the_place_of_the_first(terminal: Terminal, labels: Path) -> None:
    terminal.run("cases", "agreement", labels, "--save")
    common = ["--unit", "c2", "--field", "outcome", "--who", "chie", "--reason", "r"]
    for value in ("Mixed", "Failure"):
        assert terminal.run("cases", "adjudicate", *common, "--value", value).code == 0
    answer = terminal.run("cases", "adjudicate", "--json").json
    assert [one["value"] for one in answer["decisions"]] == ["Failure"]


@pytest.mark.parametrize(
    ("options", "code"),
    [
        (["--unit", "c2"], "adjudication_incomplete"),
        (["--unit", "c2", "--field", "outcome", "--value", "Mixed", "--who", " ", "--reason", "x"], "adjudication_incomplete"),
        (["--unit", "c9", "--field", "outcome", "--value", "Mixed", "--who", "a", "--reason", "x"], "adjudication_unknown_label"),
        (["--unit", "c2", "--field", "outcome", "--value", "mixed", "--who", "a", "--reason", "x"], "adjudication_off_scale"),
        (["--out", "final.txt"], "adjudication_bad_format"),
        (["--limit", "0"], "agreement_bad_number"),
    ],
)
def test_a_decision_that_cannot_be_recorded_is_one_sentence(
    terminal: Terminal, labels: Path, options: list[str], code: str
) -> None:
    ran = terminal.run("cases", "adjudicate", labels, *options, "--json")
    assert (ran.code, ran.json["error"]["code"]) == (2, code)
    assert terminal.run("cases", "adjudicate", labels, "--json").json["decisions"] == []


def test_a_refused_decision_keeps_no_labels_either(terminal: Terminal, labels: Path) -> None:
    wrong = ["--unit", "c2", "--field", "outcome", "--value", "mixed", "--who", "a", "--reason", "x"]
    assert terminal.run("cases", "adjudicate", labels, *wrong, "--save").code == 2
    assert terminal.run("cases", "agreement", "--json").json["error"]["code"] == "agreement_no_labels"


def test_a_decision_is_in_the_history_of_its_case(terminal: Terminal, tmp_path: Path) -> None:
    rows = [case("c1", "Success", text="It opened."), case("c2", "Mixed", text="It closed.")]
    (tmp_path / "ann.json").write_text(json.dumps(rows), encoding="utf-8")
    (tmp_path / "bob.json").write_text(json.dumps([case("c1", "Mixed"), case("c2", "Mixed")]), encoding="utf-8")
    files = [tmp_path / "ann.json", tmp_path / "bob.json"]
    terminal.run("cases", "validate", files[0], "--save", "--who", "ann")
    decision = ["--unit", "c1", "--field", "outcome", "--value", "Mixed", "--who", "chie", "--reason", "half of it closed"]
    assert terminal.run("cases", "adjudicate", *files, *decision).code == 0
    history = terminal.run("cases", "history", "c1").out
    assert "chie" in history and "half of it closed" in history


def test_nothing_open_is_said_so(terminal: Terminal, tmp_path: Path) -> None:
    path = tmp_path / "same.csv"
    path.write_text("rater,unit,field,value\na,1,outcome,Success\nb,1,outcome,Success\n", encoding="utf-8")
    assert "Nothing is open" in terminal.run("cases", "adjudicate", path).out


CASES = [
    {
        "id": "k1",
        "text": "トヨタは2023年に世界最高の自動車メーカーになった。",
        "outcome": "Success",
        "parties": [{"names": ["トヨタ"], "domains": ["toyota.co.jp"]}],
        "sources": [{"url": "https://toyota.co.jp/ir/annual-report.pdf"}, {"url": "https://unknown.example/x"}],
    },
    {
        "id": "k2",
        "text": "Enron filed for bankruptcy in 2001.",
        "outcome": "Failure",
        "sources": [{"url": "https://google.com/search?q=x"}],
    },
]


@pytest.fixture
def cases(tmp_path: Path) -> Path:
    path = tmp_path / "cases.json"
    path.write_text(json.dumps(CASES), encoding="utf-8")
    return path


def test_classification_gives_what_is_certain_and_asks_the_rest(terminal: Terminal, cases: Path) -> None:
    answer = terminal.run("cases", "classify", cases, "--json").json
    first, second = answer["classified"]
    report, unknown = first["sources"]
    assert (report["source_role"]["value"], report["primary_type"], report["coi_status"]["value"]) == (
        "primary_source",
        "annual_report",
        "self",
    )
    assert unknown["source_role"]["needs_person"] and unknown["source_role"]["asks"] == "issued_by_party"
    assert [claim["claim_type"]["value"] for claim in first["claims"]] == ["evaluative"]
    assert second["proposal"]["unverified_reason"] == "no_source" and not second["proposal"]["needs_person"]
    assert {question["about"] for question in first["questions"]} == {
        "sources[https://unknown.example/x].source_role",
        "sources[https://unknown.example/x].coi_status",
        "outcome_status",
    }


def test_the_trail_reads_in_both_languages(terminal: Terminal, japanese: Terminal, cases: Path) -> None:
    assert (
        "Was it issued by a party of the case? → yes (party_domain: toyota.co.jp)"
        in terminal.run("cases", "classify", cases, "--trail").out
    )
    assert "事例の当事者が発信したものですか。 → yes" in japanese.run("cases", "classify", cases, "--trail").out


def test_labels_are_filled_in_at_the_source_they_are_of(terminal: Terminal, tmp_path: Path) -> None:
    listed = ["https://www.google.com/search?q=x", {"url": "https://ja.wikipedia.org/wiki/a"}]
    path, out = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    rows = [case("a", "Success", rater="ann", sources=listed), case("b", "Success", source_url="https://ja.wikipedia.org/wiki/b")]
    path.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    assert terminal.run("cases", "classify", path, "--out", out).code == 0
    first, second = map(json.loads, out.read_text(encoding="utf-8").splitlines())
    assert [one["source_role"] for one in first["sources"]] == ["rejected", "pointer_only"]
    assert (first["rater"], second["sources"][0]["source_role"]) == ("ann", "pointer_only")


def test_only_what_is_certain_is_filled_in_and_nothing_given_is_changed(terminal: Terminal, tmp_path: Path) -> None:
    given = json.loads(json.dumps(CASES))
    given[0]["sources"][0]["coi_status"] = "affiliated"
    path, out = tmp_path / "in.json", tmp_path / "out.jsonl"
    path.write_text(json.dumps(given), encoding="utf-8")
    assert terminal.run("cases", "classify", path, "--out", out).code == 0
    first, second = map(json.loads, out.read_text(encoding="utf-8").splitlines())
    report, unknown = first["sources"]
    assert (report["source_role"], report["primary_type"], report["coi_status"]) == (
        "primary_source",
        "annual_report",
        "affiliated",
    )
    assert "source_role" not in unknown and "coi_status" not in unknown
    assert first["needs_review"] is True and "outcome_status" not in first
    assert (second["outcome_status"], second["unverified_reason"], second["outcome"]) == ("unverified", "no_source", "Failure")
    assert terminal.run("cases", "classify", path, "--out", out).code == 2


def test_the_adjudicated_cases_are_written_whole_and_can_be_validated(terminal: Terminal, tmp_path: Path) -> None:
    source = {"url": "https://a.example", "source_role": "secondary_source", "coi_status": "none"}
    labels = {"outcome_status": "verified_correct", "verification_confidence": "medium", "sources": [source]}
    for who, outcome in (("ann", "Success"), ("bob", "Mixed"), ("cleo", "Success")):
        path = tmp_path / f"{who}.jsonl"
        path.write_text(json.dumps({"id": "c", "text": "t", "outcome": outcome, **labels}), encoding="utf-8")
        assert terminal.run("cases", "validate", path, "--save", "--who", who).code == 0
    files = [tmp_path / f"{who}.jsonl" for who in ("ann", "bob", "cleo")]
    answer = terminal.run("cases", "adjudicate", *files, "--cases", tmp_path / "files.jsonl", "--json").json
    assert answer["cases"] == str(tmp_path / "files.jsonl")
    decision = ["--unit", "c", "--field", "outcome", "--value", "Mixed", "--who", "dora", "--reason", "one plant shut"]
    assert terminal.run("cases", "adjudicate", *decision, "--cases", tmp_path / "store.jsonl").code == 0
    proposed, decided = (json.loads((tmp_path / name).read_text(encoding="utf-8")) for name in ("files.jsonl", "store.jsonl"))
    assert (proposed["outcome"], proposed["needs_review"]) == ("Success", True)
    assert decided == {"id": "c", "text": "t", "outcome": "Mixed", **labels}
    assert terminal.run("cases", "validate", tmp_path / "store.jsonl").code == 0


def test_cases_are_not_made_up_of_labels_alone(terminal: Terminal, labels: Path, tmp_path: Path) -> None:
    ran = terminal.run("cases", "adjudicate", labels, "--save", "--cases", tmp_path / "final.jsonl")
    assert ran.code == 2 and "no cases" in ran.err
    assert terminal.run("cases", "agreement", labels, "--save").code == 0
    ran = terminal.run("cases", "adjudicate", "--cases", tmp_path / "final.jsonl")
    assert ran.code == 2 and "no cases" in ran.err and not (tmp_path / "final.jsonl").exists()


def test_files_without_labels_have_nothing_to_adjudicate(terminal: Terminal, tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text("[]", encoding="utf-8")
    ran = terminal.run("cases", "adjudicate", path)
    assert ran.code == 2 and "no labels" in ran.err
