"""Texts: taking abstracts in, and finding the best hundred among them beside rank_bm25."""

import re
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
from rank_bm25 import BM25Okapi

from bench.corpus import Texts, open_bench_store, registrations
from bench.figures import Figure, Sizes, best_of, limited, measured
from lyra.core.fragments import cut_fragments

_BATCH = 2_000
_TOP = 100
_QUERIES = 10
_QUERY_WORDS = 8
_WORD = re.compile(r"\w+")


def ingest(sizes: Sizes, home: Path) -> list[Figure]:
    """Return how many abstracts a CPU second takes in: normalised, hashed, stored with page and place, and indexed."""
    texts = list(Texts(11).abstracts(sizes.ingested))
    documents = registrations(texts)

    def take_in(place: Path) -> None:
        with open_bench_store(place) as store:
            for start in range(0, len(documents), _BATCH):
                store.page_batches.register(documents[start : start + _BATCH])

    places = iter(range(sizes.runs))
    seconds = best_of(min(3, sizes.runs), lambda: take_in(home / f"ingest-{next(places)}"))
    cutting, _ = measured(lambda: [cut_fragments(text, ()) for text in texts[:1_000]])
    return [
        limited(sizes, Figure("abstracts of 200 words taken in", len(texts) / seconds, "1/CPU s", at_least=8_000.0)),
        Figure("  cutting one into fragments, besides", 1e6 * cutting / min(len(texts), 1_000), "CPU µs"),
    ]


def full_text(sizes: Sizes, home: Path) -> list[Figure]:
    """Return what finding the best hundred abstracts costs."""
    source = Texts(12)
    texts = list(source.abstracts(sizes.abstracts))
    rng = Random(4)
    queries = [" ".join(rng.sample(sorted(set(rng.choice(texts).split())), _QUERY_WORDS)) for _ in range(_QUERIES)]
    with open_bench_store(home / "texts") as store:
        documents = registrations(texts)
        for start in range(0, len(documents), _BATCH):
            store.page_batches.register(documents[start : start + _BATCH])
        store.searching.open_whole_scope()
        ours = best_of(sizes.runs, lambda: [store.searching.lexical(query, _TOP) for query in queries]) / len(queries)
    baseline = BM25Okapi([_WORD.findall(text.lower()) for text in texts])
    theirs = best_of(min(2, sizes.runs), lambda: [_top(baseline, query) for query in queries]) / len(queries)
    return [
        Figure(f"best {_TOP} of {len(texts):,} abstracts: rank_bm25", 1e3 * theirs, "CPU ms"),
        Figure("  ours", 1e3 * ours, "CPU ms"),
        limited(sizes, Figure("  ours against rank_bm25", theirs / ours, "x", at_least=5.0)),
    ]


def _top(baseline: Any, query: str) -> list[int]:
    scores = baseline.get_scores(_WORD.findall(query.lower()))
    best = np.argpartition(scores, -min(_TOP, len(scores)))[-_TOP:]
    return [int(at) for at in best[np.argsort(-scores[best])]]
