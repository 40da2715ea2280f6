"""The intervention queue: pages that wait for a person."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from lyra.core.errors import NotFound
from lyra.core.gathering import Intervention
from lyra.store.database import Row, optional_text
from lyra.store.session import Session

if TYPE_CHECKING:
    from lyra.core.pages import NeedsPerson

_COLUMNS = "SELECT intervention_id, task_id, url, host, wall, sign, status, created_at, resolved_at FROM intervention_queue"


class Interventions:
    """Walls that were met, once for each page of a task."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._database = session.database

    def add(self, task_id: str, met: "NeedsPerson", cause_id: str) -> bool:
        """Queue a page; one that was resolved and shows a wall again waits once more, one that was skipped stays so.

        Returns whether it waits now and did not before. In the transaction of the caller.
        """
        added = self._database.run(
            "INSERT INTO intervention_queue VALUES (?, ?, ?, ?, ?, ?, 'pending', ?, ?, NULL)"
            " ON CONFLICT (task_id, url) DO UPDATE SET status = 'pending', resolved_at = NULL, wall = excluded.wall,"
            " sign = excluded.sign, cause_id = excluded.cause_id WHERE status = 'resolved'",
            (
                self._session.new_id("intervention"),
                task_id,
                met.asked,
                met.host,
                met.wall.value,
                met.sign,
                cause_id,
                self._session.now(),
            ),
        )
        if added:
            self._session.log("person_needed", task_id, {"url": met.asked, "wall": met.wall.value}, cause_id)
        return added > 0

    def all(self, task_id: str | None = None, status: str | None = "pending") -> list[Intervention]:
        """Return what waits (or everything), oldest first; of one task where one is named."""
        rows = self._database.rows(
            f"{_COLUMNS} WHERE (?1 IS NULL OR task_id = ?1) AND (?2 IS NULL OR status = ?2) ORDER BY created_at, intervention_id",
            (task_id, status),
        )
        return list(map(_intervention, rows))

    def named(self, name: str) -> list[Intervention]:
        """Return what waits under an id or, all of it, under a host name. Raises NotFound where nothing does."""
        rows = self._database.rows(f"{_COLUMNS} WHERE intervention_id = ?1 OR (host = ?1 AND status = 'pending')", (name,))
        if not rows:
            raise NotFound("unknown_intervention", name=name)
        return list(map(_intervention, rows))

    def skipped(self, task_id: str, urls: Sequence[str]) -> set[str]:
        """Return those of the addresses that a person said to leave alone."""
        known = {one.url for one in self.all(task_id, "skipped")}
        return known & set(urls)

    def settle(self, intervention_id: str, status: str) -> None:
        """Record what became of an intervention. In the transaction of the caller."""
        self._database.run(
            "UPDATE intervention_queue SET status = ?, resolved_at = ? WHERE intervention_id = ?",
            (status, self._session.now(), intervention_id),
        )
        row = self._database.row("SELECT task_id, url FROM intervention_queue WHERE intervention_id = ?", (intervention_id,))
        if row is not None:
            self._session.log(f"person_{status}", str(row[0]), {"url": row[1]}, intervention_id)


def _intervention(row: Row) -> Intervention:
    identity, task_id, url, host, wall, sign, status, created_at, resolved_at = row
    return Intervention(
        str(identity),
        str(task_id),
        str(url),
        str(host),
        str(wall),
        str(sign),
        str(status),
        str(created_at),
        optional_text(resolved_at),
    )
