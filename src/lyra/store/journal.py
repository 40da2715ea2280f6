"""What the parts of a job came to, so that a job that goes on repeats none of them."""

import json

from lyra.store.session import Session


class Journal:
    """The outcomes of job steps. Each is written once, in the transaction of the effects it stands for."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._database = session.database

    def read(self, job_id: str) -> dict[tuple[str, str], object]:
        """Return every outcome of a job, by step and part."""
        rows = self._database.rows("SELECT step, part, outcome FROM job_steps WHERE job_id = ?", (job_id,))
        return {(str(step), str(part)): json.loads(str(outcome)) for step, part, outcome in rows}

    def spent_seconds(self, job_id: str) -> float:
        """Return how long the job had worked when its last part was done."""
        value = self._database.value("SELECT max(spent_seconds) FROM job_steps WHERE job_id = ?", (job_id,))
        return float(value) if isinstance(value, (int, float)) else 0.0

    def write(self, job_id: str, step: str, part: str, outcome: object, spent_seconds: float) -> None:
        """Record an outcome. In the transaction of the caller."""
        self._database.run(
            "INSERT OR REPLACE INTO job_steps VALUES (?, ?, ?, ?, ?, ?)",
            (job_id, step, part, json.dumps(outcome, ensure_ascii=False), spent_seconds, self._session.now()),
        )
