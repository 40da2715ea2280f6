"""Coefficients equal the worked examples of the papers that introduced them, to the digits printed there."""

import numpy as np
import pytest

from lyra.cases import coefficients
from lyra.cases.agreement import Agreement, Plan, measure
from lyra.cases.coefficients import Tally
from lyra.cases.ratings import Level, Ratings, Weighting, collect

NO_REPLICATES = 0


def of_rows(rows: str, level: Level = Level.NOMINAL, weighting: Weighting = Weighting.QUADRATIC) -> Agreement:
    """Agreement of a table with a line for each rater; a dot is no rating."""
    triples = [
        (f"rater {rater}", f"unit {unit:02}", None if value == "." else value)
        for rater, line in enumerate(rows.strip().splitlines())
        for unit, value in enumerate(line.split())
    ]
    return measure(collect(triples), Plan(level, weighting, NO_REPLICATES))


def of_table(table: list[list[int]], level: Level = Level.NOMINAL, weighting: Weighting = Weighting.QUADRATIC) -> Agreement:
    """Agreement of two raters whose contingency table is given."""
    cells = [(i, j) for i, row in enumerate(table) for j, count in enumerate(row) for _ in range(count)]
    codes = np.array(cells, dtype=np.int64)
    categories = tuple(str(place + 1) for place in range(len(table)))
    ratings = Ratings(("A", "B"), tuple(str(unit) for unit in range(len(cells))), categories, codes)
    return measure(ratings, Plan(level, weighting, NO_REPLICATES))


def value(agreement: Agreement, name: str, digits: int = 3) -> float:
    estimate = agreement.estimate(name).value
    assert estimate is not None
    return round(estimate, digits)


# Krippendorff (2011), Computing Krippendorff's Alpha-Reliability, example with missing data: 4 observers, 12 units.
KRIPPENDORFF_2011 = """
1 2 3 3 2 1 4 1 2 . . .
1 2 3 3 2 2 4 1 2 5 . 3
. 3 3 3 2 3 4 2 2 5 1 .
1 2 3 3 2 4 4 1 2 5 1 .
"""

# Fleiss (1971), table 1: how many of six psychiatrists chose each of five diagnoses for thirty patients.
FLEISS_1971 = """
00060 03003 01401 00006 03030 20400 00402 20310 20040 00006 10050 11040 03300 10050 02031
00501 30012 51000 02040 10203 00006 01050 02013 20040 10041 05010 40002 02040 10500 00006
"""

# Cohen (1960), table 2, and Cohen (1968), table 1: two judges, three diagnoses, 200 patients.
COHEN_1960 = [[88, 10, 2], [14, 40, 6], [18, 10, 12]]


def test_krippendorff_2011_for_names_ranks_and_numbers() -> None:
    found = of_rows(KRIPPENDORFF_2011, Level.INTERVAL)
    assert (value(found, "alpha_nominal"), value(found, "alpha_ordinal"), value(found, "alpha_interval")) == (0.743, 0.815, 0.849)


def test_krippendorff_2011_for_two_observers_and_two_values() -> None:
    found = of_rows("0 1 0 0 0 0 0 0 1 0\n1 1 1 0 0 1 0 0 0 0")
    assert value(found, "alpha_nominal") == 0.095


def test_fleiss_1971_as_a_whole_and_by_category() -> None:
    counts = np.array([[float(digit) for digit in patient] for patient in FLEISS_1971.split()])
    tally, once = Tally(counts), np.ones((1, 30))
    assert counts.shape == (30, 5) and set(counts.sum(axis=1)) == {6.0}
    assert round(float(coefficients.fleiss(once, tally)[0]), 3) == 0.430
    by_category = [round(float(coefficients.fleiss(once, tally.against_rest(place))[0]), 3) for place in range(5)]
    assert by_category == [0.245, 0.245, 0.520, 0.471, 0.566]


def test_cohen_1960() -> None:
    found = of_table(COHEN_1960)
    assert (value(found, "percent", 2), value(found, "cohen", 3)) == (0.70, 0.492)


def test_cohen_1960_below_chance() -> None:
    found = of_table([[25, 13, 12], [12, 2, 16], [3, 15, 2]])
    assert (value(found, "percent", 2), value(found, "cohen", 2)) == (0.29, -0.09)


def test_cohen_1968_with_the_weights_of_that_paper() -> None:
    disagreement = np.array([[0, 1, 3], [1, 0, 6], [3, 6, 0]]) / 6.0
    cells = [(i, j) for i in range(3) for j in range(3)]
    first, second = (np.array(codes, dtype=np.int64) for codes in zip(*cells, strict=True))
    weights = np.array([[float(COHEN_1960[i][j]) for i, j in cells]])
    assert round(float(coefficients.cohen(weights, first, second, 1.0 - disagreement)[0]), 3) == 0.348


@pytest.mark.parametrize(
    ("table", "kappa", "ac1"),
    [
        ([[118, 5], [2, 0]], -0.023, 0.941),  # Gwet (2008): almost all agree, kappa says worse than chance
        ([[13, 0, 0], [0, 20, 7], [0, 4, 56]], 0.796, 0.849),  # Gwet (2014), two abstractors, 100 women
    ],
)
def test_gwet_beside_kappa(table: list[list[int]], kappa: float, ac1: float) -> None:
    found = of_table(table)
    assert (value(found, "cohen"), value(found, "ac1")) == (kappa, ac1)


def test_gwet_2014_four_raters_with_missing_ratings() -> None:
    found = of_rows(KRIPPENDORFF_2011)
    assert (value(found, "ac1", 5), value(found, "fleiss", 5)) == (0.77544, 0.76117)
