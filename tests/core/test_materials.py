"""Materials of a claim: sources, years and status, from its edges alone."""

from dataclasses import replace

import pytest

from lyra.core.confidence import confidence
from lyra.core.materials import ClaimMaterial, assess
from lyra.core.records import Claim, Evidence
from lyra.core.verification import ReasonCode
from tests.fakes import evidence

CLAIM = Claim(claim_id="claim_1", task_id="task_1", text="Sleep improves memory.", language="en")


def assessed(*edges: Evidence, claim: Claim = CLAIM) -> ClaimMaterial:
    return assess(claim, confidence((edge.relation, edge.nli_confidence) for edge in edges), edges)


def test_sources_are_distinct_pages_on_each_side() -> None:
    found = assessed(
        evidence("edge_1", "supports", 0.9, "page_a"),
        evidence("edge_2", "supports", 0.8, "page_a"),
        evidence("edge_3", "supports", 0.7, "page_b"),
        evidence("edge_4", "refutes", 0.7, "page_c"),
        evidence("edge_5", "neutral", 0.7, "page_d"),
    )
    assert (found.independent_sources, found.refuting_sources) == (2, 1)


def test_two_independent_sources_verify_a_claim() -> None:
    found = assessed(evidence("edge_1", "supports", 0.9, "page_a"), evidence("edge_2", "supports", 0.8, "page_b"))
    assert (found.verification.status, found.verification.reason_code) == ("verified", ReasonCode.WELL_SUPPORTED)


def test_a_preprint_and_its_journal_version_do_not_verify_a_claim() -> None:
    preprint = replace(evidence("edge_1", "supports", 0.9, "page_a"), work_keys=("work",))
    journal = replace(evidence("edge_2", "supports", 0.8, "page_b"), work_keys=("work",))
    found = assessed(preprint, journal)
    assert (found.independent_sources, found.independent.sources) == (2, 1)
    assert found.verification.reason_code is ReasonCode.INSUFFICIENT_EVIDENCE


def test_one_refuting_source_beside_another_is_a_conflict() -> None:
    found = assessed(
        evidence("edge_1", "supports", 0.9, "page_a"),
        evidence("edge_2", "supports", 0.9, "page_b"),
        evidence("edge_3", "refutes", 0.1, "page_c"),
    )
    assert found.verification.reason_code is ReasonCode.CONFLICTING_EVIDENCE


def test_years_are_those_of_the_evidence_that_speaks() -> None:
    found = assessed(
        replace(evidence("edge_1", "supports", 0.9, "page_a"), published_on="2019-05"),
        replace(evidence("edge_2", "refutes", 0.9, "page_b"), published_on="2024"),
        replace(evidence("edge_3", "neutral", 0.9, "page_c"), published_on="1950-01-01"),
        evidence("edge_4", "supports", 0.9, "page_d"),
    )
    assert (found.oldest_year, found.newest_year) == (2019, 2024)


def test_a_missing_year_is_never_guessed() -> None:
    found = assessed(evidence("edge_1", "supports", 0.9))
    assert (found.oldest_year, found.newest_year) == (None, None)


@pytest.mark.parametrize(
    "left_out",
    [
        pytest.param(replace(evidence("edge_2", "supports", 0.9, "page_b"), is_pointer=True), id="pointer"),
        pytest.param(replace(evidence("edge_2", "supports", 0.9, "page_b"), excluded_reason="quarantined"), id="excluded"),
    ],
)
def test_evidence_that_is_left_out_is_shown_but_is_no_source(left_out: Evidence) -> None:
    first = replace(evidence("edge_1", "supports", 0.9, "page_a"), published_on="2020")
    shown = replace(left_out, published_on="1999")
    found = assess(CLAIM, confidence([("supports", 0.9)]), [first, shown])
    assert found.evidence == (first, shown)
    assert (found.independent_sources, found.independent.sources, found.oldest_year) == (1, 1, 2020)


def test_the_page_a_claim_was_taken_from_is_not_among_its_sources() -> None:
    extracted = replace(CLAIM, origin_page_id="page_a", origin_fragment_id="frag_0")
    found = assessed(
        evidence("edge_1", "supports", 0.9, "page_a"), evidence("edge_2", "supports", 0.8, "page_b"), claim=extracted
    )
    assert (found.independent_sources, found.independent.sources) == (1, 1)
    assert found.verification.reason_code is ReasonCode.INSUFFICIENT_EVIDENCE
    assert found.values.alpha == pytest.approx(2.7)


def test_a_copy_of_the_page_a_claim_was_taken_from_is_no_independent_source() -> None:
    extracted = replace(CLAIM, origin_page_id="page_a", origin_fragment_id="frag_0")
    copy = replace(evidence("edge_1", "supports", 0.9, "page_b"), other_page_ids=("page_a",))
    found = assessed(copy, evidence("edge_2", "supports", 0.8, "page_c"), claim=extracted)
    assert found.independent.sources == 1


def test_a_refutation_on_the_page_a_claim_was_taken_from_is_no_refuting_source() -> None:
    extracted = replace(CLAIM, origin_page_id="page_a", origin_fragment_id="frag_0")
    found = assessed(evidence("edge_1", "refutes", 0.9, "page_a"), evidence("edge_2", "supports", 0.8, "page_b"), claim=extracted)
    assert (found.refuting_sources, found.independent.refuting_sources) == (0, 0)
    assert found.verification.reason_code is ReasonCode.INSUFFICIENT_EVIDENCE


def test_only_neutral_evidence_says_nothing() -> None:
    found = assessed(evidence("edge_1", "neutral", 0.9))
    assert not found.has_evidence
    assert (found.values.confidence, found.independent_sources) == (0.5, 0)
    assert found.verification.reason_code is ReasonCode.INSUFFICIENT_EVIDENCE


def test_a_single_refutation_is_evidence() -> None:
    assert assessed(evidence("edge_1", "refutes", 0.9)).has_evidence
