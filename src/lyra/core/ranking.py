"""Ranking of candidate fragments: 0.3·BM25 + 0.7·embedding over the candidates, then the re-ranker if any."""

from collections.abc import Iterable, Sequence

from lyra.core.records import Candidate, Ranked

BM25_WEIGHT = 0.3
EMBEDDING_WEIGHT = 0.7


def min_max(values: Sequence[float]) -> list[float]:
    """Return the values scaled to [0, 1]; values that are all equal carry no order and become 0."""
    low, high = min(values, default=0.0), max(values, default=0.0)
    span = high - low
    return [(value - low) / span if span > 0.0 else 0.0 for value in values]


def rank(candidates: Iterable[Candidate], reranked: Sequence[float] | None = None) -> list[Ranked]:
    """Return the candidates best first.

    Without a re-ranker the hybrid score decides. With one, its score in [0, 1] (one per candidate, in order)
    decides and the hybrid breaks ties. Either is multiplied by the category weight. Full ties are ordered by
    fragment id, so the result never depends on the order of arrival.
    """
    items = list(candidates)
    lexical = min_max([item.bm25 for item in items])
    semantic = min_max([item.similarity for item in items])
    hybrid = [BM25_WEIGHT * low + EMBEDDING_WEIGHT * high for low, high in zip(lexical, semantic, strict=True)]
    primary = list(reranked) if reranked is not None else hybrid
    order = sorted(
        range(len(items)),
        key=lambda i: (
            -primary[i] * items[i].category_weight,
            -hybrid[i] * items[i].category_weight,
            items[i].fragment_id,
        ),
    )
    return [Ranked(items[i].fragment_id, items[i].text, primary[i] * items[i].category_weight, items[i].language) for i in order]
