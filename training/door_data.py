"""What comes through the two doors of the stance model in training: pairs as sequences, and how often each is seen."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor

from training import batches
from training.batches import MAX_CLAIM, MAX_TOKENS, Sequences
from training.records import Pair

BOS, EOS = 1, 2


class Door(NamedTuple):
    """What comes through one door: sequences, labels, and how often each row is seen in an epoch."""

    data: Sequences
    gold: Tensor
    times: np.ndarray
    english: Tensor  # rows in which pieces may be exchanged


def times_of(pairs: list[Pair], table: dict[str, float], other: float) -> np.ndarray:
    """Repetitions by source; the first beginning that fits counts."""
    return np.array([next((n for name, n in table.items() if p.source.startswith(name)), other) for p in pairs])


def drawn(times: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Rows of one epoch: the whole part of `times`, and one more by chance."""
    counts = np.floor(times + rng.random(len(times))).astype(np.int64)
    return np.repeat(np.arange(len(times)), counts)


def piece_pairs(tokenizer: Path, pairs: list[Pair], device: torch.device) -> Sequences:
    """<s> premise </s> <s> claim </s> in pieces."""
    table = batches.tokenise(tokenizer, [t for p in pairs for t in p[:2]])
    rows = []
    for pair in pairs:
        claim = table[pair.hypothesis][:MAX_CLAIM]
        premise = table[pair.premise][: MAX_TOKENS - 4 - len(claim)]
        rows.append(np.concatenate([[BOS], premise, [EOS, BOS], claim, [EOS]]))
    return Sequences(rows, [MAX_TOKENS] * len(rows), device, pad=0)


class Readers(NamedTuple):
    """Turns pairs into sequences for either door."""

    base: Path  # tokenizer.json, vocab_map.json, muse_tokenizer.json
    device: torch.device

    @property
    def pieces(self) -> Path:
        """The tokenizer of the second door."""
        return self.base / "muse_tokenizer.json"

    def read(self, pairs: list[Pair], by_pieces: bool) -> Sequences:
        """The pairs as they come through a door."""
        if by_pieces:
            return piece_pairs(self.pieces, pairs, self.device)
        table = batches.tokenise(self.base / "tokenizer.json", [t for p in pairs for t in p[:2]])
        ids = batches.mpnet_ids(self.base / "vocab_map.json")
        return batches.mpnet_pairs([(table[p.premise], table[p.hypothesis]) for p in pairs], ids, self.device)

    def door(self, pairs: list[Pair], times: np.ndarray, by_pieces: bool, epochs: int, seed: int) -> Door:
        """A door with its material. What is seen less than once in all epochs is kept with that chance, and seen about once."""
        kept = np.flatnonzero(np.random.default_rng(seed).random(len(times)) < times * epochs)
        some = [pairs[i] for i in kept]
        gold = torch.tensor([p.label for p in some], device=self.device)
        english = torch.tensor([p.lang == "en" for p in some], device=self.device)
        return Door(self.read(some, by_pieces), gold, np.maximum(times[kept], 1.0 / epochs), english)


class Tables(NamedTuple):
    """How often a pair is seen in one epoch, by the beginning of its source; what is not named as `other` says."""

    words: dict[str, float]
    pieces: dict[str, float]
    english_as_pieces: dict[str, float]
    other: float

    def doors(self, readers: Readers, pairs: list[Pair], epochs: int, seed: int) -> tuple[Door, Door]:
        """Both doors: English by words, the others and a part of the English ones by pieces."""
        english = [p for p in pairs if p.lang == "en"]
        others = [p for p in pairs if p.lang != "en"]
        times = np.concatenate([times_of(others, self.pieces, self.other), times_of(english, self.english_as_pieces, 0.0)])
        by_word = readers.door(english, times_of(english, self.words, self.other), by_pieces=False, epochs=epochs, seed=seed)
        return by_word, readers.door(others + english, times, by_pieces=True, epochs=epochs, seed=seed)
