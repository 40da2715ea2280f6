"""Whatever text comes, every model answers: nothing, ten megabytes, scripts mixed, emoji, one core."""

import math
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from lyra.core.model_card import Wanted
from lyra.core.records import Relation
from lyra.models.embedder import OnnxEmbedder
from lyra.models.examining import examine
from lyra.models.named import NamedWeights
from lyra.models.reranker import OnnxReranker
from lyra.models.stance import OnnxStance
from lyra.models.weights import Weights
from tests.models.tiny import TinyWeights
from tests.models.tiny_public import write_public_model

NO_WORDS = ["", " \n\t", "\u200b", "😀🎉👩\u200d🔬", "…—!?"]
ODD = [
    "日本語 mixed кириллица عربى ไทย 한국어 word1",
    "word1 " * 1_700_000,
    "語" * 10_000_000,
    "\ud800\udfff word1 \x00\x1b[31m",
    "a\u0301" * 5000,
    "[SEP] [CLS] word1",
]
LONG = "a text of ten megabytes"
IDS = ["scripts", LONG, f"{LONG} without spaces", "surrogates", "accents", "special tokens"]


@pytest.fixture
def reranker(tmp_path: Path) -> OnnxReranker:
    folder = write_public_model(tmp_path / "reranker", "reranker")
    return OnnxReranker(NamedWeights(examine(folder, Wanted()), folder), 1)


@pytest.mark.parametrize("text", NO_WORDS)
def test_a_text_without_words_says_nothing_on_either_side(weights: Weights, reranker: OnnxReranker, text: str) -> None:
    for pair in ((text, "word1"), ("word1", text), (text, text)):
        (stance,) = OnnxStance(weights, 1).judge([pair])
        assert (stance.label, stance.neutral) == (Relation.NEUTRAL, 1.0)
    assert reranker.score(text, ["word1", text]) == [0.0, 0.0]
    assert math.isclose(float(np.linalg.norm(OnnxEmbedder(weights, 1).embed([text])[0])), 1.0, abs_tol=1e-6)


@pytest.mark.parametrize("text", ODD, ids=IDS)
def test_an_odd_text_is_read_as_any_other(weights: Weights, reranker: OnnxReranker, text: str) -> None:
    for pair in ((text, "word1"), ("word1", text)):
        (stance,) = OnnxStance(weights, 1).judge([pair])
        assert math.isclose(stance.supports + stance.refutes + stance.neutral, 1.0, abs_tol=1e-6)
    assert 0.0 <= reranker.score(text, [text])[0] <= 1.0
    assert math.isclose(float(np.linalg.norm(OnnxEmbedder(weights, 1).embed([text])[0])), 1.0, abs_tol=1e-6)


@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="this system cannot bind a process to one core")
def test_one_core_gives_the_same_numbers(tiny: TinyWeights, weights: Weights) -> None:
    program = (
        "import os, sys; os.sched_setaffinity(0, {min(os.sched_getaffinity(0))});"
        "from pathlib import Path; from lyra.models.weights import Weights; from lyra.models.stance import OnnxStance;"
        "from lyra.models.session import available_threads; assert available_threads() == 1;"
        "print([one.supports for one in OnnxStance(Weights(Path(sys.argv[1]))).judge([('agrees', 'word1'), ('word2', 'word3')])])"
    )
    source = Path(__file__).parents[2] / "src"
    command = [sys.executable, "-c", program, str(tiny.directory)]
    run = subprocess.run(command, env={"PYTHONPATH": str(source)}, capture_output=True, text=True, check=True)
    here = [one.supports for one in OnnxStance(weights).judge([("agrees", "word1"), ("word2", "word3")])]
    assert run.stdout.strip() == str(here)
