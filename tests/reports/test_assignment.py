"""One-to-one assignment and text similarity."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import linear_sum_assignment  # type: ignore[import-untyped]

from lyra.reports.assignment import assign
from lyra.reports.similarity import folded, similarities

SCORES = st.integers(1, 7).flatmap(
    lambda columns: st.lists(st.lists(st.floats(0, 1, width=32), min_size=columns, max_size=columns), min_size=1, max_size=7)
)


def total(scores: list[list[float]], threshold: float) -> float:
    pairs = assign(scores, threshold)
    return sum(pair.score for pair in pairs) + threshold * (len(scores) - len(pairs))


@given(SCORES, st.floats(0, 1, width=32))
def test_the_total_is_the_best_there_is(scores: list[list[float]], threshold: float) -> None:
    costs = np.hstack([np.array(scores), np.full((len(scores), len(scores)), threshold)])
    rows, columns = linear_sum_assignment(costs, maximize=True)
    assert total(scores, threshold) == pytest.approx(float(costs[rows, columns].sum()), abs=1e-9)


@given(SCORES, st.floats(0, 1, width=32))
def test_nobody_has_two_partners_and_no_pair_is_below_the_threshold(scores: list[list[float]], threshold: float) -> None:
    pairs = assign(scores, threshold)
    assert len({pair.row for pair in pairs}) == len({pair.column for pair in pairs}) == len(pairs)
    assert all(pair.score > threshold for pair in pairs)


def test_the_best_total_wins_over_the_best_single_pair() -> None:
    # Greedy would take 0.9 first and leave 0.1; together 0.8 + 0.7 is more.
    assert [(pair.row, pair.column) for pair in assign([[0.9, 0.8], [0.7, 0.1]], 0.05)] == [(0, 1), (1, 0)]


def test_no_partner_is_part_of_the_optimum() -> None:
    # Without it row 1 would have to take column 1 and row 0 the worse column 0.
    assert [(pair.row, pair.column) for pair in assign([[0.3, 0.9], [0.1, 0.95]], 0.5)] == [(1, 1)]


def test_the_margin_counts_the_nearest_rival_of_either_side_and_no_partner() -> None:
    (first, second) = assign([[0.9, 0.6], [0.5, 0.8]], 0.2)
    assert first.margin == pytest.approx(0.3)
    assert second.margin == pytest.approx(0.2)
    (alone,) = assign([[0.9]], 0.2)
    assert alone.margin == pytest.approx(0.7)


@pytest.mark.parametrize("nothing", [[], [[]], [[], []]])
def test_nothing_to_assign_gives_no_pair(nothing: list[list[float]]) -> None:
    assert assign(nothing, 0.2) == ()


def test_the_same_text_is_alike_whatever_its_width_markup_and_punctuation() -> None:
    ((same,),) = similarities(["<u>ＤＩＦＭ特化</u>の、高頻度補充"], ["difm特化の高頻度補充。"])
    assert same == pytest.approx(1)
    assert folded("**ＡＢ c**、①") == "abc1"


def test_a_paraphrase_is_nearer_than_another_claim() -> None:
    ((near, far),) = similarities(
        ["店舗網の密度による配送の速さ"], ["配送時間を縮める店舗網の密度", "自社ブランド商品による利益率の高さ"]
    )
    assert near > 2 * far


@given(st.lists(st.text(max_size=12), max_size=4), st.lists(st.text(max_size=12), max_size=4))
def test_similarity_is_between_0_and_1_and_the_same_from_both_sides(left: list[str], right: list[str]) -> None:
    table, turned = similarities(left, right), similarities(right, left)
    assert all(0 <= value <= 1 for row in table for value in row)
    assert [[row[at] for row in turned] for at in range(len(left))] == [pytest.approx(row) for row in table]
