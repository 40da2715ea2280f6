"""A whole case, classified: its sources, its claims, and what follows for its own labels before anybody has read a source."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from lyra.cases.classification.claim import ClassifiedClaim, classify_claim
from lyra.cases.classification.decomposition import decompose
from lyra.cases.classification.flow import Answer, Walk, charts, walk
from lyra.cases.classification.source import NO, YES, ClassifiedSource, classify_source, interest_of
from lyra.cases.model import (
    VERIFYING_ROLES,
    Case,
    CaseClaim,
    ClaimType,
    CoiStatus,
    Outcome,
    OutcomeStatus,
    Source,
    SourceRole,
    UnverifiedReason,
    VerificationConfidence,
    key_of,
)
from lyra.cases.sources import SourceClass, class_of, verifiers

UNKNOWN = "unknown"
# What a person has to find out before a case with a verifying source has labels: outcome against source.
ASK_OUTCOME = "source_confirms_outcome"


@dataclass(frozen=True, slots=True)
class CaseProposal:
    """What the sources alone say of a case (decision table D3).

    Where a source could verify the outcome nothing is proposed: somebody has to read it, and `asks` is the question.
    """

    source_class: SourceClass
    outcome_status: OutcomeStatus | None
    unverified_reason: UnverifiedReason | None
    verification_confidence: VerificationConfidence | None
    outcome: Outcome | None
    asks: str | None


@dataclass(frozen=True, slots=True)
class CaseClaimView:
    """One claim: its type, the parts it comes apart into, and what use its sources allow (decision table D2)."""

    key: str
    given: ClaimType | None
    claim: ClassifiedClaim
    parts: tuple[ClassifiedClaim, ...]
    use: Walk

    @property
    def is_compound(self) -> bool:
        """Whether it should be split."""
        return len(self.parts) > 1


@dataclass(frozen=True, slots=True)
class CaseSourceView:
    """One source, with the labels the file already had."""

    key: str
    given: Source
    found: ClassifiedSource


@dataclass(frozen=True, slots=True)
class ClassifiedCase:
    """All that could be told of a case without reading its sources."""

    case_id: str
    sources: tuple[CaseSourceView, ...]
    claims: tuple[CaseClaimView, ...]
    claims_from_text: bool
    proposal: CaseProposal


_PROPOSALS = {
    SourceClass.NONE: (UnverifiedReason.NO_SOURCE, VerificationConfidence.NONE),
    SourceClass.REJECTED: (UnverifiedReason.NO_SOURCE, VerificationConfidence.NONE),
    SourceClass.UNREACHABLE: (UnverifiedReason.SOURCE_UNAVAILABLE, VerificationConfidence.NONE),
    SourceClass.INDIRECT: (UnverifiedReason.SOURCE_INSUFFICIENT, VerificationConfidence.LOW),
}


def classify_case(case: Case) -> ClassifiedCase:
    """Classify the sources and claims of a case. Labels a person gave stand; nothing is written over them.

    Without claims, the text of the case is taken apart into them.
    """
    from_text = not case.claims
    given = case.claims or tuple(CaseClaim(part.text) for part in decompose(case.text))
    types = [claim.claim_type or classify_claim(claim.text).claim_type for claim in given]
    interest = interest_of(case.parties)
    sources = []
    for position, source in enumerate(case.sources, start=1):
        key = key_of(source, position)
        if source.url.strip():
            resting = _types_on(source, key, given, types)
            sources.append(CaseSourceView(key, source, classify_source(source.url, interest, resting)))
    labelled = replace(case, sources=tuple(_labelled(view) for view in sources))
    claims = tuple(
        CaseClaimView(
            key_of(claim, position),
            claim.claim_type,
            classify_claim(claim.text),
            decompose(claim.text),
            _use(kind, _resting_on(claim, labelled.sources)),
        )
        for position, (claim, kind) in enumerate(zip(given, types, strict=True), start=1)
    )
    return ClassifiedCase(case.id, tuple(sources), claims, from_text, _propose(labelled, sources))


def _types_on(source: Source, key: str, claims: Sequence[CaseClaim], types: Sequence[ClaimType]) -> list[ClaimType]:
    names = {key, source.url, source.id}
    pairs = zip(claims, types, strict=True)
    return [kind for claim, kind in pairs if not claim.source_refs or names.intersection(claim.source_refs)]


def _labelled(view: CaseSourceView) -> Source:
    given, found = view.given, view.found
    return replace(
        given,
        source_role=given.source_role or found.source_role,
        coi_status=given.coi_status or found.coi_status,
        access=given.access or found.access,
    )


def _resting_on(claim: CaseClaim, sources: Sequence[Source]) -> list[Source]:
    if not claim.source_refs:
        return list(sources)
    return [source for source in sources if {source.id, source.url}.intersection(claim.source_refs)]


def _use(kind: ClaimType, sources: Sequence[Source]) -> Walk:
    """Walk the chart on what a claim may be used for, given who speaks for it: primary and secondary sources alone do."""
    speaking = [source for source in sources if source.source_role in VERIFYING_ROLES]
    statuses = {source.coi_status or CoiStatus.UNKNOWN for source in speaking}
    shown = ", ".join(sorted(statuses))
    independent = any(source.source_role is SourceRole.SECONDARY and source.coi_status is CoiStatus.NONE for source in speaking)

    def answer(question: str) -> Answer:
        if question == "claim_is_factual":
            return Answer(YES if kind is ClaimType.FACTUAL else NO, "claim_type", kind.value)
        if question == "author_is_known":
            known = bool(statuses - {CoiStatus.UNKNOWN})
            return Answer(YES if known else NO, "coi_status", shown, certain=known)
        if independent:
            return Answer(NO, "coi_status", CoiStatus.NONE.value)
        if CoiStatus.UNKNOWN in statuses or not statuses:
            return Answer(UNKNOWN, "coi_status", shown, certain=False)
        return Answer(YES, "coi_status", shown)

    return walk(charts()["use_of_claim"], answer)


def _propose(case: Case, sources: Sequence[CaseSourceView]) -> CaseProposal:
    """Return what follows from the sources: decision table D3 as far as it does not depend on what they say."""
    found = class_of(case, verifiers(case))
    if found not in _PROPOSALS:
        return CaseProposal(found, None, None, None, None, ASK_OUTCOME)
    reason, confidence = _PROPOSALS[found]
    unsure = next((view.found.role.asks for view in sources if not view.given.source_role and view.found.role.asks), None)
    return CaseProposal(found, OutcomeStatus.UNVERIFIED, reason, confidence, Outcome.UNKNOWN, unsure)
