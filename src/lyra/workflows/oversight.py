"""How sources are governed at this moment: blocked domains, overrides, the policy file, pages in quarantine."""

from collections.abc import Mapping
from dataclasses import dataclass

from lyra.core.domain_patterns import OverrideRule
from lyra.core.domain_policy import Policy
from lyra.core.domain_ruling import Ruling
from lyra.core.rejections import BlockRules, Rejections
from lyra.store.evidence_store import EvidenceStore
from lyra.store.quarantines import QuarantinedPage
from lyra.workflows.domain_gate import PolicyGate, PolicyState


@dataclass(frozen=True, slots=True)
class BlockedDomain:
    """A domain with a reason to block it, in force or overridden, and the claims that were extracted from it."""

    domain: str
    ruling: Ruling
    rejections: Rejections
    affected_claims: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Oversight:
    """All that decides about sources now."""

    blocked: tuple[BlockedDomain, ...]
    overrides: tuple[OverrideRule, ...]
    rejections: Mapping[str, Rejections]
    quarantined: tuple[QuarantinedPage, ...]
    policy: PolicyState
    policy_path: str | None
    rules: BlockRules


def oversee(store: EvidenceStore, rules: BlockRules) -> Oversight:
    """Return how sources are governed now."""
    overrides = tuple(store.overrides.in_force())
    exact = {rule.domain_pattern for rule in overrides if not rule.domain_pattern.startswith("*")}
    domains = sorted({*store.domains.all(), *store.blocks.all(), *exact})
    gate, source = PolicyGate(store), store.policy
    # Reading the shipped policy takes time that a home without hosts need not spend.
    unused = source is not None and not domains and not source.path.exists()
    policy = PolicyState(Policy(), "shipped") if unused else gate.policy()
    rulings = {domain: gate.explain(domain) for domain in domains}
    blocked = [domain for domain, ruling in rulings.items() if ruling.signals]
    return Oversight(
        blocked=tuple(_blocked(store, domain, rulings[domain]) for domain in blocked),
        overrides=overrides,
        rejections=store.blocks.all_rejections(),
        quarantined=tuple(store.quarantines.all()),
        policy=policy,
        policy_path=None if source is None else str(source.path),
        rules=rules,
    )


def _blocked(store: EvidenceStore, domain: str, ruling: Ruling) -> BlockedDomain:
    return BlockedDomain(domain, ruling, store.blocks.rejections(domain), tuple(store.domains.claims(domain)))
