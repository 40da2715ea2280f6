"""Domains: the hosts that were seen, what is known of each, and its history."""

from collections.abc import Mapping

from lyra.store.session import Session, to_json


class Domains:
    """Hosts with the category last in force, promotions and events."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._database = session.database

    def all(self) -> dict[str, str]:
        """Return every host that was seen, with the category that was last in force."""
        return {str(domain): str(kind) for domain, kind in self._database.rows("SELECT domain, domain_category FROM domains")}

    def note(self, domain: str, category: str, cause_id: str | None) -> bool:
        """Record the category in force for a host, new or known; returns whether that is a change. One transaction."""
        with self._session.transaction():
            known = self._database.value("SELECT domain_category FROM domains WHERE domain = ?", (domain,))
            if known == category:
                return False
            if known is None:
                self._database.run("INSERT INTO domains VALUES (?, ?, ?)", (domain, category, self._session.now()))
                return True
            self._database.run("UPDATE domains SET domain_category = ? WHERE domain = ?", (category, domain))
            self.remember(domain, "category_changed", {"from": known, "to": category}, cause_id)
        return True

    def note_pointers(self, domain: str, *, is_pointer: bool) -> int:
        """Record whether the pages of a host are mere pointers; returns how many changed."""
        with self._session.transaction():
            return self._database.run(
                "UPDATE pages SET is_pointer = ?1 WHERE domain = ?2 AND is_pointer <> ?1", (int(is_pointer), domain)
            )

    def promote(self, domain: str, claim_id: str, cause_id: str | None) -> bool:
        """Record that a host supports a verified claim; returns whether that was new. One transaction."""
        with self._session.transaction():
            added = self._database.run(
                "INSERT OR IGNORE INTO domain_promotions VALUES (?, ?, ?, ?)", (domain, claim_id, cause_id, self._session.now())
            )
            if added:
                self.remember(domain, "promoted", {"claim_id": claim_id}, cause_id)
        return bool(added)

    def promoted(self) -> frozenset[str]:
        """Return the hosts that were promoted."""
        return frozenset(str(row[0]) for row in self._database.rows("SELECT domain FROM domain_promotions"))

    def supporting(self, claim_id: str) -> list[str]:
        """Return the hosts of the pages that support a claim: those whose text it is, copies included."""
        rows = self._database.rows(
            "SELECT DISTINCT p.domain FROM edges e JOIN extracted_from x ON x.fragment_id = e.fragment_id"
            " JOIN pages p ON p.page_id = x.page_id WHERE e.claim_id = ? AND e.relation = 'supports'"
            " AND p.domain IS NOT NULL AND p.quarantined_at IS NULL AND p.is_pointer = 0 ORDER BY p.domain",
            (claim_id,),
        )
        return [str(row[0]) for row in rows]

    def claims(self, domain: str) -> list[str]:
        """Return the claims, still there, that were extracted from pages of a host."""
        rows = self._database.rows(
            "SELECT c.claim_id FROM pages p JOIN claims c ON c.claim_origin_page = p.page_id"
            " WHERE p.domain = ? ORDER BY c.claim_id",
            (domain,),
        )
        return [str(row[0]) for row in rows]

    def remember(
        self, domain: str | None, event_type: str, payload: Mapping[str, object], cause_id: str | None, page_id: str | None = None
    ) -> None:
        """Append to the history of a domain, in the transaction of the caller."""
        self._database.run(
            "INSERT INTO domain_events (domain, page_id, event_type, payload, cause_id, created_at) VALUES (?, ?, ?, ?, ?, ?)",
            (domain, page_id, event_type, to_json(payload), cause_id, self._session.now()),
        )
