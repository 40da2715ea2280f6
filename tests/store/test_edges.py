"""Stance edges: one per fragment and claim, judged once per text, summed in the database as in the pure function."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import apsw
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lyra.core.confidence import confidence
from lyra.core.errors import InvalidInput
from lyra.core.identity import fragment_id
from lyra.core.records import Claim, ModelInfo, Relation, Span, Stance
from lyra.store.evidence_store import EvidenceStore, open_store
from tests.contents import contents
from tests.fakes import FakeClock, document, stance

MODEL = ModelInfo(kind="stance", name="keyword", version="1", calibration_version="c1")
TEXTS = [f"Sentence number {number} says something." for number in range(30)]
FRAGMENTS = [fragment_id(text) for text in TEXTS]


def fill(store: EvidenceStore) -> None:
    for text in TEXTS:
        store.pages.register(document(text), f"file:///library/{text}", [Span(0, len(text))])


@pytest.fixture(autouse=True)
def fragments(store: EvidenceStore) -> None:
    fill(store)


@pytest.fixture
def claim(store: EvidenceStore) -> Claim:
    return new_claim(store, "Sleep improves memory.")


def new_claim(store: EvidenceStore, text: str) -> Claim:
    return store.tasks.add_claims(store.tasks.create("question", None, []).task_id, [text])[0]


def timeline(store: EvidenceStore, claim: Claim) -> list[str]:
    rows = store.database.rows("SELECT event_type FROM claim_timeline WHERE claim_id = ? ORDER BY event_seq", (claim.claim_id,))
    return [str(row[0]) for row in rows]


# Adding


def test_an_edge_carries_what_the_model_said(store: EvidenceStore, claim: Claim) -> None:
    judged = stance("refutes", 0.8, decisive=(0, 5))
    assert store.edges.add(claim, {FRAGMENTS[0]: judged}, MODEL, "job_1") == 1
    row = store.database.row(
        "SELECT relation, nli_label, nli_confidence, nli_confidence_raw, nli_supports, nli_refutes, nli_neutral, nli_model,"
        " nli_model_version, calibration_version, cause_id, edge_human_corrected FROM edges"
    )
    assert row == ("refutes", "refutes", 0.8, judged.raw, judged.supports, 0.8, judged.neutral, "keyword", "1", "c1", "job_1", 0)


def test_adding_the_same_edges_again_changes_nothing(store: EvidenceStore, claim: Claim) -> None:
    stances = {FRAGMENTS[0]: stance("supports", 0.9), FRAGMENTS[1]: stance("neutral", 0.7)}
    assert store.edges.add(claim, stances, MODEL, "job_1") == 2
    before = contents(store)
    assert store.edges.add(claim, stances, MODEL, "job_2") == 0
    assert contents(store) == before
    assert timeline(store, claim) == ["found", "judged"]


def test_an_edge_once_made_is_not_overwritten(store: EvidenceStore, claim: Claim) -> None:
    store.edges.add(claim, {FRAGMENTS[0]: stance("supports", 0.9)}, MODEL, "job_1")
    assert store.edges.add(claim, {FRAGMENTS[0]: stance("refutes", 0.6)}, replace(MODEL, version="2"), "job_2") == 0
    assert [row[3:5] for row in contents(store).edges] == [("supports", 0.9)]


def test_all_edges_of_a_call_are_written_or_none(store: EvidenceStore, claim: Claim) -> None:
    wrong = replace(stance("supports", 0.9), supports=1.2)
    with pytest.raises(InvalidInput) as refusal:
        store.edges.add(claim, {FRAGMENTS[0]: stance("supports", 0.9), FRAGMENTS[1]: wrong}, MODEL, "job_1")
    assert refusal.value.code == "nli_confidence_out_of_range"
    assert contents(store).edges == []
    assert store.edges.cached(claim, FRAGMENTS, MODEL) == {}


def test_an_edge_needs_a_fragment_that_exists(store: EvidenceStore, claim: Claim) -> None:
    with pytest.raises(apsw.ConstraintError):
        store.edges.add(claim, {"frag_0": stance("supports", 0.9)}, MODEL, "job_1")
    assert contents(store).edges == []


def test_the_judged_fragments_of_a_claim_are_known(store: EvidenceStore, claim: Claim) -> None:
    other = new_claim(store, "Another claim.")
    store.edges.add(claim, {FRAGMENTS[0]: stance("supports", 0.9), FRAGMENTS[1]: stance("neutral", 0.9)}, MODEL, "job_1")
    assert store.edges.judged(claim.claim_id) == set(FRAGMENTS[:2])
    assert store.edges.judged(other.claim_id) == set()


def test_an_edge_carries_the_categories_of_both_sides(store: EvidenceStore) -> None:
    cited = store.pages.register(document("Cited text.", "url:https://example.org/a"), "", [Span(0, 11)])
    task = store.tasks.create("question", None, [])
    origin = (fragment_id("Cited text."), cited.page_id)
    (extracted,) = store.tasks.add_claims(task.task_id, ["Extracted claim."], [origin])
    store.edges.add(extracted, {FRAGMENTS[0]: stance("supports", 0.9)}, MODEL, "job_1")
    (given_claim,) = store.tasks.add_claims(task.task_id, ["Given claim."])
    store.edges.add(given_claim, {fragment_id("Cited text."): stance("supports", 0.9)}, MODEL, "job_1")
    rows = store.database.rows("SELECT source_domain_category, target_domain_category FROM edges ORDER BY rowid")
    assert rows == [(None, "unverified"), ("unverified", None)]


# The cache


def test_a_judgement_is_shared_by_all_tasks(store: EvidenceStore, claim: Claim) -> None:
    judged = {FRAGMENTS[0]: stance("supports", 0.9, decisive=(3, 9)), FRAGMENTS[1]: stance("neutral", 0.7)}
    store.edges.add(claim, judged, MODEL, "job_1")
    same_text = new_claim(store, " Sleep  improves memory.")
    assert same_text.task_id != claim.task_id
    assert store.edges.cached(same_text, FRAGMENTS, MODEL) == judged


@pytest.mark.parametrize(
    "other", [replace(MODEL, version="2"), replace(MODEL, name="other"), replace(MODEL, calibration_version="c2")], ids=str
)
def test_another_model_or_calibration_judges_anew(store: EvidenceStore, claim: Claim, other: ModelInfo) -> None:
    store.edges.add(claim, {FRAGMENTS[0]: stance("supports", 0.9)}, MODEL, "job_1")
    assert store.edges.cached(claim, FRAGMENTS, other) == {}


def test_another_claim_text_is_judged_anew(store: EvidenceStore, claim: Claim) -> None:
    store.edges.add(claim, {FRAGMENTS[0]: stance("supports", 0.9)}, MODEL, "job_1")
    assert store.edges.cached(new_claim(store, "Sleep improves memory!"), FRAGMENTS, MODEL) == {}


# Confidence


@pytest.fixture(scope="module")
def shared() -> Iterator[EvidenceStore]:
    with TemporaryDirectory() as folder, open_store(Path(folder), FakeClock(), Random(1)) as opened:
        fill(opened)
        yield opened


judgements = st.dictionaries(
    st.sampled_from(FRAGMENTS), st.builds(stance, st.sampled_from(list(Relation)), st.floats(0.0, 1.0)), max_size=len(FRAGMENTS)
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow], max_examples=60)
@given(tables=st.lists(judgements, min_size=1, max_size=4))
def test_the_whole_task_at_once_agrees_with_each_claim_alone(shared: EvidenceStore, tables: list[dict[str, Stance]]) -> None:
    task = shared.tasks.create("question", None, [])
    claims = shared.tasks.add_claims(task.task_id, [f"Claim number {number}." for number in range(len(tables))])
    for claim, table in zip(claims, tables, strict=True):
        shared.edges.add(claim, table, MODEL, "job_1")
    bulk = shared.edges.confidences(task.task_id)
    assert set(bulk) == {claim.claim_id for claim in claims}
    for claim, table in zip(claims, tables, strict=True):
        alone = confidence((judged.label, judged.nli_confidence) for judged in table.values())
        assert tuple(bulk[claim.claim_id]) == pytest.approx(tuple(alone), abs=1e-9)


def test_a_claim_nobody_judged_is_undecided(store: EvidenceStore, claim: Claim) -> None:
    assert store.edges.confidences(claim.task_id) == {claim.claim_id: confidence([])}


def test_the_confidences_of_a_task_leave_other_tasks_out(store: EvidenceStore, claim: Claim) -> None:
    other = new_claim(store, "Sleep improves memory.")
    store.edges.add(other, {FRAGMENTS[0]: stance("supports", 0.9)}, MODEL, "job_1")
    assert store.edges.confidences(claim.task_id)[claim.claim_id].alpha == 1.0
    assert set(store.edges.confidences(other.task_id)) == {other.claim_id}


# Sums kept beside the edges


def stale(store: EvidenceStore) -> int:
    return store.database.count("SELECT count(*) FROM claim_sums WHERE is_fresh = 0")


def test_sums_are_kept_for_every_claim_and_fresh_after_every_judgement(store: EvidenceStore, claim: Claim) -> None:
    store.edges.add(claim, {FRAGMENTS[0]: stance("supports", 0.9), FRAGMENTS[1]: stance("neutral", 0.5)}, MODEL, "job_1")
    row = store.database.row("SELECT support, refute, supporting, refuting, neutral, is_fresh FROM claim_sums")
    assert row == (0.9, 0.0, 1, 0, 1, 1)


CHANGES = [
    "UPDATE edges SET nli_confidence = 0.25 WHERE fragment_id = ?",
    "UPDATE edges SET relation = 'refutes' WHERE fragment_id = ?",
    "DELETE FROM edges WHERE fragment_id = ?",
]


@pytest.mark.parametrize("change", CHANGES)
def test_the_edges_win_over_the_sums_however_they_were_changed(store: EvidenceStore, claim: Claim, change: str) -> None:
    store.edges.add(claim, {one: stance("supports", 0.9) for one in FRAGMENTS[:3]}, MODEL, "job_1")
    store.database.run(change, (FRAGMENTS[1],))
    assert stale(store) == 1
    edges = [(str(r), float(str(w))) for r, w in store.database.rows("SELECT relation, nli_confidence FROM edges")]
    expected = pytest.approx(tuple(confidence(edges)), abs=1e-9)
    for ids in (None, [claim.claim_id]):
        assert tuple(store.edges.confidences(claim.task_id, ids)[claim.claim_id]) == expected
    assert store.edges.sum_up(claim.task_id) == 1
    assert stale(store) == 0
    assert tuple(store.edges.confidences(claim.task_id)[claim.claim_id]) == expected


def test_the_values_that_sql_can_read_are_those_of_the_pure_function(store: EvidenceStore, claim: Claim) -> None:
    judged = {one: stance(relation, 0.3 + n / 10) for n, (one, relation) in enumerate(zip(FRAGMENTS, Relation, strict=False))}
    store.edges.add(claim, judged, MODEL, "job_1")
    columns = ", ".join(confidence([])._fields)
    for change in ("UPDATE edges SET created_at = ''", "UPDATE edges SET nli_confidence = nli_confidence / 2"):
        store.database.run(change)
        edges = [(str(r), float(str(w))) for r, w in store.database.rows("SELECT relation, nli_confidence FROM edges")]
        (row,) = store.database.rows(f"SELECT {columns} FROM claim_values")
        assert row == pytest.approx(tuple(confidence(edges)), abs=1e-9)


def test_a_row_that_a_trigger_changed_is_not_counted_as_added(store: EvidenceStore, claim: Claim) -> None:
    assert store.edges.add(claim, {one: stance("supports", 0.9) for one in FRAGMENTS[:5]}, MODEL, "job_1") == 5
    assert store.edges.add(claim, {one: stance("supports", 0.9) for one in FRAGMENTS[:7]}, MODEL, "job_1") == 2
    assert store.database.run("UPDATE edges SET nli_confidence = 0.1 WHERE fragment_id = ?", (FRAGMENTS[0],)) == 1


def test_some_claims_of_a_task_can_be_asked_for(store: EvidenceStore, claim: Claim) -> None:
    other = store.tasks.add_claims(claim.task_id, ["Naps improve memory."])[0]
    foreign = new_claim(store, "Sleep improves memory.")
    assert set(store.edges.confidences(claim.task_id, [other.claim_id, foreign.claim_id])) == {other.claim_id}
    assert store.edges.confidences(claim.task_id, []) == {}
