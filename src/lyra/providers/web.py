"""The web client: gate, robots, rates, budgets, retries, redirects and cache around one guarded exchange.

Synchronous and safe to share between threads.
"""

import threading
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from random import Random
from typing import Protocol, TypeVar

from lyra.core.domain_decision import DomainDecision, DomainGate
from lyra.core.errors import InvalidInput, OutOfTime, WebProblem
from lyra.core.ports import DomainUsage, WaitingClock
from lyra.core.records import ProviderStatus
from lyra.core.retrying import pause_before, retry_after
from lyra.core.robots import EVERYTHING, MAX_BYTES, NOTHING, Robots, read_robots
from lyra.core.web_url import WebUrl, join_web_url, parse_web_url
from lyra.providers.disk_cache import Kept
from lyra.providers.exchange import Asked, ExchangeLimits, Received, Transport
from lyra.providers.politeness import Rates, admit, spend

PRODUCT = "lyra"
OK, TOO_MANY = 200, 429
_CLIENT_ERROR, _SERVER_ERROR = 400, 500
REDIRECTS = frozenset({301, 302, 303, 307, 308})
_PASSING = frozenset({429, 500, 502, 503, 504, 520, 521, 522, 523, 524})
# Faults that may be gone at the next attempt.
_REPEATABLE = frozenset({"timed_out", "unreachable", "connection_broken", "bad_compression", "malformed_answer"})
_ROBOTS_HOURS = 24
_PAGE_TYPES = "text/html,application/xhtml+xml,application/pdf;q=0.9,text/plain;q=0.8,*/*;q=0.5"

T = TypeVar("T")


class Cache(Protocol):
    """Where answers are kept."""

    def get(self, key: str, not_before: datetime | None) -> Kept | None:
        """Return the answer kept under `key`, unless it is older than `not_before`."""
        ...

    def put(self, key: str, kept: Kept) -> None:
        """Keep an answer."""
        ...


@dataclass(frozen=True, slots=True)
class WebLimits:
    """What one request may cost. `patience_seconds` bounds all waiting between its attempts.

    `allow_hosts` names hosts (`name` or `name:port`) that may have private addresses.
    """

    exchange: ExchangeLimits
    redirects: int = 5
    attempts: int = 3
    patience_seconds: float = 60.0
    cache_hours: float = 24.0
    allow_hosts: frozenset[str] = frozenset()
    user_agent: str = PRODUCT
    offline: bool = False


@dataclass(frozen=True, slots=True)
class Loaded:
    """What stood at an address in the end, whatever the status; only answers with status 200 come from the cache."""

    url: str
    status: int
    media_type: str
    body: bytes
    from_cache: bool = False


@dataclass(frozen=True, slots=True)
class Edge:
    """What the client stands on, given by the composition root."""

    transport: Transport
    clock: WaitingClock
    gate: DomainGate
    cache: Cache
    usage: DomainUsage
    rng: Random


@dataclass(frozen=True, slots=True)
class _Case:
    """One request with the circumstances of asking: the rate, whether it counts as a page, and what ends it early."""

    asked: Asked
    decision: DomainDecision
    qps: float | None
    page: bool = False
    is_final: Callable[[Received], bool] = lambda _: False
    attempts: int = 1


@dataclass(frozen=True, slots=True)
class _Manner:
    """How an address is gone to: whether as a robot, how often it is tried, and at which rate (None: that of the policy)."""

    robots: bool = True
    attempts: int | None = None
    qps: float | None = None
    is_final: Callable[[Received], bool] = lambda _: False


_NO_RATE = float("inf")


class Web:
    """Asks hosts politely. One per process; every part that talks to the network shares it."""

    def __init__(self, edge: Edge, limits: WebLimits) -> None:
        self.limits = limits
        self.clock = edge.clock
        self.gate = edge.gate
        self._edge = edge
        self._rates = Rates(edge.clock)
        self._lock = threading.Lock()
        self._reading: dict[str, threading.Lock] = {}
        self._robots: dict[str, tuple[float, Robots]] = {}

    def page(self, address: str, is_final: Callable[[Received], bool] = lambda _: False) -> Loaded:
        """Return what stands at `address`, redirects followed, robots.txt honoured.

        `is_final` recognises an answer that no repetition will change, such as a challenge page with status 503.
        Raises WebProblem.
        """
        url = _parsed(address)
        kept = self.kept(f"page {url}")
        if kept is not None:
            for host in {url.host, _parsed(kept.url).host}:
                admit(self.gate.decide(host))
            return Loaded(kept.url, OK, kept.media_type, kept.body, from_cache=True)
        loaded = self._follow(url, _Manner(is_final=is_final))
        if loaded.status == OK:
            self.keep(f"page {url}", loaded.url, loaded.media_type, loaded.body)
        return loaded

    def resource(self, address: str) -> Loaded:
        """Return what a page that is being shown needs beside itself (a script, data): one attempt, no robots.txt, no rate.

        Raises WebProblem.
        """
        return self._follow(_parsed(address), _Manner(robots=False, attempts=1, qps=_NO_RATE))

    def visit(self, address: str, qps: float, is_final: Callable[[Received], bool] = lambda _: False) -> Loaded:
        """Return a page that the user named in the settings to be asked on their behalf: no robots.txt, a rate of its own.

        Raises WebProblem.
        """
        return self._follow(_parsed(address), _Manner(robots=False, qps=qps, is_final=is_final))

    def call(self, asked: Asked, qps: float | None, read: Callable[[Received], T]) -> T:
        """Send a request to a service that the user configured, with retries, and return what `read` makes of the answer.

        `read` may raise WebProblem, also for a body that a repetition may bring whole. No robots.txt, no redirects.
        """
        decision = admit(self.gate.decide(asked.url.host))
        return self._attempts(_Case(asked, decision, qps, attempts=self.limits.attempts), read)

    def kept(self, key: str) -> Kept | None:
        """Return the answer in the cache, if it is fresh; without a network any age will do."""
        fresh = self.clock.now() - timedelta(hours=self.limits.cache_hours)
        return self._edge.cache.get(key, None if self.limits.offline else fresh)

    def keep(self, key: str, url: str, media_type: str, body: bytes) -> None:
        """Put an answer into the cache."""
        self._edge.cache.put(key, Kept(url, media_type, body, self.clock.now()))

    def _follow(self, url: WebUrl, manner: _Manner) -> Loaded:
        current = url
        for _ in range(self.limits.redirects + 1):
            decision = admit(self.gate.decide(current.host))
            qps = decision.qps if manner.qps is None else manner.qps
            if manner.robots:
                rules = self._rules(current)
                if not rules.allows(current.target):
                    raise WebProblem("robots", ProviderStatus.REFUSED, url=str(current))
                qps = _slower(qps, rules.delay)
            asked = Asked(current, headers=self._headers(_PAGE_TYPES), trusted=self._is_trusted(current))
            case = _Case(asked, decision, qps, manner.robots, manner.is_final, manner.attempts or self.limits.attempts)
            received = self._attempts(case, lambda found: found)
            target = received.headers.get("location")
            if received.status not in REDIRECTS or not target:
                return Loaded(str(current), received.status, received.headers.get("content-type", ""), received.body)
            try:
                current = join_web_url(current, target)
            except InvalidInput:
                raise WebProblem("bad_redirect", ProviderStatus.REFUSED, url=str(current), target=target[:200]) from None
        raise WebProblem("too_many_redirects", url=str(url), limit=self.limits.redirects)

    def _attempts(self, case: _Case, read: Callable[[Received], T]) -> T:
        """Send until an answer stands, the attempts are used up, or waiting would take too long."""
        asked, host = case.asked, case.asked.url.host
        deadline = self.clock.monotonic() + self.limits.patience_seconds
        for attempt in range(1, case.attempts + 1):
            if not self.limits.offline:
                self._rates.wait(host, case.qps, deadline)
                spend(self._edge.usage, case.decision, self.clock.now(), page=case.page and attempt == 1)
            pause = pause_before(attempt + 1, self._edge.rng.random())
            try:
                received = self._edge.transport.send(asked, self.limits.exchange)
                if received.status not in _PASSING or case.is_final(received):
                    return read(received)
                problem, demanded = self._passing(received, asked)
                pause = max(pause, demanded)
            except WebProblem as failure:
                if failure.code not in _REPEATABLE:
                    raise
                problem = failure
            if attempt == case.attempts or self.clock.monotonic() + pause > deadline:
                raise problem
            try:
                self.clock.sleep(pause)
            except OutOfTime:
                raise problem from None
        raise AssertionError("attempts is at least 1")

    def _passing(self, received: Received, asked: Asked) -> tuple[WebProblem, float]:
        """Return what a status that may pass means, and how long the host asks to be left alone."""
        demanded = retry_after(received.headers.get("retry-after"), self.clock.now())
        if demanded is not None:
            self._rates.hold(asked.url.host, demanded)
        if received.status == TOO_MANY or demanded is not None:
            seconds = "?" if demanded is None else round(demanded)
            return WebProblem("throttled", ProviderStatus.THROTTLED, url=asked.label, seconds=seconds), demanded or 0.0
        return WebProblem("server_error", url=asked.label, http_status=received.status), 0.0

    def _rules(self, url: WebUrl) -> Robots:
        """Return the rules of a host; a host whose rules cannot be had allows nothing (RFC 9309, 2.3.1.4)."""
        with self._lock:
            reading = self._reading.setdefault(url.origin, threading.Lock())
        with reading:  # threads that come for the same host at once wait for one reading
            expires, rules = self._robots.get(url.origin, (0.0, EVERYTHING))
            if expires <= self.clock.monotonic():
                rules = self._read_rules(url)
                self._robots[url.origin] = (self.clock.monotonic() + _ROBOTS_HOURS * 3600, rules)
            return rules

    def _read_rules(self, url: WebUrl) -> Robots:
        try:
            loaded = self._follow(WebUrl(url.scheme, url.host, url.port, "/robots.txt"), _Manner(robots=False))
        except WebProblem as problem:
            if problem.code == "server_error":
                return NOTHING
            if problem.code == "too_large":
                return EVERYTHING
            raise
        if loaded.status == OK:
            return read_robots(loaded.body[:MAX_BYTES].decode("utf-8", "replace"), PRODUCT)
        return EVERYTHING if _CLIENT_ERROR <= loaded.status < _SERVER_ERROR else NOTHING

    def _headers(self, accept: str) -> tuple[tuple[str, str], ...]:
        return (("User-Agent", self.limits.user_agent), ("Accept", accept), ("Accept-Language", "en,ja;q=0.9,*;q=0.5"))

    def _is_trusted(self, url: WebUrl) -> bool:
        return not self.limits.allow_hosts.isdisjoint((url.host, f"{url.host}:{url.port}"))


def _parsed(address: str) -> WebUrl:
    try:
        return parse_web_url(address)
    except InvalidInput as failure:
        raise WebProblem("bad_url", ProviderStatus.REFUSED, **failure.params) from None


def _slower(qps: float | None, delay: float | None) -> float | None:
    if not delay:
        return qps
    return 1.0 / delay if qps is None else min(qps, 1.0 / delay)
