"""Backing the store up, and restoring it."""

from pathlib import Path

from lyra.core.errors import InvalidInput
from lyra.store.evidence_store import EvidenceStore
from lyra.store.jobs import Jobs
from lyra.workflows.cleanup import worked_on


def back_up(store: EvidenceStore, target: Path) -> int:
    """Write the whole store to a new file, consistent while others write; returns its size in bytes."""
    store.backups.write(target)
    return target.stat().st_size


def restore(store: EvidenceStore, source: Path) -> Path:
    """Replace the store's content by a backup's; returns the file that keeps the content it had.

    Raises, with nothing changed, for a file that is no sound backup and while a living worker holds a job.
    """
    return store.backups.restore(source, _refuse_while_worked_on)


def _refuse_while_worked_on(jobs: Jobs) -> None:
    held = worked_on(jobs)
    if held:
        raise InvalidInput("store_busy", count=len(held))
