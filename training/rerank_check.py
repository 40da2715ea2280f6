"""Whether putting found abstracts in a new order by reading them with the claim would earn its place.

On the SciFact training claims held out: the ten abstracts that search finds first are read with the claim by the shipped judge,
and ordered by a mixture of how well they were found and how little neutral their most outspoken part is. Prints nDCG@10 for
several mixtures, the cited abstracts counting as relevant; the first line is the search alone.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np

from lyra.models.passages import passage
from lyra.models.stance import OnnxStance
from lyra.models.weights import Weights
from training import scores
from training.whole_way_data import MAX_TOKENS, search

DEPTH = 10
MIXTURES = (0.0, 0.1, 0.2, 0.3, 0.5, 1.0)


def main() -> None:
    """Search, read, order, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="folder of the public data sets")
    parser.add_argument("--models", type=Path, default=Path("src/lyra/models/weights"))
    args = parser.parse_args()
    searched = search(args.data, args.models)
    found, judge = searched.found, OnnxStance(Weights(args.models))
    place = {doc: i for i, doc in enumerate(searched.numbers)}
    relevant = [[place[doc] for doc in claim["cited_doc_ids"]] for claim in searched.claims]
    told = np.zeros_like(found)
    for row, claim in enumerate(searched.claims):
        for doc in np.argsort(-found[row], kind="stable")[:DEPTH]:
            read = passage(searched.texts[doc], claim["claim"], MAX_TOKENS)
            parts = judge.judge_sentences([read.pair(span) for span in read.wide])
            told[row, doc] = 1 + max(1 - part.neutral for part in parts)
    for share in MIXTURES:
        # What was read stays before what was not.
        mixed = np.where(told > 0, 2 + (1 - share) * found + share * (told - 1), found)
        print(f"share of reading {share:.1f}: {scores.ranking(mixed, relevant, DEPTH)}")


if __name__ == "__main__":
    main()
