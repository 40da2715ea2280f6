"""Which of a paper's references and citations are taken in: three stages, pure arithmetic.

Stage 0 drops what cannot be judged, stage 1 keeps the nearest and most cited, stage 2 the most relevant of those.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import isnan, log1p

from lyra.core.gather_rules import CitationFilter
from lyra.core.works import Work

NEUTRAL = 0.5


@dataclass(frozen=True, slots=True)
class CitationCandidate:
    """A work that cites or is cited, with its similarity to the source paper and its impact among the candidates."""

    work: Work
    similarity: float
    impact: float
    score: float


def impact_scores(counts: Sequence[int | None]) -> list[float]:
    """Return the percentile rank of each citation count within the set, in [0, 1]; ties share the mean rank.

    The counts are compared as log1p, which changes no rank. A single candidate can be compared with nothing and gets 0.5;
    an unknown count stands as none.
    """
    values = [log1p(max(0, count or 0)) for count in counts]
    if len(values) == 1:
        return [NEUTRAL]
    last = len(values) - 1
    ordered = sorted(values)
    first: dict[float, int] = {}
    final: dict[float, int] = {}
    for place, value in enumerate(ordered):
        first.setdefault(value, place)
        final[value] = place
    return [(first[value] + final[value]) / 2 / last for value in values]


def stage0(works: Sequence[Work], rules: CitationFilter) -> list[Work]:
    """Return the works that have an abstract and are cited often enough. Works are expected to be merged before."""
    return [work for work in works if work.abstract and (work.citation_count or 0) >= rules.min_citation_count]


def stage1(works: Sequence[Work], similarities: Sequence[float], rules: CitationFilter) -> list[CitationCandidate]:
    """Return the best by similarity and impact, best first; ties keep the order of arrival."""
    impacts = impact_scores([work.citation_count for work in works]) if works else []
    found = [
        CitationCandidate(work, near, impact, rules.stage1_weight_embedding * near + rules.stage1_weight_impact * impact)
        for work, near, impact in zip(works, similarities, impacts, strict=True)
    ]
    return sorted(found, key=lambda one: -one.score)[: rules.stage1_top_k]


def stage2(
    candidates: Sequence[CitationCandidate], relevances: Sequence[float], rules: CitationFilter
) -> list[CitationCandidate]:
    """Return the best by relevance, similarity and impact, best first, each with its final score."""
    scored = [
        CitationCandidate(
            one.work,
            one.similarity,
            one.impact,
            rules.stage2_weight_relevance * relevance
            + rules.stage2_weight_embedding * one.similarity
            + rules.stage2_weight_impact * one.impact,
        )
        for one, relevance in zip(candidates, relevances, strict=True)
    ]
    return sorted(scored, key=lambda one: -one.score)[: rules.stage2_top_k]


def relevance_of(said: object) -> float:
    """Return what a model said on a scale of 0 to 10 as a value in [0, 1]; 0.5 for anything that is no number."""
    if isinstance(said, bool) or not isinstance(said, (int, float)) or isnan(said):
        return NEUTRAL
    return min(1.0, max(0.0, said / 10))
