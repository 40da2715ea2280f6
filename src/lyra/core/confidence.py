"""Confidence of a claim from its stance edges: the one arithmetic that every path uses.

A Beta(1, 1) prior is updated by the `nli_confidence` of each supporting (alpha) and refuting (beta) edge.
Mean and standard deviation are those of the Beta distribution; nothing else enters.
"""

import math
from collections.abc import Iterable
from numbers import Real
from typing import Any, NamedTuple

from lyra.core.beta import central_interval
from lyra.core.errors import InvalidInput
from lyra.core.records import Relation

INTERVAL_MASS = 0.90


class Confidence(NamedTuple):
    """What the edges of one claim say together. A tuple, because a task may have a hundred thousand of them.

    `interval`, the central 90 % of Beta(alpha, beta), is computed when it is asked for, so `repr` does not show it.
    """

    confidence: float
    uncertainty: float
    controversy: float
    alpha: float
    beta: float
    evidence_count: int
    supporting_count: int
    refuting_count: int
    neutral_count: int

    @property
    def interval(self) -> tuple[float, float]:
        """Compute the central 90 % interval of the posterior."""
        return central_interval(self.alpha, self.beta, INTERVAL_MASS)


def posterior(support: float, refute: float, supporting: int, refuting: int, neutral: int) -> Confidence:
    """Return the record for summed weights: `support` and `refute` are Σ nli_confidence of each side."""
    alpha, beta = 1.0 + support, 1.0 + refute
    total = alpha + beta
    evidence = support + refute
    return Confidence(
        confidence=alpha / total,
        uncertainty=math.sqrt(alpha * beta / (total * total * (total + 1.0))),
        controversy=min(support, refute) / evidence if evidence > 0.0 else 0.0,
        alpha=alpha,
        beta=beta,
        evidence_count=supporting + refuting + neutral,
        supporting_count=supporting,
        refuting_count=refuting,
        neutral_count=neutral,
    )


def confidence(edges: Iterable[tuple[str, float]]) -> Confidence:
    """Return the confidence of a claim from its `(relation, nli_confidence)` edges.

    The order of the edges does not matter. Raises InvalidInput for an edge that is not such a pair, an unknown
    relation, or a value that is not a number in [0, 1].
    """
    weights: dict[Relation, list[float]] = {relation: [] for relation in Relation}
    for position, edge in enumerate(edges, start=1):
        try:
            name, value = edge
        except (TypeError, ValueError):
            raise InvalidInput("edge_malformed", position=position) from None
        try:
            relation = Relation(name)
        except ValueError:
            raise InvalidInput("unknown_relation", relation=name, position=position) from None
        weights[relation].append(checked_confidence(value, position))
    return posterior(
        math.fsum(weights[Relation.SUPPORTS]),
        math.fsum(weights[Relation.REFUTES]),
        len(weights[Relation.SUPPORTS]),
        len(weights[Relation.REFUTES]),
        len(weights[Relation.NEUTRAL]),
    )


def checked_confidence(value: object, position: int = 1) -> float:
    """Return `value`, a real number of any library, as a float in [0, 1], or raise InvalidInput naming the edge."""
    number: Any = value if not isinstance(value, bool) and isinstance(value, Real) else math.nan
    if 0.0 <= number <= 1.0:
        return float(number)
    raise InvalidInput("nli_confidence_out_of_range", value=value, position=position)
