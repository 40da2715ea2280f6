"""Lenses in general: found by their files, and unable to write."""

import hashlib
from pathlib import Path
from random import Random

import pytest

import lyra.lenses
from lyra.core.errors import InvalidInput, NotFound, StoreError
from lyra.lenses import lens_names, load_lens
from lyra.store.evidence_store import DATABASE_NAME, open_store
from lyra.workflows.bench import Bench
from lyra.workflows.check import CheckRequest, check
from lyra.workflows.lens import look_through
from tests.fakes import LIBRARY, FakeClock, MemoryReader, TextPolicy, document

NEW_LENS = """
from lyra.core.lens_view import LensView, Opinion


def look(view: LensView) -> Opinion:
    return Opinion(tuple({"claim": one.claim.text} for one in view.materials.claims))
"""


@pytest.fixture
def task(bench: Bench, reader: MemoryReader) -> str:
    reader.put("a.txt", document("Daily walking lowers blood pressure in adults.", "url:https://a.example.org/1"))
    reader.put("b.txt", document("Daily walking never lowers blood pressure in adults.", "url:https://b.example.org/1"))
    bench.store.library.add_root(LIBRARY)
    return check(bench, CheckRequest(("Daily walking lowers blood pressure in adults.",))).materials.task.task_id


def test_the_lenses_are_the_modules_of_the_package() -> None:
    assert lens_names() == ["contradictions", "not_adopted"]
    with pytest.raises(InvalidInput, match="contradictions, not_adopted"):
        load_lens("astrology")


def test_a_new_lens_is_one_file(bench: Bench, task: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "echo_of_claims.py").write_text(NEW_LENS, encoding="utf-8")
    monkeypatch.setattr(lyra.lenses, "__path__", [*lyra.lenses.__path__, str(tmp_path)])
    assert "echo_of_claims" in lens_names()
    (item,) = look_through(bench.store, "echo_of_claims", task).items
    assert item == {"claim": "Daily walking lowers blood pressure in adults."}


@pytest.mark.parametrize("name", ["contradictions", "not_adopted"])
def test_a_lens_leaves_the_database_file_as_it_was_to_the_byte(bench: Bench, task: str, home: Path, name: str) -> None:
    bench.store.close()
    path = home / DATABASE_NAME
    before = hashlib.sha256(path.read_bytes()).hexdigest()
    with open_store(home, FakeClock(), Random(1), policy=TextPolicy("wikipedia_mode: ordinary\n"), read_only=True) as store:
        assert look_through(store, name, task).items
    assert hashlib.sha256(path.read_bytes()).hexdigest() == before


def test_a_store_opened_read_only_cannot_be_written(bench: Bench, task: str, home: Path) -> None:
    with open_store(home, FakeClock(), Random(1), read_only=True) as store:
        with pytest.raises(StoreError):
            store.tasks.create("anything", None, [])
        with pytest.raises(StoreError):
            store.database.run("DELETE FROM claims")


def test_a_home_without_a_store_is_not_given_one(tmp_path: Path) -> None:
    with pytest.raises(NotFound):
        open_store(tmp_path / "nowhere", FakeClock(), Random(1), read_only=True)
    assert not (tmp_path / "nowhere").exists()


def test_a_store_of_an_older_version_is_left_alone(bench: Bench, home: Path) -> None:
    bench.store.database.run("DELETE FROM schema_migrations WHERE version = (SELECT max(version) FROM schema_migrations)")
    with pytest.raises(StoreError, match="older Lyra"):
        open_store(home, FakeClock(), Random(1), read_only=True)
