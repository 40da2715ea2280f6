import os
import threading
import time

import numpy as np
import onnxruntime
import pytest

from lyra.core.errors import ModelError
from lyra.models.session import TextSession, available_threads
from lyra.models.weights import Weights
from lyra.models.window import CHARACTERS_PER_TOKEN, plain, visible
from tests.models.tiny import Outputs, TinyWeights, stance_rows, write_graph


def open_session(weights: Weights, threads: int | None = 2) -> TextSession:
    return TextSession("stance", weights.path("stance"), weights.path("tokenizer"), threads)


def test_the_tiny_graph_does_let_batch_mates_change_a_result(weights: Weights) -> None:
    """Without this the promises about neighbours would hold for any implementation."""
    session = onnxruntime.InferenceSession(str(weights.path("stance")))

    def first(rows: list[list[int]]) -> list[float]:
        ids = np.array(rows, dtype=np.int64)
        feed = {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": np.zeros_like(ids)}
        return list(session.run(None, feed)[0][0])

    assert first([[2, 20, 3]]) != first([[2, 20, 3], [2, 4, 3]])


def test_the_tokenizer_file_neither_cuts_nor_pads_behind_our_back(weights: Weights) -> None:
    session = open_session(weights)
    assert session.fit("word1", 64).tokens == ["[CLS]", "word1", "[SEP]"]
    assert len(session.fit("word1 " * 50, 64)) == 52


def test_only_the_first_text_gives_way_to_the_window(weights: Weights) -> None:
    encoding = open_session(weights).fit("word1 " * 50, 16, "word2 " * 50, 6)
    assert encoding.tokens == ["[CLS]", *["word1"] * 7, "[SEP]", *["word2"] * 6, "[SEP]"]
    assert encoding.type_ids == [0] * 9 + [1] * 7


def test_a_separator_written_in_a_text_is_not_a_separator(weights: Weights) -> None:
    tokens = open_session(weights).fit("word1 [SEP] word2", 64, "[CLS] word3", 32).tokens
    assert (tokens.count("[SEP]"), tokens.count("[CLS]")) == (2, 1)


@pytest.mark.parametrize("inputs", [("input_ids", "attention_mask"), ("input_ids", "attention_mask", "token_type_ids")])
def test_a_graph_is_fed_the_inputs_it_declares(tiny: TinyWeights, inputs: tuple[str, ...]) -> None:
    write_graph(tiny.directory / "stance.onnx", Outputs(stance_rows()), inputs)
    tiny.stance()
    session = open_session(Weights(tiny.directory))
    assert session.output(session.fit("word1", 64, "word2", 32)).shape == (3,)


@pytest.mark.parametrize("inputs", [("input_ids",), ("input_ids", "attention_mask", "pixel_values")])
def test_a_graph_that_does_not_take_tokens_is_the_wrong_kind(tiny: TinyWeights, inputs: tuple[str, ...]) -> None:
    write_graph(tiny.directory / "stance.onnx", Outputs(stance_rows()), inputs)
    tiny.stance()
    with pytest.raises(ModelError) as caught:
        open_session(Weights(tiny.directory))
    assert caught.value.code == "model_wrong_kind"


@pytest.mark.parametrize("content", [b"", b"this is no graph", b"\x08\x09"])
def test_a_file_that_is_no_graph_is_the_wrong_kind(tiny: TinyWeights, content: bytes) -> None:
    (tiny.directory / "stance.onnx").write_bytes(content)
    tiny.stance(bytes=len(content) or None)
    with pytest.raises(ModelError) as caught:
        open_session(Weights(tiny.directory))
    assert caught.value.code == "model_wrong_kind"
    assert str(tiny.directory / "stance.onnx") in caught.value.sentence("ja")


def test_a_graph_with_a_smaller_vocabulary_than_the_tokenizer_is_the_wrong_kind(tiny: TinyWeights) -> None:
    write_graph(tiny.directory / "stance.onnx", Outputs(stance_rows()[:4]))
    tiny.stance()
    session = open_session(Weights(tiny.directory))
    with pytest.raises(ModelError) as caught:
        session.output(session.fit("word1", 64))
    assert caught.value.code == "model_wrong_kind"


def test_work_is_spread_over_the_threads_and_comes_back_in_order(weights: Weights) -> None:
    both_at_work = threading.Barrier(2, timeout=10)

    def work(item: int) -> int:
        if item < 2:
            both_at_work.wait()
        return item * item

    assert open_session(weights, 2).each(work, range(3000)) == [item * item for item in range(3000)]


@pytest.mark.parametrize("threads", [1, 2])
def test_a_failure_ends_the_work_that_has_not_begun(weights: Weights, threads: int) -> None:
    begun: list[int] = []

    def work(item: int) -> None:
        begun.append(item)
        if item == 0:
            raise ModelError("model_kind_unknown", kind="x", known="y")
        time.sleep(0.01)

    with pytest.raises(ModelError):
        open_session(weights, threads).each(work, range(1000))
    assert len(begun) < 100


def test_by_default_every_core_of_the_process_is_used() -> None:
    assert 1 <= available_threads() <= (os.cpu_count() or 1)


def test_the_visible_part_starts_at_the_first_character_that_is_no_white_space() -> None:
    assert visible("  \n word", 64) == (4, 8)
    assert visible(" " * 5_000_000 + "x" * 5_000_000, 2) == (5_000_000, 5_000_000 + 2 * CHARACTERS_PER_TOKEN)
    assert visible("", 2) == (0, 0)


def test_the_form_that_is_read_is_the_form_that_is_compared() -> None:
    assert plain(" Ａ\u200b\n\n b\ud800", 64) == "A b?"
