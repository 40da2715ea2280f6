"""The composition root: every concrete thing is built here, once per process, from the settings."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from datetime import UTC, datetime
from random import SystemRandom
from typing import TYPE_CHECKING

from lyra.config import Settings
from lyra.core.ports import Embedder, Progress, StanceModel, Step
from lyra.core.units import MEBIBYTE

if TYPE_CHECKING:  # each of these takes time to import that a command without it must not pay
    from lyra.models.weights import Weights
    from lyra.store.evidence_store import EvidenceStore
    from lyra.workflows.bench import Bench


DISTRIBUTION = "lyra-evidence"


def installed_version() -> str:
    """Return the version of the installed distribution; `unknown` for a source tree that is not installed."""
    from importlib.metadata import PackageNotFoundError, version  # noqa: PLC0415 - slow, and few calls need it

    try:
        return version(DISTRIBUTION)
    except PackageNotFoundError:
        return "unknown"


class SystemClock:
    """The clock of the machine."""

    def now(self) -> datetime:
        """Return the present moment in UTC."""
        return datetime.now(UTC)


class SilentProgress:
    """Shows nothing."""

    def track(self, code: str, total: int | None) -> AbstractContextManager[Step]:
        """Return a step that shows nothing."""
        return nullcontext(_SilentStep())


class _SilentStep:
    def advance(self, by: int = 1) -> None:
        """Show nothing."""


@dataclass(frozen=True, slots=True)
class Models:
    """The models of one process. `verify` raises ModelError unless their files are there and unchanged."""

    embedder: Embedder
    stance: StanceModel
    verify: Callable[[], None]


ModelFactory = Callable[[Settings], Models]


def shipped_models(settings: Settings) -> Models:
    """Return the models that come with the program. Nothing is read before they are first used."""
    from lyra.models.weights import Weights  # noqa: PLC0415 - see above

    return models_of(Weights(), settings)


def models_of(weights: "Weights", settings: Settings) -> Models:
    """Return the models of a weights directory."""
    from lyra.models.embedder import OnnxEmbedder  # noqa: PLC0415 - see above
    from lyra.models.stance import OnnxStance  # noqa: PLC0415 - see above

    threads = settings.judge.threads or None

    def verify() -> None:
        for kind in ("tokenizer", "embedder", "stance"):
            weights.path(kind)

    return Models(OnnxEmbedder(weights, threads), OnnxStance(weights, threads), verify)


@contextmanager
def open_reading_store(settings: Settings) -> Iterator["EvidenceStore"]:
    """Open the store of the home directory for commands that need no models; a fresh home gets an empty one."""
    from lyra.store.evidence_store import open_store  # noqa: PLC0415 - see above

    with open_store(settings.home, SystemClock(), SystemRandom(), settings.store.busy_seconds) as store:
        yield store


def has_store(settings: Settings) -> bool:
    """Return whether the home directory holds a store already, without making one."""
    from lyra.store.evidence_store import DATABASE_NAME  # noqa: PLC0415 - see above

    return (settings.home / DATABASE_NAME).exists()


@contextmanager
def open_bench(settings: Settings, progress: Progress, models: ModelFactory = shipped_models) -> Iterator["Bench"]:
    """Open the store and put the readers and models beside it. Models are loaded when they are first used."""
    from lyra.providers.library import LibraryReader, ReaderLimits  # noqa: PLC0415 - see above
    from lyra.workflows.bench import Bench, Limits  # noqa: PLC0415 - see above
    from lyra.workflows.jobs import worker_name  # noqa: PLC0415 - see above

    chosen = models(settings)
    reader = LibraryReader(
        ReaderLimits(
            max_file_bytes=settings.library.max_file_mb * MEBIBYTE,
            pdf_seconds=settings.library.pdf_seconds,
            pdf_memory_bytes=settings.library.pdf_memory_mb * MEBIBYTE,
        )
    )
    limits = Limits(
        top_k=settings.judge.top_k,
        search_fragments=settings.search.fragments,
        search_claims=settings.search.max_claims,
    )
    with open_reading_store(settings) as store:
        yield Bench(
            store=store,
            reader=reader,
            embedder=chosen.embedder,
            stance=chosen.stance,
            reranker=None,
            progress=progress,
            limits=limits,
            owner=worker_name(),
        )


@contextmanager
def open_judging_bench(settings: Settings, progress: Progress, models: ModelFactory = shipped_models) -> Iterator["Bench"]:
    """Open a bench for work that judges. Missing or damaged weights are found before anything is written."""
    chosen = models(settings)
    chosen.verify()
    with open_bench(settings, progress, lambda _: chosen) as bench:
        yield bench
