"""The network, put together from the settings: the web client, the providers, the browser and the language model."""

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from random import SystemRandom
from typing import TYPE_CHECKING

from lyra.app import SystemClock, answers_folder, installed_version, open_reading_store
from lyra.config import Settings
from lyra.core.domain_decision import DomainDecision, DomainGate
from lyra.core.errors import ConfigError, LyraError
from lyra.core.ports import DomainUsage, Llm, PageFetcher, SearchProvider, WaitingClock
from lyra.core.units import MEBIBYTE

if TYPE_CHECKING:  # takes time to import that a command without it must not pay
    from lyra.providers.exchange import Resolver
    from lyra.providers.web import Web


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
    settings: Settings,
    gate: DomainGate,
    usage: DomainUsage | None = None,
    clock: WaitingClock | None = None,
    resolver: "Resolver | None" = None,
) -> Iterator[Network]:
    """Put the web client, the providers and the language model together. Nothing is asked of anybody before it is used.

    With `fetch.offline` nothing can be: the client has no way to open a connection.
    """
    from lyra.providers.browser import Browser, BrowserSettings  # noqa: PLC0415 - see above
    from lyra.providers.page_fetching import FetchLimits, WebPageFetcher  # noqa: PLC0415 - see above
    from lyra.providers.registry import ProviderTools, Service, build_provider, provider_names  # noqa: PLC0415 - see above

    fetch = settings.fetch
    web = _web(settings, gate, usage, clock or SystemClock(), resolver)
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


class _SharedGate:
    """A gate that threads may ask at once. It has a store of its own, which no other thread uses meanwhile."""

    def __init__(self, gate: DomainGate) -> None:
        self._gate: DomainGate | None = gate
        self._lock = threading.Lock()

    def decide(self, host: str | None) -> DomainDecision:
        """Return the decision for a host name. Raises InterruptedError in a thread that nobody waits for any more."""
        with self._lock:
            if self._gate is None:
                raise InterruptedError
            return self._gate.decide(host)

    def close(self) -> None:
        """Decide nothing more, so that the store can be closed."""
        with self._lock:
            self._gate = None


@contextmanager
def open_governed_network(
    settings: Settings, clock: WaitingClock | None = None, resolver: "Resolver | None" = None
) -> Iterator[Network]:
    """Open the network under the policy of the home: its gate, and budgets that all of its processes share.

    Safe to use from several threads, beside a store that the caller has open; never inside a transaction of it.
    """
    from lyra.store.domain_usage import StoredUsage  # noqa: PLC0415 - see above
    from lyra.store.evidence_store import DATABASE_NAME  # noqa: PLC0415 - see above
    from lyra.workflows.domain_gate import PolicyGate  # noqa: PLC0415 - see above

    with open_reading_store(settings) as store:
        path = settings.home / DATABASE_NAME
        with (
            closing(_SharedGate(PolicyGate(store))) as gate,
            StoredUsage(path, settings.store.busy_seconds) as usage,
            open_network(settings, gate, usage, clock, resolver) as network,
        ):
            yield network


def _web(
    settings: Settings, gate: DomainGate, usage: DomainUsage | None, clock: WaitingClock, resolver: "Resolver | None"
) -> "Web":
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
    cache = DiskCache(answers_folder(settings), fetch.cache_mb * MEBIBYTE) if fetch.cache_mb else NoCache()
    transport = OfflineTransport() if fetch.offline else SocketTransport(clock, resolver)
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
