"""Calibration: making a model's confidence mean what it says. A calibrator changes how sure a judgement is, never its side.

Every calibrator is strictly increasing, so that what the model said by itself can be had back from what was stored.
"""

import math
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace

from lyra.core.ports import StanceModel
from lyra.core.records import ModelInfo, Relation, Stance

TEMPERATURE, ISOTONIC = "temperature", "isotonic"
# In this order wherever three probabilities stand side by side.
CLASSES = (Relation.SUPPORTS, Relation.REFUTES, Relation.NEUTRAL)
LEAST_PROBABILITY = 1e-12

Probabilities = tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class Calibration:
    """A fitted calibrator, by the version that its judgements carry.

    `kind` temperature: `parameters` is the temperature (Guo et al. 2017). `kind` isotonic: the knots of a strictly
    increasing line over 0 to 1, x and y by turns, along which the confidence of the chosen label is moved.
    """

    version: str
    kind: str
    parameters: tuple[float, ...]

    def apply(self, given: Probabilities, label: Relation) -> Probabilities:
        """Return the probabilities that a judgement of these probabilities and this label should have."""
        if self.kind == TEMPERATURE:
            return softened(given, self.parameters[0])
        return _with_confidence(given, label, interpolated(self._knots(), given[CLASSES.index(label)]))

    def undo(self, shown: Probabilities, label: Relation) -> Probabilities:
        """Return what was given to `apply`, up to rounding."""
        if self.kind == TEMPERATURE:
            return softened(shown, 1.0 / self.parameters[0])
        turned = [(y, x) for x, y in self._knots()]
        return _with_confidence(shown, label, interpolated(turned, shown[CLASSES.index(label)]))

    def judged(self, stance: Stance) -> Stance:
        """Return a judgement with its confidence calibrated; label, raw value and decisive sentence stay."""
        supports, refutes, neutral = self.apply((stance.supports, stance.refutes, stance.neutral), stance.label)
        return replace(stance, supports=supports, refutes=refutes, neutral=neutral)

    def _knots(self) -> list[tuple[float, float]]:
        return list(zip(self.parameters[::2], self.parameters[1::2], strict=True))


@dataclass(frozen=True, slots=True)
class CalibratedStance:
    """The `StanceModel` port on another one, with a calibrator of one version behind every number."""

    model: StanceModel
    calibration: Calibration

    @property
    def info(self) -> ModelInfo:
        """Name and version of the model, with the fitted calibration."""
        return replace(self.model.info, calibration_version=self.calibration.version)

    def judge(self, pairs: Sequence[tuple[str, str]]) -> list[Stance]:
        """Return one calibrated stance per (fragment, claim) pair, in order."""
        return [self.calibration.judged(stance) for stance in self.model.judge(pairs)]


def softened(given: Probabilities, temperature: float) -> Probabilities:
    """Return probabilities with their logarithms divided by a temperature: above 1 less sure, below 1 surer."""
    logs = [math.log(max(value, LEAST_PROBABILITY)) / temperature for value in given]
    highest = max(logs)
    powers = [math.exp(value - highest) for value in logs]
    total = math.fsum(powers)
    return powers[0] / total, powers[1] / total, powers[2] / total


def interpolated(knots: Sequence[tuple[float, float]], value: float) -> float:
    """Return where a line through knots, the first at the lowest x, stands at `value`; beyond the ends it stays level."""
    place = bisect_right(knots, value, key=lambda knot: knot[0])
    if place == 0:
        return knots[0][1]
    if place == len(knots):
        return knots[-1][1]
    (left, low), (right, high) = knots[place - 1], knots[place]
    return low + (high - low) * (value - left) / (right - left)


def _with_confidence(given: Probabilities, label: Relation, confidence: float) -> Probabilities:
    """Return probabilities in which the label has this one, and the others keep their proportion."""
    place = CLASSES.index(label)
    before = math.fsum(value for index, value in enumerate(given) if index != place)
    rest = 1.0 - confidence
    shares = [value / before if before > 0.0 else 0.5 for value in given]
    made = [confidence if index == place else rest * share for index, share in enumerate(shares)]
    return made[0], made[1], made[2]
