"""Coefficients equal those of established libraries on 200 random tables each, to nine decimals.

What is known of the libraries, and how the comparison minds it:

- nltk (Apache-2.0) takes `None` for a label unless told otherwise: missing ratings are left out of its triples. Its
  alpha has no ordinal distance of its own: it is given one, written here from the definition.
- scikit-learn (BSD-3-Clause) sorts labels that are texts by the alphabet, which puts high, low, medium and none in a
  wrong order for weighted kappa: it is given numbers.
- irrCAC's "ordinal" weights are Gwet's, not Krippendorff's distance (0.834 where Krippendorff prints 0.815): its alpha is
  compared for names and numbers only. It pins an old scipy, so its values are recorded (irrcac_reference.py).
- krippendorff, agreement and interrater are under the GPL and are not used.
"""

import json
import math
from collections.abc import Callable
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from nltk.metrics.agreement import AnnotationTask
from nltk.metrics.distance import binary_distance, interval_distance
from sklearn.metrics import cohen_kappa_score

from lyra.cases.agreement import Agreement, Plan, measure
from lyra.cases.ratings import Level, Weighting, collect
from tests.cases.random_ratings import Table, complete_table, random_table

TABLES = range(200)
NINE_DECIMALS = 1e-9


def measured(table: Table, level: Level = Level.INTERVAL, weighting: Weighting = Weighting.QUADRATIC) -> Agreement:
    triples = [
        (f"rater {rater}", f"unit {unit:03}", None if value is None else str(value))
        for unit, row in enumerate(table)
        for rater, value in enumerate(row)
    ]
    return measure(collect(triples), Plan(level, weighting, replicates=0))


def task(table: Table, distance: Callable[[int, int], float]) -> AnnotationTask:
    data = [(rater, unit, value) for unit, row in enumerate(table) for rater, value in enumerate(row) if value is not None]
    return AnnotationTask(data=data, distance=distance)


def ordinal_distance(table: Table) -> Callable[[int, int], float]:
    """Krippendorff's distance of ranks: the ratings from one to the other, the ends counted half, squared."""
    paired = [value for row in table for value in row if value is not None and sum(v is not None for v in row) > 1]

    def distance(first: int, second: int) -> float:
        low, high = min(first, second), max(first, second)
        between = sum(low <= value <= high for value in paired)
        return (between - (paired.count(low) + paired.count(high)) / 2) ** 2

    return distance


@pytest.mark.parametrize("name", ["alpha_nominal", "alpha_ordinal", "alpha_interval"])
def test_alpha_equals_that_of_nltk(name: str) -> None:
    for seed in TABLES:
        table = random_table(seed)
        distance = {
            "alpha_nominal": binary_distance,
            "alpha_ordinal": ordinal_distance(table),
            "alpha_interval": interval_distance,
        }[name]
        ours = measured(table).estimate(name).value
        assert ours == pytest.approx(task(table, distance).alpha(), abs=NINE_DECIMALS), seed


def test_fleiss_of_complete_tables_equals_the_multi_pi_of_nltk() -> None:
    for seed in TABLES:
        table = complete_table(seed)
        assert measured(table).estimate("fleiss").value == pytest.approx(task(table, binary_distance).pi(), abs=NINE_DECIMALS), (
            seed
        )


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.UndefinedMetricWarning")
@pytest.mark.parametrize(
    ("name", "weighting"),
    [("cohen", None), ("cohen_weighted", Weighting.LINEAR), ("cohen_weighted", Weighting.QUADRATIC)],
)
def test_cohen_of_every_pair_equals_that_of_scikit_learn(name: str, weighting: Weighting | None) -> None:
    compared = 0
    for seed in TABLES:
        table = random_table(seed)
        labels = sorted({value for row in table for value in row if value is not None})
        found = measured(table, weighting=weighting or Weighting.QUADRATIC)
        for first, second in combinations(range(len(table[0])), 2):
            both = [(row[first], row[second]) for row in table if row[first] is not None and row[second] is not None]
            left, right = zip(*both, strict=True)
            theirs = float(cohen_kappa_score(left, right, labels=labels, weights=weighting and weighting.value))
            pair = next(one for one in found.pairs if (one.first, one.second) == (f"rater {first}", f"rater {second}"))
            ours = {estimate.name: estimate.value for estimate in pair.estimates}[name]
            if ours is None:
                assert math.isnan(theirs), seed
            else:
                assert ours == pytest.approx(theirs, abs=NINE_DECIMALS), seed
                compared += 1
    assert compared >= len(TABLES)


def test_scikit_learn_orders_texts_by_the_alphabet_and_we_by_the_scale() -> None:
    left = ["high", "high", "medium", "low", "none", "medium", "low", "high"]
    right = ["medium", "high", "low", "low", "low", "medium", "none", "high"]
    scale = ["none", "low", "medium", "high"]
    triples = [(name, str(unit), value) for name, values in (("a", left), ("b", right)) for unit, value in enumerate(values)]
    ours = (
        measure(collect(triples, scale), Plan(Level.ORDINAL, Weighting.QUADRATIC, replicates=0)).estimate("cohen_weighted").value
    )
    by_alphabet = cohen_kappa_score(left, right, weights="quadratic")
    by_scale = cohen_kappa_score([scale.index(v) for v in left], [scale.index(v) for v in right], weights="quadratic")
    assert ours == pytest.approx(by_scale, abs=NINE_DECIMALS)
    assert abs(by_alphabet - by_scale) > 0.1


RECORDED: list[dict[str, float]] = json.loads((Path(__file__).parent / "irrcac-reference.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", ["ac1", "fleiss", "alpha_nominal", "alpha_interval"])
def test_coefficients_equal_those_of_irrcac(name: str) -> None:
    assert len(RECORDED) == len(TABLES)
    for seed, recorded in enumerate(RECORDED):
        assert measured(random_table(seed)).estimate(name).value == pytest.approx(recorded[name], abs=NINE_DECIMALS), seed


@pytest.mark.parametrize("weighting", Weighting)
def test_ac2_equals_that_of_irrcac(weighting: Weighting) -> None:
    for seed, recorded in enumerate(RECORDED):
        ours = measured(random_table(seed), weighting=weighting).estimate("ac2").value
        assert ours == pytest.approx(recorded[f"ac2_{weighting}"], abs=NINE_DECIMALS), seed


def test_the_tables_are_as_varied_as_they_should_be() -> None:
    tables = [random_table(seed) for seed in TABLES]
    assert {len(table[0]) for table in tables} == {2, 3, 4, 5}
    assert any(value is None for table in tables for row in table for value in row)
    assert np.ptp([len(table) for table in tables]) > 20
