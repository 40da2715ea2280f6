"""Validation: sound cases are never flagged, and each defect is found by its own rule and by no other."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lyra.cases.findings import RULES, VARIANTS, Finding, Severity
from lyra.cases.validation import CaseValidator, validate_case
from lyra.core.messages import codes
from tests.cases_strategies import BREAKS, Json, broken_case, valid_case


def rules(case: Json) -> list[str]:
    return [finding.rule for finding in validate_case(case)]


def case(**changes: Any) -> Json:
    sound: Json = {
        "id": "a",
        "text": "An event.",
        "outcome": "Success",
        "outcome_status": "verified_correct",
        "verification_confidence": "medium",
        "sources": [{"url": "https://a.example/1", "source_role": "secondary_source", "coi_status": "none", "access": "ok"}],
    }
    merged = sound | changes
    return {name: value for name, value in merged.items() if value is not None}


@given(valid_case())
@settings(max_examples=250)
def test_a_sound_case_is_never_flagged(sound: Json) -> None:
    assert validate_case(sound) == []


@pytest.mark.parametrize("rule", sorted(RULES))
@given(data=st.data())
@settings(max_examples=30)
def test_a_defect_is_found_by_its_rule_and_by_no_other(rule: str, data: st.DataObject) -> None:
    _, broken = data.draw(broken_case(rule))
    assert set(rules(broken)) == {rule}


def test_every_rule_can_be_broken_here() -> None:
    assert set(BREAKS) == set(RULES)


@given(
    st.dictionaries(
        st.text(max_size=8) | st.sampled_from(("id", "sources", "claims", "outcome", "check")),
        st.recursive(
            st.none() | st.booleans() | st.integers() | st.text(max_size=5),
            lambda inner: (
                st.lists(inner, max_size=3)
                | st.dictionaries(st.sampled_from(("url", "text", "references", "source_refs", "source_role")), inner, max_size=3)
            ),
            max_leaves=8,
        ),
        max_size=5,
    )
)
@settings(max_examples=200)
def test_no_content_whatsoever_makes_validation_fail(content: Json) -> None:
    for finding in validate_case(content):
        assert finding.rule in RULES


# The example of the definitions: what its own function finds, and where ours is stricter.


@pytest.mark.parametrize(
    ("changes", "found"),
    [
        ({}, []),
        ({"verification_confidence": "low"}, ["L10"]),
        ({"verification_confidence": "none"}, ["L10"]),
        ({"outcome_status": "unverified", "outcome": "Unknown", "unverified_reason": "ambiguous"}, ["L12"]),
        ({"outcome_status": "unverified", "outcome": "Unknown", "verification_confidence": "low"}, ["L21"]),
        ({"outcome_status": "verified_incorrect", "suggested_outcome": "Failure", "error_description": "x"}, ["L23"]),
        ({"sources": [{"url": "https://a.example", "source_role": "rejected", "coi_status": "none"}]}, ["L31"]),
        # Its function takes a case without sources for one whose sources are all rejected.
        ({"sources": []}, ["L30"]),
        # Its function does not hold verified_incorrect against the matrix.
        (
            {
                "outcome_status": "verified_incorrect",
                "verification_confidence": "low",
                "error_type": "major_error",
                "error_description": "x",
                "suggested_outcome": "Failure",
            },
            ["L11"],
        ),
    ],
)
def test_the_example_of_the_definitions(changes: Json, found: list[str]) -> None:
    assert rules(case(**changes)) == found


# Values


@pytest.mark.parametrize(
    ("field", "written", "meant"),
    [
        ("outcome", "Ｓｕｃｃｅｓｓ", "Success"),
        ("outcome", "success", "Success"),
        ("outcome", "SUCCESS ", "Success"),
        ("outcome", "成功", "Success"),
        ("outcome", "Partial Success", "PartialSuccess"),
        ("outcome_status", "verified-correct", "verified_correct"),
        ("outcome_status", "verifed_corect", "verified_correct"),
        ("outcome_status", "未検証", "unverified"),
        ("verification_confidence", "ｍｅｄｉｕｍ", "medium"),
        ("verification_confidence", "midium", "medium"),
        ("unverified_reason", "source unavailable", "source_unavailable"),
        ("error_type", "minor", "minor_error"),
    ],
)
def test_the_value_that_was_meant_is_suggested(field: str, written: str, meant: str) -> None:
    (finding,) = [one for one in validate_case(case(**{field: written})) if one.rule == "L01"]
    assert (finding.path, finding.variant, finding.params["nearest"]) == (field, "nearest", meant)


def test_a_value_that_is_near_to_none_is_answered_with_all() -> None:
    (finding,) = validate_case(case(outcome="xyzzy"))
    assert (finding.variant, finding.params["legal"]) == ("none_near", "Success, Failure, Mixed, PartialSuccess, Unknown")


def test_an_abolished_field_names_what_took_its_place_except_where_it_is_kept() -> None:
    (finding,) = validate_case(case(trust_level="verified"))
    assert (finding.rule, finding.params["replacement"]) == ("L02", "outcome_status + verification_confidence")
    assert rules(case(migrated_from={"trust_level": "verified", "tier": "gold"})) == []


def test_a_status_of_a_claim_is_read_as_what_it_means_and_said() -> None:
    found = validate_case(case(claims=[{"text": "t", "status": "unverified"}]))
    assert [(one.rule, one.variant) for one in found] == [("L03", "read_as"), ("L41", None)]


def test_a_source_url_beside_the_case_is_read_as_its_source() -> None:
    found = validate_case(case(sources=None, source_url="https://a.example", source_role="secondary_source", coi_status="none"))
    assert {one.rule for one in found} == {"L03"}


def test_an_access_given_as_a_number_is_the_status_it_means() -> None:
    gone = {"url": "https://a.example", "source_role": "secondary_source", "coi_status": "none", "access": 404}
    assert rules(case(sources=[gone])) == ["L33"]


# Ids


def test_an_id_that_comes_again_names_the_row_it_came_first_in() -> None:
    validator = CaseValidator()
    assert validator.validate(case(), 2) == []
    (finding,) = validator.validate(case(), 7)
    assert (finding.rule, finding.variant, finding.params) == ("L05", "duplicate_case", {"value": "a", "first": 2})


def test_several_peoples_labels_of_one_case_are_no_duplicates() -> None:
    validator = CaseValidator()
    assert [validator.validate(case(), 1, rater) for rater in ("A", "B")] == [[], []]
    assert len(validator.validate(case(), 2, "A")) == 1


@pytest.mark.parametrize(
    ("refs", "variant"), [(["https://nowhere"], "dangling"), (["s1", "s1"], "duplicate"), ([" "], "empty"), (["s1"], None)]
)
def test_references_to_sources_hold(refs: list[str], variant: str | None) -> None:
    source = {"id": "s1", "url": "https://a.example", "source_role": "secondary_source", "coi_status": "none"}
    found = validate_case(case(sources=[source], claims=[{"text": "t", "source_refs": refs}]))
    assert [one.variant for one in found] == ([] if variant is None else [variant])


# Sources


def pointer(*references: Json) -> Json:
    return {
        "url": "https://ja.wikipedia.org/wiki/X",
        "source_role": "pointer_only",
        "coi_status": "none",
        "references": list(references),
    }


def test_a_pointer_verifies_through_the_references_it_was_descended_to() -> None:
    filing = {"url": "https://sec.example", "source_role": "primary_source", "coi_status": "none", "access": "ok"}
    paper = {"url": "https://news.example", "source_role": "secondary_source", "coi_status": "none", "access": "ok"}
    assert rules(case(sources=[pointer(filing, paper)], verification_confidence="high")) == []
    assert rules(case(sources=[pointer(paper)], verification_confidence="high")) == ["L38"]
    assert rules(case(sources=[pointer({**filing, "access": "404"})])) == ["L32"]
    assert rules(case(sources=[pointer({"url": "https://sec.example"})])) == ["L32", "L37"]


def test_two_pages_of_one_host_are_one_source() -> None:
    pages = [
        {"url": f"https://{host}/{n}", "source_role": "primary_source", "coi_status": "none"}
        for n, host in enumerate(("www.a.example", "a.example"))
    ]
    assert rules(case(sources=pages, verification_confidence="high")) == ["L38"]


def test_a_source_without_access_counts_as_readable_and_one_not_fetched_does_not() -> None:
    source = {"url": "https://a.example", "source_role": "secondary_source", "coi_status": "none"}
    assert rules(case(sources=[source])) == []
    assert rules(case(sources=[source | {"access": "not_fetched"}])) == ["L32"]


def test_a_claim_rests_on_the_sources_it_names() -> None:
    own = {"id": "own", "url": "https://a.example", "source_role": "primary_source", "coi_status": "self"}
    press = {"id": "press", "url": "https://b.example", "source_role": "secondary_source", "coi_status": "none"}
    claim = {"text": "the best", "claim_type": "evaluative", "outcome_status": "verified_correct"}
    both = [own, press]
    assert rules(case(sources=both, claims=[claim])) == []
    assert rules(case(sources=both, claims=[claim | {"source_refs": ["own"]}])) == ["L40"]
    assert rules(case(sources=both, claims=[claim | {"source_refs": ["press"]}])) == []


# Sentences


def test_every_finding_has_a_sentence_and_a_hint_in_both_languages() -> None:
    made = [Finding(rule, "x", variant) for rule in RULES for variant in VARIANTS.get(rule, (None,))]
    needed = {one.code for one in made} | {one.hint_code for one in made}
    assert needed <= codes("en")
    assert needed <= codes("ja")
    assert {code for code in codes() if code.startswith(("rule.", "hint."))} == needed


def test_only_the_rules_that_warn_are_warnings() -> None:
    warnings = {rule for rule, severity in RULES.items() if severity is Severity.WARNING}
    assert warnings == {"L03", "L28", "L37", "L38", "L39", "L42", "L50"}
