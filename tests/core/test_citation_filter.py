"""Which citations are taken in: percentile ranks, weights and limits."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lyra.core.citation_filter import impact_scores, relevance_of, stage0, stage1, stage2
from lyra.core.gather_rules import CitationFilter
from lyra.core.works import Work

RULES = CitationFilter()


def cited(count: int | None, abstract: str | None = "Abstract.") -> Work:
    return Work("openalex", f"W{count}", f"Title {count}", abstract=abstract, citation_count=count)


def test_ties_share_the_mean_rank_and_a_single_candidate_is_neutral() -> None:
    assert impact_scores([0, 10, 10, 1000]) == [0.0, 0.5, 0.5, 1.0]
    assert impact_scores([7]) == [0.5]
    assert impact_scores([3, 3, 3]) == [0.5, 0.5, 0.5]


@given(st.lists(st.none() | st.integers(0, 10**9), min_size=2, max_size=40))
def test_impact_keeps_the_order_of_the_counts_and_lies_between_0_and_1(counts: list[int | None]) -> None:
    scores = impact_scores(counts)
    assert all(0.0 <= score <= 1.0 for score in scores)
    assert math.isclose(sum(scores), len(scores) / 2)
    for first, one in zip(counts, scores, strict=True):
        for second, other in zip(counts, scores, strict=True):
            assert ((first or 0) < (second or 0)) == (one < other)


def test_stage_0_drops_what_has_no_abstract_or_is_cited_too_rarely() -> None:
    works = [cited(0), cited(5), cited(50, None), cited(None)]
    assert stage0(works, RULES) == [works[0], works[1], works[3]]
    assert stage0(works, CitationFilter(min_citation_count=1)) == [works[1]]


def test_stage_1_weighs_similarity_and_impact_alike() -> None:
    found = stage1([cited(0), cited(10), cited(1000)], [0.9, 0.2, 0.1], RULES)
    assert [(one.work.citation_count, round(one.score, 3)) for one in found] == [(1000, 0.55), (0, 0.45), (10, 0.35)]


def test_stage_2_gives_half_to_relevance_three_tenths_to_similarity_and_two_to_impact() -> None:
    first = stage1([cited(0), cited(1000)], [0.4, 0.6], RULES)
    final = stage2(first, [0.7] * 2, RULES)
    assert [round(one.score, 6) for one in final] == [0.5 * 0.7 + 0.3 * 0.6 + 0.2 * 1.0, 0.5 * 0.7 + 0.3 * 0.4 + 0.2 * 0.0]


def test_thirty_are_kept_and_ten_of_them_are_taken() -> None:
    works = [cited(number) for number in range(80)]
    first = stage1(works, [0.5] * 80, RULES)
    assert len(first) == 30
    assert len(stage2(first, [0.5] * 30, RULES)) == 10


@pytest.mark.parametrize(("said", "value"), [(7, 0.7), (10, 1.0), (0, 0.0), (25, 1.0), (-3, 0.0), (6.5, 0.65)])
def test_what_a_model_says_is_divided_by_ten_and_clamped(said: float, value: float) -> None:
    assert relevance_of(said) == pytest.approx(value)


@pytest.mark.parametrize("said", [None, "7", True, float("nan"), [7]])
def test_what_is_no_number_counts_as_neither_here_nor_there(said: object) -> None:
    assert relevance_of(said) == 0.5
