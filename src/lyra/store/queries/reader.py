"""Running queries on a store."""

from collections.abc import Mapping, Sequence

from lyra.core.near_groups import near_duplicate_groups
from lyra.store.database import Row, Value
from lyra.store.queries.records import ROWS, Blob, QueryLimits, Table
from lyra.store.queries.views import View
from lyra.store.session import Session


class Queries:
    """Read-only questions about the whole graph."""

    def __init__(self, session: Session) -> None:
        self._database = session.database

    def view(self, view: View, values: Sequence[Value], limit: int) -> Table:
        """Return at most `limit` rows of a view, its parameters in order."""
        rows = self._database.rows(view.sql, (*values, limit + 1))
        return _table(view, rows, limit)

    def near_duplicates(self, view: View, values: Sequence[Value], limit: int) -> Table:
        """Return the groups of nearly the same text, row by row of each fragment, the largest group first."""
        rows = self._database.rows(view.sql, values)
        groups = sorted(near_duplicate_groups([str(row[-1]) for row in rows]), key=lambda group: (-len(group), group))
        found = [(number, len(group), *rows[at]) for number, group in enumerate(groups, start=1) for at in group]
        return _table(view, found, limit)

    def statement(self, sql: str, params: Mapping[str, str | int | float | None], limits: QueryLimits) -> Table:
        """Run one statement of somebody's own, read-only and within limits, in a process apart; see `run_statement`."""
        from lyra.store.queries.sandbox import run_statement  # noqa: PLC0415 - starting processes is slow to import

        return run_statement(self._database.path, sql, params, limits)

    def page_exists(self, page_id: str) -> bool:
        """Return whether a page is known."""
        return self._database.value("SELECT 1 FROM pages WHERE page_id = ?", (page_id,)) is not None


def _table(view: View, rows: Sequence[Row], limit: int) -> Table:
    shown = tuple(tuple(Blob(len(cell)) if isinstance(cell, bytes) else cell for cell in row) for row in rows[:limit])
    return Table(view.columns, shown, ROWS if len(rows) > limit else None)
