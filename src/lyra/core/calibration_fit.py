"""Fitting a calibrator to right answers, and finding out, on answers it was not fitted to, whether it is any good."""

import hashlib
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from statistics import NormalDist

from lyra.core.calibration import CLASSES, ISOTONIC, LEAST_PROBABILITY, TEMPERATURE, Calibration
from lyra.core.calibration_metrics import Answered, Metrics, measure

LEAST_SAMPLES = 100
FOLDS = 5
# An increasing line through many points follows noise where answers are few, or nearly all alike.
_LEAST_FOR_ISOTONIC, _LEAST_OF_EACH_OUTCOME = 300, 30
_COLDEST, _HOTTEST = 0.05, 20.0
_GOLDEN = (math.sqrt(5.0) - 1.0) / 2.0
_SEARCH_STEPS = 60
# What every isotonic line keeps of the straight one, so that it never stands level.
_STRAIGHT_SHARE = 0.02
_LEAST_PER_BLOCK = 10
_ROUNDING = 1e-9
# Better by chance happens in one of twenty comparisons.
_SURE = NormalDist().inv_cdf(0.95)

Fitter = Callable[[Sequence[Answered]], tuple[float, ...]]


class FitReason(StrEnum):
    """What became of a fit, and why."""

    BETTER = "better"
    NOT_BETTER = "not_better"
    TOO_FEW_SAMPLES = "too_few_samples"
    ONE_CLASS_ONLY = "one_class_only"
    ONE_OUTCOME_ONLY = "one_outcome_only"


@dataclass(frozen=True, slots=True)
class Candidate:
    """A calibrator with what it does to answers that it was not fitted to."""

    kind: str
    parameters: tuple[float, ...]
    after: Metrics
    is_better: bool


@dataclass(frozen=True, slots=True)
class Fit:
    """The outcome of a fit. `chosen` is None where nothing is to be applied; `before` where nothing could be measured."""

    reason: FitReason
    sample_count: int
    before: Metrics | None = None
    candidates: tuple[Candidate, ...] = ()
    chosen: Candidate | None = None


def fit(samples: Sequence[Answered], held: Calibration | None = None) -> Fit:
    """Fit every calibrator that the samples allow, and choose the one that is better by cross-validation, if any is.

    `samples` are judgements as the model makes them by itself, `held` is the calibrator in force, if any: what is chosen
    must be better than that. Better: the Brier score falls by more than chance explains (a paired comparison, one-sided,
    at 5 %), and the calibration error does not rise. Deterministic; the samples' order does not matter.
    """
    ordered = sorted(samples, key=lambda one: (one.group, one.probabilities, one.label, one.correct))
    if len(ordered) < LEAST_SAMPLES:
        return Fit(FitReason.TOO_FEW_SAMPLES, len(ordered))
    shown = ordered if held is None else calibrated(ordered, held.kind, held.parameters)
    before = measure(shown)
    if len({one.correct for one in ordered}) < 2:  # noqa: PLR2004 - one class is no choice
        return Fit(FitReason.ONE_CLASS_ONLY, len(ordered), before)
    if len({one.is_right for one in ordered}) < 2:  # noqa: PLR2004 - right and wrong
        return Fit(FitReason.ONE_OUTCOME_ONLY, len(ordered), before)
    candidates = [_candidate(kind, fitter, ordered, shown) for kind, fitter in _fitters(ordered)]
    better = [one for one in candidates if one.is_better]
    chosen = min(better, key=lambda one: one.after.brier, default=None)
    return Fit(FitReason.BETTER if chosen else FitReason.NOT_BETTER, len(ordered), before, tuple(candidates), chosen)


def calibrated(samples: Sequence[Answered], kind: str, parameters: tuple[float, ...]) -> list[Answered]:
    """Return the samples as a calibrator would have had them."""
    calibrator = Calibration("", kind, parameters)
    return [replace(one, probabilities=calibrator.apply(one.probabilities, one.label)) for one in samples]


def _fitters(samples: Sequence[Answered]) -> list[tuple[str, Fitter]]:
    right = sum(one.is_right for one in samples)
    allows = len(samples) >= _LEAST_FOR_ISOTONIC and min(right, len(samples) - right) >= _LEAST_OF_EACH_OUTCOME
    return [(TEMPERATURE, fit_temperature), *([(ISOTONIC, fit_isotonic)] if allows else [])]


def _candidate(kind: str, fitter: Fitter, samples: Sequence[Answered], shown: Sequence[Answered]) -> Candidate:
    """Return a calibrator beside the numbers that judgements are shown with now, `shown`, in the order of the samples."""
    held_out: list[Answered] = []
    now: list[Answered] = []
    for fold in _folds(samples):
        inside = set(fold)
        parameters = fitter([one for place, one in enumerate(samples) if place not in inside])
        now += [shown[place] for place in fold]
        held_out += calibrated([samples[place] for place in fold], kind, parameters)
    after = measure(held_out)
    gains = [old.squared_error - new.squared_error for old, new in zip(now, held_out, strict=True)]
    return Candidate(kind, fitter(samples), after, _is_gain(gains) and after.ece <= measure(shown).ece)


def _is_gain(gains: Sequence[float]) -> bool:
    mean = math.fsum(gains) / len(gains)
    variance = math.fsum((gain - mean) ** 2 for gain in gains) / (len(gains) - 1)
    return mean > _SURE * math.sqrt(variance / len(gains))


def _folds(samples: Sequence[Answered]) -> list[list[int]]:
    """Return the places of each fold. Samples about one claim stay together, unless there are too few claims for that."""
    groups = {one.group for one in samples}
    by_group = len(groups) >= 2 * FOLDS
    order = {name: number for number, name in enumerate(sorted(groups, key=_scatter))}
    folds: list[list[int]] = [[] for _ in range(FOLDS)]
    for place, one in enumerate(samples):
        folds[(order[one.group] if by_group else place) % FOLDS].append(place)
    return folds


def _scatter(name: str) -> str:
    return hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()


def fit_temperature(samples: Sequence[Answered]) -> tuple[float, ...]:
    """Return the temperature with the least log loss, by golden-section search over its logarithm."""
    logs = [_from_right_answer(one) for one in samples]

    def loss(logarithm: float) -> float:
        colder = math.exp(-logarithm)
        return math.fsum(math.log(math.fsum(math.exp(value * colder) for value in apart)) for apart in logs)

    low, high = math.log(_COLDEST), math.log(_HOTTEST)
    left, right = high - _GOLDEN * (high - low), low + _GOLDEN * (high - low)
    at_left, at_right = loss(left), loss(right)
    for _ in range(_SEARCH_STEPS):
        if at_left <= at_right:
            high, right, at_right = right, left, at_left
            left = high - _GOLDEN * (high - low)
            at_left = loss(left)
        else:
            low, left, at_left = left, right, at_right
            right = low + _GOLDEN * (high - low)
            at_right = loss(right)
    return (math.exp((low + high) / 2.0),)


def _from_right_answer(sample: Answered) -> list[float]:
    """Return how far the logarithm of each probability lies above that of the right answer."""
    logs = [math.log(max(value, LEAST_PROBABILITY)) for value in sample.probabilities]
    right = logs[CLASSES.index(sample.correct)]
    return [value - right for value in logs]


def fit_isotonic(samples: Sequence[Answered]) -> tuple[float, ...]:
    """Return the knots of a strictly increasing line from confidence to accuracy (pool adjacent violators, Ayer et al. 1955).

    Samples are pooled by tens at least. Before the first block and after the last the line goes on nearly level: a
    share of the straight line is mixed in, so that it always rises.
    """
    points = sorted((one.confidence, float(one.is_right)) for one in samples)
    blocks: list[tuple[float, float, int]] = []
    for start in range(0, len(points), _LEAST_PER_BLOCK):
        part = points[start : start + _LEAST_PER_BLOCK]
        blocks.append((math.fsum(x for x, _ in part), math.fsum(y for _, y in part), len(part)))
        while len(blocks) > 1 and blocks[-2][1] / blocks[-2][2] >= blocks[-1][1] / blocks[-1][2]:
            last, before = blocks.pop(), blocks.pop()
            blocks.append((before[0] + last[0], before[1] + last[1], before[2] + last[2]))
    inner = [(x / count, y / count) for x, y, count in blocks]
    ends = (0.0, _mixed(0.0, inner[0][1])), (1.0, _mixed(1.0, inner[-1][1]))
    knots = [ends[0], *((x, _mixed(x, y)) for x, y in inner), ends[1]]
    return tuple(value for knot in _distinct(knots) for value in knot)


def _mixed(x: float, y: float) -> float:
    return _STRAIGHT_SHARE * x + (1.0 - _STRAIGHT_SHARE) * y


def _distinct(knots: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    """Return the knots that rise in both directions by more than rounding, the ends among them."""
    first, *inner, last = knots
    kept = [first]
    for x, y in inner:
        if kept[-1][0] + _ROUNDING < x < last[0] - _ROUNDING and kept[-1][1] + _ROUNDING < y < last[1] - _ROUNDING:
            kept.append((x, y))
    return [*kept, last]
