"""`lyra query` and paged materials at the command line, for people and programs, in both languages."""

import re
from pathlib import Path

import pytest

from tests.interfaces.terminal import Terminal

CLAIMS = ("Cats sleep most of the day.", "Dogs bark at strangers.", "Cats hunt mice at dusk.")


@pytest.fixture
def task(terminal: Terminal, library: Path) -> str:
    return str(terminal.run("check", *CLAIMS, "--library", library, "--json").json["task_id"])


def test_a_view_is_a_table_for_people_and_rows_for_programs(terminal: Terminal, task: str) -> None:
    ran = terminal.run("query", "--view", "most_uncertain", "--task", task, "--json").json
    assert (ran["view"], ran["parameters"], ran["truncated"]) == ("most_uncertain", {"task": task}, None)
    assert [row[ran["columns"].index("claim_text")] for row in ran["rows"]] != []
    assert all(re.fullmatch(r"0(\.\d{1,3})?", str(row[ran["columns"].index("confidence")])) for row in ran["rows"])
    shown = terminal.run("query", "--view", "most_uncertain")
    assert shown.code == 0
    assert all(claim in shown.out for claim in CLAIMS)


def test_a_limit_says_that_there_is_more(terminal: Terminal, task: str) -> None:
    ran = terminal.run("query", "--view", "most_uncertain", "--limit", "1")
    assert "There are more than these 1 rows" in ran.err
    assert terminal.run("query", "--view", "most_uncertain", "--limit", "1", "--json").json["truncated"] == "rows"


def test_the_views_are_listed_in_both_languages(terminal: Terminal, japanese: Terminal) -> None:
    english = terminal.run("query", "--views")
    assert "citation_neighbours  page [distance]" in english.out
    assert re.search(r"[\u3040-\u30ff]", japanese.run("query", "--views").out)
    (view,) = [one for one in terminal.run("query", "--views", "--json").json["views"] if one["name"] == "contradictions"]
    assert view["parameters"][1] == {
        "name": "least",
        "kind": "number",
        "required": False,
        "default": 0.5,
        "low": 0.0,
        "high": 1.0,
    }


def test_sql_is_answered_with_values_as_they_are(terminal: Terminal, task: str) -> None:
    sql = "SELECT task_id, 0.1 + 0.2 AS sum, NULL AS missing, zeroblob(3) AS blob FROM tasks WHERE task_id = :task"
    ran = terminal.run("query", sql, "--task", task, "--json").json
    assert ran["columns"] == ["task_id", "sum", "missing", "blob"]
    assert ran["rows"] == [[task, 0.1 + 0.2, None, {"blob_bytes": 3}]]
    shown = terminal.run("query", sql, "--param", f"task={task}").out
    assert "[3 bytes]" in shown and "–" in shown


def test_long_texts_and_many_columns_are_shown_one_below_the_other(terminal: Terminal, task: str) -> None:
    ran = terminal.run("query", "SELECT * FROM edges LIMIT 1")
    assert "nli_confidence_raw" in ran.out
    assert max(map(len, ran.out.splitlines())) <= 100
    cut = terminal.run("query", "SELECT hex(zeroblob(5000)) AS long")
    assert "Long texts were cut: 1" in cut.err


def test_what_a_document_says_reaches_no_terminal_as_an_escape(terminal: Terminal) -> None:
    ran = terminal.run("query", "SELECT char(27) || '[31mred' AS text")
    assert "\x1b" not in ran.out


def test_nothing_found_is_said(terminal: Terminal) -> None:
    assert terminal.run("query", "SELECT 1 WHERE 0").out == "Nothing found.\n"
    assert terminal.run("query", "--view", "contradictions").out == "Nothing found.\n"
    assert terminal.run("query", "--text", "nothing").out == "Nothing found.\n"


def test_text_is_found_with_its_place(terminal: Terminal, task: str) -> None:
    ran = terminal.run("query", "--text", "cats hunt", "--task", task, "--limit", "1", "--json").json
    (passage,) = ran["passages"]
    assert (ran["text"], ran["task_id"]) == ("cats hunt", task)
    assert "hunt" in passage["quote"]
    assert ran["fragments_searched"] == ran["fragments_with_vectors"]
    shown = terminal.run("query", "--text", "cats hunt", "--limit", "1").out
    assert shown.startswith("1. Sleep of cats (year unknown)\n")


def test_fragments_without_vectors_are_said_to_be_searched_by_words_alone(terminal: Terminal, library: Path) -> None:
    terminal.run("library", "add", library)
    ran = terminal.run("query", "--text", "cats")
    assert "searched by their words alone" in ran.err
    assert "Sleep of cats" in ran.out


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ((), "query_what"),
        (("SELECT 1", "--view", "freshness"), "query_what"),
        (("--view", "freshnes"), "unknown_view"),
        (("--view", "freshness", "--param", "after=2000"), "unknown_view_parameter"),
        (("--view", "freshness", "--param", "before"), "bad_parameter"),
        (("--view", "freshness", "--param", "before=1", "--param", "before=2"), "bad_parameter"),
        (("--view", "freshness", "--limit", "many"), "bad_number"),
        (("--view", "freshness", "--limit", "0"), "bad_number"),
        (("--text", "x", "--limit", "201"), "bad_number"),
        (("--text", "x", "--param", "a=1"), "query_parameter_unused"),
        (("--text", "x", "--task", "task_none"), "unknown_task"),
        (("--view", "citation_neighbours", "--task", "x"), "unknown_view_parameter"),
        (("DELETE FROM edges",), "query_refused"),
        (("SELECT * FROM nowhere",), "query_wrong"),
        ((f"SELECT '{'x' * 100_001}'",), "query_too_long"),
        (("SELECT 1", "--task", "x"), "query_parameter_unused"),
    ],
)
def test_bad_input_ends_in_2_with_one_sentence_in_both_languages(
    terminal: Terminal, japanese: Terminal, arguments: tuple[str, ...], code: str
) -> None:
    ran = terminal.run("query", *arguments, "--json")
    assert (ran.code, ran.json["error"]["code"]) == (2, code)
    spoken = japanese.run("query", *arguments)
    assert spoken.code == 2
    assert spoken.out == ""
    assert re.search(r"[\u3040-\u30ff]", spoken.err)
    assert spoken.err.count("\n") == 1


def test_the_time_a_statement_may_take_is_a_setting(tmp_path: Path) -> None:
    quick = Terminal(tmp_path / "home", {"LYRA_QUERY_SECONDS": "0.2"})
    endless = "WITH RECURSIVE c (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c) SELECT count(*) FROM c"
    ran = quick.run("query", endless, "--json")
    assert (ran.code, ran.json["error"]["code"]) == (2, "query_too_slow")
    assert "0.2 seconds" in ran.json["error"]["message"]


# Pages of materials


def test_materials_come_page_by_page(terminal: Terminal, task: str) -> None:
    whole = terminal.run("materials", task, "--json").json
    assert "page" not in whole
    seen, cursor = [], None
    for _ in CLAIMS:
        after = ("--after", cursor) if cursor else ("--order", "uncertainty")
        page = terminal.run("materials", task, "--limit", "1", *after, "--json").json
        seen += page["claims"]
        cursor = page["page"]["next"]
    assert cursor is None
    assert (page["page"]["claims_shown"], page["page"]["claims_total"], page["page"]["order"]) == (1, 3, "uncertainty")
    by_id = {claim["claim_id"]: claim for claim in whole["claims"]}
    assert {claim["claim_id"]: claim for claim in seen} == by_id


def test_a_page_for_people_says_how_to_go_on(terminal: Terminal, task: str) -> None:
    ran = terminal.run("materials", task, "--limit", "2")
    cursor = re.search(r"--after (\S+)`", ran.err)
    assert cursor is not None
    rest = terminal.run("materials", task, "--limit", "2", "--after", cursor[1])
    assert rest.err == ""
    assert CLAIMS[1] in ran.out and CLAIMS[1] not in rest.out
    assert CLAIMS[2] in rest.out and CLAIMS[2] not in ran.out


def test_less_evidence_is_listed_when_asked(terminal: Terminal, task: str) -> None:
    whole = terminal.run("materials", task, "--json").json["claims"]
    short = terminal.run("materials", task, "--evidence", "1", "--json").json["claims"]
    for one, other in zip(whole, short, strict=True):
        assert len(other["evidence"]) == min(1, len(one["evidence"]))
        assert other["evidence_omitted"] == len(one["evidence"]) - len(other["evidence"])
        assert other["confidence"] == one["confidence"]


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("--limit", "0"), "bad_number"),
        (("--limit", "x"), "bad_number"),
        (("--evidence", "-1"), "bad_number"),
        (("--order", "best"), "unknown_order"),
        (("--after", "c1.x"), "bad_cursor"),
    ],
)
def test_a_page_that_cannot_be_is_refused(terminal: Terminal, task: str, arguments: tuple[str, ...], code: str) -> None:
    ran = terminal.run("materials", task, *arguments, "--json")
    assert (ran.code, ran.json["error"]["code"]) == (2, code)
