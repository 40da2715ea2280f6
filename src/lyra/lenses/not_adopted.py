"""Not adopted: claims that do not stand, why, and what would have to happen for each to stand."""

from collections.abc import Mapping

from lyra.core.dependence import speaks
from lyra.core.domain_ruling import DANGEROUS_PATTERN, DENYLIST, HIGH_REJECTION_RATE, MANUAL, Ruling
from lyra.core.lens_view import LensView, Opinion
from lyra.core.materials import ClaimMaterial
from lyra.core.records import Claim, Relation
from lyra.core.verification import MIN_INDEPENDENT_SOURCES, ReasonCode

REJECTED, BLOCKED, PENDING = "rejected", "blocked", "pending"
Condition = dict[str, object]


def look(view: LensView) -> Opinion:
    """List every claim that a person rejected, that came from a page or domain out of use, or that is still pending."""
    origins: dict[str, list[str]] = {}
    for material in view.materials.claims:
        if material.claim.origin_fragment_id:
            origins.setdefault(material.claim.origin_fragment_id, []).append(material.claim.claim_id)
    shown = (_item(view, material, origins) for material in view.materials.claims)
    return Opinion(tuple(item for item in shown if item is not None))


def _item(view: LensView, material: ClaimMaterial, origins: Mapping[str, list[str]]) -> dict[str, object] | None:
    claim, ruling = material.claim, view.rulings.get(material.claim.origin_domain or "")
    found = _standing(material, ruling)
    if found is None:
        return None
    status, reason, detail, since = found
    conditions = _conditions(material, ruling)
    refuting = {edge.fragment_id for edge in material.evidence if speaks(edge) and edge.relation is Relation.REFUTES}
    return {
        "claim_id": claim.claim_id,
        "text": claim.text,
        "source_domain": claim.origin_domain,
        "source_domain_category": None if ruling is None else ruling.category,
        "status": status,
        "reason": reason,
        "reason_detail": detail,
        "rejected_at": since,
        "recovery": {
            "is_recoverable": bool(conditions),
            "conditions": conditions,
            "blocking_claims": sorted({other for fragment in refuting for other in origins.get(fragment, ())}),
            "required_independent_sources": max(0, MIN_INDEPENDENT_SOURCES - material.independent.sources),
        },
    }


def _standing(material: ClaimMaterial, ruling: Ruling | None) -> tuple[str, str, str | None, str | None] | None:
    """Return status, reason code, a person's words and since when; None for a claim that stands."""
    claim, verification = material.claim, material.verification
    if claim.claim_adoption_status == "not_adopted":
        return REJECTED, MANUAL, claim.claim_rejection_reason, claim.claim_rejected_at
    if claim.origin_quarantined_at is not None:
        return REJECTED, DANGEROUS_PATTERN, None, claim.origin_quarantined_at
    if ruling is not None and not ruling.decision.allowed:
        leading = next(signal for signal in ruling.signals if signal.reason == ruling.decision.block_reason)
        said = leading.facts.get("reason")
        return BLOCKED, leading.reason, None if said is None else str(said), leading.blocked_at
    if verification.status == PENDING:
        return PENDING, verification.reason_code.value, None, None
    return None


def _conditions(material: ClaimMaterial, ruling: Ruling | None) -> list[Condition]:
    """Return all that has to happen before the claim stands, what a person must do first."""
    claim = material.claim
    found: list[Condition] = []
    if claim.claim_adoption_status == "not_adopted":
        found.append({"code": "claim_restore", "claim_id": claim.claim_id})
    if claim.origin_quarantined_at is not None:
        found.append({"code": "page_release", "page_id": claim.origin_page_id})
    if ruling is not None and not ruling.decision.allowed:
        found += _unblocking(claim, ruling)
    return found + _evidence(material)


def _unblocking(claim: Claim, ruling: Ruling) -> list[Condition]:
    found: list[Condition] = []
    for signal in ruling.signals:
        if signal.reason == DENYLIST:
            found.append({"code": "denylist_edit", "pattern": signal.facts.get("pattern")})
        elif signal.reason == HIGH_REJECTION_RATE:
            found.append({"code": "rate_falls", "domain": claim.origin_domain})
        elif signal.reason == MANUAL:
            found.append({"code": "override_clear", "pattern": signal.facts.get("pattern")})
    return [*found, {"code": "domain_unblock", "domain": claim.origin_domain}]


def _evidence(material: ClaimMaterial) -> list[Condition]:
    """Return what the evidence still lacks, whatever else stands in the way."""
    independent = material.independent
    refuting = [edge.edge_id for edge in material.evidence if speaks(edge) and edge.relation is Relation.REFUTES]
    found: list[Condition] = []
    if independent.sources < MIN_INDEPENDENT_SOURCES:
        count = MIN_INDEPENDENT_SOURCES - independent.sources
        found.append({"code": "more_sources", "reason": ReasonCode.INSUFFICIENT_EVIDENCE.value, "count": count})
    if independent.refuting_sources:
        count = independent.refuting_sources
        found.append(
            {"code": "refutation_gone", "reason": ReasonCode.CONFLICTING_EVIDENCE.value, "count": count, "edge_ids": refuting}
        )
    return found
