"""Contradictions: what kind of disagreement each pair of opposing evidence looks like, from categories and dates."""

from calendar import monthrange
from dataclasses import dataclass
from datetime import date

from lyra.core.dependence import speaks
from lyra.core.domains import is_high, standing
from lyra.core.identity import host_of
from lyra.core.lens_view import LensView, Opinion
from lyra.core.materials import ClaimMaterial
from lyra.core.records import Evidence, Relation

SUPERSEDED, SCIENTIFIC_DEBATE, MISINFORMATION, METHODOLOGY = (
    "superseded",
    "scientific_debate",
    "misinformation",
    "methodology",
)
VERIFIED, REJECTED, CONTESTED, REPLACED = "verified", "rejected", "contested", "superseded"
_WIDE_GAP = 2
_YEAR, _YEAR_AND_MONTH = 1, 2


@dataclass(frozen=True, slots=True)
class Side:
    """One source of a contradiction: its category, when it was published, and how fast its field moves."""

    category: str
    published_on: str | None
    superseded_days: int


@dataclass(frozen=True, slots=True)
class Classification:
    """The kind of a contradiction, the status of both sides, and the numbers it was decided by.

    `days_apart` is the smallest number of days that can lie between the two; None where a date is unknown.
    """

    kind: str
    statuses: tuple[str, str]
    days_apart: int | None
    threshold_days: int
    category_gap: int


def classify(first: Side, second: Side) -> Classification:
    """Return what two opposing sources look like.

    Two high sources (trusted or above) are a scientific debate, unless one is so much newer that it supersedes the other.
    Otherwise a wide gap between the categories looks like misinformation on the lower side, a narrow one like a
    difference of method: then both stay, contested.
    """
    gap = abs(standing(first.category) - standing(second.category))
    threshold = max(first.superseded_days, second.superseded_days)
    earliest_gap, first_is_older = _apart(first.published_on, second.published_on)

    def of(kind: str, statuses: tuple[str, str]) -> Classification:
        return Classification(kind, statuses, earliest_gap, threshold, gap)

    if is_high(first.category) and is_high(second.category):
        if earliest_gap is not None and earliest_gap > threshold:
            return of(SUPERSEDED, (REPLACED, VERIFIED) if first_is_older else (VERIFIED, REPLACED))
        return of(SCIENTIFIC_DEBATE, (CONTESTED, CONTESTED))
    if gap >= _WIDE_GAP:
        first_is_lower = standing(first.category) < standing(second.category)
        return of(MISINFORMATION, (REJECTED, VERIFIED) if first_is_lower else (VERIFIED, REJECTED))
    return of(METHODOLOGY, (CONTESTED, CONTESTED))


def look(view: LensView) -> Opinion:
    """Classify every pair of a supporting and a refuting edge of every claim."""
    return Opinion(tuple(pair for material in view.materials.claims for pair in _pairs(view, material)))


def _pairs(view: LensView, material: ClaimMaterial) -> list[dict[str, object]]:
    speaking = list(filter(speaks, material.evidence))
    supports = [edge for edge in speaking if edge.relation is Relation.SUPPORTS]
    refutes = [edge for edge in speaking if edge.relation is Relation.REFUTES]
    opposed = {Relation.SUPPORTS: [e.edge_id for e in refutes], Relation.REFUTES: [e.edge_id for e in supports]}
    found: list[dict[str, object]] = []
    for supporting in supports:
        for refuting in refutes:
            result = classify(_side(view, supporting), _side(view, refuting))
            edges = zip((supporting, refuting), result.statuses, strict=True)
            found.append(
                {
                    "claim_id": material.claim.claim_id,
                    "text": material.claim.text,
                    "contradiction_type": result.kind,
                    "days_apart": result.days_apart,
                    "threshold_days": result.threshold_days,
                    "category_gap": result.category_gap,
                    "sides": [_shown(view, edge, status, opposed[edge.relation]) for edge, status in edges],
                }
            )
    return found


def _shown(view: LensView, edge: Evidence, status: str, contradicts: list[str]) -> dict[str, object]:
    return {
        "edge_id": edge.edge_id,
        "relation": edge.relation.value,
        "status": status,
        "contradicts": contradicts,
        "domain": host_of(edge.url),
        "domain_category": view.category(edge),
        "published_on": edge.published_on,
        "page_id": edge.page_id,
        "url": edge.url,
        "title": edge.title,
    }


def _side(view: LensView, edge: Evidence) -> Side:
    return Side(view.category(edge), edge.published_on, view.threshold(edge))


def _apart(first: str | None, second: str | None) -> tuple[int | None, bool]:
    """Return the smallest number of days between two dates of any precision, and whether the first one is older."""
    one, other = _span(first), _span(second)
    if one is None or other is None:
        return None, False
    older, newer = sorted((one, other))
    return max(0, (newer[0] - older[1]).days), one <= other


def _span(written: str | None) -> tuple[date, date] | None:
    """Return the first and last day that a date of its precision may mean; None for none."""
    if written is None:
        return None
    parts = [int(part) for part in written.split("-")]
    if len(parts) == _YEAR:
        return date(parts[0], 1, 1), date(parts[0], 12, 31)
    if len(parts) == _YEAR_AND_MONTH:
        return date(parts[0], parts[1], 1), date(parts[0], parts[1], monthrange(parts[0], parts[1])[1])
    day = date(*parts)
    return day, day
