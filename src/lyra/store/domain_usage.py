"""What was asked of each host on each day, counted over all processes of a home, where a limit makes it matter."""

import threading
from pathlib import Path
from types import TracebackType

from lyra.store.database import BUSY_SECONDS, Database


class StoredUsage:
    """Counts on a connection of its own, so that threads that fetch do not share one with the thread that stores.

    Call it outside any transaction: it waits for the writer.
    """

    def __init__(self, path: Path, busy_seconds: float = BUSY_SECONDS) -> None:
        self._lock = threading.Lock()
        self._database = Database(path, busy_seconds)
        self._is_closed = False

    def take(self, host: str, day: str, max_requests: int | None, *, page: bool, max_pages: int | None) -> bool:
        """Count one request (and, with `page`, one page) if the limits allow it, and return whether they did.

        A host without limits is not counted. Durable: a request that was counted stays counted.
        """
        if max_requests is None and max_pages is None:
            return True
        if max_requests == 0 or (page and max_pages == 0):
            return False
        with self._lock:
            if self._is_closed:
                return False
            changed = self._database.run(
                "INSERT INTO domain_usage (host, day, requests, pages) VALUES (?, ?, 1, ?)"
                " ON CONFLICT (host, day) DO UPDATE SET requests = requests + 1, pages = pages + excluded.pages"
                " WHERE (? IS NULL OR requests < ?) AND (excluded.pages = 0 OR ? IS NULL OR pages < ?)",
                (host, day, int(page), max_requests, max_requests, max_pages, max_pages),
            )
        return changed > 0

    def close(self) -> None:
        """Close the connection. A thread that fetches still, though nobody waits for it any more, gets no further request."""
        with self._lock:
            self._is_closed = True
            self._database.close()

    def __enter__(self) -> "StoredUsage":
        return self

    def __exit__(self, kind: type[BaseException] | None, failure: BaseException | None, trace: TracebackType | None) -> None:
        self.close()
