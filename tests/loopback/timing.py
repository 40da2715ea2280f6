"""A clock that only moves when somebody waits or a test moves it; safe with threads."""

import threading
from datetime import UTC, datetime, timedelta

START = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)


class MovedClock:
    """Time for the client and the servers of a test alike: sleeping moves it on, at once."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._elapsed = 0.0
        self.slept: list[float] = []

    def now(self) -> datetime:
        return START + timedelta(seconds=self.monotonic())

    def monotonic(self) -> float:
        with self._lock:
            return self._elapsed

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.advance(seconds)

    def advance(self, seconds: float) -> None:
        with self._lock:
            self._elapsed += seconds
