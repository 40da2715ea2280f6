"""Reading the library: every changed file once, each by itself, whatever state the others are in."""

from dataclasses import replace
from pathlib import Path

import pytest

from lyra.core.errors import DocumentProblem, InvalidInput, LeaseLost
from lyra.core.records import ProviderStatus
from lyra.workflows.bench import Bench
from lyra.workflows.ingest import LibraryReport, add_roots, read_library
from tests.contents import contents, sizes
from tests.fakes import LIBRARY, MemoryReader, document

WALKING, COFFEE, SLEEP = (
    "Daily walking lowers blood pressure in adults.",
    "Coffee prices rose sharply in March of this year.",
    "Sleep improves memory in older adults.",
)


def allow() -> None:
    """The guard of somebody who holds his job."""


def read(bench: Bench, *roots: str, reread: bool = False) -> LibraryReport:
    used = roots or (LIBRARY,)
    for root in used:
        bench.store.library.add_root(root)
    return read_library(bench, used, allow, reread=reread)


def ledger(bench: Bench) -> dict[str, str]:
    return {Path(entry.path).name: entry.status for entry in bench.store.library.ledger()}


def current_texts(bench: Bench) -> set[object]:
    rows = bench.store.database.rows(
        "SELECT f.fragment_text FROM extracted_from x JOIN fragments f ON f.fragment_id = x.fragment_id WHERE x.is_stale = 0"
    )
    return {row[0] for row in rows}


# What is read


def test_a_changed_file_is_read_again_and_an_unchanged_one_is_not(bench: Bench, reader: MemoryReader) -> None:
    kept, changed = reader.put("kept.txt", WALKING), reader.put("changed.txt", COFFEE)
    assert read(bench).counts == {"read": 2}
    reader.put("changed.txt", SLEEP)
    assert read(bench).counts == {"read": 1, "unchanged": 1}
    assert (reader.reads.count(kept), reader.reads.count(changed)) == (1, 2)
    assert current_texts(bench) == {WALKING, SLEEP}


def test_a_file_that_was_only_touched_adds_nothing(bench: Bench, reader: MemoryReader) -> None:
    reader.put("a.txt", WALKING)
    read(bench)
    before = contents(bench.store)
    reader.put("a.txt", WALKING)
    assert read(bench).counts == {"read": 1}
    assert contents(bench.store) == before


def test_a_file_that_is_changed_back_finds_its_old_text(bench: Bench, reader: MemoryReader) -> None:
    for text in (WALKING, COFFEE, WALKING):
        reader.put("a.txt", text)
        read(bench)
    assert current_texts(bench) == {WALKING}
    assert sizes(bench.store)["fragments"] == 2


def test_a_removed_file_is_noticed_once(bench: Bench, reader: MemoryReader) -> None:
    reader.put("a.txt", WALKING)
    reader.put("b.txt", COFFEE)
    read(bench)
    reader.drop("a.txt")
    assert read(bench).counts == {"unchanged": 1, "removed": 1}
    assert read(bench).counts == {"unchanged": 1}
    assert ledger(bench) == {"a.txt": "removed", "b.txt": "read"}
    assert current_texts(bench) == {COFFEE}


def test_everything_is_read_again_when_asked(bench: Bench, reader: MemoryReader) -> None:
    path = reader.put("a.txt", WALKING)
    read(bench)
    assert read(bench, reread=True).counts == {"read": 1}
    assert reader.reads == [path, path]


def test_a_root_inside_another_is_not_read_twice(bench: Bench, reader: MemoryReader) -> None:
    reader.put("papers/a.txt", WALKING)
    reader.put("b.txt", COFFEE)
    read(bench)
    assert read(bench, f"{LIBRARY}/papers").counts == {"unchanged": 1}
    assert len(reader.reads) == 2
    assert bench.store.searching.open_scope([f"{LIBRARY}/papers"]) == 1


def test_a_document_at_two_paths_is_one_page(bench: Bench, reader: MemoryReader) -> None:
    reader.put("a.txt", document(WALKING, "doi:10.1000/a"))
    reader.put("copy.txt", document(WALKING, "doi:10.1000/a"))
    assert read(bench).counts == {"read": 2}
    assert (sizes(bench.store)["pages"], sizes(bench.store)["occurrences"]) == (1, 1)


def test_what_a_document_says_of_itself_is_kept(bench: Bench, reader: MemoryReader) -> None:
    reader.put("a.txt", replace(document(WALKING), title="Walking", notes=("2 of 3 pages",)))
    read(bench)
    assert contents(bench.store).pages == [(f"file://{LIBRARY}/a.txt", None, "Walking", None, 0)]
    assert bench.store.library.ledger()[0].notes == ("2 of 3 pages",)


@pytest.mark.parametrize("name", ["a b.txt", "100%.txt", "a#b?.txt", "論文.txt", "%41.txt"])
def test_any_file_name_has_an_address(bench: Bench, reader: MemoryReader, name: str) -> None:
    reader.put(name, WALKING)
    reader.put("A.txt", COFFEE)
    assert read(bench).counts == {"read": 2}
    assert sizes(bench.store)["pages"] == 2


# What cannot be read


def test_one_bad_file_does_not_spoil_the_rest(bench: Bench, reader: MemoryReader) -> None:
    reader.put("a.txt", WALKING)
    reader.put("b.pdf", DocumentProblem("damaged_pdf", path="b.pdf"))
    reader.put("c.jpg", DocumentProblem("unsupported_type", status="skipped", path="c.jpg", suffix=".jpg"))
    reader.put("d.txt", COFFEE)
    report = read(bench)
    assert report.counts == {"read": 2, "failed": 1, "skipped": 1}
    assert [(Path(entry.path).name, entry.code) for entry in report.problems] == [
        ("b.pdf", "damaged_pdf"),
        ("c.jpg", "unsupported_type"),
    ]
    assert ledger(bench) == {"a.txt": "read", "b.pdf": "failed", "c.jpg": "skipped", "d.txt": "read"}
    assert current_texts(bench) == {WALKING, COFFEE}


def test_a_bad_file_is_reported_every_time_and_tried_once(bench: Bench, reader: MemoryReader) -> None:
    path = reader.put("b.pdf", DocumentProblem("damaged_pdf", path="b.pdf"))
    first, second = read(bench), read(bench)
    assert [entry.code for entry in second.problems] == [entry.code for entry in first.problems] == ["damaged_pdf"]
    assert second.problems[0].params == {"path": "b.pdf"}
    assert reader.reads == [path]


def test_a_file_that_was_repaired_is_read(bench: Bench, reader: MemoryReader) -> None:
    reader.put("b.pdf", DocumentProblem("damaged_pdf", path="b.pdf"))
    read(bench)
    reader.put("b.pdf", WALKING)
    assert read(bench).counts == {"read": 1}


def test_a_file_that_broke_keeps_its_old_text_as_stale(bench: Bench, reader: MemoryReader) -> None:
    reader.put("b.pdf", WALKING)
    read(bench)
    reader.put("b.pdf", DocumentProblem("damaged_pdf", path="b.pdf"))
    read(bench)
    assert current_texts(bench) == set()
    assert sizes(bench.store)["fragments"] == 1


def test_a_root_that_is_gone_does_not_spoil_the_others(bench: Bench, reader: MemoryReader) -> None:
    reader.put("/drive/a.txt", WALKING)
    reader.put("b.txt", COFFEE)
    read(bench, "/drive", LIBRARY)
    reader.missing_roots.add("/drive")
    report = read(bench, "/drive", LIBRARY)
    assert report.counts == {"failed": 1, "unchanged": 1}
    assert [(entry.path, entry.code) for entry in report.problems] == [("/drive", "unreadable")]
    assert current_texts(bench) == {WALKING, COFFEE}


def test_without_any_root_left_the_reason_is_told(bench: Bench, reader: MemoryReader) -> None:
    reader.missing_roots.update({"/drive", LIBRARY})
    with pytest.raises(InvalidInput) as refusal:
        read(bench, "/drive", LIBRARY)
    assert (refusal.value.code, refusal.value.params) == ("path_missing", {"path": "/drive"})


# The report


def test_the_library_reports_like_any_provider(bench: Bench, reader: MemoryReader) -> None:
    reader.put("a.txt", WALKING)
    reader.put("b.pdf", DocumentProblem("damaged_pdf", path="b.pdf"))
    provider = read(bench).provider()
    assert (provider.name, provider.status, provider.detail) == ("library", ProviderStatus.OK, "failed 1, read 1")
    assert provider.counts == {"read": 1, "failed": 1}
    assert len(provider.problems) == 1


def test_a_library_that_gave_nothing_says_so(bench: Bench, reader: MemoryReader) -> None:
    reader.put("b.pdf", DocumentProblem("damaged_pdf", path="b.pdf"))
    assert read(bench).provider().status is ProviderStatus.NOTHING_FOUND


# Stopping


def test_a_guard_that_refuses_stops_the_pass_and_keeps_what_was_done(bench: Bench, reader: MemoryReader) -> None:
    for number in range(5):
        reader.put(f"{number}.txt", f"Sentence number {number} says something.")
    bench.store.library.add_root(LIBRARY)
    allowed = iter([None, None])

    def guard() -> None:
        if next(allowed, "no more") is not None:
            raise LeaseLost("lease_lost", job_id="job_1")

    with pytest.raises(LeaseLost):
        read_library(bench, [LIBRARY], guard)
    assert ledger(bench) == {"0.txt": "read", "1.txt": "read"}
    assert read(bench).counts == {"unchanged": 2, "read": 3}


def test_who_lost_his_job_marks_nothing_removed(bench: Bench, reader: MemoryReader) -> None:
    reader.put("a.txt", WALKING)
    read(bench)
    reader.drop("a.txt")

    def guard() -> None:
        raise LeaseLost("lease_lost", job_id="job_1")

    with pytest.raises(LeaseLost):
        read_library(bench, [LIBRARY], guard)
    assert ledger(bench) == {"a.txt": "read"}


# Roots


def test_roots_are_known_by_their_absolute_path(bench: Bench, reader: MemoryReader) -> None:
    reader.put("papers/a.txt", WALKING)
    roots, problems = add_roots(bench, [f"{LIBRARY}/papers/../papers/", Path(LIBRARY) / "papers"])
    assert roots == [f"{LIBRARY}/papers", f"{LIBRARY}/papers"]
    assert problems == []
    assert bench.store.library.roots() == [f"{LIBRARY}/papers"]


def test_a_root_without_documents_is_not_registered(bench: Bench, reader: MemoryReader) -> None:
    reader.put("photos/a.jpg", DocumentProblem("unsupported_type", status="skipped", path="a.jpg", suffix=".jpg"))
    roots, problems = add_roots(bench, [f"{LIBRARY}/photos"])
    assert (roots, [problem.code for problem in problems]) == ([], ["library_empty"])
    assert bench.store.library.roots() == []


@pytest.mark.parametrize(
    ("path", "shown"),
    [
        pytest.param("/library\udcff", "/library?", id="a name that is no text"),
        pytest.param("/library\0", "/library\0", id="a name no file can have"),
        pytest.param("~nobody-of-that-name/papers", "~nobody-of-that-name/papers", id="the home of nobody"),
    ],
)
def test_what_is_no_path_is_refused(bench: Bench, path: str, shown: str) -> None:
    roots, problems = add_roots(bench, [path])
    assert (roots, [problem.code for problem in problems]) == ([], ["path_unreadable"])
    assert problems[0].params == {"path": shown}
