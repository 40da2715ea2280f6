"""What evaluation and calibration read must be what people get."""

from pathlib import Path

import numpy as np
import pytest

from lyra.models.stance import OnnxStance
from lyra.models.weights import Weights
from tests.models.tiny import REFUTING, SUPPORTING, TinyWeights
from tests.models.tiny_doors import describe_doors, make_tiny_doors
from training.calibrate import threshold
from training.reader import Judge

PAIRS = [
    (f"word1 {SUPPORTING}", "word2"),
    (f"word1 {REFUTING} word3", "word2"),
    ("word1 " * 40, "word2 " * 10),
    ("日本語の否", "日本語は"),
    ("日本語の日本語の" * 6, "日本語は日本語"),
    ("The word1 of it.", "日本語の賛は"),
    ("!", "word1"),
]


@pytest.fixture
def doors(tmp_path: Path) -> TinyWeights:
    return make_tiny_doors(tmp_path / "doors")


def by_product(tiny: TinyWeights) -> "np.ndarray":
    stances = OnnxStance(Weights(tiny.directory)).judge_sentences(PAIRS)
    return np.array([(stance.supports, stance.refutes, stance.neutral) for stance in stances])


def test_what_is_measured_is_what_the_product_says(doors: TinyWeights) -> None:
    judge = Judge(doors.directory)
    said = judge.read(PAIRS)
    screened = by_product(doors)
    assert any(judge.screened(one) for one in said) and not all(judge.screened(one) for one in said)
    assert np.array_equal(judge.probabilities(PAIRS, said, screening=True), screened)
    describe_doors(doors, screen=None)
    to_the_end = by_product(doors)
    assert np.array_equal(judge.probabilities(PAIRS, said, screening=False), to_the_end)
    assert not np.array_equal(screened, to_the_end)


def test_logits_come_in_one_order_whatever_the_manifest_has(doors: TinyWeights) -> None:
    before = Judge(doors.directory)
    describe_doors(doors, labels=["neutral", "refutes", "supports"])
    after = Judge(doors.directory)
    pairs = PAIRS[:2]
    assert np.array_equal(after.logits(after.read(pairs)), before.logits(before.read(pairs))[:, ::-1])


def test_the_threshold_loses_no_side() -> None:
    neutral = np.concatenate([np.linspace(0.0, 0.99, 200), np.full(50, 0.999)])
    side = np.arange(250) < 200
    least = threshold(neutral, side)
    assert (neutral[side] >= least).sum() == 0
    assert (neutral[side] >= least - 2e-4).sum() == 1
    assert threshold(np.full(10, 0.2), np.full(10, True)) == 0.5
    assert threshold(np.ones(10), np.full(10, True)) == 1.0
    assert threshold(np.ones(10), np.full(10, False)) == 1.0
