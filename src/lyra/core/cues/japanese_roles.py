"""Who does what to whom, who is compared with whom, and what is singled out: the same words in other places."""

import re

from lyra.core.cues.japanese_amounts import valued
from lyra.core.cues.japanese_text import Clause, content_words, share_found

_NOT_BUT = re.compile("(?:(?P<out>[^、はが]{1,24})(?:では|じゃ|で)(?:なく|なしに)(?:て)?、?)(?P<kept>[^、]{1,40})")
_ONLY = re.compile("だけ|のみ|しか|に限")
_PASSIVE = re.compile("(?:さ|[かがさたなばまらわ])れ[たてるなまず]|られ[たてるなまず]")
_MORE_SIDE = re.compile("([^、]{1,30})(?:の方|のほう)(?:が|は)")
_ENOUGH = 0.5


def only(text: str) -> bool:
    """Return whether a folded text singles something out."""
    return _ONLY.search(text) is not None


def focus(evidence: str, claim: str) -> tuple[float, float]:
    """Return how far a claim names what the evidence puts forward (XではなくY), and how far what it rules out."""
    match = _NOT_BUT.search(evidence)
    if match is None:
        return 0.0, 0.0
    out, kept = match["out"], match["kept"]
    ruled_out = share_found(out, claim) - share_found(out, kept)
    put_forward = share_found(kept, claim)
    head = re.split("[はがをにで]", kept, maxsplit=1)[0]
    return max(put_forward, share_found(head, claim)), max(0.0, ruled_out)


def swapped(evidence: Clause, claim: Clause) -> float:
    """Return 1.0 where the claim has doer and done-to, or giver and taker, the other way round."""
    best = 0.0
    if share_found(claim.predicate, evidence.predicate) < _ENOUGH:
        return 0.0
    for other in (("を",), ("に", "から", "によって", "により"), ("と",)):
        mine, theirs = _doer(claim, other), _doer(evidence, other)
        if all((*mine, *theirs)):
            straight = min(share_found(mine[0], theirs[0]), share_found(mine[1], theirs[1]))
            crossed = min(share_found(mine[0], theirs[1]), share_found(mine[1], theirs[0]))
            if crossed >= _ENOUGH and crossed > straight:
                best = max(best, crossed)
    crossed_voice = _across_voices(evidence, claim)
    return max(best, crossed_voice)


def _doer(clause: Clause, other: tuple[str, ...]) -> tuple[str, str]:
    subject, rest = clause.subject, clause.marked(*other)
    return (rest, subject) if _PASSIVE.search(clause.predicate) else (subject, rest)


def _across_voices(evidence: Clause, claim: Clause) -> float:
    """Return 1.0 where one is passive, the other active, and doer and done-to differ."""
    first, second = (_PASSIVE.search(clause.predicate) is not None for clause in (evidence, claim))
    if first == second or not share_found(evidence.predicate, claim.text):
        return 0.0
    passive, active = (evidence, claim) if first else (claim, evidence)
    done_to, by = passive.subject, passive.marked("に", "によって", "により")
    does, to = active.subject, active.marked("を")
    if not (done_to and does and (by or to)):
        return 0.0
    right = max(share_found(to, done_to) if to else 0.0, share_found(by, does) if by else 0.0)
    wrong = max(share_found(does, done_to), share_found(to, by) if to and by else 0.0)
    return 1.0 if wrong >= _ENOUGH and wrong > right else 0.0


def sides(clause: Clause) -> tuple[str, str] | None:
    """Return (what is said to be more, what it is compared with) of a clause that compares; None where it does not."""
    behind = clause.marked("より", "よりも")
    match = _MORE_SIDE.search(clause.text)
    if match is None and not behind:
        return None
    front = match[1].rsplit("より", maxsplit=1)[-1].lstrip("も、") if match else ""
    if not front:
        at = clause.text.find("より")
        # 都市より農村で多い: what is compared stands behind より, else before it.
        placed = [phrase for phrase in clause.phrases if phrase.particle in {"で", "に", "が"}]
        rest = " ".join(phrase.text for phrase in placed if clause.text.find(phrase.text.split()[-1]) > at)
        topic = clause.marked("は", "も", "では")
        front = rest if rest and (not topic or share_found(behind, rest) > share_found(behind, topic)) else clause.subject or rest
    return front, behind


def comparison(evidence: Clause, claim: Clause) -> float:
    """Return 1.0 where both compare the same way round, -1.0 where they are the other way round, 0.0 where unknown."""
    theirs = sides(evidence)
    mine = sides(claim)
    if theirs is None:
        return 0.0
    front, behind = theirs
    if mine is not None and mine[1]:
        straight = share_found(mine[0], front) + share_found(mine[1], behind)
        crossed = share_found(mine[0], behind) + share_found(mine[1], front)
    else:
        subject = mine[0] if mine is not None else claim.subject
        straight, crossed = share_found(subject, front), share_found(subject, behind)
    if straight == crossed:
        return 0.0
    return 1.0 if straight > crossed else -1.0


def valued_sides(evidence: str, claim: Clause) -> float:
    """Return 1.0 where by the figures of the evidence the claim's first side has more, -1.0 where it has less."""
    mine = sides(claim)
    found = valued(evidence)
    if len(found) != 2:  # noqa: PLR2004 - two sides
        return 0.0
    (one, first), (other, second) = found
    if first == second or not (content_words(one) and content_words(other)):
        return 0.0
    front = mine[0] if mine is not None else claim.subject
    behind = mine[1] if mine is not None else ""
    straight = share_found(front, one) + share_found(behind, other)
    crossed = share_found(front, other) + share_found(behind, one)
    if straight == crossed:
        return 0.0
    return 1.0 if (straight > crossed) == (first > second) else -1.0
