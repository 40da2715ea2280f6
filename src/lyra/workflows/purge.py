"""Purging stored page contents by age or domain, with a rehearsal that says what would go."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from lyra.core.errors import InvalidInput
from lyra.core.identity import normalise_host
from lyra.core.times import to_text
from lyra.store.evidence_store import EvidenceStore
from lyra.store.purge import Purged
from lyra.workflows.cleanup import worked_on

MAX_DAYS = 100_000


@dataclass(frozen=True, slots=True)
class PurgeRequest:
    """Which contents: older than so many days, of one domain, or both at once."""

    older_than_days: int | None = None
    domain: str | None = None
    dry_run: bool = False


def purge(store: EvidenceStore, request: PurgeRequest, now: datetime) -> Purged:
    """Remove the chosen contents. One transaction; a dry run does the same and takes it back, so it predicts exactly.

    Raises InvalidInput for a request that chooses everything by leaving out what to choose, and while a living worker
    holds a job.
    """
    if request.older_than_days is None and request.domain is None:
        raise InvalidInput("purge_everything")
    before = None if request.older_than_days is None else to_text(now - timedelta(days=request.older_than_days))
    with store.rehearsal() if request.dry_run else store.transaction():
        held = worked_on(store.jobs)
        if held:
            raise InvalidInput("purge_busy", count=len(held))
        purged = store.purging.contents(before, request.domain)
    if purged.page_versions and not request.dry_run:
        store.purging.scrub()
    return purged


def read_days(written: str) -> int:
    """Return a number of days, or raise InvalidInput."""
    if not (written.isascii() and written.isdigit()) or int(written[:9]) > MAX_DAYS or len(written) > len(str(MAX_DAYS)):
        raise InvalidInput("bad_days", value=written)
    return int(written)


def read_domain(written: str) -> str:
    """Return a host in the form in which pages are kept, or raise InvalidInput."""
    host = normalise_host(written)
    if not host or any(character in host for character in " /:@?#\\") or host.startswith("."):
        raise InvalidInput("bad_domain", value=written)
    return host
