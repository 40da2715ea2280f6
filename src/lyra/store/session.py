"""What every table needs: the connection, the clock and a source of ids."""

import json
from collections.abc import Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from random import Random

from lyra.core.identity import new_id
from lyra.core.ports import Clock
from lyra.core.times import to_text
from lyra.store.database import Database


@dataclass(frozen=True, slots=True)
class Session:
    """A connection with its clock and randomness; tables share one."""

    database: Database
    clock: Clock
    rng: Random

    def now(self) -> str:
        """Return the present moment as stored text."""
        return to_text(self.clock.now())

    def new_id(self, prefix: str) -> str:
        """Return a fresh opaque id."""
        return new_id(prefix, self.clock.now(), self.rng)

    def transaction(self) -> AbstractContextManager[None]:
        """Open or join a durable transaction."""
        return self.database.transaction()

    def log(self, event_type: str, task_id: str | None, payload: Mapping[str, object], cause_id: str | None = None) -> None:
        """Append to the event log, in the transaction of the caller."""
        self.database.run(
            "INSERT INTO event_log (task_id, event_type, payload, cause_id, created_at) VALUES (?, ?, ?, ?, ?)",
            (task_id, event_type, to_json(payload), cause_id, self.now()),
        )

    def remember(self, claim_id: str, event_type: str, payload: Mapping[str, object], cause_id: str | None = None) -> None:
        """Append to a claim's timeline, in the transaction of the caller."""
        self.database.run(
            "INSERT INTO claim_timeline (claim_id, event_type, payload, cause_id, created_at) VALUES (?, ?, ?, ?, ?)",
            (claim_id, event_type, to_json(payload), cause_id, self.now()),
        )


def to_json(payload: Mapping[str, object]) -> str:
    """Return stable JSON text for a stored payload."""
    return json.dumps(payload, ensure_ascii=False, sort_keys=True, default=str)
