"""Confidence of a claim: the table of the specification, the refusals, and what holds for all edges."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lyra.core.confidence import checked_confidence, confidence
from lyra.core.errors import InvalidInput
from lyra.core.records import Relation

relations = st.sampled_from(["supports", "refutes", "neutral"])
weights = st.floats(min_value=0.0, max_value=1.0)
edges = st.lists(st.tuples(relations, weights), max_size=40)

S, R, N = ("supports", 0.9), ("refutes", 0.9), ("neutral", 0.9)


@pytest.mark.parametrize(
    ("evidence", "expected"),
    [
        pytest.param([], (1.0, 1.0, 0.5000, 0.2887, 0.0000), id="none"),
        pytest.param([S], (1.9, 1.0, 0.6552, 0.2407, 0.0000), id="1 supports"),
        pytest.param([S] * 3, (3.7, 1.0, 0.7872, 0.1714, 0.0000), id="3 supports"),
        pytest.param([S] * 3 + [R], (3.7, 1.9, 0.6607, 0.1843, 0.2500), id="3 supports, 1 refutes"),
        pytest.param([S] * 5 + [R] * 5, (5.5, 5.5, 0.5000, 0.1443, 0.5000), id="5 supports, 5 refutes"),
    ],
)
def test_the_table_of_the_specification_holds(evidence: list[tuple[str, float]], expected: tuple[float, ...]) -> None:
    values = confidence(evidence)
    columns = (values.alpha, values.beta, values.confidence, values.uncertainty, values.controversy)
    assert tuple(round(value, 4) for value in columns) == expected


def test_no_evidence_is_exactly_one_half() -> None:
    assert confidence([]).confidence == 0.5


def test_edges_are_counted_by_relation() -> None:
    values = confidence([S, S, R, N, N, N])
    assert (values.supporting_count, values.refuting_count, values.neutral_count, values.evidence_count) == (2, 1, 3, 6)


def test_relations_may_be_given_as_members_of_the_enumeration() -> None:
    assert confidence([(Relation.REFUTES, 1.0)]).beta == 2.0


def test_whole_numbers_at_the_ends_of_the_range_are_taken() -> None:
    values = confidence([("supports", 1), ("refutes", 0)])
    assert (values.alpha, values.beta, values.refuting_count) == (2.0, 1.0, 1)


@pytest.mark.parametrize(
    "value", [math.nan, -0.1, 1.01, True, False, "0.9", None, math.inf, -math.inf, 10**400, 1 + 0j], ids=lambda v: repr(v)[:9]
)
def test_what_is_no_number_from_zero_to_one_is_refused(value: object) -> None:
    with pytest.raises(InvalidInput) as refusal:
        checked_confidence(value)
    assert refusal.value.code == "nli_confidence_out_of_range"


@pytest.mark.parametrize("edge", [("supports",), ("supports", 0.9, 1), 5, None, "supports", ()], ids=repr)
def test_what_is_no_pair_of_relation_and_number_is_refused(edge: object) -> None:
    with pytest.raises(InvalidInput) as refusal:
        confidence([S, edge])  # type: ignore[list-item]
    assert (refusal.value.code, refusal.value.params) == ("edge_malformed", {"position": 2})
    assert '("supports", 0.9)' in str(refusal.value)


@pytest.mark.parametrize("number", [np.float32(0.5), np.float64(0.5), np.float16(0.5), Fraction(1, 2)], ids=repr)
def test_numbers_of_other_libraries_are_taken(number: float) -> None:
    values = confidence([("supports", number)])
    assert (values.alpha, type(values.alpha)) == (1.5, float)


def test_a_truth_value_of_another_library_is_no_number() -> None:
    with pytest.raises(InvalidInput):
        checked_confidence(np.True_)


@pytest.mark.parametrize("relation", [Relation.SUPPORTS, Relation.REFUTES, Relation.NEUTRAL])
def test_the_refusal_names_the_edge_whatever_its_relation(relation: Relation) -> None:
    with pytest.raises(InvalidInput) as refusal:
        confidence([S, (relation, 1.01)])
    assert refusal.value.code == "nli_confidence_out_of_range"
    assert refusal.value.params == {"value": 1.01, "position": 2}


@pytest.mark.parametrize("relation", ["mentions", "SUPPORTS", "", "cites"])
def test_an_unknown_relation_is_refused(relation: str) -> None:
    with pytest.raises(InvalidInput) as refusal:
        confidence([S, R, (relation, 0.9)])
    assert refusal.value.code == "unknown_relation"
    assert refusal.value.params == {"relation": relation, "position": 3}


@given(edges, st.data())
def test_the_order_of_the_edges_changes_nothing(evidence: list[tuple[str, float]], data: st.DataObject) -> None:
    assert confidence(data.draw(st.permutations(evidence))) == confidence(evidence)


@given(edges)
def test_the_numbers_are_those_of_the_formulas(evidence: list[tuple[str, float]]) -> None:
    values = confidence(evidence)
    alpha = 1 + sum(weight for relation, weight in evidence if relation == "supports")
    beta = 1 + sum(weight for relation, weight in evidence if relation == "refutes")
    assert values.alpha == pytest.approx(alpha, abs=1e-12)
    assert values.beta == pytest.approx(beta, abs=1e-12)
    assert values.confidence == pytest.approx(alpha / (alpha + beta), abs=1e-12)
    assert values.uncertainty**2 == pytest.approx(alpha * beta / ((alpha + beta) ** 2 * (alpha + beta + 1)), abs=1e-12)


@given(edges)
def test_every_value_stays_in_its_range(evidence: list[tuple[str, float]]) -> None:
    values = confidence(evidence)
    assert 0.0 < values.confidence < 1.0
    assert 0.0 < values.uncertainty <= math.sqrt(1 / 12)
    assert 0.0 <= values.controversy <= 0.5


@given(edges)
def test_neutral_edges_add_nothing(evidence: list[tuple[str, float]]) -> None:
    speaking = [edge for edge in evidence if edge[0] != "neutral"]
    with_neutral, without = confidence(evidence), confidence(speaking)
    assert (with_neutral.alpha, with_neutral.beta) == (without.alpha, without.beta)
    assert with_neutral.neutral_count == len(evidence) - len(speaking)


@given(edges)
def test_support_and_refutation_are_mirror_images(evidence: list[tuple[str, float]]) -> None:
    mirror = {"supports": "refutes", "refutes": "supports", "neutral": "neutral"}
    values, mirrored = confidence(evidence), confidence([(mirror[relation], weight) for relation, weight in evidence])
    assert (values.alpha, values.beta) == (mirrored.beta, mirrored.alpha)
    assert values.controversy == mirrored.controversy
    assert values.confidence == pytest.approx(1 - mirrored.confidence, abs=1e-12)


@given(st.lists(st.tuples(relations, weights), max_size=8))
def test_the_interval_encloses_most_of_the_mass(evidence: list[tuple[str, float]]) -> None:
    values = confidence(evidence)
    low, high = values.interval
    assert 0.0 <= low < high <= 1.0
    assert low < values.confidence < high
