"""Near-duplicates: texts that are one text, lightly edited.

Texts are compared by the share of their shingles that they have in common: Jaccard's coefficient over runs of words,
as in Broder, "On the resemblance and containment of documents" (1997). It is counted exactly, without sampling.
"""

import re
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from lyra.core.identity import normalise_text
from lyra.core.lexicon import CJK

# At 0.7 a text of twenty words may differ in one, a text of two hundred in a dozen. Below twelve shingles a common
# turn of phrase is enough to make two texts alike.
LEAST_RESEMBLANCE = 0.7
LEAST_SHINGLES = 12
WORDS, CHARACTERS = 3, 5
_ROUNDING = 1e-9
_BITS = 1023
# White space does not part the words of Japanese and Chinese: a text with this share of their characters goes by characters.
CJK_SHARE = 0.25
_WORD = re.compile(r"\w+")
_ASCII_WORDS = "".join(chr(code) if chr(code).isalnum() or chr(code) == "_" else " " for code in range(128))
_CJK_CHARACTER = re.compile(f"[{CJK}]")


def shingles(text: str) -> frozenset[str]:
    """Return the runs of three words of a text, or of five characters where it is CJK; case and punctuation do not matter."""
    return frozenset(shingle_list(text))


def shingle_list(text: str) -> list[str]:
    """Return the shingles of a text in order, repeated ones too."""
    words, characters = _cut(text)
    if characters is not None:
        return [characters[at : at + CHARACTERS] for at in range(len(characters) - CHARACTERS + 1)]
    return list(map(" ".join, zip(words, words[1:], words[2:], strict=False)))


class Outline(NamedTuple):
    """The words of a text as a set of bits, and how many of them any text that is nearly the same must share."""

    bits: int
    least: float


def outline(text: str) -> Outline:
    """Return the outline of a text, by which most pairs that are not nearly the same can be told at once.

    A word of one text that the other lacks spoils every shingle it stands in, and the first of these begins with it
    (but for the last words of the text). So nearly the same texts, which share 0.7 of their shingles, lack at most 0.3
    of the shingles, and these last words. Two words may share a bit; that many fewer are asked for.
    """
    words, characters = _cut(text)
    parts, length = (words, WORDS) if characters is None else (characters, CHARACTERS)
    count = len(parts) - length + 1
    if count < LEAST_SHINGLES:
        return Outline(0, 1.0)  # shares no bit with any text
    distinct = set(parts)
    bits = 0
    for value in map(hash, distinct):
        bits |= 1 << (value & _BITS)
    lacking = (1.0 - LEAST_RESEMBLANCE) * count + (length - 1) + _ROUNDING
    collisions = len(distinct) - bits.bit_count()
    return Outline(bits, max(1.0, len(distinct) - lacking - collisions))


def may_be_nearly_the_same(first: Outline, second: Outline) -> bool:
    """Return False only for texts that are not nearly the same."""
    return (first.bits & second.bits).bit_count() >= max(first.least, second.least)


def _cut(text: str) -> tuple[list[str], str | None]:
    """Return the words of a text; and its characters, if it goes by characters."""
    if text.isascii():
        return text.lower().translate(_ASCII_WORDS).split(), None
    words = _WORD.findall(normalise_text(text).casefold())
    characters = "".join(words)
    by_characters = len(_CJK_CHARACTER.findall(characters)) >= CJK_SHARE * max(1, len(characters))
    return words, characters if by_characters else None


def resemblance(first: frozenset[str], second: frozenset[str]) -> float:
    """Return Jaccard's coefficient of two sets of shingles, from 0 to 1; 0 where both are empty."""
    return _share(len(first & second), len(first), len(second))


def near_duplicates(texts: Sequence[str]) -> list[tuple[int, int]]:
    """Return the pairs of positions, in order, of texts that are nearly the same.

    Both have at least `LEAST_SHINGLES` shingles and their resemblance is at least `LEAST_RESEMBLANCE`. Texts that share
    no shingle are never compared.
    """
    cut = [shingles(text) for text in texts]
    holders: dict[str, list[int]] = {}
    pairs = []
    for later, own in enumerate(cut):
        if len(own) < LEAST_SHINGLES:
            continue
        shared: Counter[int] = Counter()
        for shingle in own:
            earlier = holders.setdefault(shingle, [])
            shared.update(earlier)
            earlier.append(later)
        pairs += [(at, later) for at, count in shared.items() if _share(count, len(cut[at]), len(own)) >= LEAST_RESEMBLANCE]
    return sorted(pairs)


def _share(shared: int, first: int, second: int) -> float:
    return shared / (first + second - shared) if shared else 0.0
