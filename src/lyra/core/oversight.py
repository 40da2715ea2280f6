"""How sources are governed at one moment: what is blocked, decided, in quarantine, and by which policy."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from lyra.core.domain_patterns import OverrideRule
from lyra.core.domain_policy import Policy
from lyra.core.domain_ruling import Ruling
from lyra.core.errors import ConfigError
from lyra.core.page_safety import Finding
from lyra.core.rejections import BlockRules, Rejections


@dataclass(frozen=True, slots=True)
class PolicyState:
    """The policy in force. `origin` is `shipped`, `file`, or `last_good` while the file has the `problem`."""

    policy: Policy
    origin: str
    problem: ConfigError | None = None


@dataclass(frozen=True, slots=True)
class QuarantinedPage:
    """A page in quarantine and what was found on it."""

    page_id: str
    url: str
    title: str | None
    domain: str | None
    quarantined_at: str
    cause_id: str
    findings: tuple[Finding, ...]


@dataclass(frozen=True, slots=True)
class BlockedDomain:
    """A domain with a reason to block it, in force or overridden, and the claims that were extracted from it."""

    domain: str
    ruling: Ruling
    rejections: Rejections
    affected_claims: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Oversight:
    """All that decides about sources now. As it is made here, nothing is out of the ordinary."""

    rules: BlockRules
    policy_path: str | None
    policy: PolicyState = field(default_factory=lambda: PolicyState(Policy(), "shipped"))
    blocked: tuple[BlockedDomain, ...] = ()
    overrides: tuple[OverrideRule, ...] = ()
    rejections: Mapping[str, Rejections] = field(default_factory=dict)
    quarantined: tuple[QuarantinedPage, ...] = ()
