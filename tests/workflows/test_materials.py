"""Materials: read from the edges of this moment, writing nothing."""

from dataclasses import replace

import pytest

from lyra.core.confidence import confidence
from lyra.core.errors import NotFound
from lyra.workflows.bench import Bench
from lyra.workflows.check import CheckRequest, check
from lyra.workflows.materials import collect
from tests.contents import contents
from tests.fakes import LIBRARY, MemoryReader, document, named

WALKING = "Daily walking lowers blood pressure."
COPY = "Daily walking lowers blood pressure in adults."


def checked(bench: Bench, *claims: str) -> str:
    return check(bench, CheckRequest(claims, (LIBRARY,))).materials.task.task_id


def test_the_numbers_follow_from_the_edges_that_are_shown(bench: Bench, reader: MemoryReader) -> None:
    reader.put("a.txt", COPY)
    reader.put("b.txt", "Daily walking does not change blood pressure.")
    task_id = checked(bench, WALKING)
    (material,) = collect(bench.store, task_id).claims
    assert material.values == confidence((edge.relation, edge.nli_confidence) for edge in material.evidence)
    assert (material.values.supporting_count, material.values.refuting_count) == (1, 1)


def test_a_syndicated_copy_adds_no_source(bench: Bench, reader: MemoryReader) -> None:
    reader.put("a.txt", COPY)
    reader.put("b.txt", COPY)
    (material,) = collect(bench.store, checked(bench, WALKING)).claims
    assert (material.independent_sources, material.independent.sources) == (1, 1)
    assert [link.reason for group in material.independent.groups for link in group.links] == ["same_text"]


def test_a_preprint_and_its_journal_version_are_one_origin(bench: Bench, reader: MemoryReader) -> None:
    preprint = replace(document(COPY, "arxiv:2101.00001"), title="Walking and blood pressure in adults", authors=("Ann Smith",))
    journal = replace(
        document("In adults daily walking lowers blood pressure a lot.", "doi:10.1000/a"),
        title="Walking and Blood Pressure in Adults.",
        authors=("Smith, A.", "Jones, B."),
        published_on="2021-03",
    )
    reader.put("a.txt", preprint)
    reader.put("b.txt", journal)
    (material,) = collect(bench.store, checked(bench, WALKING)).claims
    assert (material.independent_sources, material.independent.sources) == (2, 1)
    assert (material.oldest_year, material.newest_year) == (2021, 2021)
    assert material.independent.values.alpha < material.values.alpha
    assert material.verification.status == "pending"


def test_a_lightly_edited_copy_counts_once(bench: Bench, reader: MemoryReader) -> None:
    told = "A trial with three hundred adults has shown over two years that daily walking lowers blood pressure in {} age group."
    reader.put("a.txt", told.format("every"))
    reader.put("b.txt", told.format("each"))
    (material,) = collect(bench.store, checked(bench, WALKING)).claims
    assert (material.independent_sources, material.independent.sources) == (2, 1)
    assert [link.reason for group in material.independent.groups for link in group.links] == ["near_duplicate"]
    assert material.independent.values.alpha < material.values.alpha
    assert material.verification.status == "pending"


def test_articles_about_one_study_count_once_and_one_about_two_for_itself(bench: Bench, reader: MemoryReader) -> None:
    reader.put("study.txt", document("Methods of a trial of exercise.", "doi:10.1000/a"))
    reader.put("other.txt", document("Methods of a survey of habits.", "doi:10.1000/b"))
    for number, opening in enumerate(("Doctors say", "It is now known that", "News from the clinic:")):
        article = document(f"{opening} daily walking lowers blood pressure.")
        reader.put(f"article-{number}.txt", replace(article, references=named("doi:10.1000/a")))
    review = document("Taken together, daily walking lowers blood pressure.")
    reader.put("review.txt", replace(review, references=named("doi:10.1000/a", "doi:10.1000/b")))
    (material,) = collect(bench.store, checked(bench, WALKING)).claims
    assert (material.independent_sources, material.independent.sources) == (4, 2)
    assert sorted(len(group.page_ids) for group in material.independent.groups) == [1, 3]
    assert [link.reason for group in material.independent.groups for link in group.links] == ["common_source"] * 2


def test_an_article_that_cites_only_a_study_adds_no_source_to_it(bench: Bench, reader: MemoryReader) -> None:
    reader.put("study.txt", document(COPY, "doi:10.1000/a"))
    reader.put(
        "article.txt", replace(document("Doctors say daily walking lowers blood pressure."), references=named("doi:10.1000/a"))
    )
    (material,) = collect(bench.store, checked(bench, WALKING)).claims
    assert (material.independent_sources, material.independent.sources) == (2, 1)


def test_a_trial_that_cites_an_earlier_one_is_an_origin_of_its_own(bench: Bench, reader: MemoryReader) -> None:
    reader.put("first.txt", document(COPY, "doi:10.1000/a"))
    second = document("In our trial, too, daily walking lowers blood pressure.", "doi:10.1000/b")
    reader.put("second.txt", replace(second, references=named("doi:10.1000/a")))
    (material,) = collect(bench.store, checked(bench, WALKING)).claims
    assert material.independent.sources == 2
    assert material.verification.status == "verified"


def test_citations_among_the_pages_behind_the_evidence_are_told(bench: Bench, reader: MemoryReader) -> None:
    study = document("In adults daily walking lowers blood pressure a lot.", "doi:10.1000/a")
    reader.put("a.txt", study)
    reader.put("b.txt", replace(document(COPY, "doi:10.1000/b"), references=study.identifiers))
    materials = collect(bench.store, checked(bench, WALKING))
    pages = {edge.doi: edge.page_id for edge in materials.claims[0].evidence}
    assert [(one.citing_page_id, one.cited_page_id) for one in materials.citations] == [(pages["10.1000/b"], pages["10.1000/a"])]


def test_claims_come_in_the_order_they_were_given(bench: Bench, reader: MemoryReader) -> None:
    reader.put("a.txt", COPY)
    claims = [f"Claim number {number}." for number in (3, 1, 2)]
    task_id = checked(bench, *claims)
    assert [material.claim.text for material in collect(bench.store, task_id).claims] == claims


def test_only_the_named_claims_are_collected(bench: Bench, reader: MemoryReader) -> None:
    reader.put("a.txt", COPY)
    task_id = checked(bench, WALKING, "Coffee is bitter.")
    second = bench.store.tasks.claims(task_id)[1]
    assert [material.claim for material in collect(bench.store, task_id, claim_ids=[second.claim_id]).claims] == [second]


def test_collecting_writes_nothing(bench: Bench, reader: MemoryReader) -> None:
    reader.put("a.txt", COPY)
    task_id = checked(bench, WALKING)
    before, events = contents(bench.store), bench.store.database.count("SELECT count(*) FROM event_log")
    assert collect(bench.store, task_id) == collect(bench.store, task_id)
    assert contents(bench.store) == before
    assert bench.store.database.count("SELECT count(*) FROM event_log") == events


def test_a_task_without_claims_has_empty_materials(bench: Bench) -> None:
    task = bench.store.tasks.create("question", None, [])
    assert collect(bench.store, task.task_id).claims == ()


def test_an_unknown_task_is_not_found(bench: Bench) -> None:
    with pytest.raises(NotFound) as refusal:
        collect(bench.store, "task_0")
    assert refusal.value.code == "unknown_task"
