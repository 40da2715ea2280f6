"""Quarantined pages: what was found on each, and who released it."""

import json
from collections.abc import Sequence

from lyra.core.errors import InvalidInput, NotFound
from lyra.core.oversight import QuarantinedPage
from lyra.core.page_safety import Finding
from lyra.store.database import optional_text, placeholders
from lyra.store.domains import Domains
from lyra.store.session import Session


class Quarantines:
    """Pages that are shown and do not count, until a person releases them."""

    def __init__(self, session: Session, domains: Domains) -> None:
        self._session = session
        self._database = session.database
        self._domains = domains

    def put(self, page_id: str, page_version_id: str, findings: Sequence[Finding], cause_id: str) -> bool:
        """Put a page in quarantine for one version of its text; the claims extracted from it count as rejected.

        Returns whether anything changed: a version that is in quarantine, or that a person released, stays as it is.
        In the transaction of the caller. Raises NotFound for an unknown page.
        """
        url, domain = self._page(page_id)
        now = self._session.now()
        shown = [{"family": one.family, "place": one.place, "excerpt": one.excerpt} for one in findings]
        added = self._database.run(
            "INSERT OR IGNORE INTO page_quarantines"
            " (quarantine_id, page_id, page_version_id, url, domain, findings, cause_id, quarantined_at)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            (
                self._session.new_id("quarantine"),
                page_id,
                page_version_id,
                url,
                domain,
                json.dumps(shown, ensure_ascii=False),
                cause_id,
                now,
            ),
        )
        if added:
            self._database.run("UPDATE pages SET quarantined_at = coalesce(quarantined_at, ?) WHERE page_id = ?", (now, page_id))
            self._reject_claims(page_id, 1)
            payload = {"page_version_id": page_version_id, "findings": shown}
            self._domains.remember(domain, "page_quarantined", payload, cause_id, page_id)
        return bool(added)

    def release(self, page_id: str, reason: str, cause_id: str) -> str | None:
        """Let a page count again; returns its host. In the transaction of the caller.

        Raises NotFound for an unknown page, InvalidInput for one that is not in quarantine.
        """
        _, domain = self._page(page_id)
        now = self._session.now()
        released = self._database.run(
            "UPDATE page_quarantines SET released_at = ?, release_reason = ? WHERE page_id = ? AND released_at IS NULL",
            (now, reason, page_id),
        )
        if not released:
            raise InvalidInput("page_not_quarantined", page_id=page_id)
        self._database.run("UPDATE pages SET quarantined_at = NULL WHERE page_id = ?", (page_id,))
        self._reject_claims(page_id, 0)
        self._domains.remember(domain, "page_released", {"reason": reason}, cause_id, page_id)
        return domain

    def all(self) -> list[QuarantinedPage]:
        """Return the pages in quarantine, in the order they got there."""
        rows = self._database.rows(
            "SELECT p.page_id, p.url, p.title, p.domain, q.quarantined_at, q.cause_id, q.findings FROM page_quarantines q"
            " JOIN pages p ON p.page_id = q.page_id WHERE q.released_at IS NULL ORDER BY q.quarantined_at, q.quarantine_id"
        )
        return [
            QuarantinedPage(
                str(page_id),
                str(url),
                optional_text(title),
                optional_text(domain),
                str(at),
                str(cause_id),
                tuple(Finding(**one) for one in json.loads(str(findings))),
            )
            for page_id, url, title, domain, at, cause_id, findings in rows
        ]

    def in_library(self, roots: Sequence[str]) -> int:
        """Return how many pages that were read below these roots are in quarantine."""
        marks = placeholders(len(roots))
        return self._database.count(
            "SELECT count(*) FROM pages p WHERE p.quarantined_at IS NOT NULL AND (EXISTS (SELECT 1 FROM library_files f"
            f" WHERE f.page_id = p.page_id AND f.status = 'read' AND f.root_path IN ({marks})) OR EXISTS"
            f" (SELECT 1 FROM library_records r WHERE r.page_id = p.page_id AND r.status = 'read' AND r.root_path IN ({marks})))",
            (*roots, *roots),
        )

    def domains(self) -> list[str]:
        """Return the hosts of which a page is, or was when it was deleted, in quarantine."""
        sql = "SELECT DISTINCT domain FROM page_quarantines WHERE released_at IS NULL AND domain IS NOT NULL ORDER BY domain"
        return [str(row[0]) for row in self._database.rows(sql)]

    def holds(self, page_id: str) -> bool:
        """Return whether a page is in quarantine now."""
        return self._database.value("SELECT quarantined_at FROM pages WHERE page_id = ?", (page_id,)) is not None

    def domain_of(self, page_id: str) -> str | None:
        """Return the host of a page. Raises NotFound for an unknown one."""
        return self._page(page_id)[1]

    def current_version(self, page_id: str) -> str:
        """Return the newest version of a page. Raises NotFound for an unknown page."""
        self._page(page_id)
        found = self._database.value(
            "SELECT page_version_id FROM page_versions WHERE page_id = ?"
            " ORDER BY first_read_at DESC, page_version_id DESC LIMIT 1",
            (page_id,),
        )
        return str(found)

    def _page(self, page_id: str) -> tuple[str, str | None]:
        row = self._database.row("SELECT url, domain FROM pages WHERE page_id = ?", (page_id,))
        if row is None:
            raise NotFound("unknown_page", page_id=page_id)
        return str(row[0]), optional_text(row[1])

    def _reject_claims(self, page_id: str, rejected: int) -> None:
        self._database.run(
            "UPDATE domain_claims SET security_rejected = ? WHERE claim_id IN"
            " (SELECT claim_id FROM claims WHERE claim_origin_page = ?)",
            (rejected, page_id),
        )
