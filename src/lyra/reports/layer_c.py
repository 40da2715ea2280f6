"""Layer C: do confidences follow the patterns, within a report and between reports? Four checks."""

from collections.abc import Iterator

from lyra.reports import phrases
from lyra.reports.document import Item
from lyra.reports.draft import Draft, EarlierClaim, Finding, mark
from lyra.reports.layer_a import labelled_item
from lyra.reports.model import Claim, ClaimType
from lyra.reports.places import connection_ids
from lyra.reports.rendering import needs_precedence
from lyra.reports.resolution import breaks_cap, resolve

FAR_APART = 40


def c1(draft: Draft) -> Iterator[Finding]:
    """No claim is above the cap of its rejection patterns."""
    for claim in scored(draft):
        if breaks_cap(draft.structured, claim, draft.knowledge):
            cap = draft.knowledge.cap(claim.verification.pattern_rejections)
            names = "、".join(claim.verification.pattern_rejections)
            yield Finding(
                "C-1", claim.id, f"主張{claim.name}の確信度{claim.confidence}%が却下パターン{names}の上限{cap}%を超える"
            )


def c2(draft: Draft) -> Iterator[Finding]:
    """A claim below the floor of its high patterns carries a note; its value stays."""
    for claim in scored(draft):
        resolution = resolve(draft.structured, claim, draft.knowledge)
        if resolution.below_floor and is_shown(draft, claim) and not has_note(draft, claim, mark("C-2")):
            names = "、".join(claim.verification.pattern_matches)
            details = f"主張{claim.name}の確信度{resolution.confidence}%が高評価パターン{names}の下限{resolution.floor}%を下回る"
            yield Finding("C-2", claim.id, details)


def c3(draft: Draft) -> Iterator[Finding]:
    """A claim with patterns of both sides says that rejections go first, and what follows."""
    for claim in scored(draft):
        if needs_precedence(claim) and is_shown(draft, claim) and not has_note(draft, claim, phrases.REJECTION_FIRST):
            yield Finding("C-3", claim.id, f"主張{claim.name}は却下と高評価の両方に該当するが、優先順位の注記がない")


def c4(draft: Draft) -> Iterator[Finding]:
    """Claims of other companies with the same patterns were not scored 40 points or more apart."""
    for claim in draft.structured.advantages:
        value = resolve(draft.structured, claim, draft.knowledge).confidence
        far = [one for one in draft.earlier if _comparable(draft, claim, one) and abs(one.confidence - value) >= FAR_APART]
        if far:
            others = "、".join(f"{one.ticker}「{one.claim}」{one.confidence}%" for one in far)
            yield Finding(
                "C-4", claim.id, f"主張{claim.name}（{value}%）と同じパターンの他銘柄の主張が40ポイント以上離れている: {others}"
            )


def compared(draft: Draft) -> str:
    """Return with how many claims of other companies this report was compared."""
    return f"比較した他銘柄の主張: {len(draft.earlier)}件"


def _comparable(draft: Draft, claim: Claim, earlier: EarlierClaim) -> bool:
    sets = frozenset(claim.verification.pattern_matches), frozenset(claim.verification.pattern_rejections)
    same = any(sets) and sets == (earlier.pattern_matches, earlier.pattern_rejections)
    return same and earlier.ticker.casefold() != draft.structured.ticker.casefold()


def scored(draft: Draft) -> tuple[Claim, ...]:
    """Return the claims that have a confidence: advantages, then connections."""
    return (*draft.structured.advantages, *draft.structured.connections)


def notes(draft: Draft, claim: Claim) -> list[str]:
    """Return the notes on a claim's patterns: the items below パターン照合, or those below section 4's table."""
    if claim.claim_type is not ClaimType.COMPETITIVE_ADVANTAGE:
        return [item.text for item in connection_notes(draft) if connection_ids(item.text)[:1] == [claim.id]]
    section = draft.report.section(claim.id)
    part = section.sub(phrases.VERIFICATION) if section else None
    if section is None or part is None:
        return []
    patterns = labelled_item(section, phrases.PATTERNS)
    items = (item for item in part.items() if patterns is None or patterns.line < item.line < patterns.end)
    return [item.text for item in items]


def connection_notes(draft: Draft) -> list[Item]:
    """Return the list items below the table of CAGR connections."""
    table = draft.report.section_4
    found: list[Item] = []
    for block in draft.report.document.blocks if table else ():
        if table and block.line >= table.end:
            if block.kind == "heading":
                break
            found += block.items
    return found


def is_shown(draft: Draft, claim: Claim) -> bool:
    """Return whether the report has the place in which a note on a claim stands; else A-1 renders it first."""
    if claim.claim_type is ClaimType.COMPETITIVE_ADVANTAGE:
        return draft.report.section(claim.id) is not None
    return draft.report.section_4 is not None


def has_note(draft: Draft, claim: Claim, word: str) -> bool:
    """Return whether a note on a claim's patterns holds a word."""
    return any(word in text for text in notes(draft, claim))
