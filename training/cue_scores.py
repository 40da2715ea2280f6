"""What the weigher scores beside the logits alone, by source, and how many own items it gets right in pairs."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from training.scores import softmax, stance_scores

_SIDE = 0.5


def labels(probability: np.ndarray) -> np.ndarray:
    """The label as the product gives it: a side only when it is more likely than not."""
    said: np.ndarray = probability.argmax(1)
    said[probability.max(1) < _SIDE] = 2
    return said


def both_right(probability: np.ndarray, gold: np.ndarray) -> float:
    """The share of right pairs among all pairs of two claims of one item; items are three rows in a row."""
    right = labels(probability) == gold
    items = right[: len(right) // 3 * 3].reshape(-1, 3)
    pairs = [items[:, i] & items[:, j] for i, j in ((0, 1), (0, 2), (1, 2))]
    return float(np.mean(pairs))


def table(found: dict[str, np.ndarray], weighed: np.ndarray, before: dict[str, float]) -> Iterator[str]:
    """One line per source of the pairs that were not learned from: by the temperatures `before` → weighed."""
    temperature = np.array([before[str(manner)] for manner in found["manner"]])[:, None]
    plain = found["logits"] / temperature
    held = found["part"] != "fit"
    for source in sorted(set(found["source"][held].tolist())):
        rows = held & (found["source"] == source)
        old, new = (stance_scores(logits[rows], found["label"][rows]) for logits in (plain, weighed))
        shown = "  ".join(f"{name} {old[name]:.3f}→{new[name]:.3f}" for name in ("acc", "macro_f1", "sr_acc", "ece"))
        if str(source).startswith("own-dev"):
            pairs = [both_right(softmax(logits[rows]), found["label"][rows]) for logits in (plain, weighed)]
            shown += f"  both right {pairs[0]:.3f}→{pairs[1]:.3f}"
        yield f"{source:24s} {int(rows.sum()):5d}  {shown}"
