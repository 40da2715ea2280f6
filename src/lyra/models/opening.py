"""Opening a model's session when it is first used, and only once."""

from threading import Lock
from typing import TYPE_CHECKING

from lyra.models.weights import WeightSource

if TYPE_CHECKING:  # importing numpy and onnxruntime costs time that a command without models must not pay
    from lyra.models.session import TextSession


class LazySession:
    """A session that is opened by the first call. Safe to share between threads."""

    def __init__(self, kind: str, weights: WeightSource, threads: int | None) -> None:
        self._kind = kind
        self._weights = weights
        self._threads = threads
        self._opened: TextSession | None = None
        self._lock = Lock()

    def open(self) -> "TextSession":
        """Return the session. Raises ModelError when the weights are missing, damaged or of another kind."""
        from lyra.models.session import TextSession  # noqa: PLC0415 - see above

        with self._lock:
            if self._opened is None:
                graph, tokenizer = self._weights.path(self._kind), self._weights.path("tokenizer")
                self._opened = TextSession(self._kind, graph, tokenizer, self._threads)
            return self._opened
