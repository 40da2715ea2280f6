"""SciFact from the claim to the label: search 5,183 abstracts, judge what was found, one label per abstract.

Scored as abstract-level label F1 of the SciFact task: a hit is an abstract with evidence that was found and got the right label.
"""

from collections.abc import Mapping, Sequence

import numpy as np

from lyra.core.ports import Embedder, StanceModel
from lyra.core.ranking import BM25_WEIGHT, EMBEDDING_WEIGHT
from lyra.core.records import Relation

TOP_ABSTRACTS = 3
_SIDES = {"SUPPORT": Relation.SUPPORTS, "REFUTE": Relation.REFUTES, "CONTRADICT": Relation.REFUTES}


def label_f1(
    claims: Sequence[Mapping[str, object]], texts: Mapping[int, str], bm25: "np.ndarray", embedder: Embedder, stance: StanceModel
) -> dict[str, float]:
    """Return precision, recall and F1 over all (claim, abstract) predictions. `bm25` has a row per claim, a column per text."""
    order = sorted(texts)
    documents = embedder.embed([texts[doc] for doc in order])
    hits = said = wanted = 0
    for row, claim in enumerate(claims):
        gold = gold_of(claim)
        wanted += len(gold)
        close = documents @ embedder.embed([str(claim["claim"])])[0]
        score = BM25_WEIGHT * _spread(bm25[row]) + EMBEDDING_WEIGHT * _spread(close)
        best = np.argsort(-score, kind="stable")[:TOP_ABSTRACTS]
        for place, found in zip(best, stance.judge([(texts[order[i]], str(claim["claim"])) for i in best]), strict=True):
            if found.label is not Relation.NEUTRAL:
                said += 1
                hits += gold.get(order[place]) is found.label
    precision, recall = hits / max(1, said), hits / max(1, wanted)
    return {"precision": precision, "recall": recall, "f1": 2 * precision * recall / max(1e-9, precision + recall)}


def gold_of(claim: Mapping[str, object]) -> dict[int, Relation]:
    """Return the abstracts with evidence for a claim, each with its side."""
    evidence = claim.get("evidence")
    if not isinstance(evidence, dict):
        return {}
    return {int(doc): _SIDES[str(sets[0]["label"])] for doc, sets in evidence.items() if sets}


def _spread(values: "np.ndarray") -> "np.ndarray":
    low, high = float(values.min()), float(values.max())
    return (values - low) / (high - low) if high > low else np.zeros_like(values)
