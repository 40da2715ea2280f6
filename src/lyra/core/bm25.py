"""BM25 over a handful of texts that stand in no index, such as the entries of a result list."""

from collections import Counter
from collections.abc import Sequence
from math import log

from lyra.core.terms import index_terms

# Robertson and Zaragoza, "The Probabilistic Relevance Framework" (2009): the usual values.
_K1, _B = 1.2, 0.75


def bm25_scores(query: str, texts: Sequence[str]) -> list[float]:
    """Return the score of each text for the query; 0 where they share no word. CJK text is compared by character pairs."""
    wanted = set(index_terms(query).split())
    counted = [Counter(index_terms(text).split()) for text in texts]
    lengths = [counts.total() for counts in counted]
    mean = sum(lengths) / len(lengths) if any(lengths) else 1.0
    weights = {term: _weight(sum(term in counts for counts in counted), len(texts)) for term in wanted}
    return [
        sum(
            weights[term] * counts[term] * (_K1 + 1) / (counts[term] + _K1 * (1 - _B + _B * length / mean))
            for term in sorted(wanted & counts.keys())
        )
        for counts, length in zip(counted, lengths, strict=True)
    ]


def _weight(holding: int, total: int) -> float:
    return log(1 + (total - holding + 0.5) / (holding + 0.5))
