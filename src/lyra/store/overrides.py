"""Override rules: what people decided about domains, one rule in force for each pattern, every change kept."""

from lyra.core.domain_patterns import OverrideRule
from lyra.store.database import Row
from lyra.store.session import Session

_RULE = "SELECT rule_id, domain_pattern, decision, reason, created_at, updated_at, updated_seq FROM domain_override_rules"


class Overrides:
    """The rules and their append-only log."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._database = session.database

    def in_force(self) -> list[OverrideRule]:
        """Return the rules in force, in order of their patterns."""
        return [_rule(row) for row in self._database.rows(f"{_RULE} WHERE is_active = 1 ORDER BY domain_pattern")]

    def of_pattern(self, pattern: str) -> OverrideRule | None:
        """Return the rule in force for exactly this pattern."""
        row = self._database.row(f"{_RULE} WHERE is_active = 1 AND domain_pattern = ?", (pattern,))
        return None if row is None else _rule(row)

    def set(self, pattern: str, decision: str, reason: str, cause_id: str) -> OverrideRule:
        """Put a rule in force in the place of the one there was for the pattern. In the transaction of the caller."""
        known, now = self.of_pattern(pattern), self._session.now()
        rule_id = self._session.new_id("rule") if known is None else known.rule_id
        sequence = self._append(rule_id, f"domain_{decision}", pattern, decision, reason, cause_id, now)
        if known is None:
            self._database.run(
                "INSERT INTO domain_override_rules"
                " (rule_id, domain_pattern, decision, reason, created_at, updated_at, updated_seq)"
                " VALUES (?, ?, ?, ?, ?, ?, ?)",
                (rule_id, pattern, decision, reason, now, now, sequence),
            )
        else:
            self._database.run(
                "UPDATE domain_override_rules SET decision = ?, reason = ?, updated_at = ?, updated_seq = ? WHERE rule_id = ?",
                (decision, reason, now, sequence, rule_id),
            )
        return OverrideRule(rule_id, pattern, decision, reason, now if known is None else known.created_at, now, sequence)

    def clear(self, rule: OverrideRule, reason: str, cause_id: str) -> None:
        """Take a rule out of force. In the transaction of the caller."""
        now = self._session.now()
        sequence = self._append(rule.rule_id, "domain_clear_override", rule.domain_pattern, "clear", reason, cause_id, now)
        self._database.run(
            "UPDATE domain_override_rules SET is_active = 0, updated_at = ?, updated_seq = ? WHERE rule_id = ?",
            (now, sequence, rule.rule_id),
        )

    def _append(self, rule_id: str, action: str, pattern: str, decision: str, reason: str, cause_id: str, now: str) -> int:  # noqa: PLR0913, PLR0917 - the columns of one row
        self._database.run(
            "INSERT INTO domain_override_events (rule_id, action, domain_pattern, decision, reason, cause_id, created_at)"
            " VALUES (?, ?, ?, ?, ?, ?, ?)",
            (rule_id, action, pattern, decision, reason, cause_id, now),
        )
        return self._database.count("SELECT max(event_seq) FROM domain_override_events")


def _rule(row: Row) -> OverrideRule:
    rule_id, pattern, decision, reason, created_at, updated_at, sequence = row
    return OverrideRule(
        str(rule_id), str(pattern), str(decision), str(reason), str(created_at), str(updated_at), int(sequence or 0)
    )
