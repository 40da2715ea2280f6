"""Claims page by page: in the order they were added, or in an order by value that is kept while somebody reads on."""

import sys
from array import array
from collections.abc import Iterable, Sequence
from datetime import timedelta

from lyra.core.errors import InvalidInput
from lyra.core.paging import ADDED
from lyra.core.times import to_text
from lyra.store.database import Value, placeholders
from lyra.store.session import Session

KEPT_HOURS = 24
_KEPT_ORDERS = 200
_BY_VALUE = {
    "confidence": "v.confidence DESC",
    "lowest_confidence": "v.confidence",
    "uncertainty": "v.uncertainty DESC",
    "controversy": "v.controversy DESC, min(v.alpha, v.beta) DESC",
    "evidence": "v.supporting_count + v.refuting_count DESC, v.evidence_count DESC",
}
_ADOPTION = {None: "", True: " AND c.claim_adoption_status = 'adopted'", False: " AND c.claim_adoption_status = 'not_adopted'"}
_PER_QUERY = 500


class ClaimOrders:
    """Orders of a task's claims. A position is the number of a claim in its task; it never changes."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._database = session.database

    def positions(self, task_id: str, order: str, adopted: bool | None, after: int = 0, limit: int | None = None) -> list[int]:
        """Return the positions of a task's claims as they stand in an order now; `after` and `limit` only for `added`."""
        if order == ADDED:
            return self._numbers(
                f"SELECT c.claim_position FROM claims c WHERE c.task_id = ? AND c.claim_position > ?{_ADOPTION[adopted]}"
                " ORDER BY c.claim_position LIMIT ?",
                (task_id, after, -1 if limit is None else limit),
            )
        return self._numbers(
            "SELECT c.claim_position FROM claim_values v JOIN claims c ON c.claim_id = v.claim_id"
            f" WHERE v.task_id = ?{_ADOPTION[adopted]} ORDER BY {_BY_VALUE[order]}, c.claim_position",
            (task_id,),
        )

    def keep(self, task_id: str, order: str, positions: Sequence[int]) -> str:
        """Keep an order for the pages that follow, and forget those nobody reads on in; returns its id. One transaction."""
        now = self._session.clock.now()
        order_id = self._session.new_id("order")
        with self._session.transaction():
            self._database.run("DELETE FROM claim_orders WHERE created_at < ?", (to_text(now - timedelta(hours=KEPT_HOURS)),))
            self._database.run(
                "DELETE FROM claim_orders WHERE order_id NOT IN"
                " (SELECT order_id FROM claim_orders ORDER BY created_at DESC, order_id DESC LIMIT ?)",
                (_KEPT_ORDERS - 1,),
            )
            self._database.run(
                "INSERT INTO claim_orders VALUES (?, ?, ?, ?, ?, ?)",
                (order_id, task_id, order, max(positions, default=0), _packed(positions), to_text(now)),
            )
        return order_id

    def kept(self, task_id: str, order_id: str) -> tuple[list[int], int]:
        """Return a kept order and its newest position, or raise InvalidInput when it is no longer kept."""
        row = self._database.row(
            "SELECT positions, newest_position FROM claim_orders WHERE order_id = ? AND task_id = ?", (order_id, task_id)
        )
        if row is None or not isinstance(row[0], bytes):
            raise InvalidInput("cursor_expired", hours=KEPT_HOURS)
        return _unpacked(row[0]), int(row[1] or 0)

    def claim_ids(self, task_id: str, positions: Iterable[int]) -> list[str]:
        """Return the claims at these positions, in the order given."""
        wanted = list(positions)
        found: dict[int, str] = {}
        for start in range(0, len(wanted), _PER_QUERY):
            part = wanted[start : start + _PER_QUERY]
            rows = self._database.rows(
                "SELECT claim_position, claim_id FROM claims WHERE task_id = ?"
                f" AND claim_position IN ({placeholders(len(part))})",
                (task_id, *part),
            )
            found |= {int(position or 0): str(claim_id) for position, claim_id in rows}
        return [found[position] for position in wanted if position in found]

    def count(self, task_id: str, adopted: bool | None) -> int:
        """Return how many claims a task has."""
        return self._database.count(f"SELECT count(*) FROM claims c WHERE c.task_id = ?{_ADOPTION[adopted]}", (task_id,))

    def _numbers(self, sql: str, params: Sequence[Value]) -> list[int]:
        return [int(row[0] or 0) for row in self._database.rows(sql, params)]


def _packed(positions: Sequence[int]) -> bytes:
    values = array("I", positions)
    if sys.byteorder == "big":
        values.byteswap()
    return values.tobytes()


def _unpacked(blob: bytes) -> list[int]:
    values = array("I")
    values.frombytes(blob)
    if sys.byteorder == "big":
        values.byteswap()
    return values.tolist()
