"""Check: claims and documents in, confidence with evidence out; doing it again adds nothing."""

import math
from dataclasses import replace

import pytest

from lyra.core.errors import DocumentProblem, InvalidInput, NotFound
from lyra.core.records import JobStatus, ProviderStatus, Relation
from lyra.core.verification import ReasonCode
from lyra.workflows.bench import Bench, Limits
from lyra.workflows.check import MAX_QUESTION_CHARS, CheckRequest, RunResult, check, check_question
from tests.contents import contents, sizes
from tests.fakes import LIBRARY, KeywordStance, MemoryReader, OverlapReranker, document

WALKING = "Daily walking lowers blood pressure."
VOLCANO = "Volcanic ash cools the upper atmosphere."
SUPPORT = "Daily walking lowers blood pressure in adults."
SECOND_SUPPORT = "In our trial daily walking lowers blood pressure by five points."
REFUTATION = "Daily walking does not change blood pressure."
NEUTRAL = "Coffee prices rose sharply in March of this year."


@pytest.fixture(autouse=True)
def library(reader: MemoryReader) -> None:
    reader.put("adults.txt", SUPPORT)
    reader.put("coffee.txt", NEUTRAL)
    reader.put("contra.txt", REFUTATION)
    reader.put("trial.txt", SECOND_SUPPORT)


def run(bench: Bench, *claims: str, task_id: str | None = None) -> RunResult:
    return check(bench, CheckRequest(claims=claims or (WALKING,), library=(LIBRARY,), task_id=task_id))


# The main job


def test_a_claim_gets_its_evidence_from_the_library(bench: Bench) -> None:
    result = run(bench)
    (material,) = result.materials.claims
    found = {edge.quote: edge.relation for edge in material.evidence}
    assert found == {
        SUPPORT: Relation.SUPPORTS,
        SECOND_SUPPORT: Relation.SUPPORTS,
        REFUTATION: Relation.REFUTES,
        NEUTRAL: Relation.NEUTRAL,
    }
    assert (material.values.supporting_count, material.values.refuting_count, material.values.neutral_count) == (2, 1, 1)
    assert material.verification.reason_code is ReasonCode.CONFLICTING_EVIDENCE
    assert result.outcome.status is JobStatus.DONE
    assert (result.outcome.new_edges, result.outcome.new_claims) == (4, 0)


def test_the_answer_names_its_source_and_its_models(bench: Bench) -> None:
    materials = run(bench).materials
    assert [(provider.name, provider.status) for provider in materials.providers] == [("library", ProviderStatus.OK)]
    assert materials.providers[0].counts == {"read": 4}
    assert [model.name for model in materials.models] == ["keyword", "hash"]


def test_a_claim_nothing_speaks_about_stays_undecided(bench: Bench) -> None:
    (material,) = run(bench, VOLCANO).materials.claims
    assert material.values.confidence == 0.5
    assert material.values.uncertainty == math.sqrt(1 / 12)
    assert round(material.values.uncertainty, 4) == 0.2887
    assert (material.values.controversy, material.has_evidence) == (0.0, False)
    assert material.verification.reason_code is ReasonCode.INSUFFICIENT_EVIDENCE


def test_the_question_is_the_first_claim_unless_one_is_given(bench: Bench) -> None:
    assert run(bench, WALKING, VOLCANO).materials.task.question == WALKING
    asked = check(bench, CheckRequest((WALKING,), (LIBRARY,), question="  Does walking\n help? "))
    assert asked.materials.task.question == "Does walking help?"


def test_a_question_that_nobody_asked_is_as_much_of_the_first_claim_as_fits(bench: Bench) -> None:
    long = f"{WALKING} " * 100
    assert run(bench, long).materials.task.question == long[:MAX_QUESTION_CHARS]


def test_only_the_best_fragments_are_judged(bench: Bench) -> None:
    few = replace(bench, limits=Limits(top_k=2))
    (material,) = run(few).materials.claims
    assert len(material.evidence) == 2
    assert NEUTRAL not in {edge.quote for edge in material.evidence}


def test_a_reranker_chooses_where_there_is_one(bench: Bench, reader: MemoryReader) -> None:
    reader.put("lists.txt", "Walking walking walking daily daily daily, that is all we list here.")
    chosen = replace(bench, limits=Limits(top_k=1), reranker=OverlapReranker())
    (material,) = run(chosen, "Walking lowers pressure.").materials.claims
    assert material.evidence[0].quote in {SUPPORT, SECOND_SUPPORT}


def test_a_retracted_page_refutes_what_it_supported(bench: Bench, reader: MemoryReader) -> None:
    reader.put("adults.txt", replace(document(SUPPORT, "doi:10.1000/a"), retracted=True))
    (material,) = run(bench).materials.claims
    notice = [edge for edge in material.evidence if edge.model == "retraction"]
    support = next(edge for edge in material.evidence if edge.quote == SUPPORT)
    assert support.retracted
    assert [(edge.relation, edge.nli_confidence) for edge in notice] == [(Relation.REFUTES, support.nli_confidence)]


# Doing it again


def test_the_same_check_on_the_same_task_adds_nothing(bench: Bench, reader: MemoryReader) -> None:
    first = run(bench, WALKING, VOLCANO)
    before, reads = contents(bench.store), len(reader.reads)
    again = run(bench, WALKING, VOLCANO, task_id=first.materials.task.task_id)
    assert contents(bench.store) == before
    assert (again.outcome.new_edges, again.outcome.new_claims) == (0, 0)
    assert [m.claim for m in again.materials.claims] == [m.claim for m in first.materials.claims]
    assert len(reader.reads) == reads
    assert again.materials.providers[0].counts == {"unchanged": 4}


def test_two_tasks_share_pages_and_fragments_and_not_claims(bench: Bench) -> None:
    model = KeywordStance()
    shared = replace(bench, stance=model)
    first = run(shared)
    before, judged = sizes(shared.store), len(model.judged)
    second = run(shared)
    after = sizes(shared.store)
    assert second.materials.task.task_id != first.materials.task.task_id
    assert second.materials.claims[0].claim.claim_id != first.materials.claims[0].claim.claim_id
    assert {name: after[name] - before[name] for name in after} == {
        "pages": 0,
        "fragments": 0,
        "occurrences": 0,
        "cites": 0,
        "claims": 1,
        "edges": 4,
    }
    assert len(model.judged) == judged
    assert second.materials.claims[0].values == first.materials.claims[0].values


def test_a_claim_added_later_is_judged_against_what_is_stored(bench: Bench, reader: MemoryReader) -> None:
    first = run(bench, VOLCANO)
    reads = len(reader.reads)
    later = run(bench, WALKING, task_id=first.materials.task.task_id)
    assert [material.claim.text for material in later.materials.claims] == [WALKING]
    assert later.materials.claims[0].values.supporting_count == 2
    assert later.materials.task.claim_count == 2
    assert len(reader.reads) == reads


def test_a_new_document_adds_its_evidence_to_the_old_claims(bench: Bench, reader: MemoryReader) -> None:
    first = run(bench)
    reader.put("review.txt", "Our review finds that daily walking lowers blood pressure everywhere.")
    again = run(bench, task_id=first.materials.task.task_id)
    assert again.outcome.new_edges == 1
    before, after = first.materials.claims[0].values, again.materials.claims[0].values
    assert after.alpha > before.alpha
    assert after.uncertainty < before.uncertainty


def test_the_library_of_a_task_is_remembered(bench: Bench, reader: MemoryReader) -> None:
    reader.put("/elsewhere/other.txt", "Daily walking lowers blood pressure elsewhere, too.")
    first = run(bench)
    check(bench, CheckRequest((WALKING,), ("/elsewhere",)))
    again = check(bench, CheckRequest((WALKING,), task_id=first.materials.task.task_id))
    assert len(again.materials.claims[0].evidence) == 4


def test_without_a_library_all_known_ones_are_read(bench: Bench, reader: MemoryReader) -> None:
    reader.put("/elsewhere/other.txt", "Daily walking lowers blood pressure elsewhere, too.")
    run(bench)
    check(bench, CheckRequest((WALKING,), ("/elsewhere",)))
    assert len(check(bench, CheckRequest((WALKING,))).materials.claims[0].evidence) == 5


def test_a_library_that_was_forgotten_is_not_read_any_more(bench: Bench, reader: MemoryReader) -> None:
    first = run(bench)
    bench.store.library.remove_root(LIBRARY)
    with pytest.raises(InvalidInput) as refusal:
        check(bench, CheckRequest((WALKING,), task_id=first.materials.task.task_id))
    assert refusal.value.code == "no_library"
    reader.put("/elsewhere/other.txt", "Daily walking lowers blood pressure elsewhere, too.")
    again = check(bench, CheckRequest((WALKING,), ("/elsewhere",), task_id=first.materials.task.task_id))
    assert len(again.materials.claims[0].evidence) == 5
    assert sum(edge.locator.stale for edge in again.materials.claims[0].evidence) == 4


# What cannot be used


@pytest.mark.parametrize(
    ("request_", "code"),
    [
        pytest.param(CheckRequest((), (LIBRARY,)), "no_claims", id="no claim"),
        pytest.param(CheckRequest((WALKING, "???"), (LIBRARY,)), "empty_claim", id="an empty claim"),
        pytest.param(CheckRequest(("x" * 10_001,), (LIBRARY,)), "claim_too_long", id="too long a claim"),
        pytest.param(CheckRequest((WALKING,)), "no_library", id="no library"),
        pytest.param(CheckRequest((WALKING,), ("/nowhere",)), "library_empty", id="a library without documents"),
        pytest.param(CheckRequest((WALKING,), (LIBRARY,), question=" ?! "), "empty_question", id="an empty question"),
    ],
)
def test_a_request_that_cannot_be_used_writes_nothing(bench: Bench, request_: CheckRequest, code: str) -> None:
    with pytest.raises(InvalidInput) as refusal:
        check(bench, request_)
    assert refusal.value.code == code
    assert bench.store.tasks.all() == []
    assert bench.store.library.roots() == []


def test_an_unknown_task_is_refused(bench: Bench) -> None:
    with pytest.raises(NotFound) as refusal:
        run(bench, task_id="task_0")
    assert refusal.value.code == "unknown_task"
    assert bench.store.library.roots() == []


def test_a_stopped_task_takes_no_more_work(bench: Bench) -> None:
    task = run(bench).materials.task
    bench.store.tasks.stop(task.task_id)
    before = contents(bench.store)
    with pytest.raises(InvalidInput) as refusal:
        run(bench, VOLCANO, task_id=task.task_id)
    assert refusal.value.code == "task_stopped"
    assert contents(bench.store) == before


def test_a_library_that_cannot_be_used_does_not_spoil_the_others(bench: Bench, reader: MemoryReader) -> None:
    reader.missing_roots.add("/gone")
    result = check(bench, CheckRequest((WALKING,), ("/gone", LIBRARY, "/nowhere")))
    assert [problem.code for problem in result.problems] == ["path_missing", "library_empty"]
    assert len(result.materials.claims[0].evidence) == 4
    assert bench.store.library.roots() == [LIBRARY]


def test_a_library_without_any_text_is_refused(bench: Bench, reader: MemoryReader) -> None:
    reader.put("/scans/a.pdf", DocumentProblem("pdf_without_text"))
    with pytest.raises(InvalidInput) as refusal:
        check(bench, CheckRequest((WALKING,), ("/scans",)))
    assert refusal.value.code == "library_without_text"
    (task,) = bench.store.tasks.all()
    (job,) = bench.store.jobs.of_task(task.task_id)
    assert (job.status, job.error) == (JobStatus.FAILED, "library_without_text")


# Questions


@pytest.mark.parametrize(
    ("written", "kept"),
    [
        pytest.param("  Does it\n work? ", "Does it work?", id="spaces"),
        pytest.param("Does\x00 it work?\udcff", "Does it work?", id="what cannot be stored"),
        pytest.param("効くのか？", "効くのか？", id="Japanese"),
        pytest.param("㍿", "㍿", id="one sign"),
        pytest.param("x" * MAX_QUESTION_CHARS, "x" * MAX_QUESTION_CHARS, id="as long as it may be"),
    ],
)
def test_a_question_is_put_on_one_line(written: str, kept: str) -> None:
    assert check_question(written) == kept


@pytest.mark.parametrize("written", ["", "  \n", "?!", "\u200b"])
def test_a_question_needs_a_word(written: str) -> None:
    with pytest.raises(InvalidInput) as refusal:
        check_question(written)
    assert refusal.value.code == "empty_question"


def test_a_question_that_is_too_long_is_refused_and_not_cut() -> None:
    with pytest.raises(InvalidInput) as refusal:
        check_question("x" * (MAX_QUESTION_CHARS + 1))
    assert refusal.value.code == "question_too_long"
    assert refusal.value.params == {"length": MAX_QUESTION_CHARS + 1, "limit": MAX_QUESTION_CHARS}
