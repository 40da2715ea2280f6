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
    assert weigh((3.0, 0.0, 0.0), blank(), "en", {"en": TURNING}) == pytest.approx((2.0, -1.0, -0.5))


def test_a_cue_can_turn_support_into_refutation() -> None:
    weighed = weigh((3.0, 0.0, 0.0), {**blank(), "negation_flip": 1.0}, "en", {"en": TURNING})
    assert weighed == pytest.approx((-1.0, 2.0, -0.5))


def test_a_manner_without_coefficients_is_weighed_as_english() -> None:
    assert weigh((1.0, 2.0, 3.0), blank(), "cross", {"en": TURNING}) == weigh((1.0, 2.0, 3.0), blank(), "en", {"en": TURNING})


def test_without_any_coefficients_the_logits_come_back() -> None:
    assert weigh((1.0, 2.0, 3.0), blank(), "en", {}) == (1.0, 2.0, 3.0)


def test_a_japanese_claim_on_a_japanese_sentence_is_read_as_japanese() -> None:
    assert read("売上は増えた。", "売上は減った。").manner == "ja"


def test_an_english_pair_is_read_as_english() -> None:
    assert read("Sales rose.", "Sales fell.").manner == "en"
