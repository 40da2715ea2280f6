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
_IN_WORDS = bytes([character != " " for character in ASCII_WORDS] + [True] * 127 + [False])


class Outlines(NamedTuple):
    """The words of each text as a set of bits, and how many of them any text that is nearly the same must share."""

    bits: NDArray[np.uint64]
    least: NDArray[np.float64]

    def and_then(self, more: "Outlines") -> "Outlines":
        """Return these outlines and others behind them."""
        return Outlines(np.concatenate([self.bits, more.bits]), np.concatenate([self.least, more.least]))

    def alike(self, ones: NDArray[np.intp], others: NDArray[np.intp]) -> NDArray[np.bool_]:
        """Return for each pair of places whether the texts may be nearly the same; False only where they are not."""
        shared = np.bitwise_count(self.bits[ones] & self.bits[others]).sum(axis=1, dtype=np.int64)
        found: NDArray[np.bool_] = shared >= np.maximum(self.least[ones], self.least[others])
        return found

    def doubtful(self, at: NDArray[np.intp], owner: NDArray[np.int64], most: int) -> set[int]:
        """Return the owners of whose texts, given by their places, two may be nearly the same; one owner's come in a row.

        Of an owner of more texts than `most`, only those that stand nearer to each other than that are compared.
        """
        found: set[int] = set()
        for distance in range(1, min(most, len(at))):
            pairs = np.flatnonzero(owner[distance:] == owner[:-distance])
            if not len(pairs):
                break
            found.update(owner[pairs[self.alike(at[pairs], at[pairs + distance])]].tolist())
        return found


def outlines(texts: Sequence[str]) -> Outlines:
    """Return the outline of each text.

    A word of one text that the other lacks spoils every shingle it stands in, and the first of these begins with it
    (but for the last words of the text). So nearly the same texts, which share 0.7 of their shingles, lack at most 0.3
    of the shingles, and these last words. A word that is lacking takes at most one bit with it.
    """
    batches = list(_batches(texts))
    longest = max((len(lines) for lines, _ in batches), default=0)
    powers = np.cumprod(np.full(longest, _BASE, np.uint64), dtype=np.uint64)
    inverse = np.cumprod(np.full(longest, _INVERSE, np.uint64), dtype=np.uint64)
    drawn = [_outlines(lines, lengths, powers, inverse) for lines, lengths in batches]
    none = Outlines(np.zeros((0, (1 << _BITS) // 64), np.uint64), np.zeros(0))
    return Outlines(*map(np.concatenate, zip(none, *drawn, strict=True)))


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


def _outlines(lines: bytes, lengths: list[int], powers: NDArray[np.uint64], inverse: NDArray[np.uint64]) -> Outlines:
    data = np.frombuffer(lines, np.uint8)
    inside = np.frombuffer(b"\0%b\0" % lines.translate(_IN_WORDS), np.uint8)
    bounds = np.flatnonzero(inside[1:] != inside[:-1])
    starts, ends = bounds[::2], bounds[1::2]
    # A word's number is the sum of its bytes, each times a power of the base that goes by its place in the word.
    sums = np.concatenate([np.zeros(1, np.uint64), np.cumsum(data * powers[: len(data)])])
    bits = ((sums[ends] - sums[starts]) * inverse[starts]) >> np.uint64(64 - _BITS)
    words = np.diff(np.searchsorted(starts, np.flatnonzero(data == _BETWEEN[0])), prepend=0, append=len(starts))
    rows = np.repeat(np.arange(len(lengths)), words)
    marks = np.zeros(len(lengths) << _BITS, bool)
    marks[(rows << _BITS) + bits.astype(np.int64)] = True
    packed = np.packbits(marks).view(np.uint64).reshape(len(lengths), -1)
    length = np.array(lengths)
    count = words - length + 1
    lacking = (1.0 - LEAST_RESEMBLANCE) * count + (length - 1) + _ROUNDING
    least = np.maximum(1.0, np.bitwise_count(packed).sum(axis=1, dtype=np.int64) - lacking)
    # A text of few shingles is like none: no text shares infinitely many bits with it.
    return Outlines(packed, np.where(count < LEAST_SHINGLES, np.inf, least))
