"""Where people differ: a proposed consensus with its uncertainty, and what to ask a person first.

The consensus is that of Dawid and Skene (1979): what is true and how each rater errs are estimated together, so that
two careful people may outweigh three careless ones. A decision is a person's; the proposal only says what to expect.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np

from lyra.cases.agreement_fields import by_field, ratings_of
from lyra.cases.model import Annotation
from lyra.cases.ratings import UNRATED, Floats, Ratings

# What is believed of a rater before anything was seen: right rather than wrong, with the weight of two units.
_PRIOR_RIGHT = 1.5
_PRIOR_WRONG = 0.5
_PRIOR_PREVALENCE = 1.0
_MAX_ROUNDS = 500
_SETTLED = 1e-8


@dataclass(frozen=True, slots=True)
class Consensus:
    """`probabilities[unit, category]` of what is true, `confusion[rater, true, given]`, and how likely the whole is.

    `trace` is the logarithm of the posterior after each round; it never falls.
    """

    probabilities: Floats
    confusion: Floats
    prevalence: Floats
    trace: tuple[float, ...]

    def entropy(self) -> Floats:
        """How uncertain each unit is, in bits: the information that a final word on it would bring."""
        shares = self.probabilities
        with np.errstate(divide="ignore", invalid="ignore"):
            bits = np.where(shares > 0, -shares * np.log2(shares), 0.0)
        total: Floats = bits.sum(axis=1)
        return total


def dawid_skene(ratings: Ratings, decided: Mapping[int, int] | None = None) -> Consensus:
    """Estimate by expectation maximisation what is true and how each rater errs.

    `decided` fixes units whose truth a person has settled. Everybody starts as somebody who is rather right than
    wrong, so that ten units do not make a rater infallible; with many units the start is forgotten.
    """
    scale, raters = len(ratings.categories), len(ratings.raters)
    given = np.zeros((raters, len(ratings.units), scale))
    for rater in range(raters):
        rated = np.flatnonzero(ratings.codes[:, rater] != UNRATED)
        given[rater, rated, ratings.codes[rated, rater]] = 1.0
    prior = np.full((scale, scale), _PRIOR_WRONG / max(1, scale - 1))
    np.fill_diagonal(prior, _PRIOR_RIGHT)
    truth = given.sum(axis=0) + 1.0 / scale
    truth /= truth.sum(axis=1, keepdims=True)
    _settle(truth, decided)
    trace: list[float] = []
    while True:
        prevalence = truth.sum(axis=0) + _PRIOR_PREVALENCE
        prevalence /= prevalence.sum()
        confusion = np.einsum("uk,rul->rkl", truth, given) + prior
        confusion /= confusion.sum(axis=2, keepdims=True)
        logs = np.einsum("rul,rkl->uk", given, np.log(confusion)) + np.log(prevalence)
        _settle_logs(logs, decided)
        most = logs.max(axis=1, keepdims=True)
        truth = np.exp(logs - most)
        total = truth.sum(axis=1, keepdims=True)
        truth /= total
        likelihood = float((np.log(total) + most).sum())
        believed = float((prior * np.log(confusion)).sum() + _PRIOR_PREVALENCE * np.log(prevalence).sum())
        trace.append(likelihood + believed)
        if len(trace) >= _MAX_ROUNDS or (len(trace) > 1 and trace[-1] - trace[-2] < _SETTLED):
            return Consensus(truth, confusion, prevalence, tuple(trace))


def _settle(truth: Floats, decided: Mapping[int, int] | None) -> None:
    for unit, category in (decided or {}).items():
        truth[unit] = 0.0
        truth[unit, category] = 1.0


def _settle_logs(logs: Floats, decided: Mapping[int, int] | None) -> None:
    for unit, category in (decided or {}).items():
        kept = logs[unit, category]
        logs[unit] = -np.inf
        logs[unit, category] = kept


@dataclass(frozen=True, slots=True)
class Item:
    """One label of one unit: who said what, the proposed value with its probability, and how much is open, in bits."""

    unit: str
    field: str
    given: Mapping[str, str]
    probabilities: Mapping[str, float]
    information: float
    decided: str | None = None

    @property
    def proposed(self) -> str:
        """The most probable value; of equals the first on the scale."""
        return max(self.probabilities, key=lambda value: self.probabilities[value])

    @property
    def disagrees(self) -> bool:
        """Whether two people gave different values."""
        return len(set(self.given.values())) > 1


def judge_labels(annotations: Iterable[Annotation], decisions: Mapping[tuple[str, str], str] | None = None) -> list[Item]:
    """Return every label that anybody gave with its consensus, field by field.

    `decisions` by unit and field are final; they also teach how far each rater can be trusted. Raises InvalidInput as
    `ratings_of` does, and takes no decision outside a field's scale.
    """
    settled = decisions or {}
    found: list[Item] = []
    for name, triples in by_field(annotations).items():
        plain = name.rpartition(".")[2]
        ratings = ratings_of(name, triples)
        if not ratings.given:
            continue
        places = {value: place for place, value in enumerate(ratings.categories)}
        fixed = {
            place: places[settled[unit, plain]]
            for place, unit in enumerate(ratings.units)
            if settled.get((unit, plain)) in places
        }
        consensus = dawid_skene(ratings, fixed)
        bits = consensus.entropy()
        for place, unit in enumerate(ratings.units):
            codes = ratings.codes[place]
            given = {
                rater: ratings.categories[code]
                for rater, code in zip(ratings.raters, codes.tolist(), strict=True)
                if code != UNRATED
            }
            if given:
                shares = dict(zip(ratings.categories, consensus.probabilities[place].tolist(), strict=True))
                found.append(Item(unit, plain, given, shares, float(bits[place]), settled.get((unit, plain))))
    return found


def queue(items: Iterable[Item]) -> list[Item]:
    """Return the open disagreements, those first whose decision is expected to tell most."""
    open_items = [item for item in items if item.disagrees and item.decided is None]
    return sorted(open_items, key=lambda item: (-round(item.information, 9), item.field, item.unit))


@dataclass(frozen=True, slots=True)
class Final:
    """A label of the adjudicated set, and what it rests on: `decided`, `unanimous`, `consensus` or a `single` rater."""

    unit: str
    field: str
    value: str
    basis: str
    probability: float


def final_labels(items: Iterable[Item]) -> list[Final]:
    """Return one value for every label: the decision, else what all agree on, else the consensus."""
    found = []
    for item in items:
        value = item.decided or (item.proposed if item.disagrees else next(iter(item.given.values())))
        basis = "decided" if item.decided else "consensus" if item.disagrees else "unanimous" if len(item.given) > 1 else "single"
        found.append(Final(item.unit, item.field, value, basis, 1.0 if item.decided else item.probabilities.get(value, 0.0)))
    return found
