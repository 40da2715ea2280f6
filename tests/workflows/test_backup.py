"""Backup and restore: consistent while others write, and refused for anything that is no sound backup."""

import json
import os
import stat
import threading
from pathlib import Path
from random import Random

import apsw
import pytest

from lyra.core.errors import LyraError
from lyra.interfaces.presenter import materials_json
from lyra.store.database import Database
from lyra.store.evidence_store import DATABASE_NAME, EvidenceStore, open_store
from lyra.store.migrations import known_migrations, migrate
from lyra.workflows.backup import back_up, restore
from lyra.workflows.bench import Bench
from lyra.workflows.check import CheckRequest, check
from lyra.workflows.jobs import worker_name
from lyra.workflows.materials import collect
from tests.contents import contents, faults
from tests.fakes import LIBRARY, FakeClock, MemoryReader

CLAIM = "Green tea improves sleep in adults."


@pytest.fixture
def task(bench: Bench, reader: MemoryReader) -> str:
    reader.put("a.txt", "Green tea improves sleep in adults, as a trial says.")
    reader.put("b.txt", "Green tea does not improve sleep in adults.")
    return check(bench, CheckRequest((CLAIM,), (LIBRARY,))).materials.task.task_id


def answers(store: EvidenceStore, task_id: str) -> str:
    return json.dumps(materials_json(collect(store, task_id), "en"), sort_keys=True)


def refused(store: EvidenceStore, source: Path) -> str:
    """Why a restore is refused; nothing may have changed by it."""
    before, files = contents(store), sorted(store.database.path.parent.iterdir())
    with pytest.raises(LyraError) as refusal:
        restore(store, source)
    assert contents(store) == before
    assert sorted(store.database.path.parent.iterdir()) == files
    return refusal.value.code


# Backup


def test_a_backup_is_one_private_file_with_the_same_content(store: EvidenceStore, task: str, tmp_path: Path) -> None:
    target = tmp_path / "copies" / "lyra.backup"
    target.parent.mkdir()
    assert back_up(store, target) == target.stat().st_size
    assert list(target.parent.iterdir()) == [target]
    assert stat.S_IMODE(target.stat().st_mode) == 0o600
    (tmp_path / "other").mkdir()
    target.rename(tmp_path / "other" / DATABASE_NAME)
    with open_store(tmp_path / "other", FakeClock(), Random(1)) as copy:
        assert contents(copy) == contents(store)
        assert faults(copy) == []


def test_a_backup_taken_while_another_connection_writes_is_a_state_that_was_there(
    store: EvidenceStore, home: Path, tmp_path: Path
) -> None:
    stop, failures = threading.Event(), []

    def write() -> None:
        try:
            with open_store(home, FakeClock(), Random(2)) as writer:
                while not stop.is_set():
                    with writer.transaction():
                        made = writer.tasks.create("Pair?", None, [])
                        writer.tasks.add_claims(made.task_id, ["One half.", "The other half."])
        except LyraError as failure:
            failures.append(failure)

    thread = threading.Thread(target=write)
    thread.start()
    try:
        for number in range(5):
            back_up(store, tmp_path / f"{number}.backup")
    finally:
        stop.set()
        thread.join()
    assert failures == []
    for number in range(5):
        copy = apsw.Connection(str(tmp_path / f"{number}.backup"))
        assert copy.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert copy.execute("SELECT (SELECT count(*) FROM claims) = 2 * (SELECT count(*) FROM tasks)").fetchall() == [(1,)]
        copy.close()


def test_a_backup_sees_an_uncommitted_write_of_another_connection_not_and_does_not_wait_for_it(
    store: EvidenceStore, home: Path, tmp_path: Path
) -> None:
    with open_store(home, FakeClock(), Random(2)) as writer, writer.transaction():
        writer.tasks.create("Not yet?", None, [])
        back_up(store, tmp_path / "lyra.backup")
    copy = apsw.Connection(str(tmp_path / "lyra.backup"))
    assert copy.execute("SELECT count(*) FROM tasks").fetchall() == [(0,)]
    copy.close()


def test_a_backup_overwrites_nothing(store: EvidenceStore, tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine", encoding="utf-8")
    (tmp_path / "dangling").symlink_to(tmp_path / "nowhere")
    for path in (tmp_path / "mine.txt", tmp_path, tmp_path / "dangling", store.database.path):
        with pytest.raises(LyraError) as refusal:
            back_up(store, path)
        assert refusal.value.code == "backup_exists"
    assert (tmp_path / "mine.txt").read_text(encoding="utf-8") == "mine"


def test_a_backup_to_a_folder_that_is_not_there_is_refused(store: EvidenceStore, tmp_path: Path) -> None:
    with pytest.raises(LyraError) as refusal:
        back_up(store, tmp_path / "nowhere" / "lyra.backup")
    assert (refusal.value.code, refusal.value.exit_code) == ("backup_unwritable", 2)


# Restore


def test_stores_and_backups_with_pages_of_different_sizes_replace_each_other(
    store: EvidenceStore, task: str, tmp_path: Path
) -> None:
    """A store that is older than its pages are large stays usable, and so do its backups."""
    back_up(store, tmp_path / "large.backup")
    (tmp_path / "older").mkdir()
    small = tmp_path / "older" / DATABASE_NAME
    copy = apsw.Connection(str(tmp_path / "large.backup"))
    copy.execute("PRAGMA page_size = 4096")
    copy.execute("VACUUM INTO ?", (str(small),))
    copy.close()
    held, size = contents(store), store.database.value("PRAGMA page_size")
    with open_store(tmp_path / "older", FakeClock(), Random(1)) as older:
        older.tasks.create("Later?", None, [])
        back_up(older, tmp_path / "small.backup")
        later = contents(older)
        restore(older, tmp_path / "large.backup")
        assert (contents(older), older.database.value("PRAGMA page_size")) == (held, 4096)
        assert faults(older) == []
    restore(store, tmp_path / "small.backup")
    assert (contents(store), store.database.value("PRAGMA page_size")) == (later, size)
    assert size != 4096
    assert faults(store) == []


def test_a_restored_store_gives_the_same_answers_and_keeps_what_it_replaced(
    store: EvidenceStore, task: str, home: Path, tmp_path: Path
) -> None:
    before, held = answers(store, task), contents(store)
    back_up(store, tmp_path / "lyra.backup")
    digest = (tmp_path / "lyra.backup").read_bytes()
    late = store.tasks.create("Made later?", None, []).task_id
    store.cleanup.delete_task(task, hard=True)
    with open_store(home, FakeClock(), Random(3)) as other:
        assert [one.task_id for one in other.tasks.all()] == [late]
        kept = restore(store, tmp_path / "lyra.backup")
        # A connection that was open all the time sees the new content, and can write to it.
        assert answers(other, task) == before
        other.tasks.create("After?", None, [])
    assert answers(store, task) == before
    assert contents(store).edges == held.edges
    assert faults(store) == []
    assert (tmp_path / "lyra.backup").read_bytes() == digest
    assert store.database.value("PRAGMA journal_mode") == "wal"
    restore(store, kept)
    assert [one.task_id for one in store.tasks.all()] == [late]


def test_two_restores_in_one_second_keep_two_files(store: EvidenceStore, tmp_path: Path) -> None:
    back_up(store, tmp_path / "lyra.backup")
    assert restore(store, tmp_path / "lyra.backup") != restore(store, tmp_path / "lyra.backup")


def test_a_backup_goes_into_a_fresh_home(store: EvidenceStore, task: str, tmp_path: Path) -> None:
    back_up(store, tmp_path / "lyra.backup")
    with open_store(tmp_path / "fresh", FakeClock(), Random(4)) as fresh:
        restore(fresh, tmp_path / "lyra.backup")
        assert contents(fresh) == contents(store)


def test_a_backup_of_an_older_schema_is_brought_up_to_date(store: EvidenceStore, task: str, tmp_path: Path) -> None:
    with pytest.MonkeyPatch.context() as patch, Database(tmp_path / "old.db") as old:
        patch.setattr("lyra.store.migrations.known_migrations", lambda: known_migrations()[:2])
        assert migrate(old, "2026-01-01T00:00:00.000000Z") == 2
        old.run("INSERT INTO tasks VALUES ('task_old', 'An old question?', NULL, 'active', '2026-01-01T00:00:00Z', '2026')")
    restore(store, tmp_path / "old.db")
    assert store.database.count("SELECT max(version) FROM schema_migrations") == store.schema_version
    assert store.database.count("SELECT count(*) FROM sqlite_master WHERE name = 'claims_by_origin_page'") == 1
    assert store.database.value("SELECT question FROM tasks") == "An old question?"


def test_a_restore_is_refused_while_a_living_worker_holds_a_job(store: EvidenceStore, task: str, tmp_path: Path) -> None:
    back_up(store, tmp_path / "lyra.backup")
    job = store.jobs.add("check", task)
    store.jobs.acquire(job.job_id, worker_name())
    assert refused(store, tmp_path / "lyra.backup") == "store_busy"
    store.tasks.stop(task)
    restore(store, tmp_path / "lyra.backup")
    assert [one.status.value for one in store.jobs.of_task(task)] == ["done"]


def test_a_restore_waits_for_a_writer_and_gives_up_with_nothing_changed(store: EvidenceStore, home: Path, tmp_path: Path) -> None:
    back_up(store, tmp_path / "lyra.backup")
    with (
        open_store(home, FakeClock(), Random(5)) as writer,
        open_store(home, FakeClock(), Random(6), busy_seconds=0.05) as hurried,
        writer.transaction(),
    ):
        assert refused(hurried, tmp_path / "lyra.backup") == "database_in_use"


def make_other_database(path: Path) -> None:
    other = apsw.Connection(str(path))
    other.execute("CREATE TABLE schema_migrations (version TEXT); INSERT INTO schema_migrations VALUES ('2024')")
    other.close()


def test_what_is_no_backup_is_refused(store: EvidenceStore, task: str, tmp_path: Path) -> None:
    (tmp_path / "text").write_text("not a database", encoding="utf-8")
    (tmp_path / "empty").touch()
    make_other_database(tmp_path / "other")
    for name in ("text", "empty", "other"):
        assert refused(store, tmp_path / name) == "backup_not_lyra", name
    assert refused(store, tmp_path) == "backup_not_lyra"
    assert refused(store, tmp_path / "nowhere") == "path_missing"
    assert refused(store, store.database.path) == "backup_is_the_store"
    (tmp_path / "link").symlink_to(store.database.path)
    assert refused(store, tmp_path / "link") == "backup_is_the_store"


def test_a_backup_of_a_newer_program_is_refused(store: EvidenceStore, task: str, tmp_path: Path) -> None:
    back_up(store, tmp_path / "lyra.backup")
    newer = apsw.Connection(str(tmp_path / "lyra.backup"))
    newer.execute("INSERT INTO schema_migrations VALUES (999, 'later', '')")
    newer.close()
    assert refused(store, tmp_path / "lyra.backup") == "database_from_future"


@pytest.mark.parametrize("cut", [100, 5_000, 60_000])
def test_a_damaged_backup_is_refused(store: EvidenceStore, task: str, tmp_path: Path, cut: int) -> None:
    back_up(store, tmp_path / "lyra.backup")
    os.truncate(tmp_path / "lyra.backup", cut)
    assert refused(store, tmp_path / "lyra.backup") == "backup_damaged"
