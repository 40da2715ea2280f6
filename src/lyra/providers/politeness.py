"""How often a host may be asked: requests per second, pauses it asked for, and budgets per day."""

import threading
from datetime import datetime

from lyra.core.domain_decision import DomainDecision
from lyra.core.errors import WebProblem
from lyra.core.ports import DomainUsage, WaitingClock
from lyra.core.records import ProviderStatus

# A host that asks for a longer pause is asked again in another run, if at all.
LONGEST_HOLD_SECONDS = 3600.0


class Rates:
    """Spaces requests to each host. Threads queue for slots; nobody sleeps while holding the lock."""

    def __init__(self, clock: WaitingClock) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._next: dict[str, float] = {}
        self._held: dict[str, float] = {}

    def wait(self, host: str, qps: float | None, deadline: float) -> None:
        """Return when `host` may be asked again.

        Raises WebProblem `held` (throttled) where the host asked for a pause that lasts beyond `deadline`, and
        `rate_spent` where our own rate leaves no slot before it. Neither uses up a slot.
        """
        with self._lock:
            now = self._clock.monotonic()
            held = self._held.get(host, 0.0)
            start = max(now, held, self._next.get(host, 0.0))
            if start > deadline:
                code = "held" if held > deadline else "rate_spent"
                raise WebProblem(code, ProviderStatus.THROTTLED, host=host, seconds=round(start - now))
            self._next[host] = start + (1.0 / qps if qps else 0.0)
        if start > now:
            self._clock.sleep(start - now)

    def hold(self, host: str, seconds: float) -> None:
        """Note that `host` asked not to be asked for a while."""
        with self._lock:
            until = self._clock.monotonic() + min(seconds, LONGEST_HOLD_SECONDS)
            self._held[host] = max(until, self._held.get(host, 0.0))


class ProcessUsage:
    """Counts within one process; the store's own counts over all of them."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._counts: dict[tuple[str, str], tuple[int, int]] = {}

    def take(self, host: str, day: str, max_requests: int | None, *, page: bool, max_pages: int | None) -> bool:
        """Count one request (and, with `page`, one page) if the limits allow it, and return whether they did."""
        with self._lock:
            requests, pages = self._counts.get((host, day), (0, 0))
            if max_requests is not None and requests >= max_requests:
                return False
            if page and max_pages is not None and pages >= max_pages:
                return False
            self._counts[host, day] = (requests + 1, pages + int(page))
            return True


def spend(usage: DomainUsage, decision: DomainDecision, now: datetime, *, page: bool) -> None:
    """Count a request to the host of `decision`, or raise WebProblem `budget_spent` (throttled, by our own policy)."""
    host = decision.host or ""
    fits = usage.take(
        host, now.date().isoformat(), decision.max_requests_per_day, page=page, max_pages=decision.max_pages_per_day
    )
    if not fits:
        raise WebProblem("budget_spent", ProviderStatus.THROTTLED, host=host)


def admit(decision: DomainDecision) -> DomainDecision:
    """Return the decision if it allows its host; else raise WebProblem `blocked_domain`."""
    if not decision.allowed:
        raise WebProblem("blocked_domain", ProviderStatus.REFUSED, host=decision.host, reason=decision.block_reason or "unknown")
    return decision
