"""The gate: may this domain be used, and why. Everybody who takes, fetches or judges something asks here."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from lyra.core.domain_decision import DomainDecision
from lyra.core.domain_patterns import OverrideRule
from lyra.core.domain_policy import Policy
from lyra.core.domain_ruling import BlockSignal, Ruling, rule_on
from lyra.core.errors import ConfigError
from lyra.core.identity import normalise_host
from lyra.core.oversight import PolicyState
from lyra.core.ports import PolicySource
from lyra.store.evidence_store import EvidenceStore


@dataclass(frozen=True, slots=True)
class _Facts:
    """What the store holds about domains, as of one moment."""

    mark: tuple[int, int]
    rules: Sequence[OverrideRule]
    blocks: Mapping[str, Sequence[BlockSignal]]
    promoted: frozenset[str]


class PolicyGate:
    """Decides from the policy file, the override rules and the blocks, all as they are at the moment of the question."""

    def __init__(self, store: EvidenceStore) -> None:
        self._store = store
        self._facts: _Facts | None = None
        self._good: Policy | None = None

    def decide(self, host: str | None) -> DomainDecision:
        """Return the decision for a host name in any spelling; a page without a host is allowed, with weight 1."""
        return DomainDecision(None) if not host else self.explain(host).decision

    def explain(self, host: str) -> Ruling:
        """Return the decision for a host with all that is behind it."""
        name, facts = normalise_host(host), self._current_facts()
        return rule_on(name, self.policy().policy, facts.rules, facts.blocks.get(name, ()), promoted=name in facts.promoted)

    def policy(self) -> PolicyState:
        """Return the policy in force: what the file says, or the last good one while it says nothing that can be used.

        A text that is new is kept in the store, so that another process can fall back on it; a read-only store keeps
        nothing.
        """
        source = self._store.policy
        if source is None:
            return PolicyState(Policy(), "shipped")
        reading = source.read()
        if reading.policy is not None:
            if self._good is not reading.policy:
                self._keep(reading.text or "")
                self._good = reading.policy
            return PolicyState(reading.policy, "shipped" if reading.text is None else "file")
        if self._good is None:
            self._good = self._kept(source)
        return PolicyState(self._good, "last_good", reading.problem)

    def _keep(self, text: str) -> None:
        # Where no file ever was there is nothing to remember; one that was taken away is remembered as an empty one.
        if not self._store.database.read_only and (text or self._store.policies.last_good()):
            self._store.policies.keep(text)

    def _kept(self, source: PolicySource) -> Policy:
        try:
            return source.parse(self._store.policies.last_good() or "")
        except ConfigError:  # kept by a version of the program with other rules
            return source.parse("")

    def _current_facts(self) -> _Facts:
        mark = self._store.database.change_mark()
        if self._facts is None or self._facts.mark != mark:
            store = self._store
            self._facts = _Facts(mark, store.overrides.in_force(), store.blocks.all(), store.domains.promoted())
        return self._facts
