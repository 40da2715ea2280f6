"""Files that hold many records: each a page of its own, known across formats, and gone when it is taken out."""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from lyra.core.errors import DocumentProblem, LeaseLost
from lyra.core.records import Document, FileStamp, Identifier, Record
from lyra.providers.library import LibraryReader
from lyra.store.library_records import MAX_NAMED_PROBLEMS
from lyra.workflows.bench import Bench
from lyra.workflows.check import CheckRequest, check
from lyra.workflows.cleanup import delete_task
from lyra.workflows.ingest import LibraryReport, read_library
from lyra.workflows.materials import collect
from tests.contents import contents, faults, sizes
from tests.fakes import LIBRARY, MemoryReader, document, named

TEA, NOISE, WALK = (
    "Green tea improves sleep in adults.",
    "Street noise improves memory in mice.",
    "Walking improves sleep in adults and children.",
)
OPENALEX = "https://openalex.org/"


def read(bench: Bench, *roots: str, reread: bool = False) -> LibraryReport:
    for root in roots or (LIBRARY,):
        bench.store.library.add_root(root)
    return read_library(bench, roots or (LIBRARY,), lambda: None, reread=reread)


def in_scope(bench: Bench, *roots: str) -> set[object]:
    bench.store.searching.open_scope(roots or (LIBRARY,))
    found = bench.store.database.rows("SELECT fragment_text FROM fragments WHERE fragment_seq IN (SELECT * FROM search_scope)")
    return {row[0] for row in found}


def stale(bench: Bench) -> set[object]:
    rows = bench.store.database.rows(
        "SELECT f.fragment_text FROM extracted_from x JOIN fragments f ON f.fragment_id = x.fragment_id WHERE x.is_stale"
    )
    return {row[0] for row in rows}


def work(number: int, text: str, *references: int) -> Document:
    cited = tuple(Identifier("url", f"{OPENALEX}W{one}") for one in references)
    return replace(document(text, f"url:{OPENALEX}W{number}"), references=cited, citation_source="openalex")


# Pages


def test_every_record_is_a_page_and_its_text_is_searched(bench: Bench, reader: MemoryReader) -> None:
    reader.put_records("refs.bib", document(TEA, "doi:10.1000/a"), document(NOISE), document(""))
    assert read(bench).counts == {"read": 1, "records": 3}
    assert sizes(bench.store)["pages"] == 3
    assert in_scope(bench) == {TEA, NOISE}
    assert faults(bench.store) == []


def test_one_work_in_several_formats_is_one_page(bench: Bench, reader: MemoryReader) -> None:
    reader.put("paper.txt", document(WALK, "doi:10.1000/a"))
    reader.put_records("one.bib", document(TEA, "doi:10.1000/a", "pmid:7"))
    reader.put_records("two.bib", replace(document("", "pmid:7"), title="Another title"))
    read(bench)
    assert sizes(bench.store)["pages"] == 1
    assert in_scope(bench) == {TEA, WALK}


def test_a_record_without_text_only_adds_what_is_not_known(bench: Bench, reader: MemoryReader) -> None:
    reader.put("paper.txt", replace(document(WALK, "doi:10.1000/a"), title="The right title"))
    read(bench)
    reader.put_records("refs.bib", replace(document("", "doi:10.1000/a"), title="THE RIGHT TITLE.", venue="A journal"))
    read(bench)
    assert bench.store.database.rows("SELECT title, venue FROM pages") == [("The right title", "A journal")]
    page_id = str(bench.store.database.value("SELECT page_id FROM pages"))
    assert bench.store.pages.text(page_id)[1] == WALK


@pytest.mark.parametrize("preprint_first", [True, False])
def test_a_preprint_and_its_journal_version_are_linked_and_not_merged(
    bench: Bench, reader: MemoryReader, preprint_first: bool
) -> None:
    preprint = replace(document("Green tea improves sleep in adults, we find.", "arxiv:2101.00001"), title="Early title of it")
    journal = replace(
        document("Green tea improves sleep in adults: a trial.", "doi:10.1000/j"),
        title="Quite another title",
        versions=named("arxiv:2101.00001"),
    )
    both = (preprint, journal) if preprint_first else (journal, preprint)
    reader.put_records("refs.bib", *both)
    found = check(bench, CheckRequest((TEA,), (LIBRARY,))).materials.claims[0]
    assert sizes(bench.store)["pages"] == 2
    assert found.independent_sources == 2
    assert found.independent.sources == 1
    assert [link.reason for group in found.independent.groups for link in group.links] == ["same_work"]


def test_references_become_citations_in_any_order_and_circles_are_harmless(bench: Bench, reader: MemoryReader) -> None:
    reader.put_records("works.bib", work(1, TEA, 2, 1, 99), work(2, NOISE, 3), work(3, WALK, 1))
    read(bench)
    pairs = bench.store.database.rows(
        "SELECT a.url, b.url, c.citation_source FROM cites c JOIN pages a ON a.page_id = c.citing_page_id"
        " JOIN pages b ON b.page_id = c.cited_page_id ORDER BY 1, 2"
    )
    assert pairs == [(f"{OPENALEX}W{a}", f"{OPENALEX}W{b}", "openalex") for a, b in ((1, 2), (2, 3), (3, 1))]


def test_a_work_with_a_place_of_its_own_is_not_known_by_its_catalogue(bench: Bench, reader: MemoryReader) -> None:
    reader.put_records("works.bib", document(TEA, f"url:{OPENALEX}W1", "doi:10.1000/a", "url:https://journal.example/a"))
    reader.put_records("more.bib", document(NOISE, f"url:{OPENALEX}W2", "doi:10.1000/b"))
    read(bench)
    assert set(bench.store.database.rows("SELECT url, domain FROM pages")) == {
        ("https://journal.example/a", "journal.example"),
        ("https://doi.org/10.1000/b", "doi.org"),
    }


def test_a_retracted_work_gives_a_refuting_edge(bench: Bench, reader: MemoryReader) -> None:
    reader.put_records("works.bib", replace(work(1, TEA), retracted=True))
    found = check(bench, CheckRequest((TEA,), (LIBRARY,))).materials.claims[0]
    assert [edge.model for edge in found.evidence if edge.relation == "refutes"] == ["retraction"]


# The ledger


def bad(number: int) -> Record:
    return Record(number, number, f"bad{number}", None, "record_broken", {"path": "x", "line": number, "key": "k", "detail": "d"})


def test_a_bad_record_is_named_and_stays_named_while_the_file_does_not_change(bench: Bench, reader: MemoryReader) -> None:
    reader.put_records("refs.bib", document(TEA), bad(2), document(NOISE))
    for expected in ("read", "unchanged"):
        report = read(bench)
        assert report.counts == {expected: 1, "records": 2, "records_failed": 1}
        assert [(entry.record, entry.line, entry.code) for entry in report.problems] == [("bad2", 2, "record_broken")]
    assert in_scope(bench) == {TEA, NOISE}


def test_of_very_many_bad_records_all_are_counted_and_some_are_named(bench: Bench, reader: MemoryReader) -> None:
    reader.put_records("refs.bib", document(TEA), *map(bad, range(2, MAX_NAMED_PROBLEMS + 50)))
    report = read(bench)
    assert report.counts["records_failed"] == MAX_NAMED_PROBLEMS + 48
    assert len(report.problems) == MAX_NAMED_PROBLEMS
    assert bench.store.database.count("SELECT count(*) FROM library_records") == MAX_NAMED_PROBLEMS + 1


def test_a_removed_record_leaves_the_scope_like_a_removed_file(bench: Bench, reader: MemoryReader) -> None:
    reader.put_records("refs.bib", document(TEA, "doi:10.1000/a"), document(NOISE, "doi:10.1000/b"))
    read(bench)
    reader.put_records("refs.bib", document(NOISE, "doi:10.1000/b"), document(WALK, "doi:10.1000/c"))
    assert read(bench).counts == {"read": 1, "records": 2, "records_removed": 1}
    assert in_scope(bench) == {NOISE, WALK}
    assert stale(bench) == {TEA}
    reader.put_records("refs.bib", document(TEA, "doi:10.1000/a"))
    read(bench)
    assert (in_scope(bench), stale(bench)) == ({TEA}, {NOISE, WALK})
    reader.drop("refs.bib")
    assert read(bench).counts == {"removed": 1}
    assert (in_scope(bench), stale(bench)) == (set(), {TEA, NOISE, WALK})


def test_records_that_change_their_places_change_nothing_else(bench: Bench, reader: MemoryReader) -> None:
    first, second = (replace(document(text), title=f"About {text}") for text in (TEA, NOISE))
    reader.put_records("refs.bib", Record(1, 1, "a", first), Record(2, 2, "b", second))
    read(bench)
    before = contents(bench.store)
    reader.put_records("refs.bib", Record(1, 1, "b", second), Record(2, 2, "a", first))
    read(bench)
    assert contents(bench.store) == before


def test_records_of_one_key_are_pages_of_their_own_and_noted(bench: Bench, reader: MemoryReader) -> None:
    first, second = (replace(document(text), title=text) for text in (TEA, NOISE))
    path = reader.put_records("refs.bib", Record(1, 1, "same", first), Record(2, 2, "same", second))
    read(bench)
    assert sizes(bench.store)["pages"] == 2
    entries = bench.store.library.records.entries(LIBRARY, path, problems_only=False)
    assert [entry.notes for entry in entries] == [("key_repeated",)] * 2


def test_another_root_that_holds_the_same_file_reads_it_no_second_time(bench: Bench, reader: MemoryReader) -> None:
    path = reader.put_records("inner/refs.bib", document(TEA), document(NOISE))
    read(bench)
    assert read(bench, f"{LIBRARY}/inner").counts == {"unchanged": 1, "records": 2}
    assert reader.reads == [path]
    bench.store.library.remove_root(LIBRARY)
    assert in_scope(bench, f"{LIBRARY}/inner") == {TEA, NOISE}
    assert stale(bench) == set()
    bench.store.library.remove_root(f"{LIBRARY}/inner")
    assert stale(bench) == {TEA, NOISE}


def test_a_reading_that_is_cut_off_takes_nothing_away_and_the_next_ends_the_same(
    bench: Bench, reader: MemoryReader, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("lyra.workflows.ingest_records._RECORDS_PER_BATCH", 1)
    reader.put_records("refs.bib", document(TEA, "doi:10.1000/a"), document(NOISE, "doi:10.1000/b"))
    read(bench)
    reader.put_records("refs.bib", document(WALK, "doi:10.1000/c"), document(NOISE, "doi:10.1000/b"))
    calls = iter(range(2))

    def lost_soon() -> None:
        if next(calls, None) is None:
            raise LeaseLost("lease_lost", job_id="job_1")

    with pytest.raises(LeaseLost):
        read_library(bench, [LIBRARY], lost_soon)
    assert in_scope(bench) >= {TEA, NOISE}
    assert read(bench).counts["read"] == 1
    assert (in_scope(bench), stale(bench)) == ({NOISE, WALK}, {TEA})
    assert bench.store.database.count("SELECT count(DISTINCT generation) FROM library_records") == 1


def test_a_file_that_can_no_longer_be_read_holds_nothing(bench: Bench, reader: MemoryReader) -> None:
    path = reader.put_records("refs.bib", document(TEA))
    read(bench)

    class Broken(MemoryReader):
        def records(self, stamp: FileStamp, root: Path) -> Iterator[Record]:
            yield from self.record_files.get(stamp.path, [])
            raise DocumentProblem("records_missing", path=stamp.path)

    broken = Broken()
    broken.stamps[path] = FileStamp(path, 1, 99)
    report = read(replace(bench, reader=broken))
    assert [(entry.path, entry.code) for entry in report.problems] == [(path, "records_missing")]
    assert (in_scope(bench), stale(bench)) == (set(), {TEA})


def test_materials_tell_of_the_records_as_the_ledger_has_them(bench: Bench, reader: MemoryReader) -> None:
    reader.put_records("refs.bib", document(TEA), bad(2))
    task = check(bench, CheckRequest((TEA,), (LIBRARY,))).materials.task
    (report,) = collect(bench.store, task.task_id).providers
    assert dict(report.counts) == {"read": 1, "records": 1, "records_failed": 1}
    assert [entry.record for entry in report.problems] == ["bad2"]


# Cleanup


def test_a_hard_deletion_keeps_what_records_hold_and_its_rehearsal_predicts_it(bench: Bench, reader: MemoryReader) -> None:
    reader.put_records("refs.bib", document(TEA, "doi:10.1000/a"), document(WALK, "doi:10.1000/b"))
    task = check(bench, CheckRequest((TEA,), (LIBRARY,))).materials.task.task_id
    predicted = delete_task(bench.store, task, hard=True, dry_run=True).deleted
    assert delete_task(bench.store, task, hard=True).deleted == predicted
    assert predicted["pages"] == predicted["fragments"] == 0
    assert in_scope(bench) == {TEA, WALK}


def test_a_hard_deletion_takes_pages_whose_records_are_gone(bench: Bench, reader: MemoryReader) -> None:
    reader.put_records("refs.bib", document(TEA, "doi:10.1000/a"), document(NOISE, "doi:10.1000/b"))
    task = check(bench, CheckRequest((TEA,), (LIBRARY,))).materials.task.task_id
    reader.put_records("refs.bib", document(NOISE, "doi:10.1000/b"))
    read(bench)
    predicted = delete_task(bench.store, task, hard=True, dry_run=True).deleted
    assert delete_task(bench.store, task, hard=True).deleted == predicted
    assert predicted["pages"] == 1
    assert faults(bench.store) == []


# With real files


def test_a_folder_of_every_format_is_one_library(bench: Bench, tmp_path: Path) -> None:
    folder = tmp_path / "papers"
    folder.mkdir()
    entries = f"@article{{a, title={{T}}, doi={{10.1000/a}}, abstract={{{TEA}}}}}\n@x{{broken, title={{"
    (folder / "a.bib").write_text(entries, encoding="utf-8")
    (folder / "b.ris").write_text("TY  - JOUR\nTI  - T\nDO  - 10.1000/A\n", encoding="utf-8")
    (folder / "c.json").write_text(json.dumps([{"id": 1, "type": "book", "title": "T", "DOI": "10.1000/a"}]), encoding="utf-8")
    lines = [{"id": f"{OPENALEX}W1", "title": "T", "doi": "https://doi.org/10.1000/a"}, {"id": f"{OPENALEX}W2", "title": "U"}]
    (folder / "d.jsonl").write_text("\n".join(map(json.dumps, lines)) + "\nbad\n", encoding="utf-8")
    (folder / "e.md").write_text(f"---\ndoi: 10.1000/a\n---\n\n{WALK}\n", encoding="utf-8")
    (folder / "f.json").write_text('{"name": "something else"}', encoding="utf-8")
    (folder / "g.bib").symlink_to("/etc/hostname")
    report = read(replace(bench, reader=LibraryReader()), str(folder))
    assert report.counts == {"read": 5, "skipped": 2, "records": 5, "records_failed": 2}
    assert {entry.code for entry in report.problems} == {"record_broken", "unsupported_type", "outside_library"}
    assert sizes(bench.store)["pages"] == 2
    assert in_scope(bench, str(folder)) == {TEA, WALK}
