"""A cross-encoder behind the `Reranker` port, on a tiny graph."""

import math
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lyra.core.errors import ModelError
from lyra.core.model_card import Wanted
from lyra.models.examining import examine
from lyra.models.named import NamedWeights
from lyra.models.reranker import OnnxReranker, logistic
from tests.models.tiny import PLAIN_WORDS, SUPPORTING, Outputs, stance_rows, write_graph
from tests.models.tiny_public import write_public_model

TEXTS = [" ".join(PLAIN_WORDS[start : start + 1 + start % 5]) for start in range(20)]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write_public_model(tmp_path / "tiny-reranker", "reranker")


def reranker(folder: Path, threads: int = 1) -> OnnxReranker:
    return OnnxReranker(NamedWeights(examine(folder, Wanted()), folder / "models.json"), threads)


@pytest.mark.parametrize("threads", [1, 3])
def test_scores_come_in_the_order_of_their_texts_and_lie_between_0_and_1(folder: Path, threads: int) -> None:
    model = reranker(folder, threads)
    together = model.score("word1", [*TEXTS, f"word2 {SUPPORTING}"])
    assert all(0.0 <= score <= 1.0 for score in together)
    assert max(together) == together[-1] > 0.9
    assert [model.score("word1", [text])[0] for text in TEXTS] == together[:-1]


def test_no_texts_give_no_scores_and_load_nothing(folder: Path) -> None:
    model = reranker(folder)
    (folder / "onnx" / "model.onnx").unlink()
    assert model.score("word1", []) == []


@pytest.mark.parametrize("text", ["", " \n", "!?", "😀🎉"])
def test_what_has_no_words_is_worth_nothing(folder: Path, text: str) -> None:
    assert reranker(folder).score("word1", [text]) == [0.0]
    assert reranker(folder).score(text, ["word1"]) == [0.0]


def test_ten_megabytes_are_read_as_far_as_the_window_reaches(folder: Path) -> None:
    long = "word3 " * 1_700_000
    head = "word3 " * 60
    assert reranker(folder).score(long, [long]) == reranker(folder).score(head, [head])


def test_mixed_scripts_are_scored(folder: Path) -> None:
    (score,) = reranker(folder).score("word1 日本語", ["Ａ 日本語 word2 кириллица \ud800 عربى"])
    assert 0.0 < score < 1.0


def test_a_graph_with_other_outputs_than_promised_is_the_wrong_kind(folder: Path) -> None:
    model = examine(folder, Wanted())
    write_graph(folder / "onnx" / "model.onnx", Outputs(stance_rows()))
    with pytest.raises(ModelError) as refusal:
        OnnxReranker(NamedWeights(model, folder), 1).score("word1", ["word2"])
    assert refusal.value.code == "model_part_damaged"


@given(st.floats())
def test_any_logit_becomes_a_probability(logit: float) -> None:
    value = logistic(logit)
    assert 0.0 <= value <= 1.0
    if math.isfinite(logit) and abs(logit) < 30:
        assert math.isclose(value, 1.0 / (1.0 + math.exp(-logit)))
