"""Retractions: a notice is a page of its own, and its one refuting edge is as strong as what it takes back."""

from dataclasses import replace

import pytest

from lyra.core.identity import fragment_id
from lyra.core.records import Claim, Document, Evidence, ModelInfo, Span
from lyra.store.evidence_store import EvidenceStore
from tests.contents import contents, sizes
from tests.fakes import document, stance

MODEL = ModelInfo(kind="stance", name="keyword", version="1")
FIRST, SECOND = "Sleep improves memory in adults.", "Adults who sleep more remember more."


def register(store: EvidenceStore, found: Document, *texts: str) -> str:
    spans = [Span(found.text.index(text), found.text.index(text) + len(text)) for text in texts]
    return store.pages.register(found, "file:///library/a.txt", spans).page_id


def retracted_work(*names: str) -> Document:
    facts = document(f"{FIRST} {SECOND}", *names)
    return replace(facts, title="Sleep and memory", retracted=True, retraction_reason="The data were invented.")


def new_claim(store: EvidenceStore, text: str = "Sleep helps memory.") -> Claim:
    return store.tasks.add_claims(store.tasks.create("question", None, []).task_id, [text])[0]


def judge(store: EvidenceStore, claim: Claim, text: str, relation: str, weight: float) -> None:
    store.edges.add(claim, {fragment_id(text): stance(relation, weight)}, MODEL, "job_1")


def refutations(store: EvidenceStore, claim: Claim) -> list[Evidence]:
    return [edge for edge in store.evidence.of_claims([claim.claim_id])[claim.claim_id] if edge.relation == "refutes"]


@pytest.fixture
def claim(store: EvidenceStore) -> Claim:
    """A claim that two fragments of a retracted page support."""
    register(store, retracted_work("doi:10.1000/a"), FIRST, SECOND)
    claim = new_claim(store)
    judge(store, claim, FIRST, "supports", 0.6)
    judge(store, claim, SECOND, "supports", 0.9)
    return claim


def test_the_notice_refutes_with_the_strongest_of_the_supports(store: EvidenceStore, claim: Claim) -> None:
    assert store.retractions.apply("job_2") == 1
    (edge,) = refutations(store, claim)
    assert (edge.nli_confidence, edge.model) == (0.9, "retraction")
    values = store.edges.confidences(claim.task_id)[claim.claim_id]
    assert (values.alpha, values.beta) == pytest.approx((2.5, 1.9))


def test_the_notice_is_a_page_that_names_the_work(store: EvidenceStore, claim: Claim) -> None:
    before = sizes(store)
    store.retractions.apply("job_2")
    (edge,) = refutations(store, claim)
    assert "10.1000/a" in edge.quote
    assert "The data were invented." in edge.quote
    assert edge.title == "Retraction notice: Sleep and memory"
    assert not edge.retracted
    after = sizes(store)
    assert {name: after[name] - before[name] for name in before} == {
        "pages": 1,
        "fragments": 1,
        "occurrences": 1,
        "cites": 0,
        "claims": 0,
        "edges": 1,
    }


def test_applying_again_adds_nothing(store: EvidenceStore, claim: Claim) -> None:
    store.retractions.apply("job_2")
    before = contents(store)
    assert store.retractions.apply("job_3") == 0
    assert contents(store) == before
    assert len(refutations(store, claim)) == 1


def test_a_doi_learned_later_adds_no_second_notice(store: EvidenceStore) -> None:
    register(store, retracted_work("url:https://example.org/a"), FIRST)
    claim = new_claim(store)
    judge(store, claim, FIRST, "supports", 0.9)
    assert store.retractions.apply("job_2") == 1
    register(store, retracted_work("url:https://example.org/a", "doi:10.1000/a"), FIRST)
    assert store.retractions.apply("job_3") == 0
    assert len(refutations(store, claim)) == 1


def test_a_stronger_support_found_later_strengthens_the_notice(store: EvidenceStore) -> None:
    register(store, retracted_work("doi:10.1000/a"), FIRST, SECOND)
    claim = new_claim(store)
    judge(store, claim, FIRST, "supports", 0.6)
    assert store.retractions.apply("job_2") == 1
    judge(store, claim, SECOND, "supports", 0.9)
    assert store.retractions.apply("job_3") == 0
    assert [edge.nli_confidence for edge in refutations(store, claim)] == [0.9]


def test_a_notice_somebody_corrected_is_left_alone(store: EvidenceStore, claim: Claim) -> None:
    store.retractions.apply("job_2")
    store.database.run(
        "UPDATE edges SET relation = 'neutral', nli_confidence = 0.1, edge_human_corrected = 1 WHERE relation = 'refutes'"
    )
    assert store.retractions.apply("job_3") == 0
    assert refutations(store, claim) == []


def test_the_history_of_the_claim_says_so(store: EvidenceStore, claim: Claim) -> None:
    store.retractions.apply("job_2")
    store.retractions.apply("job_3")
    rows = store.database.rows(
        "SELECT event_type, cause_id FROM claim_timeline WHERE claim_id = ? ORDER BY event_seq", (claim.claim_id,)
    )
    assert rows[-1] == ("retraction_seen", "job_2")
    assert [row[0] for row in rows].count("retraction_seen") == 1


def test_every_claim_the_page_supports_gets_its_edge(store: EvidenceStore, claim: Claim) -> None:
    other, unconcerned = new_claim(store, "More sleep, better memory."), new_claim(store, "Coffee is bitter.")
    judge(store, other, FIRST, "supports", 0.7)
    judge(store, unconcerned, FIRST, "neutral", 0.9)
    assert store.retractions.apply("job_2") == 2
    assert [edge.nli_confidence for edge in refutations(store, other)] == [0.7]
    assert refutations(store, unconcerned) == []


@pytest.mark.parametrize("relation", ["refutes", "neutral"])
def test_a_retracted_page_that_supports_nothing_takes_nothing_back(store: EvidenceStore, relation: str) -> None:
    register(store, retracted_work("doi:10.1000/a"), FIRST, SECOND)
    claim = new_claim(store)
    judge(store, claim, FIRST, relation, 0.9)
    before = contents(store)
    assert store.retractions.apply("job_2") == 0
    assert contents(store) == before


def test_the_notices_of_two_works_are_distinct(store: EvidenceStore, claim: Claim) -> None:
    other = "Naps improve memory, too."
    register(store, replace(retracted_work("doi:10.1000/b"), text=other), other)
    judge(store, claim, other, "supports", 0.5)
    assert store.retractions.apply("job_2") == 2
    assert sorted(edge.nli_confidence for edge in refutations(store, claim)) == [0.5, 0.9]
    assert len({edge.page_id for edge in refutations(store, claim)}) == 2


def test_a_retraction_seen_later_counts_from_then_on(store: EvidenceStore) -> None:
    register(store, replace(retracted_work("doi:10.1000/a"), retracted=False), FIRST)
    claim = new_claim(store)
    judge(store, claim, FIRST, "supports", 0.8)
    assert store.retractions.apply("job_2") == 0
    register(store, retracted_work("doi:10.1000/a"), FIRST)
    assert store.retractions.apply("job_3") == 1
    assert [edge.nli_confidence for edge in refutations(store, claim)] == [0.8]


def test_a_page_without_doi_or_host_has_a_notice_as_well(store: EvidenceStore) -> None:
    register(store, retracted_work(), FIRST)
    claim = new_claim(store)
    judge(store, claim, FIRST, "supports", 0.8)
    assert store.retractions.apply("job_2") == 1
    (edge,) = refutations(store, claim)
    assert "file:///library/a.txt" in edge.quote


def test_a_retraction_stays_although_the_file_no_longer_says_so(store: EvidenceStore, claim: Claim) -> None:
    register(store, replace(retracted_work("doi:10.1000/a"), retracted=False), FIRST, SECOND)
    assert [edge.retracted for edge in store.evidence.of_claims([claim.claim_id])[claim.claim_id]] == [True, True]
    rows = store.database.rows("SELECT event_type FROM event_log WHERE event_type = 'page_retracted'")
    assert len(rows) == 1
