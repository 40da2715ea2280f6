"""Rejection rates and the rules that block a domain."""

from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lyra.core.rejections import BlockRules, Rejections, exceeds, wilson_lower


@pytest.mark.parametrize(
    ("security", "manual", "total", "rates"),
    [
        (set(), set(), 0, (0.0, 0.0, 0.0)),
        (set(), set(), 4, (0.0, 0.0, 0.0)),
        ({1}, set(), 4, (0.25, 0.0, 0.25)),
        (set(), {1, 2}, 4, (0.0, 0.5, 0.5)),
        ({1}, {1}, 4, (0.25, 0.25, 0.25)),
        ({1, 2}, {2, 3}, 4, (0.5, 0.5, 0.75)),
        ({1, 2, 3, 4}, {1, 2, 3, 4}, 4, (1.0, 1.0, 1.0)),
    ],
)
def test_a_claim_that_was_rejected_twice_counts_once_in_the_combined_rate(
    security: set[int], manual: set[int], total: int, rates: tuple[float, float, float]
) -> None:
    counts = Rejections(total, len(security), len(manual), len(security | manual))
    assert rates == (
        counts.domain_claim_security_rejection_rate,
        counts.domain_claim_manual_rejection_rate,
        counts.domain_claim_combined_rejection_rate,
    )


@pytest.mark.parametrize(
    ("rejected", "claims", "by_rate", "by_wilson"),
    [
        (4, 4, False, False),
        (1, 5, False, False),
        (2, 5, True, False),
        (3, 5, True, False),
        (4, 5, True, True),
        (3, 10, False, False),
        (4, 10, True, False),
        (30, 100, False, False),
        (31, 100, True, False),
        (41, 100, True, True),
    ],
)
def test_more_than_thirty_percent_of_five_claims_block_by_the_rule_that_is_set(
    rejected: int, claims: int, by_rate: bool, by_wilson: bool
) -> None:
    counts = Rejections(claims, 0, rejected, rejected)
    assert exceeds(counts, BlockRules()) is by_rate
    assert exceeds(counts, BlockRules(high_rejection_rule="wilson")) is by_wilson


def test_the_threshold_and_the_least_number_of_claims_can_be_set() -> None:
    counts = Rejections(3, 0, 2, 2)
    assert exceeds(counts, BlockRules(high_rejection_min_samples=3))
    assert not exceeds(counts, BlockRules(high_rejection_min_samples=3, high_rejection_rate_threshold=0.7))


@given(st.integers(0, 60), st.integers(0, 60))
def test_the_lower_bound_is_below_the_rate_and_within_0_and_1(hits: int, misses: int) -> None:
    trials = hits + misses
    assert 0.0 <= wilson_lower(hits, trials) <= (hits / trials if trials else 0.0)


def test_chance_blocks_a_good_domain_rarely_by_the_bound_and_often_by_the_rate() -> None:
    rules = {name: BlockRules(high_rejection_rule=name) for name in ("rate", "wilson")}
    chance = {
        name: sum(comb(5, k) * 0.1**k * 0.9 ** (5 - k) for k in range(6) if exceeds(Rejections(5, 0, k, k), rule))
        for name, rule in rules.items()
    }
    assert chance["rate"] == pytest.approx(0.0815, abs=0.0005)
    assert chance["wilson"] < 0.002
