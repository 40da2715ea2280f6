"""Opening what a model needs when it is first used, and only once."""

from collections.abc import Callable
from threading import Lock
from typing import TYPE_CHECKING, Generic, TypeVar

from lyra.models.weights import WeightSource

if TYPE_CHECKING:  # importing numpy and onnxruntime costs time that a command without models must not pay
    from lyra.models.session import TextSession

Opened = TypeVar("Opened")


class Lazy(Generic[Opened]):
    """Something that is opened by the first call. Safe to share between threads. A failure is not remembered."""

    def __init__(self, make: Callable[[], Opened]) -> None:
        self._make = make
        self._opened: Opened | None = None
        self._lock = Lock()

    def open(self) -> Opened:
        """Return what was opened. Raises what opening raises."""
        with self._lock:
            if self._opened is None:
                self._opened = self._make()
            return self._opened


class LazySession(Lazy["TextSession"]):
    """A session that is opened by the first call. Raises ModelError when the weights are missing, damaged or of another kind."""

    def __init__(self, kind: str, weights: WeightSource, threads: int | None) -> None:
        def make() -> "TextSession":
            from lyra.models.session import TextSession  # noqa: PLC0415 - see above

            return TextSession(kind, weights.path(kind), weights.path("tokenizer"), threads)

        super().__init__(make)
