"""Deleting a task, and what only it needed."""

from lyra.core.errors import NotFound
from lyra.store.session import Session

_OF_CLAIMS = "claim_id IN (SELECT claim_id FROM claims WHERE task_id = ?)"
_OF_TASK = "task_id = ?"
# In the order in which nothing is left that refers to what is gone.
_OWN_ROWS = (
    ("scope_marks", "subject_id IN (SELECT claim_id FROM claims WHERE task_id = ?1) OR instr(subject_id, ?1) = 1"),
    ("edges", _OF_CLAIMS),
    ("claim_timeline", _OF_CLAIMS),
    ("claims", _OF_TASK),
    ("queries", _OF_TASK),
    ("serp_items", _OF_TASK),
    ("task_pages", _OF_TASK),
    ("search_reports", _OF_TASK),
    ("intervention_queue", _OF_TASK),
    ("job_steps", "job_id IN (SELECT job_id FROM jobs WHERE task_id = ?)"),
    ("jobs", _OF_TASK),
    ("task_library", _OF_TASK),
    ("event_log", _OF_TASK),
    ("task_budgets", _OF_TASK),
    ("tasks", _OF_TASK),
)
_SETS = ("reached_fragments", "reached_pages", "doomed_pages", "doomed_fragments")
_REACHED_FRAGMENTS = """
    INSERT OR IGNORE INTO reached_fragments
    SELECT e.fragment_id FROM claims c JOIN edges e ON e.claim_id = c.claim_id WHERE c.task_id = ?1
    UNION SELECT claim_origin_fragment FROM claims WHERE task_id = ?1 AND claim_origin_fragment IS NOT NULL
"""
_REACHED_PAGES = """
    INSERT OR IGNORE INTO reached_pages
    SELECT x.page_id FROM reached_fragments r JOIN extracted_from x ON x.fragment_id = r.id
    UNION SELECT claim_origin_page FROM claims WHERE task_id = ?1 AND claim_origin_page IS NOT NULL
    UNION SELECT page_id FROM task_pages WHERE task_id = ?1
"""
_LIBRARY_HOLDS = """
    EXISTS (SELECT 1 FROM library_files l WHERE l.page_id = {page} AND l.status <> 'removed')
    OR EXISTS (SELECT 1 FROM page_versions v JOIN library_files l ON l.page_version_id = v.page_version_id
               WHERE v.page_id = {page} AND l.status <> 'removed')
    OR EXISTS (SELECT 1 FROM library_records r WHERE r.page_id = {page})
"""
# Runs when the task is gone: every edge and claim that is left is another task's. Its evidence keeps all the pages
# that carry it, because how many there are goes into the numbers by origin.
_DOOMED_PAGES = f"""
    INSERT INTO doomed_pages SELECT r.id FROM reached_pages r
    WHERE NOT EXISTS (SELECT 1 FROM cites WHERE citing_page_id = r.id)
      AND NOT EXISTS (SELECT 1 FROM cites WHERE cited_page_id = r.id)
      AND NOT ({_LIBRARY_HOLDS.format(page="r.id")})
      AND NOT EXISTS (SELECT 1 FROM claims WHERE claim_origin_page = r.id)
      AND NOT EXISTS (SELECT 1 FROM task_pages WHERE page_id = r.id)
      AND NOT EXISTS (SELECT 1 FROM extracted_from x JOIN edges e ON e.fragment_id = x.fragment_id WHERE x.page_id = r.id)
      AND NOT EXISTS (SELECT 1 FROM extracted_from x JOIN claims c ON c.claim_origin_fragment = x.fragment_id
                      WHERE x.page_id = r.id)
"""
# Fragments the task used go unless the library holds them; its pages' other fragments go if they stand nowhere else.
_DOOMED_FRAGMENTS = f"""
    INSERT INTO doomed_fragments
    SELECT f.id FROM (
        SELECT r.id FROM reached_fragments r WHERE NOT EXISTS (
            SELECT 1 FROM extracted_from x WHERE x.fragment_id = r.id AND ({_LIBRARY_HOLDS.format(page="x.page_id")}))
        UNION
        SELECT x.fragment_id FROM doomed_pages d JOIN extracted_from x ON x.page_id = d.id WHERE NOT EXISTS (
            SELECT 1 FROM extracted_from o WHERE o.fragment_id = x.fragment_id
            AND o.page_id NOT IN (SELECT id FROM doomed_pages))
    ) f
    WHERE NOT EXISTS (SELECT 1 FROM edges WHERE fragment_id = f.id)
      AND NOT EXISTS (SELECT 1 FROM claims WHERE claim_origin_fragment = f.id)
      AND NOT EXISTS (SELECT 1 FROM extracted_from x JOIN task_pages t ON t.page_id = x.page_id WHERE x.fragment_id = f.id)
"""
_FRAGMENT = "fragment_id IN (SELECT id FROM doomed_fragments)"
_FRAGMENT_SEQ = "IN (SELECT f.fragment_seq FROM doomed_fragments d JOIN fragments f ON f.fragment_id = d.id)"
_PAGE = "page_id IN (SELECT id FROM doomed_pages)"
_SHARED_ROWS = (
    ("stance_cache", _FRAGMENT),
    ("fragment_vectors", f"fragment_seq {_FRAGMENT_SEQ}"),
    ("fragment_index", f"rowid {_FRAGMENT_SEQ}"),
    ("extracted_from", f"{_FRAGMENT} OR {_PAGE}"),
    ("fragments", _FRAGMENT),
    ("page_readings", _PAGE),
    ("page_versions", _PAGE),
    ("resource_index", _PAGE),
    ("page_references", _PAGE),
    ("pages", _PAGE),
)


class Cleanup:
    """Deletes tasks. What other tasks, citations or the library refer to is never touched."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._database = session.database

    def delete_task(self, task_id: str, *, hard: bool) -> dict[str, int]:
        """Delete a task and all that is its own; `hard` also deletes the fragments and pages only it needed.

        Returns how many rows of each table went. One transaction, with a record of the deletion in the event log.
        Raises NotFound for an unknown task.
        """
        with self._session.transaction():
            if not self._database.value("SELECT 1 FROM tasks WHERE task_id = ?", (task_id,)):
                raise NotFound("unknown_task", task_id=task_id)
            if hard:
                self._reach(task_id)
            counts = {table: self._delete(table, where, task_id) for table, where in _OWN_ROWS}
            if hard:
                counts |= self._delete_unneeded()
            self._session.log("task_deleted", None, {"task_id": task_id, "hard": hard, "rows": counts})
        return counts

    def _reach(self, task_id: str) -> None:
        for name in _SETS:
            self._database.run(f"CREATE TEMP TABLE {name} (id TEXT PRIMARY KEY) WITHOUT ROWID")
        self._database.run(_REACHED_FRAGMENTS, (task_id,))
        self._database.run(_REACHED_PAGES, (task_id,))

    def _delete_unneeded(self) -> dict[str, int]:
        self._database.run(_DOOMED_PAGES)
        self._database.run(_DOOMED_FRAGMENTS)
        # The ledger remembers a removed file; the page it was read as is no longer known.
        self._database.run(f"UPDATE library_files SET page_id = NULL WHERE {_PAGE} AND status = 'removed'")
        counts = {table: self._delete(table, where) for table, where in _SHARED_ROWS}
        for name in _SETS:
            self._database.run(f"DROP TABLE temp.{name}")
        return counts

    def _delete(self, table: str, where: str, *params: str) -> int:
        # Counted first: the text index writes to tables of its own, which would be counted, too.
        count = self._database.count(f"SELECT count(*) FROM {table} WHERE {where}", params)
        self._database.run(f"DELETE FROM {table} WHERE {where}", params)
        return count
