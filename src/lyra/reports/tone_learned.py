"""What labelled comments taught: scores of the four tones from pieces of the text and from what the word list found.

The coefficients (`tone_model.json`) are fitted by `python -m training.tone`; they are whole numbers.
A score is the sum of the coefficients of the known pieces of one to four letters, over the root of how many there are,
plus those of a few signals, plus what labelled comments of near meaning add (`tone_vectors`).
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from math import sqrt

from lyra.reports.tone_vectors import told_by_vectors

TONES = ("positive", "negative", "mixed", "neutral")
LONGEST_PIECE = 4
# The weight of the pieces beside the signals, and the unit of the coefficients.
PIECES, UNIT = 4.0, 10_000
_SHORTEST_REASON, _REASONS = 2, 3


@dataclass(frozen=True, slots=True)
class Learned:
    """The coefficients by piece and by signal, one for each tone, the lead from which on a reading is sure, and the
    size and SHA-256 of the file of vectors.
    """

    pieces: Mapping[str, tuple[int, ...]]
    signals: Mapping[str, tuple[int, ...]]
    sure_from: float
    vectors: tuple[int, str]


@dataclass(frozen=True, slots=True)
class Scores:
    """The scores of the four tones for one text."""

    text: str
    values: tuple[float, ...]

    @property
    def best(self) -> str:
        """The tone with the highest score; the first of `TONES` among equals."""
        return TONES[max(range(len(TONES)), key=lambda place: (self.values[place], -place))]

    def lead(self, tone: str) -> float:
        """Return by how much a tone is ahead of the next one; negative where it is behind."""
        place = TONES.index(tone)
        return self.values[place] - max(value for other, value in enumerate(self.values) if other != place)


@cache
def learned() -> Learned:
    """Return the shipped coefficients. Read once; the file is part of the package."""
    data = json.loads((resources.files("lyra.reports") / "tone_model.json").read_text(encoding="utf-8"))
    pieces = {piece: tuple(values) for piece, values in data["pieces"].items()}
    signals = {name: tuple(values) for name, values in data["signals"].items()}
    return Learned(pieces, signals, data["sure_from"], (data["vectors"]["bytes"], data["vectors"]["sha256"]))


def pieces_of(text: str) -> Iterator[tuple[int, str]]:
    """Yield every piece of one to four letters with its place, the borders of the text marked by `^` and `$`."""
    framed = f"^{text.replace(' ', '')}$"
    for length in range(1, LONGEST_PIECE + 1):
        for start in range(len(framed) - length + 1):
            yield start, framed[start : start + length]


def scores_of(text: str, signals: Mapping[str, float], views: Sequence[str]) -> Scores:
    """Return the scores of a folded text with its signals and the views by which its meaning is compared."""
    known = learned()
    found = [known.pieces[piece] for piece in dict.fromkeys(piece for _, piece in pieces_of(text)) if piece in known.pieces]
    share = PIECES / sqrt(len(found) or 1)
    near = told_by_vectors(*known.vectors, views)
    values = []
    for place in range(len(TONES)):
        told = sum(known.signals[name][place] * value for name, value in signals.items() if name in known.signals)
        values.append((share * sum(piece[place] for piece in found) + told) / UNIT + near[place])
    return Scores(text, tuple(values))


def reasons(scores: Scores, tone: str) -> tuple[str, ...]:
    """Return the pieces that speak most for a tone against the next one, in the order of the text and without overlap."""
    place = TONES.index(tone)
    rival = max((other for other in range(len(TONES)) if other != place), key=lambda other: scores.values[other])
    known = learned().pieces
    weighed = [
        (known[piece][place] - known[piece][rival], start, piece)
        for start, piece in pieces_of(scores.text)
        if len(piece) >= _SHORTEST_REASON and piece in known and not set(piece) & set("^$、。")
    ]
    chosen: list[tuple[int, str]] = []
    for weight, start, piece in sorted(weighed, key=lambda one: (-one[0], one[1])):
        if weight <= 0 or len(chosen) == _REASONS:
            break
        if all(start + len(piece) <= other or other + len(taken) <= start for other, taken in chosen):
            chosen.append((start, piece))
    return tuple(piece for _, piece in sorted(chosen))
