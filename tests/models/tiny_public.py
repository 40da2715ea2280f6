"""Tiny models laid out the way public hubs lay them out: a configuration, a tokenizer, and a graph in `onnx/`."""

import hashlib
import json
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tests.models.tiny import SUPPORTING, VOCABULARY, Outputs, embedding_rows, stance_rows, write_graph, write_tokenizer

# The order that many public models use; the tiny graph gives supports, refutes, neutral.
LABELS = ("entailment", "contradiction", "neutral")
_ARCHITECTURE = {"stance": "BertForSequenceClassification", "reranker": "BertForSequenceClassification", "embedder": "BertModel"}


def relevance_rows() -> NDArray[np.float32]:
    """One logit per token: high for the supporting word, low for all others."""
    rows = np.full((len(VOCABULARY), 1), -1.0, dtype=np.float32)
    rows[VOCABULARY.index(SUPPORTING)] = 40.0
    return rows


def write_public_model(folder: Path, kind: str, **config: object) -> Path:
    """Write a model of a kind; `config` changes its config.json, None leaves a key out."""
    (folder / "onnx").mkdir(parents=True)
    rows = {"stance": stance_rows, "reranker": relevance_rows, "embedder": embedding_rows}[kind]()
    write_graph(folder / "onnx" / "model.onnx", Outputs(rows, averaged=kind != "embedder", quantised=False))
    write_tokenizer(folder / "tokenizer.json")
    labels = {"stance": LABELS, "reranker": ("LABEL_0",), "embedder": ()}[kind]
    stated: dict[str, object] = {
        "architectures": [_ARCHITECTURE[kind]],
        "model_type": "bert",
        "max_position_embeddings": 64,
        "id2label": {str(number): label for number, label in enumerate(labels)} or None,
    }
    chosen = {key: value for key, value in (stated | config).items() if value is not None}
    (folder / "config.json").write_text(json.dumps(chosen), encoding="utf-8")
    return folder


def listing(folder: Path, commit: str, languages: object = None) -> dict[str, object]:
    """What a hub says of a folder: graphs as large files with their SHA-256, others by the id that git gives them."""
    siblings = []
    for path in sorted(one for one in folder.rglob("*") if one.is_file()):
        content = path.read_bytes()
        entry: dict[str, object] = {"rfilename": path.relative_to(folder).as_posix(), "size": len(content)}
        if path.suffix in (".onnx", ".onnx_data"):
            entry |= {"blobId": "0" * 40, "lfs": {"sha256": hashlib.sha256(content).hexdigest(), "size": len(content)}}
        else:
            entry["blobId"] = hashlib.sha1(b"blob %d\0" % len(content) + content, usedforsecurity=False).hexdigest()
        siblings.append(entry)
    return {"sha": commit, "siblings": siblings, "cardData": {"language": languages}}
