"""How much of a passage is read, and what of it decides."""

import pytest

from lyra.core.fragments import MAX_TOKENS, estimate_tokens
from lyra.core.records import Relation
from lyra.models.passages import LEAST_OF_SEVERAL, LEAST_OF_THE_WHOLE, Pair, Passage, passage
from lyra.models.shares import Shares, mean

CLAIM = "It rains."
TEXT = "One is here. Two is here. Three is here. Four is here. Five is here."
SHORT = "One is here. Two is here."


def says(supports: float, refutes: float) -> Shares:
    """What a window says."""
    shares = {Relation.SUPPORTS: supports, Relation.REFUTES: refutes, Relation.NEUTRAL: 1.0 - supports - refutes}
    return Shares(shares, shares)


def judged(read: Passage, whole: Shares, *windows: Shares) -> dict[Pair, Shares]:
    """A passage of one wide window with what it and its windows say."""
    return {read.pair(read.wide[0]): whole} | dict(zip(map(read.pair, read.windows), windows, strict=bool(windows)))


def words(read: Passage, span: tuple[int, int]) -> str:
    return read.text[slice(*span)]


def test_a_short_passage_is_one_window_and_says_the_likeliest() -> None:
    read = passage(SHORT, CLAIM, 256)
    found = {read.pair(read.wide[0]): says(0.45, 0.2)}
    assert read.windows == read.wide
    assert read.closely(found) == []
    assert read.outspoken(found)[0].label is Relation.SUPPORTS


def test_the_most_outspoken_window_decides_together_with_the_whole() -> None:
    read = passage(TEXT, CLAIM, 256)
    stance, window = read.outspoken(judged(read, says(0.1, 0.7), says(0.6, 0.1), says(0.1, 0.85)))
    assert (stance.label, words(read, window)) == (Relation.REFUTES, "Three is here. Four is here. Five is here.")
    assert stance.refutes == pytest.approx(0.775)
    assert stance.raw == pytest.approx(0.775)


def test_what_one_window_says_and_the_whole_does_not_takes_no_side() -> None:
    read = passage(TEXT, CLAIM, 256)
    beside = judged(read, says(0.15, 0.05), says(0.9, 0.05), says(0.1, 0.1))
    assert read.outspoken(beside)[0].label is Relation.NEUTRAL
    assert read.undecided(beside) == []
    agreed = judged(read, says(0.4, 0.05), says(0.9, 0.05), says(0.1, 0.1))
    assert read.outspoken(agreed)[0].label is Relation.SUPPORTS
    assert [words(read, span) for span in read.undecided(agreed)] == ["One is here.", "Two is here.", "Three is here."]


def test_a_window_that_contradicts_the_whole_does_not_hide_one_that_agrees() -> None:
    read = passage(TEXT, CLAIM, 256)
    stance, window = read.outspoken(judged(read, says(0.05, 0.9), says(0.94, 0.03), says(0.04, 0.92)))
    assert (stance.label, window) == (Relation.REFUTES, read.windows[1])
    assert stance.refutes == pytest.approx(0.91)


def test_windows_are_read_only_where_they_could_still_matter() -> None:
    read = passage(TEXT, CLAIM, 256)
    assert read.closely(judged(read, says(LEAST_OF_THE_WHOLE - 0.01, 0.05))) == []
    assert read.closely(judged(read, says(0.05, LEAST_OF_THE_WHOLE + 0.01))) == read.windows
    assert mean(says(LEAST_OF_THE_WHOLE - 0.01, 0.0), says(1.0, 0.0)).stance(LEAST_OF_SEVERAL).label is Relation.NEUTRAL


def test_a_passage_not_read_closely_stands_where_the_whole_stands_and_takes_no_side() -> None:
    read = passage(TEXT, CLAIM, 256)
    stance, span = read.outspoken(judged(read, says(0.08, 0.05)))
    assert (stance.label, span) == (Relation.NEUTRAL, (0, len(TEXT)))
    assert stance.neutral == pytest.approx(0.87)


def test_the_sentence_that_speaks_most_for_the_side_is_named() -> None:
    read = passage(TEXT, CLAIM, 256)
    found = judged(read, says(0.8, 0.1), says(0.9, 0.05), says(0.1, 0.1))
    alone = {read.pair(span): says(0.3 + 0.2 * (number == 1), 0.1) for number, span in enumerate(read.sentences)}
    decisive = read.stance(found, alone).decisive
    assert decisive is not None
    assert words(read, decisive) == "Two is here."


def test_of_a_long_text_each_part_as_large_as_a_fragment_is_read_as_a_whole() -> None:
    text = " ".join(f"Sentence {number} has some words of its own." for number in range(30))
    read = passage(text, CLAIM, 256)
    assert len(read.wide) > 1
    assert all(estimate_tokens(words(read, span)) <= MAX_TOKENS for span in read.wide)
    assert (read.wide[0][0], read.wide[-1][1]) == (0, len(text))
    for window in read.windows:
        assert sum(whole[0] <= window[0] and window[1] <= whole[1] for whole in read.wide) == 1
    found = {read.pair(span): says(0.05, 0.05) for span in read.wide} | {read.pair(read.wide[-1]): says(0.8, 0.1)}
    close = read.closely(found)
    assert close
    assert all(window[0] >= read.wide[-1][0] for window in close)
    found |= {read.pair(window): says(0.9, 0.05) for window in close}
    stance, window = read.outspoken(found)
    assert (stance.label, window) == (Relation.SUPPORTS, close[0])


def test_a_long_claim_or_a_small_model_leaves_less_room_for_what_is_read_as_a_whole() -> None:
    text = " ".join(f"Sentence {number} has some words of its own." for number in range(25))
    claim = "It rains on the plain and in the hills " * 10
    sizes = [
        max(estimate_tokens(words(r, span)) for span in r.wide) for r in (passage(text, CLAIM, 256), passage(text, claim, 256))
    ]
    assert sizes[1] < sizes[0] <= MAX_TOKENS
    small = passage(text, CLAIM, 64)
    assert max(estimate_tokens(words(small, span)) for span in small.wide) <= 64 / 1.25


def test_sentences_as_long_as_a_fragment_are_read_once() -> None:
    long = "word " * (MAX_TOKENS // 2)
    text = " ".join(f"Number {n} {long}ends." for n in range(5))
    read = passage(text, CLAIM, 4000)
    found = {read.pair(span): says(0.8, 0.1) for span in read.wide}
    assert read.wide == read.windows
    assert read.closely(found) == []
    assert read.outspoken(found)[0].label is Relation.SUPPORTS
