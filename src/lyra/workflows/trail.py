"""From any number to what caused it: the history of a claim, an edge or a domain."""

from dataclasses import dataclass

from lyra.core.domain_ruling import Ruling
from lyra.core.errors import NotFound
from lyra.core.identity import normalise_host
from lyra.core.materials import ClaimMaterial
from lyra.core.trail import Contribution, TrailEvent
from lyra.store.evidence_store import EvidenceStore
from lyra.workflows.domain_gate import PolicyGate
from lyra.workflows.materials import collect


@dataclass(frozen=True, slots=True)
class ClaimTrail:
    """A claim with its numbers now, the edges behind them, and its history."""

    material: ClaimMaterial
    contributions: tuple[Contribution, ...]
    events: tuple[TrailEvent, ...]


@dataclass(frozen=True, slots=True)
class EdgeTrail:
    """An edge as it is now, and its history."""

    contribution: Contribution
    claim_id: str
    events: tuple[TrailEvent, ...]


@dataclass(frozen=True, slots=True)
class DomainTrail:
    """What holds for a domain now, and how it came to that."""

    domain: str
    ruling: Ruling
    events: tuple[TrailEvent, ...]


def trace_claim(store: EvidenceStore, claim_id: str) -> ClaimTrail:
    """Return the trail of a claim, or raise NotFound."""
    claim = store.tasks.claim(claim_id)
    (material,) = collect(store, claim.task_id, claim_ids=[claim_id]).claims
    return ClaimTrail(material, tuple(store.trails.contributions(claim_id)), tuple(store.trails.of_claim(claim_id)))


def trace_edge(store: EvidenceStore, edge_id: str) -> EdgeTrail:
    """Return the trail of an edge, or raise NotFound."""
    claim_id = store.corrections.edge(edge_id).claim_id
    (found,) = (one for one in store.trails.contributions(claim_id) if one.edge_id == edge_id)
    return EdgeTrail(found, claim_id, tuple(store.trails.of_edge(edge_id)))


def trace_domain(store: EvidenceStore, name: str) -> DomainTrail:
    """Return the trail of a domain, or raise NotFound for one that neither a page nor a decision ever named."""
    domain = normalise_host(name)
    events = tuple(store.trails.of_domain(domain))
    ruling = PolicyGate(store).explain(domain) if domain else None
    if ruling is None or not (events or ruling.signals or store.trails.knows_domain(domain)):
        raise NotFound("unknown_domain", domain=name)
    return DomainTrail(domain, ruling, events)
