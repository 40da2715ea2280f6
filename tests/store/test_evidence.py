"""Evidence as a reader gets it: the quote as it stands in its source, where it stands, and how good it is."""

from dataclasses import replace

import pytest

from lyra.core.dependence import group_by_origin
from lyra.core.identity import content_hash, fragment_id
from lyra.core.records import Claim, Document, Evidence, FileStamp, ModelInfo, Span, Stance
from lyra.store.evidence_store import EvidenceStore
from lyra.store.library import FileState
from lyra.store.pages import Sighting
from tests.fakes import document, named, stance

MODEL = ModelInfo(kind="stance", name="keyword", version="1", calibration_version="c1")
SLEEP = "Sleep improves memory in adults."
ROOT = "/library"


@pytest.fixture(autouse=True)
def root(store: EvidenceStore) -> None:
    store.library.add_root(ROOT)


@pytest.fixture
def claim(store: EvidenceStore) -> Claim:
    return store.tasks.add_claims(store.tasks.create("question", None, []).task_id, ["Sleep helps."])[0]


def read(store: EvidenceStore, path: str, found: Document, spans: list[Span] | None = None) -> Sighting:
    sighting = store.pages.register(found, f"file://{ROOT}/{path}", spans or [Span(0, len(found.text))])
    state = FileState(status="read", page_id=sighting.page_id, page_version_id=sighting.page_version_id)
    store.library.record(ROOT, FileStamp(f"{ROOT}/{path}", len(found.text), 1), state)
    return sighting


def judge(store: EvidenceStore, claim: Claim, text: str, judged: Stance | None = None) -> None:
    store.edges.add(claim, {fragment_id(text): judged or stance("supports", 0.9)}, MODEL, "job_1")


def only(store: EvidenceStore, claim: Claim) -> Evidence:
    (found,) = store.evidence.of_claims([claim.claim_id])[claim.claim_id]
    return found


# The quote and its place


def test_a_quote_is_exactly_the_slice_its_locator_names(store: EvidenceStore, claim: Claim) -> None:
    written = "Ｓｌｅｅｐ  improves\nmemory 😴 in adults."
    found = document(f"見出し 👩‍⚕️\n\n{written} And more.")
    start = found.text.index(written)
    read(store, "a.txt", found, [Span(start, start + len(written), "Results", 7)])
    judge(store, claim, written)
    edge = only(store, claim)
    assert edge.quote == written == found.text[edge.locator.start : edge.locator.end]
    assert (edge.locator.section, edge.locator.page_number, edge.locator.stale) == ("Results", 7, False)
    assert edge.locator.path == f"{ROOT}/a.txt"
    assert edge.locator.content_hash == content_hash(found.text)


def test_the_decisive_sentence_is_marked_in_the_quote_as_written(store: EvidenceStore, claim: Claim) -> None:
    first, second = "We asked  many adults.", "Sleep improves\nmemory a lot."
    found = document(f"{first} {second}")
    read(store, "a.txt", found)
    normalised = f"We asked many adults. {second.replace(chr(10), ' ')}"
    judge(store, claim, found.text, stance("supports", 0.9, decisive=(22, len(normalised))))
    edge = only(store, claim)
    assert edge.decisive is not None
    assert edge.quote[slice(*edge.decisive)] == second


def test_without_a_decisive_sentence_nothing_is_marked(store: EvidenceStore, claim: Claim) -> None:
    read(store, "a.txt", document(SLEEP))
    judge(store, claim, SLEEP)
    assert only(store, claim).decisive is None


def test_an_edge_shows_its_source_and_its_model(store: EvidenceStore, claim: Claim) -> None:
    work = replace(
        document(SLEEP, "doi:10.1000/a"),
        title="Sleep and memory in older adults",
        authors=("Ann Smith",),
        published_on="2021-03",
        venue="Journal of Sleep",
        retracted=True,
    )
    sighting = read(store, "a.txt", work)
    judge(store, claim, SLEEP, stance("refutes", 0.8))
    edge = only(store, claim)
    assert (edge.page_id, edge.url, edge.doi) == (sighting.page_id, "https://doi.org/10.1000/a", "10.1000/a")
    assert (edge.title, edge.published_on, edge.year, edge.venue) == (work.title, "2021-03", 2021, "Journal of Sleep")
    assert edge.authors == ("Ann Smith",)
    assert edge.retracted
    assert (edge.relation, edge.nli_label, edge.nli_confidence) == ("refutes", "refutes", 0.8)
    assert (edge.model, edge.model_version, edge.calibration_version) == ("keyword", "1", "c1")
    assert sum(edge.probabilities) == pytest.approx(1.0)


def test_evidence_comes_strongest_first_and_neutral_last(store: EvidenceStore, claim: Claim) -> None:
    judged = [("neutral", 0.99), ("supports", 0.5), ("refutes", 0.9), ("supports", 0.7)]
    for number, (relation, weight) in enumerate(judged):
        read(store, f"{number}.txt", document(f"Text number {number}."))
        judge(store, claim, f"Text number {number}.", stance(relation, weight))
    found = store.evidence.of_claims([claim.claim_id])[claim.claim_id]
    assert [(edge.relation.value, edge.nli_confidence) for edge in found] == [
        ("refutes", 0.9),
        ("supports", 0.7),
        ("supports", 0.5),
        ("neutral", 0.99),
    ]


def test_claims_without_evidence_are_answered_too(store: EvidenceStore, claim: Claim) -> None:
    assert store.evidence.of_claims([claim.claim_id]) == {claim.claim_id: []}
    assert store.evidence.of_claims([]) == {}


def test_more_claims_than_one_query_takes_are_answered(store: EvidenceStore) -> None:
    read(store, "a.txt", document(SLEEP))
    task = store.tasks.create("question", None, [])
    claims = store.tasks.add_claims(task.task_id, [f"Claim number {number}." for number in range(501)])
    for claim in (claims[0], claims[500]):
        judge(store, claim, SLEEP)
    found = store.evidence.of_claims([claim.claim_id for claim in claims])
    assert len(found) == 501
    assert [len(found[claim.claim_id]) for claim in (claims[0], claims[1], claims[500])] == [1, 0, 1]


# Versions and copies


def test_a_quote_of_an_old_version_is_shown_as_stale(store: EvidenceStore, claim: Claim) -> None:
    read(store, "a.txt", document(SLEEP))
    judge(store, claim, SLEEP)
    read(store, "a.txt", document("Sleep changes nothing."))
    edge = only(store, claim)
    assert (edge.quote, edge.locator.stale, edge.locator.path) == (SLEEP, True, None)


def test_a_quote_is_shown_where_it_still_stands(store: EvidenceStore, claim: Claim) -> None:
    read(store, "a.txt", document(SLEEP))
    judge(store, claim, SLEEP)
    read(store, "a.txt", document("Sleep changes nothing."))
    current = read(store, "b.txt", document(SLEEP))
    edge = only(store, claim)
    assert (edge.page_id, edge.locator.path, edge.locator.stale) == (current.page_id, f"{ROOT}/b.txt", False)


def test_a_copy_is_named_beside_the_first_page(store: EvidenceStore, claim: Claim) -> None:
    first = read(store, "a.txt", document(SLEEP))
    second = read(store, "b.txt", document(SLEEP))
    judge(store, claim, SLEEP)
    edge = only(store, claim)
    assert (edge.page_id, edge.other_page_ids) == (first.page_id, (second.page_id,))


def test_a_work_is_recognised_through_a_copy_of_it(store: EvidenceStore, claim: Claim) -> None:
    other = "Older adults who sleep more remember more."
    read(store, "press.txt", document(SLEEP))
    work = replace(document(SLEEP), title="Sleep and memory in older adults", authors=("Ann Smith",))
    read(store, "journal.txt", work)
    read(store, "preprint.txt", replace(work, text=other))
    judge(store, claim, SLEEP)
    judge(store, claim, other)
    independent = group_by_origin(store.evidence.of_claims([claim.claim_id])[claim.claim_id])
    assert independent.sources == 1
    assert {link.reason for link in independent.groups[0].links} == {"same_text", "same_work"}


# Citations


def cited(store: EvidenceStore, claim: Claim, *references: str) -> str | None:
    """Return the sole citation of an article with the given references, read back from its evidence."""
    read(store, "article.txt", replace(document(SLEEP), references=named(*references)))
    judge(store, claim, SLEEP)
    return only(store, claim).sole_citation


def test_a_page_that_cites_one_known_page_carries_it(store: EvidenceStore, claim: Claim) -> None:
    study = read(store, "study.txt", document("A study of sleep.", "doi:10.1000/a", "pmid:1"))
    assert cited(store, claim, "doi:10.1000/a", "pmid:1", "doi:10.1000/unknown") == study.page_id


def test_a_page_that_cites_two_known_pages_has_no_sole_citation(store: EvidenceStore, claim: Claim) -> None:
    read(store, "one.txt", document("A study of sleep.", "doi:10.1000/a"))
    read(store, "two.txt", document("A study of rest.", "doi:10.1000/b"))
    assert cited(store, claim, "doi:10.1000/a", "doi:10.1000/b") is None


@pytest.mark.parametrize("own", ["doi:10.1000/own", "pmid:2", "arxiv:2101.00002"])
def test_a_work_with_an_identifier_of_its_own_retells_no_other(store: EvidenceStore, claim: Claim, own: str) -> None:
    read(store, "study.txt", document("A study of sleep.", "doi:10.1000/a"))
    read(store, "trial.txt", replace(document(SLEEP, own), references=named("doi:10.1000/a")))
    judge(store, claim, SLEEP)
    assert only(store, claim).sole_citation is None


def test_a_page_that_cites_nothing_known_has_no_sole_citation(store: EvidenceStore, claim: Claim) -> None:
    assert cited(store, claim, "doi:10.1000/a") is None


def test_being_cited_is_no_citation(store: EvidenceStore, claim: Claim) -> None:
    read(store, "study.txt", document(SLEEP, "doi:10.1000/a"))
    read(store, "article.txt", replace(document("About a study."), references=named("doi:10.1000/a")))
    judge(store, claim, SLEEP)
    assert only(store, claim).sole_citation is None
