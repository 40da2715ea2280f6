import pytest

from lyra.core.cues.names import blank
from lyra.core.cues.reading import read
from lyra.core.cues.weigher import Weights, weigh

# One unit that fires on a flipped negation, turning support into refutation.
TURNING = Weights(
    cues=("negation_flip",),
    scale=1.0,
    hidden=((0.0, 0.0, 0.0, 2.0, -1.0),),
    output=((1.0, 0.0, 0.0, 0.0, -3.0, 0.0), (0.0, 1.0, 0.0, 0.0, 3.0, 0.0), (0.0, 0.0, 1.0, 0.0, 0.0, 0.5)),
)


def test_without_a_cue_the_logits_stay_but_for_their_mean_and_the_offset() -> None:
    assert weigh((3.0, 0.0, 0.0), blank(), TURNING) == pytest.approx((2.0, -1.0, -0.5))


def test_a_cue_can_turn_support_into_refutation() -> None:
    weighed = weigh((3.0, 0.0, 0.0), {**blank(), "negation_flip": 1.0}, TURNING)
    assert weighed == pytest.approx((-1.0, 2.0, -0.5))


def test_cues_are_looked_for_only_where_they_are_weighed() -> None:
    assert read("Sales rose.", "Sales fell.", ("ja",)).cues == {}
    assert read("Sales rose.", "Sales fell.", ("en",)).cues != {}


def test_a_japanese_claim_on_a_japanese_sentence_is_read_as_japanese() -> None:
    assert read("売上は増えた。", "売上は減った。").manner == "ja"


def test_an_english_pair_is_read_as_english() -> None:
    assert read("Sales rose.", "Sales fell.").manner == "en"
