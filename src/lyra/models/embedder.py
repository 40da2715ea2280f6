"""Texts as unit vectors, by the embedder graph of the weights directory."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from lyra.core.errors import ModelError
from lyra.core.model_card import FIRST_TOKEN
from lyra.core.records import ModelInfo
from lyra.models.opening import LazySession
from lyra.models.weights import ModelEntry, WeightSource

if TYPE_CHECKING:  # importing numpy and onnxruntime costs time that a command without vectors must not pay
    import numpy as np
    from numpy.typing import NDArray

KIND = "embedder"
_TOKEN_OUTPUT_AXES = 2


class OnnxEmbedder:
    """The `Embedder` port on a local graph. Safe to share between threads.

    Nothing is loaded before the first text is embedded. A text gives the same vector, bit for bit, whatever is
    embedded beside it. Text beyond the model's window is not read. An empty text is embedded as what the model
    makes of a text without words, so it has a vector like any other. Raises ModelError when the weights are
    missing, damaged or of another kind.
    """

    def __init__(self, weights: WeightSource, threads: int | None = None) -> None:
        self._weights = weights
        self._session = LazySession(KIND, weights, threads)

    @property
    def info(self) -> ModelInfo:
        """Name and version, read from the manifest alone."""
        return self._weights.info(KIND)

    @property
    def dimension(self) -> int:
        """The length of a vector, read from the manifest alone."""
        return _dimension(self._weights.entry(KIND), self._weights)

    def embed(self, texts: Sequence[str]) -> "NDArray[np.float32]":
        """Return one unit vector per text, in order, shape (n, dimension)."""
        import numpy as np  # noqa: PLC0415 - see above

        dimension = self.dimension
        if not texts:
            return np.zeros((0, dimension), dtype=np.float32)
        session = self._session.open()
        entry = self._weights.entry(KIND)

        def vector(text: str) -> "NDArray[np.float32]":
            output = session.output(session.fit(text, entry.max_tokens))
            pooled = pool(output, entry.pooling)
            if pooled.shape != (dimension,):
                raise session.wrong_kind()
            length = float(np.linalg.norm(pooled))
            return pooled / np.float32(length) if length else np.eye(1, dimension, dtype=np.float32)[0]

        return np.stack(session.each(vector, texts))


def pool(output: "NDArray[np.float32]", pooling: str) -> "NDArray[np.float32]":
    """Return the vector of a text from the vectors of its tokens; a graph may have done so itself.

    A text runs alone, so there is no padding to leave out of the mean.
    """
    if output.ndim != _TOKEN_OUTPUT_AXES:
        return output
    pooled: NDArray[np.float32] = output[0] if pooling == FIRST_TOKEN else output.mean(axis=0)
    return pooled


def _dimension(entry: ModelEntry, weights: WeightSource) -> int:
    if entry.dimension is None:
        raise ModelError("weights_manifest_broken", file=weights.described_in, reason=f"models.{KIND}.dimension")
    return entry.dimension
