"""Search the abstracts for the SciFact training claims held out, and write what is read of them: see `whole_way.py`.

With `--judge` they are judged as well, as the product does.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from rank_bm25 import BM25Okapi

from lyra.core.ranking import BM25_WEIGHT, EMBEDDING_WEIGHT
from lyra.models.embedder import OnnxEmbedder
from lyra.models.passages import passage
from lyra.models.stance import OnnxStance
from lyra.models.weights import Weights
from training import scifact, sources, whole_way
from training.reader import ORDER
from training.records import NEUTRAL, words, write_jsonl
from training.whole_way import FILE, Found

TOP_ABSTRACTS = 3
MAX_TOKENS = 256


class Searched(NamedTuple):
    """All abstracts, in the order of their numbers, and how well search finds each for each of the claims held out."""

    claims: list[scifact.Claim]
    numbers: list[int]
    texts: list[str]
    found: np.ndarray  # a row for each claim, a column for each abstract


def _spread(values: np.ndarray) -> np.ndarray:
    between: np.ndarray = (values - values.min()) / max(float(values.max() - values.min()), 1e-9)
    return between


def search(data: Path, models: Path) -> Searched:
    """Search as the product does, by words and vectors."""
    corpus, (_, claims) = sources.scifact_corpus(data), scifact.training_claims(data)
    numbers = sorted(corpus)
    texts = [corpus[doc]["title"] + " " + " ".join(corpus[doc]["abstract"]) for doc in numbers]
    engine, embedder = BM25Okapi([words(text) for text in texts]), OnnxEmbedder(Weights(models))
    vectors = embedder.embed(texts)
    asked = [claim["claim"] for claim in claims]
    rows = [
        BM25_WEIGHT * _spread(engine.get_scores(words(text))) + EMBEDDING_WEIGHT * _spread(vectors @ vector)
        for text, vector in zip(asked, embedder.embed(asked), strict=True)
    ]
    return Searched(claims, numbers, texts, np.array(rows))


def found_first(searched: Searched) -> list[Any]:
    """One row with the number of abstracts wanted, then one for each abstract found first."""
    rows: list[Any] = []
    wanted = 0
    for claim, score in zip(searched.claims, searched.found, strict=True):
        gold = {int(doc): scifact.LABEL[sets[0]["label"]] for doc, sets in claim["evidence"].items() if sets}
        wanted += len(gold)
        for place in np.argsort(-score, kind="stable")[:TOP_ABSTRACTS]:
            read = passage(searched.texts[place], claim["claim"], MAX_TOKENS)
            narrow, wide = ([read.text[a:b] for a, b in spans] for spans in (read.windows, read.wide))
            rows.append(Found(read.claim, gold.get(searched.numbers[place], NEUTRAL), read.text, narrow, wide))
    return [wanted, *rows]


def main() -> None:
    """Search once and write what is read."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="folder of the public data sets")
    parser.add_argument("--models", type=Path, default=Path("src/lyra/models/weights"), help="the embedder that searches")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--judge", action="store_true", help="print what the judge of --models makes of them")
    args = parser.parse_args()
    write_jsonl(args.out / FILE, found_first(search(args.data, args.models)))
    held = whole_way.read(args.out)
    print(
        json.dumps({"abstracts": len(held.found), "wanted": held.wanted, "found": sum(one.gold != NEUTRAL for one in held.found)})
    )
    if args.judge:
        stances = OnnxStance(Weights(args.models)).judge([(one.text, one.claim) for one in held.found])
        found = whole_way.f1(held, [ORDER.index(stance.label) for stance in stances])
        print("claim to label, as the product judges:", whole_way.told(found))


if __name__ == "__main__":
    main()
