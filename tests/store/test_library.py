"""The library: what lies in it now is current, what was there before stays, flagged stale."""

from dataclasses import replace

import pytest

from lyra.core.records import FileStamp, LedgerEntry, Span
from lyra.store.evidence_store import EvidenceStore
from lyra.store.library import FileState
from tests.contents import contents, sizes
from tests.fakes import FakeClock, document

ROOT, OTHER_ROOT = "/library", "/library/papers"
OLD, NEW = "Sleep improves memory in adults.", "Sleep does not improve memory in adults."


@pytest.fixture(autouse=True)
def roots(store: EvidenceStore) -> None:
    store.library.add_root(ROOT)
    store.library.add_root(OTHER_ROOT)


def stamp(path: str, mtime: int = 1, size: int = 10) -> FileStamp:
    return FileStamp(f"/library/papers/{path}", size, mtime)


def read(store: EvidenceStore, path: str, text: str, *names: str, root: str = ROOT) -> FileState:
    """Record a file as read, holding one fragment: its whole text."""
    sighting = store.pages.register(document(text, *names), f"file:///library/papers/{path}", [Span(0, len(text))])
    state = FileState(status="read", page_id=sighting.page_id, page_version_id=sighting.page_version_id)
    store.library.record(root, stamp(path), state)
    return state


def staleness(store: EvidenceStore) -> dict[str, bool]:
    """Each sighted text, and whether all its sightings are of an old version."""
    rows = store.database.rows(
        "SELECT f.fragment_text, min(x.is_stale) FROM extracted_from x"
        " JOIN fragments f ON f.fragment_id = x.fragment_id GROUP BY 1"
    )
    return {str(text): bool(stale) for text, stale in rows}


def entry(store: EvidenceStore, path: str, root: str = ROOT) -> LedgerEntry:
    (found,) = [line for line in store.library.ledger(root) if line.path == f"/library/papers/{path}"]
    return found


# Changes


def test_a_changed_file_keeps_its_old_version_flagged_stale(store: EvidenceStore) -> None:
    old = read(store, "a.txt", OLD)
    new = read(store, "a.txt", NEW)
    assert new.page_id == old.page_id
    assert staleness(store) == {OLD: True, NEW: False}
    assert store.pages.text(str(old.page_id), old.page_version_id)[1] == OLD


def test_a_file_that_is_changed_back_is_current_again(store: EvidenceStore) -> None:
    read(store, "a.txt", OLD)
    read(store, "a.txt", NEW)
    before = sizes(store)
    read(store, "a.txt", OLD)
    assert staleness(store) == {OLD: False, NEW: True}
    assert sizes(store) == before


def test_the_unchanged_part_of_a_changed_file_stays_current(store: EvidenceStore) -> None:
    read(store, "a.txt", OLD)
    grown = document(f"{OLD} {NEW}")
    spans = [Span(0, len(OLD)), Span(len(OLD) + 1, len(grown.text))]
    sighting = store.pages.register(grown, "file:///library/papers/a.txt", spans)
    state = FileState(status="read", page_id=sighting.page_id, page_version_id=sighting.page_version_id)
    store.library.record(ROOT, stamp("a.txt", 2), state)
    assert staleness(store) == {OLD: False, NEW: False}


def test_a_removed_file_is_marked_and_its_text_is_stale(store: EvidenceStore) -> None:
    read(store, "a.txt", OLD)
    read(store, "b.txt", NEW)
    gone = store.library.mark_removed(ROOT, {stamp("b.txt").path})
    assert gone == [stamp("a.txt").path]
    assert entry(store, "a.txt").status == "removed"
    assert staleness(store) == {OLD: True, NEW: False}
    assert store.library.mark_removed(ROOT, {stamp("b.txt").path}) == []


def test_a_file_that_comes_back_is_current_again(store: EvidenceStore) -> None:
    read(store, "a.txt", OLD)
    store.library.mark_removed(ROOT, set())
    assert store.library.unchanged(ROOT, stamp("a.txt")) is None
    read(store, "a.txt", OLD)
    assert staleness(store) == {OLD: False}
    assert entry(store, "a.txt").status == "read"


def test_a_file_that_can_no_longer_be_read_makes_its_text_stale(store: EvidenceStore) -> None:
    read(store, "a.txt", OLD)
    store.library.record(ROOT, stamp("a.txt", 2), FileState(status="failed", code="broken"))
    assert staleness(store) == {OLD: True}


# The same document twice


def test_one_document_at_two_paths_is_one_page_by_its_doi(store: EvidenceStore) -> None:
    first = read(store, "a.txt", OLD, "doi:10.1000/a")
    second = read(store, "copy.txt", OLD, "doi:10.1000/a")
    assert (second.page_id, second.page_version_id) == (first.page_id, first.page_version_id)
    assert sizes(store)["occurrences"] == 1


def test_one_text_at_two_paths_is_two_pages_with_one_fragment(store: EvidenceStore) -> None:
    first, second = read(store, "a.txt", OLD), read(store, "copy.txt", OLD)
    assert second.page_id != first.page_id
    assert (sizes(store)["fragments"], sizes(store)["occurrences"]) == (1, 2)


def test_a_document_is_current_while_one_of_its_copies_is_there(store: EvidenceStore) -> None:
    read(store, "a.txt", OLD, "doi:10.1000/a")
    read(store, "copy.txt", OLD, "doi:10.1000/a")
    store.library.mark_removed(ROOT, {stamp("copy.txt").path})
    assert staleness(store) == {OLD: False}
    store.library.mark_removed(ROOT, set())
    assert staleness(store) == {OLD: True}


def test_two_copies_that_drift_apart_are_both_current(store: EvidenceStore) -> None:
    read(store, "a.txt", OLD, "doi:10.1000/a")
    read(store, "copy.txt", NEW, "doi:10.1000/a")
    assert staleness(store) == {OLD: False, NEW: False}


def test_a_root_inside_another_shares_what_was_read(store: EvidenceStore) -> None:
    read(store, "a.txt", OLD)
    known = store.library.unchanged(OTHER_ROOT, stamp("a.txt"))
    assert known is not None
    assert (known.status, known.root) == ("read", ROOT)
    store.library.record(OTHER_ROOT, stamp("a.txt"), known)
    assert store.library.remove_root(ROOT) == 1
    assert staleness(store) == {OLD: False}


# What need not be read again


@pytest.mark.parametrize(
    "now",
    [
        pytest.param(stamp("a.txt", mtime=2), id="a later time"),
        pytest.param(stamp("a.txt", size=11), id="another size"),
        pytest.param(stamp("b.txt"), id="another path"),
    ],
)
def test_a_file_with_another_stamp_is_to_be_read(store: EvidenceStore, now: FileStamp) -> None:
    read(store, "a.txt", OLD)
    assert store.library.unchanged(ROOT, stamp("a.txt")) is not None
    assert store.library.unchanged(ROOT, now) is None


def test_a_file_that_failed_for_good_is_not_tried_again(store: EvidenceStore) -> None:
    store.library.record(ROOT, stamp("a.pdf"), FileState(status="failed", code="pdf_broken", params={"page": 3}))
    known = store.library.unchanged(ROOT, stamp("a.pdf"))
    assert known is not None
    assert (known.status, known.code, known.params) == ("failed", "pdf_broken", {"page": 3})


@pytest.mark.parametrize("code", ["unreadable", "pdf_timeout"])
def test_a_file_that_failed_for_now_is_tried_again(store: EvidenceStore, code: str) -> None:
    store.library.record(ROOT, stamp("a.pdf"), FileState(status="failed", code=code))
    assert store.library.unchanged(ROOT, stamp("a.pdf")) is None


# Roots and the ledger


def test_a_root_is_known_once(store: EvidenceStore) -> None:
    assert store.library.add_root(ROOT) is False
    assert store.library.add_root("/elsewhere") is True
    assert store.library.roots() == ["/elsewhere", ROOT, OTHER_ROOT]


def test_forgetting_a_root_keeps_the_graph_and_flags_it_stale(store: EvidenceStore) -> None:
    read(store, "a.txt", OLD)
    before = sizes(store)
    assert store.library.remove_root(ROOT) == 1
    assert sizes(store) == before
    assert staleness(store) == {OLD: True}
    assert store.library.ledger() == []
    assert store.library.remove_root(ROOT) is None


def test_the_ledger_tells_what_became_of_each_file(store: EvidenceStore, clock: FakeClock) -> None:
    read(store, "b.txt", OLD)
    store.library.record(ROOT, stamp("a.pdf"), FileState("skipped", "too_large", {"size": 9}, notes=("first pages only",)))
    first, second = store.library.ledger(ROOT)
    assert (first.path, first.status, first.code, first.params) == (stamp("a.pdf").path, "skipped", "too_large", {"size": 9})
    assert (first.notes, first.fragments, first.page_id) == (("first pages only",), 0, None)
    assert (second.path, second.status, second.fragments) == (stamp("b.txt").path, "read", 1)
    assert second.read_at is not None
    assert second.read_at < clock.now()
    assert store.library.ledger(OTHER_ROOT) == []
    assert replace(first) in store.library.ledger()


def test_a_second_record_replaces_the_first(store: EvidenceStore) -> None:
    store.library.record(ROOT, stamp("a.txt"), FileState(status="failed", code="broken"))
    read(store, "a.txt", OLD)
    assert contents(store).ledger == [(ROOT, stamp("a.txt").path, "read", None)]
