"""How much a text speaks about a query, by a cross-encoder that reads both together."""

import math
from collections.abc import Sequence

from lyra.core.records import ModelInfo
from lyra.models.opening import LazySession
from lyra.models.weights import WeightSource

KIND = "reranker"
# A query is one sentence; what is longer would crowd out the text it is asked about.
QUERY_TOKENS = 96


class OnnxReranker:
    """The `Reranker` port on a local graph with one output. Safe to share between threads.

    Nothing is loaded before the first text is scored. A text gets the same score, bit for bit, whatever is scored beside
    it. Text beyond the model's window is not read. Raises ModelError when the weights are missing, damaged or of another
    kind.
    """

    def __init__(self, weights: WeightSource, threads: int | None = None) -> None:
        self._weights = weights
        self._session = LazySession(KIND, weights, threads)

    @property
    def info(self) -> ModelInfo:
        """Name and version, read from the description alone."""
        return self._weights.info(KIND)

    def score(self, query: str, texts: Sequence[str]) -> list[float]:
        """Return one value in [0, 1] per text, in order: the logistic function of the network's answer.

        Where the query or a text has no letter and no digit, nothing is said about it: 0.
        """
        if not texts:
            return []
        max_tokens = self._weights.entry(KIND).max_tokens
        query_tokens = min(QUERY_TOKENS, max_tokens // 2)
        session = self._session.open()

        def score_one(text: str) -> float:
            if not (_has_words(query) and _has_words(text)):
                return 0.0
            # The query comes first and is cut to what the text, cut to its own share, leaves of the window.
            output = session.output(session.fit(query, max_tokens, text, max_tokens - query_tokens))
            if output.size != 1:
                raise session.wrong_kind()
            return logistic(float(output.reshape(-1)[0]))

        return session.each(score_one, texts)


def logistic(logit: float) -> float:
    """Return the probability that a logit stands for, without overflow at either end; what is no number is worth nothing."""
    if math.isnan(logit):
        return 0.0
    if logit >= 0.0:
        return 1.0 / (1.0 + math.exp(-min(logit, 700.0)))
    power = math.exp(max(logit, -700.0))
    return power / (1.0 + power)


def _has_words(text: str) -> bool:
    return any(character.isalnum() for character in text)
