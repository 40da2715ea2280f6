"""Which words of a claim its evidence has, in the same, a like, an opposite or a neighbouring word."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from lyra.core.cues.english_lexicon import Lexicon
from lyra.core.cues.english_sentence import Sentence
from lyra.core.cues.english_words import kin

_NOTHING: frozenset[str] = frozenset()
_PREFIXED_MIN = 4


@dataclass(frozen=True, slots=True)
class Alignment:
    """The places of the claim's content words by how the evidence has them, each with the evidence's place."""

    same: Mapping[int, int]
    opposite: Mapping[int, int]
    population: Mapping[int, int]
    sister: Mapping[int, int]
    missing: Sequence[int]
    copied: float
    substituted: int


def align(evidence: Sentence, claim: Sentence, known: Lexicon) -> Alignment:
    """Return the alignment; a word of the evidence may serve several words of the claim."""
    there = {evidence.words[place].stem: place for place in reversed(evidence.content)}
    wanted = set(claim.stems())
    same: dict[int, int] = {}
    rest: list[int] = []
    for place in claim.content:
        found = _find(claim.words[place].stem, there, known)
        if found is None:
            rest.append(place)
        else:
            same[place] = found
    opposite, population, sister = {}, {}, {}
    missing = []
    spare = {stem: place for stem, place in there.items() if stem not in wanted}
    for place in rest:
        stem = claim.words[place].stem
        against = _first(_opposed_to(stem, known), spare)
        against = _prefixed(stem, there, known) if against is None else against
        group = _first(known.population.get(stem, _NOTHING), spare)
        near = _first(known.sisters.get(stem, _NOTHING), spare)
        if against is not None and (stem in known.denying or evidence.words[against].stem in known.denying):
            continue  # counted as a negation already
        if against is not None:
            opposite[place] = against
        if group is not None:
            population[place] = group
        if near is not None:
            sister[place] = near
        if against is None:
            missing.append(place)
    copied, substituted = _copy(evidence, claim, set(missing))
    return Alignment(same, opposite, population, sister, missing, copied, substituted)


def _opposed_to(stem: str, known: Lexicon) -> frozenset[str]:
    """Return the stems that mean the opposite, of a comparative as well: "stricter" as "strict"."""
    for form in (stem, stem.removesuffix("er"), stem.removesuffix("r"), stem[:-3] if stem.endswith("er") else stem):
        if form in known.antonyms:
            return known.antonyms[form]
    return _NOTHING


def _find(stem: str, there: Mapping[str, int], known: Lexicon) -> int | None:
    if stem in there:
        return there[stem]
    for other in known.synonyms.get(stem, _NOTHING):
        if other in there:
            return there[other]
    for other, place in there.items():
        if kin(stem, other):
            return place
    return None


def _first(wanted: frozenset[str], there: Mapping[str, int]) -> int | None:
    for stem, place in there.items():
        if stem in wanted or (stem.endswith("er") and (stem[:-2] in wanted or stem[:-3] in wanted)):
            return place
    return None


def _prefixed(stem: str, there: Mapping[str, int], known: Lexicon) -> int | None:
    for prefix in known.prefixes:
        if stem.startswith(prefix) and len(stem) - len(prefix) >= _PREFIXED_MIN and stem[len(prefix) :] in there:
            return there[stem[len(prefix) :]]
        if prefix + stem in there and len(stem) >= _PREFIXED_MIN:
            return there[prefix + stem]
    return None


def _copy(evidence: Sentence, claim: Sentence, missing: set[int]) -> tuple[float, int]:
    """Return how much of the claim is the evidence word for word, and how many words were put in the place of others."""
    left = [word.stem for word in claim.words]
    right = [word.stem for word in evidence.words]
    if not left or not right:
        return 0.0, 0
    matched = _common(left, right)
    edges = {-1: -1, len(left): len(right), **matched}
    substituted = 0
    for place in missing:
        before = edges.get(place - 1)
        after = edges.get(place + 1)
        substituted += before is not None and after is not None and after - before > 1
    return len(matched) / len(left), substituted


def _common(left: Sequence[str], right: Sequence[str]) -> dict[int, int]:
    """Return a longest common subsequence as places in `left` and `right`."""
    width = len(right) + 1
    rows = [[0] * width]
    for word in reversed(left):
        below, row = rows[-1], [0] * width
        for place in range(len(right) - 1, -1, -1):
            row[place] = below[place + 1] + 1 if right[place] == word else max(below[place], row[place + 1])
        rows.append(row)
    rows.reverse()
    matched: dict[int, int] = {}
    one = other = 0
    while one < len(left) and other < len(right):
        if left[one] == right[other]:
            matched[one] = other
            one, other = one + 1, other + 1
        elif rows[one + 1][other] >= rows[one][other + 1]:
            one += 1
        else:
            other += 1
    return matched
