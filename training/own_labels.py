"""Labels of our own for caption pairs of the JSTS training part, which has similarities alone.

`own/jsts_labels.tsv` holds the number of a pair and +, - or 0 for its first sentence read as evidence of its second.
The sentences stay in the data set.
"""

from __future__ import annotations

import csv
from pathlib import Path

from training import sources
from training.own_blocks import MARKS
from training.records import REFUTES, Pair


def labelled(data: Path, folder: Path) -> list[Pair]:
    """Pairs with their labels; a refutation holds in both directions. Nothing where the file is missing."""
    path = folder / "jsts_labels.tsv"
    if not path.exists():
        return []
    texts = [(a, b) for a, b, _ in sources.jsts(data, "train")]
    made = []
    with path.open(encoding="utf-8", newline="") as stream:
        for row in csv.DictReader(stream, delimiter="\t"):
            first, second = texts[int(row["pair"])]
            pair = Pair(first, second, MARKS[row["label"]], "own-jsts", "ja")
            made.append(pair)
            if pair.label == REFUTES:
                made.append(pair._replace(premise=second, hypothesis=first))
    return made
