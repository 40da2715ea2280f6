"""The store as the workflows see it: one file, opened and migrated, with a table object for each concern."""

from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from random import Random
from types import TracebackType

from lyra.core.ports import Clock
from lyra.core.times import to_text
from lyra.store.backup import Backups
from lyra.store.bulk_evidence import BulkEvidence
from lyra.store.citations import Citations
from lyra.store.claim_orders import ClaimOrders
from lyra.store.cleanup import Cleanup
from lyra.store.database import BUSY_SECONDS, Database
from lyra.store.edges import Edges
from lyra.store.evidence import EvidenceReader
from lyra.store.jobs import Jobs
from lyra.store.library import Library
from lyra.store.migrations import migrate
from lyra.store.page_batches import PageBatches
from lyra.store.pages import Pages
from lyra.store.queries.reader import Queries
from lyra.store.retractions import Retractions
from lyra.store.searching import Searching
from lyra.store.session import Session
from lyra.store.tasks import Tasks

DATABASE_NAME = "lyra.db"
_COUNTED = ("tasks", "claims", "pages", "fragments", "edges", "cites", "jobs", "library_files")


@dataclass(frozen=True, slots=True)
class StoreFacts:
    """What `status` and `doctor` say of the store."""

    path: str
    engine: str
    schema_version: int
    size_bytes: int
    counts: dict[str, int]


class EvidenceStore:
    """Everything Lyra knows. Safe to open from several processes at once."""

    def __init__(self, database: Database, clock: Clock, rng: Random) -> None:
        session = Session(database, clock, rng)
        self._session = session
        self.database = database
        self.schema_version = migrate(database, to_text(clock.now()))
        database.write_ahead()
        self.tasks = Tasks(session)
        self.jobs = Jobs(session)
        self.pages = Pages(session)
        self.page_batches = PageBatches(session, self.pages)
        self.library = Library(session)
        self.searching = Searching(session)
        self.edges = Edges(session)
        self.evidence = EvidenceReader(session)
        self.bulk_evidence = BulkEvidence(session)
        self.orders = ClaimOrders(session)
        self.queries = Queries(session)
        self.citations = Citations(session)
        self.retractions = Retractions(session, self.pages, self.edges, self.tasks)
        self.cleanup = Cleanup(session)
        self.backups = Backups(session)

    def transaction(self) -> AbstractContextManager[None]:
        """Open a durable transaction that the calls inside join."""
        return self._session.transaction()

    def reading(self) -> AbstractContextManager[None]:
        """Let the reads inside see one state of the store; nothing is written there."""
        return self.database.reading()

    def rehearsal(self) -> AbstractContextManager[None]:
        """Open a transaction that the calls inside join, and that is taken back at the end."""
        return self.database.rehearsal()

    def facts(self) -> StoreFacts:
        """Return sizes and counts."""
        return StoreFacts(
            path=str(self.database.path),
            engine=self.database.engine_version(),
            schema_version=self.schema_version,
            size_bytes=self.database.size_bytes(),
            counts={table: self.database.count(f"SELECT count(*) FROM {table}") for table in _COUNTED},
        )

    def close(self) -> None:
        """Close the store."""
        self.database.close()

    def __enter__(self) -> "EvidenceStore":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()


def open_store(home: Path, clock: Clock, rng: Random, busy_seconds: float = BUSY_SECONDS) -> EvidenceStore:
    """Open the store of a home directory, making it when there is none."""
    database = Database(home / DATABASE_NAME, busy_seconds)
    try:
        return EvidenceStore(database, clock, rng)
    except BaseException:
        database.close()
        raise
