"""From what the sources say to proposed labels: the decision table for cases, after descent and archive search.

A machine proposes and a person confirms; what cannot be known from the texts is a question, never a guess.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from lyra.cases.differences import error_type
from lyra.cases.finality import is_open_ended
from lyra.cases.model import (
    FAILED,
    INTERESTED,
    VERIFYING_ROLES,
    Access,
    Case,
    CaseClaim,
    ClaimType,
    CoiStatus,
    ErrorType,
    Outcome,
    OutcomeStatus,
    Source,
    SourceRole,
    UnverifiedReason,
    VerificationConfidence,
    works,
)
from lyra.cases.sources import SourceClass, Verifier, class_of, corroborated, verifiers

# The words of the label definitions.
RECOMMENDED_ACTION = "代替ソースの探索、または事例削除検討"
# A judgement below this says too little to be a confirmation or a contradiction.
MIN_STANCE = 0.5

_HIGH, _MEDIUM = VerificationConfidence.HIGH, VerificationConfidence.MEDIUM
_LOW, _NONE = VerificationConfidence.LOW, VerificationConfidence.NONE
_CORRECT, _INCORRECT, _UNVERIFIED = OutcomeStatus.VERIFIED_CORRECT, OutcomeStatus.VERIFIED_INCORRECT, OutcomeStatus.UNVERIFIED


@dataclass(frozen=True, slots=True)
class Testimony:
    """What one source says of one claim: how strongly for and against, the decisive quote, the edges behind it.

    `origin` is the same for sources that tell one story: copies, versions and retellings of each other.
    """

    url: str
    claim: int
    supports: float = 0.0
    refutes: float = 0.0
    quote: str = ""
    not_final: bool = False
    edge_ids: tuple[str, ...] = ()
    origin: str = ""

    @property
    def confirms(self) -> bool:
        """Return whether it speaks for the claim."""
        return self.supports >= MIN_STANCE and self.supports >= self.refutes

    @property
    def contradicts(self) -> bool:
        """Return whether it speaks against the claim."""
        return self.refutes >= MIN_STANCE and self.refutes >= self.supports


@dataclass(frozen=True, slots=True)
class Question:
    """What a person has to answer, by message code."""

    code: str
    params: Mapping[str, object] = field(default_factory=dict)

    def __hash__(self) -> int:
        return hash((self.code, *self.params.items()))


@dataclass(frozen=True, slots=True)
class ClaimProposal:
    """The proposed labels of a claim with the edges behind them; `why` is a reason where it stays unverified."""

    status: OutcomeStatus
    confidence: VerificationConfidence | None
    why: UnverifiedReason | None = None
    edge_ids: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Proposal:
    """The proposed labels of a case. `status` is None where nothing can be proposed yet: the questions say why."""

    status: OutcomeStatus | None
    confidence: VerificationConfidence | None = None
    reason: UnverifiedReason | None = None
    outcome: Outcome | None = None
    error_type: ErrorType | None = None
    error_description: str | None = None
    suggested_outcome: Outcome | None = None
    recommended_action: str | None = None
    claims: tuple[ClaimProposal, ...] = ()
    questions: tuple[Question, ...] = ()
    edge_ids: tuple[str, ...] = ()


def decide(case: Case, testimonies: Sequence[Testimony]) -> Proposal:
    """Return the labels that the sources of a case suggest. `access` of its sources says what came of opening them."""
    able = verifiers(case)
    open_questions = _open_questions(case, able)
    if open_questions:
        return Proposal(None, questions=open_questions)
    match class_of(case, able):
        case SourceClass.NONE | SourceClass.REJECTED:
            return _unverified(UnverifiedReason.NO_SOURCE, _NONE)
        case SourceClass.UNREACHABLE:
            return _unverified(UnverifiedReason.SOURCE_UNAVAILABLE, _NONE, action=RECOMMENDED_ACTION)
        case SourceClass.INDIRECT:
            return _unverified(UnverifiedReason.SOURCE_INSUFFICIENT, _LOW)
    return _verifying(case, able, testimonies)


def _open_questions(case: Case, able: list[Verifier]) -> tuple[Question, ...]:
    """Return what must be known before the sources can be weighed; nothing where some of them can verify."""
    found = []
    for source in case.sources:
        if not source.url or source.source_role is SourceRole.REJECTED:
            continue
        if source.source_role is None:
            found.append(Question("classify_source", {"url": source.url}))
        if able:
            continue
        found += [
            Question("not_fetched" if one.access is Access.NOT_FETCHED else "outage", {"url": one.url, "detail": ""})
            for one in works(source)
            if one.access in (Access.NOT_FETCHED, Access.ERROR) and _could_verify(one.source_role, source)
        ]
    return tuple(found)


def _could_verify(role: SourceRole | None, source: Source) -> bool:
    return role in VERIFYING_ROLES or (role is SourceRole.POINTER and not source.references)


def _unverified(
    reason: UnverifiedReason,
    confidence: VerificationConfidence,
    claims: tuple[ClaimProposal, ...] = (),
    action: str | None = None,
    questions: tuple[Question, ...] = (),
) -> Proposal:
    edges = tuple(dict.fromkeys(edge for claim in claims for edge in claim.edge_ids))
    return Proposal(
        _UNVERIFIED,
        confidence,
        reason,
        Outcome.UNKNOWN,
        recommended_action=action,
        claims=claims,
        questions=questions,
        edge_ids=edges,
    )


def _verifying(case: Case, able: list[Verifier], testimonies: Sequence[Testimony]) -> Proposal:
    told = case.claims or (CaseClaim(case.text),)
    heard = [_heard(number, claim, able, testimonies) for number, claim in enumerate(told)]
    claims = tuple(_claim(claim, voices) for claim, voices in zip(told, heard, strict=True))
    confirmed = all(claim.status is _CORRECT for claim in claims)
    still_going_on = is_open_ended(case.text) or any(one.not_final for voices in heard for _, one in voices)
    if still_going_on and not confirmed:
        return _unverified(UnverifiedReason.ONGOING, _LOW, claims)
    doubts: tuple[Question, ...] = (Question("not_final"),) if still_going_on else ()
    if any(claim.status is _INCORRECT for claim in claims):
        return _incorrect(case, told, heard, claims, doubts)
    reasons = [claim.why for claim in claims if claim.status is _UNVERIFIED]
    if reasons:
        ambiguous = UnverifiedReason.AMBIGUOUS
        return _unverified(ambiguous if ambiguous in reasons else UnverifiedReason.SOURCE_INSUFFICIENT, _LOW, claims)
    confidence = _HIGH if all(claim.confidence is _HIGH for claim in claims) else _MEDIUM
    doubts += _unknown_authors(heard)
    return Proposal(_CORRECT, confidence, None, case.outcome, claims=claims, questions=doubts, edge_ids=_edges(claims))


Voices = list[tuple[Verifier, Testimony]]


def _heard(number: int, claim: CaseClaim, able: list[Verifier], testimonies: Sequence[Testimony]) -> Voices:
    """Return what the sources that a claim rests on say of it."""
    refs = frozenset(claim.source_refs)
    said = {one.url: one for one in testimonies if one.claim == number}
    return [(one, said[one.url]) for one in able if one.url in said and (not refs or refs & one.names)]


def _claim(claim: CaseClaim, voices: Voices) -> ClaimProposal:
    confirming = [(source, one) for source, one in voices if one.confirms]
    contradicting = [(source, one) for source, one in voices if one.contradicts]
    edges = tuple(edge for _, one in (*confirming, *contradicting) for edge in one.edge_ids)
    if confirming and contradicting:
        return ClaimProposal(_UNVERIFIED, None, UnverifiedReason.AMBIGUOUS, edges)
    if contradicting:
        return ClaimProposal(_INCORRECT, _confidence(contradicting), None, edges)
    if not confirming:
        return ClaimProposal(_UNVERIFIED, None, UnverifiedReason.SOURCE_INSUFFICIENT, edges)
    if claim.claim_type in (ClaimType.EVALUATIVE, ClaimType.COMPARATIVE) and not _is_corroborated(confirming):
        return ClaimProposal(_UNVERIFIED, None, UnverifiedReason.AMBIGUOUS, edges)
    return ClaimProposal(_CORRECT, _confidence(confirming), None, edges)


def _is_corroborated(confirming: Voices) -> bool:
    """Return whether somebody without an interest says it: where the parties speak, a secondary source has to."""
    independent = [source for source, _ in confirming if source.coi is CoiStatus.NONE]
    if any(source.coi in INTERESTED for source, _ in confirming):
        return any(source.role is SourceRole.SECONDARY for source in independent)
    return bool(independent)


def _confidence(voices: Voices) -> VerificationConfidence:
    """Return high where a primary source and another, independent one of another origin say the same; else medium."""
    origins = {one.origin or one.url for _, one in voices}
    return _HIGH if len(origins) > 1 and corroborated([source for source, _ in voices]) else _MEDIUM


def _incorrect(
    case: Case,
    told: Sequence[CaseClaim],
    heard: Sequence[Voices],
    claims: tuple[ClaimProposal, ...],
    doubts: tuple[Question, ...],
) -> Proposal:
    wrong = [number for number, claim in enumerate(claims) if claim.status is _INCORRECT]
    kinds = [error_type(told[n].text, one.quote) for n in wrong for _, one in heard[n] if one.contradicts]
    kind = ErrorType.MINOR if kinds and all(one is ErrorType.MINOR for one in kinds) else None
    questions = list(doubts)
    if kind is None:
        questions += [Question("no_error_type"), Question("suggested_outcome")]
    confidence = _HIGH if all(claims[n].confidence is _HIGH for n in wrong) else _MEDIUM
    return Proposal(
        _INCORRECT,
        confidence,
        None,
        case.outcome,
        kind,
        next((one.quote for n in wrong for _, one in heard[n] if one.contradicts), None),
        case.outcome if kind is ErrorType.MINOR else None,
        claims=claims,
        questions=tuple(questions),
        edge_ids=_edges(claims),
    )


def _unknown_authors(heard: Sequence[Voices]) -> tuple[Question, ...]:
    """Return the question about authors where a confirmation rests on unknown ones alone."""
    asked: list[Question] = []
    for voices in heard:
        confirming = [source for source, one in voices if one.confirms]
        if confirming and all(source.coi in (CoiStatus.UNKNOWN, None) for source in confirming):
            asked.append(Question("classify_source", {"url": confirming[0].url}))
    return tuple(asked[:1])


def _edges(claims: Sequence[ClaimProposal]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(edge for claim in claims for edge in claim.edge_ids))


def source_confidence(role: SourceRole | None, coi: CoiStatus | None, access: Access | None) -> VerificationConfidence | None:
    """Return how far a source by itself carries: what its role lets one expect, given that it could be opened."""
    if role is SourceRole.REJECTED or access in FAILED:
        return _NONE
    if role is None or access in (None, Access.NOT_FETCHED):
        return None
    if role is SourceRole.PRIMARY:
        return _HIGH if coi is CoiStatus.NONE else _MEDIUM
    return _MEDIUM if role is SourceRole.SECONDARY else _LOW
