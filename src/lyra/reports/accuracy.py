"""How near the AI's confidences are to a person's: matched claims, deviations, and the criteria for passing.

Arithmetic is exact (fractions), so that a value on a border is on the side where the criterion says "or equal".
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

from lyra.reports.human import HumanScore
from lyra.reports.model import Claim

MEAN_WITHIN = 10
MAX_WITHIN = 30
FAR = 20
FAR_SHARE = Fraction(25, 100)
BIAS_WITHIN = 5


class Severity(StrEnum):
    """The class of a deviation."""

    EXACT_MATCH = "exact_match"
    WITHIN_TARGET = "within_target"
    ACCEPTABLE = "acceptable"
    SIGNIFICANT = "significant"
    CRITICAL = "critical"


_CLASSES = ((0, Severity.EXACT_MATCH), (10, Severity.WITHIN_TARGET), (20, Severity.ACCEPTABLE), (30, Severity.SIGNIFICANT))


class Bias(StrEnum):
    """Which way the AI leans, on average."""

    NONE = "none"
    SLIGHT_OVERESTIMATE = "slight_overestimate"
    SLIGHT_UNDERESTIMATE = "slight_underestimate"
    OVERESTIMATE = "overestimate"
    UNDERESTIMATE = "underestimate"


@dataclass(frozen=True, slots=True)
class Comparison:
    """One claim with both values; `similarity` and `margin` say how sure it is that they belong together.

    `margin` is None for a pair that a person set.
    """

    claim: Claim
    human: HumanScore
    similarity: float
    margin: float | None

    @property
    def deviation(self) -> int:
        """Return the AI's value less the person's."""
        return self.claim.confidence - self.human.score

    @property
    def severity(self) -> Severity:
        """Return the class of the deviation, whatever its sign."""
        return severity_of(self.deviation)


@dataclass(frozen=True, slots=True)
class Block:
    """The comparisons of one kind of claim and what they come to; all figures are None when there is none."""

    comparisons: tuple[Comparison, ...]

    @property
    def deviations(self) -> tuple[int, ...]:
        """Return the signed deviations."""
        return tuple(one.deviation for one in self.comparisons)

    @property
    def mean(self) -> Fraction | None:
        """Return the mean size of the deviations."""
        return _mean([abs(deviation) for deviation in self.deviations])

    @property
    def largest(self) -> int | None:
        """Return the size of the largest deviation."""
        return max(map(abs, self.deviations), default=None)

    @property
    def signed_mean(self) -> Fraction | None:
        """Return the mean deviation with its sign: above 0 the AI is the more convinced."""
        return _mean(self.deviations)

    @property
    def bias(self) -> Bias | None:
        """Return which way the AI leans."""
        return None if self.signed_mean is None else bias_of(self.signed_mean)


@dataclass(frozen=True, slots=True)
class Criteria:
    """The criteria for passing; None where there is nothing to judge."""

    mean_deviation_within_10: bool | None
    max_deviation_within_30: bool | None
    over_20_percent_under_25_pct: bool | None
    direction_bias_within_5: bool | None

    def values(self) -> Mapping[str, bool | None]:
        """Return the criteria by name, in the order of the report."""
        return {name: getattr(self, name) for name in self.__dataclass_fields__}


@dataclass(frozen=True, slots=True)
class FailureReason:
    """One reason why a comparison did not pass: what was measured, in which block, against which limit."""

    code: str
    block: str | None
    value: Fraction | None
    limit: Fraction | None


@dataclass(frozen=True, slots=True)
class Verdict:
    """Pass or fail, with the criteria and every reason for failing."""

    passed: bool
    criteria: Criteria
    reasons: tuple[FailureReason, ...]


def severity_of(deviation: int) -> Severity:
    """Return the class of a deviation: 0, up to 10, up to 20, up to 30, above."""
    size = abs(deviation)
    return next((severity for most, severity in _CLASSES if size <= most), Severity.CRITICAL)


def bias_of(signed_mean: Fraction) -> Bias:
    """Return the word for a mean signed deviation; up to 5 points it is slight."""
    if signed_mean == 0:
        return Bias.NONE
    if abs(signed_mean) <= BIAS_WITHIN:
        return Bias.SLIGHT_OVERESTIMATE if signed_mean > 0 else Bias.SLIGHT_UNDERESTIMATE
    return Bias.OVERESTIMATE if signed_mean > 0 else Bias.UNDERESTIMATE


def judge(advantages: Block, connections: Block) -> Verdict:
    """Return the verdict over both blocks. An empty block is left out; with no comparison at all the verdict is fail."""
    blocks = {"advantage_accuracy": advantages, "cagr_accuracy": connections}
    filled = {name: block for name, block in blocks.items() if block.comparisons}
    if not filled:
        return Verdict(False, Criteria(None, None, None, None), (FailureReason("no_match", None, None, None),))
    reasons = [*_far_off(filled), *_too_many_far(filled)]
    failed = {reason.code for reason in reasons}
    criteria = Criteria(
        "mean_deviation" not in failed,
        "max_deviation" not in failed,
        "share_over_20" not in failed,
        "direction_bias" not in failed,
    )
    return Verdict(not reasons, criteria, tuple(reasons))


def _far_off(blocks: Mapping[str, Block]) -> list[FailureReason]:
    reasons = []
    for name, block in blocks.items():
        measured = (
            ("mean_deviation", block.mean, MEAN_WITHIN),
            ("max_deviation", None if block.largest is None else Fraction(block.largest), MAX_WITHIN),
            ("direction_bias", block.signed_mean, BIAS_WITHIN),
        )
        for code, value, limit in measured:
            if value is not None and abs(value) > limit:
                reasons.append(FailureReason(code, name, value, Fraction(limit)))
    return reasons


def _too_many_far(blocks: Mapping[str, Block]) -> list[FailureReason]:
    deviations = [deviation for block in blocks.values() for deviation in block.deviations]
    share = Fraction(sum(abs(deviation) > FAR for deviation in deviations), len(deviations))
    return [FailureReason("share_over_20", None, share * 100, FAR_SHARE * 100)] if share > FAR_SHARE else []


def _mean(values: Sequence[int]) -> Fraction | None:
    return Fraction(sum(values), len(values)) if values else None
