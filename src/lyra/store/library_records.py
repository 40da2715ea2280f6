"""The ledger of files that hold many records: which record is which page, and which could not be read."""

import json
from collections.abc import Sequence
from dataclasses import dataclass

from lyra.core.records import LedgerEntry, Record
from lyra.store.database import Row, optional_text
from lyra.store.session import Session, to_json

# Of records that cannot be read, so many are kept by name; further ones are counted.
MAX_NAMED_PROBLEMS = 1_000
_FILE = "root_path = ? AND path = ?"
# A version is current while some place in the library holds it; a purged one was not changed by being purged.
HELD = (
    "EXISTS (SELECT 1 FROM library_files l WHERE l.page_version_id = {version} AND (l.status = 'read' OR l.code = 'purged'))"
    " OR EXISTS (SELECT 1 FROM library_records r WHERE r.page_version_id = {version}"
    " AND (r.status = 'read' OR r.code = 'purged'))"
    " OR EXISTS (SELECT 1 FROM page_readings g WHERE g.page_version_id = {version} AND g.is_current = 1)"
)


@dataclass(frozen=True, slots=True)
class RecordState:
    """What became of one record."""

    record: Record
    page_id: str | None = None
    page_version_id: str | None = None


class LibraryRecords:
    """The records of library files, in generations."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._database = session.database

    def begin(self, root: str, path: str) -> int:
        """Return the number of a new generation for a reading that starts now."""
        return 1 + self._database.count(f"SELECT max(generation) FROM library_records WHERE {_FILE}", (root, path))

    def add(self, root: str, path: str, generation: int, states: Sequence[RecordState]) -> None:
        """Write what became of some records, in the transaction of the caller."""
        self._database.run_many(
            "INSERT OR REPLACE INTO library_records VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [_row(root, path, generation, state) for state in states],
        )

    def finish(self, root: str, path: str, generation: int) -> int:
        """Make a generation the only one, and return how many pages the file held before and holds no longer.

        A key that several records of the file share is noted on each of them. In the transaction of the caller.
        """
        database, file = self._database, (root, path)
        removed = database.count(
            f"SELECT count(DISTINCT page_id) FROM library_records WHERE {_FILE} AND generation <> ? AND page_id NOT IN"
            f" (SELECT page_id FROM library_records WHERE {_FILE} AND generation = ? AND page_id IS NOT NULL)",
            (*file, generation, *file, generation),
        )
        self._database.run(
            "UPDATE library_records SET notes = json_insert(notes, '$[#]', 'key_repeated')"
            f" WHERE {_FILE} AND generation = ? AND record_key IN (SELECT record_key FROM library_records"
            f" WHERE {_FILE} AND generation = ? AND record_key IS NOT NULL GROUP BY record_key HAVING count(*) > 1)",
            (*file, generation, *file, generation),
        )
        self._forget(f"{_FILE} AND generation <> ?", (*file, generation), also=f"{_FILE} AND generation = ?")
        return removed

    def drop(self, root: str, path: str | None = None) -> None:
        """Forget the records of a file, or of all files of a root; their pages stay, flagged stale."""
        if path is None:
            self._forget("root_path = ?", (root,))
        else:
            self._forget(_FILE, (root, path))

    def copy(self, path: str, known_root: str, root: str) -> None:
        """Let another root hold the same file's records, without reading it again. In the transaction of the caller."""
        self.drop(root, path)
        self._database.run(
            "INSERT INTO library_records SELECT ?, path, generation, record_number, record_line, record_key, status, code,"
            f" params, notes, page_id, page_version_id FROM library_records WHERE {_FILE}",
            (root, known_root, path),
        )

    def _forget(self, where: str, params: tuple[str | int, ...], also: str | None = None) -> None:
        """Delete rows and bring the staleness of the versions they, and those of `also`, held up to date."""
        touched = [f"SELECT page_version_id FROM library_records WHERE {where}"]
        if also is not None:
            touched.append(f"SELECT page_version_id FROM library_records WHERE {also}")
        self._database.run_script("CREATE TEMP TABLE IF NOT EXISTS touched_versions (id TEXT PRIMARY KEY) WITHOUT ROWID")
        self._database.run("DELETE FROM touched_versions")
        for part in touched:
            self._database.run(
                f"INSERT OR IGNORE INTO touched_versions SELECT page_version_id FROM ({part}) WHERE page_version_id IS NOT NULL",
                params,
            )
        self._database.run(f"DELETE FROM library_records WHERE {where}", params)
        held = HELD.format(version="v.id")
        self._database.run(
            f"UPDATE extracted_from SET is_stale = v.stale FROM (SELECT v.id, NOT ({held}) AS stale FROM touched_versions v) v"
            " WHERE extracted_from.page_version_id = v.id AND extracted_from.is_stale <> v.stale"
        )

    def fragments(self, root: str, path: str) -> int:
        """Return how many fragments the records of a file hold."""
        return self._database.count(
            "SELECT count(*) FROM library_records r JOIN extracted_from x ON x.page_version_id = r.page_version_id"
            " WHERE r.root_path = ? AND r.path = ?",
            (root, path),
        )

    def entries(self, root: str, path: str, *, problems_only: bool) -> list[LedgerEntry]:
        """Return the ledger of a file's records in the order of the file; on request only those that were not read."""
        rows = self._database.rows(
            "SELECT path, status, code, params, page_id, notes, record_key, record_line,"
            " (SELECT count(*) FROM extracted_from x WHERE x.page_version_id = r.page_version_id)"
            f" FROM library_records r WHERE {_FILE} AND (NOT ? OR status <> 'read') ORDER BY generation, record_number",
            (root, path, int(problems_only)),
        )
        return [_entry(row) for row in rows]


def _row(root: str, path: str, generation: int, state: RecordState) -> tuple[str | int | None, ...]:
    record = state.record
    return (
        root,
        path,
        generation,
        record.number,
        record.line,
        record.key,
        "failed" if record.document is None else "read",
        record.code,
        to_json(record.params),
        json.dumps(record.document.notes if record.document else (), ensure_ascii=False),
        state.page_id,
        state.page_version_id,
    )


def _entry(row: Row) -> LedgerEntry:
    path, status, code, params, page_id, notes, key, line, fragments = row
    return LedgerEntry(
        path=str(path),
        status=str(status),
        code=optional_text(code),
        params=json.loads(str(params)),
        page_id=optional_text(page_id),
        fragments=int(fragments or 0),
        notes=tuple(json.loads(str(notes))),
        record=optional_text(key),
        line=int(line or 0),
    )
