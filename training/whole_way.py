"""From a claim to a label over all abstracts, on the SciFact training claims held out: what to choose a manner of reading by.

As `bench/judgement/end_to_end.py` does with the development claims, which nothing is chosen by: the abstracts that search finds
first are read, and one that takes the right side of one with evidence is a hit. `whole_way_data.py` writes the passages with
their windows; `compare.py` reads these with several models, by the rules below.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from training.records import NEUTRAL, Pair, read_jsonl

FILE = "whole_way.jsonl.gz"


class Found(NamedTuple):
    """An abstract found for a claim: where it stands (neutral without evidence), and what is read of it."""

    claim: str
    gold: int
    text: str
    narrow: list[str]
    wide: list[str]

    @property
    def pairs(self) -> list[Pair]:
        """Everything that is read, narrow windows first."""
        return [Pair(text, self.claim, self.gold, "whole-way") for text in [*self.narrow, *self.wide]]


class Held(NamedTuple):
    """The abstracts found for all claims, and how many have evidence, found or not."""

    found: list[Found]
    wanted: int


def read(folder: Path) -> Held:
    """What `whole_way_data.py` wrote."""
    wanted, *rows = read_jsonl(folder / FILE)
    return Held([Found(*row) for row in rows], wanted)


# From the probabilities of the narrow and of the wide windows of an abstract to its label.
Rule = Callable[[np.ndarray, np.ndarray], int]


def f1(held: Held, labels: Sequence[int]) -> tuple[float, float, float]:
    """F1, precision and recall of the labels of all abstracts found."""
    sides = sum(label != NEUTRAL for label in labels)
    hits = sum(label == one.gold != NEUTRAL for label, one in zip(labels, held.found, strict=True))
    precision, recall = hits / max(1, sides), hits / max(1, held.wanted)
    return 2 * precision * recall / max(1e-9, precision + recall), precision, recall


def told(found: tuple[float, float, float]) -> str:
    """F1, precision and recall as text."""
    return "F1 {:.3f} precision {:.2f} recall {:.2f}".format(*found)


def outspoken(read_by: str, least: float) -> Rule:
    """The least neutral window; a side counts from `least` on. `mean`: of the narrow and of the wide one.

    The product takes the wide window around the narrow one, and the side that is likeliest: `whole_way_data.py --judge`.
    """

    def rule(narrow: np.ndarray, wide: np.ndarray) -> int:
        first, second = (rows[rows[:, NEUTRAL].argmin()] for rows in (narrow, wide))
        shares = {"narrow": first, "wide": second, "mean": (first + second) / 2}[read_by]
        label = int(shares.argmax())
        return label if shares[label] >= least else NEUTRAL

    return rule


RULES: Mapping[str, Rule] = {
    f"{name} {least}": outspoken(name, least)
    for name, least in (
        ("narrow", 0.5),
        ("wide", 0.0),
        ("wide", 0.5),
        ("mean", 0.0),
        ("mean", 0.5),
        ("mean", 0.55),
        ("mean", 0.6),
        ("mean", 0.7),
    )
}
