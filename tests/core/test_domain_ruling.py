"""The one decision about a host: who outweighs whom, and what it costs to unblock."""

import pytest

from lyra.core.domain_patterns import OverrideRule
from lyra.core.domain_policy import Policy, Terms
from lyra.core.domain_ruling import BLOCK_REASONS, BlockSignal, Ruling, rule_on
from lyra.core.domains import CATEGORIES, WEIGHTS, is_high, standing

HOST = "www.example.com"
POLICY = Policy(default=Terms(domain_category="unverified", qps=0.5, max_pages_per_day=20))
DENIED = Policy(denylist={"example.com": Terms(reason="spam")})
DANGER = BlockSignal("dangerous_pattern", "pages", "then", "job_1", "unverified", {"dangerous_pages": 2})
RATE = BlockSignal("high_rejection_rate", "wilson", "then", "feedback_1", "unverified", {"claims": 5})
UNKNOWN = BlockSignal("unknown", "?", "then")


def rule(decision: str, pattern: str = "*.example.com") -> OverrideRule:
    return OverrideRule("rule_1", pattern, decision, "a person said so", "then", "then", 1)


def decided(
    policy: Policy = POLICY,
    rules: list[OverrideRule] | None = None,
    blocks: list[BlockSignal] | None = None,
    *,
    promoted: bool = False,
) -> Ruling:
    return rule_on(HOST, policy, rules or [], blocks or [], promoted=promoted)


@pytest.mark.parametrize(
    ("policy", "rules", "blocks", "allowed", "reason", "risk"),
    [
        (POLICY, [], [], True, None, "low"),
        (DENIED, [], [], False, "denylist", "low"),
        (POLICY, [], [RATE], False, "high_rejection_rate", "low"),
        (POLICY, [], [DANGER], False, "dangerous_pattern", "high"),
        (POLICY, [], [UNKNOWN], False, "unknown", "high"),
        (POLICY, [rule("block")], [], False, "manual", "low"),
        (POLICY, [rule("block")], [DANGER], False, "manual", "high"),
        (DENIED, [], [DANGER, RATE], False, "dangerous_pattern", "high"),
        (DENIED, [], [RATE], False, "high_rejection_rate", "low"),
        (DENIED, [rule("unblock")], [], True, None, "low"),
        (POLICY, [rule("unblock")], [RATE], True, None, "low"),
        (POLICY, [rule("unblock")], [DANGER], True, None, "high"),
        (DENIED, [rule("unblock")], [DANGER, RATE, UNKNOWN], True, None, "high"),
        (DENIED, [rule("unblock"), rule("block", HOST)], [], False, "manual", "low"),
        (DENIED, [rule("block"), rule("unblock", HOST)], [DANGER], True, None, "high"),
        (POLICY, [rule("block", "*.other.com")], [], True, None, "low"),
    ],
)
def test_an_override_decides_first_and_the_risk_tells_what_it_would_lift(  # noqa: PLR0913, PLR0917 - a table
    policy: Policy, rules: list[OverrideRule], blocks: list[BlockSignal], allowed: bool, reason: str | None, risk: str
) -> None:
    found = decided(policy, rules, blocks)
    assert (found.decision.allowed, found.decision.block_reason, found.unblock_risk) == (allowed, reason, risk)
    assert (found.decision.category, found.decision.weight) == (("unverified", 0.3) if allowed else ("blocked", 0.0))


@pytest.mark.parametrize("reason", ["dangerous_pattern", "high_rejection_rate"])
@pytest.mark.parametrize("category", [name for name in CATEGORIES if is_high(name)])
def test_nobody_who_is_trusted_or_above_is_demoted_automatically(reason: str, category: str) -> None:
    policy = Policy(user_overrides={HOST: Terms(domain_category=category)})
    found = decided(policy, blocks=[BlockSignal(reason, "pages")])
    assert found.decision.allowed
    assert found.decision.weight == WEIGHTS[category]


def test_a_trusted_domain_can_still_be_denied_or_blocked_by_a_person() -> None:
    trusted = Policy(allowlist={"example.com": Terms(domain_category="primary")}, denylist={"example.com": Terms()})
    assert decided(trusted).decision.block_reason == "denylist"
    high = Policy(allowlist={"example.com": Terms(domain_category="primary")})
    assert decided(high, [rule("block")]).decision.block_reason == "manual"


def test_the_decision_carries_the_rates_the_rule_and_the_pattern() -> None:
    found = decided(DENIED, [rule("unblock")]).decision
    assert (found.matched_pattern, found.rule_id) == ("*.example.com", "rule_1")
    assert decided(DENIED).decision.matched_pattern == "example.com"
    plain = decided().decision
    assert (plain.qps, plain.max_pages_per_day, plain.max_requests_per_day, plain.headful_ratio) == (0.5, 20, None, 0.0)


@pytest.mark.parametrize(
    ("policy", "category"),
    [
        (Policy(), "low"),
        (Policy(allowlist={"example.com": Terms(domain_category="academic")}), "academic"),
        (Policy(user_overrides={HOST: Terms(domain_category="unverified")}), "unverified"),
        (Policy(user_overrides={HOST: Terms(qps=1.0)}), "low"),
    ],
)
def test_a_promotion_lifts_unverified_to_low_and_outweighs_nobodys_word(policy: Policy, category: str) -> None:
    assert decided(policy, promoted=True).decision.category == category


def test_wikipedia_only_points_unless_it_is_ordinary() -> None:
    follow, ordinary = Policy(), Policy(wikipedia_mode="ordinary")
    assert rule_on("ja.wikipedia.org", follow, [], [], promoted=False).decision.is_pointer
    assert not rule_on("ja.wikipedia.org", ordinary, [], [], promoted=False).decision.is_pointer
    assert not rule_on("notwikipedia.org", follow, [], [], promoted=False).decision.is_pointer


def test_every_category_has_a_weight_and_an_order() -> None:
    assert [standing(name) for name in CATEGORIES] == list(range(7))
    assert [WEIGHTS[name] for name in CATEGORIES] == [0.0, 0.30, 0.40, 0.75, 0.90, 0.95, 1.0]
    assert standing(None) == standing("unverified")
    assert len(set(BLOCK_REASONS)) == 5
