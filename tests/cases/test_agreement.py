"""Agreement of several people on one field: intervals, holes, pairs, labels, and what cannot be computed."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lyra.cases.agreement import (
    COEFFICIENTS,
    MAX_CATEGORIES,
    UNDEFINED_CONSTANT,
    UNDEFINED_MANY_VALUES,
    UNDEFINED_NO_OVERLAP,
    UNDEFINED_NOBODY,
    UNDEFINED_ONE_RATER,
    Agreement,
    Plan,
    measure,
)
from lyra.cases.ratings import UNRATED, Level, Ratings, Weighting, agreement_weights, collect, patterns
from lyra.core.errors import InvalidInput
from tests.cases.random_ratings import random_table

Triple = tuple[str, str, str | None]


def triples_of(table: list[list[int | None]]) -> list[Triple]:
    return [
        (f"rater {rater}", f"unit {unit:03}", None if value is None else str(value))
        for unit, row in enumerate(table)
        for rater, value in enumerate(row)
    ]


def by_name(agreement: Agreement) -> dict[str, float | None]:
    return {estimate.name: estimate.value for estimate in agreement.estimates}


def test_full_agreement_on_several_values_is_one_everywhere_with_a_narrow_interval() -> None:
    found = measure(collect(triples_of([[1, 1, 1], [2, 2, 2], [3, 3, 3]] * 9)), Plan(Level.INTERVAL))
    for estimate in found.estimates:
        assert estimate.value == pytest.approx(1.0), estimate.name
        assert estimate.interval == pytest.approx((1.0, 1.0)), estimate.name
    assert {estimate.name for estimate in found.estimates} == set(COEFFICIENTS)


def test_one_unit_has_values_and_no_interval() -> None:
    found = measure(collect(triples_of([[1, 2, 1]])), Plan(Level.ORDINAL))
    estimates = [*found.estimates, *(one for pair in found.pairs for one in pair.estimates)]
    estimates += [one for label in found.labels for one in label.estimates]
    assert any(one.value is not None for one in estimates)
    assert [one.name for one in estimates if one.interval is not None] == []


def test_a_value_that_most_samples_cannot_have_gets_no_interval_that_looks_certain() -> None:
    found = measure(collect(triples_of([[1, 1], [1, 2]])), Plan())
    assert found.estimate("percent").interval == (0.0, 1.0)
    kappa = found.estimate("cohen")
    assert kappa.value == pytest.approx(0.0) and kappa.interval is None
    assert 0 < kappa.replicates < found.replicates


def test_constant_labels_leave_kappa_and_alpha_undefined_beside_the_raw_agreement() -> None:
    found = measure(collect(triples_of([[1, 1], [1, 1], [1, 1]]), ["1", "2", "3"]), Plan(Level.ORDINAL))
    assert found.estimate("percent").value == 1.0
    for name in ("cohen", "cohen_weighted", "fleiss", "alpha_nominal", "alpha_ordinal"):
        estimate = found.estimate(name)
        assert (estimate.value, estimate.interval, estimate.undefined) == (None, None, UNDEFINED_CONSTANT), name
    # AC1 asks how raters would choose on the whole scale, so that constant labels are no riddle to it.
    assert found.estimate("ac1").value == 1.0


def test_on_a_scale_of_one_value_ac1_is_undefined_too() -> None:
    found = measure(collect(triples_of([[1, 1], [1, 1]])), Plan())
    assert (found.estimate("ac1").value, found.estimate("ac1").undefined) == (None, UNDEFINED_CONSTANT)


@pytest.mark.parametrize(
    ("table", "why"),
    [
        ([[None, None], [None, None]], UNDEFINED_NOBODY),
        ([[1, None], [2, None]], UNDEFINED_ONE_RATER),
        ([[1, None], [None, 2]], UNDEFINED_NO_OVERLAP),
    ],
)
def test_what_cannot_be_computed_says_why(table: list[list[int | None]], why: str) -> None:
    found = measure(collect(triples_of(table), ["1", "2"]), Plan())
    assert {(estimate.value, estimate.undefined) for estimate in found.estimates} == {(None, why)}
    assert (found.pairs, found.labels, found.paired_units) == ((), (), 0)


def test_no_ratings_at_all_is_no_crash() -> None:
    found = measure(collect([], ["yes", "no"]), Plan())
    assert {estimate.undefined for estimate in found.estimates} == {UNDEFINED_NOBODY}


def test_missing_ratings_are_not_disagreement() -> None:
    complete = measure(collect(triples_of([[1, 1, 1], [2, 2, 2], [1, 1, 1]])), Plan())
    holed = measure(collect(triples_of([[1, 1, None], [2, None, 2], [1, 1, 1]])), Plan())
    assert by_name(holed) == by_name(complete)
    assert (holed.ratings, holed.possible, holed.paired_units) == (7, 9, 3)


def test_a_unit_that_one_person_rated_changes_no_alpha_and_no_raw_agreement() -> None:
    table: list[list[int | None]] = [[1, 1], [2, 1], [2, 2], [1, 2]]
    without = measure(collect(triples_of(table)), Plan())
    more = measure(collect(triples_of([*table, [1, None], [None, 2]])), Plan())
    assert more.units == 6
    for name in ("percent", "cohen", "alpha_nominal"):
        assert more.estimate(name).value == without.estimate(name).value


def test_many_numbers_are_measured_as_numbers_only() -> None:
    table: list[list[int | None]] = [[unit * 2, unit * 2 + unit % 2] for unit in range(MAX_CATEGORIES)]
    found = measure(collect(triples_of(table)), Plan(Level.INTERVAL, replicates=50))
    alpha = found.estimate("alpha_interval")
    assert alpha.value is not None and alpha.value > 0.99 and alpha.interval is not None
    assert (found.estimate("ac1").value, found.estimate("ac1").undefined) == (None, UNDEFINED_MANY_VALUES)
    assert found.pairs == ()


def test_a_value_that_is_no_number_is_refused_on_an_interval_scale() -> None:
    with pytest.raises(InvalidInput) as caught:
        measure(collect([("a", "1", "3"), ("b", "1", "three")]), Plan(Level.INTERVAL))
    assert (caught.value.code, caught.value.params["value"]) == ("agreement_not_numeric", "three")


def test_a_value_outside_the_scale_is_refused_with_its_place() -> None:
    with pytest.raises(InvalidInput) as caught:
        collect([("ann", "u1", "hihg")], ["high", "low"], field="verification_confidence")
    assert caught.value.code == "agreement_off_scale"
    assert "ann" in str(caught.value) and "hihg" in str(caught.value) and "u1" in str(caught.value)


def test_rating_a_unit_twice_in_two_ways_is_refused_and_in_one_way_is_not() -> None:
    assert collect([("ann", "u1", "yes"), ("ann", "u1", "yes")]).given == 1
    with pytest.raises(InvalidInput) as caught:
        collect([("ann", "u1", "yes"), ("bob", "u1", "no"), ("ann", "u1", "no")], field="outcome")
    assert caught.value.code == "agreement_rated_twice"
    assert caught.value.params == {"rater": "ann", "unit": "u1", "field": "outcome"}


def test_numbers_are_ordered_as_numbers_and_words_by_the_alphabet() -> None:
    assert collect([("a", "1", "10"), ("a", "2", "9"), ("a", "3", "-1")]).categories == ("-1", "9", "10")
    assert collect([("a", "1", "10"), ("a", "2", "9"), ("a", "3", "x")]).categories == ("10", "9", "x")


def test_the_same_seed_gives_the_same_intervals_and_the_order_of_units_does_not_matter() -> None:
    triples = triples_of(random_table(3))
    plan = Plan(Level.ORDINAL, replicates=200, seed=9)
    assert measure(collect(triples), plan) == measure(collect(triples), plan)
    shuffled = measure(collect(triples[::-1], collect(triples).categories), plan)
    straight = measure(collect(triples), plan)
    for name in ("percent", "fleiss", "alpha_nominal", "alpha_ordinal", "ac1", "ac2"):
        assert shuffled.estimate(name).value == pytest.approx(straight.estimate(name).value, abs=1e-12)


def test_an_interval_is_that_of_resampling_units_one_by_one() -> None:
    ratings = collect(triples_of(random_table(11) * 3))
    plan = Plan(Level.ORDINAL, replicates=4000, seed=5)
    ours = measure(ratings, plan)
    source, slow = np.random.default_rng(77), []
    for _ in range(600):
        drawn = source.integers(0, len(ratings.units), len(ratings.units))
        again = measure(
            Ratings(ratings.raters, ratings.units, ratings.categories, ratings.codes[drawn]), Plan(Level.ORDINAL, replicates=0)
        )
        slow.append([again.estimate(name).value for name in ("percent", "fleiss", "alpha_ordinal", "cohen")])
    for place, name in enumerate(("percent", "fleiss", "alpha_ordinal", "cohen")):
        interval = ours.estimate(name).interval
        assert interval is not None
        values = np.array([row[place] for row in slow], dtype=np.float64)
        assert interval == pytest.approx(tuple(np.quantile(values, (0.025, 0.975))), abs=0.12 * (interval[1] - interval[0])), name


def test_pairs_show_who_confuses_what() -> None:
    found = measure(collect(triples_of([[1, 1, None], [1, 2, 1], [2, 2, 2], [None, 2, 1]])), Plan())
    first = found.pairs[0]
    assert (first.first, first.second, first.units) == ("rater 0", "rater 1", 3)
    assert first.confusion == ((1, 1), (0, 1))
    assert [pair.units for pair in found.pairs] == [3, 2, 3]
    assert sum(sum(row) for pair in found.pairs for row in pair.confusion) == 8


def test_cohen_of_more_than_two_is_the_mean_of_the_pairs() -> None:
    found = measure(collect(triples_of(random_table(1))), Plan(Level.ORDINAL, replicates=0))
    for name in ("cohen", "cohen_weighted"):
        pairs = [{one.name: one.value for one in pair.estimates}[name] for pair in found.pairs]
        assert len(pairs) > 1
        assert found.estimate(name).value == pytest.approx(np.mean([value for value in pairs if value is not None]))


def test_a_label_nobody_shares_stands_out() -> None:
    found = measure(collect(triples_of([[1, 1], [1, 1], [2, 2], [3, 1], [2, 3]])), Plan())
    shared = {label.label: {one.name: one.value for one in label.estimates}["specific"] for label in found.labels}
    assert shared["3"] == 0.0
    assert shared["1"] == pytest.approx(4 / 5)
    assert {label.label: label.chosen for label in found.labels} == {"1": 5, "2": 3, "3": 2}


def test_patterns_count_every_rated_unit_once() -> None:
    for seed in range(20):
        ratings = collect(triples_of(random_table(seed)))
        found = patterns(ratings)
        rated = [tuple(row) for row in ratings.codes.tolist() if any(code != UNRATED for code in row)]
        assert found.units == len(rated)
        assert {tuple(row) for row in found.codes.tolist()} == set(rated)


def test_many_raters_are_counted_without_overflow() -> None:
    table: list[list[int | None]] = [[1 + (unit * rater) % 3 for rater in range(60)] for unit in range(30)]
    found = measure(collect(triples_of(table)), Plan(replicates=20))
    assert found.estimate("alpha_nominal").value is not None
    assert found.units == 30


@pytest.mark.parametrize(
    ("weighting", "expected"),
    [
        (Weighting.LINEAR, [1, 2 / 3, 1 / 3, 0]),
        (Weighting.QUADRATIC, [1, 8 / 9, 5 / 9, 0]),
        (Weighting.ORDINAL, [1, 5 / 6, 1 / 2, 0]),
    ],
)
def test_weights_fall_from_one_to_zero_along_the_scale(weighting: Weighting, expected: list[float]) -> None:
    assert agreement_weights(np.arange(4.0), weighting)[0].tolist() == pytest.approx(expected)


@settings(deadline=None, max_examples=60)
@given(
    st.lists(
        st.lists(st.one_of(st.none(), st.integers(1, 4)), min_size=3, max_size=3),
        min_size=1,
        max_size=12,
    ),
    st.sampled_from(Level),
)
def test_a_coefficient_is_at_most_one_or_undefined_with_a_reason(table: list[list[int | None]], level: Level) -> None:
    found = measure(collect(triples_of(table), ["1", "2", "3", "4"]), Plan(level, replicates=20))
    for estimate in [*found.estimates, *(one for label in found.labels for one in label.estimates)]:
        if estimate.value is None:
            assert estimate.undefined is not None and estimate.interval is None
        else:
            assert estimate.value <= 1 + 1e-12
            assert estimate.undefined is None
        if estimate.interval is not None:
            assert estimate.interval[0] <= estimate.interval[1]
