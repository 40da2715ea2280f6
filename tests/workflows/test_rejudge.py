"""Judging again: only on request, by the models in use now, and never over a person's word."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from lyra.core.errors import InvalidInput, NotFound
from lyra.core.records import JobStatus, ModelInfo, Relation, Stance
from lyra.store.evidence_store import EvidenceStore
from lyra.workflows.bench import Bench
from lyra.workflows.check import CheckRequest, check
from lyra.workflows.feedback import FeedbackRequest, Governance, give_feedback
from lyra.workflows.jobs import resume_jobs
from lyra.workflows.materials import collect
from lyra.workflows.rejudge import rejudge
from lyra.workflows.trail import trace_claim, trace_edge
from tests.fakes import LIBRARY, KeywordStance, MemoryReader, document, stance

WALKING = "Daily walking lowers blood pressure."
COFFEE = "Coffee keeps people awake at night."


class Contrary(KeywordStance):
    """Turns every side round, in a version of its own."""

    def __init__(self, version: str = "2", languages: tuple[str, ...] = ()) -> None:
        super().__init__(version)
        self.info = replace(self.info, name="contrary", languages=languages)

    def _judge(self, fragment: str, claim: str) -> Stance:
        said = super()._judge(fragment, claim)
        turned = {Relation.SUPPORTS: Relation.REFUTES, Relation.REFUTES: Relation.SUPPORTS}
        return stance(turned.get(said.label, said.label), 0.7)


@pytest.fixture
def checked(bench: Bench, reader: MemoryReader) -> str:
    """A task with two claims whose edges were made by the first model."""
    reader.put("a.txt", f"{WALKING} It did so in adults.")
    reader.put("b.txt", "Daily walking does not lower blood pressure.")
    reader.put("c.txt", "Coffee keeps people awake at night, say nurses.")
    reader.put("d.txt", "毎日の歩行は血圧を下げる。")
    return check(bench, CheckRequest((WALKING, COFFEE), (LIBRARY,))).materials.task.task_id


def relations(store: EvidenceStore, task_id: str) -> dict[str, Relation]:
    return {edge.edge_id: edge.relation for one in collect(store, task_id).claims for edge in one.evidence}


def test_another_model_alone_changes_nothing_that_is_stored(bench: Bench, checked: str) -> None:
    before = relations(bench.store, checked)
    check(replace(bench, stance=Contrary()), CheckRequest((WALKING,), (LIBRARY,), task_id=checked))
    assert relations(bench.store, checked) == before


def test_on_request_every_edge_is_judged_by_the_model_in_use(bench: Bench, checked: str) -> None:
    before = relations(bench.store, checked)
    sides = [relation for relation in before.values() if relation is not Relation.NEUTRAL]
    assert {*sides} == {Relation.SUPPORTS, Relation.REFUTES}
    other = replace(bench, stance=Contrary())
    done = rejudge(other, checked)
    assert (done.outcome.status, done.outcome.rejudged_edges, done.edge_count) == (JobStatus.DONE, len(before), len(before))
    after = relations(bench.store, checked)
    turned = {Relation.SUPPORTS: Relation.REFUTES, Relation.REFUTES: Relation.SUPPORTS, Relation.NEUTRAL: Relation.NEUTRAL}
    assert after == {edge_id: turned[relation] for edge_id, relation in before.items()}
    for one in collect(bench.store, checked).claims:
        assert {(edge.model, edge.model_version) for edge in one.evidence} == {("contrary", "2")}
        alpha = 1.0 + sum(edge.nli_confidence for edge in one.evidence if edge.relation is Relation.SUPPORTS)
        assert one.values.alpha == pytest.approx(alpha)


def test_judging_again_twice_asks_the_model_once(bench: Bench, checked: str) -> None:
    model = Contrary()
    other = replace(bench, stance=model)
    rejudge(other, checked)
    asked = len(model.judged)
    assert rejudge(other, checked).outcome.rejudged_edges == 0
    assert len(model.judged) == asked
    back = rejudge(bench, checked)  # what the first model said is remembered
    assert back.outcome.rejudged_edges == back.edge_count
    assert len(model.judged) == asked


def test_a_corrected_edge_is_never_touched(bench: Bench, checked: str) -> None:
    (edge, *_) = collect(bench.store, checked).claims[0].evidence
    governance = Governance(bench.store, bench.rules, lambda _: False)
    request = FeedbackRequest("edge_correct", edge_id=edge.edge_id, correct_relation="neutral")
    give_feedback(governance, request)
    done = rejudge(replace(bench, stance=Contrary()), checked)
    assert (done.corrected_edges, done.outcome.rejudged_edges) == (1, done.edge_count - 1)
    (kept,) = (one for one in collect(bench.store, checked).claims[0].evidence if one.edge_id == edge.edge_id)
    assert (kept.relation, kept.nli_confidence, kept.model, kept.edge_human_corrected) == (
        Relation.NEUTRAL,
        1.0,
        edge.model,
        True,
    )


class CorrectsMeanwhile(Contrary):
    """While it judges, a person corrects an edge."""

    def __init__(self, bench: Bench, edge_id: str) -> None:
        super().__init__()
        self._bench, self._edge_id = bench, edge_id

    def judge(self, pairs: Sequence[tuple[str, str]]) -> list[Stance]:
        request = FeedbackRequest("edge_correct", edge_id=self._edge_id, correct_relation="neutral")
        give_feedback(Governance(self._bench.store, self._bench.rules, lambda _: False), request)
        return super().judge(pairs)


def test_a_correction_made_while_the_model_is_at_work_wins(bench: Bench, checked: str) -> None:
    edge_id = collect(bench.store, checked).claims[0].evidence[0].edge_id
    done = rejudge(replace(bench, stance=CorrectsMeanwhile(bench, edge_id)), checked)
    assert relations(bench.store, checked)[edge_id] is Relation.NEUTRAL
    assert done.outcome.rejudged_edges == done.edge_count - 1


def test_the_history_tells_what_was_said_before(bench: Bench, checked: str) -> None:
    claim = collect(bench.store, checked).claims[0]
    edge = claim.evidence[0]
    first_job = trace_edge(bench.store, edge.edge_id).events[0].cause_id
    done = rejudge(replace(bench, stance=Contrary()), checked)
    rejudge(replace(bench, stance=Contrary("3")), checked)
    events = trace_claim(bench.store, claim.claim.claim_id).events
    assert [event.event_type for event in events] == ["found", "judged", "rejudged", "rejudged"]
    assert events[2].cause_id == done.outcome.job_id
    assert (events[2].payload["model"], events[2].payload["edges"]) == ("contrary/2", len(claim.evidence))
    trail = trace_edge(bench.store, edge.edge_id)
    assert [event.event_type for event in trail.events] == ["judged", "rejudged", "rejudged"]
    made, again, _ = trail.events
    assert (made.payload["model"], made.payload["label"], made.cause_id) == (edge.model, edge.relation, first_job)
    assert made.payload["nli_confidence"] == pytest.approx(edge.nli_confidence)
    assert (again.payload["from"], again.payload["to"]) == ("supports", "refutes")
    assert trail.contribution.model_version == "3"


def test_an_edge_of_a_rule_stays(bench: Bench, reader: MemoryReader) -> None:
    retracted = replace(document(WALKING, "doi:10.1000/gone"), retracted=True)
    reader.put("a.txt", retracted)
    task_id = check(bench, CheckRequest((WALKING,), (LIBRARY,))).materials.task.task_id
    rejudge(replace(bench, stance=KeywordStance("9")), task_id)
    (claim,) = collect(bench.store, task_id).claims
    assert {(edge.model, edge.model_version) for edge in claim.evidence} == {("keyword", "9"), ("retraction", "1")}


class Breaks(Contrary):
    """Is cut off at the second claim, once."""

    calls = 0

    def judge(self, pairs: Sequence[tuple[str, str]]) -> list[Stance]:
        self.calls += 1
        if self.calls == 2:
            raise KeyboardInterrupt
        return super().judge(pairs)


def test_work_that_is_cut_off_goes_on_where_it_was(bench: Bench, checked: str) -> None:
    model = Breaks()
    other = replace(bench, stance=model)
    with pytest.raises(KeyboardInterrupt):
        rejudge(other, checked)
    models = [{edge.model for edge in one.evidence} for one in collect(bench.store, checked).claims]
    assert models == [{"contrary"}, {"keyword"}]
    (outcome,) = resume_jobs(other)
    assert (outcome.status, outcome.rejudged_edges) == (JobStatus.DONE, len(collect(bench.store, checked).claims[1].evidence))
    assert {edge.model for one in collect(bench.store, checked).claims for edge in one.evidence} == {"contrary"}


def test_each_pair_goes_to_the_model_that_reads_both_languages(bench: Bench, checked: str) -> None:
    english = Contrary(languages=("en",))
    rejudge(replace(bench, specialists=(english,)), checked)
    evidence = [edge for one in collect(bench.store, checked).claims for edge in one.evidence]
    assert {(edge.claim_language, edge.fragment_language, edge.model) for edge in evidence} == {
        ("en", "en", "contrary"),
        ("en", "ja", "keyword"),
    }


def test_a_new_check_chooses_the_model_per_pair_too(bench: Bench, reader: MemoryReader) -> None:
    reader.put("a.txt", WALKING)
    reader.put("b.txt", "毎日の歩行は血圧を下げる。")
    japanese = KeywordStance()
    japanese.info = ModelInfo("stance", "nihongo", "1", None, ("ja",))
    mixed = replace(bench, specialists=(japanese,))
    result = check(mixed, CheckRequest((WALKING, "毎日の歩行は血圧を下げる。"), (LIBRARY,)))
    found = {
        (edge.claim_language, edge.fragment_language): edge.model for one in result.materials.claims for edge in one.evidence
    }
    assert found == {("en", "en"): "keyword", ("en", "ja"): "keyword", ("ja", "en"): "keyword", ("ja", "ja"): "nihongo"}
    assert [info.name for info in result.materials.models] == ["keyword", "hash", "nihongo"]


def test_an_unknown_or_stopped_task_is_refused(bench: Bench, checked: str) -> None:
    with pytest.raises(NotFound):
        rejudge(bench, "task_none")
    bench.store.tasks.stop(checked)
    with pytest.raises(InvalidInput) as refusal:
        rejudge(bench, checked)
    assert refusal.value.code == "task_stopped"
    assert [job.kind for job in bench.store.jobs.of_task(checked)] == ["check"]
