"""The suites of our own writing: minimal pairs, Japanese claims against English sentences, sentences worth checking."""

import csv
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
Labels = Callable[[Sequence[tuple[str, str]]], list[str]]


@dataclass(frozen=True, slots=True)
class MinimalPair:
    """One evidence sentence with two claims that differ in little and in their label."""

    category: str
    evidence: str
    claims: tuple[str, str]
    labels: tuple[str, str]


def rows_of(name: str) -> list[dict[str, str]]:
    """Return the rows of a suite file by column name."""
    with (HERE / name).open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream, delimiter="\t", quoting=csv.QUOTE_NONE))


def minimal_pairs(name: str) -> list[MinimalPair]:
    """Return the pairs of a suite file."""
    return [
        MinimalPair(row["category"], row["evidence"], (row["claim_a"], row["claim_b"]), (row["label_a"], row["label_b"]))
        for row in rows_of(name)
    ]


def both_right(pairs: Sequence[MinimalPair], judge: Labels) -> dict[str, float]:
    """Return the share of pairs with both labels right: `all` first, then by category."""
    said = judge([(pair.evidence, claim) for pair in pairs for claim in pair.claims])
    right = [tuple(said[2 * i : 2 * i + 2]) == pair.labels for i, pair in enumerate(pairs)]
    names = list(dict.fromkeys(pair.category for pair in pairs))
    by_name = {name: [ok for ok, pair in zip(right, pairs, strict=True) if pair.category == name] for name in names}
    return {"all": sum(right) / len(right), **{name: sum(found) / len(found) for name, found in by_name.items()}}


def cross_lingual(judge: Labels) -> float:
    """Return the share of right labels for Japanese claims against English sentences."""
    rows = rows_of("cross_ja_en.tsv")
    said = judge([(row["evidence"], row["claim"]) for row in rows])
    return sum(found == row["label"] for found, row in zip(said, rows, strict=True)) / len(rows)


def check_worthy(half: str, propose: Callable[[str], bool]) -> tuple[float, float]:
    """Return precision and recall of `propose` on the Japanese sentences of one half."""
    rows = [row for row in rows_of("worthy_ja.tsv") if row["half"] == half]
    proposed = [row["worthy"] == "yes" for row in rows if propose(row["sentence"])]
    return sum(proposed) / max(1, len(proposed)), sum(proposed) / sum(row["worthy"] == "yes" for row in rows)
