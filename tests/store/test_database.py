"""The database file: opened by several processes at once, refused when it is not ours, never half written."""

from collections.abc import Iterator
from pathlib import Path
from random import Random

import apsw
import pytest

from lyra.core.errors import StoreError
from lyra.store.database import Database
from lyra.store.evidence_store import DATABASE_NAME, EvidenceStore, open_store
from tests.contents import contents, faults
from tests.fakes import FakeClock, document

TEXT = "Sleep improves memory in adults."


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    with Database(tmp_path / "plain.db") as opened:
        opened.run("CREATE TABLE notes (body TEXT)")
        yield opened


def bodies(database: Database) -> list[object]:
    return [row[0] for row in database.rows("SELECT body FROM notes ORDER BY rowid")]


def refused(home: Path, busy_seconds: float = 0.05) -> str:
    with pytest.raises(StoreError) as refusal:
        open_store(home, FakeClock(), Random(1), busy_seconds)
    return refusal.value.code


# Rows in bulk


@pytest.mark.parametrize("count", [0, 1, 19, 20, 21, 60, 67])
def test_rows_inserted_several_at_a_time_are_all_there_in_order(database: Database, count: int) -> None:
    rows = [(f"note {number}",) for number in range(count)]
    database.insert_bulk("INSERT INTO notes (body)", rows)
    assert bodies(database) == [body for (body,) in rows]


def test_of_rows_inserted_several_at_a_time_only_those_already_there_are_left_out(database: Database) -> None:
    database.run("CREATE UNIQUE INDEX once ON notes (body)")
    database.insert_bulk("INSERT OR IGNORE INTO notes (body)", [(str(number % 25),) for number in range(70)])
    assert bodies(database) == [str(number) for number in range(25)]


# Transactions


def test_a_finished_block_is_kept_and_a_failed_one_leaves_nothing(database: Database) -> None:
    with database.transaction():
        database.run("INSERT INTO notes VALUES ('kept')")
    with pytest.raises(ZeroDivisionError), database.transaction():
        database.run("INSERT INTO notes VALUES ('lost')")
        raise ZeroDivisionError
    assert bodies(database) == ["kept"]


def test_a_block_inside_another_is_part_of_it(database: Database) -> None:
    with pytest.raises(ZeroDivisionError), database.transaction():
        with database.transaction():
            database.run("INSERT INTO notes VALUES ('inner')")
        raise ZeroDivisionError
    assert bodies(database) == []


def test_a_store_can_be_written_after_a_failed_block(database: Database) -> None:
    for _ in range(3):
        with pytest.raises(KeyboardInterrupt), database.transaction():
            database.run("INSERT INTO notes VALUES ('lost')")
            raise KeyboardInterrupt
    with database.transaction():
        database.run("INSERT INTO notes VALUES ('kept')")
    assert bodies(database) == ["kept"]


def test_commits_are_written_ahead_and_synced(store: EvidenceStore) -> None:
    assert store.database.value("PRAGMA journal_mode") == "wal"
    assert store.database.value("PRAGMA synchronous") == 2
    assert store.database.value("PRAGMA foreign_keys") == 1


def test_the_number_of_changed_rows_is_told(database: Database) -> None:
    database.run_many("INSERT INTO notes VALUES (?)", [("a",), ("a",), ("b",)])
    assert database.run("UPDATE notes SET body = 'c' WHERE body = 'a'") == 2
    assert database.run("UPDATE notes SET body = 'd' WHERE body = 'x'") == 0


def test_closing_twice_is_safe(tmp_path: Path) -> None:
    database = Database(tmp_path / "plain.db")
    database.close()
    database.close()
    assert (tmp_path / "plain.db").exists()


# Files that cannot be used


def test_a_file_of_rubbish_is_named_corrupted(home: Path) -> None:
    home.mkdir()
    (home / DATABASE_NAME).write_bytes(b"no database at all " * 500)
    assert refused(home) == "database_corrupted"


def test_damage_inside_the_file_is_named_corrupted(home: Path, clock: FakeClock) -> None:
    with open_store(home, clock, Random(1)) as store:
        for number in range(60):
            store.pages.register(document(TEXT * 20, f"doi:10.1000/{number}"), "", [])
    path = home / DATABASE_NAME
    damaged = bytearray(path.read_bytes())
    for place in range(8192, len(damaged)):
        damaged[place] = 0xA5
    path.write_bytes(damaged)
    with pytest.raises(StoreError) as refusal, open_store(home, clock, Random(1)) as store:
        contents(store)
    assert refusal.value.code == "database_corrupted"


def test_a_folder_in_the_place_of_the_file_is_named(home: Path) -> None:
    (home / DATABASE_NAME).mkdir(parents=True)
    assert refused(home) == "database_not_a_file"


def test_a_home_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    assert refused(tmp_path / "file" / "home") == "home_unusable"


def test_a_database_that_may_not_be_written_is_named(store: EvidenceStore) -> None:
    store.database.value("PRAGMA query_only = ON")
    with pytest.raises(StoreError) as refusal:
        store.tasks.create("question", None, [])
    assert refusal.value.code == "database_read_only"
    assert store.tasks.all() == []


def test_a_database_somebody_holds_is_named_in_use(home: Path, store: EvidenceStore) -> None:
    with open_store(home, FakeClock(), Random(2), busy_seconds=0.05) as second, store.transaction():
        with pytest.raises(StoreError) as refusal:
            second.tasks.create("question", None, [])
        assert refusal.value.code == "database_in_use"
    assert store.tasks.all() == []


def test_readers_are_not_kept_waiting_by_a_writer(home: Path, store: EvidenceStore) -> None:
    task = store.tasks.create("before", None, [])
    with open_store(home, FakeClock(), Random(2), busy_seconds=0.05) as second, store.transaction():
        store.tasks.create("uncommitted", None, [])
        assert [found.task_id for found in second.tasks.all()] == [task.task_id]


def test_a_full_disk_loses_nothing_and_the_store_goes_on(store: EvidenceStore) -> None:
    store.pages.register(document(TEXT, "doi:10.1000/first"), "", [])
    before = contents(store)
    full = store.database.count("PRAGMA page_count")
    store.database.value(f"PRAGMA max_page_count = {full}")
    with pytest.raises(StoreError) as refusal:
        store.pages.register(document("long text " * 100_000, "doi:10.1000/second"), "", [])
    assert refusal.value.code == "disk_full"
    assert contents(store) == before
    store.database.value("PRAGMA max_page_count = 1000000")
    store.pages.register(document("long text " * 100_000, "doi:10.1000/second"), "", [])
    assert len(contents(store).pages) == 2
    assert faults(store) == []


def test_a_disk_that_fills_inside_a_transaction_undoes_all_of_it(store: EvidenceStore) -> None:
    full = store.database.count("PRAGMA page_count")
    store.database.value(f"PRAGMA max_page_count = {full}")
    with pytest.raises(StoreError), store.transaction():
        task = store.tasks.create("question", None, [])
        store.tasks.add_claims(task.task_id, ["claim " * 100_000])
    assert store.tasks.all() == []
    assert faults(store) == []


# Facts


def test_the_facts_name_the_file_the_engine_and_the_counts(store: EvidenceStore, home: Path) -> None:
    store.tasks.create("question", None, [])
    facts = store.facts()
    assert facts.path == str(home / DATABASE_NAME)
    assert facts.engine == f"SQLite {apsw.sqlite_lib_version()}"
    assert facts.size_bytes > 0
    assert (facts.counts["tasks"], facts.counts["pages"]) == (1, 0)


def test_a_sound_file_has_no_integrity_problem(store: EvidenceStore) -> None:
    assert store.database.integrity_problem() is None


# Reading one state


def test_reads_inside_one_block_see_one_state_whatever_others_write(home: Path) -> None:
    with open_store(home, FakeClock(), Random(1)) as one, open_store(home, FakeClock(), Random(2)) as other:
        with one.reading():
            assert one.tasks.all() == []
            other.tasks.create("question", None, [])
            assert one.tasks.all() == []
            with one.reading():  # inside another it changes nothing
                assert one.tasks.all() == []
        assert len(one.tasks.all()) == 1


def test_a_read_that_fails_leaves_nothing_open(home: Path) -> None:
    with open_store(home, FakeClock(), Random(1)) as store:
        with pytest.raises(StoreError), store.reading():
            store.database.rows("SELECT * FROM nowhere")
        store.tasks.create("question", None, [])
        assert [row[0] for row in store.database.stream("SELECT question FROM tasks")] == ["question"]
