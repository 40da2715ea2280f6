"""What three logits mean: how likely each relation is, calibrated and raw, and the label that follows."""

import math
from collections.abc import Mapping
from dataclasses import dataclass

from lyra.core.records import Relation, Stance

_SIDES = (Relation.SUPPORTS, Relation.REFUTES)


@dataclass(frozen=True, slots=True)
class Shares:
    """How likely each relation is, with the temperature that calibrates and without."""

    calibrated: Mapping[Relation, float]
    raw: Mapping[Relation, float]

    @property
    def side(self) -> Relation:
        """The likelier side, neutral left out of account."""
        return max(_SIDES, key=lambda side: self.calibrated[side])

    def stance(self, least: float = 0.0) -> Stance:
        """Return the stance: the likeliest label, neutral on any tie and where a side is less likely than `least`."""
        side = self.side
        others = max(share for relation, share in self.calibrated.items() if relation is not side)
        taken = self.calibrated[side] > others and self.calibrated[side] >= least
        label = side if taken else Relation.NEUTRAL
        return Stance(
            label=label,
            supports=self.calibrated[Relation.SUPPORTS],
            refutes=self.calibrated[Relation.REFUTES],
            neutral=self.calibrated[Relation.NEUTRAL],
            raw=self.raw[label],
        )


def shares_of(logits: Mapping[Relation, float], temperature: float) -> Shares:
    """Return what three logits mean, calibrated by temperature (Guo et al. 2017)."""
    return Shares(_softmax(logits, temperature), _softmax(logits, 1.0))


def mean(one: Shares, other: Shares) -> Shares:
    """Return the shares in the middle of two."""

    def between(first: Mapping[Relation, float], second: Mapping[Relation, float]) -> dict[Relation, float]:
        return {relation: (share + second[relation]) / 2 for relation, share in first.items()}

    return Shares(between(one.calibrated, other.calibrated), between(one.raw, other.raw))


def _softmax(logits: Mapping[Relation, float], temperature: float) -> dict[Relation, float]:
    highest = max(logits.values())
    powers = {relation: math.exp((logit - highest) / temperature) for relation, logit in logits.items()}
    total = math.fsum(powers.values())
    return {relation: power / total for relation, power in powers.items()}
