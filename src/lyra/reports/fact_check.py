"""What the evidence for a claim makes of its fact check, and the report's records with it filled in."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from lyra.reports.model import Claim, ClaimType, FactCheck, Structured

MIN_REFUTING_SOURCES = 2


@dataclass(frozen=True, slots=True)
class Weighed:
    """The evidence for one claim: independent sources on each side, edges looked at, and those that speak.

    `verified` is the graph's own answer; `human_refuted` that a person corrected an edge to refuting.
    """

    supporting: int
    refuting: int
    judged: int
    verified: bool
    human_refuted: bool
    edge_ids: tuple[str, ...]


def status_of(weighed: Weighed | None) -> FactCheck:
    """Return the fact check that the evidence gives.

    Contradicted only by at least two independent refuting sources with none supporting, or by a person's correction. A claim that
    the task does not have, or for which nothing was looked at yet, is not checked; any other is verified or could not be.
    """
    if weighed is None or not weighed.judged:
        return FactCheck.NOT_CHECKED
    if weighed.human_refuted or (weighed.refuting >= MIN_REFUTING_SOURCES and not weighed.supporting):
        return FactCheck.CONTRADICTED
    return FactCheck.VERIFIED if weighed.verified else FactCheck.UNVERIFIABLE


def with_fact_checks(structured: Structured, evidence: Mapping[int, Weighed], source: str) -> Structured:
    """Return the records with status, sentence and evidence ids of every claim that `evidence` has, by claim id.

    A claim without evidence keeps what the file says of it, else it is not checked. `source` is noted on factual claims.
    """
    return replace(structured, claims=tuple(_checked(claim, evidence.get(claim.id), source) for claim in structured.claims))


def _checked(claim: Claim, weighed: Weighed | None, source: str) -> Claim:
    status, before = status_of(weighed), claim.verification
    is_fact = claim.claim_type is ClaimType.FACTUAL_CLAIM
    if status is FactCheck.NOT_CHECKED or weighed is None:
        kept = claim.verification_status if is_fact else before.fact_check_status
        if kept is not None:
            return claim
        return replace(claim, verification_status=status) if is_fact else _with_status(claim, status)
    details = f"独立した情報源のうち支持{weighed.supporting}件、反証{weighed.refuting}件。"
    verification = replace(before, details=details, evidence=weighed.edge_ids)
    if is_fact:
        attempted = (*claim.verification_attempted, *(() if source in claim.verification_attempted else (source,)))
        return replace(claim, verification=verification, verification_status=status, verification_attempted=attempted)
    return replace(claim, verification=replace(verification, fact_check_status=status))


def _with_status(claim: Claim, status: FactCheck) -> Claim:
    return replace(claim, verification=replace(claim.verification, fact_check_status=status))
