"""Removing stored page contents, without losing what was judged from them."""

from dataclasses import dataclass

from lyra.core.errors import DocumentProblem
from lyra.core.gathering import SUMMARY
from lyra.store.session import Session

_SETS = ("purged_versions", "needed_fragments", "doomed_fragments")
# A host and the hosts below it; LIKE would take `_` and `%` of a name for wildcards.
_CHOSEN = """
    INSERT INTO purged_versions
    SELECT v.page_version_id FROM page_versions v JOIN pages p ON p.page_id = v.page_id
    WHERE v.purged_at IS NULL AND (?1 IS NULL OR v.first_read_at < ?1)
      AND (?2 IS NULL OR p.domain = ?2 OR substr(p.domain, -length(?2) - 1) = '.' || ?2)
"""
_IN_PURGED = "page_version_id IN (SELECT id FROM purged_versions)"
# What results show: fragments that were judged, or that a claim was taken from.
_NEEDED = """
    INSERT OR IGNORE INTO needed_fragments
    SELECT x.fragment_id FROM purged_versions d JOIN extracted_from x ON x.page_version_id = d.id
    WHERE EXISTS (SELECT 1 FROM edges e WHERE e.fragment_id = x.fragment_id)
       OR EXISTS (SELECT 1 FROM claims c WHERE c.claim_origin_fragment = x.fragment_id)
"""
_DOOMED = """
    INSERT OR IGNORE INTO doomed_fragments
    SELECT x.fragment_id FROM purged_versions d JOIN extracted_from x ON x.page_version_id = d.id
    WHERE x.fragment_id NOT IN (SELECT id FROM needed_fragments)
      AND NOT EXISTS (SELECT 1 FROM extracted_from o WHERE o.fragment_id = x.fragment_id
                      AND o.page_version_id NOT IN (SELECT id FROM purged_versions))
"""
_FRAGMENT = "fragment_id IN (SELECT id FROM doomed_fragments)"
_FRAGMENT_SEQ = "IN (SELECT f.fragment_seq FROM doomed_fragments d JOIN fragments f ON f.fragment_id = d.id)"
_PURGED = DocumentProblem("purged", status="skipped", path="")


@dataclass(frozen=True, slots=True)
class Purged:
    """What went and what stayed: versions without their text now, its length, fragments gone, quotes kept, entries marked."""

    page_versions: int
    characters: int
    fragments: int
    quotes_kept: int
    library_entries: int


class Purge:
    """Takes texts out of the store. Edges, quotes, pages with what is known of them, and every number stay as they are."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._database = session.database

    def contents(self, before: str | None, domain: str | None) -> Purged:
        """Remove the text of versions first read before a moment, of a host and the hosts below it, or both; one transaction.

        Quotes that an edge or an extracted claim needs are kept with their place. What the library held of these
        versions is marked as purged, so that it is read again only on request or when its file changes.
        """
        database = self._database
        with self._session.transaction():
            database.rows("PRAGMA secure_delete = ON")
            for name in _SETS:
                database.run(f"CREATE TEMP TABLE {name} (id TEXT PRIMARY KEY) WITHOUT ROWID")
            database.run(_CHOSEN, (before, domain))
            database.run(_NEEDED)
            database.run(_DOOMED)
            counts = Purged(
                page_versions=database.count("SELECT count(*) FROM purged_versions"),
                characters=database.count(f"SELECT sum(length(extracted_text)) FROM page_versions WHERE {_IN_PURGED}"),
                fragments=database.count("SELECT count(*) FROM doomed_fragments"),
                quotes_kept=self._keep_quotes(),
                library_entries=self._mark(),
            )
            self._remove()
            for name in _SETS:
                database.run(f"DROP TABLE temp.{name}")
            told = {"before": before, "domain": domain, "page_versions": counts.page_versions, "fragments": counts.fragments}
            self._session.log("library_purged", None, told)
        return counts

    def _keep_quotes(self) -> int:
        return self._database.run(
            "UPDATE extracted_from SET kept_quote = substr(v.extracted_text, char_start + 1, char_end - char_start)"
            " FROM page_versions v WHERE v.page_version_id = extracted_from.page_version_id"
            f" AND extracted_from.{_IN_PURGED} AND fragment_id IN (SELECT id FROM needed_fragments)"
        )

    def _mark(self) -> int:
        marked = 0
        for table in ("library_files", "library_records"):
            marked += self._database.run(
                f"UPDATE {table} SET status = ?, code = ?, params = json_object('path', path) WHERE {_IN_PURGED}",
                (_PURGED.status, _PURGED.code),
            )
        return marked

    def _remove(self) -> None:
        database = self._database
        database.run(f"DELETE FROM extracted_from WHERE {_IN_PURGED} AND fragment_id NOT IN (SELECT id FROM needed_fragments)")
        for table, where in (
            ("stance_cache", _FRAGMENT),
            ("fragment_vectors", f"fragment_seq {_FRAGMENT_SEQ}"),
            ("fragment_index", f"rowid {_FRAGMENT_SEQ}"),
            ("fragments", _FRAGMENT),
            ("job_steps", f"step = '{SUMMARY}' AND part IN (SELECT id FROM purged_versions)"),
        ):
            database.run(f"DELETE FROM {table} WHERE {where}")
        database.run(f"UPDATE page_readings SET raw = NULL, raw_bytes = 0 WHERE {_IN_PURGED}")
        database.run(f"UPDATE page_versions SET extracted_text = '', purged_at = ? WHERE {_IN_PURGED}", (self._session.now(),))

    def scrub(self) -> None:
        """Leave nothing of removed texts in the file: rewrite the text index, which only marks what was deleted, and empty
        the write-ahead log. While another process reads, the log is emptied by whoever closes last.
        """
        with self._session.transaction():
            self._database.run("INSERT INTO fragment_index (fragment_index) VALUES ('optimize')")
        self._database.rows("PRAGMA wal_checkpoint(TRUNCATE)")
