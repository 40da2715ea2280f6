"""Power cuts, full disks, failing syncs, several writers, deletions cut off: nothing acknowledged is lost, everything is said."""

from pathlib import Path
from random import Random

import pytest

from lyra.store.evidence_store import open_store
from tests.endurance import failing_disk, killed_deletions, open_small, power_cuts, present, record_run, step, write_together
from tests.fakes import FakeClock
from tests.power import Record, recorded


def test_no_power_cut_loses_what_was_acknowledged(tmp_path: Path) -> None:
    assert power_cuts(tmp_path, steps=12, cuts=30, seed=5) == []


def test_a_store_that_does_not_wait_for_the_disk_would_be_found_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def careless(home: Path, seed: int = 1) -> object:
        store = open_small(home, seed)
        store.database.value("PRAGMA synchronous = NORMAL")
        store.database.value("PRAGMA wal_autocheckpoint = 1000")
        return store

    monkeypatch.setattr("tests.endurance.open_small", careless)
    assert any("acknowledged and is gone" in one for one in power_cuts(tmp_path, steps=12, cuts=30, seed=5))


@pytest.mark.parametrize(
    ("kind", "after"), [("full", 0), ("full", 5_000), ("full", 60_000), ("full", 150_000), ("sync", 0), ("sync", 1), ("sync", 6)]
)
def test_a_failing_disk_is_said_and_the_store_can_be_used_afterwards(tmp_path: Path, kind: str, after: int) -> None:
    assert failing_disk(tmp_path / "home", kind, after, steps=15) == []


def test_two_processes_that_write_at_once_wait_for_each_other(tmp_path: Path) -> None:
    with open_small(tmp_path / "home"):
        pass
    steps, found = write_together(tmp_path / "home", seconds=1.5)
    assert found == []
    assert steps > 2


def test_a_deletion_that_was_cut_off_and_repeated_ends_the_same(tmp_path: Path) -> None:
    assert killed_deletions(tmp_path, cuts=12, seed=3) == []


def test_what_was_synced_is_there_after_a_cut_and_the_default_file_system_comes_back(tmp_path: Path) -> None:
    record, acknowledged = record_run(tmp_path / "whole", 3)
    assert sorted(acknowledged) == acknowledged
    assert {operation.kind for operation in record.operations} >= {"write", "sync", "truncate"}
    before = len(record)
    with open_store(tmp_path / "other", FakeClock(), Random(1)) as store:
        step(store, 1)
        assert present(store) == {1}
    assert len(record) == before


def test_the_record_restores_nothing_from_before_its_beginning(tmp_path: Path) -> None:
    with recorded("empty") as record:
        pass
    record.restore(tmp_path / "nothing", 0, Random(1))
    assert isinstance(record, Record)
    assert list((tmp_path / "nothing").iterdir()) == []
