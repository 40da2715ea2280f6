"""Who rated what how: one field's values as a matrix of units and raters, with holes where nobody rated."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from lyra.cases.near import nearest
from lyra.core.errors import InvalidInput

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

UNRATED = -1
MIN_RATERS = 2
_MANY = 1 << 62


class Level(StrEnum):
    """What the values of a field mean to each other: names, an order, or numbers."""

    NOMINAL = "nominal"
    ORDINAL = "ordinal"
    INTERVAL = "interval"


class Weighting(StrEnum):
    """How much a disagreement counts by its distance, in Cohen's weighted kappa and Gwet's AC2."""

    LINEAR = "linear"
    QUADRATIC = "quadratic"
    ORDINAL = "ordinal"


@dataclass(frozen=True, slots=True)
class Ratings:
    """The ratings of one field: `codes[unit, rater]` is a place in `categories`, or `UNRATED`."""

    raters: tuple[str, ...]
    units: tuple[str, ...]
    categories: tuple[str, ...]
    codes: Ints

    @property
    def given(self) -> int:
        """How many ratings there are."""
        return int((self.codes != UNRATED).sum())


@dataclass(frozen=True, slots=True)
class Patterns:
    """The distinct rows of a rating matrix and how often each occurs.

    Every coefficient is a function of these frequencies alone, so resampling units is one multinomial draw over
    the patterns, however many units there are. Units that nobody rated are left out.
    """

    codes: Ints
    frequency: Ints

    @property
    def units(self) -> int:
        """How many units were rated by anybody."""
        return int(self.frequency.sum())

    def counts(self, categories: int) -> Floats:
        """How many raters chose each category, pattern by pattern."""
        counted = np.zeros((len(self.codes), categories))
        for column in self.codes.T:
            rated = np.flatnonzero(column != UNRATED)
            np.add.at(counted, (rated, column[rated]), 1.0)
        return counted


def collect(triples: Iterable[tuple[str, str, str | None]], categories: Sequence[str] | None = None, field: str = "") -> Ratings:
    """Put (rater, unit, value) triples in order; a value of None is no rating.

    `categories` is the whole scale, in its order; without it the scale is the values that occur, sorted, by their
    numbers where all are numbers. Raises InvalidInput for a value outside the scale, and where one person rated
    one unit twice in different ways.
    """
    raters: dict[str, int] = {}
    units: dict[str, int] = {}
    values: dict[str, int] = {} if categories is None else {value: place for place, value in enumerate(categories)}
    rows: list[int] = []
    columns: list[int] = []
    chosen: list[int] = []
    for rater, unit, value in triples:
        if value is None:
            raters.setdefault(rater, len(raters))
            units.setdefault(unit, len(units))
            continue
        if value not in values:
            if categories is not None:
                near = nearest(value, categories) or ", ".join(categories)
                raise InvalidInput("agreement_off_scale", rater=rater, unit=unit, field=field, value=value, nearest=near)
            values[value] = len(values)
        rows.append(units.setdefault(unit, len(units)))
        columns.append(raters.setdefault(rater, len(raters)))
        chosen.append(values[value])
    codes = np.full((len(units), len(raters)), UNRATED, dtype=np.int64)
    at, by, given = np.array(rows, dtype=np.int64), np.array(columns, dtype=np.int64), np.array(chosen, dtype=np.int64)
    codes[at, by] = given
    twice = np.flatnonzero(codes[at, by] != given)
    if twice.size:
        unit_names, rater_names = list(units), list(raters)
        where = int(twice[0])
        raise InvalidInput("agreement_rated_twice", rater=rater_names[columns[where]], unit=unit_names[rows[where]], field=field)
    scale = list(values)
    if categories is None:
        numbers = numeric(scale)
        order = sorted(range(len(scale)), key=lambda place: (0.0 if numbers is None else float(numbers[place]), scale[place]))
        rank = np.argsort(np.array(order, dtype=np.int64))
        codes = np.where(codes == UNRATED, UNRATED, rank[codes] if order else codes)
        scale = [scale[place] for place in order]
    return Ratings(tuple(raters), tuple(units), tuple(scale), codes)


def numeric(values: Sequence[str]) -> Floats | None:
    """Return the values as numbers, or None when one of them is none, or not a finite one."""
    try:
        numbers = np.array([float(value) for value in values])
    except ValueError:
        return None
    return numbers if np.isfinite(numbers).all() else None


def positions(ratings: Ratings, level: Level) -> Floats:
    """Where each category stands on its scale: its number on an interval scale, else its rank.

    Raises InvalidInput where an interval scale has a value that is no number.
    """
    if level is not Level.INTERVAL:
        return np.arange(len(ratings.categories), dtype=np.float64)
    numbers = numeric(ratings.categories)
    if numbers is None:
        odd = next(value for value in ratings.categories if numeric([value]) is None)
        raise InvalidInput("agreement_not_numeric", value=odd)
    return numbers


def patterns(ratings: Ratings) -> Patterns:
    """Reduce ratings to their distinct patterns."""
    rated = ratings.codes[(ratings.codes != UNRATED).any(axis=1)]
    base, width = len(ratings.categories) + 1, rated.shape[1]
    if not rated.size:
        return Patterns(rated, np.zeros(0, dtype=np.int64))
    if base**width >= _MANY:
        codes, frequency = np.unique(rated, axis=0, return_counts=True)
        return Patterns(codes, frequency)
    powers = np.array([base**place for place in range(width)], dtype=np.int64)
    _, first, frequency = np.unique((rated + 1) @ powers, return_index=True, return_counts=True)
    return Patterns(rated[first], frequency)


def agreement_weights(places: Floats, weighting: Weighting) -> Floats:
    """How much two categories agree, 1 on the diagonal and 0 at the ends of the scale (Cohen 1968; Gwet 2014).

    Linear and quadratic weights go by the distance of the places, ordinal ones by how many ranks lie between.
    """
    span = float(places.max() - places.min()) if places.size else 0.0
    if not span:
        return np.ones((places.size, places.size))
    if weighting is Weighting.ORDINAL:
        rank = np.argsort(np.argsort(places))
        ranks = np.abs(rank[:, None] - rank[None, :]) + 1.0
        return np.asarray(1.0 - ranks * (ranks - 1) / (places.size * (places.size - 1.0)), dtype=np.float64)
    distance = np.abs(places[:, None] - places[None, :]) / span
    apart = distance if weighting is Weighting.LINEAR else distance**2
    return np.ones_like(apart) - apart
