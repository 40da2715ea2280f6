"""A tiny judge with two doors: three graphs and a second tokenizer, small enough to foresee every number they make."""

import hashlib
from pathlib import Path

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper
from tokenizers import Tokenizer, normalizers, pre_tokenizers
from tokenizers.models import Unigram
from tokenizers.processors import TemplateProcessing

from tests.models.tiny import REFUTING, SUPPORTING, VOCABULARY, TinyWeights, make_tiny_weights

# The last plain words are unknown to the network, as Japanese characters are to the real one.
KNOWN = len(VOCABULARY) - 5
UNKNOWN_WORD = VOCABULARY[-1]
PIECES = ["<unk>", "<s>", "</s>", "▁", "</", "s>", *"日本語賛否のはa.。", *(f"word{n}" for n in range(9)), SUPPORTING, REFUTING]
WIDTH = 3
SCREEN = {"temperature": 2.0, "neutral": {"en": 0.8, "ja": 0.8, "x": 0.8}}
WARMTH = {"version": "d1", "temperature": {"en": 2.0, "ja": 4.0, "x": 8.0}}
Rows = NDArray[np.float32]


def rows_for(tokens: list[str], sides: dict[str, int], empty: bool) -> Rows:
    """Three numbers per token: its own side, else a little of neutral; `empty` adds the row of zeros."""
    rows = np.zeros((len(tokens) + empty, WIDTH), dtype=np.float32)
    rows[: len(tokens), 2] = 0.1
    for token, side in sides.items():
        rows[tokens.index(token)] = np.eye(WIDTH, dtype=np.float32)[side] * 5.0
    return rows


def word_rows() -> Rows:
    return rows_for(VOCABULARY[:KNOWN], {SUPPORTING: 0, REFUTING: 1}, empty=True)


def piece_rows() -> Rows:
    return rows_for(PIECES, {SUPPORTING: 0, "賛": 0, REFUTING: 1, "否": 1}, empty=False)


def counting(tokens: list[str], counted: tuple[str, str], empty: bool) -> Rows:
    """Rows whose sum counts two tokens, and then all of them."""
    rows = np.zeros((len(tokens) + empty, WIDTH), dtype=np.float32)
    rows[: len(tokens), 2] = 1.0
    for place, token in enumerate(counted):
        rows[tokens.index(token), place] = 1.0
    return rows


def _save(
    path: Path, nodes: list[onnx.NodeProto], inputs: dict[str, int], outputs: list[str], constants: dict[str, Rows]
) -> None:
    shapes: dict[str, list[str | int]] = {
        name: ["batch", "length"] if kind == TensorProto.INT64 else ["batch", "places", WIDTH] for name, kind in inputs.items()
    }
    axis = numpy_helper.from_array(np.array([1], dtype=np.int64), "axis")
    graph = helper.make_graph(
        nodes,
        "tiny",
        [helper.make_tensor_value_info(name, kind, shapes[name]) for name, kind in inputs.items()],
        [helper.make_tensor_value_info(name, TensorProto.FLOAT, None) for name in outputs],
        [axis, *(numpy_helper.from_array(value, name) for name, value in constants.items())],
    )
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9), str(path))


def write_first(path: Path, rows: Rows) -> None:
    """Words and what is given beside them, added up for the guess."""
    nodes = [
        helper.make_node("Gather", ["table", "input_ids"], ["words"]),
        helper.make_node("Add", ["words", "given"], ["states"]),
        helper.make_node("ReduceSum", ["states", "axis"], ["guess"], keepdims=0),
    ]
    _save(path, nodes, {"input_ids": TensorProto.INT64, "given": TensorProto.FLOAT}, ["guess", "states"], {"table": rows})


def write_rest(path: Path, factor: float = 2.0, output: str = "logits") -> None:
    """The sum once more, times a factor."""
    nodes = [
        helper.make_node("ReduceSum", ["states", "axis"], ["sum"], keepdims=0),
        helper.make_node("Mul", ["sum", "factor"], [output]),
    ]
    _save(path, nodes, {"states": TensorProto.FLOAT}, [output], {"factor": np.array(factor, dtype=np.float32)})


def write_pieces(path: Path, rows: Rows) -> None:
    nodes = [helper.make_node("Gather", ["table", "input_ids"], ["words"])]
    _save(path, nodes, {"input_ids": TensorProto.INT64}, ["words"], {"table": rows})


def write_piece_tokenizer(path: Path) -> None:
    tokenizer = Tokenizer(Unigram([(piece, -float(place > 2)) for place, piece in enumerate(PIECES)], unk_id=0))
    tokenizer.normalizer = normalizers.Sequence([normalizers.NFKC(), normalizers.Lowercase()])
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace()
    borders = [("<s>", 1), ("</s>", 2)]
    tokenizer.post_processor = TemplateProcessing(
        single="<s> $A </s>", pair="<s> $A </s> <s>:1 $B:1 </s>:1", special_tokens=borders
    )
    tokenizer.save(str(path))


def described(path: Path) -> dict[str, object]:
    content = path.read_bytes()
    return {"file": path.name, "bytes": len(content), "sha256": hashlib.sha256(content).hexdigest()}


def describe_doors(tiny: TinyWeights, **changes: object) -> None:
    """Describe the files as they are on disk now, with `changes`; None leaves a key out."""
    pieces = described(tiny.directory / "stance_pieces.onnx")
    parts: dict[str, object] = {
        "vocabulary": KNOWN,
        "rest": described(tiny.directory / "stance_rest.onnx"),
        "pieces": pieces | {"tokenizer": described(tiny.directory / "pieces_tokenizer.json")},
        "calibration": WARMTH,
        "screen": SCREEN,
    }
    tiny.stance(**(parts | changes))


def make_tiny_doors(directory: Path) -> TinyWeights:
    """Write a directory of weights whose judge has two doors."""
    tiny = make_tiny_weights(directory)
    write_first(directory / "stance.onnx", word_rows())
    write_rest(directory / "stance_rest.onnx")
    write_pieces(directory / "stance_pieces.onnx", piece_rows())
    write_piece_tokenizer(directory / "pieces_tokenizer.json")
    describe_doors(tiny)
    return tiny
