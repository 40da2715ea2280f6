"""Numbers to judge by: accuracy, macro-F1, calibration error, temperature, ranking quality."""

from __future__ import annotations

import numpy as np

from training.records import NOT_SUPPORTED, Pair


def softmax(logits: np.ndarray, temperature: float = 1.0) -> np.ndarray:
    """Row-wise probabilities."""
    z = logits / temperature
    z = np.exp(z - z.max(1, keepdims=True))
    shares: np.ndarray = z / z.sum(1, keepdims=True)
    return shares


def calibration_error(probability: np.ndarray, gold: np.ndarray, bins: int = 10) -> float:
    """Expected calibration error of the top class."""
    top, right = probability.max(1), probability.argmax(1) == gold
    which = np.minimum((top * bins).astype(int), bins - 1)
    parts = [(which == b) for b in range(bins)]
    return float(sum(p.mean() * abs(top[p].mean() - right[p].mean()) for p in parts if p.any()))


def stance_scores(logits: np.ndarray, gold: np.ndarray, temperature: float = 1.0) -> dict[str, float]:
    """Accuracy, macro-F1, supports-versus-refutes accuracy, calibration error and log loss."""
    known = gold >= 0
    logits, gold = logits[known], gold[known]
    if not len(gold):
        return {"n": 0}
    probability = softmax(logits, temperature)
    said = probability.argmax(1)
    f1 = []
    for label in sorted(set(gold.tolist())):
        hit = float(((said == label) & (gold == label)).sum())
        f1.append(2 * hit / max(1.0, float((said == label).sum() + (gold == label).sum())))
    firm = gold < 2
    sides = logits[firm][:, :2].argmax(1) == gold[firm]
    loss = -np.log(np.clip(probability[np.arange(len(gold)), gold], 1e-9, 1))
    return {
        "n": len(gold), "acc": float((said == gold).mean()), "macro_f1": float(np.mean(f1)),
        "sr_acc": float(sides.mean()) if firm.any() else float("nan"),
        "ece": calibration_error(probability, gold), "nll": float(loss.mean()),
    }  # fmt: skip


def by_slice(logits: np.ndarray, pairs: list[Pair], temperature: float = 1.0) -> dict[str, dict[str, float]]:
    """Scores of every source separately."""
    result: dict[str, dict[str, float]] = {}
    for source in dict.fromkeys(p.source for p in pairs):
        rows = np.array([i for i, p in enumerate(pairs) if p.source == source])
        gold = np.array([pairs[i].label for i in rows])
        result[source] = {k: round(v, 4) for k, v in stance_scores(logits[rows], gold, temperature).items()}
    return result


def fit_temperature(logits: np.ndarray, pairs: list[Pair], lang: str) -> float:
    """The temperature with the least log loss on one language, every slice weighing the same."""
    keep = [i for i, p in enumerate(pairs) if p.lang == lang and p.label != NOT_SUPPORTED]
    sizes = {s: sum(pairs[i].source == s for i in keep) for s in {pairs[i].source for i in keep}}
    weight = np.array([1.0 / sizes[pairs[i].source] for i in keep])
    gold = np.array([pairs[i].label for i in keep])

    def loss(t: float) -> float:
        p = softmax(logits[keep], t)[np.arange(len(keep)), gold]
        return float((weight * -np.log(np.clip(p, 1e-9, 1))).sum())

    return float(min(np.arange(0.5, 6.001, 0.02), key=loss)) if keep else 1.0


def ranking(similarity: np.ndarray, relevant: list[list[int]], k: int = 10) -> dict[str, float]:
    """Mean nDCG@k and recall@k; rows are queries, columns documents."""
    gains, recalls = [], []
    for row, wanted in zip(similarity, relevant, strict=True):
        top = np.argsort(-row, kind="stable")[:k].tolist()
        dcg = sum(1 / np.log2(i + 2) for i, d in enumerate(top) if d in wanted)
        best = sum(1 / np.log2(i + 2) for i in range(min(k, len(wanted))))
        gains.append(dcg / best)
        recalls.append(len(set(top) & set(wanted)) / len(wanted))
    return {f"ndcg@{k}": round(float(np.mean(gains)), 4), f"recall@{k}": round(float(np.mean(recalls)), 4)}


def spearman(a: np.ndarray, b: np.ndarray) -> float:
    """Rank correlation, ties averaged."""

    def ranks(x: np.ndarray) -> np.ndarray:
        _, inverse, counts = np.unique(x, return_inverse=True, return_counts=True)
        ends = np.cumsum(counts)
        return ((ends - counts + ends - 1) / 2.0)[inverse]

    return float(np.corrcoef(ranks(a), ranks(b))[0, 1])
