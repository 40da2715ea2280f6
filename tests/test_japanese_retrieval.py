"""Japanese passages are found by what people ask, with the product's own store and search."""

from bench.judgement import finding
from tests.interfaces.terminal import fake_models


def test_nine_in_ten_japanese_passages_are_among_the_first_ten() -> None:
    texts, asked = finding.passages(), finding.queries()
    assert (len(texts), len(asked)) == (500, 60)
    assert {name for query in asked for name in query.relevant} <= set(texts)
    found = finding.search(texts, asked, fake_models())
    assert found.recall(found.by_words) >= 0.9
    assert found.recall(found.by_words, "test") >= 0.9
    assert all(len(names) == finding.TOP for names in found.by_both)


def test_recall_counts_each_relevant_passage_among_the_first_ten() -> None:
    asked = (finding.Query("1", "tune", "a", frozenset({"x", "y"})), finding.Query("2", "test", "b", frozenset({"z"})))
    names = (("x", *"abcdefghi", "y"), ("z",))
    found = finding.Found(asked, names, names)
    assert (found.recall(names, "tune"), found.recall(names, "test"), found.recall(names)) == (0.5, 1.0, 0.75)
