"""Files with cases: every format, whatever a spreadsheet did to it; one bad row is named and spoils no other."""

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lyra.cases.json_stream import BrokenJson, JsonText
from lyra.cases.label_studio import task_of
from lyra.cases.model import Annotation, Case, Outcome
from lyra.cases.reading import CaseFile, Format, Row
from lyra.cases.shape import read_case
from lyra.cases.writing import format_for, write_annotations, write_cases
from lyra.core.errors import InvalidInput
from tests.cases_strategies import Json, valid_case

CASE: Json = {
    "id": "事例-1",
    "text": "売上は、37兆円だった。",
    "outcome": "Success",
    "outcome_status": "verified_correct",
    "verification_confidence": "medium",
    "sources": [{"url": "https://a.example/1", "source_role": "secondary_source", "coi_status": "none"}],
}


def read(path: Path, **options: Any) -> list[Row | InvalidInput]:
    return list(CaseFile.at(path, **options).rows())


def datas(path: Path) -> list[Json]:
    return [row.data for row in read(path) if isinstance(row, Row)]


def cases_of(path: Path) -> list[Case]:
    found = read(path)
    for row in found:
        if isinstance(row, InvalidInput):
            raise row
    return [read_case(row.data).case for row in found if isinstance(row, Row)]


def labels(path: Path, rater: str | None = None) -> list[Annotation]:
    return list(CaseFile.at(path).annotations(rater))


def put(path: Path, content: str | bytes) -> Path:
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


# JSON


@pytest.mark.parametrize(
    "text",
    [
        json.dumps([CASE, CASE | {"id": "2"}]),
        json.dumps({"schema_version": "1", "cases": [CASE, CASE | {"id": "2"}], "more": {"x": [1]}}, indent=2),
        json.dumps({"more": 1, "cases": [CASE, CASE | {"id": "2"}]}, ensure_ascii=False),
    ],
)
def test_a_list_of_cases_is_read_with_or_without_a_wrapper(tmp_path: Path, text: str) -> None:
    assert datas(put(tmp_path / "a.json", text)) == [CASE, CASE | {"id": "2"}]


def test_one_case_alone_is_a_file_of_one(tmp_path: Path) -> None:
    assert datas(put(tmp_path / "a.json", json.dumps(CASE, indent=1))) == [CASE]


def test_json_lines_are_told_by_name_or_by_look(tmp_path: Path) -> None:
    text = json.dumps(CASE) + "\n\n" + json.dumps(CASE | {"id": "2"}) + "\n"
    assert datas(put(tmp_path / "a.jsonl", text)) == datas(put(tmp_path / "unnamed", text)) == [CASE, CASE | {"id": "2"}]
    assert [row.number for row in read(tmp_path / "a.jsonl") if isinstance(row, Row)] == [1, 3]


def test_a_broken_line_is_named_and_the_others_are_read(tmp_path: Path) -> None:
    path = put(tmp_path / "a.jsonl", f"{json.dumps(CASE)}\n{{broken\n[1]\n{json.dumps(CASE)}\n")
    rows = read(path)
    assert [(one.code, one.params["row"]) for one in rows if isinstance(one, InvalidInput)] == [
        ("cases_bad_row", 2),
        ("cases_no_object", 3),
    ]
    assert len(datas(path)) == 2


def test_a_broken_line_says_where_in_it_and_nesting_without_end_is_said_in_words(tmp_path: Path) -> None:
    (problem,) = read(put(tmp_path / "a.jsonl", '{"id": }'))
    assert isinstance(problem, InvalidInput) and str(problem.params["detail"]).endswith(", column 8")
    with pytest.raises(InvalidInput) as refusal:
        read(put(tmp_path / "b.json", "[" * 100_000))
    assert refusal.value.params["detail"] == "nested too deeply"


def test_broken_json_names_its_line(tmp_path: Path) -> None:
    path = put(tmp_path / "a.json", '[\n{"id": "a"},\n{"id": }\n]')
    with pytest.raises(InvalidInput) as refusal:
        read(path)
    assert (refusal.value.code, refusal.value.params["line"]) == ("cases_broken_json", 3)


@pytest.mark.parametrize("text", ['[{"a": 1}', '[{"a": NaN}]', '[{"a": 1}] x', '{"cases": [1,,]}', "[" * 100_000])
def test_no_broken_json_is_taken_for_cases(tmp_path: Path, text: str) -> None:
    with pytest.raises(InvalidInput):
        cases_of(put(tmp_path / "a.json", text))


@given(
    st.lists(
        st.recursive(
            st.none() | st.booleans() | st.integers() | st.text(), lambda x: st.lists(x) | st.dictionaries(st.text(), x)
        ),
        max_size=6,
    ),
    st.integers(1, 7),
)
@settings(max_examples=150)
def test_a_list_that_arrives_in_pieces_is_the_same_list(values: list[Any], size: int) -> None:
    text = json.dumps(values, ensure_ascii=False, indent=1)
    pieces = (text[start : start + size] for start in range(0, len(text), size))
    assert [value for _, value in JsonText(pieces).elements()] == values


def test_a_long_element_is_not_tried_anew_for_every_piece(monkeypatch: pytest.MonkeyPatch) -> None:
    text = json.dumps([{"text": "x" * 200_000}])
    pieces = (text[start : start + 64] for start in range(0, len(text), 64))
    reader = JsonText(pieces)
    tries = 0
    decode = reader._decode

    def counted(buffer: str, at: int) -> Any:
        nonlocal tries
        tries += 1
        return decode(buffer, at)

    monkeypatch.setattr(reader, "_decode", counted)
    assert len(list(reader.elements())) == 1
    assert tries < 20


def test_a_list_that_does_not_begin_as_one_is_broken() -> None:
    with pytest.raises(BrokenJson):
        list(JsonText(iter(["{}"])).elements())


# Tables

WIDE = "id,text,outcome,outcome_status,verification_confidence,source_url,source_role,coi_status,needs_review,備考\r\n"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp932", "euc_jp", "utf-16"])
def test_a_table_is_read_in_the_encoding_it_is_in(tmp_path: Path, encoding: str) -> None:
    row = "一,売上は伸び、会社は成功した。,Success,verified_correct,medium,https://a.example,secondary_source,none,はい,メモ\r\n"
    path = put(tmp_path / "a.csv", (WIDE + row).encode(encoding))
    assert datas(path) == [
        {
            "id": "一",
            "text": "売上は伸び、会社は成功した。",
            "outcome": "Success",
            "outcome_status": "verified_correct",
            "verification_confidence": "medium",
            "sources": [{"url": "https://a.example", "source_role": "secondary_source", "coi_status": "none"}],
            "needs_review": True,
            "備考": "メモ",
        }
    ]


def test_what_is_no_text_is_refused(tmp_path: Path) -> None:
    for number, content in enumerate((b"\x00\x01\x02", b"\xff\xff\xff\x81", b"PK\x03\x04\x00\x00")):
        with pytest.raises(InvalidInput) as refusal:
            read(put(tmp_path / f"{number}.csv", content))
        assert refusal.value.code == "cases_not_text"


def test_ragged_and_broken_rows_are_named_and_the_others_are_read(tmp_path: Path) -> None:
    text = 'id,text,outcome\n1,a,Success\n2,b\n3,"open,Mixed\n4,d,Success,,\n5,e,Success,more\n\n6,f,"Mi""xed"\n'
    path = put(tmp_path / "a.csv", text)
    problems = [(one.code, one.params["row"]) for one in read(path) if isinstance(one, InvalidInput)]
    assert problems == [("cases_ragged_row", 3), ("cases_bad_row", 4), ("cases_ragged_row", 6)]
    assert [data["id"] for data in datas(path)] == ["1", "4", "6"]


@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_a_table_is_read_whatever_stands_between_its_cells(tmp_path: Path, separator: str) -> None:
    table = f'id,text,outcome\n1,"a{separator}b",Success\n'.replace(",", separator)
    assert datas(put(tmp_path / "a.csv", table)) == [{"id": "1", "text": f"a{separator}b", "outcome": "Success"}]


def test_nested_fields_stand_in_columns_of_their_own_or_as_json(tmp_path: Path) -> None:
    columns = "id,sources.0.url,sources[1].url,claims/0/text,claims.0.source_refs,parties\n"
    path = put(tmp_path / "a.csv", columns + 'a,https://a,https://b,t,https://a; https://b,"[{""names"": [""X""]}]"\n')
    assert datas(path) == [
        {
            "id": "a",
            "sources": [{"url": "https://a"}, {"url": "https://b"}],
            "claims": [{"text": "t", "source_refs": ["https://a", "https://b"]}],
            "parties": [{"names": ["X"]}],
        }
    ]


def test_a_cell_with_broken_json_is_named(tmp_path: Path) -> None:
    (problem,) = read(put(tmp_path / "a.csv", "id,sources\na,[{\n"))
    assert isinstance(problem, InvalidInput)
    assert (problem.code, problem.params["row"]) == ("cases_bad_cell", 2)


def test_two_columns_of_one_name_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="two columns named outcome"):
        read(put(tmp_path / "a.csv", "id,outcome,outcome\na,Success,Mixed\n"))


@pytest.mark.parametrize("name", ["a.csv", "a.json", "a.jsonl", "a"])
def test_an_empty_file_says_so(tmp_path: Path, name: str) -> None:
    path = put(tmp_path / name, "")
    if name.endswith("jsonl"):
        assert read(path) == []
    else:
        with pytest.raises(InvalidInput) as refusal:
            read(path)
        assert refusal.value.code == "cases_empty"


def test_a_missing_file_and_a_folder_are_one_sentence(tmp_path: Path) -> None:
    for path, code in ((tmp_path / "none.json", "cases_file_missing"), (tmp_path, "cases_file_unreadable")):
        with pytest.raises(InvalidInput) as refusal:
            read(path)
        assert refusal.value.code == code


# Single labels


def test_a_long_table_gives_single_labels(tmp_path: Path) -> None:
    path = put(tmp_path / "a.csv", "\ufeffRater,Unit,Field,Value\nA,u1,outcome,Success\nB,u1,outcome,\n")
    assert CaseFile.at(path).format is Format.LONG
    assert labels(path) == [Annotation("A", "u1", "outcome", "Success"), Annotation("B", "u1", "outcome", None)]
    with pytest.raises(InvalidInput, match="single labels"):
        cases_of(path)


def test_a_label_of_nobody_is_named(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match=r"a.csv:3: The cell of rater is empty"):
        labels(put(tmp_path / "a.csv", "rater,unit,field,value\nA,u,f,v\n,u,f,v\n"))


def test_the_labels_of_a_case_are_those_of_its_parts(tmp_path: Path) -> None:
    given_case = CASE | {"claims": [{"text": "t", "claim_type": "factual"}]}
    path = put(tmp_path / "ann.json", json.dumps([given_case]))
    found = {(one.unit, one.field): one.value for one in labels(path) if one.value is not None}
    assert found == {
        ("事例-1", "outcome"): "Success",
        ("事例-1", "outcome_status"): "verified_correct",
        ("事例-1", "verification_confidence"): "medium",
        ("事例-1#source:https://a.example/1", "source_role"): "secondary_source",
        ("事例-1#source:https://a.example/1", "coi_status"): "none",
        ("事例-1#claim:1", "claim_type"): "factual",
    }
    assert {one.rater for one in labels(path)} == {"ann"}
    assert {one.rater for one in labels(path, rater="Ann")} == {"Ann"}


@pytest.mark.parametrize(
    ("rows", "code"),
    [
        ([CASE, CASE], "cases_labelled_twice"),
        ([CASE, CASE | {"id": " "}], "cases_no_id"),
        ([CASE | {"outcome": "Sucess"}], "agreement_illegal_label"),
    ],
)
def test_labels_that_could_be_counted_wrongly_are_refused(tmp_path: Path, rows: list[Json], code: str) -> None:
    path = put(tmp_path / "a.jsonl", "\n".join(json.dumps(row) for row in rows))
    with pytest.raises(InvalidInput) as refusal:
        labels(path)
    assert refusal.value.code == code


def test_two_people_may_label_one_case_in_one_file(tmp_path: Path) -> None:
    path = put(tmp_path / "a.jsonl", "\n".join(json.dumps(CASE | {"rater": rater}) for rater in "ab"))
    assert {one.rater for one in labels(path)} == {"a", "b"}


def test_a_column_of_raters_says_who_labelled_each_row(tmp_path: Path) -> None:
    path = put(tmp_path / "a.csv", "id,annotator,outcome\n1,Ann,Success\n1,Bob,Mixed\n")
    assert [(row.rater, row.data) for row in read(path) if isinstance(row, Row)] == [
        ("Ann", {"id": "1", "outcome": "Success"}),
        ("Bob", {"id": "1", "outcome": "Mixed"}),
    ]


# Label Studio


def answer(name: str, value: Any, kind: str = "choices") -> Json:
    return {"from_name": name, "to_name": "text", "type": kind, "value": {kind: value}}


def exported(project: int = 1, **more: Any) -> Json:
    return {
        "id": 11,
        "project": project,
        "data": {"id": "c1", "text": "t", "sources": [{"url": "https://a"}, {"url": "https://b"}]},
        "annotations": [
            {
                "id": 1,
                "completed_by": {"id": 5, "email": "ann@example.org"},
                "lead_time": 12.5,
                "result": [answer("outcome", ["Success"]), answer("sources.1.source_role", ["rejected"])],
            },
            {"id": 2, "completed_by": 6, "result": [answer("outcome", ["Mixed"]), answer("source_role_1", ["context_only"])]},
            {"id": 3, "completed_by": 7, "was_cancelled": True, "result": [answer("outcome", ["Failure"])]},
        ],
        **more,
    }


def test_label_studio_gives_a_case_for_each_annotator(tmp_path: Path) -> None:
    path = put(tmp_path / "a.json", json.dumps([exported()]))
    assert CaseFile.at(path).format is Format.LABEL_STUDIO
    first, second = (row for row in read(path) if isinstance(row, Row))
    assert (first.rater, first.data["outcome"], first.data["sources"][1]) == (
        "ann@example.org",
        "Success",
        {"url": "https://b", "source_role": "rejected"},
    )
    assert (second.rater, second.data["outcome"], second.data["sources"][0]["source_role"]) == ("6", "Mixed", "context_only")


def test_label_studio_gives_single_labels_with_the_time_they_took(tmp_path: Path) -> None:
    path = put(tmp_path / "a.json", json.dumps([exported()]))
    assert labels(path) == [
        Annotation("ann@example.org", "c1", "outcome", "Success", 12.5),
        Annotation("ann@example.org", "c1#source:https://b", "source_role", "rejected", 12.5),
        Annotation("6", "c1", "outcome", "Mixed"),
        Annotation("6", "c1#source:https://a", "source_role", "context_only"),
    ]


def test_the_flat_form_of_label_studio_is_read_too(tmp_path: Path) -> None:
    flat = {"id": 4, "text": "t", "outcome": "Success", "annotator": 2, "annotation_id": 9, "lead_time": 3}
    path = put(tmp_path / "a.json", json.dumps([flat]))
    assert labels(path) == [Annotation("2", "4", "outcome", "Success", 3.0)]


def test_the_flat_form_labels_sources_and_says_nothing_of_its_own_columns(tmp_path: Path) -> None:
    flat = {"id": 4, "text": "t", "source_url": "https://a", "outcome": "Success", "source_role": {"choices": ["rejected"]}}
    flat |= {"annotator": 2, "annotation_id": 9, "lead_time": 3, "created_at": "2026-01-01", "updated_at": "2026-01-02"}
    path = put(tmp_path / "a.json", json.dumps([flat]))
    assert {(one.unit, one.field, one.value) for one in labels(path)} == {
        ("4", "outcome", "Success"),
        ("4#source:https://a", "source_role", "rejected"),
    }
    (row,) = read(path)
    assert isinstance(row, Row) and row.data["sources"] == [{"url": "https://a", "source_role": "rejected"}]
    assert not {"lead_time", "created_at", "updated_at", "annotation_id"} & set(row.data)


@pytest.mark.parametrize("given", [{"sources": ["https://a", {"url": "https://b"}]}, {"source_url": "https://a"}])
def test_a_source_keeps_its_address_when_somebody_labels_it(tmp_path: Path, given: Json) -> None:
    annotation = {"completed_by": 1, "result": [answer("source_role", ["rejected"]), answer("error_description", ["w"], "text")]}
    task = {"id": 3, "data": {"id": "c", "text": "t", **given}, "annotations": [annotation]}
    path = put(tmp_path / "a.json", json.dumps([task]))
    (row,) = read(path)
    assert isinstance(row, Row) and row.data["sources"][0] == {"url": "https://a", "source_role": "rejected"}
    assert [(one.unit, one.value) for one in labels(path)] == [("c#source:https://a", "rejected")]


def test_an_export_that_names_nobody_is_its_own_rater(tmp_path: Path) -> None:
    task = exported(annotations=[{"result": [answer("outcome", ["Success"])]}])
    assert [one.rater for one in labels(put(tmp_path / "ann.json", json.dumps([task])))] == ["ann"]


def test_a_project_that_is_not_there_is_no_empty_file(tmp_path: Path) -> None:
    path = put(tmp_path / "a.json", json.dumps([exported(1), exported(2, id=12)]))
    with pytest.raises(InvalidInput) as refusal:
        read(path, project="9")
    assert (refusal.value.code, refusal.value.params["projects"]) == ("cases_no_project", "1, 2")


def test_projects_that_are_mixed_are_refused_until_one_is_chosen(tmp_path: Path) -> None:
    path = put(tmp_path / "a.json", json.dumps([exported(1), exported(2, id=12)]))
    with pytest.raises(InvalidInput) as refusal:
        labels(path)
    assert (refusal.value.code, refusal.value.params["projects"]) == ("cases_mixed_projects", "1, 2")
    assert len(read(path, project="2")) == 2


@pytest.mark.parametrize("odd", [None, 3, "x", {"annotations": []}, {"data": 3, "annotations": []}])
def test_an_entry_that_is_no_task_is_named(tmp_path: Path, odd: Any) -> None:
    with pytest.raises(InvalidInput) as refusal:
        read(put(tmp_path / "a.json", json.dumps([exported(), odd])))
    assert (refusal.value.code, refusal.value.params["row"]) == ("cases_no_task", 2)


@pytest.mark.parametrize(
    "result", [None, 3, [None], [{"value": 3}], [{"from_name": 3, "value": {"choices": None}}], [{"value": {"brush": 1}}]]
)
def test_odd_answers_are_no_labels(tmp_path: Path, result: Any) -> None:
    task = exported(annotations=[{"completed_by": None, "result": result}])
    found = labels(put(tmp_path / "a.json", json.dumps([task])))
    assert [one for one in found if one.value is not None] == []


# There and back


@given(st.lists(valid_case(), max_size=4), st.sampled_from([Format.JSON, Format.JSONL, Format.CSV]))
@settings(max_examples=80)
def test_what_is_written_is_read_back_the_same(cases: list[Json], form: Format) -> None:
    stream = io.StringIO(newline="")
    assert write_cases(lambda: cases, stream, form) == len(cases)
    content = stream.getvalue().encode("utf-8")
    suffix = {Format.JSON: ".json", Format.JSONL: ".jsonl", Format.CSV: ".csv"}[form]
    if form is Format.CSV and not cases:
        return
    back = [row.data for row in CaseFile(lambda: io.BytesIO(content), "x", suffix).rows() if isinstance(row, Row)]
    assert back == [one | {"sources": one["sources"]} for one in cases]


def test_a_formula_does_not_reach_a_spreadsheet_and_comes_back_as_it_was(tmp_path: Path) -> None:
    case = CASE | {"text": "=HYPERLINK(1)", "recommended_action": "'@x"}
    stream = io.StringIO(newline="")
    write_cases(lambda: [case], stream, Format.CSV)
    (row,) = csv.DictReader(io.StringIO(stream.getvalue()))
    assert (row["text"], row["recommended_action"]) == ("'=HYPERLINK(1)", "''@x")
    assert datas(put(tmp_path / "a.csv", stream.getvalue())) == [case]


def test_a_task_to_import_carries_the_labels_as_a_prediction(tmp_path: Path) -> None:
    task = task_of(CASE)
    assert task["data"] == CASE
    assert [(one["from_name"], one["value"]["choices"]) for one in task["predictions"][0]["result"]] == [
        ("outcome", ["Success"]),
        ("outcome_status", ["verified_correct"]),
        ("verification_confidence", ["medium"]),
        ("sources.0.source_role", ["secondary_source"]),
        ("sources.0.coi_status", ["none"]),
    ]
    stream = io.StringIO()
    write_cases(lambda: [CASE], stream, Format.LABEL_STUDIO)
    assert datas(put(tmp_path / "a.json", stream.getvalue())) == [CASE]


def test_single_labels_are_written_as_a_long_table(tmp_path: Path) -> None:
    given_labels = [Annotation("A", "u", "f", "=1"), Annotation("B", "u", "f", None)]
    stream = io.StringIO(newline="")
    assert write_annotations(given_labels, stream) == 2
    assert labels(put(tmp_path / "a.csv", stream.getvalue())) == given_labels


def test_the_name_of_a_file_tells_its_format() -> None:
    assert [format_for(suffix) for suffix in (".JSON", ".jsonl", ".csv", "")] == [
        Format.JSON,
        Format.JSONL,
        Format.CSV,
        Format.JSONL,
    ]


def test_records_hold_the_labels_as_values_of_their_kinds(tmp_path: Path) -> None:
    (case,) = cases_of(put(tmp_path / "a.json", json.dumps([CASE | {"memo": 1}])))
    assert (case.outcome, case.extra) == (Outcome.SUCCESS, {"memo": 1})
