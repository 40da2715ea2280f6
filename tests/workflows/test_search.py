"""Search: a task's graph grows by what is new, and a claim is never judged by the words it was taken from."""

from dataclasses import replace

import pytest

from lyra.core.errors import InvalidInput, NotFound
from lyra.core.records import JobStatus
from lyra.workflows.bench import Bench, Limits
from lyra.workflows.check import CheckRequest, check, search
from tests.contents import contents
from tests.fakes import LIBRARY, MemoryReader

TRIAL = "In a randomised trial of 240 adults, daily walking reduced systolic blood pressure by 5 mmHg within three months."
REVIEW = "A review of 31 studies found that daily walking reduced blood pressure by 4 mmHg compared with no exercise."
COFFEE = "Coffee prices increased by 40 percent in March compared with the previous year."
QUERY = "walking and blood pressure"


@pytest.fixture(autouse=True)
def library(reader: MemoryReader) -> None:
    reader.put("coffee.txt", COFFEE)
    reader.put("review.txt", REVIEW)
    reader.put("trial.txt", TRIAL)


@pytest.fixture
def task_id(bench: Bench) -> str:
    bench.store.library.add_root(LIBRARY)
    return bench.store.tasks.create("Does walking lower blood pressure?", None, [LIBRARY]).task_id


def test_claims_are_proposed_with_the_place_they_come_from(bench: Bench, task_id: str) -> None:
    result = search(bench, task_id, [QUERY])
    claims = {material.claim.text: material.claim for material in result.materials.claims}
    assert {TRIAL, REVIEW} <= set(claims)
    assert result.outcome.new_claims == len(claims)
    for claim in claims.values():
        assert claim.origin_fragment_id is not None
        assert claim.origin_page_id == bench.store.pages.first_page(claim.origin_fragment_id)


def test_a_claim_is_never_judged_against_its_origin(bench: Bench, task_id: str) -> None:
    for material in search(bench, task_id, [QUERY]).materials.claims:
        assert material.claim.origin_fragment_id not in {edge.fragment_id for edge in material.evidence}
        assert len(material.evidence) == 2
        assert material.independent_sources == len({e.page_id for e in material.evidence if e.relation == "supports"})


def test_searching_again_adds_nothing(bench: Bench, task_id: str, reader: MemoryReader) -> None:
    first = search(bench, task_id, [QUERY, "coffee prices"])
    before, reads = contents(bench.store), len(reader.reads)
    again = search(bench, task_id, [QUERY, "coffee prices"])
    assert contents(bench.store) == before
    assert (again.outcome.new_claims, again.outcome.new_edges) == (0, 0)
    assert again.materials.claims == first.materials.claims
    assert len(reader.reads) == reads


def test_without_a_query_the_question_is_asked(bench: Bench, task_id: str) -> None:
    search(bench, task_id, [])
    assert bench.store.database.rows("SELECT query_text FROM queries") == [("Does walking lower blood pressure?",)]


def test_a_new_document_gives_new_claims_and_new_evidence(bench: Bench, task_id: str, reader: MemoryReader) -> None:
    search(bench, task_id, [QUERY])
    reader.put("cohort.txt", "In a cohort of 9000 adults, daily walking reduced blood pressure by 3 mmHg over ten years.")
    grown = search(bench, task_id, [QUERY])
    assert grown.outcome.new_claims == 1
    assert grown.outcome.new_edges > 0
    assert [len(material.evidence) for material in grown.materials.claims] == [3] * len(grown.materials.claims)


def test_a_claim_of_a_person_stays_without_origin_although_a_text_says_the_same(bench: Bench) -> None:
    task = check(bench, CheckRequest((TRIAL,), (LIBRARY,))).materials.task
    result = search(bench, task.task_id, [QUERY])
    given = next(material for material in result.materials.claims if material.claim.text == TRIAL)
    assert given.claim.origin_fragment_id is None
    assert TRIAL in {edge.quote for edge in given.evidence}


def test_a_search_shows_all_claims_of_the_task_and_a_check_only_the_given(bench: Bench, task_id: str) -> None:
    found = search(bench, task_id, [QUERY]).materials.claims
    shown = check(bench, CheckRequest(("Walking is pleasant for adults.",), task_id=task_id)).materials.claims
    assert [material.claim.text for material in shown] == ["Walking is pleasant for adults."]
    assert len(search(bench, task_id, [QUERY]).materials.claims) == len(found) + 1


def test_no_more_claims_are_proposed_than_allowed(bench: Bench, task_id: str) -> None:
    few = replace(bench, limits=Limits(search_claims=1))
    assert search(few, task_id, [QUERY]).outcome.new_claims == 1


def test_an_unknown_task_is_refused(bench: Bench) -> None:
    with pytest.raises(NotFound) as refusal:
        search(bench, "task_0", [QUERY])
    assert refusal.value.code == "unknown_task"


@pytest.mark.parametrize("query", ["", " ?! "])
def test_an_empty_query_is_refused_before_anything_is_written(bench: Bench, task_id: str, query: str) -> None:
    with pytest.raises(InvalidInput) as refusal:
        search(bench, task_id, [QUERY, query])
    assert refusal.value.code == "empty_question"
    assert bench.store.jobs.of_task(task_id) == []


def test_a_stopped_task_is_not_searched(bench: Bench, task_id: str) -> None:
    bench.store.tasks.stop(task_id)
    with pytest.raises(InvalidInput) as refusal:
        search(bench, task_id, [QUERY])
    assert refusal.value.code == "task_stopped"


def test_a_search_is_a_job_that_is_done(bench: Bench, task_id: str) -> None:
    search(bench, task_id, [QUERY])
    assert [(job.kind, job.status) for job in bench.store.jobs.of_task(task_id)] == [("search", JobStatus.DONE)]
