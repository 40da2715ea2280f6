"""Coefficients of agreement as functions of pattern frequencies, many weightings of the patterns at once.

Every function takes `weights[b, p]`, how often pattern p occurs in the b-th sample, and returns one value per
sample, NaN where the coefficient is undefined. The observed data are a sample like any other.
"""

from dataclasses import dataclass

import numpy as np

from lyra.cases.ratings import UNRATED, Floats, Ints

# Below this share a denominator is a rounding error and the coefficient undefined.
_NOTHING = 1e-12
# How many numbers a step may hold at once.
_STEP = 4_000_000


@dataclass(frozen=True, slots=True)
class Tally:
    """How many raters chose each category (`counts[p, k]`), pattern by pattern; free of who they were."""

    counts: Floats

    @property
    def ratings(self) -> Floats:
        """How many ratings a pattern has."""
        total: Floats = self.counts.sum(axis=1)
        return total

    @property
    def paired(self) -> Floats:
        """1 for a pattern with two ratings or more, which alone can agree or disagree; else 0."""
        return (self.ratings >= 2).astype(np.float64)  # noqa: PLR2004 - two make a pair

    def against_rest(self, category: int) -> "Tally":
        """The same ratings with two categories: this one, and all others."""
        chosen = self.counts[:, category]
        return Tally(np.stack([chosen, self.ratings - chosen], axis=1))


def _ratio(top: Floats, bottom: Floats, scale: Floats | float = 1.0) -> Floats:
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(np.abs(bottom) > _NOTHING * np.abs(scale), top / bottom, np.nan)


def _beyond_chance(observed: Floats, expected: Floats) -> Floats:
    return _ratio(observed - expected, 1.0 - expected)


def observed_agreement(weights: Floats, tally: Tally, agreement: Floats | None = None) -> Floats:
    """The share of agreeing pairs, averaged over units with two ratings or more; `agreement` weighs partial agreement.

    The average is over units, not pairs (Fleiss 1971; Gwet 2014 for units with different numbers of ratings).
    """
    rated = tally.ratings
    alike = tally.counts if agreement is None else tally.counts @ agreement
    pairs = np.where(tally.paired > 0, rated * (rated - 1), 1.0)
    share = (tally.counts * (alike - 1.0)).sum(axis=1) / pairs * tally.paired
    return _ratio(weights @ share, weights @ tally.paired)


def prevalence(weights: Floats, tally: Tally) -> Floats:
    """How common each category is: the mean over units of the share of raters who chose it."""
    shares = tally.counts / np.maximum(tally.ratings, 1.0)[:, None]
    total = weights @ (tally.ratings > 0).astype(np.float64)
    return _ratio(weights @ shares, total[:, None])


def fleiss(weights: Floats, tally: Tally) -> Floats:
    """Fleiss' kappa (1971), with Gwet's extension (2014) to units with different numbers of ratings."""
    expected = (prevalence(weights, tally) ** 2).sum(axis=1)
    return _beyond_chance(observed_agreement(weights, tally), expected)


def gwet(weights: Floats, tally: Tally, agreement: Floats | None = None) -> Floats:
    """Gwet's AC1 (2008), or AC2 (2014) with weights for partial agreement. Undefined on a scale of one category."""
    scale = tally.counts.shape[1]
    if scale < 2:  # noqa: PLR2004 - one category leaves nothing to choose
        return np.full(len(weights), np.nan)
    total = float(scale) if agreement is None else float(agreement.sum())
    common = prevalence(weights, tally)
    expected = total / (scale * (scale - 1.0)) * (common * (1.0 - common)).sum(axis=1)
    return _beyond_chance(observed_agreement(weights, tally, agreement), expected)


def specific_agreement(weights: Floats, tally: Tally, category: int) -> Floats:
    """When one rater chose this category, how often another did, too (Uebersax' proportion of specific agreement)."""
    chosen, rated = tally.counts[:, category], tally.ratings
    return _ratio(weights @ (chosen * (chosen - 1.0)), weights @ (chosen * (rated - 1.0)))


def alpha_nominal(weights: Floats, tally: Tally) -> Floats:
    """Krippendorff's alpha for names (2011)."""
    rated = tally.ratings
    pairable = tally.counts * tally.paired[:, None]
    apart = (pairable * (rated[:, None] - tally.counts)).sum(axis=1) / np.maximum(rated - 1.0, 1.0)
    used = weights @ pairable
    total = used.sum(axis=1)
    expected = total**2 - (used**2).sum(axis=1)
    return 1.0 - _ratio((total - 1.0) * (weights @ apart), expected, total**2)


def alpha_interval(weights: Floats, codes: Ints, places: Floats) -> Floats:
    """Krippendorff's alpha for numbers (2011), from sums and sums of squares."""
    rated = codes != UNRATED
    given: Floats = rated.sum(axis=1).astype(np.float64)
    paired = given >= 2  # noqa: PLR2004 - two make a pair
    centred = places - (places[codes[rated]].mean() if rated.any() else 0.0)
    values = np.where(rated, centred[codes], 0.0)
    first, second = values.sum(axis=1) * paired, (values**2).sum(axis=1) * paired
    apart = (given * second - first**2) / np.maximum(given - 1.0, 1.0)
    total, sums, squares = weights @ (given * paired), weights @ first, weights @ second
    expected = total * squares - sums**2
    return 1.0 - _ratio((total - 1.0) * (weights @ apart), expected, total * squares)


def alpha_ordinal(weights: Floats, codes: Ints, tally: Tally) -> Floats:
    """Krippendorff's alpha for ranks (2011).

    Its distance between two ranks is the difference of their mid-ranks among all pairable ratings, so it is the
    interval alpha of mid-ranks, which every sample has of its own.
    """
    step = max(1, _STEP // max(1, codes.size))
    parts = [_alpha_ordinal(weights[start : start + step], codes, tally) for start in range(0, len(weights), step)]
    return np.concatenate(parts) if parts else np.zeros(0)


def _alpha_ordinal(weights: Floats, codes: Ints, tally: Tally) -> Floats:
    given, paired = tally.ratings, tally.paired
    used = weights @ (tally.counts * paired[:, None])
    total = used.sum(axis=1)
    # The mean of all mid-ranks is half the total: measured from there, their sum is zero.
    middle = np.cumsum(used, axis=1) - used / 2.0 - total[:, None] / 2.0
    values = np.where(codes != UNRATED, middle[:, codes], 0.0)
    apart = (given * (values**2).sum(axis=2) - values.sum(axis=2) ** 2) / np.maximum(given - 1.0, 1.0) * paired
    expected = total * (used * middle**2).sum(axis=1)
    return 1.0 - _ratio((total - 1.0) * (weights * apart).sum(axis=1), expected, total**2)


def cohen(weights: Floats, first: Ints, second: Ints, agreement: Floats) -> Floats:
    """Cohen's kappa of two raters (1960), or with weights for partial agreement the weighted one (1968).

    `first` and `second` are their codes, pattern by pattern; units that only one of them rated do not count.
    """
    both = (first != UNRATED) & (second != UNRATED)
    left, right, used = first[both], second[both], weights[:, both]
    scale = np.eye(len(agreement))
    total = used.sum(axis=1)
    observed = _ratio(used @ agreement[left, right], total)
    rows, columns = used @ scale[left], used @ scale[right]
    expected = _ratio(np.einsum("bk,kl,bl->b", rows, agreement, columns, optimize=True), total**2)
    return _beyond_chance(observed, expected)


def pair_agreement(weights: Floats, first: Ints, second: Ints) -> Floats:
    """The share of units two raters agree on, of those both rated."""
    both = (first != UNRATED) & (second != UNRATED)
    return _ratio(weights[:, both] @ (first[both] == second[both]).astype(np.float64), weights[:, both].sum(axis=1))
