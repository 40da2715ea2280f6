"""Source verification of a claim: a status with a reason code, from evidence alone."""

from dataclasses import dataclass
from enum import StrEnum

MIN_INDEPENDENT_SOURCES = 2


class ReasonCode(StrEnum):
    """Why a claim has its status; states a fact, never an interpretation."""

    CONFLICTING_EVIDENCE = "conflicting_evidence"
    INSUFFICIENT_EVIDENCE = "insufficient_evidence"
    WELL_SUPPORTED = "well_supported"
    DANGEROUS_PATTERN = "dangerous_pattern"
    ALREADY_BLOCKED = "already_blocked"


@dataclass(frozen=True, slots=True)
class Verification:
    """The status of a claim and the fact behind it."""

    status: str
    reason_code: ReasonCode


def verify(
    supporting_groups: int, refuting_groups: int, all_groups: int, *, dangerous: bool = False, blocked: bool = False
) -> Verification:
    """Decide from the number of independent origin groups on each side and in all (a group may be on both).

    A claim is rejected only for where it was itself extracted from: a page that is `dangerous`, or a domain that is
    `blocked`. Any refutation with at least two groups in all is a conflict; fewer than two supporting groups is too
    little; otherwise the claim is verified. No category of any source enters.
    """
    if dangerous:
        return Verification("rejected", ReasonCode.DANGEROUS_PATTERN)
    if blocked:
        return Verification("rejected", ReasonCode.ALREADY_BLOCKED)
    if refuting_groups and all_groups >= MIN_INDEPENDENT_SOURCES:
        return Verification("pending", ReasonCode.CONFLICTING_EVIDENCE)
    if supporting_groups < MIN_INDEPENDENT_SOURCES:
        return Verification("pending", ReasonCode.INSUFFICIENT_EVIDENCE)
    return Verification("verified", ReasonCode.WELL_SUPPORTED)
