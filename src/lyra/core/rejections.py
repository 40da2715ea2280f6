"""Rejection rates of a domain, and the rule that blocks it when too many of its claims were rejected. Pure."""

import math
from dataclasses import dataclass

RATE, WILSON = "rate", "wilson"
RULES = (RATE, WILSON)
# The two-sided 95 % point of the normal distribution.
_Z = 1.959963984540054


@dataclass(frozen=True, slots=True)
class BlockRules:
    """When a domain is blocked automatically. `high_rejection_rule` is `rate` or `wilson`."""

    high_rejection_rate_threshold: float = 0.30
    high_rejection_min_samples: int = 5
    high_rejection_rule: str = RATE
    dangerous_min_pages: int = 2


@dataclass(frozen=True, slots=True)
class Rejections:
    """How many claims came from a domain, and how many were rejected: by security, by people, by either; each counted once."""

    claims: int
    security: int
    manual: int
    combined: int

    @property
    def domain_claim_security_rejection_rate(self) -> float:
        """The share of claims from pages with a dangerous pattern."""
        return self._share(self.security)

    @property
    def domain_claim_manual_rejection_rate(self) -> float:
        """The share of claims that people rejected."""
        return self._share(self.manual)

    @property
    def domain_claim_combined_rejection_rate(self) -> float:
        """The share of claims that were rejected for either reason."""
        return self._share(self.combined)

    def _share(self, rejected: int) -> float:
        return rejected / self.claims if self.claims else 0.0


def exceeds(rejections: Rejections, rules: BlockRules) -> bool:
    """Return whether a domain has too many rejected claims.

    `rate` compares the combined rate itself, `wilson` the lower bound of its 95 % interval: with few claims, chance
    alone often exceeds the former. Either way the domain must have the least number of claims.
    """
    if rejections.claims < rules.high_rejection_min_samples:
        return False
    if rules.high_rejection_rule == WILSON:
        return wilson_lower(rejections.combined, rejections.claims) > rules.high_rejection_rate_threshold
    return rejections.domain_claim_combined_rejection_rate > rules.high_rejection_rate_threshold


def wilson_lower(hits: int, trials: int) -> float:
    """Return the lower bound of Wilson's score interval for a proportion (Wilson 1927), 95 % two-sided."""
    if not trials:
        return 0.0
    share, z2 = hits / trials, _Z * _Z
    centre = share + z2 / (2 * trials)
    margin = _Z * math.sqrt(share * (1 - share) / trials + z2 / (4 * trials * trials))
    return max(0.0, (centre - margin) / (1 + z2 / trials))
