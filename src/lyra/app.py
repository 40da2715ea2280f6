"""The composition root: every concrete thing is built here, once per process, from the settings."""

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from random import SystemRandom
from typing import TYPE_CHECKING

from lyra.config import Settings
from lyra.core.domain_decision import DomainDecision, DomainGate
from lyra.core.errors import ConfigError, LyraError
from lyra.core.ports import DomainUsage, Embedder, Llm, PageFetcher, Progress, SearchProvider, StanceModel, Step, WaitingClock
from lyra.core.rejections import BlockRules
from lyra.core.units import MEBIBYTE

if TYPE_CHECKING:  # each of these takes time to import that a command without it must not pay
    from lyra.models.weights import Weights
    from lyra.providers.policy_file import PolicyFile
    from lyra.providers.web import Web
    from lyra.store.evidence_store import EvidenceStore
    from lyra.workflows.bench import Bench
    from lyra.workflows.feedback import Governance


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

    with open_store(settings.home, SystemClock(), SystemRandom(), settings.store.busy_seconds, policy_of(settings)) as store:
        yield store


@contextmanager
def open_store_unchanged(settings: Settings) -> Iterator["EvidenceStore"]:
    """Open the store of the home directory so that nothing can be written to it. Raises for a home without one."""
    from lyra.store.evidence_store import open_store  # noqa: PLC0415 - see above

    wait, policy = settings.store.busy_seconds, policy_of(settings)
    with open_store(settings.home, SystemClock(), SystemRandom(), wait, policy, read_only=True) as store:
        yield store


def policy_of(settings: Settings) -> "PolicyFile":
    """Return the domain policy of the home directory. Nothing is read before it is asked for."""
    from lyra.providers.policy_file import PolicyFile  # noqa: PLC0415 - see above

    return PolicyFile(settings.home, SystemClock())


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
    from lyra.providers.public_suffixes import is_public_suffix  # noqa: PLC0415 - see above
    from lyra.workflows.feedback import Governance  # noqa: PLC0415 - see above

    with open_reading_store(settings) as store:
        yield Governance(store, block_rules(settings), is_public_suffix)


@contextmanager
def open_bench(settings: Settings, progress: Progress, models: ModelFactory = shipped_models) -> Iterator["Bench"]:
    """Open the store and put the readers and models beside it. Models are loaded when they are first used."""
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
            gate=PolicyGate(store),
            rules=block_rules(settings),
        )


@contextmanager
def open_judging_bench(settings: Settings, progress: Progress, models: ModelFactory = shipped_models) -> Iterator["Bench"]:
    """Open a bench for work that judges. Missing or damaged weights are found before anything is written."""
    chosen = models(settings)
    chosen.verify()
    with open_bench(settings, progress, lambda _: chosen) as bench:
        yield bench


@dataclass(frozen=True, slots=True)
class Network:
    """Everything of one process that reaches beyond the machine, behind ports. `provider` builds one by name.

    `provider` raises InvalidInput for an unknown name, with the right ones, and ConfigError for one that is not set up.
    """

    fetcher: PageFetcher
    provider: Callable[[str], SearchProvider]
    names: Callable[[], Sequence[str]]
    llm: Llm | None


@contextmanager
def open_network(
    settings: Settings, gate: DomainGate, usage: DomainUsage | None = None, clock: WaitingClock | None = None
) -> Iterator[Network]:
    """Put the web client, the providers and the language model together. Nothing is asked of anybody before it is used.

    With `fetch.offline` nothing can be: the client has no way to open a connection.
    """
    from lyra.providers.browser import Browser, BrowserSettings  # noqa: PLC0415 - see above
    from lyra.providers.page_fetching import FetchLimits, WebPageFetcher  # noqa: PLC0415 - see above
    from lyra.providers.registry import ProviderTools, Service, build_provider, provider_names  # noqa: PLC0415 - see above

    fetch = settings.fetch
    web = _web(settings, gate, usage, clock or SystemClock())
    wants_browser = not fetch.offline and fetch.browser != "never"
    browser = Browser(web, BrowserSettings(fetch.browser_path, fetch.seconds)) if wants_browser else None
    limits = FetchLimits(
        pdf_seconds=settings.library.pdf_seconds,
        pdf_memory_bytes=settings.library.pdf_memory_mb * MEBIBYTE,
        browser=fetch.browser,
    )

    def provider(name: str) -> SearchProvider:
        known = settings.providers.services.get(name)
        options = {"max_references": settings.providers.openalex_max_references}
        service = Service(known.url, known.qps, known.key, known.chosen, options) if known else Service()
        return build_provider(ProviderTools(name, web, service, browser))

    try:
        yield Network(WebPageFetcher(web, limits, browser), provider, provider_names, _llm(settings, web))
    finally:
        if browser is not None:
            browser.close()


def _web(settings: Settings, gate: DomainGate, usage: DomainUsage | None, clock: WaitingClock) -> "Web":
    from lyra.providers.disk_cache import DiskCache, NoCache  # noqa: PLC0415 - see above
    from lyra.providers.exchange import ExchangeLimits, OfflineTransport, SocketTransport  # noqa: PLC0415 - see above
    from lyra.providers.politeness import ProcessUsage  # noqa: PLC0415 - see above
    from lyra.providers.web import Edge, Web, WebLimits  # noqa: PLC0415 - see above

    fetch = settings.fetch
    exchange = ExchangeLimits(
        max_bytes=fetch.max_mb * MEBIBYTE,
        max_decoded_bytes=fetch.max_decoded_mb * MEBIBYTE,
        total_seconds=fetch.seconds,
        connect_seconds=fetch.connect_seconds,
        read_seconds=fetch.read_seconds,
    )
    contact = f" (+{fetch.contact})" if fetch.contact else ""
    limits = WebLimits(
        exchange=exchange,
        redirects=fetch.redirects,
        attempts=fetch.attempts,
        patience_seconds=fetch.patience_seconds,
        cache_hours=fetch.cache_hours,
        allow_hosts=fetch.allow_hosts,
        user_agent=f"lyra/{installed_version()}{contact}",
        offline=fetch.offline,
    )
    cache = DiskCache(settings.home / "cache" / "web", fetch.cache_mb * MEBIBYTE) if fetch.cache_mb else NoCache()
    transport = OfflineTransport() if fetch.offline else SocketTransport(clock)
    return Web(Edge(transport, clock, gate, cache, usage or ProcessUsage(), SystemRandom()), limits)


def _llm(settings: Settings, web: "Web") -> Llm | None:
    if settings.llm.use == "none":
        return None
    from lyra.models.llm import LlmLimits, open_llm  # noqa: PLC0415 - see above
    from lyra.providers.endpoint import Endpoint, EndpointSettings  # noqa: PLC0415 - see above

    key_header = "Authorization" if settings.llm.key else None
    endpoint = Endpoint(
        web,
        EndpointSettings(
            settings.llm.url,
            key=f"Bearer {settings.llm.key}" if settings.llm.key else None,
            key_header=key_header,
            trusted=True,
            cached=False,
            seconds=settings.llm.seconds,
        ),
    )
    return open_llm(settings.llm.use, endpoint, settings.llm.model, LlmLimits(settings.llm.max_tokens))


@dataclass(frozen=True, slots=True)
class ServiceState:
    """How one service stands without asking it. `key`: `set`, `missing`, `optional` or `none`.

    `problem` is the code of what keeps it from being used, if anything, and `detail` the sentence.
    """

    name: str
    kind: str | None
    endpoint: str | None = None
    key: str = "none"
    in_use: bool = False
    problem: str | None = None
    detail: str | None = None


class _ClosedGate:
    """Allows nothing: for when only the names of things are looked at."""

    def decide(self, host: str | None) -> DomainDecision:
        return DomainDecision(host, allowed=False, block_reason="unknown")


def service_states(settings: Settings) -> list[ServiceState]:
    """Return every installed provider, the language model, and what the settings name but is not there.

    Opens no connection.
    """
    used = [name for name in settings.providers.use if name != "library"]
    with open_network(settings, _ClosedGate()) as network:
        states = [
            _service_state(settings, network, name, in_use=name in used) for name in dict.fromkeys([*network.names(), *used])
        ]
        if network.llm is not None:
            key = "set" if settings.llm.key else "none"
            states.append(ServiceState("llm", "llm", network.llm.address, key, in_use=True))
    return states


def _service_state(settings: Settings, network: Network, name: str, *, in_use: bool) -> ServiceState:
    from lyra.providers.browser import browser_problem  # noqa: PLC0415 - see above

    try:
        info = network.provider(name).info
    except LyraError as failure:
        return ServiceState(name, None, in_use=in_use, problem=failure.code, detail=failure.sentence(settings.lang))
    state = ServiceState(name, info.kind, info.endpoint, info.key, in_use)
    if name == "browser" and browser_problem(settings.fetch.browser_path) is not None:
        missing = ConfigError("browser_missing")
        return replace(state, problem=missing.code, detail=missing.sentence(settings.lang))
    return state
