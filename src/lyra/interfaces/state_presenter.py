"""Tasks, jobs, the library and settings as JSON-ready values; the second half of the presenter."""

from collections.abc import Iterable

from lyra.config import Settings
from lyra.core.records import Job, LedgerEntry, Task
from lyra.core.times import to_text
from lyra.interfaces.presenter import Json, document, entry_sentence


def task_json(task: Task) -> Json:
    """Return one task."""
    return {
        "task_id": task.task_id,
        "question": task.question,
        "hypothesis": task.hypothesis,
        "task_status": task.status.value,
        "created_at": to_text(task.created_at),
        "updated_at": to_text(task.updated_at),
        "claim_count": task.claim_count,
        "edge_count": task.edge_count,
    }


def job_json(job: Job) -> Json:
    """Return one job with how far it has come."""
    return {
        "job_id": job.job_id,
        "task_id": job.task_id,
        "kind": job.kind,
        "status": job.status.value,
        "attempts": job.attempts,
        "done": job.done,
        "total": job.total,
        "lease_owner": job.lease_owner,
        "lease_expires_at": None if job.lease_expires_at is None else to_text(job.lease_expires_at),
        "error": job.error,
    }


def ledger_json(entry: LedgerEntry, lang: str) -> Json:
    """Return one file of the library."""
    return {
        "path": entry.path,
        "status": entry.status,
        "code": entry.code,
        "detail": entry_sentence(entry, lang),
        "page_id": entry.page_id,
        "fragments": entry.fragments,
        "records": entry.records,
        "record": entry.record,
        "line": entry.line,
        "notes": list(entry.notes),
        "read_at": None if entry.read_at is None else to_text(entry.read_at),
    }


def tasks_json(tasks: Iterable[Task]) -> Json:
    """Return the answer of `task list`."""
    return document(tasks=[task_json(task) for task in tasks])


def settings_json(settings: Settings) -> Json:
    """Return every setting with its origin."""
    return document(
        path=str(settings.path),
        settings=[{"key": entry.key, "value": entry.value, "origin": entry.origin} for entry in settings.values],
    )
