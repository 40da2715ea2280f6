"""Weights of a few hundred bytes: graphs and a tokenizer small enough to foresee every number they make."""

import hashlib
import json
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper
from tokenizers import Tokenizer, normalizers, pre_tokenizers
from tokenizers.models import WordPiece
from tokenizers.processors import TemplateProcessing

SUPPORTING, REFUTING = "agrees", "denies"
# Each is one token that says nothing, with a weight of its own so that no two texts look alike to the graph.
PLAIN_WORDS = [f"word{number}" for number in range(40)]
VOCABULARY = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", SUPPORTING, REFUTING, ".", "。", "a", "##a", *"日本語賛否の", *PLAIN_WORDS]
DIMENSION = 4
WINDOW = 64
CALIBRATION = {"version": "c1", "temperature": {"en": 2.0, "ja": 4.0}}


@dataclass(frozen=True, slots=True)
class Outputs:
    """What a graph gives for a text: `rows` per token, before they are averaged."""

    rows: NDArray[np.float32]
    averaged: bool = True
    quantised: bool = True


def stance_rows() -> NDArray[np.float32]:
    """Logits per token, in the order supports, refutes, neutral."""
    rows = np.zeros((len(VOCABULARY), 3), dtype=np.float32)
    rows[:, 2] = 0.5 + np.linspace(0.0, 0.3, len(VOCABULARY))
    for word, side in ((SUPPORTING, 0), ("賛", 0), (REFUTING, 1), ("否", 1)):
        rows[VOCABULARY.index(word)] = np.eye(3, dtype=np.float32)[side] * 40.0
    return rows


def embedding_rows() -> NDArray[np.float32]:
    return np.random.default_rng(5).normal(size=(len(VOCABULARY), DIMENSION)).astype(np.float32)


def write_graph(
    path: Path, outputs: Outputs, inputs: tuple[str, ...] = ("input_ids", "attention_mask", "token_type_ids")
) -> None:
    """Write a graph that looks each token up and averages, scaled like a dynamically quantised one: by the whole batch."""
    nodes = [helper.make_node("Gather", ["table", "input_ids"], ["tokens"])]
    constants = [numpy_helper.from_array(outputs.rows, "table")]
    last = "tokens"
    if outputs.averaged:
        nodes.append(helper.make_node("ReduceMean", [last], ["mean"], axes=[1], keepdims=0))
        last = "mean"
    if outputs.quantised:
        nodes.append(helper.make_node("DynamicQuantizeLinear", [last], ["small", "scale", "zero"]))
        nodes.append(helper.make_node("DequantizeLinear", ["small", "scale", "zero"], ["restored"]))
        last = "restored"
    nodes.append(helper.make_node("Identity", [last], ["answer"]))
    graph = helper.make_graph(
        nodes,
        "tiny",
        [helper.make_tensor_value_info(name, TensorProto.INT64, ["batch", "sequence"]) for name in inputs],
        [helper.make_tensor_value_info("answer", TensorProto.FLOAT, None)],
        constants,
    )
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9), str(path))


def write_tokenizer(path: Path) -> None:
    vocabulary = {token: number for number, token in enumerate(VOCABULARY)}
    tokenizer = Tokenizer(WordPiece(vocabulary, unk_token="[UNK]", max_input_chars_per_word=100))
    tokenizer.normalizer = normalizers.BertNormalizer()
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.post_processor = TemplateProcessing(
        single="[CLS] $A [SEP]",
        pair="[CLS] $A [SEP] $B:1 [SEP]:1",
        special_tokens=[("[CLS]", vocabulary["[CLS]"]), ("[SEP]", vocabulary["[SEP]"])],
    )
    tokenizer.add_special_tokens(["[PAD]", "[UNK]", "[CLS]", "[SEP]"])
    # A tokenizer saved while training usually still cuts and pads; whoever loads it must not rely on that.
    tokenizer.enable_truncation(8)
    tokenizer.enable_padding(length=32)
    tokenizer.save(str(path))


@dataclass(slots=True)
class TinyWeights:
    """A directory of weights whose manifest can be changed and rewritten."""

    directory: Path
    manifest: dict[str, object] = field(default_factory=dict)

    def write_manifest(self) -> None:
        (self.directory / "manifest.json").write_text(json.dumps(self.manifest), encoding="utf-8")

    def stance(self, **changes: object) -> None:
        """Describe `stance.onnx` as it is on disk now, with `changes`; None leaves a key out."""
        self._describe(
            "stance",
            {"labels": ["supports", "refutes", "neutral"], "languages": ["en", "ja"], "calibration": CALIBRATION} | changes,
        )

    def embedder(self, **changes: object) -> None:
        self._describe("embedder", {"dimension": DIMENSION} | changes)

    def _describe(self, kind: str, more: dict[str, object]) -> None:
        content = (self.directory / f"{kind}.onnx").read_bytes()
        entry: dict[str, object] = {
            "name": f"tiny-{kind}",
            "version": "7",
            "file": f"{kind}.onnx",
            "sha256": hashlib.sha256(content).hexdigest(),
            "bytes": len(content),
            "max_tokens": WINDOW,
        }
        models = self.manifest["models"]
        assert isinstance(models, dict)
        models[kind] = {key: value for key, value in (entry | more).items() if value is not None}
        self.write_manifest()


def make_tiny_weights(directory: Path) -> TinyWeights:
    """Write both graphs, the tokenizer and a manifest that describes them truly."""
    directory.mkdir(parents=True)
    write_graph(directory / "stance.onnx", Outputs(stance_rows()))
    write_graph(directory / "embedder.onnx", Outputs(embedding_rows(), averaged=False))
    write_tokenizer(directory / "tokenizer.json")
    digest = hashlib.sha256((directory / "tokenizer.json").read_bytes()).hexdigest()
    tiny = TinyWeights(directory, {"schema_version": 1, "models": {}, "tokenizer": {"file": "tokenizer.json", "sha256": digest}})
    tiny.stance()
    tiny.embedder()
    return tiny
