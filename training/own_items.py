"""Items of our own writing: an evidence sentence with a claim for each label, in a training and a choosing part."""

from __future__ import annotations

import csv
from pathlib import Path

from training.records import NEUTRAL, REFUTES, SUPPORTS, Pair

LABELS = {"supports": SUPPORTS, "refutes": REFUTES, "neutral": NEUTRAL}


def own_items(path: Path) -> tuple[list[Pair], list[Pair]]:
    """The training and the choosing part of a file; a label without a claim is passed over."""
    parts: dict[str, list[Pair]] = {"train": [], "dev": []}
    with path.open(encoding="utf-8", newline="") as stream:
        for row in csv.DictReader(stream, delimiter="\t", quoting=csv.QUOTE_NONE):
            source = "own" if row["part"] == "train" else f"own-dev-{row['lang']}"
            lang = "en" if row["lang"] == "en" else "ja"
            given = [(row[name], label) for name, label in LABELS.items() if row[name]]
            parts[row["part"]] += [Pair(row["evidence"], claim, label, source, lang) for claim, label in given]
    return parts["train"], parts["dev"]
