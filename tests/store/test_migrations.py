"""Schema changes: recorded, applied once, and refused for files that are not ours."""

from pathlib import Path
from random import Random

import apsw
import pytest

from lyra.core.errors import StoreError
from lyra.store.database import Database
from lyra.store.evidence_store import DATABASE_NAME, EvidenceStore, open_store
from lyra.store.migrations import known_migrations, migrate, schema_version
from tests.fakes import FakeClock


def test_every_version_has_a_number_of_its_own() -> None:
    numbers = [number for number, _, _ in known_migrations()]
    assert numbers[0] == 1
    assert numbers == sorted(set(numbers))


def test_every_migration_is_recorded_with_its_name(store: EvidenceStore) -> None:
    recorded = store.database.rows("SELECT version, name FROM schema_migrations ORDER BY version")
    assert recorded == [(number, name) for number, name, _ in known_migrations()]
    assert store.schema_version == known_migrations()[-1][0]


def test_opening_again_changes_nothing(store: EvidenceStore, home: Path) -> None:
    before = store.database.rows("SELECT * FROM schema_migrations")
    with open_store(home, FakeClock(), Random(2)) as again:
        assert again.database.rows("SELECT * FROM schema_migrations") == before


def test_a_schema_that_is_one_migration_behind_is_brought_up_to_date(tmp_path: Path) -> None:
    first = known_migrations()[0]
    with Database(tmp_path / "old.db") as database:
        with database.transaction():
            database.run_script(
                "CREATE TABLE schema_migrations (version INTEGER PRIMARY KEY, name TEXT NOT NULL, applied_at TEXT)"
            )
            database.run_script(first[2])
            database.run("INSERT INTO schema_migrations VALUES (1, ?, 'then')", (first[1],))
        database.run("INSERT INTO tasks VALUES ('task_1', 'kept', NULL, 'active', 'then', 'then')")
        assert migrate(database, "now") == known_migrations()[-1][0]
        assert database.value("SELECT question FROM tasks") == "kept"
        assert database.rows("SELECT applied_at FROM schema_migrations ORDER BY version")[:2] == [("then",), ("now",)]


def test_a_migration_that_fails_leaves_no_trace(tmp_path: Path) -> None:
    with Database(tmp_path / "torn.db") as database:
        database.run_script("CREATE TABLE schema_migrations (version INTEGER PRIMARY KEY, name TEXT, applied_at TEXT)")
        database.run("INSERT INTO schema_migrations VALUES (1, 'evidence_graph', 'then')")
        database.run_script("CREATE TABLE stance_cache (in_the_way TEXT)")
        before = database.rows("SELECT name FROM sqlite_master ORDER BY name")
        with pytest.raises(StoreError, match="stance_cache already exists"):
            migrate(database, "now")
        assert database.rows("SELECT name FROM sqlite_master ORDER BY name") == before
        assert schema_version(database) == 1


def closed_bytes(path: Path) -> bytes:
    assert not path.with_name(path.name + "-wal").exists()
    return path.read_bytes()


def test_a_database_from_the_future_is_refused_unchanged(store: EvidenceStore, home: Path) -> None:
    store.database.run("INSERT INTO schema_migrations VALUES (9000, 'wonders', '2126-01-01T00:00:00Z')")
    store.close()
    before = closed_bytes(home / DATABASE_NAME)
    with pytest.raises(StoreError) as refusal:
        open_store(home, FakeClock(), Random(1))
    assert refusal.value.code == "database_from_future"
    assert (refusal.value.params["found"], refusal.value.params["known"]) == (9000, known_migrations()[-1][0])
    assert closed_bytes(home / DATABASE_NAME) == before


@pytest.mark.parametrize(
    "schema",
    [
        pytest.param("CREATE TABLE photos (name TEXT)", id="another program's tables"),
        pytest.param("CREATE TABLE schema_migrations (version TEXT)", id="an empty table of the same name"),
        pytest.param("CREATE VIEW holidays AS SELECT 1", id="a view"),
    ],
)
def test_a_database_of_another_program_is_refused_unchanged(home: Path, schema: str) -> None:
    home.mkdir()
    foreign = apsw.Connection(str(home / DATABASE_NAME))
    foreign.execute(schema)
    foreign.close()
    before = closed_bytes(home / DATABASE_NAME)
    with pytest.raises(StoreError) as refusal:
        open_store(home, FakeClock(), Random(1))
    assert refusal.value.code == "database_foreign"
    assert closed_bytes(home / DATABASE_NAME) == before


def test_an_empty_file_becomes_a_store(home: Path, clock: FakeClock) -> None:
    home.mkdir()
    (home / DATABASE_NAME).touch()
    with open_store(home, clock, Random(1)) as store:
        assert store.facts().counts["tasks"] == 0


def test_a_store_with_claims_from_before_gets_their_sums(tmp_path: Path) -> None:
    with pytest.MonkeyPatch.context() as patch, Database(tmp_path / DATABASE_NAME) as old:
        patch.setattr("lyra.store.migrations.known_migrations", lambda: known_migrations()[:3])
        migrate(old, "2026")
        old.run("INSERT INTO tasks VALUES ('task_1', 'Why?', NULL, 'active', '2026', '2026')")
        old.run(
            "INSERT INTO claims (claim_id, task_id, claim_position, claim_text, claim_text_hash, claim_language, created_at)"
            " VALUES ('claim_1', 'task_1', 1, 'It does.', 'h', 'en', '2026'), ('claim_2', 'task_1', 2, 'So.', 'i', 'en', '2026')"
        )
        old.run("INSERT INTO fragments VALUES (1, 'frag_1', 'h', 'It does.', 'en', '1', '2026')")
        old.run(
            "INSERT INTO edges (edge_id, fragment_id, claim_id, relation, nli_label, nli_confidence, nli_confidence_raw,"
            " nli_supports, nli_refutes, nli_neutral, nli_model, nli_model_version, created_at)"
            " VALUES ('edge_1', 'frag_1', 'claim_1', 'supports', 'supports', 0.8, 0.8, 0.8, 0.1, 0.1, 'm', '1', '2026')"
        )
    with open_store(tmp_path, FakeClock(), Random(1)) as store:
        found = store.edges.confidences("task_1")
        assert store.database.count("SELECT count(*) FROM claim_sums WHERE is_fresh = 1") == 2
    assert (found["claim_1"].alpha, found["claim_1"].supporting_count, found["claim_2"].alpha) == (1.8, 1, 1.0)
