"""Deleting a task, with a rehearsal that says what would go."""

from dataclasses import dataclass

from lyra.core.errors import InvalidInput
from lyra.core.records import Job
from lyra.store.evidence_store import EvidenceStore
from lyra.store.jobs import Jobs
from lyra.workflows.jobs import holder_is_gone


@dataclass(frozen=True, slots=True)
class Deletion:
    """How many rows of each table went, or would go in a dry run."""

    task_id: str
    hard: bool
    dry_run: bool
    deleted: dict[str, int]


def delete_task(store: EvidenceStore, task_id: str, *, hard: bool = False, dry_run: bool = False) -> Deletion:
    """Delete a task and, when `hard`, the fragments and pages that nothing else needs. One transaction.

    A dry run does the same and takes it back, so it predicts exactly. Raises NotFound for an unknown task, and
    InvalidInput while a living worker holds one of its jobs.
    """
    with store.rehearsal() if dry_run else store.transaction():
        store.tasks.get(task_id)
        if any(job.task_id == task_id for job in worked_on(store.jobs)):
            raise InvalidInput("task_busy", task_id=task_id)
        deleted = store.cleanup.delete_task(task_id, hard=hard)
    return Deletion(task_id, hard, dry_run, deleted)


def end_task(store: EvidenceStore, task_id: str, cleanup: str, *, dry_run: bool = False) -> Deletion:
    """Stop a task, whoever works on it, and with `cleanup` `soft` or `hard` delete it, too. One transaction.

    A worker that holds one of its jobs cannot write for it any more from then on. `none` deletes nothing. A dry run takes
    all of it back. Raises NotFound for an unknown task.
    """
    with store.rehearsal() if dry_run else store.transaction():
        store.tasks.stop(task_id)
        deleted = {} if cleanup == "none" else store.cleanup.delete_task(task_id, hard=cleanup == "hard")
    return Deletion(task_id, cleanup == "hard", dry_run, deleted)


def worked_on(jobs: Jobs) -> list[Job]:
    """Return the jobs that a living worker holds."""
    return [job for job in jobs.held() if not holder_is_gone(job.lease_owner)]
