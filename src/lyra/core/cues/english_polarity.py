"""Whether a claim says the same way round as its evidence: denied or not, up or down, who did it to whom."""

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from lyra.core.cues.english_align import Alignment
from lyra.core.cues.english_lexicon import Lexicon
from lyra.core.cues.english_sentence import Sentence

_FAR = 60
_EQUAL = re.compile(r"(?P<before>\w+) as (?P<what>\w+) (?:\w+ )?as ")
_UNEQUAL = frozenset("twice half not times thrice never nearly almost".split())
_LINKING = frozenset("well soon long far such".split())
_COMPARING = frozenset("outperform exceed surpass outnumber outweigh outlast overtak outstrip outliv outsell beat".split())
_PIVOTS = frozenset(("into", "to", "from", "before", "after"))
_TURNED_ROUND = {"before": "after", "after": "before"}
_BE = frozenset(("is", "are", "was", "were", "be", "been", "being", "get", "got"))
_DETERMINERS = frozenset("the a an this that these those its his her their our my your some any no each every of in at".split())
# How many aligned words before and after a verb are its doer and what it is done to.
_BEFORE, _AFTER = 2, 3
_BOTH = 2
_COPIED = 0.5


@dataclass(frozen=True, slots=True)
class Polarity:
    """What is turned round between evidence and claim; each 0.0 or 1.0."""

    negation: float
    same_direction: float
    opposed_direction: float
    other_dimension: float
    null_evidence: float
    null_claim: float
    roles: float
    comparison: float

    def turns(self) -> int:
        """Return how many of them turn the meaning."""
        return round(self.negation + self.opposed_direction + self.roles + self.comparison)


def polarity(evidence: Sentence, claim: Sentence, aligned: Alignment, known: Lexicon) -> Polarity:
    """Return what is turned round, going by the words both sentences have."""
    same, opposed, other_kind = _directions(evidence, claim, aligned, known)
    compared = _comparison(evidence, claim, aligned)
    return Polarity(
        negation=_negation(evidence, claim, aligned),
        same_direction=same,
        opposed_direction=opposed,
        other_dimension=other_kind,
        null_evidence=_null(_nearest_clause(evidence, aligned), known),
        null_claim=_null(claim.text, known),
        roles=0.0 if compared is not None else _roles(evidence, claim, aligned),
        comparison=float(compared or False),
    )


def _negation(evidence: Sentence, claim: Sentence, aligned: Alignment) -> float:
    """Return 1.0 where the first word both have behind a negation is denied in one of them alone."""
    pairs = {**aligned.same, **aligned.opposite}
    back = {other: one for one, other in pairs.items()}
    ours = next((one for one in sorted(pairs) if claim.denied[one] and not _subject(claim, one)), None)
    if ours is not None and not evidence.denied[pairs[ours]]:
        return 1.0
    theirs = next((other for other in sorted(back) if evidence.denied[other] and not _subject(evidence, other)), None)
    if ours is None and theirs is not None and not claim.denied[back[theirs]]:
        return 1.0
    return 0.0


def _subject(sentence: Sentence, place: int) -> bool:
    """Return whether a negation reaches a word from behind, as in "salmon were absent"."""
    return all(negator > place for negator in sentence.negators)


def _null(text: str, known: Lexicon) -> float:
    if any(f" {phrase} " in text for phrase in known.nulls):
        return 1.0
    found = _EQUAL.search(text)
    return float(found is not None and found.group("before") not in _UNEQUAL and found.group("what") not in _LINKING)


def _nearest_clause(evidence: Sentence, aligned: Alignment) -> str:
    """Return the text of the clause that has most of the claim's words, or the whole sentence where none stands out."""
    counts = Counter(evidence.words[place].clause for place in aligned.same.values())
    if len(counts) < _BOTH or len(set(counts.values())) < _BOTH:
        return evidence.text
    best = max(counts, key=lambda clause: counts[clause])
    return " " + " ".join(word.text for word in evidence.words if word.clause == best) + " "


def _directions(evidence: Sentence, claim: Sentence, aligned: Alignment, known: Lexicon) -> tuple[float, float, float]:
    """Return (same, opposed, of another kind) of the words of direction that speak of what both sentences have."""
    ours, theirs = _signed(claim), _signed(evidence)
    if not ours or not theirs:
        return 0.0, 0.0, 0.0
    if len(ours) > 1 and len(theirs) > 1:
        ours, theirs = _without_shared(ours, theirs, claim, evidence)
    if len(ours) == len(theirs) == 1:
        return _verdict(claim, ours[0], evidence, theirs[0], known)
    best, chosen = _FAR, (ours[0], theirs[0])
    for one, other in aligned.same.items():
        mine, yours = min(ours, key=lambda p: abs(p - one)), min(theirs, key=lambda p: abs(p - other))
        distance = abs(mine - one) + abs(yours - other)
        if distance < best:
            best, chosen = distance, (mine, yours)
    return _verdict(claim, chosen[0], evidence, chosen[1], known)


def _without_shared(ours: list[int], theirs: list[int], claim: Sentence, evidence: Sentence) -> tuple[list[int], list[int]]:
    """Return the words of direction that only one of the two has; all of them where nothing would be left."""
    mine, yours = list(ours), list(theirs)
    for place in ours:
        twin = next((other for other in yours if evidence.words[other].stem == claim.words[place].stem), None)
        if twin is not None:
            mine.remove(place)
            yours.remove(twin)
    return (mine, yours) if mine and yours else (ours, theirs)


def _signed(sentence: Sentence) -> list[int]:
    return [place for place, sign in enumerate(sentence.signs) if sign]


def _verdict(claim: Sentence, one: int, evidence: Sentence, other: int, known: Lexicon) -> tuple[float, float, float]:
    mine, yours = claim.words[one].stem, evidence.words[other].stem
    if yours in known.antonyms.get(mine, ()):
        return 0.0, 1.0, 0.0
    if mine in known.specific and yours in known.specific and yours not in known.specific[mine]:
        return 0.0, 0.0, 1.0
    product = claim.signs[one] * evidence.signs[other]
    return float(product > 0), float(product < 0), 0.0


def _comparison(evidence: Sentence, claim: Sentence, aligned: Alignment) -> bool | None:
    """Return whether the two sides of "than" have changed places; None where one sentence has no such comparison."""
    mine, yours = _turning_point(claim), _turning_point(evidence)
    if mine is None or yours is None:
        return None
    pairs = {**aligned.same, **aligned.opposite}
    back = {other: one for one, other in pairs.items()}
    votes = 0
    for sentence, point, partner, there, where in (
        (claim, mine, pairs, evidence, yours),
        (evidence, yours, back, claim, mine),
    ):
        behind = next((place for place in sentence.content if place > point and not _both_sides(sentence, place, point)), None)
        if behind is not None and behind in partner and not _both_sides(there, partner[behind], where):
            votes += 1 if partner[behind] < where else -1
    return votes > 0


def _turning_point(sentence: Sentence) -> int | None:
    """Return the place of "than", of the second "as", or of a verb that compares."""
    seen = 0
    for word in sentence.words:
        if word.text == "than" or word.stem in _COMPARING or (word.stem == "los" and f" {word.text} to " in sentence.text):
            return word.place
    for word in sentence.words:
        seen += word.text == "as"
        if seen == _BOTH:
            return word.place
    return None


def _both_sides(sentence: Sentence, place: int, point: int) -> bool:
    stem = sentence.words[place].stem
    sides = {other < point for other in sentence.content if sentence.words[other].stem == stem}
    return len(sides) > 1


def _roles(evidence: Sentence, claim: Sentence, aligned: Alignment) -> float:
    """Return 1.0 where the doer and the one it is done to have changed places, told active or passive."""
    pairs = aligned.same
    kept_there = set(pairs.values())
    if (any(claim.signs) or any(evidence.signs)) and aligned.copied < _COPIED:
        return 0.0  # told in other words, of more and less: the order of words says nothing then
    for one, other in _pivots(evidence, claim, aligned):
        mine, yours = _sides(claim, one, set(pairs)), _sides(evidence, other, kept_there)
        left, right = ({pairs[place] for place in side} for side in mine)
        swapped = len(left & yours[1]) + len(right & yours[0])
        if swapped >= _BOTH and swapped > len(left & yours[0]) + len(right & yours[1]):
            return 1.0
    return 0.0


def _pivots(evidence: Sentence, claim: Sentence, aligned: Alignment) -> Iterable[tuple[int, int]]:
    for one, other in {**aligned.same, **aligned.opposite}.items():
        if _may_be_verb(claim, one) and _may_be_verb(evidence, other):
            yield one, other
    there = {word.text: word.place for word in evidence.words if word.text in _PIVOTS}
    for word in claim.words:
        for text in (word.text, _TURNED_ROUND.get(word.text, "")):
            if text in there:
                yield word.place, there[text]


def _may_be_verb(sentence: Sentence, place: int) -> bool:
    before = sentence.words[place - 1].text if place else ""
    return 0 < place < len(sentence.words) - 1 and before not in _DETERMINERS


def _sides(sentence: Sentence, pivot: int, kept: set[int]) -> tuple[set[int], set[int]]:
    """Return the aligned words that do it and those it is done to, as far as the order of words tells."""
    before = [place for place in sentence.content if place < pivot and place in kept][-_BEFORE:]
    after = [place for place in sentence.content if place > pivot and place in kept][:_AFTER]
    if sentence.words[pivot].text in _PIVOTS:
        return set(before[-1:]), set(after[:1])
    if not any(word.text in _BE for word in sentence.words[max(0, pivot - 2) : pivot]):
        return set(before), set(after)
    by = next((word.place for word in sentence.words[pivot:] if word.text == "by"), None)
    return ({place for place in after if by is not None and place > by}, set(before))
