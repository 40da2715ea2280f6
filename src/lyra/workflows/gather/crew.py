"""Calls that wait on the network, side by side; their results come in the order in which they were asked for."""

import threading
from collections.abc import Callable, Generator, Sequence
from queue import Empty, SimpleQueue
from typing import Generic, TypeVar

T = TypeVar("T")
_HEARTBEAT_SECONDS = 5.0


class Crew:
    """A few threads for one stretch of waiting. The caller's thread alone touches the store.

    `beat` is called every few seconds meanwhile; when it raises, nothing further is asked and the calls under way are left
    to end by themselves.
    """

    def __init__(self, workers: int, beat: Callable[[], None]) -> None:
        self._workers = workers
        self._beat = beat

    def results(self, calls: Sequence[Callable[[], T]]) -> Generator[T, None, None]:
        """Yield what each call returns, in order; an exception of a call is raised in its place."""
        shift: _Shift[T] = _Shift(calls)
        for _ in range(min(self._workers, len(calls))):
            threading.Thread(target=shift.work, daemon=True).start()
        try:
            for position in range(len(calls)):
                yield shift.wait_for(position, self._beat)
        finally:
            shift.over.set()


class _Shift(Generic[T]):
    def __init__(self, calls: Sequence[Callable[[], T]]) -> None:
        self.over = threading.Event()
        self._calls = calls
        self._waiting: SimpleQueue[int] = SimpleQueue()
        for position in range(len(calls)):
            self._waiting.put(position)
        self._done: SimpleQueue[tuple[int, T | None, BaseException | None]] = SimpleQueue()
        self._kept: dict[int, tuple[T | None, BaseException | None]] = {}

    def work(self) -> None:
        while not self.over.is_set():
            try:
                position = self._waiting.get_nowait()
            except Empty:
                return
            try:
                self._done.put((position, self._calls[position](), None))
            except BaseException as failure:  # noqa: BLE001 - raised again where the result is waited for
                self._done.put((position, None, failure))

    def wait_for(self, position: int, beat: Callable[[], None]) -> T:
        while position not in self._kept:
            try:
                place, value, failure = self._done.get(timeout=_HEARTBEAT_SECONDS)
            except Empty:
                beat()
                continue
            self._kept[place] = (value, failure)
        value, failure = self._kept.pop(position)
        if failure is not None:
            raise failure
        return value  # type: ignore[return-value]  # a call without a failure has returned
