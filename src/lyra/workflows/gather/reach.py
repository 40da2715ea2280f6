"""What a search reaches beyond the machine with, and until when."""

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime

from lyra.core.errors import OutOfTime
from lyra.core.gather_rules import GatherRules
from lyra.core.ports import Llm, PageFetcher, SearchProvider, WaitingClock


class Deadline:
    """A clock on which nobody waits longer than the time that is left. Safe to share between threads."""

    def __init__(self, clock: WaitingClock) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._until: float | None = None

    def allow(self, seconds: float | None) -> None:
        """Let work go on for so many seconds from now; None for as long as it takes."""
        with self._lock:
            self._until = None if seconds is None else self._clock.monotonic() + seconds

    @property
    def is_over(self) -> bool:
        """Whether the time is used up."""
        with self._lock:
            return self._until is not None and self._clock.monotonic() >= self._until

    def now(self) -> datetime:
        """Return the present moment."""
        return self._clock.now()

    def monotonic(self) -> float:
        """Return seconds that never go back."""
        return self._clock.monotonic()

    def sleep(self, seconds: float) -> None:
        """Return after `seconds`, or raise OutOfTime at once where they would pass the deadline."""
        with self._lock:
            late = self._until is not None and self._clock.monotonic() + seconds > self._until
        if late:
            raise OutOfTime
        self._clock.sleep(seconds)


@dataclass(frozen=True, slots=True)
class Reach:
    """The network behind ports. `provider` builds one by name and raises InvalidInput or ConfigError where it cannot.

    `summaries` says whether the language model, if there is one, sums up the pages that are fetched, `offline` that no
    connection can be opened.
    """

    fetcher: PageFetcher
    provider: Callable[[str], SearchProvider]
    llm: Llm | None
    prompts: Mapping[str, str]
    rules: GatherRules
    clock: Deadline
    summaries: bool = False
    offline: bool = False
