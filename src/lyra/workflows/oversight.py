"""How sources are governed at this moment: blocked domains, overrides, the policy file, pages in quarantine."""

from lyra.core.domain_ruling import Ruling
from lyra.core.oversight import BlockedDomain, Oversight
from lyra.core.rejections import BlockRules
from lyra.store.evidence_store import EvidenceStore
from lyra.workflows.domain_gate import PolicyGate


def oversee(store: EvidenceStore, rules: BlockRules) -> Oversight:
    """Return how sources are governed now."""
    overrides = tuple(store.overrides.in_force())
    exact = {rule.domain_pattern for rule in overrides if not rule.domain_pattern.startswith("*")}
    gate = PolicyGate(store)
    rulings = {domain: gate.explain(domain) for domain in sorted({*store.domains.all(), *store.blocks.all(), *exact})}
    return Oversight(
        rules=rules,
        policy_path=None if store.policy is None else str(store.policy.path),
        policy=gate.policy(),
        blocked=tuple(_blocked(store, domain, ruling) for domain, ruling in rulings.items() if ruling.signals),
        overrides=overrides,
        rejections=store.blocks.all_rejections(),
        quarantined=tuple(store.quarantines.all()),
    )


def _blocked(store: EvidenceStore, domain: str, ruling: Ruling) -> BlockedDomain:
    return BlockedDomain(domain, ruling, store.blocks.rejections(domain), tuple(store.domains.claims(domain)))
