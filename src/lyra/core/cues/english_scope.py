"""How far a claim goes beyond its evidence: certainty, shares of a group, cause instead of link, time."""

from dataclasses import dataclass

from lyra.core.cues.english_lexicon import Lexicon
from lyra.core.cues.english_numbers import Quantity
from lyra.core.cues.english_sentence import Sentence

_ONLY = (" only ", " exclusively ", " solely ", " alone ", " just one ", " sole ")
_STILL = (" still ", " to this day ", " continues to ", " remains ")
_GONE = (" no longer ", " any more ", " used to ", " not anymore ", " stopped ", " ceased ", " once ")
_BEFORE = (" before ", " prior to ", " until ")
_AFTER = (" after ", " following ", " since ", " once ")
# Told one after the other, or of a group: a link at most.
_IN_TURN = (" after ", " following ", " when ", " than ", " who ", " that ", " with more ", " with fewer ", " where ")
Share = tuple[float, float]
_LONGEST_PHRASE = 3
_NONE = (0.0, 0.0)


@dataclass(frozen=True, slots=True)
class Scope:
    """How far the claim goes beyond its evidence; each between 0.0 and 1.0."""

    hedge_evidence: float
    hedge_claim: float
    certain_claim: float
    quantifier_gap: float
    quantifier_conflict: float
    quantifier_same: float
    cause_gap: float
    only: float
    time_turned: float
    complement: bool


def scope(
    evidence: Sentence, claim: Sentence, numbers: tuple[list[Quantity], list[Quantity]], turned: bool, known: Lexicon
) -> Scope:
    """Return how far a claim goes beyond its evidence; `turned` when the two speak of opposite things."""
    theirs, ours = _share(evidence, numbers[0], known), _share(claim, numbers[1], known)
    gap, conflict, same = _quantifiers(theirs, ours, turned)
    return Scope(
        hedge_evidence=_hedged(evidence, known),
        hedge_claim=_hedged(claim, known),
        certain_claim=float(any(word.text in known.certain for word in claim.words)),
        quantifier_gap=gap,
        quantifier_conflict=conflict,
        quantifier_same=same,
        cause_gap=_cause_gap(evidence, claim, known),
        only=float(_any(claim, _ONLY) and not _any(evidence, _ONLY)),
        time_turned=_time_turned(evidence, claim),
        complement=turned and same > 0 and _NONE not in (theirs, ours),
    )


def _any(sentence: Sentence, phrases: tuple[str, ...]) -> bool:
    return any(phrase in sentence.text for phrase in phrases)


def _hedged(sentence: Sentence, known: Lexicon) -> float:
    if any(f" {phrase} " in sentence.text for phrase in known.hedge_phrases):
        return 1.0
    for word in sentence.words:
        if word.text in known.hedges and not (word.text == "may" and word.capital and word.place):
            return 1.0
    return 0.0


def _share(sentence: Sentence, numbers: list[Quantity], known: Lexicon) -> Share | None:
    """Return what share of a group a sentence speaks of: the longest phrase of its first quantifier, or a number."""
    words = sentence.words
    for place, word in enumerate(words):
        for length in range(_LONGEST_PHRASE, 0, -1):
            phrase = " ".join(other.text for other in words[place : place + length])
            if phrase in known.shares and _quantifies(sentence, place, length):
                return known.shares[phrase]
        if word.text == "not" and place + 1 < len(words) and words[place + 1].text in ("all", "every"):
            return 0.0, 0.999
    return next(((q.low, q.high) for q in numbers if q.kind == "share"), None)


def _quantifies(sentence: Sentence, place: int, length: int) -> bool:
    text = sentence.words[place].text
    after = sentence.words[place + length].text if place + length < len(sentence.words) else ""
    if text == "no":
        return after not in ("longer", "more", "less", "difference", "evidence", "effect", "doubt", "better", "sign")
    if text == "most" and length == 1:
        before = sentence.words[place - 1].text if place else ""
        return before != "the"
    if text in ("both", "common", "some", "rare"):
        return not (text == "some" and after[:1].isdigit())
    return True


def _quantifiers(evidence: Share | None, claim: Share | None, turned: bool) -> tuple[float, float, float]:
    """Return (goes beyond, contradicts, follows)."""
    if claim is None or evidence is None:
        return 0.0, 0.0, 0.0
    low, high = (1 - claim[1], 1 - claim[0]) if turned else claim
    if evidence[0] > high or evidence[1] < low:
        return 0.0, 1.0, 0.0
    if evidence[0] >= low and evidence[1] <= high:
        return 0.0, 0.0, 1.0
    return 1.0, 0.0, 0.0


def _cause_gap(evidence: Sentence, claim: Sentence, known: Lexicon) -> float:
    if not any(word.text in known.causal for word in claim.words) or any(word.text in known.links for word in claim.words):
        return 0.0
    if any(word.text in known.causal or word.text in known.experiment for word in evidence.words):
        return 0.0
    linked = any(word.text in known.links for word in evidence.words)
    if linked or any(f" {phrase} " in evidence.text for phrase in known.link_phrases):
        return 1.0
    return 0.5 * _any(evidence, _IN_TURN)


def _time_turned(evidence: Sentence, claim: Sentence) -> float:
    """Return 1.0 where one says "still" and the other "no longer", or one "before" and the other "after"."""
    for one, other in ((_STILL, _GONE), (_BEFORE, _AFTER)):
        for mine, yours in ((one, other), (other, one)):
            if _any(claim, mine) and not _any(claim, yours) and _any(evidence, yours) and not _any(evidence, mine):
                return 1.0
    return 0.0
