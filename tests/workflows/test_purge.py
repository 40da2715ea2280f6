"""Purging: contents go, for good, and no number, edge or quote with them."""

import json
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from lyra.core.errors import InvalidInput, NotFound
from lyra.core.records import Document, Section
from lyra.interfaces.presenter import materials_json
from lyra.store.evidence_store import EvidenceStore
from lyra.workflows.bench import Bench
from lyra.workflows.check import CheckRequest, check
from lyra.workflows.ingest import read_library
from lyra.workflows.jobs import worker_name
from lyra.workflows.materials import collect
from lyra.workflows.purge import PurgeRequest, purge, read_days, read_domain
from tests.contents import contents, faults
from tests.fakes import LIBRARY, START, FakeClock, KeywordStance, MemoryReader, document
from tests.workflows.test_records import in_scope

CLAIM = "Green tea improves sleep in adults."
SECRET = "Zanzibar holds the quarterly figures of nobody in particular."
JUDGED = "Green tea improves sleep in adults, as a trial says."
ALL = PurgeRequest(older_than_days=0)
LATER = START + timedelta(days=400)


def two_parts(name: str, first: str, second: str) -> Document:
    """A document of two sections, and so of two fragments."""
    text = f"{first}\n\n{second}"
    return replace(document(text, name), sections=(Section(0, len(first)), Section(len(first) + 2, len(text))))


@pytest.fixture
def task(bench: Bench, reader: MemoryReader) -> str:
    reader.put("a.txt", two_parts("url:https://sub.example.org/a", JUDGED, f"{SECRET} One of two."))
    reader.put("b.txt", two_parts("url:https://other.example/b", JUDGED, f"{SECRET} Two of two."))
    reader.put_records("c.bib", document("Green tea does not improve sleep in adults.", "url:https://example.org/c"))
    limited = replace(bench, limits=replace(bench.limits, top_k=2), stance=KeywordStance())
    return check(limited, CheckRequest((CLAIM,), (LIBRARY,))).materials.task.task_id


def answer(store: EvidenceStore, task_id: str) -> str:
    shown = materials_json(collect(store, task_id))
    return json.dumps(shown["claims"], sort_keys=True)


def test_no_number_edge_or_quote_changes(bench: Bench, task: str) -> None:
    before = answer(bench.store, task)
    assert json.loads(before)[0]["evidence_count"] == 2
    purged = purge(bench.store, ALL, LATER)
    assert answer(bench.store, task) == before
    assert (purged.page_versions, purged.library_entries) == (3, 3)
    assert purged.fragments > 0
    assert faults(bench.store) == []


def test_a_rehearsal_predicts_exactly_and_changes_nothing(bench: Bench, task: str) -> None:
    before = contents(bench.store)
    predicted = purge(bench.store, replace(ALL, dry_run=True), LATER)
    assert contents(bench.store) == before
    assert purge(bench.store, ALL, LATER) == predicted
    assert purge(bench.store, ALL, LATER).page_versions == 0


def test_nothing_of_the_text_is_left_in_the_files_of_the_store(bench: Bench, task: str, home: Path) -> None:
    def holds(word: bytes) -> bool:
        return any(word in path.read_bytes().lower() for path in home.iterdir())

    assert holds(b"zanzibar")
    purge(bench.store, ALL, LATER)
    assert not holds(b"zanzibar")
    assert holds(b"as a trial says")


@pytest.mark.parametrize(
    ("request_", "versions"),
    [
        (PurgeRequest(domain="example.org"), 2),
        (PurgeRequest(domain="sub.example.org"), 1),
        (PurgeRequest(domain="ample.org"), 0),
        (PurgeRequest(older_than_days=500), 0),
        (PurgeRequest(older_than_days=300, domain="other.example"), 1),
    ],
)
def test_age_and_domain_choose_what_goes(bench: Bench, task: str, request_: PurgeRequest, versions: int) -> None:
    assert purge(bench.store, request_, LATER).page_versions == versions


def test_purged_contents_are_searched_no_more_and_come_back_on_request(bench: Bench, task: str, reader: MemoryReader) -> None:
    before, everything = answer(bench.store, task), in_scope(bench)
    purge(bench.store, ALL, LATER)
    assert in_scope(bench) == set()
    report = read_library(bench, [LIBRARY], lambda: None)
    assert [entry.code for entry in report.problems] == ["purged", "purged"]
    assert in_scope(bench) == set()
    read_library(bench, [LIBRARY], lambda: None, reread=True)
    assert in_scope(bench) == everything
    assert answer(bench.store, task) == before


def test_the_text_of_a_purged_page_is_told_to_be_gone(bench: Bench, task: str) -> None:
    page_id = collect(bench.store, task).claims[0].evidence[0].page_id
    assert bench.store.pages.text(page_id)
    purge(bench.store, ALL, LATER)
    with pytest.raises(NotFound) as problem:
        bench.store.pages.text(page_id)
    assert problem.value.code == "text_purged"


def test_a_purge_is_refused_while_a_living_worker_holds_a_job(bench: Bench, task: str, clock: FakeClock) -> None:
    job = bench.store.jobs.add("check", task)
    bench.store.jobs.acquire(job.job_id, worker_name())
    with pytest.raises(InvalidInput) as problem:
        purge(bench.store, ALL, LATER)
    assert problem.value.code == "purge_busy"


def test_a_purge_without_a_choice_is_refused(bench: Bench) -> None:
    with pytest.raises(InvalidInput) as problem:
        purge(bench.store, PurgeRequest(), LATER)
    assert problem.value.code == "purge_everything"


@pytest.mark.parametrize("written", ["", "-1", "1.5", "ten", "100001", "９", "9" * 40])
def test_days_that_are_none_are_refused(written: str) -> None:
    with pytest.raises(InvalidInput):
        read_days(written)


@pytest.mark.parametrize("written", ["", " ", "https://example.org", "a/b", "a:1", ".org"])
def test_domains_that_are_none_are_refused(written: str) -> None:
    with pytest.raises(InvalidInput):
        read_domain(written)


def test_a_domain_is_known_in_any_spelling() -> None:
    assert read_domain("Example.ORG.") == "example.org"
