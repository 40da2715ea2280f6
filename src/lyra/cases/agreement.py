"""How far several people agree on one field: every coefficient with a bootstrap interval, or why it has none.

Intervals are percentiles of replicates that resample the units, all coefficients from the same replicates. The
distinct patterns of ratings are resampled by one multinomial draw, which is the same as drawing units one by one.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from lyra.cases import coefficients
from lyra.cases.coefficients import Tally
from lyra.cases.ratings import (
    MIN_RATERS,
    UNRATED,
    Floats,
    Ints,
    Level,
    Patterns,
    Ratings,
    Weighting,
    agreement_weights,
    patterns,
    positions,
)

REPLICATES = 1000
MOST_REPLICATES = 100_000
INTERVAL = (0.025, 0.975)
# More values than this are measurements, not labels: only the coefficient for numbers is computed.
MAX_CATEGORIES = 100
# An interval needs this many units, and this share of the replicates to be defined.
_MIN_UNITS = 2
_ENOUGH = 0.5
# Where some replicates are undefined, those that are must differ by more than rounding does.
_SAME = 1e-9
# How many numbers a step of resampling may hold at once.
_STEP = 2_000_000

UNDEFINED_CONSTANT = "constant"
UNDEFINED_NO_OVERLAP = "no_overlap"
UNDEFINED_ONE_RATER = "one_rater"
UNDEFINED_NOBODY = "nobody_rated"
UNDEFINED_MANY_VALUES = "too_many_values"
UNDEFINED_REASONS = (
    UNDEFINED_CONSTANT,
    UNDEFINED_NO_OVERLAP,
    UNDEFINED_ONE_RATER,
    UNDEFINED_NOBODY,
    UNDEFINED_MANY_VALUES,
)

COEFFICIENTS = (
    "percent",
    "cohen",
    "cohen_weighted",
    "fleiss",
    "alpha_nominal",
    "alpha_ordinal",
    "alpha_interval",
    "ac1",
    "ac2",
)
_BY_LEVEL = {
    Level.NOMINAL: ("percent", "cohen", "fleiss", "alpha_nominal", "ac1"),
    Level.ORDINAL: ("percent", "cohen", "cohen_weighted", "fleiss", "alpha_nominal", "alpha_ordinal", "ac1", "ac2"),
    Level.INTERVAL: COEFFICIENTS,
}
OF_A_PAIR = ("percent", "cohen", "cohen_weighted")
OF_A_LABEL = ("specific", "fleiss", "alpha_nominal", "ac1")


@dataclass(frozen=True, slots=True)
class Estimate:
    """One coefficient. Without a value, `undefined` says why; `replicates` are those its interval rests on."""

    name: str
    value: float | None
    interval: tuple[float, float] | None
    undefined: str | None
    replicates: int


@dataclass(frozen=True, slots=True)
class PairAgreement:
    """Two raters: what they agree on, and `confusion[i][j]`, how often the first chose i where the second chose j."""

    first: str
    second: str
    units: int
    estimates: tuple[Estimate, ...]
    confusion: tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class LabelAgreement:
    """One category against all others; `chosen` counts its ratings."""

    label: str
    chosen: int
    estimates: tuple[Estimate, ...]


@dataclass(frozen=True, slots=True)
class Agreement:
    """Agreement on one field.

    `units` were rated by anybody, `paired_units` by two or more; `ratings` of `possible` were given, of the others
    `not_applicable` could not be given, because an earlier answer of that person ruled the field out.
    """

    level: Level
    weighting: Weighting
    raters: tuple[str, ...]
    categories: tuple[str, ...]
    units: int
    paired_units: int
    ratings: int
    possible: int
    not_applicable: int
    replicates: int
    estimates: tuple[Estimate, ...]
    pairs: tuple[PairAgreement, ...]
    labels: tuple[LabelAgreement, ...]

    def estimate(self, name: str) -> Estimate:
        """Return one coefficient by its name. Raises KeyError for one that this level does not have."""
        return {estimate.name: estimate for estimate in self.estimates}[name]


@dataclass(frozen=True, slots=True)
class Plan:
    """How agreement is measured: level, weights for partial agreement, replicates and the seed of their draw."""

    level: Level = Level.NOMINAL
    weighting: Weighting = Weighting.QUADRATIC
    replicates: int = REPLICATES
    seed: int = 1


def measure(ratings: Ratings, plan: Plan, not_applicable: int = 0) -> Agreement:
    """Measure agreement. The same ratings and plan give the same numbers; the order of units does not matter.

    Raises InvalidInput where an interval scale has a value that is no number.
    """
    found = patterns(ratings)
    study = _Study(ratings, plan, found)
    observed = study.evaluate(found.frequency[None, :].astype(np.float64))
    replicates = _replicated(study, found, plan)
    why = study.undefined()
    names = _BY_LEVEL[plan.level]
    return Agreement(
        plan.level,
        plan.weighting,
        ratings.raters,
        ratings.categories,
        found.units,
        study.paired_units,
        ratings.given,
        len(ratings.units) * len(ratings.raters),
        not_applicable,
        plan.replicates,
        tuple(_estimate((name,), observed, replicates, study.paired_units, why) for name in names),
        tuple(study.pair(first, second, observed, replicates) for first, second in study.pairs),
        tuple(study.label(place, observed, replicates, why) for place in study.labels),
    )


_Key = tuple[str, ...]
_Values = dict[_Key, Floats]


class _Study:
    """One field's coefficients, ready to be evaluated for many samples."""

    def __init__(self, ratings: Ratings, plan: Plan, found: Patterns) -> None:
        self._ratings, self._plan, self._codes, self._frequency = ratings, plan, found.codes, found.frequency
        self._places = positions(ratings, plan.level)
        self._counted = len(ratings.categories) <= MAX_CATEGORIES
        self._tally = Tally(found.counts(len(ratings.categories)) if self._counted else np.zeros((len(found.codes), 0)))
        self._weights = agreement_weights(self._places, plan.weighting)
        rated = (found.codes != UNRATED).sum(axis=1)
        self.paired_units = int(found.frequency[rated >= MIN_RATERS].sum())
        self.pairs = [
            (first, second)
            for first, second in combinations(range(len(ratings.raters)), 2)
            if self._counted and ((found.codes[:, first] != UNRATED) & (found.codes[:, second] != UNRATED)).any()
        ]
        used = (self._tally.counts * self._tally.paired[:, None]).sum(axis=0)
        self.labels = [place for place in range(used.size) if used[place]]

    def undefined(self) -> str:
        """Why a coefficient of the whole field has no value, if it has none."""
        codes = self._ratings.codes
        if not (codes != UNRATED).any():
            return UNDEFINED_NOBODY
        if (codes != UNRATED).any(axis=0).sum() < MIN_RATERS:
            return UNDEFINED_ONE_RATER
        if not self.paired_units:
            return UNDEFINED_NO_OVERLAP
        return UNDEFINED_CONSTANT if self._counted else UNDEFINED_MANY_VALUES

    def evaluate(self, weights: Floats) -> _Values:
        """Return every coefficient for every sample, by its name, pair or label."""
        found: _Values = {}
        if self._plan.level is Level.INTERVAL:
            found["alpha_interval",] = coefficients.alpha_interval(weights, self._codes, self._places)
        if not self._counted:
            return found
        found["percent",] = coefficients.observed_agreement(weights, self._tally)
        found["fleiss",] = coefficients.fleiss(weights, self._tally)
        found["alpha_nominal",] = coefficients.alpha_nominal(weights, self._tally)
        found["ac1",] = coefficients.gwet(weights, self._tally)
        if self._plan.level is not Level.NOMINAL:
            found["alpha_ordinal",] = coefficients.alpha_ordinal(weights, self._codes, self._tally)
            found["ac2",] = coefficients.gwet(weights, self._tally, self._weights)
        found.update(self._pair_values(weights))
        for place in self.labels:
            found.update(self._label_values(weights, place))
        return found

    def _pair_values(self, weights: Floats) -> Iterator[tuple[_Key, Floats]]:
        exact = np.eye(len(self._ratings.categories))
        values: _Values = {}
        for first, second in self.pairs:
            left, right, key = self._codes[:, first], self._codes[:, second], (str(first), str(second))
            values[*key, "percent"] = coefficients.pair_agreement(weights, left, right)
            values[*key, "cohen"] = coefficients.cohen(weights, left, right, exact)
            if self._plan.level is not Level.NOMINAL:
                values[*key, "cohen_weighted"] = coefficients.cohen(weights, left, right, self._weights)
        yield from values.items()
        # Light (1971): with more than two raters, the mean over the pairs.
        for name in ("cohen", "cohen_weighted"):
            of_pairs = [value for key, value in values.items() if key[-1] == name]
            if of_pairs:
                yield (name,), _mean_of_defined(np.stack(of_pairs))

    def _label_values(self, weights: Floats, place: int) -> _Values:
        alone, key = self._tally.against_rest(place), ("label", str(place))
        return {
            (*key, "specific"): coefficients.specific_agreement(weights, self._tally, place),
            (*key, "fleiss"): coefficients.fleiss(weights, alone),
            (*key, "alpha_nominal"): coefficients.alpha_nominal(weights, alone),
            (*key, "ac1"): coefficients.gwet(weights, alone),
        }

    def pair(self, first: int, second: int, observed: _Values, replicates: _Values) -> PairAgreement:
        """Return what two raters agree on."""
        key = (str(first), str(second))
        table = self._confusion(self._codes[:, first], self._codes[:, second])
        units = int(table.sum())
        return PairAgreement(
            self._ratings.raters[first],
            self._ratings.raters[second],
            units,
            tuple(
                _estimate((*key, name), observed, replicates, units, UNDEFINED_CONSTANT)
                for name in OF_A_PAIR
                if (*key, name) in observed
            ),
            tuple(tuple(int(cell) for cell in row) for row in table),
        )

    def _confusion(self, left: Ints, right: Ints) -> Ints:
        both = (left != UNRATED) & (right != UNRATED)
        table = np.zeros((len(self._ratings.categories),) * 2, dtype=np.int64)
        np.add.at(table, (left[both], right[both]), self._frequency[both])
        return table

    def label(self, place: int, observed: _Values, replicates: _Values, why: str) -> LabelAgreement:
        """Return how far raters agree on one category."""
        key = ("label", str(place))
        return LabelAgreement(
            self._ratings.categories[place],
            int((self._ratings.codes == place).sum()),
            tuple(_estimate((*key, name), observed, replicates, self.paired_units, why) for name in OF_A_LABEL),
        )


def _mean_of_defined(values: Floats) -> Floats:
    defined = ~np.isnan(values)
    number = defined.sum(axis=0)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(number > 0, np.where(defined, values, 0.0).sum(axis=0) / number, np.nan)


def _replicated(study: _Study, found: Patterns, plan: Plan) -> _Values:
    if not plan.replicates or not found.units:
        return {}
    source = np.random.default_rng(plan.seed)
    shares = found.frequency / found.units
    step = max(1, min(plan.replicates, _STEP // max(1, len(found.frequency))))
    parts: dict[_Key, list[Floats]] = {}
    for start in range(0, plan.replicates, step):
        drawn = source.multinomial(found.units, shares, size=min(step, plan.replicates - start))
        for key, values in study.evaluate(drawn.astype(np.float64)).items():
            parts.setdefault(key, []).append(values)
    return {key: np.concatenate(values) for key, values in parts.items()}


def _estimate(key: _Key, observed: _Values, replicates: _Values, units: int, why: str) -> Estimate:
    """Return a coefficient with its interval; none where resampling `units` can say nothing of how far it varies."""
    name, value = key[-1], float(observed[key][0]) if key in observed else np.nan
    if np.isnan(value):
        return Estimate(name, None, None, why, 0)
    drawn = replicates.get(key, np.zeros(0))
    defined = drawn[~np.isnan(drawn)]
    partly = 0 < defined.size < drawn.size
    if units < _MIN_UNITS or defined.size < max(1, _ENOUGH * drawn.size) or (partly and np.ptp(defined) < _SAME):
        return Estimate(name, value, None, None, int(defined.size))
    low, high = np.quantile(defined, INTERVAL)
    return Estimate(name, value, (float(low), float(high)), None, int(defined.size))
