"""Read a shipped int8 stance graph back into a float checkpoint, to go on training from it.

The int8 values times their scales are the weights the product judges with, so nothing of its behaviour is lost; what
quantisation cost once is not had back. Writes `stance.safetensors` to --out.
"""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path

import numpy as np
import onnx
import torch
from onnx import numpy_helper

from training.models import MINILM, CrossEncoder, save_half

_PRODUCTS = ("query", "key", "value", "out", "up", "down")


def recovered(path: Path) -> CrossEncoder:
    """Return the model of a graph that `export.py` wrote. Raises ValueError when the graph has another shape."""
    graph = onnx.load(str(path)).graph
    arrays = {tensor.name: numpy_helper.to_array(tensor) for tensor in graph.initializer}
    rows = arrays.pop("encoder.word.rows").astype(np.float32)
    state = {"encoder.word.weight": rows * arrays.pop("encoder.word.scale")}
    shape = replace(MINILM, vocab=len(rows))
    names = [f"encoder.layers.{layer}.{part}.weight" for layer in range(shape.layers) for part in _PRODUCTS]
    products = [node for node in graph.node if node.op_type in ("MatMulInteger", "DynamicQuantizeMatMul")]
    stored = [next((name for name in node.input if name.endswith("_quantized") and name in arrays), None) for node in products]
    weights = [name for name in stored if name is not None]
    model = CrossEncoder(shape)
    expected = model.state_dict()
    left = [name for name in expected if name.endswith(".weight") and name.split(".")[0] in ("dense", "classify")]
    names += [name for name in left if name not in arrays]
    if len(names) != len(weights):
        raise ValueError(f"{path} holds {len(weights)} matrix products, {len(names)} were expected")
    for name, stored_as in zip(names, weights, strict=True):
        stem = stored_as.removesuffix("_quantized")
        zero = arrays[f"{stem}_zero_point"].astype(np.float32)
        state[name] = ((arrays[stored_as].astype(np.float32) - zero) * arrays[f"{stem}_scale"]).T
    state.update({name: arrays[name] for name in expected if name in arrays})
    model.load_state_dict({name: torch.from_numpy(np.ascontiguousarray(value)) for name, value in state.items()})
    return model


def main() -> None:
    """Write the checkpoint."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--graph", type=Path, default=Path("src/lyra/models/weights/stance.onnx"))
    parser.add_argument("--out", type=Path, required=True)
    args = parser.parse_args()
    save_half(recovered(args.graph), args.out / "stance.safetensors")


if __name__ == "__main__":
    main()
