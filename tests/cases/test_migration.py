"""Migration: the table of the definitions as settled, nothing lost, nothing done twice."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lyra.cases.fields import ABOLISHED
from lyra.cases.migration import migrate_case
from lyra.cases.validation import validate_case
from tests.cases_strategies import Json, valid_case

URL = [{"url": "https://a.example"}]


def old(**fields: Any) -> Json:
    return {"id": "a", "text": "t", "outcome": "Success", **fields}


@pytest.mark.parametrize(
    ("level", "sources", "status", "confidence", "reason"),
    [
        ("verified", URL, "verified_correct", None, None),
        ("verified", [], "verified_correct", None, None),
        ("plausible", URL, "unverified", "low", None),
        ("plausible", [], "unverified", "none", "no_source"),
        ("unverified", URL, "unverified", "none", None),
        ("unverified", [], "unverified", "none", "no_source"),
        ("whatever", URL, "unverified", "none", None),
        (None, URL, "unverified", "none", None),
        (None, [{"url": " "}], "unverified", "none", "no_source"),
        (" Ｖerified", URL, "verified_correct", None, None),
    ],
)
def test_the_table_of_the_definitions(
    level: str | None, sources: list[Json], status: str, confidence: str | None, reason: str | None
) -> None:
    given_case = old(sources=sources, **({} if level is None else {"trust_level": level}))
    case = migrate_case(given_case).case
    found = tuple(case.get(name) for name in ("outcome_status", "verification_confidence", "unverified_reason", "needs_review"))
    assert found == (status, confidence, reason, True)
    assert "trust_level" not in case
    assert case.get("migrated_from") == (None if level is None else {"trust_level": level})


def test_rank_and_tier_are_kept_and_decide_nothing() -> None:
    case = migrate_case(old(sources=URL, trust_level="verified", credibility_rank="S", tier="gold")).case
    assert case["migrated_from"] == {"trust_level": "verified", "credibility_rank": "S", "tier": "gold"}
    assert set(case) == {"id", "text", "outcome", "sources", "outcome_status", "needs_review", "migrated_from"}
    assert case["sources"] == URL


def test_a_rank_of_a_source_is_kept_with_the_source() -> None:
    case = migrate_case(old(sources=[{"url": "https://a.example", "credibility_rank": "A"}])).case
    assert case["sources"] == [{"url": "https://a.example", "migrated_from": {"credibility_rank": "A"}}]


def test_what_lacks_a_label_after_that_is_work_for_a_person() -> None:
    def left(case: Json) -> set[tuple[str, str]]:
        return {(one.rule, one.path) for one in validate_case(migrate_case(case).case) if one.is_error}

    roles = {("L04", "sources[0].source_role"), ("L04", "sources[0].coi_status")}
    assert left(old(sources=URL, trust_level="verified")) == roles | {("L04", "verification_confidence")}
    assert left(old(sources=URL, trust_level="plausible")) == roles | {("L21", "unverified_reason")}
    assert left(old(sources=[], trust_level="plausible")) == set()


def test_an_address_beside_the_case_becomes_its_source() -> None:
    done = migrate_case(old(source_url="https://a.example", trust_level="plausible"))
    assert done.case["sources"] == URL
    assert "source_url" not in done.case
    assert done.case["verification_confidence"] == "low"
    assert ("source_url", "https://a.example", None) in {(one.path, one.before, one.after) for one in done.changes}


def test_labels_given_under_the_definitions_stand_beside_an_old_field() -> None:
    case = migrate_case(old(outcome_status="unverified", unverified_reason="ongoing", trust_level="verified", sources=URL)).case
    assert (case["outcome_status"], case["unverified_reason"], case["migrated_from"]) == (
        "unverified",
        "ongoing",
        {"trust_level": "verified"},
    )
    assert case["needs_review"] is True


def test_a_confidence_from_before_is_kept_but_does_not_count() -> None:
    case = migrate_case(old(trust_level="verified", verification_confidence="certain", sources=URL)).case
    assert "verification_confidence" not in case
    assert case["migrated_from"] == {"trust_level": "verified", "verification_confidence": "certain"}


def test_old_fields_are_carried_over_wherever_they_stand_and_leave_no_finding_behind() -> None:
    named = {"url": "https://b.example", "source_role": "primary_source", "access": "ok", "tier": "gold"}
    source = {"url": "https://a.example", "source_role": "pointer_only", "coi_status": "none", "references": [named]}
    case = old(sources=[source], claims=[{"text": "t", "tier": "gold"}], parties=[{"names": ["A"], "credibility_rank": "S"}])
    case |= {"outcome_status": "unverified", "verification_confidence": "low", "unverified_reason": "ongoing"}
    done = migrate_case(case | {"outcome": "Unknown"})
    assert {one.path for one in done.changes} == {
        "sources[0].references[0].tier",
        "claims[0].tier",
        "parties[0].credibility_rank",
        "needs_review",
    }
    assert done.case["sources"][0]["references"][0]["migrated_from"] == {"tier": "gold"}
    assert [one.rule for one in validate_case(done.case)] == ["L50"]
    again = migrate_case(done.case)
    assert (again.case, again.changes) == (done.case, ())


@given(valid_case())
def test_a_case_under_the_definitions_is_unchanged(sound: Json) -> None:
    done = migrate_case(sound)
    assert (done.case, done.changes) == (sound, ())


labels = st.none() | st.text(max_size=5) | st.sampled_from(("verified", "plausible", "gold", "S"))


@given(
    st.fixed_dictionaries(
        {"id": st.text(max_size=3)},
        optional={
            **dict.fromkeys(ABOLISHED, labels),
            "sources": st.none() | st.lists(st.none() | st.fixed_dictionaries({}, optional={"url": labels, "tier": labels})),
            "source_url": labels,
            "migrated_from": st.none() | st.just({"tier": "x"}),
            "needs_review": st.none() | st.booleans(),
        },
    )
)
def test_migrating_twice_changes_nothing_the_second_time(case: Json) -> None:
    once = migrate_case(case)
    twice = migrate_case(once.case)
    assert (twice.case, twice.changes) == (once.case, ())
    assert not any(name in once.case for name in ABOLISHED)
