"""Outlines of many texts at once, by which pairs that are not near-duplicates are told apart quickly.

Imported only where numpy is at hand. What near-duplicates are is said in `near_duplicates`.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lyra.core.near_duplicates import ASCII_WORDS, CHARACTERS, LEAST_RESEMBLANCE, LEAST_SHINGLES, WORDS, cut

_BYTES_AT_ONCE = 60_000
_ROUNDING = 1e-9
_BITS = 10
_BETWEEN = b"\xff"  # stands in no UTF-8
# Any odd number with a mixed pattern of bits serves; its powers keep words apart that have the same letters.
_BASE = 0x9E3779B97F4A7C15
_INVERSE = pow(_BASE, -1, 1 << 64)
_IN_WORDS = np.array([character != " " for character in ASCII_WORDS] + [True] * 127 + [False])


class Outline(NamedTuple):
    """The words of a text as a set of bits, and how many of them any text that is nearly the same must share."""

    bits: int
    least: float

    def shares(self, bits: int) -> bool:
        """Return False only where no text that is nearly the same has these bits, or some of them."""
        return (self.bits & bits).bit_count() >= self.least


def outlines(texts: Sequence[str]) -> list[Outline]:
    """Return the outline of each text.

    A word of one text that the other lacks spoils every shingle it stands in, and the first of these begins with it
    (but for the last words of the text). So nearly the same texts, which share 0.7 of their shingles, lack at most 0.3
    of the shingles, and these last words. A word that is lacking takes at most one bit with it.
    """
    batches = list(_batches(texts))
    longest = max((len(lines) for lines, _ in batches), default=0)
    powers = np.cumprod(np.full(longest, _BASE, np.uint64), dtype=np.uint64)
    inverse = np.cumprod(np.full(longest, _INVERSE, np.uint64), dtype=np.uint64)
    return [one for lines, lengths in batches for one in _outlines(lines, lengths, powers, inverse)]


def _batches(texts: Sequence[str]) -> Iterator[tuple[bytes, list[int]]]:
    """Yield texts as bytes whose words are parted, and for each text how many of its words make a shingle."""
    lines: list[bytes] = []
    lengths: list[int] = []
    size = 0
    for text in texts:
        if text.isascii():
            line, length = text.lower().encode(), WORDS
        else:
            words, characters = cut(text)
            line, length = (
                " ".join(words if characters is None else characters).encode(),
                WORDS if characters is None else CHARACTERS,
            )
        lines.append(line)
        lengths.append(length)
        size += len(line)
        if size > _BYTES_AT_ONCE:
            yield _BETWEEN.join(lines), lengths
            lines, lengths, size = [], [], 0
    if lines:
        yield _BETWEEN.join(lines), lengths


def _outlines(lines: bytes, lengths: list[int], powers: NDArray[np.uint64], inverse: NDArray[np.uint64]) -> Iterator[Outline]:
    data = np.frombuffer(lines, np.uint8)
    bounds = np.diff(_IN_WORDS[data].view(np.int8), prepend=0, append=0)
    starts, ends = np.flatnonzero(bounds == 1), np.flatnonzero(bounds == -1)
    # A word's number is the sum of its bytes, each times a power of the base that goes by its place in the word.
    sums = np.concatenate([np.zeros(1, np.uint64), np.cumsum(data * powers[: len(data)])])
    bits = ((sums[ends] - sums[starts]) * inverse[starts]) >> np.uint64(64 - _BITS)
    rows = np.searchsorted(np.flatnonzero(data == _BETWEEN[0]), starts)
    marks = np.zeros((len(lengths), 1 << _BITS), bool)
    marks[rows, bits] = True
    packed, width = np.packbits(marks, axis=1).tobytes(), (1 << _BITS) // 8
    counts, marked = np.bincount(rows, minlength=len(lengths)).tolist(), np.count_nonzero(marks, axis=1).tolist()
    for at, (words, distinct, length) in enumerate(zip(counts, marked, lengths, strict=True)):
        count = words - length + 1
        if count < LEAST_SHINGLES:
            yield Outline(0, 1.0)  # shares no bit with any text
        else:
            lacking = (1.0 - LEAST_RESEMBLANCE) * count + (length - 1) + _ROUNDING
            yield Outline(int.from_bytes(packed[at * width : (at + 1) * width], "big"), max(1.0, distinct - lacking))
