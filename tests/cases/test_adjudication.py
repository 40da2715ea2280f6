"""Adjudication: consensus with its uncertainty, the queue, and the set that comes of decisions."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lyra.cases.adjudication import dawid_skene, final_labels, judge_labels, queue
from lyra.cases.agreement_fields import Wanted, by_field, measure_fields, unlabelled
from lyra.cases.model import Annotation
from lyra.cases.ratings import UNRATED, Level, Ratings
from lyra.cases.reading import labels_of
from lyra.cases.settled import settled_cases
from lyra.cases.shape import read_case
from lyra.core.errors import InvalidInput


def labels(field: str, **values: str) -> list[Annotation]:
    """Annotations of one field: a letter for each unit, a dot for none; `name="SFM"`."""
    words = {"S": "Success", "F": "Failure", "M": "Mixed", "U": "Unknown", ".": None}
    return [
        Annotation(rater, f"c{n}", field, words[letter]) for rater, text in values.items() for n, letter in enumerate(text, 1)
    ]


def simulated(
    seed: int, units: int, skill: list[float], scale: int = 3
) -> tuple[Ratings, np.ndarray[tuple[int], np.dtype[np.int64]]]:
    source = np.random.default_rng(seed)
    truth = source.integers(0, scale, units)
    columns = []
    for certain in skill:
        right = source.random(units) < certain
        columns.append(np.where(right, truth, (truth + source.integers(1, scale, units)) % scale))
    codes = np.stack(columns, axis=1)
    codes[source.random(codes.shape) < 0.2] = UNRATED
    names = tuple(f"r{n}" for n in range(len(skill)))
    return Ratings(names, tuple(str(n) for n in range(units)), tuple("abc"[:scale]), codes), truth


def majority(ratings: Ratings) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    votes = np.stack([(ratings.codes == place).sum(axis=1) for place in range(len(ratings.categories))], axis=1)
    return np.asarray(votes.argmax(axis=1))


def test_consensus_beats_the_majority_where_some_are_careless() -> None:
    ratings, truth = simulated(3, 600, [0.95, 0.92, 0.45, 0.45, 0.45])
    consensus = dawid_skene(ratings)
    ours = (consensus.probabilities.argmax(axis=1) == truth).mean()
    theirs = (majority(ratings) == truth).mean()
    assert ours > theirs + 0.05
    skill = [float(np.mean(np.diag(matrix))) for matrix in consensus.confusion]
    assert min(skill[:2]) > 0.85 and max(skill[2:]) < 0.6


def test_the_probabilities_mean_what_they_say() -> None:
    ratings, truth = simulated(8, 2000, [0.8, 0.7, 0.6])
    consensus = dawid_skene(ratings)
    sure = consensus.probabilities.max(axis=1)
    right = consensus.probabilities.argmax(axis=1) == truth
    for low, high in ((0.5, 0.75), (0.75, 0.9), (0.9, 1.01)):
        band = (sure >= low) & (sure < high)
        assert abs(sure[band].mean() - right[band].mean()) < 0.08


@settings(deadline=None, max_examples=30)
@given(st.integers(0, 10_000))
def test_every_round_makes_the_whole_more_likely(seed: int) -> None:
    ratings, _ = simulated(seed, 30, [0.9, 0.6, 0.5])
    trace = dawid_skene(ratings).trace
    assert all(later >= earlier - 1e-7 for earlier, later in pairwise(trace))


def plain_consensus(ratings: Ratings, decided: dict[int, int], rounds: int) -> list[list[float]]:
    """Dawid and Skene's estimate written unit by unit, with the same start and the same beliefs about raters."""
    scale, units = range(len(ratings.categories)), range(len(ratings.units))
    codes = ratings.codes.tolist()
    truth = [[1 / len(scale) + codes[u].count(k) for k in scale] for u in units]

    def settle(u: int) -> None:
        if u in decided:
            truth[u] = [float(k == decided[u]) for k in scale]
        total = sum(truth[u])
        truth[u] = [share / total for share in truth[u]]

    for u in units:
        settle(u)
    for _ in range(rounds):
        common = [1.0 + sum(truth[u][k] for u in units) for k in scale]
        errs = {
            (r, k, g): (1.5 if k == g else 0.5 / (len(scale) - 1)) + sum(truth[u][k] for u in units if codes[u][r] == g)
            for r in range(len(ratings.raters))
            for k in scale
            for g in scale
        }
        sums = {(r, k): sum(errs[r, k, g] for g in scale) for r in range(len(ratings.raters)) for k in scale}
        for u in units:
            truth[u] = [
                common[k] * float(np.prod([errs[r, k, g] / sums[r, k] for r, g in enumerate(codes[u]) if g != UNRATED]))
                for k in scale
            ]
            settle(u)
    return truth


@settings(deadline=None, max_examples=15)
@given(st.integers(0, 10_000))
def test_units_that_are_rated_alike_are_estimated_once_and_count_each(seed: int) -> None:
    ratings, _ = simulated(seed, 40, [0.9, 0.6, 0.5])
    decided = {0: 1, 7: 2}
    found = dawid_skene(ratings, decided)
    assert np.allclose(found.probabilities, plain_consensus(ratings, decided, len(found.trace)), atol=1e-9)


def test_a_decision_is_certain_and_teaches_who_is_right() -> None:
    annotations = labels("outcome", ann="SSSSSS", bob="FFFFFF")
    before = {item.unit: item.probabilities["Success"] for item in judge_labels(annotations)}
    decided = {(f"c{n}", "outcome"): "Success" for n in range(1, 5)}
    after = {item.unit: item for item in judge_labels(annotations, decided)}
    assert after["c1"].probabilities["Success"] == 1.0 and after["c1"].information == 0.0
    assert after["c6"].probabilities["Success"] > max(0.9, before["c6"])


def test_the_queue_holds_open_disagreements_and_the_least_certain_first() -> None:
    annotations = labels("outcome", ann="SSFFU", bob="SFFFS", chi="SSFM.")
    waiting = queue(judge_labels(annotations))
    assert {item.unit for item in waiting} == {"c2", "c4", "c5"}
    assert [item.information for item in waiting] == sorted((item.information for item in waiting), reverse=True)
    assert waiting[0].unit == "c5"
    left = queue(judge_labels(annotations, {("c5", "outcome"): "Unknown"}))
    assert "c5" not in {item.unit for item in left}


def test_the_adjudicated_set_says_what_each_value_rests_on() -> None:
    annotations = labels("outcome", ann="SSFU", bob="SFF.", chi="SSM.")
    found = {one.unit: one for one in final_labels(judge_labels(annotations, {("c3", "outcome"): "Mixed"}))}
    assert {unit: one.basis for unit, one in found.items()} == {
        "c1": "unanimous",
        "c2": "consensus",
        "c3": "decided",
        "c4": "single",
    }
    assert (found["c3"].value, found["c3"].probability) == ("Mixed", 1.0)
    assert found["c2"].value == "Success"


def given_labels(**values: tuple[str, ...]) -> list[Annotation]:
    """Labels of one case: `field=(ann's, bob's, …)`; an empty text for none."""
    return [Annotation(f"r{n}", "c", name, word or None) for name, words in values.items() for n, word in enumerate(words)]


def test_a_field_that_the_final_answer_rules_out_is_no_label_of_the_set() -> None:
    correct = ("verified_correct", "verified_correct", "unverified")
    items = judge_labels(given_labels(outcome_status=correct, unverified_reason=("", "", "ongoing")))
    assert {one.field for one in final_labels(items)} == {"outcome_status"}
    decided = judge_labels(
        given_labels(outcome_status=correct, unverified_reason=("", "ongoing", "ambiguous")),
        {("c", "outcome_status"): "verified_correct"},
    )
    assert queue(decided) == []
    spoken = {("c", "outcome_status"): "verified_correct", ("c", "unverified_reason"): "ongoing"}
    kept = judge_labels(given_labels(outcome_status=correct, unverified_reason=("", "", "ongoing")), spoken)
    assert ("unverified_reason", "decided") in {(one.field, one.basis) for one in final_labels(kept)}


def test_settled_cases_have_the_final_labels_and_the_words_that_go_with_them() -> None:
    source = {"url": "https://a", "source_role": "secondary_source", "coi_status": "none"}
    wrong = {"outcome_status": "verified_incorrect", "error_type": "minor_error", "error_description": "a year off"}
    ann = {"id": "c", "text": "t", "outcome": "Success", "outcome_status": "verified_correct", "sources": [source], "note": 1}
    bob = ann | wrong | {"suggested_outcome": "Success", "sources": [source | {"coi_status": "self"}]}
    labels = [label for who, raw in (("ann", ann), ("bob", bob)) for label in labels_of(read_case(raw).case, who)]
    decided = {("c", "outcome_status"): "verified_incorrect", ("c#source:https://a", "coi_status"): "none"}
    (case,) = settled_cases([ann, bob], final_labels(judge_labels(labels, decided)))
    assert case == bob | {"sources": [source]}
    other = {("c", "outcome_status"): "verified_correct"}
    (case,) = settled_cases([ann, bob], final_labels(judge_labels(labels, other)))
    assert (case["outcome_status"], case["note"], case["needs_review"]) == ("verified_correct", 1, True)
    assert not {"error_type", "error_description", "suggested_outcome"} & set(case)


def test_units_of_sources_and_claims_are_measured_apart() -> None:
    fields = by_field(
        [
            Annotation("a", "c1", "verification_confidence", "low"),
            Annotation("a", "c1#source:s1", "verification_confidence", "high"),
            Annotation("a", "c1#claim:1", "claim_type", "factual"),
        ]
    )
    assert set(fields) == {"verification_confidence", "sources.verification_confidence", "claims.claim_type"}


def test_confidence_is_ordinal_by_itself_and_in_the_order_of_its_scale() -> None:
    words = ["none", "low", "medium", "high"]
    found = measure_fields(
        [Annotation(who, f"c{n}", "verification_confidence", word) for who in "ab" for n, word in enumerate(words)], Wanted()
    )
    assert found[0].agreement.level is Level.ORDINAL
    assert found[0].agreement.categories == tuple(words)


def test_a_field_that_does_not_apply_is_no_disagreement_and_is_counted_apart() -> None:
    annotations = []
    for rater, statuses in {
        "ann": ["unverified", "verified_incorrect", "unverified"],
        "bob": ["unverified", "unverified", "unverified"],
    }.items():
        for n, status in enumerate(statuses):
            annotations.append(Annotation(rater, f"c{n}", "outcome_status", status))
            reason = "no_source" if status == "unverified" and (rater, n) != ("bob", 2) else None
            annotations.append(Annotation(rater, f"c{n}", "unverified_reason", reason))
    found = {one.field: one.agreement for one in measure_fields(annotations, Wanted())}
    reasons = found["unverified_reason"]
    assert (reasons.ratings, reasons.possible, reasons.not_applicable) == (4, 6, 1)
    assert reasons.estimate("percent").value == 1.0


def test_one_persons_labels_are_no_agreement() -> None:
    with pytest.raises(InvalidInput) as caught:
        measure_fields(labels("outcome", ann="SSF"), Wanted())
    assert (caught.value.code, caught.value.params["raters"]) == ("agreement_one_rater", "ann")


def test_a_field_nobody_filled_is_named_and_not_measured() -> None:
    annotations = [*labels("outcome", ann="SSF", bob="SSF"), *labels("error_type", ann="...", bob="...")]
    assert [one.field for one in measure_fields(annotations, Wanted())] == ["outcome"]
    assert unlabelled(annotations) == ["error_type"]
    with pytest.raises(InvalidInput) as caught:
        measure_fields(annotations, Wanted(only=("outcom",)))
    assert caught.value.code == "agreement_unknown_field"


@pytest.mark.parametrize(
    ("written", "meant"), [("success", "Success"), ("Ｓｕｃｃｅｓｓ", "Success"), ("Sucess", "Success"), ("成功", "Success")]
)
def test_a_wrong_value_is_refused_with_the_nearest_legal_one(written: str, meant: str) -> None:
    annotations = [Annotation("ann", "c1", "outcome", written), Annotation("bob", "c1", "outcome", "Success")]
    with pytest.raises(InvalidInput) as caught:
        measure_fields(annotations, Wanted())
    assert (caught.value.code, caught.value.params["nearest"]) == ("agreement_off_scale", meant)
    observed = measure_fields(annotations, Wanted(observed=True))
    assert len(observed[0].agreement.categories) == 2
