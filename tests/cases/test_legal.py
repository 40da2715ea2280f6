"""What may still be chosen: never a value that cannot be completed, never a refusal of one that can."""

from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lyra.cases.legal import Choice, label_paths, legal_values
from lyra.cases.validation import validate_case
from tests.cases_strategies import Json, valid_case

CONTEXT = {"url": "https://blog.example", "source_role": "context_only", "coi_status": "none"}
PRESS = {"url": "https://press.example", "source_role": "secondary_source", "coi_status": "none"}
LABELS = {
    "outcome": ("Success", "Failure", "Mixed", "PartialSuccess", "Unknown"),
    "outcome_status": ("verified_correct", "verified_incorrect", "unverified"),
    "verification_confidence": ("high", "medium", "low", "none"),
    "unverified_reason": (None, "no_source", "source_unavailable", "source_insufficient", "ongoing", "ambiguous"),
    "error_type": (None, "minor_error", "major_error", "critical_error"),
    "suggested_outcome": (None, "Success", "Failure", "Mixed", "PartialSuccess", "Unknown"),
}


def choices(case: Json, field: str) -> dict[str, Choice]:
    (found,) = legal_values(case, field).fields
    return {choice.value: choice for choice in found.choices}


def allowed(case: Json, field: str) -> set[str]:
    return {value for value, choice in choices(case, field).items() if choice.allowed}


def part(**given_labels: Any) -> Json:
    return {"id": "a", "text": "t", "sources": [PRESS], **given_labels}


def test_an_empty_case_with_a_source_that_verifies_may_become_anything() -> None:
    for field in ("outcome", "outcome_status", "verification_confidence"):
        assert all(choice.allowed for choice in choices(part(), field).values())


def test_a_status_leaves_the_confidences_of_the_matrix() -> None:
    assert allowed(part(outcome_status="verified_correct"), "verification_confidence") == {"high", "medium"}
    assert allowed(part(outcome_status="verified_incorrect"), "verification_confidence") == {"high", "medium"}
    assert allowed(part(outcome_status="unverified"), "verification_confidence") == {"low", "none"}


def test_a_confidence_leaves_the_statuses_of_the_matrix_and_says_why_not_the_others() -> None:
    found = choices(part(verification_confidence="low"), "outcome_status")
    assert {value for value, choice in found.items() if choice.allowed} == {"unverified"}
    assert [one.rule for one in found["verified_correct"].because] == ["L10"]


def test_what_follows_only_through_another_field_is_followed() -> None:
    # A reason is given, so the status can only become unverified, and then the confidence cannot be high.
    found = choices(part(unverified_reason="ongoing"), "verification_confidence")
    assert {value for value, choice in found.items() if choice.allowed} == {"low", "none"}
    assert {one.rule for one in found["high"].because} <= {"L12", "L22"}


def test_sources_that_do_not_verify_leave_unverified_only() -> None:
    case = {"id": "a", "text": "t", "sources": [CONTEXT]}
    found = choices(case, "outcome_status")
    assert {value for value, choice in found.items() if choice.allowed} == {"unverified"}
    assert [one.rule for one in found["verified_correct"].because] == ["L32"]
    assert allowed(case, "unverified_reason") == {"source_insufficient", "ongoing", "ambiguous"}


def test_a_case_without_sources_has_one_way_to_be_labelled() -> None:
    case = {"id": "a", "text": "t", "sources": []}
    assert allowed(case, "outcome_status") == {"unverified"}
    assert allowed(case, "unverified_reason") == {"no_source"}
    assert allowed(case, "verification_confidence") == {"none"}


def test_a_discouraged_value_may_be_chosen_and_is_warned_about() -> None:
    found = choices(part(outcome_status="unverified"), "outcome")
    assert found["Success"].allowed
    assert [one.rule for one in found["Success"].warnings] == ["L28"]


def test_labels_of_sources_and_claims_are_asked_for_by_their_path() -> None:
    case = part(outcome_status="verified_correct", claims=[{"text": "t", "claim_type": "evaluative"}])
    assert "sources[0].source_role" in label_paths(case)
    assert allowed(case, "claims[0].outcome_status") == {"verified_correct"}
    assert [one.rule for one in choices(case, "sources[0].primary_type")["ir_filing"].because] == ["L36"]
    assert "rejected" not in allowed(case, "sources[0].source_role")


def test_what_is_missing_is_named_and_what_is_wrong_already_blocks_nothing_else() -> None:
    found = legal_values(part(outcome_status="verified_incorrect", outcome="nonsense"))
    assert set(found.missing) == {"verification_confidence", "error_type", "error_description", "suggested_outcome"}
    assert [one.rule for one in found.findings] == ["L01"]
    assert allowed(part(tier="gold", verification_confidence="low"), "outcome_status") == {"unverified"}


def _completions(case: Json, field: str, value: str) -> bool:
    """Whether some way to fill the empty labels of a case, with the value chosen, breaks no rule: by trying them all."""
    fixed = {name: case.get(name) for name in LABELS if case.get(name) is not None} | {field: value}
    open_names = [name for name in LABELS if name not in fixed]
    for chosen in product(*(LABELS[name] for name in open_names)):
        tried = {**case, **fixed, **dict(zip(open_names, chosen, strict=True))}
        if tried["outcome_status"] == "verified_incorrect":
            tried.setdefault("error_description", "x")
        if not any(one.is_error for one in validate_case(tried)):
            return True
    return False


@given(valid_case(), st.sets(st.sampled_from(list(LABELS)), min_size=1, max_size=4), st.sampled_from(list(LABELS)))
@settings(max_examples=25)
def test_a_value_is_allowed_exactly_if_the_case_can_be_completed_with_it(sound: Json, emptied: set[str], field: str) -> None:
    partly = {name: value for name, value in sound.items() if name not in emptied | {field}}
    if "error_type" in emptied or "outcome_status" in emptied:
        partly.pop("error_description", None)
    for value, choice in choices(partly, field).items():
        assert choice.allowed == _completions(partly, field, value), (value, partly)


@pytest.mark.parametrize("content", [{}, {"sources": "x"}, {"claims": [None]}, {"sources": [{"references": 3}]}])
def test_no_content_makes_the_question_fail(content: Json) -> None:
    assert legal_values(content).fields
