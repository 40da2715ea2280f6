"""Feedback: the six actions, effective at once, idempotent, whole or not at all, and traceable afterwards."""

from dataclasses import replace

import pytest

from lyra.core.errors import InvalidInput, NotFound
from lyra.core.materials import ClaimMaterial
from lyra.core.records import Evidence, Relation
from lyra.core.rejections import BlockRules
from lyra.providers.public_suffixes import is_public_suffix
from lyra.store.evidence_store import EvidenceStore
from lyra.workflows.bench import Bench
from lyra.workflows.check import CheckRequest, check, search
from lyra.workflows.feedback import ACTIONS, FeedbackAnswer, FeedbackRequest, Governance, give_feedback
from lyra.workflows.materials import collect
from lyra.workflows.reasons import MAX_REASON_CHARS
from lyra.workflows.trail import trace_claim, trace_domain, trace_edge
from tests.contents import contents, faults
from tests.fakes import LIBRARY, KeywordStance, MemoryReader, document

CLAIM = "Daily walking lowers blood pressure in adults."
TEXTS = {
    "https://a.example.org/1": "Daily walking lowers blood pressure in adults, a trial says.",
    "https://b.example.net/1": "Another trial: daily walking never lowers blood pressure in adults.",
    "https://c.example.net/1": "Coffee is a drink that many adults like.",
}


@pytest.fixture
def checked(bench: Bench, reader: MemoryReader) -> ClaimMaterial:
    for number, (url, text) in enumerate(TEXTS.items()):
        reader.put(f"{number}.txt", document(text, f"url:{url}"))
    bench.store.library.add_root(LIBRARY)
    return check(bench, CheckRequest((CLAIM,))).materials.claims[0]


def give(store: EvidenceStore, action: str, **arguments: str | None) -> FeedbackAnswer:
    return give_feedback(Governance(store, BlockRules(), is_public_suffix), FeedbackRequest(action, **arguments))


def now(bench: Bench, material: ClaimMaterial) -> ClaimMaterial:
    found = collect(bench.store, material.claim.task_id).claims
    return next(one for one in found if one.claim.claim_id == material.claim.claim_id)


def edge(material: ClaimMaterial, relation: str) -> Evidence:
    return next(one for one in material.evidence if one.relation == relation)


def test_a_corrected_edge_counts_with_full_weight_in_the_next_read(bench: Bench, checked: ClaimMaterial) -> None:
    wrong = edge(checked, "supports")
    give(bench.store, "edge_correct", edge_id=wrong.edge_id, correct_relation="refutes", reason="It denies it")
    after = now(bench, checked)
    found = next(one for one in after.evidence if one.edge_id == wrong.edge_id)
    assert (found.relation, found.nli_label, found.nli_confidence) == (Relation.REFUTES, Relation.REFUTES, 1.0)
    assert (found.edge_human_corrected, found.edge_correction_reason) == (True, "It denies it")
    assert found.edge_corrected_at is not None
    assert found.nli_confidence_raw == wrong.nli_confidence_raw
    assert found.probabilities == wrong.probabilities
    assert after.values.alpha == pytest.approx(checked.values.alpha - wrong.nli_confidence)
    assert after.values.beta == pytest.approx(checked.values.beta + 1.0)


def test_correcting_to_the_same_label_still_keeps_a_sample_and_sets_full_weight(bench: Bench, checked: ClaimMaterial) -> None:
    right = edge(checked, "supports")
    give(bench.store, "edge_correct", edge_id=right.edge_id, correct_relation="supports")
    assert edge(now(bench, checked), "supports").nli_confidence == 1.0
    (sample,) = bench.store.corrections.samples()
    assert (sample.predicted_label, sample.correct_label, sample.reason) == (Relation.SUPPORTS, Relation.SUPPORTS, None)
    assert (sample.premise, sample.hypothesis) == (right.quote, CLAIM)


def test_a_second_correction_keeps_what_the_model_said_at_first(bench: Bench, checked: ClaimMaterial) -> None:
    first = edge(checked, "supports")
    for relation in ("neutral", "refutes", "refutes"):
        give(bench.store, "edge_correct", edge_id=first.edge_id, correct_relation=relation)
    samples = bench.store.corrections.samples(first.edge_id)
    assert [one.correct_label.value for one in samples] == ["neutral", "refutes", "refutes"]
    assert {one.predicted_label for one in samples} == {Relation.SUPPORTS}
    assert {one.predicted_confidence for one in samples} == {first.nli_confidence}
    assert {one.probabilities for one in samples} == {first.probabilities}
    assert {(one.model, one.calibration_version) for one in samples} == {(first.model, first.calibration_version)}


def test_judging_again_never_touches_a_corrected_edge(bench: Bench, checked: ClaimMaterial) -> None:
    wrong = edge(checked, "supports")
    give(bench.store, "edge_correct", edge_id=wrong.edge_id, correct_relation="neutral")
    search(replace(bench, stance=KeywordStance(version="2")), checked.claim.task_id, [])
    bench.store.database.run("UPDATE edges SET relation = 'supports', nli_confidence = 0.2 WHERE edge_id = ?", (wrong.edge_id,))
    found = next(one for one in now(bench, checked).evidence if one.edge_id == wrong.edge_id)
    assert (found.relation, found.nli_confidence) == (Relation.NEUTRAL, 1.0)


def test_samples_outlive_the_task(bench: Bench, checked: ClaimMaterial) -> None:
    give(bench.store, "edge_correct", edge_id=edge(checked, "supports").edge_id, correct_relation="neutral")
    before = bench.store.corrections.samples()
    bench.store.cleanup.delete_task(checked.claim.task_id, hard=True)
    assert bench.store.corrections.samples() == before != []


def test_rejecting_and_restoring_leaves_no_trace_in_the_numbers_and_both_in_the_trail(
    bench: Bench, checked: ClaimMaterial
) -> None:
    claim_id = checked.claim.claim_id
    give(bench.store, "claim_reject", claim_id=claim_id, reason="too vague")
    rejected = now(bench, checked)
    assert (rejected.claim.claim_adoption_status, rejected.claim.claim_rejection_reason) == ("not_adopted", "too vague")
    assert rejected.claim.claim_rejected_at is not None
    assert rejected.verification == checked.verification
    assert rejected.values == checked.values
    give(bench.store, "claim_restore", claim_id=claim_id)
    assert now(bench, checked) == checked
    trail = trace_claim(bench.store, claim_id)
    assert [event.event_type for event in trail.events][-2:] == ["rejected", "restored"]
    assert trail.events[-2].payload["reason"] == "too vague"


def test_a_claim_that_a_person_rejected_is_never_revived_by_a_search(bench: Bench, checked: ClaimMaterial) -> None:
    give(bench.store, "claim_reject", claim_id=checked.claim.claim_id, reason="no")
    search(bench, checked.claim.task_id, [])
    assert now(bench, checked).claim.claim_adoption_status == "not_adopted"


@pytest.mark.parametrize(
    ("action", "arguments"),
    [
        ("domain_block", {"domain_pattern": "*.example.net", "reason": "spam"}),
        ("domain_unblock", {"domain_pattern": "b.example.net", "reason": "fine"}),
        ("claim_reject", {"reason": "vague"}),
    ],
)
def test_repeating_an_action_changes_nothing(
    bench: Bench, checked: ClaimMaterial, action: str, arguments: dict[str, str]
) -> None:
    given = arguments if "domain_pattern" in arguments else {"claim_id": checked.claim.claim_id, **arguments}
    first = give(bench.store, action, **given)
    before = contents(bench.store)
    mark = bench.store.database.change_mark()
    again = give(bench.store, action, **given)
    assert (first.changed, again.changed, again.cause_id) == (True, False, None)
    assert contents(bench.store) == before
    assert bench.store.database.change_mark() == mark


def test_what_was_never_done_is_undone_without_an_error(bench: Bench, checked: ClaimMaterial) -> None:
    assert not give(bench.store, "domain_clear_override", domain_pattern="b.example.net", reason="x").changed
    assert not give(bench.store, "claim_restore", claim_id=checked.claim.claim_id).changed


def undone(store: EvidenceStore, answer: FeedbackAnswer) -> FeedbackAnswer:
    assert answer.undo is not None
    return give_feedback(Governance(store, BlockRules(), is_public_suffix), answer.undo)


def test_undo_brings_back_what_was_there(bench: Bench, checked: ClaimMaterial) -> None:
    store = bench.store

    def rule() -> tuple[str, str] | None:
        found = store.overrides.of_pattern("*.example.net")
        return None if found is None else (found.decision, found.reason)

    blocked = give(store, "domain_block", domain_pattern="*.example.net", reason="spam")
    assert blocked.domains == ("b.example.net", "c.example.net")
    freed = give(store, "domain_unblock", domain_pattern="*.example.net", reason="sorry")
    undone(store, freed)
    assert rule() == ("block", "spam")
    cleared = give(store, "domain_clear_override", domain_pattern="*.example.net", reason="over")
    assert rule() is None
    undone(store, cleared)
    assert rule() == ("block", "spam")
    rejected = give(store, "claim_reject", claim_id=checked.claim.claim_id, reason="a")
    restored = undone(store, rejected)
    assert now(bench, checked).claim.claim_adoption_status == "adopted"
    undone(store, restored)
    assert now(bench, checked).claim.claim_rejection_reason == "a"
    assert give(store, "edge_correct", edge_id=checked.evidence[0].edge_id, correct_relation="neutral").undo is None


def test_the_trail_of_a_domain_names_every_decision_and_its_cause(bench: Bench, checked: ClaimMaterial) -> None:
    answers = [
        give(bench.store, "domain_block", domain_pattern="*.example.net", reason="spam"),
        give(bench.store, "domain_unblock", domain_pattern="b.example.net", reason="this one is fine"),
        give(bench.store, "domain_clear_override", domain_pattern="*.example.net", reason="over"),
    ]
    trail = trace_domain(bench.store, "B.example.net.")
    decided = [event for event in trail.events if event.source == "override"]
    assert [event.event_type for event in decided] == ["domain_block", "domain_unblock", "domain_clear_override"]
    assert [event.cause_id for event in decided] == [answer.cause_id for answer in answers]
    assert trail.ruling.decision.matched_pattern == "b.example.net"
    with pytest.raises(NotFound):
        trace_domain(bench.store, "nobody.example")
    with pytest.raises(NotFound):
        trace_domain(bench.store, "")


def test_the_trail_of_an_edge_leads_from_the_job_to_the_correction(bench: Bench, checked: ClaimMaterial) -> None:
    wrong = edge(checked, "supports")
    answer = give(bench.store, "edge_correct", edge_id=wrong.edge_id, correct_relation="neutral", reason="off topic")
    trail = trace_edge(bench.store, wrong.edge_id)
    judged, corrected = trail.events
    assert (judged.event_type, judged.payload["label"]) == ("judged", "supports")
    assert judged.payload["nli_confidence"] == wrong.nli_confidence
    assert (judged.cause_id or "").startswith("job_")
    assert (corrected.cause_id, corrected.payload["reason"]) == (answer.cause_id, "off topic")
    assert trail.contribution.correction_id == answer.cause_id
    claim = trace_claim(bench.store, checked.claim.claim_id)
    assert {one.edge_id for one in claim.contributions} == {one.edge_id for one in checked.evidence}


@pytest.mark.parametrize(
    ("action", "arguments", "code"),
    [
        ("claim_approve", {}, "unknown_action"),
        ("", {}, "unknown_action"),
        ("domain_block", {"reason": "x"}, "feedback_needs"),
        ("domain_block", {"domain_pattern": "", "reason": "x"}, "feedback_needs"),
        ("domain_block", {"domain_pattern": "*.com", "reason": "x"}, "pattern_public_suffix"),
        ("domain_block", {"domain_pattern": "раypal.com", "reason": "x"}, "pattern_mixed"),
        ("domain_block", {"domain_pattern": "example.com"}, "reason_missing"),
        ("domain_block", {"domain_pattern": "example.com", "reason": " \t\u3000"}, "reason_missing"),
        ("domain_block", {"domain_pattern": "example.com", "reason": "…"}, "reason_missing"),
        ("domain_unblock", {"domain_pattern": "example.com"}, "reason_missing"),
        ("domain_clear_override", {"domain_pattern": "example.com"}, "reason_missing"),
        ("domain_block", {"domain_pattern": "example.com", "reason": "x" * 100_000}, "reason_too_long"),
        ("domain_block", {"domain_pattern": "example.com", "reason": "x", "claim_id": "claim_1"}, "feedback_takes_no"),
        ("claim_reject", {"claim_id": "claim_0", "reason": "x"}, "unknown_claim"),
        ("claim_reject", {"reason": "x"}, "feedback_needs"),
        ("claim_reject", {"claim_id": "claim_0"}, "reason_missing"),
        ("claim_restore", {"claim_id": "claim_0"}, "unknown_claim"),
        ("claim_restore", {"claim_id": "'; DROP TABLE claims; --"}, "unknown_claim"),
        ("edge_correct", {"edge_id": "edge_0", "correct_relation": "neutral"}, "unknown_edge"),
        ("edge_correct", {"edge_id": "edge_0", "correct_relation": "maybe"}, "bad_correct_relation"),
        ("edge_correct", {"edge_id": "edge_0", "correct_relation": "SUPPORTS"}, "bad_correct_relation"),
        ("edge_correct", {"edge_id": "edge_0"}, "feedback_needs"),
        ("edge_correct", {"edge_id": "edge_0", "correct_relation": "neutral", "reason": "x" * 2001}, "reason_too_long"),
    ],
)
def test_what_cannot_be_used_is_refused_and_nothing_is_written(
    bench: Bench, checked: ClaimMaterial, action: str, arguments: dict[str, str], code: str
) -> None:
    mark = bench.store.database.change_mark()
    with pytest.raises(InvalidInput) as refusal:
        give(bench.store, action, **arguments)
    assert refusal.value.code == code
    assert bench.store.database.change_mark() == mark


def test_a_reason_is_kept_without_control_characters_and_up_to_the_limit(bench: Bench, checked: ClaimMaterial) -> None:
    give(bench.store, "claim_reject", claim_id=checked.claim.claim_id, reason="  so\x1b[31m what\x00 ")
    assert now(bench, checked).claim.claim_rejection_reason == "so[31m what"
    give(bench.store, "claim_reject", claim_id=checked.claim.claim_id, reason="x" * MAX_REASON_CHARS)
    assert faults(bench.store) == []


def test_a_failure_in_the_middle_leaves_nothing_behind(
    bench: Bench, checked: ClaimMaterial, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object, **__: object) -> list[str]:
        raise RuntimeError("power cut")

    before = contents(bench.store)
    monkeypatch.setattr(bench.store.blocks, "reject", broken)
    with pytest.raises(RuntimeError):
        give(bench.store, "claim_reject", claim_id=checked.claim.claim_id, reason="x")
    assert contents(bench.store) == before
    assert now(bench, checked) == checked


def test_a_clock_that_goes_backwards_changes_no_order(bench: Bench, checked: ClaimMaterial) -> None:
    clock = bench.store._session.clock
    give(bench.store, "domain_block", domain_pattern="*.example.net", reason="first")
    clock.advance(-100_000)  # type: ignore[attr-defined]
    give(bench.store, "domain_unblock", domain_pattern="*.example.net", reason="second")
    assert trace_domain(bench.store, "b.example.net").ruling.decision.allowed
    decided = [event for event in trace_domain(bench.store, "b.example.net").events if event.source == "override"]
    assert [event.event_type for event in decided] == ["domain_block", "domain_unblock"]
    first = edge(checked, "supports")
    give(bench.store, "edge_correct", edge_id=first.edge_id, correct_relation="neutral")
    clock.advance(-100_000)  # type: ignore[attr-defined]
    give(bench.store, "edge_correct", edge_id=first.edge_id, correct_relation="refutes")
    assert [one.correct_label.value for one in bench.store.corrections.samples()] == ["neutral", "refutes"]
    types = [event.event_type for event in trace_edge(bench.store, first.edge_id).events]
    assert types == ["judged", "corrected", "corrected"]


def test_a_corrected_edge_may_verify_its_claim_and_promote_its_sources(bench: Bench, checked: ClaimMaterial) -> None:
    give(bench.store, "edge_correct", edge_id=edge(checked, "refutes").edge_id, correct_relation="supports")
    assert now(bench, checked).verification.status == "verified"
    assert bench.store.domains.all()["b.example.net"] == "low"


def test_the_six_actions_are_these() -> None:
    expected = "domain_block domain_unblock domain_clear_override claim_reject claim_restore edge_correct"
    assert " ".join(ACTIONS) == expected
