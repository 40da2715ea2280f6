"""Materials: read from the edges of this moment, writing nothing."""

from dataclasses import replace

import pytest

from lyra.core.confidence import confidence
from lyra.core.errors import NotFound
from lyra.workflows.bench import Bench
from lyra.workflows.check import CheckRequest, check
from lyra.workflows.materials import collect
from tests.contents import contents
from tests.fakes import LIBRARY, MemoryReader, document

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
