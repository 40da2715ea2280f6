"""Reading back what happened to the claims of a task."""

import json

from lyra.core.timeline import TimelineEvent
from lyra.store.database import optional_text
from lyra.store.session import Session


class History:
    """Read-only view of the claims' timelines."""

    def __init__(self, session: Session) -> None:
        self._database = session.database

    def of_task(self, task_id: str) -> list[TimelineEvent]:
        """Return the events of all claims of a task, in the order in which they happened."""
        rows = self._database.rows(
            "SELECT t.event_seq, t.claim_id, t.event_type, t.payload, t.cause_id, t.created_at FROM claims c"
            " JOIN claim_timeline t ON t.claim_id = c.claim_id WHERE c.task_id = ? ORDER BY t.event_seq",
            (task_id,),
        )
        return [
            TimelineEvent(int(seq or 0), str(claim), str(kind), json.loads(str(payload)), optional_text(cause), str(when))
            for seq, claim, kind, payload, cause, when in rows
        ]
