"""Somebody's own statements: reading works, nothing else does, and nothing runs on or eats the machine."""

import threading
import time
from pathlib import Path
from random import Random

import pytest

from lyra.core.errors import InvalidInput
from lyra.store.evidence_store import EvidenceStore, open_store
from lyra.store.queries.records import Blob, QueryLimits
from lyra.store.queries.sandbox import run_statement
from tests.fakes import FakeClock

LIMITS = QueryLimits(seconds=0.4, memory_bytes=48 * 2**20, rows=5)
COUNTING = "WITH RECURSIVE c (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c)"

REFUSED = [
    "INSERT INTO tasks VALUES ('t', 'q', NULL, 'active', '', '')",
    "INSERT OR REPLACE INTO tasks SELECT * FROM tasks",
    "REPLACE INTO tasks VALUES ('t', 'q', NULL, 'active', '', '')",
    "UPDATE edges SET nli_confidence = 1.0",
    "UPDATE claims SET claim_text = 'x' RETURNING claim_id",
    "DELETE FROM edges",
    "WITH doomed AS (SELECT 1) DELETE FROM claims",
    "/* SELECT */ DELETE FROM claims -- SELECT",
    "DROP TABLE edges",
    "DROP VIEW claim_values",
    "ALTER TABLE edges RENAME TO other",
    "CREATE TABLE mine (x)",
    "CREATE TEMP TABLE mine (x)",
    "CREATE TEMP VIEW mine AS SELECT 1",
    "CREATE TEMP TRIGGER mine AFTER INSERT ON tasks BEGIN DELETE FROM edges; END",
    "CREATE VIRTUAL TABLE temp.mine USING fts5 (x)",
    "CREATE INDEX mine ON edges (relation)",
    "INSERT INTO fragment_index (fragment_index) VALUES ('delete-all')",
    "PRAGMA journal_mode = DELETE",
    "PRAGMA query_only = OFF",
    "PRAGMA writable_schema = ON",
    "PRAGMA data_version",
    "PRAGMA hard_heap_limit = 0",
    "SELECT * FROM pragma_database_list",
    "ATTACH DATABASE 'other.db' AS other",
    "ATTACH ':memory:' AS other",
    "DETACH main",
    "VACUUM INTO 'copy.db'",
    "VACUUM",
    "REINDEX",
    "ANALYZE",
    "BEGIN IMMEDIATE",
    "COMMIT",
    "SAVEPOINT mine",
    "SELECT load_extension('evil')",
    "SELECT fts3_tokenizer('simple')",
    "SELECT * FROM dbstat",
    "EXPLAIN DELETE FROM edges",
]
LEGAL = [
    ("SELECT replace('a write', 'write', 'update')", "a update"),
    ("SELECT count(*) FROM pages WHERE title LIKE '%update%' OR title LIKE '%delete from%'", 0),
    ("SELECT 'drop table edges; --'", "drop table edges; --"),
    ("SELECT 1; -- that is all", 1),
    ("WITH x AS (SELECT 7 AS n) SELECT n FROM x", 7),
    (f"{COUNTING} SELECT n FROM c LIMIT 1", 1),
    ("VALUES (3)", 3),
    ("SELECT count(*) FROM sqlite_schema WHERE name = 'edges'", 1),
    ("SELECT count(*) FROM fragment_index WHERE fragment_index MATCH 'nothing'", 0),
    ("SELECT sum(value) FROM json_each('[1, 2]')", 3),
    ("SELECT 9e999", "Infinity"),
    ("SELECT zeroblob(12)", Blob(12)),
    ("SELECT NULL", None),
]
TOO_MUCH = [
    (f"{COUNTING} SELECT count(*) FROM c", "query_too_slow"),
    (f"{COUNTING} SELECT n FROM c WHERE n < 0", "query_too_slow"),
    (
        "SELECT count(*) FROM sqlite_schema a, sqlite_schema b, sqlite_schema c, sqlite_schema d, sqlite_schema e",
        "query_too_slow",
    ),
    (f"{COUNTING} SELECT group_concat(n || hex(zeroblob(100000))) FROM c", "query_too_large"),
    (f"{COUNTING} SELECT zeroblob(100000) || n AS x FROM c ORDER BY x", "query_too_large"),
    (f"{COUNTING} SELECT json_group_array(hex(zeroblob(100000))) FROM c", "query_too_large"),
    (
        "WITH RECURSIVE d (s) AS (SELECT 'x' UNION ALL SELECT s || s FROM d) SELECT length(s) FROM d WHERE s = ''",
        "query_too_large",
    ),
    ("SELECT zeroblob(1000000000)", "query_too_large"),
    ("SELECT randomblob(500000000)", "query_too_large"),
    ("SELECT printf('%.*c', 900000000, 'x')", "query_too_large"),
    ("SELECT replace(hex(zeroblob(10000000)), '0', 'many more characters')", "query_too_large"),
    ("SELECT 'x' LIKE replace(hex(zeroblob(500)), '0', '%')", "query_wrong"),
    (f"SELECT {'+'.join(['1'] * 500)}", "query_wrong"),
    (" UNION ALL ".join(["SELECT 1"] * 200), "query_wrong"),
]
WRONG = [
    ("SELEC 1", "query_wrong"),
    ("SELECT * FROM nowhere", "query_wrong"),
    ("SELECT CAST(x'ff' AS TEXT)", "query_wrong"),
    ("SELECT 1; SELECT 2", "query_several"),
    ("SELECT 1; DELETE FROM edges", "query_refused"),
    ("", "query_empty"),
    (" -- nothing\n", "query_empty"),
    ("SELECT :a", "query_parameter_missing"),
    ("SELECT ?", "query_parameter_missing"),
]


@pytest.fixture
def path(store: EvidenceStore) -> Path:
    store.tasks.create("Why?", None, [])
    return store.database.path


def snapshot(path: Path) -> bytes:
    return path.read_bytes() + path.with_name(path.name + "-wal").read_bytes()


@pytest.mark.parametrize("sql", REFUSED)
def test_a_statement_that_would_do_more_than_read_is_refused_and_leaves_the_file_as_it_is(path: Path, sql: str) -> None:
    before, beside = snapshot(path), sorted(entry.name for entry in path.parent.iterdir())
    with pytest.raises(InvalidInput) as refusal:
        run_statement(path, sql, {}, LIMITS)
    assert refusal.value.code == "query_refused"
    assert snapshot(path) == before
    assert sorted(entry.name for entry in path.parent.iterdir()) == beside


@pytest.mark.parametrize(("sql", "value"), LEGAL)
def test_a_statement_that_only_reads_is_answered_whatever_words_are_in_it(path: Path, sql: str, value: object) -> None:
    assert run_statement(path, sql, {}, LIMITS).rows[0][0] == value


@pytest.mark.parametrize(("sql", "code"), TOO_MUCH)
def test_a_statement_that_costs_too_much_is_ended(path: Path, sql: str, code: str) -> None:
    with pytest.raises(InvalidInput) as refusal:
        run_statement(path, sql, {}, LIMITS)
    # Which limit is met first depends on the machine.
    ended = {"query_too_slow", "query_too_large"}
    assert refusal.value.code in (ended if code in ended else {code})


@pytest.mark.parametrize(("sql", "code"), WRONG)
def test_a_wrong_statement_is_named_as_what_it_is(path: Path, sql: str, code: str) -> None:
    with pytest.raises(InvalidInput) as refusal:
        run_statement(path, sql, {}, LIMITS)
    assert refusal.value.code == code


def test_parameters_are_bound_and_never_read_as_sql(path: Path) -> None:
    hostile = "x'; DROP TABLE edges; --"
    assert run_statement(path, "SELECT :a, :b", {"a": hostile, "b": 3}, LIMITS).rows == ((hostile, 3),)


def test_a_parameter_that_the_statement_does_not_name_is_refused(path: Path) -> None:
    with pytest.raises(InvalidInput) as refusal:
        run_statement(path, "SELECT :a", {"a": 1, "typo": 2}, LIMITS)
    assert (refusal.value.code, refusal.value.params["name"]) == ("query_parameter_unused", "typo")


def test_rows_beyond_the_limit_are_left_out_and_said_to_be(path: Path) -> None:
    table = run_statement(path, f"{COUNTING} SELECT n, n * 2 AS twice FROM c", {}, LIMITS)
    assert table.columns == ("n", "twice")
    assert (len(table.rows), table.truncated) == (5, "rows")
    assert run_statement(path, f"{COUNTING} SELECT n FROM c LIMIT 5", {}, LIMITS).truncated is None


def test_an_answer_never_grows_beyond_its_size(path: Path) -> None:
    limits = QueryLimits(seconds=5, rows=1_000, answer_bytes=10_000)
    table = run_statement(path, f"{COUNTING} SELECT hex(zeroblob(500)) FROM c", {}, limits)
    assert (len(table.rows), table.truncated) == (9, "size")


def test_a_long_text_is_cut_and_counted(path: Path) -> None:
    table = run_statement(path, "SELECT hex(zeroblob(20000)), 'short'", {}, LIMITS)
    assert table.rows == (("0" * LIMITS.cell_chars + "…", "short"),)
    assert table.cut_cells == 1


def test_the_plan_of_a_statement_can_be_asked_for(path: Path) -> None:
    (row,) = run_statement(path, "EXPLAIN QUERY PLAN SELECT * FROM edges WHERE edge_id = 'x'", {}, LIMITS).rows
    assert "edges" in str(row[-1])


def test_columns_are_told_when_there_is_no_row(path: Path) -> None:
    assert run_statement(path, "SELECT claim_id, confidence FROM claim_values", {}, LIMITS).columns == ("claim_id", "confidence")


def test_a_running_statement_holds_up_no_writer(store: EvidenceStore, path: Path) -> None:
    ended: list[str] = []

    def run() -> None:
        try:
            run_statement(path, f"{COUNTING} SELECT count(*) FROM c, tasks", {}, QueryLimits(seconds=3))
        except InvalidInput as problem:
            ended.append(problem.code)

    running = threading.Thread(target=run)
    running.start()
    time.sleep(0.3)
    with open_store(path.parent, FakeClock(), Random(3), busy_seconds=0.0) as other:
        for number in range(20):
            other.tasks.create(f"question {number}", None, [])
    assert ended == []
    running.join()
    assert ended == ["query_too_slow"]
    assert len(store.tasks.all()) == 21


def test_a_worker_that_cannot_be_interrupted_is_ended(path: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    stuck = tmp_path / "stuck.py"
    stuck.write_text("import sys, time\nsys.stdin.read()\nprint(flush=True)\ntime.sleep(600)\n", encoding="utf-8")
    monkeypatch.setattr("lyra.store.queries.sandbox._WORKER", stuck)
    with pytest.raises(InvalidInput) as refusal:
        run_statement(path, "SELECT 1", {}, LIMITS)
    assert refusal.value.code == "query_too_slow"


def test_a_worker_that_dies_is_taken_for_one_that_wanted_too_much(
    path: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    dying = tmp_path / "dying.py"
    dying.write_text("import sys\nsys.stdin.read()\nprint(flush=True)\nsys.exit(9)\n", encoding="utf-8")
    monkeypatch.setattr("lyra.store.queries.sandbox._WORKER", dying)
    with pytest.raises(InvalidInput) as refusal:
        run_statement(path, "SELECT 1", {}, LIMITS)
    assert refusal.value.code == "query_too_large"


def test_a_statement_sees_what_was_just_committed(store: EvidenceStore, path: Path) -> None:
    store.tasks.create("And now?", None, [])
    assert run_statement(path, "SELECT question FROM tasks ORDER BY rowid", {}, LIMITS).rows == (("Why?",), ("And now?",))


def test_the_worker_knows_no_secret_of_its_surroundings(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LYRA_OPENALEX_KEY", "secret")
    seen: dict[str, str] = {}

    def ran(*_: object, env: dict[str, str], **__: object) -> object:
        seen.update(env)
        raise OSError(11, "no processes left")

    monkeypatch.setattr("lyra.store.queries.sandbox.subprocess.Popen", ran)
    with pytest.raises(Exception, match="no processes left"):
        run_statement(path, "SELECT 1", {}, LIMITS)
    assert "PATH" in seen
    assert not [name for name in seen if "KEY" in name or name.startswith("LYRA")]
