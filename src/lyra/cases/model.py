"""The case model: every label with its legal values, and the records of a case.

The values are those of the label definitions, letter by letter. A label is None where it was not given, or where
the value given is no legal one (reading then says so).
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum


class Outcome(StrEnum):
    """How the event described by a case came out."""

    SUCCESS = "Success"
    FAILURE = "Failure"
    MIXED = "Mixed"
    PARTIAL_SUCCESS = "PartialSuccess"
    UNKNOWN = "Unknown"


class OutcomeStatus(StrEnum):
    """Whether the outcome was compared with a source, and what came of it."""

    VERIFIED_CORRECT = "verified_correct"
    VERIFIED_INCORRECT = "verified_incorrect"
    UNVERIFIED = "unverified"


class VerificationConfidence(StrEnum):
    """How certain a verification is, the strongest first: the order of an ordinal scale."""

    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"
    NONE = "none"


class UnverifiedReason(StrEnum):
    """Why an outcome could not be verified."""

    NO_SOURCE = "no_source"
    SOURCE_UNAVAILABLE = "source_unavailable"
    SOURCE_INSUFFICIENT = "source_insufficient"
    ONGOING = "ongoing"
    AMBIGUOUS = "ambiguous"


class ErrorType(StrEnum):
    """How grave the error of a verified_incorrect case is."""

    MINOR = "minor_error"
    MAJOR = "major_error"
    CRITICAL = "critical_error"


class SourceRole(StrEnum):
    """What a source is good for."""

    PRIMARY = "primary_source"
    SECONDARY = "secondary_source"
    POINTER = "pointer_only"
    CONTEXT = "context_only"
    REJECTED = "rejected"


class PrimaryType(StrEnum):
    """What kind of primary source it is."""

    IR_FILING = "ir_filing"
    GOVERNMENT_GAZETTE = "government_gazette"
    COURT_DOCUMENT = "court_document"
    OFFICIAL_PRESS = "official_press"
    ANNUAL_REPORT = "annual_report"
    OFFICIAL_VIDEO = "official_video"


class CoiStatus(StrEnum):
    """Whether the author of a source has an interest of its own in what it says."""

    NONE = "none"
    SELF = "self"
    AFFILIATED = "affiliated"
    UNKNOWN = "unknown"


class ClaimType(StrEnum):
    """What kind of statement a claim is."""

    FACTUAL = "factual"
    EVALUATIVE = "evaluative"
    COMPARATIVE = "comparative"


class Access(StrEnum):
    """What came of opening a source. `not_fetched` says that nobody tried: it is no failure."""

    OK = "ok"
    ARCHIVED = "archived"
    NOT_FETCHED = "not_fetched"
    NOT_FOUND = "404"
    PAYWALL = "paywall"
    REGION_BLOCKED = "region_blocked"
    ERROR = "error"


class ArchiveSearch(StrEnum):
    """What came of looking for a copy in a public archive."""

    FOUND = "found"
    NOT_FOUND = "not_found"
    NOT_TRIED = "not_tried"


class RelationKind(StrEnum):
    """What a party is to another one."""

    PARENT = "parent"
    SUBSIDIARY = "subsidiary"
    PARTNER = "partner"


READABLE = frozenset((Access.OK, Access.ARCHIVED))
FAILED = frozenset((Access.NOT_FOUND, Access.PAYWALL, Access.REGION_BLOCKED, Access.ERROR))
VERIFYING_ROLES = frozenset((SourceRole.PRIMARY, SourceRole.SECONDARY))
INTERESTED = frozenset((CoiStatus.SELF, CoiStatus.AFFILIATED))


@dataclass(frozen=True, slots=True)
class Reference:
    """A work that a pointer source names. It was descended to if `access` says what came of opening it."""

    url: str
    id: str | None = None
    title: str | None = None
    source_role: SourceRole | None = None
    primary_type: PrimaryType | None = None
    coi_status: CoiStatus | None = None
    access: Access | None = None
    archive_search: ArchiveSearch | None = None
    extra: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Source:
    """A source of a case. Without `access` nobody recorded a failure, so it counts as readable."""

    url: str
    id: str | None = None
    title: str | None = None
    source_role: SourceRole | None = None
    primary_type: PrimaryType | None = None
    coi_status: CoiStatus | None = None
    verification_confidence: VerificationConfidence | None = None
    access: Access | None = None
    archive_search: ArchiveSearch | None = None
    references: tuple[Reference, ...] = ()
    extra: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class CaseClaim:
    """One statement of a case. `source_refs` name its sources by id or URL; without any it rests on all of them."""

    text: str
    id: str | None = None
    claim_type: ClaimType | None = None
    outcome_status: OutcomeStatus | None = None
    verification_confidence: VerificationConfidence | None = None
    source_refs: tuple[str, ...] = ()
    extra: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class PartyRelation:
    """What a party is to another, named one; without a name, to the subject of the case."""

    kind: RelationKind
    of: str | None = None


@dataclass(frozen=True, slots=True)
class Party:
    """Somebody the case is about. A party without relations is a subject of the case."""

    names: tuple[str, ...]
    domains: tuple[str, ...] = ()
    relations: tuple[PartyRelation, ...] = ()
    extra: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Case:
    """A described event with an outcome, its claims and its sources.

    `check` is the record of the last check against evidence; `extra` holds fields the model does not know.
    """

    id: str
    text: str
    outcome: Outcome | None = None
    outcome_status: OutcomeStatus | None = None
    verification_confidence: VerificationConfidence | None = None
    unverified_reason: UnverifiedReason | None = None
    error_type: ErrorType | None = None
    error_description: str | None = None
    suggested_outcome: Outcome | None = None
    claims: tuple[CaseClaim, ...] = ()
    sources: tuple[Source, ...] = ()
    parties: tuple[Party, ...] = ()
    recommended_action: str | None = None
    needs_review: bool = False
    check: Mapping[str, object] | None = None
    migrated_from: Mapping[str, object] | None = None
    extra: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Annotation:
    """One person's value for one field of one unit; None where the person left it out."""

    rater: str
    unit: str
    field: str
    value: str | None
    lead_time: float | None = None


def works(source: Source) -> tuple[Source | Reference, ...]:
    """Return a source and the works it names."""
    return (source, *source.references)


def key_of(item: Source | CaseClaim, position: int) -> str:
    """Return what a source or claim is called inside its case: its id, a source's URL, else its position from 1."""
    return item.id or (item.url if isinstance(item, Source) else "") or str(position)


def source_unit(case_id: str, key: str) -> str:
    """Return the unit of annotation for one source of a case."""
    return f"{case_id}#source:{key}"


def claim_unit(case_id: str, key: str) -> str:
    """Return the unit of annotation for one claim of a case."""
    return f"{case_id}#claim:{key}"
