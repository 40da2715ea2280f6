"""Holding a ticker out: an accuracy check whose knowledge holds the tested ticker's own scores proves nothing."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

from lyra.reports.knowledge import Knowledge, Pattern
from lyra.reports.model import Structured
from lyra.reports.resolution import resolve

_BASIS = re.compile(r"^\s*([A-Za-z0-9.^-]+)\s*#")
# Where an extraction may say whose scores its knowledge held, and whose it left out.
_KNOWN, _HELD_OUT = ("kb_tickers", "fewshot_tickers"), ("kb_held_out", "held_out_tickers")


@dataclass(frozen=True, slots=True)
class HeldOut:
    """What was taken out of the knowledge for a ticker, and what is known of the knowledge that the AI worked with.

    `scores` are single scores, `patterns` those that rested on them alone and were not used. `ai_knowledge` is `held_out`,
    `contains_ticker` or `not_stated`.
    """

    ticker: str
    scores: tuple[str, ...]
    patterns: tuple[str, ...]
    ai_knowledge: str


def hold_out(knowledge: Knowledge, structured: Structured) -> tuple[Knowledge, HeldOut]:
    """Return the knowledge without the scores of the tested ticker, and what that took away."""
    ticker = structured.ticker.upper()
    removed = [score for pattern in _every(knowledge) for score in pattern.basis if _ticker_of(score) == ticker]
    emptied = [pattern.id for pattern in _every(knowledge) if pattern.basis and not _left(pattern, ticker)]
    kept = replace(knowledge, rejections=_without(knowledge.rejections, ticker), highs=_without(knowledge.highs, ticker))
    return kept, HeldOut(structured.ticker, tuple(removed), tuple(emptied), _stated(structured, ticker))


@dataclass(frozen=True, slots=True)
class Revalued:
    """A claim whose verified value rests on a held-out pattern; `measured` is None where its value before is not known."""

    claim_id: int
    verified: int
    measured: int | None


def without_leakage(
    structured: Structured, given: Structured | None, kept: Knowledge, held_out: HeldOut
) -> tuple[Structured, tuple[Revalued, ...]]:
    """Return verified records as they would be without the held-out patterns, and the claims whose value that changes.

    A cap that was drawn from the tested ticker's own scores brings a claim to the very score it is then compared with. `given` is
    the data before verification; a claim that it does not have keeps its value and is listed.
    """
    revalued, claims = [], []
    for claim in structured.claims:
        named = set(claim.verification.pattern_rejections) & set(held_out.patterns)
        before = given.claim(claim.id) if given and named else None
        value = resolve(given, before, kept).confidence if given and before else None
        if named and value != claim.confidence:
            revalued.append(Revalued(claim.id, claim.confidence, value))
        measured = claim if value is None else replace(claim, verification=replace(claim.verification, final_confidence=value))
        claims.append(measured)
    return replace(structured, claims=tuple(claims)), tuple(revalued)


def _every(knowledge: Knowledge) -> list[Pattern]:
    return [*knowledge.rejections.values(), *knowledge.highs.values()]


def _ticker_of(score: str) -> str | None:
    found = _BASIS.match(score)
    return found[1].upper() if found else None


def _left(pattern: Pattern, ticker: str) -> tuple[str, ...]:
    return tuple(score for score in pattern.basis if _ticker_of(score) != ticker)


def _without(patterns: Mapping[str, Pattern], ticker: str) -> dict[str, Pattern]:
    """A pattern drawn from no single score stands; one drawn from the tested ticker alone goes."""
    kept = {name: replace(pattern, basis=_left(pattern, ticker)) for name, pattern in patterns.items()}
    return {name: pattern for name, pattern in kept.items() if pattern.basis or not patterns[name].basis}


def _stated(structured: Structured, ticker: str) -> str:
    def named(keys: tuple[str, ...]) -> set[str]:
        values = [structured.extraction_metadata.get(key) for key in keys]
        return {str(one).upper() for value in values if isinstance(value, list) for one in value}

    if ticker in named(_HELD_OUT):
        return "held_out"
    if ticker in named(_KNOWN):
        return "contains_ticker"
    return "held_out" if named(_KNOWN) else "not_stated"
