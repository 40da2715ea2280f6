"""The store as the workflows see it: one file, opened and migrated, with a table object for each concern."""

from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from random import Random
from types import TracebackType

from lyra.core.errors import NotFound, StoreError
from lyra.core.ports import Clock, PolicySource
from lyra.core.times import to_text
from lyra.store.backup import Backups
from lyra.store.blocks import Blocks
from lyra.store.bulk_evidence import BulkEvidence
from lyra.store.calibrations import Calibrations
from lyra.store.cases import Cases
from lyra.store.citations import Citations
from lyra.store.claim_orders import ClaimOrders
from lyra.store.cleanup import Cleanup
from lyra.store.corrections import Corrections
from lyra.store.database import BUSY_SECONDS, Database
from lyra.store.domains import Domains
from lyra.store.edges import Edges
from lyra.store.evidence import EvidenceReader
from lyra.store.gathered import Gathered
from lyra.store.history import History
from lyra.store.interventions import Interventions
from lyra.store.jobs import Jobs
from lyra.store.journal import Journal
from lyra.store.library import Library
from lyra.store.migrations import known_migrations, migrate, schema_version
from lyra.store.overrides import Overrides
from lyra.store.page_batches import PageBatches
from lyra.store.pages import Pages
from lyra.store.policies import Policies
from lyra.store.purge import Purge
from lyra.store.quarantines import Quarantines
from lyra.store.queries.reader import Queries
from lyra.store.rejudging import Rejudging
from lyra.store.reports import Reports
from lyra.store.retractions import Retractions
from lyra.store.searching import Searching
from lyra.store.session import Session
from lyra.store.tasks import Tasks
from lyra.store.trails import Trails

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
    """Everything Lyra knows. Safe to open from several processes at once.

    `policy` is the domain policy that lies beside the database; None leaves every host to its default.
    """

    def __init__(self, database: Database, clock: Clock, rng: Random, policy: PolicySource | None = None) -> None:
        session = Session(database, clock, rng)
        self._session = session
        self.database = database
        self.policy = policy
        if database.read_only:
            self.schema_version = _checked_version(database)
        else:
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
        self.rejudging = Rejudging(session, self.edges)
        self.orders = ClaimOrders(session)
        self.queries = Queries(session)
        self.citations = Citations(session)
        self.retractions = Retractions(session, self.pages, self.edges, self.tasks)
        self.gathered = Gathered(session, self.pages)
        self.journal = Journal(session)
        self.interventions = Interventions(session)
        self.domains = Domains(session)
        self.overrides = Overrides(session)
        self.blocks = Blocks(session, self.domains)
        self.quarantines = Quarantines(session, self.domains)
        self.policies = Policies(session)
        self.corrections = Corrections(session)
        self.calibrations = Calibrations(session)
        self.trails = Trails(session)
        self.cases = Cases(session)
        self.history = History(session)
        self.purging = Purge(session)
        self.cleanup = Cleanup(session)
        self.backups = Backups(session)
        self.reports = Reports(session)

    def now(self) -> str:
        """Return the present moment as it is stored."""
        return self._session.now()

    def transaction(self) -> AbstractContextManager[None]:
        """Open a durable transaction that the calls inside join."""
        return self._session.transaction()

    def reading(self) -> AbstractContextManager[None]:
        """Let the reads inside see one state of the store; nothing is written there."""
        return self.database.reading()

    def new_id(self, prefix: str) -> str:
        """Return a fresh opaque id, such as that of an act that causes what is written after it."""
        return self._session.new_id(prefix)

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


def open_store(  # noqa: PLR0913 - what a store is made of
    home: Path,
    clock: Clock,
    rng: Random,
    busy_seconds: float = BUSY_SECONDS,
    policy: PolicySource | None = None,
    *,
    read_only: bool = False,
) -> EvidenceStore:
    """Open the store of a home directory, making it when there is none.

    With `read_only` nothing is made or changed; raises NotFound for a home without a store, and StoreError for one of
    another version.
    """
    path = home / DATABASE_NAME
    if read_only and not path.exists():
        raise NotFound("no_store", path=home)
    database = Database(path, busy_seconds, read_only=read_only)
    try:
        return EvidenceStore(database, clock, rng, policy)
    except BaseException:
        database.close()
        raise


def _checked_version(database: Database) -> int:
    version, newest = schema_version(database), known_migrations()[-1][0]
    if version > newest:
        raise StoreError("database_from_future", path=database.path, found=version, known=newest)
    if version < newest:
        raise StoreError("database_outdated", path=database.path)
    return version
