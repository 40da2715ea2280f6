"""The migration that widens the timeline and the jobs keeps what is there, and gives no number twice."""

from pathlib import Path

import pytest

from lyra.store.database import Database
from lyra.store.migrations import known_migrations, migrate

MODELS = 12


@pytest.fixture
def before(tmp_path: Path) -> Path:
    """A database as it was before, with one edge, its history, and a job."""
    path = tmp_path / "old.db"
    with Database(path) as database, database.transaction():
        database.run_script("CREATE TABLE schema_migrations (version INTEGER PRIMARY KEY, name TEXT NOT NULL, applied_at TEXT)")
        for number, name, sql in known_migrations():
            if number < MODELS:
                database.run_script(sql)
                database.run("INSERT INTO schema_migrations VALUES (?, ?, 'then')", (number, name))
        database.run("INSERT INTO tasks VALUES ('task_1', 'q', NULL, 'active', 'then', 'then')")
        database.run(
            "INSERT INTO fragments (fragment_id, text_hash, fragment_text, fragment_language, fragmenter_version, created_at)"
            " VALUES ('frag_1', 'h', 'text', 'ja', '1', 'then')"
        )
        database.run(
            "INSERT INTO claims (claim_id, task_id, claim_position, claim_text, claim_text_hash, claim_language, created_at)"
            " VALUES ('claim_1', 'task_1', 1, 'text', 'h', 'en', 'then')"
        )
        database.run(
            "INSERT INTO edges (edge_id, fragment_id, claim_id, relation, nli_label, nli_confidence, nli_confidence_raw,"
            " nli_supports, nli_refutes, nli_neutral, nli_model, nli_model_version, created_at)"
            " VALUES ('edge_1', 'frag_1', 'claim_1', 'supports', 'supports', 0.9, 0.9, 0.9, 0, 0.1, 'm', '1', 'then')"
        )
        for kind in ("found", "judged", "judged"):
            database.run("INSERT INTO claim_timeline (claim_id, event_type, created_at) VALUES ('claim_1', ?, 'then')", (kind,))
        database.run("DELETE FROM claim_timeline WHERE event_seq = 3")
        database.run(
            "INSERT INTO jobs (job_id, task_id, job_kind, status, fencing_token, created_at, updated_at)"
            " VALUES ('job_1', 'task_1', 'check', 'queued', 4, 'then', 'then')"
        )
    return path


def test_what_was_there_is_there_and_edges_know_their_languages(before: Path) -> None:
    with Database(before) as database:
        migrate(database, "now")
        assert database.rows("SELECT claim_language, fragment_language FROM edges") == [("en", "ja")]
        assert database.rows("SELECT event_seq, event_type FROM claim_timeline") == [(1, "found"), (2, "judged")]
        assert database.rows("SELECT job_id, job_kind, fencing_token FROM jobs") == [("job_1", "check", 4)]
        assert database.value("PRAGMA foreign_key_check") is None


def test_numbers_of_events_that_are_gone_are_not_given_again(before: Path) -> None:
    with Database(before) as database:
        migrate(database, "now")
        database.run("INSERT INTO claim_timeline (claim_id, event_type, created_at) VALUES ('claim_1', 'rejudged', 'now')")
        assert database.rows("SELECT max(event_seq) FROM claim_timeline") == [(4,)]


def test_kinds_that_do_not_exist_are_still_refused(before: Path) -> None:
    with Database(before) as database:
        migrate(database, "now")
        for statement in (
            "INSERT INTO claim_timeline (claim_id, event_type, created_at) VALUES ('claim_1', 'dreamt', 'now')",
            "UPDATE jobs SET job_kind = 'dream'",
        ):
            with pytest.raises(Exception, match="CHECK constraint failed"):
                database.run(statement)
