"""CSV: a row for each item of evidence, the same values as the JSON, and no formula of a document's own."""

import csv
import io
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lyra.core.materials import Materials
from lyra.core.own_result import CSV_HEAD
from lyra.core.records import Claim
from lyra.interfaces.exports.table import CLAIM_COLUMNS, COLUMNS, EVIDENCE_COLUMNS, table
from lyra.interfaces.presenter import claim_json, evidence_json
from tests.fakes import evidence
from tests.interfaces.test_presenter import material, materials


def rows(found: Materials) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(table(found), newline=""), strict=True))


def test_there_is_a_row_for_each_item_and_one_for_a_claim_without_any() -> None:
    bare = Claim("claim_2", "task_1", "It does not.", "en")
    found = materials(material([evidence("edge_1", "supports", 0.9), evidence("edge_2", "neutral", 0.8)]), material([], bare))
    assert [(row["claim_id"], row["edge_id"]) for row in rows(found)] == [
        ("claim_1", "edge_1"),
        ("claim_1", "edge_2"),
        ("claim_2", ""),
    ]
    assert {rows(found)[2][column] for column in EVIDENCE_COLUMNS} == {""}


def test_the_values_are_those_of_the_json() -> None:
    edge = replace(evidence("edge_1", "refutes", 0.8123456789), authors=("Ann", "Bob"), published_on="2021-03", retracted=True)
    one = material([edge])
    (row,) = rows(materials(one))
    claim, item = claim_json(one), evidence_json(edge)
    for name in ("confidence", "alpha", "beta", "evidence_count", "reason_code"):
        assert row[name] == str(claim[name])
    for name in ("nli_confidence", "relation", "year", "url", "fragment_id"):
        assert row[name] == str(item[name])
    assert [float(row["interval_low"]), float(row["interval_high"])] == claim["interval"]
    assert (row["start"], row["end"], row["stale"], row["retracted"]) == ("0", "5", "false", "true")
    assert (row["authors"], row["doi"]) == ("Ann; Bob", "")


def test_no_column_is_left_empty_by_a_wrong_name() -> None:
    full = replace(evidence("edge_1", "supports", 0.9), other_page_ids=("page_b",))
    known = claim_json(material([full])) | evidence_json(full)
    inner = {"interval_low", "interval_high", "supports", "refutes", "neutral"}
    inner |= set("start end section page_number path stale page_version_id content_hash origin_group origin_reasons".split())
    inner |= {f"independent_{name}" for name in "confidence uncertainty controversy alpha beta".split()}
    inner |= {"independent_groups_for", "independent_groups_against"}
    assert set(COLUMNS) - inner <= set(known)
    assert len(set(COLUMNS)) == len(COLUMNS) == len(CLAIM_COLUMNS) + len(EVIDENCE_COLUMNS)
    assert table(materials()).startswith(CSV_HEAD)


@given(st.one_of(st.text(), st.text(alphabet="=+-@\t\r\n'\",; a", max_size=12)))
def test_a_table_is_read_back_as_it_was_and_holds_no_formula(text: str) -> None:
    (row,) = rows(materials(material([replace(evidence("edge_1", "supports", 0.9), quote=text, title=text)])))
    for cell in (row["quote"], row["title"]):
        assert not cell.startswith(("=", "+", "-", "@", "\t", "\r", "\n"))
        assert text in (cell, cell[1:])


@pytest.mark.parametrize(
    ("text", "cell"),
    [
        ("=1+1", "'=1+1"),
        ("'=1+1", "''=1+1"),
        ("-5 °C", "'-5 °C"),
        ("＝1", "'＝1"),
        ("'quoted'", "'quoted'"),
        ("a\nb", "a\nb"),
    ],
)
def test_an_apostrophe_stands_before_what_a_spreadsheet_would_compute(text: str, cell: str) -> None:
    (row,) = rows(materials(material([replace(evidence("edge_1", "supports", 0.9), quote=text)])))
    assert row["quote"] == cell


def test_every_row_tells_its_origin_and_the_independent_values() -> None:
    edges = [evidence("edge_1", "supports", 0.9, "page_a"), evidence("edge_2", "supports", 0.8, "page_b")]
    same = [replace(edge, work_keys=("one work|smith",)) for edge in edges]
    found = rows(materials(material([*same, evidence("edge_3", "refutes", 0.5, "page_c"), evidence("edge_4", "neutral", 0.5)])))
    assert [row["origin_group"] for row in found] == ["1", "1", "2", ""]
    assert [row["origin_reasons"] for row in found] == ["same_work", "same_work", "", ""]
    assert {(row["independent_alpha"], row["independent_beta"], row["independent_confidence"]) for row in found} == {
        ("1.9", "1.5", "0.559")
    }
    assert {(row["independent_groups_for"], row["independent_groups_against"]) for row in found} == {("1", "1")}
