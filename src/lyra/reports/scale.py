"""The conviction scale: five values, their names, and how often a human analyst gives each (the base rates)."""

from fractions import Fraction

CONFIDENCES = (10, 30, 50, 70, 90)
LOWEST, HIGHEST = CONFIDENCES[0], CONFIDENCES[-1]
# From the highest down, as the distribution table shows them.
RANKS = {90: "かなり納得", 70: "おおむね納得", 50: "まあ納得", 30: "あまり納得しない", 10: "却下"}
BASE_RATES = {90: 6, 70: 26, 50: 35, 30: 26, 10: 6}
# A share this many points or more away from its base rate is marked 要確認.
ANOMALY_POINTS = 15
WITHOUT_INDUSTRY_FIT = 70


def rank_of(confidence: int) -> str:
    """Return the name of a value of the scale."""
    return RANKS[confidence]


def share(count: int, total: int) -> Fraction:
    """Return a share in per cent, exactly; 0 of nothing."""
    return Fraction(100 * count, total) if total else Fraction(0)


def is_anomalous(confidence: int, count: int, total: int) -> bool:
    """Return whether the share of a value is far from its base rate, judged on the unrounded share."""
    return total > 0 and abs(share(count, total) - BASE_RATES[confidence]) >= ANOMALY_POINTS
