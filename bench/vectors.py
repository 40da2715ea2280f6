"""Exact vector search: what the best hundred cost, and how many of the true ones are among them."""

import numpy as np

from bench.corpus import Texts
from bench.figures import Figure, Sizes, best_of, limited
from lyra.store.vectors import VectorIndex, pack

_TOP = 100
_QUERIES = 20


def figures(sizes: Sizes) -> list[Figure]:
    """Return cost and recall over int8 vectors; the truth is the product in single precision of the vectors before packing."""
    source = Texts(31)
    vectors, queries = source.vectors(sizes.vectors), source.vectors(_QUERIES)
    rows = [(number, scale, blob) for number, (scale, blob) in enumerate(pack(vectors))]
    index = VectorIndex(rows, len(rows))
    seconds = best_of(sizes.runs, lambda: [index.nearest(query, _TOP, ()) for query in queries]) / len(queries)
    hits = 0
    for query in queries:
        truth = np.argsort(-(vectors @ query))[:_TOP]
        hits += len(set(truth.tolist()) & index.nearest(query, _TOP, ()).keys())
    shape = f"{sizes.vectors:,} x {vectors.shape[1]}"
    return [
        limited(sizes, Figure(f"nearest {_TOP} of {shape} vectors", 1e3 * seconds, "CPU ms", at_most=10.0)),
        limited(sizes, Figure("  recall", hits / (_QUERIES * _TOP), "share", at_least=0.99)),
    ]
