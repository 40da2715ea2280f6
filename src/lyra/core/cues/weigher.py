"""The model's three logits weighed together with the cues: a small learned network, run in plain Python."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

Logits = tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class Weights:
    """One layer of hidden units between inputs and logits.

    Inputs are the three logits, each less their mean and times `scale`, then the cues named in `cues`, in that order.
    A hidden unit has one weight per input and then its bias, and is cut off at zero; an output has one weight per
    input, one per hidden unit, and its bias.
    """

    cues: tuple[str, ...]
    scale: float
    hidden: tuple[tuple[float, ...], ...]
    output: tuple[tuple[float, ...], tuple[float, ...], tuple[float, ...]]


# By manner of reading; in a manner that is not among them the logits are taken as they are.
Coefficients = Mapping[str, Weights]


def weigh(logits: Sequence[float], cues: Mapping[str, float], weights: Weights) -> Logits:
    """Return the logits (supports, refutes, neutral) after weighing; their softmax is calibrated."""
    supports, refutes, neutral = logits
    mean = (supports + refutes + neutral) / 3
    inputs = [(logit - mean) * weights.scale for logit in (supports, refutes, neutral)]
    inputs += [cues.get(name, 0.0) for name in weights.cues]
    present = [(place, value) for place, value in enumerate(inputs) if value]  # most cues of a pair are silent
    hidden = [max(0.0, _dot(unit, present)) for unit in weights.hidden]
    present += [(len(inputs) + place, value) for place, value in enumerate(hidden) if value]
    first, second, third = (_dot(row, present) for row in weights.output)
    return first, second, third


def _dot(weights: Sequence[float], present: Sequence[tuple[int, float]]) -> float:
    return sum(weights[place] * value for place, value in present) + weights[-1]
