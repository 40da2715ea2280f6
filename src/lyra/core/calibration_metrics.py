"""How well judgements agree with right answers, and how well their confidence says so."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from lyra.core.calibration import CLASSES, LEAST_PROBABILITY, Probabilities
from lyra.core.records import Relation

BINS = 10


@dataclass(frozen=True, slots=True)
class Answered:
    """A judgement beside the right answer. `group` is what samples that are alike have in common: the claim."""

    probabilities: Probabilities
    label: Relation
    correct: Relation
    group: str = ""

    @property
    def confidence(self) -> float:
        """The probability of the chosen label."""
        return self.probabilities[CLASSES.index(self.label)]

    @property
    def is_right(self) -> bool:
        """Whether the chosen label is the right one."""
        return self.label is self.correct

    @property
    def squared_error(self) -> float:
        """The Brier score of this judgement alone."""
        return math.fsum((value - (one is self.correct)) ** 2 for value, one in zip(self.probabilities, CLASSES, strict=True))


@dataclass(frozen=True, slots=True)
class Bin:
    """The judgements whose confidence lies in one interval; means are None where there are none."""

    lower: float
    upper: float
    count: int
    mean_confidence: float | None
    accuracy: float | None


@dataclass(frozen=True, slots=True)
class ClassMetrics:
    """One class: how many samples are of it, how many were said to be; None where a quotient has no denominator."""

    label: Relation
    support: int
    predicted: int
    precision: float | None
    recall: float | None


@dataclass(frozen=True, slots=True)
class Metrics:
    """What a set of answered judgements comes to.

    `brier` is the sum of squared errors over the three classes, 0 to 2 (Brier 1950); `log_loss` the mean negative
    logarithm of the right answer's probability; `ece` the expected calibration error of the chosen label over equal
    bins (Naeini et al. 2015): how far confidence and accuracy are apart, weighed by how many judgements a bin holds.
    """

    sample_count: int
    accuracy: float
    brier: float
    log_loss: float
    ece: float
    mean_confidence: float
    bins: tuple[Bin, ...]
    classes: tuple[ClassMetrics, ...]


def measure(samples: Sequence[Answered], bins: int = BINS) -> Metrics:
    """Return the metrics of at least one sample. Order does not matter. Raises ValueError for none."""
    if not samples:
        raise ValueError("no samples")
    count = len(samples)
    table = _bins(samples, bins)
    apart = [
        one.count * abs(one.mean_confidence - one.accuracy)
        for one in table
        if one.mean_confidence is not None and one.accuracy is not None
    ]
    return Metrics(
        sample_count=count,
        accuracy=sum(one.is_right for one in samples) / count,
        brier=math.fsum(one.squared_error for one in samples) / count,
        log_loss=math.fsum(-math.log(_right_probability(one)) for one in samples) / count,
        ece=math.fsum(apart) / count,
        mean_confidence=math.fsum(one.confidence for one in samples) / count,
        bins=table,
        classes=tuple(_class(samples, label) for label in CLASSES),
    )


def _right_probability(sample: Answered) -> float:
    return max(LEAST_PROBABILITY, min(1.0, sample.probabilities[CLASSES.index(sample.correct)]))


def _bins(samples: Sequence[Answered], bins: int) -> tuple[Bin, ...]:
    held: list[list[Answered]] = [[] for _ in range(bins)]
    for sample in samples:
        # The bin's upper edge belongs to it: a confidence of exactly 1 has no bin of its own.
        held[min(bins - 1, max(0, math.ceil(sample.confidence * bins) - 1))].append(sample)
    return tuple(_bin(number / bins, (number + 1) / bins, inside) for number, inside in enumerate(held))


def _bin(lower: float, upper: float, inside: Sequence[Answered]) -> Bin:
    if not inside:
        return Bin(lower, upper, 0, None, None)
    count = len(inside)
    confidence = math.fsum(one.confidence for one in inside) / count
    return Bin(lower, upper, count, confidence, sum(one.is_right for one in inside) / count)


def _class(samples: Sequence[Answered], label: Relation) -> ClassMetrics:
    support = sum(one.correct is label for one in samples)
    predicted = sum(one.label is label for one in samples)
    right = sum(one.label is label and one.is_right for one in samples)
    return ClassMetrics(
        label=label,
        support=support,
        predicted=predicted,
        precision=right / predicted if predicted else None,
        recall=right / support if support else None,
    )
