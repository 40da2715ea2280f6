"""Calibration: the arithmetic of calibrators and metrics, and whether a fit helps where it should and nowhere else."""

import math
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lyra.core.calibration import CLASSES, Calibration, Probabilities, softened
from lyra.core.calibration_fit import LEAST_SAMPLES, FitReason, calibrated, fit, fit_isotonic, fit_temperature
from lyra.core.calibration_metrics import Answered, measure
from lyra.core.records import Relation, Stance
from tests.answers import simulated

SUPPORTS, REFUTES, NEUTRAL = CLASSES


def answered(probabilities: Probabilities, correct: Relation, group: str = "") -> Answered:
    return Answered(probabilities, CLASSES[probabilities.index(max(probabilities))], correct, group)


def test_metrics_are_what_the_formulas_say() -> None:
    found = measure([answered((0.8, 0.1, 0.1), SUPPORTS), answered((0.6, 0.3, 0.1), REFUTES)])
    assert found.accuracy == 0.5
    assert found.brier == pytest.approx((0.04 + 0.01 + 0.01 + 0.36 + 0.49 + 0.01) / 2)
    assert found.log_loss == pytest.approx(-(math.log(0.8) + math.log(0.3)) / 2)
    assert found.ece == pytest.approx((abs(0.8 - 1) + abs(0.6 - 0)) / 2)
    assert found.mean_confidence == pytest.approx(0.7)
    supports, refutes, neutral = found.classes
    assert (supports.precision, supports.recall, supports.support) == (0.5, 1.0, 1)
    assert (refutes.precision, refutes.recall) == (None, 0.0)
    assert (neutral.precision, neutral.recall) == (None, None)


def test_bins_hold_their_upper_edge_and_every_sample_once() -> None:
    found = measure([answered((value, 1 - value, 0.0), SUPPORTS) for value in (0.5, 0.6, 0.61, 1.0)])
    assert [(one.lower, one.count) for one in found.bins if one.count] == [(0.4, 1), (0.5, 1), (0.6, 1), (0.9, 1)]
    assert sum(one.count for one in found.bins) == 4


def test_no_samples_cannot_be_measured() -> None:
    with pytest.raises(ValueError, match="no samples"):
        measure([])


weights = st.floats(0.001, 1.0)


@st.composite
def triples(draw: st.DrawFn) -> Probabilities:
    values = [draw(weights) for _ in CLASSES]
    total = math.fsum(values)
    return values[0] / total, values[1] / total, values[2] / total


@given(st.lists(st.tuples(triples(), st.sampled_from(CLASSES)), min_size=1, max_size=40))
def test_metrics_stay_within_their_ranges(pairs: list[tuple[Probabilities, Relation]]) -> None:
    found = measure([answered(*pair) for pair in pairs])
    assert 0.0 <= found.ece <= 1.0
    assert 0.0 <= found.brier <= 2.0
    assert found.log_loss >= 0.0
    assert sum(one.support for one in found.classes) == found.sample_count == sum(one.count for one in found.bins)


KNOTS = (0.0, 0.05, 0.4, 0.3, 0.9, 0.7, 1.0, 0.9)


@given(
    triples(), st.sampled_from(CLASSES), st.sampled_from([("temperature", (2.5,)), ("temperature", (0.4,)), ("isotonic", KNOTS)])
)
def test_a_calibrator_keeps_sums_and_can_be_undone(
    given_values: Probabilities, label: Relation, made: tuple[str, tuple[float, ...]]
) -> None:
    calibrator = Calibration("fit-1", *made)
    shown = calibrator.apply(given_values, label)
    assert math.fsum(shown) == pytest.approx(1.0)
    assert calibrator.undo(shown, label) == pytest.approx(given_values, abs=1e-6)


@given(triples(), triples(), st.floats(0.1, 10))
def test_a_temperature_keeps_the_order_of_the_classes(first: Probabilities, second: Probabilities, heat: float) -> None:
    for values in (first, second):
        shown = softened(values, heat)
        assert shown.index(max(shown)) == values.index(max(values)) or max(values) - sorted(values)[1] < 1e-9


def test_a_calibrated_judgement_keeps_its_side_its_raw_value_and_its_sentence() -> None:
    before = Stance(label=SUPPORTS, supports=0.9, refutes=0.06, neutral=0.04, raw=0.99, decisive=(3, 9))
    after = Calibration("fit-1", "isotonic", (0.0, 0.0, 1.0, 0.4)).judged(before)
    assert (after.label, after.raw, after.decisive) == (SUPPORTS, 0.99, (3, 9))
    assert after.nli_confidence == pytest.approx(0.36)
    assert after.refutes / after.neutral == pytest.approx(0.06 / 0.04)


def test_a_certain_judgement_leaves_the_others_equal_shares() -> None:
    shown = Calibration("fit-1", "isotonic", (0.0, 0.0, 1.0, 0.8)).apply((1.0, 0.0, 0.0), SUPPORTS)
    assert shown == pytest.approx((0.8, 0.1, 0.1))


@pytest.mark.parametrize("count", [200, 1200])
def test_a_fit_on_over_confident_samples_halves_the_error_on_held_out_ones(count: int) -> None:
    found = fit(simulated(count, 3.0))
    assert found.reason is FitReason.BETTER
    assert found.chosen is not None
    held_out = simulated(2000, 3.0, seed=2)
    after = measure(calibrated(held_out, found.chosen.kind, found.chosen.parameters))
    assert after.ece <= 0.5 * measure(held_out).ece
    assert after.brier < measure(held_out).brier


@pytest.mark.parametrize("kind", ["temperature", "isotonic"])
def test_either_calibrator_alone_halves_it(kind: str) -> None:
    fitter = {"temperature": fit_temperature, "isotonic": fit_isotonic}[kind]
    held_out = simulated(2000, 3.0, seed=2)
    after = measure(calibrated(held_out, kind, fitter(simulated(1200, 3.0))))
    assert after.ece <= 0.5 * measure(held_out).ece


def test_the_temperature_that_was_simulated_is_found() -> None:
    assert fit_temperature(simulated(3000, 2.5))[0] == pytest.approx(2.5, rel=0.1)


@pytest.mark.parametrize("seed", range(5))
def test_a_useless_calibrator_is_not_chosen(seed: int) -> None:
    found = fit(simulated(400, 1.0, seed=seed + 10))
    assert found.reason is FitReason.NOT_BETTER
    assert found.chosen is None
    assert found.candidates


def test_isotonic_needs_more_samples_than_a_temperature() -> None:
    assert [one.kind for one in fit(simulated(150, 3.0)).candidates] == ["temperature"]
    assert [one.kind for one in fit(simulated(400, 3.0)).candidates] == ["temperature", "isotonic"]


def test_too_few_samples_or_one_class_or_one_outcome_are_said() -> None:
    many = simulated(400, 3.0)
    assert fit(many[: LEAST_SAMPLES - 1]).reason is FitReason.TOO_FEW_SAMPLES
    assert fit([]).reason is FitReason.TOO_FEW_SAMPLES
    assert fit([one for one in many if one.correct is NEUTRAL][:100] or many).reason is FitReason.ONE_CLASS_ONLY
    assert fit([one for one in many if one.is_right][:120]).reason is FitReason.ONE_OUTCOME_ONLY


def test_the_order_of_samples_does_not_matter() -> None:
    samples = simulated(400, 3.0)
    shuffled = samples[:]
    Random(5).shuffle(shuffled)
    assert fit(samples) == fit(shuffled)


@given(st.lists(st.tuples(triples(), st.sampled_from(CLASSES)), min_size=12, max_size=60))
def test_an_isotonic_line_always_rises(pairs: list[tuple[Probabilities, Relation]]) -> None:
    knots = fit_isotonic([answered(*pair) for pair in pairs])
    assert all(left < right for left, right in zip(knots[::2], knots[2::2], strict=False))
    assert all(low < high for low, high in zip(knots[1::2], knots[3::2], strict=False))
    assert (knots[0], knots[-2]) == (0.0, 1.0)
