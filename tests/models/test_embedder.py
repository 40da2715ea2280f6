import numpy as np
import pytest

from lyra.core.errors import ModelError
from lyra.models.embedder import OnnxEmbedder
from lyra.models.weights import Weights
from tests.models.tiny import DIMENSION, PLAIN_WORDS, VOCABULARY, Outputs, TinyWeights, embedding_rows, write_graph

TEXTS = [" ".join(PLAIN_WORDS[start : start + 1 + start % 7]) for start in range(30)]


@pytest.mark.parametrize("threads", [1, 3])
def test_vectors_come_in_the_order_of_their_texts(weights: Weights, threads: int) -> None:
    embedder = OnnxEmbedder(weights, threads)
    together = embedder.embed(TEXTS)
    assert together.shape == (len(TEXTS), DIMENSION)
    assert together.dtype == np.float32
    for text, vector in zip(TEXTS, together, strict=True):
        assert np.array_equal(embedder.embed([text])[0], vector)
    assert np.array_equal(embedder.embed(TEXTS[::-1])[::-1], together)


def test_every_vector_has_length_one(weights: Weights) -> None:
    vectors = OnnxEmbedder(weights).embed([*TEXTS, "", " \n\t ", "\u200b", "a\ud800", "日本語"])
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1.0, atol=1e-6)


def test_token_vectors_are_averaged(tiny: TinyWeights) -> None:
    write_graph(tiny.directory / "embedder.onnx", Outputs(embedding_rows(), averaged=False, quantised=False))
    tiny.embedder()
    rows = embedding_rows()[[VOCABULARY.index(token) for token in ("[CLS]", "word3", "word5", "[SEP]")]]
    expected = rows.mean(axis=0) / np.linalg.norm(rows.mean(axis=0))
    assert np.allclose(OnnxEmbedder(Weights(tiny.directory)).embed(["word3 word5"])[0], expected, atol=1e-6)


def test_a_graph_that_averages_itself_gives_the_same_vectors(tiny: TinyWeights) -> None:
    vectors = []
    for averaged in (False, True):
        write_graph(tiny.directory / "embedder.onnx", Outputs(embedding_rows(), averaged=averaged, quantised=False))
        tiny.embedder()
        vectors.append(OnnxEmbedder(Weights(tiny.directory)).embed(TEXTS))
    assert np.allclose(vectors[0], vectors[1], atol=1e-6)


def test_no_texts_give_no_vectors_and_load_nothing(tiny: TinyWeights, weights: Weights) -> None:
    (tiny.directory / "embedder.onnx").unlink()
    assert OnnxEmbedder(weights).embed([]).shape == (0, DIMENSION)


def test_an_empty_text_has_one_and_the_same_vector(weights: Weights) -> None:
    empty, blank, again = OnnxEmbedder(weights).embed(["", " \n ", ""])
    assert np.array_equal(empty, blank)
    assert np.array_equal(empty, again)


def test_texts_that_differ_only_in_white_space_and_width_are_the_same_text(weights: Weights) -> None:
    one, other = OnnxEmbedder(weights).embed(["word1 word2", "  word1\n\u200bｗｏｒｄ２ "])
    assert np.array_equal(one, other)


def test_text_beyond_the_window_is_not_read(weights: Weights) -> None:
    long = " ".join(PLAIN_WORDS * 60_000)
    head, whole = OnnxEmbedder(weights).embed([" ".join(PLAIN_WORDS * 2), long])
    assert len(long) > 10_000_000
    assert np.array_equal(head, whole)


def test_a_vector_of_nothing_but_zeros_becomes_a_unit_vector(tiny: TinyWeights) -> None:
    write_graph(tiny.directory / "embedder.onnx", Outputs(np.zeros((len(VOCABULARY), DIMENSION), np.float32)))
    tiny.embedder()
    assert OnnxEmbedder(Weights(tiny.directory)).embed(["word1"]).tolist() == [[1.0, 0.0, 0.0, 0.0]]


def test_vectors_of_another_length_than_promised_are_the_wrong_kind(tiny: TinyWeights) -> None:
    tiny.embedder(dimension=DIMENSION + 1)
    with pytest.raises(ModelError) as caught:
        OnnxEmbedder(Weights(tiny.directory)).embed(["word1", "word2"])
    assert caught.value.code == "model_wrong_kind"
    assert "does not work as embedder" in str(caught.value)


def test_a_manifest_without_a_dimension_is_broken(tiny: TinyWeights) -> None:
    tiny.embedder(dimension=None)
    with pytest.raises(ModelError, match=r"models\.embedder\.dimension"):
        OnnxEmbedder(Weights(tiny.directory)).embed([])
