"""Jobs: long work under a lease with a fencing token, so that a second worker is always safe."""

from datetime import datetime, timedelta

from lyra.core.errors import LeaseLost, NotFound
from lyra.core.records import Job, JobStatus
from lyra.core.times import from_text, to_text
from lyra.store.database import Row, optional_text
from lyra.store.session import Session

LEASE_SECONDS = 120
MAX_ATTEMPTS = 5
_JOB = """
    SELECT job_id, task_id, job_kind, payload, status, fencing_token, attempts, progress_done, progress_total,
           lease_owner, lease_expires_at, error
    FROM jobs
"""


class Jobs:
    """The queue of long work."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._database = session.database

    def add(self, kind: str, task_id: str, payload: str = "{}") -> Job:
        """Queue a job."""
        job_id, now = self._session.new_id("job"), self._session.now()
        with self._session.transaction():
            self._database.run(
                "INSERT INTO jobs (job_id, task_id, job_kind, payload, status, created_at, updated_at)"
                " VALUES (?, ?, ?, ?, 'queued', ?, ?)",
                (job_id, task_id, kind, payload, now, now),
            )
        return self.get(job_id)

    def get(self, job_id: str) -> Job:
        """Return the job, or raise NotFound."""
        row = self._database.row(_JOB + " WHERE job_id = ?", (job_id,))
        if row is None:
            raise NotFound("unknown_job", job_id=job_id)
        return _job(row)

    def unfinished(self) -> list[Job]:
        """Return queued and running jobs, oldest first."""
        return [_job(r) for r in self._database.rows(_JOB + " WHERE status IN ('queued', 'running') ORDER BY created_at, job_id")]

    def held(self) -> list[Job]:
        """Return running jobs whose lease has not run out, oldest first."""
        now = to_text(self._session.clock.now())
        rows = self._database.rows(
            _JOB + " WHERE status = 'running' AND lease_expires_at > ? ORDER BY created_at, job_id", (now,)
        )
        return [_job(row) for row in rows]

    def waiting(self) -> list[Job]:
        """Return what is left to do, oldest first: unfinished jobs, and failed ones of active tasks not tried too often."""
        rows = self._database.rows(
            _JOB + " WHERE status IN ('queued', 'running') OR (status = 'failed' AND attempts < ?"
            " AND task_id IN (SELECT task_id FROM tasks WHERE status = 'active')) ORDER BY created_at, job_id",
            (MAX_ATTEMPTS,),
        )
        return [_job(row) for row in rows]

    def of_task(self, task_id: str) -> list[Job]:
        """Return all jobs of a task, oldest first."""
        return [_job(r) for r in self._database.rows(_JOB + " WHERE task_id = ? ORDER BY created_at, job_id", (task_id,))]

    def last_activity(self, task_id: str | None = None) -> datetime | None:
        """Return when anything was last done, in one task or in all; None where nothing ever was."""
        latest = self._database.value(
            "SELECT max(at) FROM (SELECT max(updated_at) AS at FROM jobs WHERE ?1 IS NULL OR task_id = ?1"
            " UNION ALL SELECT max(created_at) FROM event_log WHERE ?1 IS NULL OR task_id = ?1"
            " UNION ALL SELECT max(updated_at) FROM tasks WHERE ?1 IS NULL OR task_id = ?1)",
            (task_id,),
        )
        return None if latest is None else from_text(str(latest))

    def acquire(self, job_id: str, owner: str, *, gone_owner: str | None = None) -> Job | None:
        """Take a queued or failed job, or a running one whose lease ran out or is held by `gone_owner`, known to be gone.

        Returns the job with its new fencing token, or None when somebody else holds it or it is finished.
        """
        with self._session.transaction():
            job = self.get(job_id)
            now = self._session.clock.now()
            abandoned = gone_owner is not None and job.lease_owner == gone_owner
            expired = job.lease_expires_at is None or job.lease_expires_at <= now or abandoned
            free = job.status in (JobStatus.QUEUED, JobStatus.FAILED) or (job.status is JobStatus.RUNNING and expired)
            if not free:
                return None
            self._database.run(
                "UPDATE jobs SET status = 'running', lease_owner = ?, lease_expires_at = ?, attempts = attempts + 1,"
                " fencing_token = fencing_token + 1, error = NULL, updated_at = ? WHERE job_id = ?",
                (owner, to_text(now + timedelta(seconds=LEASE_SECONDS)), to_text(now), job_id),
            )
            return self.get(job_id)

    def guard(self, job: Job, done: int | None = None, total: int | None = None) -> None:
        """Extend the lease and note progress, in the transaction of the write it protects.

        Raises LeaseLost, so that the transaction is rolled back, when the job was taken over or stopped.
        """
        with self._session.transaction():
            now = self._session.clock.now()
            held = self._database.run(
                "UPDATE jobs SET lease_expires_at = ?, updated_at = ?, progress_done = coalesce(?, progress_done),"
                " progress_total = coalesce(?, progress_total)"
                " WHERE job_id = ? AND fencing_token = ? AND status = 'running'",
                (to_text(now + timedelta(seconds=LEASE_SECONDS)), to_text(now), done, total, job.job_id, job.fencing_token),
            )
            if not held:
                raise LeaseLost("lease_lost", job_id=job.job_id)

    def finish(self, job: Job, status: JobStatus, error: str | None = None) -> None:
        """End a job we hold; a job taken over by another worker is left to it."""
        with self._session.transaction():
            ended = self._database.run(
                "UPDATE jobs SET status = ?, error = ?, lease_owner = NULL, lease_expires_at = NULL, updated_at = ?"
                " WHERE job_id = ? AND fencing_token = ? AND status = 'running'",
                (status, error, self._session.now(), job.job_id, job.fencing_token),
            )
            if ended:
                self._session.log(f"job_{status}", job.task_id, {"job_kind": job.kind, "error": error}, job.job_id)


def _job(row: Row) -> Job:
    job_id, task_id, kind, payload, status, token, attempts, done, total, owner, expires, error = row
    return Job(
        job_id=str(job_id),
        task_id=optional_text(task_id),
        kind=str(kind),
        payload=str(payload),
        status=JobStatus(str(status)),
        fencing_token=int(token or 0),
        attempts=int(attempts or 0),
        done=int(done or 0),
        total=int(total or 0),
        lease_owner=optional_text(owner),
        lease_expires_at=None if expires is None else from_text(str(expires)),
        error=optional_text(error),
    )
