"""Ranking: 0.3·BM25 + 0.7·embedding, the re-ranker above it, the category weight on top."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lyra.core.ranking import bm25_weight, min_max, rank
from lyra.core.records import Candidate

scores = st.floats(min_value=-100.0, max_value=100.0).map(lambda value: round(value, 6))
candidates = st.lists(
    st.builds(
        Candidate,
        fragment_id=st.integers(0, 999).map(lambda number: f"frag_{number:03}"),
        text=st.just("text"),
        bm25=scores,
        similarity=scores,
        category_weight=st.sampled_from([1.0, 0.95, 0.75, 0.3]),
    ),
    max_size=12,
    unique_by=lambda candidate: candidate.fragment_id,
)


def candidate(name: str, bm25: float = 0.0, similarity: float = 0.0, weight: float = 1.0) -> Candidate:
    return Candidate(name, f"text of {name}", bm25, similarity, weight)


def order(found: list[Candidate], reranked: list[float] | None = None) -> list[str]:
    return [ranked.fragment_id for ranked in rank(found, reranked)]


def test_the_hybrid_is_three_tenths_bm25_and_seven_tenths_embedding() -> None:
    found = rank([candidate("a", 10.0, 0.2), candidate("b", 4.0, 0.6), candidate("c", 0.0, 0.4)])
    assert {ranked.fragment_id: ranked.score for ranked in found} == pytest.approx(
        {"a": 0.3 * 1.0 + 0.7 * 0.0, "b": 0.3 * 0.4 + 0.7 * 1.0, "c": 0.3 * 0.0 + 0.7 * 0.5}
    )
    assert [ranked.fragment_id for ranked in found] == ["b", "c", "a"]


def test_for_a_japanese_query_words_weigh_more_than_the_embedding() -> None:
    assert (bm25_weight("ja"), bm25_weight("en"), bm25_weight("und")) == (0.8, 0.3, 0.3)
    found = rank([candidate("a", 10.0, 0.2), candidate("b", 4.0, 0.6), candidate("c", 0.0, 0.4)], words=bm25_weight("ja"))
    assert [ranked.fragment_id for ranked in found] == ["a", "b", "c"]


def test_the_text_stays_with_its_fragment() -> None:
    assert [(r.fragment_id, r.text) for r in rank([candidate("b", 1.0), candidate("a", 2.0)])] == [
        ("a", "text of a"),
        ("b", "text of b"),
    ]


def test_a_reranker_decides_over_the_hybrid() -> None:
    found = [candidate("lexical", 9.0, 0.9), candidate("reranked", 0.0, 0.0)]
    assert order(found, [0.1, 0.8]) == ["reranked", "lexical"]
    assert rank(found, [0.1, 0.8])[0].score == 0.8


def test_the_hybrid_breaks_ties_of_the_reranker() -> None:
    found = [candidate("a", 1.0, 0.1), candidate("b", 2.0, 0.9), candidate("c", 0.0, 0.0)]
    assert order(found, [0.5, 0.5, 0.9]) == ["c", "b", "a"]


def test_the_category_weight_multiplies_the_hybrid() -> None:
    found = rank([candidate("unverified", 10.0, 0.9, 0.3), candidate("academic", 9.0, 0.8, 0.9), candidate("low", 0.0, 0.0, 0.4)])
    assert [ranked.fragment_id for ranked in found] == ["academic", "unverified", "low"]
    assert found[1].score == pytest.approx(0.3)


def test_the_category_weight_multiplies_the_reranker() -> None:
    found = [candidate("unverified", weight=0.3), candidate("primary")]
    assert [r.score for r in rank(found, [0.9, 0.5])] == pytest.approx([0.5, 0.27])


def test_blocked_sources_score_nothing() -> None:
    found = rank([candidate("blocked", 5.0, 0.9, 0.0), candidate("other", 1.0, 0.5), candidate("worst")])
    assert found[0].fragment_id == "other"
    assert {ranked.fragment_id: ranked.score for ranked in found}["blocked"] == 0.0


def test_full_ties_are_ordered_by_fragment() -> None:
    assert order([candidate("c"), candidate("a"), candidate("b")]) == ["a", "b", "c"]


def test_nothing_found_ranks_to_nothing() -> None:
    assert rank([]) == []
    assert rank([], []) == []


def test_equal_values_carry_no_order() -> None:
    assert min_max([3.0, 3.0]) == [0.0, 0.0]


@given(st.lists(scores, min_size=1))
def test_scaled_values_run_from_zero_to_one(values: list[float]) -> None:
    scaled = min_max(values)
    assert all(0.0 <= value <= 1.0 for value in scaled)
    assert min(scaled) == 0.0
    assert max(scaled) == (1.0 if max(values) > min(values) else 0.0)


@given(candidates, st.data())
def test_the_order_of_arrival_changes_nothing(found: list[Candidate], data: st.DataObject) -> None:
    reranked = data.draw(st.lists(st.sampled_from([0.1, 0.5, 0.9]), min_size=len(found), max_size=len(found)))
    places = data.draw(st.permutations(range(len(found))))
    moved = [found[place] for place in places]
    assert rank(moved) == rank(found)
    assert rank(moved, [reranked[place] for place in places]) == rank(found, reranked)


@given(candidates)
def test_the_result_falls_from_first_to_last_and_loses_nobody(found: list[Candidate]) -> None:
    ranked = rank(found)
    assert [item.score for item in ranked] == sorted((item.score for item in ranked), reverse=True)
    assert {item.fragment_id for item in ranked} == {item.fragment_id for item in found}
