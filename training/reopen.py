"""Get the stored form of the stance model back from the three ONNX files that ship, to go on training from them.

The inverse of `export_joint.py`: matrices and tables come back as the network computes with them (storing them anew may move
a block by half a step), the kernels of the second door as rounded to eight bits; words and places that no text can reach come
from the published encoder. Writes `stance.npz` for `refine_joint.py`.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
import onnx
import torch
from onnx import TensorProto, numpy_helper

from training import stored
from training.export_joint import LONGEST, word_rows
from training.four_bits import BLOCK
from training.models import MPNET, relative_buckets
from training.muse import ORDERS
from training.two_doors import TwoDoors
from training.weights import unpack

FILES = ("stance.onnx", "stance_rest.onnx", "stance_pieces.onnx")


def constants(path: Path) -> dict[str, np.ndarray]:
    """All named constants of a graph; four-bit ones as int8."""
    found: dict[str, np.ndarray] = {}
    for tensor in onnx.load(str(path)).graph.initializer:
        if tensor.data_type in (TensorProto.INT4, TensorProto.UINT4):
            both = np.frombuffer(tensor.raw_data, np.uint8)
            small = np.stack([both & 15, both >> 4], -1).reshape(-1)[: int(np.prod(tensor.dims))].astype(np.int8)
            if tensor.data_type == TensorProto.INT4:
                small = np.where(small > 7, small - 16, small).astype(np.int8)
            found[tensor.name] = small.reshape(tuple(tensor.dims))
        else:
            found[tensor.name] = numpy_helper.to_array(tensor)
    return found


def weight(found: dict[str, np.ndarray], name: str, transposed: bool = True) -> torch.Tensor:
    """A matrix or table as the network computes with it, [rows, columns]."""
    numbers, factors = found[f"{name}.n"], found[f"{name}.f"]
    if transposed:
        numbers, factors = numbers.T, factors.T
    whole = numbers.astype(np.float32) * np.repeat(factors.astype(np.float32), BLOCK, 1)
    return torch.from_numpy(whole * found[f"{name}.s"].reshape(-1, 1))


class Reopened:
    """The constants of the shipped files and the state they are put into."""

    def __init__(self, models: Path, base: Path) -> None:
        self.found: dict[str, np.ndarray] = {}
        for name in FILES:
            self.found |= constants(models / name)
        self.state = {f"encoder.{name}": value for name, value in unpack(base / "mpnet.safetensors").items()}
        self.words(torch.from_numpy(word_rows(base)))
        for number in range(MPNET.layers):
            self.layer(f"encoder.layers.{number}.")
        self.linear("dense", "dense")
        for name in ("early", "classify"):
            self.state[f"{name}.weight"] = torch.from_numpy(self.found[f"{name}.w"].T.copy())
            self.take(f"{name}.bias", f"{name}.b")
        self.pieces()

    def take(self, plain: str, name: str) -> None:
        """A constant kept as it was."""
        self.state[plain] = torch.from_numpy(np.array(self.found[name], dtype=np.float32))

    def linear(self, plain: str, name: str) -> None:
        """A matrix and its bias."""
        self.state[f"{plain}.weight"] = weight(self.found, name)
        self.take(f"{plain}.bias", f"{name}.a")

    def norm(self, name: str) -> None:
        """A layer norm."""
        self.take(f"{name}.weight", f"{name}.g")
        self.take(f"{name}.bias", f"{name}.b")

    def words(self, rows: torch.Tensor) -> None:
        """The first door: words, places, and what attention adds by distance."""
        self.state["encoder.word.weight"][rows] = weight(self.found, "words", transposed=False)[: len(rows)]
        self.state["encoder.place.weight"][2 : LONGEST + 2] = torch.from_numpy(self.found["places"].astype(np.float32))
        buckets = relative_buckets(LONGEST, torch.device("cpu"))
        by_offset = torch.cat([buckets[0].flip(0), buckets[1:, 0]])
        self.state["encoder.relative.weight"][by_offset] = torch.from_numpy(self.found["relative"].T.copy())
        self.norm("encoder.norm")

    def layer(self, name: str) -> None:
        """One transformer layer; query, key and value lie side by side."""
        offsets = np.split(self.found[f"{name}qkv.a"], 3)
        for part, matrix, offset in zip(
            ("query", "key", "value"), weight(self.found, f"{name}qkv").chunk(3), offsets, strict=True
        ):
            self.state |= {f"{name}{part}.weight": matrix.clone(), f"{name}{part}.bias": torch.from_numpy(offset.copy())}
        for part in ("out", "up", "down"):
            self.linear(f"{name}{part}", f"{name}{part}")
        self.norm(f"{name}norm1")
        self.norm(f"{name}norm2")

    def pieces(self) -> None:
        """The second door."""
        self.state["pieces.table.weight"] = weight(self.found, "pieces", transposed=False)
        self.norm("pieces.norm")
        self.linear("pieces.into", "into")
        for name in (f"pieces.branches.{number}." for number in range(len(ORDERS))):
            self.state[f"{name}enter.weight"] = torch.from_numpy(self.found[f"{name}w"].T.astype(np.float32))
            self.take(f"{name}enter.bias", f"{name}b")
            self.norm(f"{name}norm")
            for step in ("first", "second"):
                scale = self.found[f"{name}{step}.w.s"].reshape(-1, 1, 1)
                self.state[f"{name}{step}.weight"] = torch.from_numpy(self.found[f"{name}{step}.w.n"].astype(np.float32) * scale)
                self.take(f"{name}{step}.bias", f"{name}{step}.b")


def reopened(models: Path, base: Path) -> TwoDoors:
    """The model of the shipped files."""
    parts = Reopened(models, base)
    model = TwoDoors(len(parts.found["pieces.s"]))
    model.load_state_dict(parts.state)
    return model


def main() -> None:
    """Write the stored form."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--models", type=Path, required=True, help="folder with the three ONNX files")
    parser.add_argument("--base", type=Path, required=True, help="mpnet.safetensors and vocab_map.json")
    parser.add_argument("--out", type=Path, required=True, help="stance.npz to write")
    args = parser.parse_args()
    stored.write(reopened(args.models, args.base), args.out)


if __name__ == "__main__":
    main()
