"""The composition root: every concrete thing is built here, once per process, from the settings."""

import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from random import SystemRandom
from typing import TYPE_CHECKING

from lyra.config import Settings
from lyra.core.domain_policy import Policy
from lyra.core.errors import InvalidInput
from lyra.core.ports import Embedder, PolicyReading, Progress, Reranker, StanceModel, Step, WaitingClock
from lyra.core.records import ModelInfo
from lyra.core.rejections import BlockRules
from lyra.core.units import MEBIBYTE

if TYPE_CHECKING:  # each of these takes time to import that a command without it must not pay
    from lyra.models.shelf import Shelf
    from lyra.models.weights import Weights
    from lyra.providers.exchange import Resolver
    from lyra.providers.model_hub import HttpModelHub
    from lyra.providers.policy_file import PolicyFile
    from lyra.store.evidence_store import EvidenceStore
    from lyra.workflows.bench import Bench
    from lyra.workflows.feedback import Governance


DISTRIBUTION = "lyra-evidence"
POLICY_NAME = "domains.yaml"


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

    def monotonic(self) -> float:
        """Return seconds that never go back."""
        return time.monotonic()

    def sleep(self, seconds: float) -> None:
        """Return after `seconds`."""
        time.sleep(seconds)


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
    reranker: Reranker | None = None
    specialists: tuple[StanceModel, ...] = ()

    def infos(self) -> tuple[ModelInfo, ...]:
        """Return the models in use, the general judge first."""
        others = (self.embedder, *((self.reranker,) if self.reranker else ()), *self.specialists)
        return (self.stance.info, *(one.info for one in others))


ModelFactory = Callable[[Settings], Models]


def chosen_models(settings: Settings) -> Models:
    """Return the models in use: those a person chose in this home directory, else those that come with the program.

    Weights are read when they are first used. Raises ModelError when the choice cannot be read.
    """
    from lyra.models.weights import Weights  # noqa: PLC0415 - see above

    return models_of(Weights(), settings)


def models_of(weights: "Weights", settings: Settings) -> Models:
    """Return the models in use, with those of a weights directory as the shipped ones."""
    from lyra.models.shelf import Shelf  # noqa: PLC0415 - see above

    opened = Shelf(settings.home, weights).open(settings.judge.threads or None)
    return Models(opened.embedder, opened.stance, opened.verify, opened.reranker, opened.specialists)


def answers_folder(settings: Settings) -> Path:
    """Return where answers of the network are kept, so that nothing is asked twice."""
    return settings.home / "cache" / "web"


def forget_answers(settings: Settings) -> None:
    """Drop every kept answer of the network; losing them costs only requests."""
    shutil.rmtree(answers_folder(settings), ignore_errors=True)


def model_shelf(settings: Settings) -> "Shelf":
    """Return the models that can be used by name."""
    from lyra.models.shelf import Shelf  # noqa: PLC0415 - see above
    from lyra.models.weights import Weights  # noqa: PLC0415 - see above

    return Shelf(settings.home, Weights())


def model_hub(settings: Settings, *, offline: bool) -> "HttpModelHub":
    """Return the hub that models are pulled from, or refuse to reach any: with `offline`, or with the setting `fetch.offline`."""
    if offline or settings.fetch.offline:
        raise InvalidInput("pull_offline", url=settings.models.hub_url)
    from time import sleep  # noqa: PLC0415 - see above

    from lyra.providers.model_hub import HttpModelHub, HubManners  # noqa: PLC0415 - see above

    return HttpModelHub(settings.models.hub_url, HubManners(user_agent=f"{DISTRIBUTION}/{installed_version()}"), sleep)


@contextmanager
def open_reading_store(settings: Settings) -> Iterator["EvidenceStore"]:
    """Open the store of the home directory for commands that need no models; a fresh home gets an empty one."""
    from lyra.store.evidence_store import open_store  # noqa: PLC0415 - see above

    wait, policy = settings.store.busy_seconds, HomePolicy(settings.home)
    with open_store(settings.home, SystemClock(), SystemRandom(), wait, policy) as store:
        yield store


def has_store(settings: Settings) -> bool:
    """Return whether the home directory holds a store already, without making one."""
    from lyra.store.evidence_store import DATABASE_NAME  # noqa: PLC0415 - see above

    return (settings.home / DATABASE_NAME).exists()


@contextmanager
def open_store_unchanged(settings: Settings) -> Iterator["EvidenceStore"]:
    """Open the store of the home directory so that nothing can be written to it. Raises for a home without one."""
    from lyra.store.evidence_store import open_store  # noqa: PLC0415 - see above

    wait, policy = settings.store.busy_seconds, HomePolicy(settings.home)
    with open_store(settings.home, SystemClock(), SystemRandom(), wait, policy, read_only=True) as store:
        yield store


class HomePolicy:
    """The domain policy of a home directory. Nothing is loaded or read before it is first asked for."""

    def __init__(self, home: Path) -> None:
        self._home = home
        self._file: PolicyFile | None = None

    @property
    def path(self) -> Path:
        """Where a person may write a policy."""
        return self._home / POLICY_NAME

    def read(self) -> PolicyReading:
        """Return what the file says at this moment."""
        return self._opened().read()

    def parse(self, text: str) -> Policy:
        """Return the policy of a text. Raises ConfigError."""
        return self._opened().parse(text)

    def _opened(self) -> "PolicyFile":
        from lyra.providers.policy_file import PolicyFile  # noqa: PLC0415 - see above

        if self._file is None:
            self._file = PolicyFile(self.path, SystemClock())
        return self._file


def shipped_policy() -> str:
    """Return the policy file that comes with the program, to start one's own from."""
    from lyra.providers.policy_file import shipped_text  # noqa: PLC0415 - see above

    return shipped_text()


def block_rules(settings: Settings) -> BlockRules:
    """Return when a domain is blocked automatically."""
    chosen = settings.source_verification
    return BlockRules(
        chosen.high_rejection_rate_threshold,
        chosen.high_rejection_min_samples,
        chosen.high_rejection_rule,
        chosen.dangerous_min_pages,
    )


@contextmanager
def open_governance(settings: Settings) -> Iterator["Governance"]:
    """Open the store for what people say about domains, claims and edges. Needs no models."""
    with open_reading_store(settings) as store:
        yield governance_of(settings, store)


def governance_of(settings: Settings, store: "EvidenceStore") -> "Governance":
    """Return what feedback on an open store works with."""
    from lyra.providers.public_suffixes import is_public_suffix  # noqa: PLC0415 - see above
    from lyra.workflows.feedback import Governance  # noqa: PLC0415 - see above

    return Governance(store, block_rules(settings), is_public_suffix)


@contextmanager
def open_bench(
    settings: Settings,
    progress: Progress,
    models: ModelFactory = chosen_models,
    clock: WaitingClock | None = None,
    resolver: "Resolver | None" = None,
) -> Iterator["Bench"]:
    """Open the store and put the readers and models beside it. Models are loaded when they are first used.

    `clock` and `resolver` are those of the network, which is opened when it is first needed.
    """
    from lyra.core.dangerous.scanning import PatternScanner  # noqa: PLC0415 - see above
    from lyra.providers.library import LibraryReader, ReaderLimits  # noqa: PLC0415 - see above
    from lyra.workflows.bench import Bench, Limits  # noqa: PLC0415 - see above
    from lyra.workflows.domain_gate import PolicyGate  # noqa: PLC0415 - see above
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
    from lyra.app.gathering import lazy_reach  # noqa: PLC0415 - it builds on this module

    with open_reading_store(settings) as store, ExitStack() as stack:
        yield Bench(
            store=store,
            reader=reader,
            embedder=chosen.embedder,
            stance=chosen.stance,
            reranker=chosen.reranker,
            progress=progress,
            limits=limits,
            owner=worker_name(),
            gate=PolicyGate(store),
            rules=block_rules(settings),
            scanner=PatternScanner(),
            specialists=chosen.specialists,
            providers=settings.providers.use,
            uses_llm=settings.llm.use != "none",
            reach=lazy_reach(settings, stack, clock, resolver),
        )


@contextmanager
def open_judging_bench(settings: Settings, progress: Progress, models: ModelFactory = chosen_models) -> Iterator["Bench"]:
    """Open a bench for work that judges. Missing or damaged weights are found before anything is written."""
    chosen = models(settings)
    chosen.verify()
    with open_bench(settings, progress, lambda _: chosen) as bench:
        yield bench
