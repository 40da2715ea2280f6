"""Whether putting found abstracts in a new order by reading them with the claim would earn its place.

On the SciFact training claims held out: the ten abstracts that search finds first are read with the claim by the shipped judge,
and ordered by a mixture of how well they were found and how little neutral their most outspoken part is. Prints nDCG@10 for
several mixtures, the cited abstracts counting as relevant; the first line is the search alone.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
from rank_bm25 import BM25Okapi

from lyra.core.ranking import BM25_WEIGHT, EMBEDDING_WEIGHT
from lyra.models.embedder import OnnxEmbedder
from lyra.models.passages import passage
from lyra.models.stance import OnnxStance
from lyra.models.weights import Weights
from training import scores, sources
from training.records import words
from training.whole_way_data import MAX_TOKENS, held_claims, spread

DEPTH = 10
MIXTURES = (0.0, 0.1, 0.2, 0.3, 0.5, 1.0)


def main() -> None:
    """Search, read, order, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="folder of the public data sets")
    parser.add_argument("--models", type=Path, default=Path("src/lyra/models/weights"))
    args = parser.parse_args()
    corpus, claims = sources.scifact_corpus(args.data), held_claims(args.data)
    order = sorted(corpus)
    place = {doc: i for i, doc in enumerate(order)}
    texts = [corpus[doc]["title"] + " " + " ".join(corpus[doc]["abstract"]) for doc in order]
    weights = Weights(args.models)
    engine, embedder, judge = BM25Okapi([words(text) for text in texts]), OnnxEmbedder(weights), OnnxStance(weights)
    vectors = embedder.embed(texts)
    found = np.array(
        [
            BM25_WEIGHT * spread(engine.get_scores(words(claim["claim"])))
            + EMBEDDING_WEIGHT * spread(vectors @ embedder.embed([claim["claim"]])[0])
            for claim in claims
        ]
    )
    relevant = [[place[doc] for doc in claim["cited_doc_ids"]] for claim in claims]
    told = np.zeros_like(found)
    for row, claim in enumerate(claims):
        for doc in np.argsort(-found[row], kind="stable")[:DEPTH]:
            read = passage(texts[doc], claim["claim"], MAX_TOKENS)
            parts = judge.judge_sentences([read.pair(span) for span in read.wide])
            told[row, doc] = 1 + max(1 - part.neutral for part in parts)
    for share in MIXTURES:
        # What was read stays before what was not.
        mixed = np.where(told > 0, 2 + (1 - share) * found + share * (told - 1), found)
        print(f"share of reading {share:.1f}: {scores.ranking(mixed, relevant, DEPTH)}")


if __name__ == "__main__":
    main()
