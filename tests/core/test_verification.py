"""Verification: a status with its reason, from the number of independent origins on each side."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lyra.core.verification import ReasonCode, Verification, verify

PENDING, VERIFIED = "pending", "verified"
CONFLICT, TOO_LITTLE, WELL = ReasonCode.CONFLICTING_EVIDENCE, ReasonCode.INSUFFICIENT_EVIDENCE, ReasonCode.WELL_SUPPORTED


@pytest.mark.parametrize(
    ("supporting", "refuting", "in_all", "status", "reason"),
    [
        pytest.param(0, 0, 0, PENDING, TOO_LITTLE, id="nothing speaks"),
        pytest.param(1, 0, 1, PENDING, TOO_LITTLE, id="one source is too little"),
        pytest.param(2, 0, 2, VERIFIED, WELL, id="two independent sources verify"),
        pytest.param(9, 0, 9, VERIFIED, WELL, id="many sources verify"),
        pytest.param(0, 1, 1, PENDING, TOO_LITTLE, id="one refutation alone is too little"),
        pytest.param(0, 2, 2, PENDING, CONFLICT, id="two refutations"),
        pytest.param(1, 1, 2, PENDING, CONFLICT, id="one on each side"),
        pytest.param(9, 1, 10, PENDING, CONFLICT, id="a single refutation outweighs any number"),
        pytest.param(1, 1, 1, PENDING, TOO_LITTLE, id="one source that says both"),
        pytest.param(2, 1, 2, PENDING, CONFLICT, id="two sources, one of which says both"),
    ],
)
def test_the_status_follows_from_the_origin_groups(
    supporting: int, refuting: int, in_all: int, status: str, reason: ReasonCode
) -> None:
    assert verify(supporting, refuting, in_all) == Verification(status, reason)


@given(st.integers(0, 50), st.integers(0, 50), st.integers(0, 50))
def test_only_undisputed_claims_with_two_sources_are_verified(supporting: int, refuting: int, both: int) -> None:
    in_all = supporting + refuting + both
    found = verify(supporting + both, refuting + both, in_all)
    assert (found.status == VERIFIED) == (refuting + both == 0 and supporting >= 2)
    assert (found.status == VERIFIED) == (found.reason_code is WELL)


@pytest.mark.parametrize(
    ("groups", "dangerous", "blocked", "status", "reason"),
    [
        ((0, 0, 0), False, False, "pending", "insufficient_evidence"),
        ((1, 0, 1), False, False, "pending", "insufficient_evidence"),
        ((2, 0, 2), False, False, "verified", "well_supported"),
        ((2, 1, 3), False, False, "pending", "conflicting_evidence"),
        ((1, 1, 2), False, False, "pending", "conflicting_evidence"),
        ((0, 1, 1), False, False, "pending", "insufficient_evidence"),
        ((9, 0, 9), True, False, "rejected", "dangerous_pattern"),
        ((9, 0, 9), False, True, "rejected", "already_blocked"),
        ((0, 9, 9), True, True, "rejected", "dangerous_pattern"),
        ((2, 1, 3), False, True, "rejected", "already_blocked"),
    ],
)
def test_only_where_a_claim_was_extracted_from_can_reject_it(
    groups: tuple[int, int, int], dangerous: bool, blocked: bool, status: str, reason: str
) -> None:
    found = verify(*groups, dangerous=dangerous, blocked=blocked)
    assert (found.status, found.reason_code.value) == (status, reason)
