"""BM25 over a handful of texts."""

from hypothesis import given
from hypothesis import strategies as st

from lyra.core.bm25 import bm25_scores

TEXTS = ["green tea and blood pressure", "black tea", "coffee and sleep and dreams of young people", ""]


def test_texts_that_share_rarer_words_come_first() -> None:
    scores = bm25_scores("green tea", TEXTS)
    assert scores[0] > scores[1] > scores[2] == scores[3] == 0.0


def test_japanese_is_compared_without_spaces() -> None:
    scores = bm25_scores("緑茶と血圧", ["緑茶を飲むと血圧が下がる。", "紅茶の歴史", "京都の紅葉"])
    assert scores[0] > scores[1]
    assert scores[2] == 0.0


@given(st.text(max_size=30), st.lists(st.text(max_size=40), max_size=8))
def test_scores_are_never_negative_and_one_for_each_text(query: str, texts: list[str]) -> None:
    scores = bm25_scores(query, texts)
    assert len(scores) == len(texts)
    assert all(score >= 0.0 for score in scores)


def test_a_shorter_text_with_the_same_words_scores_higher() -> None:
    short, long = bm25_scores("tea", ["tea is good", "tea is good and there is much more to be said about it"])
    assert short > long
