"""Tokenised texts on the device, length-bucketed batches and the time-aware learning rate.

Promises: sequences never exceed `MAX_TOKENS`; when a pair is too long the premise is cut, never
the claim (up to `MAX_CLAIM`); a `Clock` reaches zero learning rate at its last step or at its
time limit, whichever comes first, so that a run cut short is still a finished run.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import torch
from tokenizers import Tokenizer
from torch import Tensor

MAX_TOKENS, MAX_CLAIM = 256, 96
CLS, SEP = 101, 102


def tokenise(tokenizer_path: Path, texts: list[str]) -> dict[str, np.ndarray]:
    """Token ids of every distinct text, without special tokens."""
    tokenizer = Tokenizer.from_file(str(tokenizer_path))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    distinct = list(dict.fromkeys(texts))
    table: dict[str, np.ndarray] = {}
    for start in range(0, len(distinct), 20_000):
        part = distinct[start : start + 20_000]
        for text, encoded in zip(part, tokenizer.encode_batch(part, add_special_tokens=False), strict=True):
            table[text] = np.array(encoded.ids, dtype=np.int32)
    return table


class Sequences:
    """Many token sequences in one flat device tensor, padded batch by batch on the device."""

    def __init__(self, rows: list[np.ndarray], second: list[int], device: torch.device, pad: int = 0) -> None:
        """`second[i]` is the position from which token type 1 begins in row i."""
        self.lengths = np.array([len(r) for r in rows], dtype=np.int64)
        starts = np.concatenate([[0], np.cumsum(self.lengths)[:-1]]) if len(rows) else np.zeros(0, np.int64)
        flat = np.concatenate(rows) if rows else np.zeros(0, np.int32)
        self.flat = torch.from_numpy(np.append(flat, pad).astype(np.int32)).to(device)
        self.starts = torch.from_numpy(starts).to(device)
        self.sizes = torch.from_numpy(self.lengths).to(device)
        self.second = torch.tensor(second, dtype=torch.int64, device=device)
        self.device, self.pad = device, pad

    def batch(self, index: np.ndarray) -> tuple[Tensor, Tensor, Tensor]:
        """(ids, mask, types) of the chosen rows, padded to a multiple of eight."""
        width = min(MAX_TOKENS, (int(self.lengths[index].max()) + 7) // 8 * 8)
        chosen = torch.from_numpy(index).to(self.device, non_blocking=True)
        place = torch.arange(width, device=self.device)[None]
        mask = place < self.sizes[chosen][:, None]
        where = torch.where(mask, self.starts[chosen][:, None] + place, len(self.flat) - 1)
        types = ((place >= self.second[chosen][:, None]) & mask).long()
        return self.flat[where].long(), mask.long(), types


def mpnet_pairs(pairs: list[tuple[np.ndarray, np.ndarray]], ids: np.ndarray, device: torch.device) -> Sequences:
    """<s> premise </s></s> claim </s>, in the ids of the larger model."""
    rows = []
    for full, wanted in pairs:
        claim = wanted[:MAX_CLAIM]
        premise = full[: MAX_TOKENS - 4 - len(claim)]
        rows.append(np.concatenate([[0], ids[premise], [2, 2], ids[claim], [2]]))
    return Sequences(rows, [MAX_TOKENS] * len(rows), device, pad=1)


def singles(texts: list[np.ndarray], device: torch.device, ids: np.ndarray | None = None) -> Sequences:
    """One text per row, in the small model's ids or, with `ids`, the larger one's."""
    first, last = (CLS, SEP) if ids is None else (0, 2)
    cut = [t[: MAX_TOKENS - 2] for t in texts]
    rows = [np.concatenate([[first], t if ids is None else ids[t], [last]]) for t in cut]
    return Sequences(rows, [MAX_TOKENS] * len(rows), device, pad=0 if ids is None else 1)


def mpnet_ids(vocab_map: Path) -> np.ndarray:
    """The larger model's id of every id of our tokenizer; added tokens become unknown."""
    details = json.loads(vocab_map.read_text(encoding="utf-8"))
    known = details["teacher_ids"]
    unknown = known[100]
    return np.array(known + [unknown] * len(details["added"]), dtype=np.int32)


def bucketed(lengths: np.ndarray, rows: np.ndarray, size: int, tokens: int, rng: np.random.Generator) -> list[np.ndarray]:
    """One epoch of batches of similar length: at most `size` rows and about `tokens` tokens each."""
    order = rng.permutation(rows)
    batches: list[np.ndarray] = []
    for start in range(0, len(order), size * 50):
        chunk = order[start : start + size * 50]
        chunk = chunk[np.argsort(lengths[chunk], kind="stable")]
        at = 0
        while at < len(chunk):
            take = size
            while take > 8 and lengths[chunk[min(at + take, len(chunk)) - 1]] * take > tokens:
                take = take * 3 // 4
            batches.append(chunk[at : at + take])
            at += take
    return [batches[i] for i in rng.permutation(len(batches))]


def in_order(lengths: np.ndarray, tokens: int = 65_536) -> Iterator[np.ndarray]:
    """All rows once, shortest first, in large batches for inference."""
    order = np.argsort(lengths, kind="stable")
    at = 0
    while at < len(order):
        take = max(1, min(1024, tokens // max(8, int(lengths[order[min(at + 1023, len(order) - 1)]]))))
        yield order[at : at + take]
        at += take


class Clock:
    """Step counter with a learning-rate factor that knows the time limit."""

    def __init__(self, steps: int, seconds: float, warm: float = 0.06) -> None:
        self.steps, self.seconds, self.warm = max(1, steps), seconds, warm
        self.step, self.began = 0, time.monotonic()

    @property
    def elapsed(self) -> float:
        """Seconds since the start."""
        return time.monotonic() - self.began

    def factor(self) -> float:
        """Linear warm-up, then linear decay by progress in steps or in time, whichever is further."""
        progress = max(self.step / self.steps, self.elapsed / self.seconds)
        if self.step < self.warm * self.steps and self.elapsed < 0.2 * self.seconds:
            return max(0.02, self.step / (self.warm * self.steps))
        return max(0.0, 1.0 - progress)

    def tick(self) -> bool:
        """Count one step; False when the run is over."""
        self.step += 1
        return self.step < self.steps and self.elapsed < self.seconds


def pick_device() -> torch.device:
    """The GPU when there is one."""
    return torch.device("cuda" if torch.cuda.is_available() else "cpu")
