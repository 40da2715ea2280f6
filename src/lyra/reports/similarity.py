"""How alike two texts are: cosine of their character 1- to 3-grams, weighted by how rare each is among the texts compared.

Characters need no segmentation, so that Japanese and English are treated alike. What only some texts share counts more than what
all share; the weights are those of the texts at hand, so that no corpus has to be shipped.
"""

import math
import re
import unicodedata
from collections import Counter
from collections.abc import Sequence

LONGEST = 3
_MARKUP = re.compile(r"<[^<>]{1,40}>|[*_`#|\\]")
_BLANK = re.compile(r"[\s\W]+")

Vector = dict[str, float]


def similarities(left: Sequence[str], right: Sequence[str]) -> list[list[float]]:
    """Return, for each text on the left, its similarity from 0 to 1 with each text on the right."""
    counts = [_grams(text) for text in (*left, *right)]
    spread = Counter(gram for grams in counts for gram in grams)
    rarity = {gram: math.log((1 + len(counts)) / (1 + texts)) + 1 for gram, texts in spread.items()}
    vectors = [_unit(grams, rarity) for grams in counts]
    return [[_cosine(one, other) for other in vectors[len(left) :]] for one in vectors[: len(left)]]


def folded(text: str) -> str:
    """Return what is compared of a text: one form of each character, lower case, no markup, no punctuation, no space."""
    return _BLANK.sub("", unicodedata.normalize("NFKC", _MARKUP.sub("", text)).lower())


def _grams(text: str) -> Counter[str]:
    whole = folded(text)
    return Counter(whole[at : at + size] for size in range(1, LONGEST + 1) for at in range(len(whole) - size + 1))


def _unit(grams: Counter[str], rarity: Vector) -> Vector:
    weights = {gram: (1 + math.log(count)) * rarity[gram] for gram, count in grams.items()}
    length = math.sqrt(math.fsum(weight * weight for weight in weights.values()))
    return {gram: weight / length for gram, weight in weights.items()} if length else {}


def _cosine(one: Vector, other: Vector) -> float:
    if len(other) < len(one):
        one, other = other, one
    return min(1.0, math.fsum(weight * other[gram] for gram, weight in one.items() if gram in other))
