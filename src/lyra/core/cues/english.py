"""The cues of an English sentence and an English claim."""

from lyra.core.cues.english_align import Alignment, align
from lyra.core.cues.english_lexicon import lexicon
from lyra.core.cues.english_numbers import compare, quantities
from lyra.core.cues.english_polarity import Polarity, polarity
from lyra.core.cues.english_scope import Scope, scope
from lyra.core.cues.english_sentence import Sentence, read_sentence
from lyra.core.cues.names import blank

_MANY_MISSING = 5
_LONG_CLAIM, _LONG_EVIDENCE = 30, 80
_FEW = 2


def english_cues(evidence: str, claim: str) -> dict[str, float]:
    """Return every cue for one sentence of evidence and one claim; deterministic, and never fails on any text."""
    known = lexicon()
    said, asked = read_sentence(evidence), read_sentence(claim)
    aligned = align(said, asked, known)
    turned = polarity(said, asked, aligned, known)
    numbers = quantities(said), quantities(asked)
    beyond = scope(said, asked, numbers, bool(aligned.opposite) ^ (turned.opposed_direction > 0), known)
    counted = compare(*numbers)
    cues = blank()
    cues.update(_topic(said, asked, aligned))
    cues.update(_turns(said, asked, aligned, turned, beyond))
    cues.update(_reach(beyond))
    cues["number_same"], cues["number_conflict"] = counted.same, counted.conflict
    cues["number_extra"] = counted.extra
    cues["time_conflict"] = max(counted.time_conflict, beyond.time_turned)
    cues["question"] = float(claim.rstrip().endswith("?"))
    return cues


def _topic(said: Sentence, asked: Sentence, aligned: Alignment) -> dict[str, float]:
    count = len(asked.content)
    covered = len(aligned.same) + len(aligned.opposite)
    names = sum(asked.words[place].capital and place > 0 for place in aligned.missing)
    return {
        "overlap": covered / count if count else 0.0,
        "missing": min(1.0, len(aligned.missing) / _MANY_MISSING),
        "names_missing": min(1.0, names / _FEW),
        "antonym": float(bool(aligned.opposite)),
        "population_gap": float(bool(aligned.population)),
        "sister": float(bool(aligned.sister)),
        "copied": aligned.copied,
        "substituted": min(1.0, aligned.substituted / _FEW),
        "length_claim": min(1.0, len(asked.words) / _LONG_CLAIM),
        "length_evidence": min(1.0, len(said.words) / _LONG_EVIDENCE),
    }


def _turns(said: Sentence, asked: Sentence, aligned: Alignment, turned: Polarity, beyond: Scope) -> dict[str, float]:
    count = turned.turns() + bool(aligned.opposite) + (beyond.time_turned > 0 and not aligned.opposite and not turned.negation)
    count += beyond.complement
    return {
        "negation_claim": float(len(asked.negators) > 0),
        "negation_evidence": float(len(said.negators) > 0),
        "negation_flip": turned.negation,
        "null_result": turned.null_evidence,
        "null_claim": turned.null_claim,
        "direction_same": turned.same_direction,
        "direction_opposed": turned.opposed_direction,
        "other_dimension": turned.other_dimension,
        "roles_swapped": turned.roles,
        "comparison_swapped": turned.comparison,
        "turned_once": float(count % 2),
        "turned_twice": float(count > 0 and count % 2 == 0),
    }


def _reach(beyond: Scope) -> dict[str, float]:
    return {
        "hedge_gap": float(beyond.hedge_evidence > beyond.hedge_claim),
        "hedge_claim": beyond.hedge_claim,
        "hedge_evidence": beyond.hedge_evidence,
        "certain_claim": beyond.certain_claim,
        "quantifier_gap": beyond.quantifier_gap,
        "quantifier_conflict": beyond.quantifier_conflict,
        "quantifier_same": beyond.quantifier_same,
        "cause_gap": beyond.cause_gap,
        "only_claim": beyond.only,
    }
