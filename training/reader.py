"""The judge as the product reads it, with nothing left out: the answer, the guess before it, and what both come to.

Promises: tokens, doors and runs are the product's own (`lyra.models.doors`), and so is what becomes of them
(`lyra.models.stance`); each pair is read to the end once, and every figure with and without screening comes from that.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from lyra.models.doors import Said, TwoDoorSession, guess_is_enough
from lyra.models.stance import Heard, judge_pair, reading_of
from lyra.models.weights import Weights

Texts = Sequence[tuple[str, str]]
ORDER = ("supports", "refutes", "neutral")


class Judge:
    """The judge of a folder with a manifest."""

    def __init__(self, models: Path, threads: int | None = None) -> None:
        weights = Weights(models)
        self.reading = reading_of(weights)
        self.session = TwoDoorSession(weights, threads)
        self.place = [self.reading.labels.index(name) for name in ORDER]

    def read(self, pairs: Texts) -> list[Said]:
        """What the network says of each pair as a whole, read to the end."""

        def one(pair: tuple[str, str]) -> Said:
            return self.session.read(*pair, self.reading.claim_tokens, to_the_end=True)

        return self.session.each(one, pairs)

    def logits(self, said: Sequence[Said]) -> np.ndarray:
        """Answers in the order supports, refutes, neutral."""
        return np.array([one.answer for one in said], dtype=np.float64).reshape(-1, 3)[:, self.place]

    def guesses(self, said: Sequence[Said]) -> np.ndarray:
        """Guesses in the same order."""
        return np.array([one.guess for one in said], dtype=np.float64).reshape(-1, 3)[:, self.place]

    def screened(self, said: Said) -> bool:
        """Whether the product would go by the guess."""
        doors = self.reading.doors
        return doors is not None and guess_is_enough(said.guess, self.place[2], said.manner, doors)

    def probabilities(self, pairs: Texts, said: Sequence[Said], screening: bool) -> np.ndarray:
        """What the product says of each pair as a whole, calibrated."""
        rows = []
        for pair, one in zip(pairs, said, strict=True):
            cut = replace(one, answer=None) if screening and self.screened(one) else one

            def hear(_: str, __: str, cut: Said = cut) -> Heard:
                return self.reading.by_doors(cut)

            stance = judge_pair(hear, self.reading, *pair).stance()
            rows.append((stance.supports, stance.refutes, stance.neutral))
        return np.array(rows, dtype=np.float64).reshape(-1, 3)


def as_logits(probability: np.ndarray) -> np.ndarray:
    """Logits whose softmax the probabilities are."""
    found: np.ndarray = np.log(np.clip(probability, 1e-12, 1.0))
    return found
