"""Blocks that the program found, and the rejected claims that some of them come from."""

import json
from collections.abc import Mapping

from lyra.core.domain_ruling import BLOCK_REASONS, UNKNOWN, BlockSignal
from lyra.core.rejections import Rejections
from lyra.store.database import optional_text
from lyra.store.domains import Domains
from lyra.store.session import Session, to_json

_REJECTIONS = """
    SELECT domain, count(*), sum(security_rejected), sum(manual_rejected), sum(security_rejected OR manual_rejected)
    FROM domain_claims
"""


class Blocks:
    """Automatic blocks with what caused them, and the counts of rejected claims."""

    def __init__(self, session: Session, domains: Domains) -> None:
        self._session = session
        self._database = session.database
        self._domains = domains

    def all(self) -> dict[str, list[BlockSignal]]:
        """Return the blocks of every domain that has any. A reason that is not known here is `unknown`."""
        found: dict[str, list[BlockSignal]] = {}
        rows = self._database.rows(
            "SELECT domain, domain_block_reason, block_rule, blocked_at, cause_id, original_domain_category, payload"
            " FROM domain_blocks ORDER BY domain, domain_block_reason"
        )
        for domain, reason, rule, blocked_at, cause_id, category, payload in rows:
            known = str(reason) if reason in BLOCK_REASONS else UNKNOWN
            facts = json.loads(str(payload))
            signal = BlockSignal(known, str(rule), str(blocked_at), optional_text(cause_id), str(category), facts)
            found.setdefault(str(domain), []).append(signal)
        return found

    def add(self, domain: str, signal: BlockSignal) -> bool:
        """Block a domain; returns whether that is new. What caused a known block stays as it was. One transaction."""
        with self._session.transaction():
            added = self._database.run(
                "INSERT OR IGNORE INTO domain_blocks VALUES (?, ?, ?, ?, ?, ?, ?)",
                (
                    domain,
                    signal.reason,
                    signal.rule,
                    signal.original_category,
                    to_json(signal.facts),
                    signal.cause_id,
                    self._session.now(),
                ),
            )
            if added:
                payload = {"reason": signal.reason, "rule": signal.rule, **signal.facts}
                self._domains.remember(domain, "blocked", payload, signal.cause_id)
        return bool(added)

    def lift(self, domain: str, reason: str, facts: Mapping[str, object], cause_id: str | None) -> bool:
        """Take a block away; returns whether there was one. One transaction."""
        with self._session.transaction():
            gone = self._database.run("DELETE FROM domain_blocks WHERE domain = ? AND domain_block_reason = ?", (domain, reason))
            if gone:
                self._domains.remember(domain, "block_lifted", {"reason": reason, **facts}, cause_id)
        return bool(gone)

    def rejections(self, domain: str) -> Rejections:
        """Return how many claims came from a domain and how many of them were rejected."""
        row = self._database.row(f"{_REJECTIONS} WHERE domain = ? GROUP BY domain", (domain,))
        return Rejections(*(int(value or 0) for value in row[1:])) if row else Rejections(0, 0, 0, 0)

    def all_rejections(self) -> dict[str, Rejections]:
        """Return the counts of every domain of which a claim was rejected."""
        rejected = "max(security_rejected OR manual_rejected)"
        rows = self._database.rows(f"{_REJECTIONS} GROUP BY domain HAVING {rejected} ORDER BY domain")
        return {str(domain): Rejections(*(int(value or 0) for value in counts)) for domain, *counts in rows}

    def reject(self, claim_id: str, *, rejected: bool) -> list[str]:
        """Count a claim as rejected by a person, or no longer; returns the domains it came from. One transaction."""
        with self._session.transaction():
            self._database.run("UPDATE domain_claims SET manual_rejected = ? WHERE claim_id = ?", (int(rejected), claim_id))
            rows = self._database.rows("SELECT domain FROM domain_claims WHERE claim_id = ? ORDER BY domain", (claim_id,))
        return [str(row[0]) for row in rows]

    def dangerous_pages(self, domain: str) -> int:
        """Return how many distinct pages of a domain are in quarantine, those since deleted included."""
        return self._database.count(
            "SELECT count(DISTINCT url) FROM page_quarantines WHERE domain = ? AND released_at IS NULL", (domain,)
        )
