"""Near-duplicates: texts that are one text, lightly edited.

Texts are compared by the share of their shingles that they have in common: Jaccard's coefficient over runs of words,
as in Broder, "On the resemblance and containment of documents" (1997). It is counted exactly, without sampling.
"""

import re
from collections import Counter
from collections.abc import Sequence

from lyra.core.identity import normalise_text
from lyra.core.lexicon import CJK

# At 0.7 a text of twenty words may differ in one, a text of two hundred in a dozen. Below twelve shingles a common
# turn of phrase is enough to make two texts alike.
LEAST_RESEMBLANCE = 0.7
LEAST_SHINGLES = 12
WORDS, CHARACTERS = 3, 5
# White space does not part the words of Japanese and Chinese: a text with this share of their characters goes by characters.
CJK_SHARE = 0.25
_WORD = re.compile(r"\w+")
ASCII_WORDS = "".join(chr(code) if chr(code).isalnum() or chr(code) == "_" else " " for code in range(128))
_CJK_CHARACTER = re.compile(f"[{CJK}]")


def shingles(text: str) -> frozenset[str]:
    """Return the runs of three words of a text, or of five characters where it is CJK; case and punctuation do not matter."""
    return frozenset(shingle_list(text))


def shingle_list(text: str) -> list[str]:
    """Return the shingles of a text in order, repeated ones too."""
    words, characters = cut(text)
    if characters is not None:
        return [characters[at : at + CHARACTERS] for at in range(len(characters) - CHARACTERS + 1)]
    return list(map(" ".join, zip(words, words[1:], words[2:], strict=False)))


def cut(text: str) -> tuple[list[str], str | None]:
    """Return the words of a text; and its characters, if it goes by characters."""
    if text.isascii():
        return text.lower().translate(ASCII_WORDS).split(), None
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
