"""Blocks, promotions and categories, brought in line with the facts: pages in quarantine, rejected claims, the policy."""

from collections.abc import Iterable, Sequence

from lyra.core.domain_ruling import DANGEROUS_PATTERN, HIGH_REJECTION_RATE, BlockSignal
from lyra.core.domains import DEFAULT_CATEGORY, is_high
from lyra.core.rejections import BlockRules, exceeds
from lyra.store.evidence_store import EvidenceStore
from lyra.workflows.domain_gate import PolicyGate

_PAGES = "pages"


def reconsider(store: EvidenceStore, rules: BlockRules, domains: Iterable[str], cause_id: str | None) -> list[str]:
    """Block each domain that the rules now block, and lift what they no longer do; returns those that changed.

    A domain that is trusted or above is never blocked so. Every change is logged with the numbers it came from. One
    transaction.
    """
    gate, changed = PolicyGate(store), []
    with store.transaction():
        for domain in domains:
            category = gate.explain(domain).category
            wanted = [] if is_high(category) else _signals(store, rules, domain, category, cause_id)
            known = {signal.reason for signal in store.blocks.all().get(domain, ())}
            fresh = [signal for signal in wanted if signal.reason not in known]
            over = known & {DANGEROUS_PATTERN, HIGH_REJECTION_RATE} - {signal.reason for signal in wanted}
            for signal in fresh:
                store.blocks.add(domain, signal)
            for reason in over:
                store.blocks.lift(domain, reason, {"category": category, **_numbers(store, domain)}, cause_id)
            if fresh or over:
                changed.append(domain)
        settle(store, changed, cause_id)
    return changed


def settle(store: EvidenceStore, domains: Iterable[str], cause_id: str | None) -> None:
    """Record for each host the category that is in force, and whether its pages are mere pointers. One transaction."""
    gate = PolicyGate(store)
    with store.transaction():
        for domain in domains:
            decision = gate.decide(domain)
            store.domains.note(domain, decision.category, cause_id)
            store.domains.note_pointers(domain, is_pointer=decision.is_pointer)


def settle_all(store: EvidenceStore, rules: BlockRules, cause_id: str | None) -> list[str]:
    """Bring everything in line with the policy as it is now; returns the hosts that may not be used. One transaction."""
    gate = PolicyGate(store)
    with store.transaction():
        suspects = {*store.blocks.all(), *store.blocks.all_rejections(), *store.quarantines.domains()}
        reconsider(store, rules, sorted(suspects), cause_id)
        known = sorted(store.domains.all())
        settle(store, known, cause_id)
        return [domain for domain in known if not gate.decide(domain).allowed]


def promote(store: EvidenceStore, verified: Sequence[str], cause_id: str | None) -> list[str]:
    """Make the unverified domains whose pages support verified claims `low`; returns those that changed. One transaction."""
    gate, changed = PolicyGate(store), []
    with store.transaction():
        for claim_id in verified:
            hosts = store.domains.supporting(claim_id)
            unverified = [domain for domain in hosts if gate.explain(domain).category == DEFAULT_CATEGORY]
            changed += [domain for domain in unverified if store.domains.promote(domain, claim_id, cause_id)]
        settle(store, changed, cause_id)
    return changed


def _signals(store: EvidenceStore, rules: BlockRules, domain: str, category: str, cause_id: str | None) -> list[BlockSignal]:
    facts, found = _numbers(store, domain), []
    limits: dict[str, object]
    if store.blocks.dangerous_pages(domain) >= rules.dangerous_min_pages:
        limits = {"dangerous_min_pages": rules.dangerous_min_pages}
        found.append(BlockSignal(DANGEROUS_PATTERN, _PAGES, None, cause_id, category, {**facts, **limits}))
    if exceeds(store.blocks.rejections(domain), rules):
        limits = {"threshold": rules.high_rejection_rate_threshold, "min_samples": rules.high_rejection_min_samples}
        found.append(BlockSignal(HIGH_REJECTION_RATE, rules.high_rejection_rule, None, cause_id, category, {**facts, **limits}))
    return found


def _numbers(store: EvidenceStore, domain: str) -> dict[str, object]:
    counts = store.blocks.rejections(domain)
    return {
        "claims": counts.claims,
        "security_rejected": counts.security,
        "manual_rejected": counts.manual,
        "combined_rejected": counts.combined,
        "dangerous_pages": store.blocks.dangerous_pages(domain),
    }
