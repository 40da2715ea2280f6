"""The library: folders a person gave, and a ledger of every file in them."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field

from lyra.core.records import FileStamp, LedgerEntry
from lyra.core.times import from_text
from lyra.store.database import Row, optional_text
from lyra.store.library_records import LibraryRecords
from lyra.store.session import Session, to_json
from lyra.store.staleness import refresh_staleness

# Reasons that may pass although the file does not change (or cost nothing to find again): such a file is tried again.
_TRANSIENT = ("unreadable", "too_large", "pdf_timeout", "pdf_too_complex", "pdf_reader_unavailable")


@dataclass(frozen=True, slots=True)
class FileState:
    """What the ledger holds for a file. `root` is where it was recorded; None for a state just made."""

    status: str
    code: str | None = None
    params: Mapping[str, object] = field(default_factory=dict)
    page_id: str | None = None
    page_version_id: str | None = None
    notes: tuple[str, ...] = ()
    root: str | None = None


class Library:
    """Roots and the per-file ledger."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._database = session.database
        self.records = LibraryRecords(session)

    def add_root(self, root: str) -> bool:
        """Remember a root; returns whether it was new."""
        with self._session.transaction():
            return self._database.run("INSERT OR IGNORE INTO library_roots VALUES (?, ?)", (root, self._session.now())) > 0

    def roots(self) -> list[str]:
        """Return all roots in order."""
        return [str(row[0]) for row in self._database.rows("SELECT root_path FROM library_roots ORDER BY root_path")]

    def remove_root(self, root: str) -> int | None:
        """Forget a root and its ledger; what was read from it stays in the graph, flagged stale.

        Returns how many files it held; None for an unknown root.
        """
        with self._session.transaction():
            if not self._database.value("SELECT 1 FROM library_roots WHERE root_path = ?", (root,)):
                return None
            versions = self._database.rows(
                "SELECT DISTINCT page_version_id FROM library_files WHERE root_path = ? AND page_version_id IS NOT NULL", (root,)
            )
            self.records.drop(root)
            removed = self._database.run("DELETE FROM library_files WHERE root_path = ?", (root,))
            self._database.run("DELETE FROM library_roots WHERE root_path = ?", (root,))
            for (version_id,) in versions:
                refresh_staleness(self._database, str(version_id))
            self._session.log("library_removed", None, {"root": root, "files": removed})
        return removed

    def unchanged(self, root: str, stamp: FileStamp) -> FileState | None:
        """Return the known state of a file whose size and time are as last recorded; None means: read it."""
        row = self._database.row(
            "SELECT status, code, params, page_id, page_version_id, notes, root_path FROM library_files"
            " WHERE path = ? AND file_size = ? AND mtime_ns = ? AND status <> 'removed'"
            " ORDER BY root_path = ? DESC LIMIT 1",
            (stamp.path, stamp.size, stamp.mtime_ns, root),
        )
        if row is None or row[1] in _TRANSIENT:
            return None
        status, code, params, page_id, version_id, notes, known_root = row
        return FileState(
            status=str(status),
            code=optional_text(code),
            params=json.loads(str(params)),
            page_id=optional_text(page_id),
            page_version_id=optional_text(version_id),
            notes=tuple(json.loads(str(notes))),
            root=str(known_root),
        )

    def record(self, root: str, stamp: FileStamp, state: FileState) -> None:
        """Write a file's state; the version it held before becomes stale unless another file still holds it."""
        with self._session.transaction():
            before = self._database.value(
                "SELECT page_version_id FROM library_files WHERE root_path = ? AND path = ?", (root, stamp.path)
            )
            self._database.run(
                "INSERT OR REPLACE INTO library_files VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (
                    root,
                    stamp.path,
                    stamp.size,
                    stamp.mtime_ns,
                    state.status,
                    state.code,
                    to_json(state.params),
                    json.dumps(state.notes, ensure_ascii=False),
                    state.page_id,
                    state.page_version_id,
                    self._session.now(),
                ),
            )
            for version_id in {before, state.page_version_id} - {None}:
                refresh_staleness(self._database, str(version_id))

    def mark_removed(self, root: str, present: set[str]) -> list[str]:
        """Mark files of a root that are no longer there; returns their paths."""
        known = self._database.rows(
            "SELECT path, page_version_id FROM library_files WHERE root_path = ? AND status <> 'removed'", (root,)
        )
        gone = [(str(path), version) for path, version in known if str(path) not in present]
        with self._session.transaction():
            for path, version in gone:
                self._database.run(
                    "UPDATE library_files SET status = 'removed', code = NULL, params = '{}', page_version_id = NULL, read_at = ?"
                    " WHERE root_path = ? AND path = ?",
                    (self._session.now(), root, path),
                )
                self.records.drop(root, path)
                if version is not None:
                    refresh_staleness(self._database, str(version))
        return [path for path, _ in gone]

    def ledger(self, root: str | None = None) -> list[LedgerEntry]:
        """Return the ledger of one root, or of all, in order of path."""
        rows = self._database.rows(
            "SELECT path, status, code, params, page_id, read_at, notes,"
            " (SELECT count(*) FROM extracted_from x WHERE x.page_version_id = l.page_version_id)"
            " FROM library_files l WHERE ? IS NULL OR root_path = ? ORDER BY path",
            (root, root),
        )
        return [_entry(row) for row in rows]

    def ledger_with_records(self, *, problems_only: bool) -> list[LedgerEntry]:
        """Return the whole ledger; after each file of records those that were not read, or all of them."""
        found: list[LedgerEntry] = []
        for root in self.roots():
            for entry in self.ledger(root):
                found.append(entry)
                if entry.records is not None:
                    found += self.records.entries(root, entry.path, problems_only=problems_only)
        return sorted(found, key=lambda entry: entry.path)


def _entry(row: Row) -> LedgerEntry:
    path, status, code, params, page_id, read_at, notes, fragments = row
    known = json.loads(str(params))
    return LedgerEntry(
        path=str(path),
        status=str(status),
        code=optional_text(code),
        params=known,
        page_id=optional_text(page_id),
        fragments=int(fragments or 0) or int(known.get("fragments", 0)),
        records=known.get("records"),
        notes=tuple(json.loads(str(notes))),
        read_at=from_text(str(read_at)),
    )
