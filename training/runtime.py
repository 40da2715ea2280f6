"""Run the exported embedder on a CPU, the way the product does: one text per run, several runs at a time."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import onnxruntime as ort
from tokenizers import Encoding, Tokenizer

MAX_TOKENS = 256


class Session:
    """Tokenizer and graph."""

    def __init__(self, model: Path, tokenizer: Path, threads: int = 2) -> None:
        options = ort.SessionOptions()
        options.intra_op_num_threads = 1
        self.threads = threads
        self.graph = ort.InferenceSession(str(model), options, providers=["CPUExecutionProvider"])
        self.tokenizer = Tokenizer.from_file(str(tokenizer))
        self.tokenizer.no_padding()

    def run(self, encoded: list[Encoding]) -> np.ndarray:
        """Outputs in input order; each text runs alone, so that its result depends on nothing else."""
        with ThreadPoolExecutor(self.threads) as pool:
            return np.array(list(pool.map(self.one, encoded)), dtype=np.float32)

    def one(self, text: Encoding) -> np.ndarray:
        """Output for one text."""
        columns = {"input_ids": text.ids, "attention_mask": text.attention_mask, "token_type_ids": text.type_ids}
        feed = {name: np.array([values], dtype=np.int64) for name, values in columns.items()}
        row: np.ndarray = self.graph.run(None, feed)[0][0]
        return row


class Encoder(Session):
    """Unit vectors for texts."""

    def embed(self, texts: list[str]) -> np.ndarray:
        """One row per text."""
        self.tokenizer.enable_truncation(MAX_TOKENS)
        encoded = []
        for start in range(0, len(texts), 512):
            encoded += self.tokenizer.encode_batch(texts[start : start + 512])
        return self.run(encoded)
