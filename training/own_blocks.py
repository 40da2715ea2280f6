"""Pairs of our own writing in blocks: one evidence text, then claims marked +, - or 0, sometimes a translation.

E: The evidence, on one line.
= Its translation into Japanese (files of two languages only).
+ A claim it supports
- A claim it refutes
0 A claim it does not settle
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from training.records import NEUTRAL, REFUTES, SUPPORTS, Pair

MARKS = {"+": SUPPORTS, "-": REFUTES, "0": NEUTRAL}


class Block(NamedTuple):
    """One evidence text with its claims."""

    evidence: str
    translation: str
    claims: list[tuple[str, int]]


def blocks(path: Path) -> Iterator[Block]:
    """All blocks of a file. Raises ValueError with the line that cannot be read."""
    current: Block | None = None
    for number, raw in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        line = raw.strip()
        if not line or line.startswith("#"):
            continue
        mark, _, text = line.partition(" ")
        if mark == "E:":
            if current:
                yield current
            current = Block(text.strip(), "", [])
        elif current is None or not text.strip() or (mark not in MARKS and mark != "="):
            raise ValueError(f"{path.name}, line {number}: cannot be read: {line[:60]}")
        elif mark == "=":
            current = current._replace(translation=text.strip())
        else:
            current.claims.append((text.strip(), MARKS[mark]))
    if current:
        yield current


def pairs(block: Block, source: str, lang: str) -> list[Pair]:
    """The pairs of a block; a translation is evidence of its own, and says what the evidence says."""
    made = [Pair(block.evidence, claim, label, source, lang) for claim, label in block.claims]
    if block.translation:
        made += [Pair(block.translation, claim, label, source, "ja") for claim, label in block.claims]
        made.append(Pair(block.evidence, block.translation, SUPPORTS, source, lang))
        made.append(Pair(block.translation, block.evidence, SUPPORTS, source, lang))
    return made
