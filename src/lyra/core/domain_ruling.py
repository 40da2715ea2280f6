"""The one decision about a host: policy, override rules and blocks in, a decision with its reasons out. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from lyra.core.domain_decision import DomainDecision
from lyra.core.domain_patterns import OverrideRule, ruling
from lyra.core.domain_policy import Policy, Standing
from lyra.core.domains import BLOCKED, DEFAULT_CATEGORY, PROMOTED_CATEGORY, WEIGHTS, is_high

DANGEROUS_PATTERN, UNKNOWN, HIGH_REJECTION_RATE, DENYLIST, MANUAL = (
    "dangerous_pattern",
    "unknown",
    "high_rejection_rate",
    "denylist",
    "manual",
)
# The first of a domain's signals in this order is named as the reason.
BLOCK_REASONS = (DANGEROUS_PATTERN, UNKNOWN, HIGH_REJECTION_RATE, DENYLIST, MANUAL)
_RISKY = (DANGEROUS_PATTERN, UNKNOWN)
# Found by the program itself: they demote nobody who is trusted.
_AUTOMATIC = (DANGEROUS_PATTERN, HIGH_REJECTION_RATE)
BLOCK, UNBLOCK = "block", "unblock"


@dataclass(frozen=True, slots=True)
class BlockSignal:
    """A reason to block a domain. `rule` is what fired: `pages`, `rate`, `wilson`, `denylist` or `override`."""

    reason: str
    rule: str
    blocked_at: str | None = None
    cause_id: str | None = None
    original_category: str | None = None
    facts: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Ruling:
    """All that is behind a decision: the signals to block, and the override that outweighs them, if there is one."""

    decision: DomainDecision
    signals: tuple[BlockSignal, ...]
    override: OverrideRule | None
    category: str
    category_source: str

    @property
    def unblock_risk(self) -> str:
        """How risky it is to unblock: `high` where one signal is a dangerous pattern or of unknown cause, else `low`."""
        return "high" if any(signal.reason in _RISKY for signal in self.signals) else "low"


def own_category(standing: Standing, *, promoted: bool) -> str:
    """Return the category of a host, blocks aside. A promotion never outweighs what a person wrote."""
    if promoted and standing.category == DEFAULT_CATEGORY and standing.source != "user_overrides":
        return PROMOTED_CATEGORY
    return standing.category


def rule_on(host: str, policy: Policy, rules: Sequence[OverrideRule], blocks: Sequence[BlockSignal], *, promoted: bool) -> Ruling:
    """Decide whether a normalised host may be used, and why.

    An override rule decides before everything else; without one, the denylist or any block is enough.
    """
    standing = policy.standing(host)
    category = own_category(standing, promoted=promoted)
    found = [signal for signal in blocks if signal.reason not in _AUTOMATIC or not is_high(category)]
    if standing.denied_by is not None and standing.denial is not None:
        facts = {"pattern": standing.denied_by, "reason": standing.denial.reason}
        found.append(BlockSignal(DENYLIST, "denylist", standing.denial.added_at, None, category, facts))
    override = ruling(rules, host)
    if override is not None and override.decision == BLOCK:
        facts = {"pattern": override.domain_pattern, "reason": override.reason}
        found.append(BlockSignal(MANUAL, "override", override.updated_at, override.rule_id, category, facts))
    signals = tuple(sorted(found, key=lambda signal: BLOCK_REASONS.index(signal.reason)))
    reason, pattern = signals[0].reason if signals else None, None
    if override is not None:
        reason, pattern = MANUAL if override.decision == BLOCK else None, override.domain_pattern
    elif reason == DENYLIST:
        pattern = standing.denied_by
    decision = DomainDecision(
        host=host,
        allowed=reason is None,
        category=category if reason is None else BLOCKED,
        weight=WEIGHTS[category if reason is None else BLOCKED],
        block_reason=reason,
        matched_pattern=pattern,
        rule_id=None if override is None else override.rule_id,
        qps=standing.terms.qps,
        max_requests_per_day=standing.terms.max_requests_per_day,
        max_pages_per_day=standing.terms.max_pages_per_day,
        headful_ratio=standing.terms.headful_ratio or 0.0,
        is_pointer=policy.is_pointer(host),
    )
    return Ruling(decision, signals, override, category, standing.source)
