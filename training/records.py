"""Shared record types, file format and text helpers of the data preparation.

A pair is (premise = evidence fragment, hypothesis = claim, label, source, language). Labels:
0 supports, 1 refutes, 2 neutral, -1 "not supported: refuted or neutral, unknown which",
-9 unlabelled (passed over).
"""

from __future__ import annotations

import gzip
import json
import re
import unicodedata
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

SUPPORTS, REFUTES, NEUTRAL, NOT_SUPPORTED, UNLABELLED = 0, 1, 2, -1, -9


class Pair(NamedTuple):
    """One training or hold-out pair."""

    premise: str
    hypothesis: str
    label: int
    source: str
    lang: str = "en"


STOP = frozenset(
    "a an the of in on at to for with by from and or is are was were be been being do does did has have had "
    "it its this that these those there as not no never n't t s he she they his her their him them who which "
    "will would can could may might should than then so such some any also into during after before between "
    "don doesn didn isn aren wasn weren won hasn haven hadn cannot none nobody nothing".split()
)
WORD = re.compile(r"[a-z0-9]+")
SQUASH = re.compile(r"[\W_]+")


def words(text: str) -> list[str]:
    """Lower-case words and numbers."""
    return WORD.findall(text.lower())


def content(text: str) -> set[str]:
    """Crude stems (first five letters) of the words that carry meaning; negation left out."""
    return {w[:5] for w in words(text) if w not in STOP}


def squash(text: str) -> str:
    """Text with case, width, spacing and punctuation removed: equal texts give equal keys."""
    return SQUASH.sub("", unicodedata.normalize("NFKC", text).lower())


def overlap(claim: str, text: str) -> float:
    """Share of the claim's content words that also stand in the text."""
    wanted = content(claim)
    return len(wanted & content(text)) / len(wanted) if wanted else 0.0


def read_jsonl(path: Path) -> Iterator[Any]:
    """Rows of a gzip-compressed JSON-lines file."""
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)


def write_jsonl(path: Path, rows: Iterable[Any]) -> int:
    """Write rows as gzip JSON lines, byte-identical for equal rows; return their number."""
    count = 0
    with path.open("wb") as raw, gzip.GzipFile("", "wb", 9, raw, mtime=0) as out:
        for row in rows:
            out.write((json.dumps(row, ensure_ascii=False, separators=(",", ":")) + "\n").encode())
            count += 1
    return count


def read_pairs(path: Path) -> list[Pair]:
    """Pairs written by `write_jsonl`."""
    return [Pair(*row) for row in read_jsonl(path)]
