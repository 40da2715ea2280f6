"""Turn trained weights into the int8 ONNX files that ship, and fit the temperatures.

Promises: batch and sequence axes are dynamic; word embeddings are stored as int8 with one scale
per row (computed in float); matrix products use int8 weights per output channel with reduced
range, so that CPUs without VNNI cannot saturate; `manifest.json` is what the package reads (names,
sha256 sums, temperatures per language), `holdout.json` has the scores of both graphs side by side.
"""

from __future__ import annotations

import argparse
import hashlib
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import torch
from onnxruntime.quantization import QuantType, quantize_dynamic
from torch import Tensor, nn

from training import runtime, scores
from training.models import MINILM, STANCES, CrossEncoder, Embedder, load_half
from training.records import read_pairs

VERSION = "1"


class RowScaled(nn.Module):
    """Embedding table in int8 with a float scale per row."""

    def __init__(self, table: Tensor) -> None:
        super().__init__()
        scale = table.abs().amax(1, keepdim=True).clamp(min=1e-8) / 127
        self.register_buffer("rows", (table / scale).round().clamp(-127, 127).to(torch.int8))
        self.register_buffer("scale", scale)

    def forward(self, ids: Tensor) -> Tensor:
        """Looked-up rows as float."""
        rows: Tensor = self.rows  # type: ignore[assignment]
        scale: Tensor = self.scale  # type: ignore[assignment]
        return rows[ids].float() * scale[ids]


def to_onnx(model: CrossEncoder | Embedder, path: Path, output: str) -> None:
    """Write the float graph (embeddings already int8)."""
    model.eval()
    for layer in model.encoder.layers:
        layer.plain = True
    model.encoder.word = RowScaled(model.encoder.word.weight.detach())  # type: ignore[assignment]
    ids = torch.tensor([[101, 2023, 102, 2003, 102, 0], [101, 2003, 2003, 102, 2003, 102]])
    mask = (ids != 0).long()
    types = torch.tensor([[0, 0, 0, 1, 1, 0], [0, 0, 0, 0, 1, 1]])
    names = ["input_ids", "attention_mask", "token_type_ids"]
    axes = {name: {0: "batch", 1: "length"} for name in names}
    torch.onnx.export(
        model, (ids, mask, types), str(path), input_names=names, output_names=[output],
        dynamic_axes={**axes, output: {0: "batch"}}, opset_version=17, dynamo=False,
    )  # fmt: skip
    graph = onnx.load(str(path))
    onnx.checker.check_model(graph)


def quantise(source: Path, target: Path) -> None:
    """Dynamic int8 for all matrix products with constant weights."""
    quantize_dynamic(
        str(source), str(target), op_types_to_quantize=["MatMul"], per_channel=True, reduce_range=True,
        weight_type=QuantType.QInt8, extra_options={"MatMulConstBOnly": True},
    )  # fmt: skip


def describe(path: Path) -> dict[str, Any]:
    """Size and sum of a file."""
    data = path.read_bytes()
    return {"file": path.name, "bytes": len(data), "sha256": hashlib.sha256(data).hexdigest()}


def main() -> None:
    """Export both models and write their manifest."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--stance", type=Path, required=True, help="stance.safetensors")
    parser.add_argument("--embedder", type=Path, required=True, help="embedder.safetensors")
    parser.add_argument("--base", type=Path, required=True, help="folder with tokenizer.json and vocab_map.json")
    parser.add_argument("--data", type=Path, required=True, help="folder written by prepare.py")
    parser.add_argument("--out", type=Path, required=True)
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    work = args.out / "float"
    work.mkdir(exist_ok=True)
    details = json.loads((args.base / "vocab_map.json").read_text(encoding="utf-8"))
    shape = replace(MINILM, vocab=details["base_size"] + len(details["added"]))
    models: list[tuple[str, CrossEncoder | Embedder, Path, str]] = [
        ("stance", CrossEncoder(shape), args.stance, "logits"),
        ("embedder", Embedder(shape), args.embedder, "embedding"),
    ]
    for name, model, weights, output in models:
        load_half(model, weights)
        to_onnx(model, work / f"{name}.onnx", output)
        quantise(work / f"{name}.onnx", args.out / f"{name}.onnx")
    (args.out / "tokenizer.json").write_bytes((args.base / "tokenizer.json").read_bytes())
    held = read_pairs(args.data / "holdout.jsonl.gz")
    texts = [(p.premise, p.hypothesis) for p in held]
    results: dict[str, Any] = {}
    logits: dict[str, np.ndarray] = {}
    for kind, path in (("float", work / "stance.onnx"), ("int8", args.out / "stance.onnx")):
        logits[kind] = runtime.Stance(path, args.out / "tokenizer.json").logits(texts)
    temperature = {lang: round(scores.fit_temperature(logits["int8"], held, lang), 3) for lang in ("en", "ja")}
    for kind, values in logits.items():
        results[kind] = scores.by_slice(values, held)
    for lang, value in temperature.items():
        rows = [i for i, p in enumerate(held) if p.lang == lang]
        chosen = [held[i] for i in rows]
        results[f"int8, calibrated, {lang}"] = scores.by_slice(logits["int8"][rows], chosen, value) if rows else {}
    results["same_answer"] = float((logits["float"].argmax(1) == logits["int8"].argmax(1)).mean())
    sample = [p.premise for p in held[:200]]
    vectors = [runtime.Encoder(p, args.out / "tokenizer.json").embed(sample)
               for p in (work / "embedder.onnx", args.out / "embedder.onnx")]  # fmt: skip
    results["embedder_cosine_float_int8"] = float((vectors[0] * vectors[1]).sum(1).mean())
    stance = {
        "name": "lyra-stance-minilm", "version": VERSION, **describe(args.out / "stance.onnx"), "max_tokens": 256,
        "labels": list(STANCES), "languages": ["en", "ja"],
        "calibration": {"version": f"temperature-{VERSION}", "temperature": temperature},
    }  # fmt: skip
    embedder = {
        "name": "lyra-embedder-minilm", "version": VERSION, **describe(args.out / "embedder.onnx"), "max_tokens": 256,
        "languages": ["en", "ja"], "dimension": 384,
    }  # fmt: skip
    tokenizer = describe(args.out / "tokenizer.json")
    manifest = {"schema_version": 1, "models": {"stance": stance, "embedder": embedder}, "tokenizer": tokenizer}
    for name, content in (("manifest.json", manifest), ("holdout.json", results)):
        (args.out / name).write_text(json.dumps(content, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    print(json.dumps({**manifest, "holdout": results}, indent=1, ensure_ascii=False))


if __name__ == "__main__":
    main()
