"""The answer to "may this domain be used, and why": asked before a result is taken, a page fetched, a fragment judged."""

from dataclasses import dataclass
from typing import Protocol

from lyra.core.domains import DEFAULT_CATEGORY


@dataclass(frozen=True, slots=True)
class DomainDecision:
    """What holds for one host at this moment.

    `block_reason` says why it may not be used: `dangerous_pattern`, `high_rejection_rate`, `denylist`, `manual` or
    `unknown`. `category` and `weight` serve display and ranking alone. The rates bind fetching: requests per second,
    and how many requests and pages a day may ask of the host; None is no limit.
    """

    host: str | None
    allowed: bool = True
    category: str = DEFAULT_CATEGORY
    weight: float = 1.0
    block_reason: str | None = None
    matched_pattern: str | None = None
    rule_id: str | None = None
    qps: float | None = None
    max_requests_per_day: int | None = None
    max_pages_per_day: int | None = None
    headful_ratio: float = 0.0
    is_pointer: bool = False


class DomainGate(Protocol):
    """Decides for hosts. Every call answers with what is in force now: policy, overrides and blocks may have changed."""

    def decide(self, host: str | None) -> DomainDecision:
        """Return the decision for a host name; a page without a host is allowed, with weight 1."""
        ...
