"""Claims as people give them: every format, and what is wrong with a row is said of that row alone."""

import csv
import io
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lyra.core.claim_input import MAX_CLAIM_CHARS, MAX_RECORD_LINES, GivenClaim, ParsedClaims, check_claim, parse_claims
from lyra.core.errors import InvalidInput

SLEEP, COFFEE = "Sleep improves memory.", "Coffee shortens sleep."

claims = st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=40).map(lambda text: f"x{text}".rstrip())


def parsed(text: str, suffix: str) -> ParsedClaims:
    return parse_claims(text, suffix, f"claims{suffix}")


def rows(found: ParsedClaims) -> list[tuple[int, str]]:
    return [(claim.row, claim.text) for claim in found.claims]


def faults(found: ParsedClaims) -> list[tuple[str, object]]:
    return [(problem.code, problem.params.get("row", problem.params.get("where"))) for problem in found.problems]


# One claim


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        pytest.param(f"  {SLEEP}\n", SLEEP, id="surrounding space"),
        pytest.param("Sleep\x00 improves\x1b memory.\ud800", SLEEP, id="control characters and broken surrogates"),
        pytest.param("睡眠は記憶を改善する。", "睡眠は記憶を改善する。", id="Japanese"),
        pytest.param("first\n\tsecond", "first\n\tsecond", id="line breaks inside"),
        pytest.param("x" * MAX_CLAIM_CHARS, "x" * MAX_CLAIM_CHARS, id="the longest claim"),
        pytest.param("x" * MAX_CLAIM_CHARS + "\n", "x" * MAX_CLAIM_CHARS, id="the longest claim with its line end"),
        pytest.param("㍿", "㍿", id="a character that is a word"),
    ],
)
def test_a_claim_is_kept_as_it_was_given(given: str, kept: str) -> None:
    assert check_claim(given) == kept


@pytest.mark.parametrize("given", ["", "   ", "\n\t", "...", "\u200b\ufeff", "\x00\x07", "—!?"])
def test_a_claim_without_a_word_is_refused(given: str) -> None:
    with pytest.raises(InvalidInput) as refusal:
        check_claim(given, "claims.txt:3")
    assert (refusal.value.code, refusal.value.params["where"]) == ("empty_claim", "claims.txt:3: ")


def test_a_claim_that_is_too_long_is_refused() -> None:
    with pytest.raises(InvalidInput) as refusal:
        check_claim("x" * (MAX_CLAIM_CHARS + 1))
    assert refusal.value.code == "claim_too_long"
    assert refusal.value.params["length"] == MAX_CLAIM_CHARS + 1


# Lines


@pytest.mark.parametrize("suffix", [".txt", ".md", "", ".TXT"])
def test_every_other_file_holds_one_claim_a_line(suffix: str) -> None:
    found = parsed(f"# my claims\n\n{SLEEP}\r\n  # later\n{COFFEE}\n", suffix)
    assert rows(found) == [(3, SLEEP), (5, COFFEE)]
    assert found.problems == ()


def test_a_bad_line_is_named_and_the_others_are_kept() -> None:
    found = parsed(f"{SLEEP}\n???\n{COFFEE}", ".txt")
    assert rows(found) == [(1, SLEEP), (3, COFFEE)]
    assert faults(found) == [("empty_claim", "claims.txt:2: ")]


def test_unusual_line_separators_do_not_shift_the_rows() -> None:
    assert rows(parsed(f"{SLEEP}\u2028still\x0bhere\n{COFFEE}", ".txt"))[1] == (2, COFFEE)


# CSV and TSV


@pytest.mark.parametrize("header", ["claim", "Claim", "text", "statement", "主張", " claim "])
def test_the_claim_column_is_found_by_its_name(header: str) -> None:
    found = parsed(f"id,{header},note\n1,{SLEEP},x\n2,{COFFEE},y\n", ".csv")
    assert rows(found) == [(2, SLEEP), (3, COFFEE)]


def test_claim_is_preferred_to_the_other_names() -> None:
    assert rows(parsed(f"text,claim\nnothing here,{SLEEP}\n", ".csv")) == [(2, SLEEP)]


def test_a_single_column_needs_no_header() -> None:
    assert rows(parsed(f"{SLEEP}\n{COFFEE}\n", ".csv")) == [(1, SLEEP), (2, COFFEE)]


def test_tabs_separate_the_columns_of_a_tsv() -> None:
    assert rows(parsed(f"id\tclaim\n1\tSleep, they say, helps.\n2\t{COFFEE}\n", ".tsv")) == [
        (2, "Sleep, they say, helps."),
        (3, COFFEE),
    ]


def test_rows_are_counted_in_lines_although_quotes_span_several() -> None:
    text = f'claim,note\n"Sleep\nimproves\nmemory.",a\n\n{COFFEE},"b\nc"\n???,d\nLast claim.,e\n'
    found = parsed(text, ".csv")
    assert rows(found) == [(2, "Sleep\nimproves\nmemory."), (6, COFFEE), (9, "Last claim.")]
    assert faults(found) == [("empty_claim", "claims.csv:8: ")]


def test_a_byte_order_mark_is_not_part_of_the_header() -> None:
    assert rows(parsed(f"\ufeffclaim,note\n{SLEEP},x\n", ".csv")) == [(2, SLEEP)]


def test_several_columns_without_a_claim_column_are_refused() -> None:
    with pytest.raises(InvalidInput) as refusal:
        parsed("id,sentence\n1,x\n", ".csv")
    assert refusal.value.code == "no_claim_column"
    assert refusal.value.params == {"path": "claims.csv", "columns": "id, sentence"}


def test_a_row_that_ends_before_the_claim_is_named() -> None:
    found = parsed(f"id,claim\n1,{SLEEP}\n2\n3,{COFFEE}\n", ".csv")
    assert rows(found) == [(2, SLEEP), (4, COFFEE)]
    assert faults(found) == [("row_too_short", 3)]


@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
def test_a_quote_that_never_ends_spoils_its_own_line_only(line_end: str) -> None:
    lines = ["claim", "Good one.", '"broken row', "Second good.", "Third good."]
    found = parsed(line_end.join(lines), ".csv")
    assert rows(found) == [(2, "Good one."), (4, "Second good."), (5, "Third good.")]
    assert faults(found) == [("broken_row", 3)]


def test_a_quote_that_only_the_next_one_ends_spoils_its_own_line_only() -> None:
    found = parsed(f'claim,note\n"broken row,a\n{SLEEP},b\n"Coffee,\nin the evening, shortens sleep.",c\nLast.,d\n', ".csv")
    assert rows(found) == [(3, SLEEP), (4, "Coffee,\nin the evening, shortens sleep."), (6, "Last.")]
    assert faults(found) == [("broken_row", 2)]


def test_a_quoted_cell_may_span_many_lines_but_not_endlessly_many() -> None:
    for breaks, usable in ((MAX_RECORD_LINES - 1, True), (MAX_RECORD_LINES, False)):
        note = "x\n" * breaks
        found = parsed(f'claim,note\n{SLEEP},"{note}"\n{COFFEE},a\n', ".csv")
        assert ((2, SLEEP) in rows(found)) == usable
        assert rows(found)[-1] == (3 + breaks, COFFEE)


def test_a_file_in_which_every_line_opens_a_quote_is_read_in_reasonable_time() -> None:
    found = parsed("claim,note\n" + 'a","b""\n' * 3_000, ".csv")
    assert len(found.problems) == 3_000


def test_a_broken_quote_in_the_middle_spoils_its_own_row_only() -> None:
    found = parsed(f'claim,note\n{SLEEP},a\n"broken"quote,b\n{COFFEE},c\n', ".csv")
    assert rows(found) == [(2, SLEEP), (4, COFFEE)]
    assert faults(found) == [("broken_row", 3)]


def test_a_monstrous_cell_spoils_its_own_row_only() -> None:
    found = parsed(f"claim\n{SLEEP}\n{'x' * 200_000}\n{COFFEE}\n", ".csv")
    assert rows(found) == [(2, SLEEP), (4, COFFEE)]
    assert faults(found) == [("broken_row", 3)]


@given(st.lists(claims, min_size=1, max_size=6), st.sampled_from(["\n", "\r\n"]))
def test_what_a_spreadsheet_writes_is_read_back(texts: list[str], line_end: str) -> None:
    sheet = io.StringIO(newline="")
    writer = csv.writer(sheet, lineterminator=line_end)
    writer.writerows([["note", "claim"], *(["a\nb", text] for text in texts)])
    found = parsed(sheet.getvalue(), ".csv")
    assert rows(found) == [(2 + 2 * number, check_claim(text)) for number, text in enumerate(texts)]


# JSON and JSON Lines


@pytest.mark.parametrize(
    "data",
    [
        pytest.param([SLEEP, COFFEE], id="a list of sentences"),
        pytest.param([{"claim": SLEEP}, {"id": 7, "text": COFFEE}], id="a list of records"),
        pytest.param({"claims": [SLEEP, {"statement": COFFEE}], "note": "x"}, id="a record with claims"),
        pytest.param([{"主張": SLEEP}, {"claim": 3, "text": COFFEE}], id="a Japanese name, a claim that is no text"),
    ],
)
def test_claims_are_found_in_every_common_shape_of_json(data: object) -> None:
    assert rows(parsed(json.dumps(data), ".json")) == [(1, SLEEP), (2, COFFEE)]


def test_a_byte_order_mark_before_json_is_ignored() -> None:
    assert rows(parsed("\ufeff" + json.dumps([SLEEP]), ".json")) == [(1, SLEEP)]


@pytest.mark.parametrize("item", [3, None, ["x"], {"id": 1}, {"claim": 5}])
def test_an_entry_without_a_claim_is_named(item: object) -> None:
    found = parsed(json.dumps([SLEEP, item]), ".json")
    assert rows(found) == [(1, SLEEP)]
    assert faults(found) == [("row_without_claim", 2)]


@pytest.mark.parametrize("text", ["{", '"a', "[1,]", "", "[" * 100_000, '{"a":' * 100_000, "1" * 5_000])
def test_json_that_cannot_be_read_is_refused(text: str) -> None:
    with pytest.raises(InvalidInput) as refusal:
        parsed(text, ".json")
    assert refusal.value.code == "broken_json"


@pytest.mark.parametrize("data", [3, None, "claim", {"claims": "x"}, {"other": []}])
def test_json_without_a_list_of_claims_is_refused(data: object) -> None:
    with pytest.raises(InvalidInput) as refusal:
        parsed(json.dumps(data), ".json")
    assert refusal.value.code == "no_claim_list"


def test_each_line_of_json_lines_stands_alone() -> None:
    deep, digits = "[" * 100_000, "1" * 5_000
    found = parsed(f'"{SLEEP}"\n\n{{"claim": "{COFFEE}"}}\r\n{{broken\n{{}}\n{deep}\n{digits}\n"Last."', ".jsonl")
    assert rows(found) == [(1, SLEEP), (3, COFFEE), (8, "Last.")]
    assert faults(found) == [("broken_row", 4), ("row_without_claim", 5), ("broken_row", 6), ("broken_row", 7)]


# Whole files


@pytest.mark.parametrize(
    ("text", "suffix"), [("", ".txt"), ("# x\n\n", ".txt"), ("claim\n", ".csv"), ("[]", ".json"), ("\n", ".jsonl")]
)
def test_a_file_without_any_claim_is_refused(text: str, suffix: str) -> None:
    with pytest.raises(InvalidInput) as refusal:
        parsed(text, suffix)
    assert (refusal.value.code, refusal.value.params["path"]) == ("no_claims_in_file", f"claims{suffix}")


@given(st.text(max_size=200), st.sampled_from([".csv", ".tsv", ".json", ".jsonl", ".txt"]))
def test_no_text_whatever_breaks_the_parser(text: str, suffix: str) -> None:
    try:
        found = parsed(text, suffix)
    except InvalidInput as refusal:
        assert refusal.code in {"no_claim_column", "broken_json", "no_claim_list", "no_claims_in_file"}
    else:
        assert found.claims or found.problems
        assert all(check_claim(claim.text) == claim.text for claim in found.claims)
        assert found.claims == tuple(sorted(found.claims, key=lambda claim: claim.row))


def test_a_claim_remembers_its_row() -> None:
    assert parsed(f"\n{SLEEP}", ".txt").claims == (GivenClaim(SLEEP, 2),)
