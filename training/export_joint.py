"""Turn the stored form of the stance model with two doors into the three ONNX files that ship.

`stance.onnx` reads English words in the ids of the shared tokenizer: `input_ids` [batch, length] and `given` [batch, length
or 1, hidden], which is added to the looked-up words; the last row of its table is zero, so that a text can come as `given`
alone. It gives a first guess and the states after four layers, `stance_rest.onnx` turns these states into the judgement,
and `stance_pieces.onnx` turns ids of pieces into vectors to be given. Texts run without padding. Matrices lie in the files
in four bits and are unpacked once, when a session opens; products run in eight-bit integers with one scale per token, so a
text's numbers depend on no other text. Sessions must be opened with `session.disable_quant_qdq`, as the product does:
otherwise the weights are unpacked in every run.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import torch
from onnx import TensorProto, helper, numpy_helper

from training import stored
from training.batches import CLS, SEP
from training.four_bits import BLOCK, Stored
from training.models import MPNET, relative_buckets
from training.muse import ORDERS
from training.two_doors import EARLY

LONGEST, OPSET = 256, 21


class Graph:
    """Nodes and constants of a graph in the making; every method returns the name of what it made."""

    def __init__(self) -> None:
        self.nodes: list[onnx.NodeProto] = []
        self.constants: dict[str, onnx.TensorProto] = {}
        self.count = 0

    def put(self, value: np.ndarray, name: str = "") -> str:
        """A constant; equal small ones are shared."""
        name = name or f"c_{value.dtype}_{'x'.join(map(str, value.shape))}_{value.tobytes().hex()[:64]}"
        if name not in self.constants:
            self.constants[name] = numpy_helper.from_array(np.array(value, order="C"), name)
        return name

    def numbers(self, *values: int) -> str:
        """A constant list of whole numbers."""
        return self.put(np.array(values, dtype=np.int64))

    def number(self, value: float) -> str:
        """A constant float."""
        return self.put(np.array(value, dtype=np.float32))

    def add(self, kind: str, *inputs: str, **attributes: Any) -> str:
        """A node with one output."""
        self.count += 1
        name = f"{kind.lower()}_{self.count}"
        self.nodes.append(helper.make_node(kind, list(inputs), [name], name=name, **attributes))
        return name

    def cast(self, x: str, to: int) -> str:
        """A change of type."""
        return self.add("Cast", x, to=to)

    def normed(self, x: str, rest: dict[str, np.ndarray], name: str, eps: float) -> str:
        """Layer norm."""
        gain, shift = self.put(rest[f"{name}.weight"], f"{name}.g"), self.put(rest[f"{name}.bias"], f"{name}.b")
        return self.add("LayerNormalization", x, gain, shift, axis=-1, epsilon=eps)

    def whole(self, form: Stored, name: str, transposed: bool) -> str:
        """Products of numbers and factors as int8: [columns, rows] for a matrix, [rows, columns] for a table."""
        numbers, factors = form.numbers.numpy(), form.factors.numpy()
        axis = 0 if transposed else 1
        if transposed:
            numbers, factors = numbers.T, factors.T
        # Half precision holds all products exactly, and what is unpacked when a session opens takes half the memory.
        scale = self.cast(self.four_bits(factors, f"{name}.f", TensorProto.UINT4), TensorProto.FLOAT16)
        packed = self.four_bits(numbers, f"{name}.n", TensorProto.INT4)
        return self.cast(self.add("DequantizeLinear", packed, scale, axis=axis, block_size=BLOCK), TensorProto.INT8)

    def four_bits(self, values: np.ndarray, name: str, kind: int) -> str:
        """Whole numbers, two in a byte."""
        small = np.ascontiguousarray(values).astype(np.uint8).reshape(-1) & 15
        small = np.append(small, np.zeros(len(small) % 2, np.uint8))
        both = (small[0::2] | (small[1::2] << 4)).tobytes()
        self.constants[name] = helper.make_tensor(name, kind, values.shape, both, raw=True)
        return name

    def eight_bits(self, value: np.ndarray, name: str) -> str:
        """A large constant in eight bits with one scale per first index. Not exact: `fidelity.py` tells what it costs."""
        scale = np.maximum(np.abs(value).reshape(len(value), -1).max(1) / 127.0, 1e-12).astype(np.float32)
        small = np.round(value / scale.reshape(-1, *[1] * (value.ndim - 1))).astype(np.int8)
        return self.add("DequantizeLinear", self.put(small, f"{name}.n"), self.put(scale, f"{name}.s"), axis=0)

    def large(self, value: np.ndarray, name: str) -> str:
        """A large constant, in half precision where that is exact, as it is for what `stored.py` kept so."""
        half = value.astype(np.float16)
        if np.array_equal(half.astype(np.float32), value):
            return self.cast(self.put(half, name), TensorProto.FLOAT)
        return self.put(value, name)

    def rounded(self, x: str) -> tuple[str, str]:
        """A float tensor as uint8 around 128 with one scale per row."""
        largest = self.add("ReduceMax", self.add("Abs", x), self.numbers(-1), keepdims=1)
        scale = self.add("Max", self.add("Div", largest, self.number(127.0)), self.number(1e-9))
        moved = self.add("Add", self.add("Round", self.add("Div", x, scale)), self.number(128.0))
        return self.cast(moved, TensorProto.UINT8), scale

    def product(self, rounded: tuple[str, str], forms: list[Stored], bias: np.ndarray, name: str) -> str:
        """A linear layer (or several side by side) on rounded inputs."""
        form = Stored(*(torch.cat(part, 0) for part in zip(*forms, strict=True)))
        middle = self.put(np.array(128, np.uint8))
        whole = self.add("MatMulInteger", rounded[0], self.whole(form, name, transposed=True), middle)
        scaled = self.add("Mul", self.cast(whole, TensorProto.FLOAT), rounded[1])
        return self.add(
            "Add", self.add("Mul", scaled, self.put(form.scale[:, 0].numpy(), f"{name}.s")), self.put(bias, f"{name}.a")
        )

    def looked_up(self, ids: str, form: Stored, name: str) -> str:
        """Rows of a table as floats."""
        rows = self.cast(self.add("Gather", self.whole(form, name, transposed=False), ids), TensorProto.FLOAT)
        return self.add("Mul", rows, self.add("Gather", self.put(form.scale.numpy(), f"{name}.s"), ids))

    def gelu(self, x: str) -> str:
        """The exact Gaussian error linear unit."""
        inner = self.add("Erf", self.add("Mul", x, self.number(2**-0.5)))
        return self.add("Mul", self.add("Mul", x, self.number(0.5)), self.add("Add", inner, self.number(1.0)))

    def save(self, path: Path, inputs: list[onnx.ValueInfoProto], outputs: dict[str, tuple[str, list[str | int]]]) -> None:
        """Check and write; `outputs` has the made name and the shape of each result."""
        for name, (made, _) in outputs.items():
            self.nodes.append(helper.make_node("Identity", [made], [name], name=name))
        results = [helper.make_tensor_value_info(name, TensorProto.FLOAT, shape) for name, (_, shape) in outputs.items()]
        graph = helper.make_graph(self.nodes, "lyra", inputs, results, list(self.constants.values()))
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", OPSET)], producer_name="lyra", ir_version=10)
        onnx.checker.check_model(model)
        onnx.save_model(model, str(path))


Parts = tuple[dict[str, Stored], dict[str, np.ndarray]]


def layer(g: Graph, x: str, bias: str, parts: Parts, number: int) -> str:
    """One transformer layer."""
    coarse, rest = parts
    name, heads, width = f"encoder.layers.{number}.", MPNET.heads, MPNET.hidden // MPNET.heads
    three = ["query", "key", "value"]
    offsets = np.concatenate([rest[f"{name}{part}.bias"] for part in three])
    joined = g.product(g.rounded(x), [coarse[f"{name}{part}.weight"] for part in three], offsets, f"{name}qkv")
    split = g.add("Reshape", joined, g.numbers(0, 0, 3, heads, width))
    turned = g.add("Transpose", split, perm=[2, 0, 3, 1, 4])
    q, k, v = (g.add("Gather", turned, g.put(np.array(i, np.int64)), axis=0) for i in range(3))
    dots = g.add("MatMul", q, g.add("Transpose", k, perm=[0, 1, 3, 2]))
    scores = g.add("Add", g.add("Mul", dots, g.number(width**-0.5)), bias)
    mixed = g.add("MatMul", g.add("Softmax", scores, axis=-1), v)
    flat = g.add("Reshape", g.add("Transpose", mixed, perm=[0, 2, 1, 3]), g.numbers(0, 0, MPNET.hidden))

    def linear(value: str, part: str) -> str:
        return g.product(g.rounded(value), [coarse[f"{name}{part}.weight"]], rest[f"{name}{part}.bias"], f"{name}{part}")

    x = g.normed(g.add("Add", x, linear(flat, "out")), rest, f"{name}norm1", MPNET.eps)
    return g.normed(g.add("Add", x, linear(g.gelu(linear(x, "up")), "down")), rest, f"{name}norm2", MPNET.eps)


def attention_bias(g: Graph, length: str, rest: dict[str, np.ndarray]) -> str:
    """What is added to the attention between two places, by how far they are apart: [1, heads, length, length]."""
    buckets = relative_buckets(LONGEST, torch.device("cpu")).numpy()
    by_offset = np.concatenate([buckets[0, ::-1], buckets[1:, 0]])  # of row minus column, from 1 - LONGEST on
    table = g.put(rest["encoder.relative.weight"][by_offset].T.astype(np.float32), "relative")
    places = g.add("Range", g.put(np.array(0, np.int64)), length, g.put(np.array(1, np.int64)))
    apart = g.add("Sub", g.add("Unsqueeze", places, g.numbers(1)), g.add("Unsqueeze", places, g.numbers(0)))
    index = g.add("Add", apart, g.put(np.array(LONGEST - 1, np.int64)))
    return g.add("Unsqueeze", g.add("Gather", table, index, axis=1), g.numbers(0))


def summary(g: Graph, x: str) -> str:
    """The first state beside the mean of all."""
    first = g.add("Gather", x, g.put(np.array(0, np.int64)), axis=1)
    return g.add("Concat", first, g.add("ReduceMean", x, g.numbers(1), keepdims=0), axis=-1)


def length_of(g: Graph, x: str) -> str:
    """How many places there are."""
    return g.add("Gather", g.add("Shape", x), g.put(np.array(1, np.int64)))


def plain(g: Graph, x: str, rest: dict[str, np.ndarray], name: str) -> str:
    """A small linear layer in float."""
    product = g.add("MatMul", x, g.put(rest[f"{name}.weight"].T, f"{name}.w"))
    return g.add("Add", product, g.put(rest[f"{name}.bias"], f"{name}.b"))


def first_graph(parts: Parts, rows: np.ndarray, path: Path) -> None:
    """Words and given vectors to states after a few layers, with a first guess; `rows`: which row each id means."""
    coarse, rest = parts
    g = Graph()
    table = Stored(*(part[torch.from_numpy(rows)] for part in coarse["encoder.word.weight"]))
    empty = Stored(*(torch.zeros(1, part.shape[1], dtype=part.dtype) for part in table))
    grown = Stored(*(torch.cat(pair) for pair in zip(table, empty, strict=True)))
    words = g.add("Add", g.looked_up("input_ids", grown, "words"), "given")
    length = length_of(g, words)
    places = g.large(rest["encoder.place.weight"][2 : LONGEST + 2], "places")
    placed = g.add("Slice", places, g.numbers(0), g.add("Reshape", length, g.numbers(1)), g.numbers(0))
    x = g.normed(g.add("Add", words, placed), rest, "encoder.norm", MPNET.eps)
    bias = attention_bias(g, length, rest)
    for number in range(EARLY):
        x = layer(g, x, bias, parts, number)
    guess = plain(g, summary(g, x), rest, "early")
    ids = helper.make_tensor_value_info("input_ids", TensorProto.INT64, ["batch", "length"])
    given = helper.make_tensor_value_info("given", TensorProto.FLOAT, ["batch", "places", MPNET.hidden])
    g.save(path, [ids, given], {"guess": (guess, ["batch", 3]), "states": (x, ["batch", "length", MPNET.hidden])})


def rest_graph(parts: Parts, path: Path) -> None:
    """States after the first layers to logits."""
    coarse, rest = parts
    g = Graph()
    x, bias = "states", attention_bias(g, length_of(g, "states"), rest)
    for number in range(EARLY, MPNET.layers):
        x = layer(g, x, bias, parts, number)
    dense = g.product(g.rounded(summary(g, x)), [coarse["dense.weight"]], rest["dense.bias"], "dense")
    logits = plain(g, g.add("Tanh", dense), rest, "classify")
    states = helper.make_tensor_value_info("states", TensorProto.FLOAT, ["batch", "length", MPNET.hidden])
    g.save(path, [states], {"logits": (logits, ["batch", 3])})


def pieces_graph(parts: Parts, path: Path) -> None:
    """The second door: ids of pieces to vectors."""
    coarse, rest = parts
    g = Graph()
    rows = g.looked_up("input_ids", coarse["pieces.table.weight"], "pieces")
    seen = [rows]
    for number, (order, left) in enumerate(ORDERS):
        name = f"pieces.branches.{number}."
        weight, offset = g.large(rest[f"{name}enter.weight"].T, f"{name}w"), g.put(rest[f"{name}enter.bias"], f"{name}b")
        x = g.normed(g.add("Add", g.add("MatMul", rows, weight), offset), rest, f"{name}norm", 1e-12)
        x = g.add("Transpose", x, perm=[0, 2, 1])
        for step in ("first", "second"):
            kernel = g.eight_bits(rest[f"{name}{step}.weight"], f"{name}{step}.w")
            read = g.add("Conv", x, kernel, g.put(rest[f"{name}{step}.bias"], f"{name}{step}.b"), pads=[left, order - 1 - left])
            x = g.add("Add", g.add("Relu", read), x)
        seen.append(g.add("Transpose", x, perm=[0, 2, 1]))
    joined = g.normed(g.add("Concat", *seen, axis=-1), rest, "pieces.norm", 1e-12)
    out = g.product(g.rounded(joined), [coarse["pieces.into.weight"]], rest["pieces.into.bias"], "into")
    ids = helper.make_tensor_value_info("input_ids", TensorProto.INT64, ["batch", "length"])
    g.save(path, [ids], {"words": (out, ["batch", "length", MPNET.hidden])})


def word_rows(base: Path) -> np.ndarray:
    """Which row of the published encoder's table each id of the shared tokenizer means."""
    rows = np.array(json.loads((base / "vocab_map.json").read_text(encoding="utf-8"))["teacher_ids"])
    rows[[CLS, SEP]] = [0, 2]
    return rows


def main() -> None:
    """Write all files."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--stance", type=Path, required=True, help="stance.npz written by blend.py or a training run")
    parser.add_argument("--base", type=Path, required=True, help="folder with vocab_map.json")
    parser.add_argument("--out", type=Path, required=True)
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    parts = stored.read(args.stance)
    first_graph(parts, word_rows(args.base), args.out / "stance.onnx")
    rest_graph(parts, args.out / "stance_rest.onnx")
    pieces_graph(parts, args.out / "stance_pieces.onnx")


if __name__ == "__main__":
    main()
