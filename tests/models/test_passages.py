"""Which window of a passage decides."""

from lyra.core.records import Relation, Stance
from lyra.models.passages import Pair, passage

CLAIM = "It rains."
TEXT = "One is here. Two is here. Three is here. Four is here. Five is here."


def stance(supports: float, refutes: float) -> Stance:
    """A stance with the likeliest label."""
    neutral = 1.0 - supports - refutes
    shares = {Relation.SUPPORTS: supports, Relation.REFUTES: refutes, Relation.NEUTRAL: neutral}
    label = max(shares, key=lambda relation: shares[relation])
    return Stance(label=label, supports=supports, refutes=refutes, neutral=neutral, raw=shares[label])


def judged(text: str, *stances: Stance) -> dict[Pair, Stance]:
    """The windows of a passage with their stances."""
    read = passage(text, CLAIM, 256)
    return dict(zip((read.pair(window) for window in read.windows), stances, strict=True))


def test_the_most_outspoken_of_several_windows_decides() -> None:
    found, window = passage(TEXT, CLAIM, 256).outspoken(judged(TEXT, stance(0.6, 0.1), stance(0.1, 0.8)))
    assert (found.label, TEXT[window[0] : window[1]]) == (Relation.REFUTES, "Three is here. Four is here. Five is here.")


def test_a_side_of_one_of_several_windows_must_be_likelier_than_not() -> None:
    read = passage(TEXT, CLAIM, 256)
    assert read.outspoken(judged(TEXT, stance(0.45, 0.2), stance(0.1, 0.1)))[0].label is Relation.NEUTRAL
    assert read.outspoken(judged(TEXT, stance(0.45, 0.2), stance(0.2, 0.45)))[0].label is Relation.SUPPORTS
    assert read.undecided(judged(TEXT, stance(0.45, 0.2), stance(0.1, 0.1))) == []


def test_a_passage_of_one_window_says_the_likeliest() -> None:
    text = "One is here. Two is here."
    assert passage(text, CLAIM, 256).outspoken(judged(text, stance(0.45, 0.2)))[0].label is Relation.SUPPORTS
