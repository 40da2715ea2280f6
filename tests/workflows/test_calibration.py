"""Calibration on stored samples: fitting, applying to new judgements only, going back, and the history of it."""

from dataclasses import replace

import pytest

from lyra.core.calibration_fit import FitReason, fit
from lyra.core.errors import InvalidInput, NotFound
from lyra.core.records import ModelInfo, Relation, Stance
from lyra.store.evidence_store import EvidenceStore
from lyra.workflows.bench import Bench, calibrated_model
from lyra.workflows.calibration import calibration_fit, calibration_metrics, calibration_rollback
from lyra.workflows.check import CheckRequest, check
from tests.answers import answer_all, simulated
from tests.fakes import LIBRARY, KeywordStance, MemoryReader

MODEL = ModelInfo("stance", "keyword", "1", "none")
PAIR = ("Cats sleep most of the day in winter.", "Cats sleep most of the day.")


def answer(store: EvidenceStore, count: int, temperature: float = 3.0, seed: int = 1, model: ModelInfo = MODEL) -> None:
    answer_all(store, simulated(count, temperature, seed), model, f"{seed}-{model.version}")


def edges(store: EvidenceStore) -> list[object]:
    return list(store.database.rows("SELECT * FROM edges ORDER BY edge_id"))


def test_a_fit_is_applied_to_new_judgements_and_changes_no_stored_edge(store: EvidenceStore) -> None:
    answer(store, 160)
    before = edges(store)
    fitted = calibration_fit(store, MODEL)
    assert fitted.outcome.reason is FitReason.BETTER
    assert fitted.in_force == "fit-1"
    assert edges(store) == before
    plain, calibrated = KeywordStance(), calibrated_model(store, KeywordStance())
    assert calibrated.info == replace(plain.info, calibration_version="fit-1")
    (old,), (new,) = plain.judge([PAIR]), calibrated.judge([PAIR])
    assert (new.label, new.raw) == (old.label, old.raw)
    assert new.nli_confidence < old.nli_confidence


def test_a_useless_calibrator_is_not_applied(store: EvidenceStore) -> None:
    answer(store, 160, temperature=1.0, seed=11)
    fitted = calibration_fit(store, MODEL)
    assert (fitted.outcome.reason, fitted.applied, fitted.in_force) == (FitReason.NOT_BETTER, None, None)
    assert isinstance(calibrated_model(store, KeywordStance()), KeywordStance)


def test_fewer_than_a_hundred_samples_are_not_fitted(store: EvidenceStore) -> None:
    answer(store, 30)
    assert calibration_fit(store, MODEL).outcome.reason is FitReason.TOO_FEW_SAMPLES


def test_going_back_gives_the_same_numbers_bit_for_bit(store: EvidenceStore) -> None:
    answer(store, 160)
    by_version: dict[str, list[Stance]] = {"shipped": calibrated_model(store, KeywordStance()).judge([PAIR])}
    calibration_fit(store, MODEL)
    by_version["fit-1"] = calibrated_model(store, KeywordStance()).judge([PAIR])
    answer(store, 400, temperature=9.0, seed=7)
    assert calibration_fit(store, MODEL).in_force == "fit-2"
    by_version["fit-2"] = calibrated_model(store, KeywordStance()).judge([PAIR])
    assert len({tuple(found) for found in by_version.values()}) == 3
    for version in ("fit-1", "shipped", "fit-2", "shipped", "fit-1"):
        assert calibration_rollback(store, version, MODEL).event is not None
        assert calibrated_model(store, KeywordStance()).judge([PAIR]) == by_version[version]


def test_going_back_is_idempotent_and_names_what_there_is(store: EvidenceStore) -> None:
    answer(store, 160)
    calibration_fit(store, MODEL)
    assert calibration_rollback(store, "fit-1", MODEL).event is None
    assert calibration_rollback(store, "none", MODEL, "as it came").event is not None
    with pytest.raises(NotFound, match="fit-1"):
        calibration_rollback(store, "fit-7", MODEL)
    with pytest.raises(InvalidInput, match="reason"):
        calibration_rollback(store, "fit-1", MODEL, " ")
    events = calibration_metrics(store, "get_evaluations").events
    assert [(one.event_type, one.calibration_version, one.previous_version) for one in events] == [
        ("rolled_back", None, "fit-1"),
        ("applied", "fit-1", None),
    ]


def test_a_second_fit_starts_from_what_the_model_said_by_itself(store: EvidenceStore) -> None:
    answer(store, 160)
    first = calibration_fit(store, MODEL).applied
    assert first is not None
    # The same model judges on, now through the calibrator.
    later = [
        replace(one, probabilities=first.calibration.apply(one.probabilities, one.label)) for one in simulated(160, 3.0, seed=4)
    ]
    answer_all(store, later, replace(MODEL, calibration_version="fit-1"), "later")
    calibration_rollback(store, "shipped", MODEL)
    second = calibration_fit(store, MODEL)
    together = fit([*simulated(160, 3.0), *(replace(one, group=f"later {one.group}") for one in simulated(160, 3.0, seed=4))])
    assert (second.outcome.sample_count, second.left_out) == (320, 0)
    assert second.outcome.before is not None
    assert together.before is not None
    assert second.outcome.before.brier == pytest.approx(together.before.brier)


def test_a_new_calibrator_must_be_better_than_the_one_in_force(store: EvidenceStore) -> None:
    answer(store, 160)
    first = calibration_fit(store, MODEL)
    again = calibration_fit(store, MODEL)
    assert (again.outcome.reason, again.applied, again.in_force) == (FitReason.NOT_BETTER, None, "fit-1")
    assert first.outcome.before is not None
    assert again.outcome.before is not None
    assert again.outcome.before.brier < first.outcome.before.brier


def test_an_evaluation_after_a_fit_says_that_its_samples_were_judged_before(store: EvidenceStore) -> None:
    answer(store, 160)
    before = calibration_metrics(store, "evaluate")
    calibration_fit(store, MODEL)
    after = calibration_metrics(store, "evaluate")
    assert after.evaluations[0].metrics == before.evaluations[0].metrics
    assert ([one.judged_otherwise for one in before.stats], [one.judged_otherwise for one in after.stats]) == ([0], [160])


def test_a_calibrator_does_not_hold_for_another_calibration_of_the_model(store: EvidenceStore) -> None:
    answer(store, 160)
    calibration_fit(store, MODEL)
    assert store.calibrations.in_force(MODEL) is not None
    assert store.calibrations.in_force(replace(MODEL, calibration_version="temperature-2")) is None
    assert store.calibrations.in_force(replace(MODEL, version="2")) is None
    assert calibration_fit(store, replace(MODEL, calibration_version="temperature-2")).left_out == 160


def test_a_judgement_made_before_is_calibrated_and_not_asked_again(bench: Bench, reader: MemoryReader) -> None:
    model = KeywordStance()
    judging = replace(bench, stance=model)
    reader.put("a.txt", PAIR[0])
    (before,) = check(judging, CheckRequest((PAIR[1],), (LIBRARY,), "first")).materials.claims[0].evidence
    asked = len(model.judged)
    answer(bench.store, 160)
    calibration_fit(bench.store, MODEL)
    done = check(judging, CheckRequest((PAIR[1],), (LIBRARY,), "second")).materials
    assert len(model.judged) == asked
    (edge,) = done.claims[0].evidence
    assert edge.calibration_version == "fit-1"
    assert edge.nli_confidence < before.nli_confidence
    assert edge.nli_confidence_raw == before.nli_confidence_raw
    assert {info.calibration_version for info in done.models if info.kind == "stance"} == {"fit-1"}
    calibration_rollback(bench.store, "shipped", MODEL)
    (back,) = check(judging, CheckRequest((PAIR[1],), (LIBRARY,), "third")).materials.claims[0].evidence
    assert (back.calibration_version, back.nli_confidence) == ("none", before.nli_confidence)


def test_only_judgements_are_named_by_a_calibration(store: EvidenceStore) -> None:
    answer(store, 160)
    calibration_fit(store, MODEL)
    assert store.calibrations.named(MODEL).calibration_version == "fit-1"
    assert store.calibrations.named(replace(MODEL, kind="embedder")) == replace(MODEL, kind="embedder")


def test_evaluations_are_kept_per_source_and_read_back_as_they_were(store: EvidenceStore) -> None:
    answer(store, 40)
    answer(store, 20, seed=2, model=replace(MODEL, version="2"))
    made = calibration_metrics(store, "evaluate").evaluations
    assert [(one.source.name, one.metrics.sample_count) for one in made] == [("keyword/1", 40), ("keyword/2", 20)]
    kept = calibration_metrics(store, "get_evaluations").evaluations
    assert set(kept) == set(made)
    assert calibration_metrics(store, "get_evaluations", "keyword/2").evaluations == (made[1],)
    stats = calibration_metrics(store, "get_stats").stats
    assert [(one.source.name, one.sample_count, one.in_force) for one in stats] == [
        ("keyword/1", 40, None),
        ("keyword/2", 20, None),
    ]
    assert stats[0].latest == made[0]
    assert stats[0].by_calibration == {"none": 40}


def test_only_the_newest_answer_about_an_edge_counts_and_rules_are_no_judgements(store: EvidenceStore) -> None:
    answer(store, 20)
    edge_id = str(store.database.rows("SELECT edge_id FROM edges ORDER BY edge_id LIMIT 1")[0][0])
    with store.transaction():
        store.corrections.correct(store.corrections.edge(edge_id), Relation.NEUTRAL, None, "feedback_again")
    answer(store, 4, seed=3, model=ModelInfo("rule", "retraction", "1"))
    (only,) = calibration_metrics(store, "get_stats").stats
    assert only.sample_count == 20


@pytest.mark.parametrize(("action", "limit"), [("fit", 5), ("", 5), ("get_stats", 0), ("get_evaluations", 1001)])
def test_other_measurements_and_limits_are_refused(store: EvidenceStore, action: str, limit: int) -> None:
    with pytest.raises(InvalidInput):
        calibration_metrics(store, action, limit=limit)


def test_nothing_to_measure_and_unknown_sources_are_said(store: EvidenceStore) -> None:
    with pytest.raises(InvalidInput, match="no samples"):
        calibration_metrics(store, "evaluate")
    assert calibration_metrics(store, "get_stats").stats == ()
    answer(store, 4)
    with pytest.raises(NotFound, match="keyword/1"):
        calibration_metrics(store, "evaluate", "other")
