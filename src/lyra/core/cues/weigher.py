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


Coefficients = Mapping[str, Weights]
_DEFAULT = "en"


def weigh(logits: Sequence[float], cues: Mapping[str, float], language: str, coefficients: Coefficients) -> Logits:
    """Return the logits (supports, refutes, neutral) after weighing; their softmax is calibrated.

    A language without coefficients of its own is weighed as English; without any, the logits come back as they are.
    """
    weights = coefficients.get(language) or coefficients.get(_DEFAULT)
    supports, refutes, neutral = logits
    if weights is None:
        return supports, refutes, neutral
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
