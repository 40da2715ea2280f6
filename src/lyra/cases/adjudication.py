"""Where people differ: a proposed consensus with its uncertainty, and what to ask a person first.

The consensus is that of Dawid and Skene (1979): what is true and how each rater errs are estimated together, so that
two careful people may outweigh three careless ones. A decision is a person's; the proposal only says what to expect.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from lyra.cases.agreement_fields import APPLIES, by_field, ratings_of
from lyra.cases.model import Annotation
from lyra.cases.ratings import UNRATED, Floats, Ints, Ratings

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
    codes, settled, often, where = _patterns(ratings, decided or {})
    given = np.zeros((raters, len(codes), scale))
    for rater in range(raters):
        rated = np.flatnonzero(codes[:, rater] != UNRATED)
        given[rater, rated, codes[rated, rater]] = 1.0
    prior = np.full((scale, scale), _PRIOR_WRONG / max(1, scale - 1))
    np.fill_diagonal(prior, _PRIOR_RIGHT)
    fixed = np.flatnonzero(settled != UNRATED)
    excluded = np.zeros((len(codes), scale))
    excluded[fixed] = -np.inf
    excluded[fixed, settled[fixed]] = 0.0
    truth = (given.sum(axis=0) + 1.0 / scale) * np.exp(excluded)
    truth /= truth.sum(axis=1, keepdims=True)
    trace: list[float] = []
    while True:
        prevalence = often @ truth + _PRIOR_PREVALENCE
        prevalence /= prevalence.sum()
        confusion = np.einsum("uk,rul->rkl", truth * often[:, None], given) + prior
        confusion /= confusion.sum(axis=2, keepdims=True)
        logs = np.einsum("rul,rkl->uk", given, np.log(confusion)) + np.log(prevalence) + excluded
        most = logs.max(axis=1, keepdims=True)
        truth = np.exp(logs - most)
        total = truth.sum(axis=1, keepdims=True)
        truth /= total
        likelihood = float(often @ (np.log(total) + most)[:, 0])
        believed = float((prior * np.log(confusion)).sum() + _PRIOR_PREVALENCE * np.log(prevalence).sum())
        trace.append(likelihood + believed)
        if len(trace) >= _MAX_ROUNDS or (len(trace) > 1 and trace[-1] - trace[-2] < _SETTLED):
            return Consensus(truth[where], confusion, prevalence, tuple(trace))


def _patterns(ratings: Ratings, decided: Mapping[int, int]) -> tuple[Ints, Ints, Floats, Ints]:
    """Return the distinct (ratings, decision) of the units, how often each occurs, and which one each unit has.

    Units that were rated and decided alike are equally likely to be anything: a round costs no more for many of them.
    """
    settled = np.full(len(ratings.units), UNRATED, dtype=np.int64)
    for unit, category in decided.items():
        settled[unit] = category
    rows = np.column_stack([ratings.codes, settled])
    distinct, where, often = np.unique(rows, axis=0, return_inverse=True, return_counts=True)
    return distinct[:, :-1], distinct[:, -1], often.astype(np.float64), where.reshape(-1)


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
        found += _items(plain, ratings, fixed, settled)
    return found


def _items(field: str, ratings: Ratings, fixed: Mapping[int, int], settled: Mapping[tuple[str, str], str]) -> Iterator[Item]:
    """Yield the labels of one field; those that were rated and decided alike share what was made of them."""
    consensus = dawid_skene(ratings, fixed)
    bits = consensus.entropy().tolist()
    known: dict[tuple[int, ...], tuple[dict[str, str], dict[str, float]]] = {}
    for place, (unit, codes) in enumerate(zip(ratings.units, ratings.codes.tolist(), strict=True)):
        key = (*codes, fixed.get(place, UNRATED))
        if key not in known:
            pairs = zip(ratings.raters, codes, strict=True)
            given = {rater: ratings.categories[code] for rater, code in pairs if code != UNRATED}
            known[key] = given, dict(zip(ratings.categories, consensus.probabilities[place].tolist(), strict=True))
        given, shares = known[key]
        if given:
            yield Item(unit, field, given, shares, bits[place], settled.get((unit, field)))


def queue(items: Iterable[Item]) -> list[Item]:
    """Return the open disagreements, those first whose decision is expected to tell most.

    A field that a settled answer rules out (the reason of a case that is verified) is no question any more.
    """
    known = list(items)
    settled = {(item.unit, item.field): final_value(item) for item in known if item.decided or not item.disagrees}
    open_items = [item for item in known if item.disagrees and item.decided is None and not _ruled_out(item, settled)]
    return sorted(open_items, key=lambda item: (-round(item.information, 9), item.field, item.unit))


def _ruled_out(item: Item, chosen: Mapping[tuple[str, str], str]) -> bool:
    """Return whether an earlier answer of the same unit leaves nothing to say on this field."""
    if item.field not in APPLIES:
        return False
    first, needed = APPLIES[item.field]
    return chosen.get((item.unit, first), needed) != needed


DECIDED, UNANIMOUS, CONSENSUS, SINGLE = "decided", "unanimous", "consensus", "single"


@dataclass(frozen=True, slots=True)
class Final:
    """A label of the adjudicated set, and what it rests on: `decided`, `unanimous`, `consensus` or a `single` rater."""

    unit: str
    field: str
    value: str
    basis: str
    probability: float


def final_value(item: Item) -> str:
    """Return the value that stands: the decision, else what all agree on, else the consensus."""
    return item.decided or (item.proposed if item.disagrees else next(iter(item.given.values())))


def final_labels(items: Iterable[Item]) -> list[Final]:
    """Return one value for every label. What the final answer to an earlier question rules out is left out."""
    known = list(items)
    chosen = {(item.unit, item.field): final_value(item) for item in known}
    found = []
    for item in known:
        if item.decided is None and _ruled_out(item, chosen):
            continue
        value = chosen[item.unit, item.field]
        alone = UNANIMOUS if len(item.given) > 1 else SINGLE
        basis = DECIDED if item.decided else CONSENSUS if item.disagrees else alone
        found.append(Final(item.unit, item.field, value, basis, 1.0 if item.decided else item.probabilities.get(value, 0.0)))
    return found
