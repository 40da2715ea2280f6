"""What fields a case has: one table that reading, the JSON Schema, CSV columns and legal values are made from."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from lyra.cases import model


class Kind(StrEnum):
    """What a field holds."""

    NAME = "name"
    TEXT = "text"
    FLAG = "flag"
    OBJECT = "object"
    TEXTS = "texts"
    LABEL = "label"
    RECORDS = "records"


@dataclass(frozen=True, slots=True)
class Field:
    """One field: what it holds, the legal values of a label, the fields of the records in a list."""

    kind: Kind
    values: Mapping[str, StrEnum] = field(default_factory=dict)
    fields: Mapping[str, "Field"] | None = None
    required: bool = False


def _label(values: type[StrEnum], *, required: bool = False) -> Field:
    return Field(Kind.LABEL, {member.value: member for member in values}, required=required)


def _records(fields: Mapping[str, Field]) -> Field:
    return Field(Kind.RECORDS, fields=fields)


NAME, TEXT, TEXTS, OBJECT = Field(Kind.NAME), Field(Kind.TEXT), Field(Kind.TEXTS), Field(Kind.OBJECT)

REFERENCE_FIELDS: Mapping[str, Field] = {
    "id": NAME,
    "url": TEXT,
    "title": TEXT,
    "source_role": _label(model.SourceRole),
    "primary_type": _label(model.PrimaryType),
    "coi_status": _label(model.CoiStatus),
    "access": _label(model.Access),
    "archive_search": _label(model.ArchiveSearch),
}
SOURCE_FIELDS: Mapping[str, Field] = {
    "id": NAME,
    "url": TEXT,
    "title": TEXT,
    "source_role": _label(model.SourceRole, required=True),
    "primary_type": _label(model.PrimaryType),
    "coi_status": _label(model.CoiStatus, required=True),
    "verification_confidence": _label(model.VerificationConfidence),
    "access": _label(model.Access),
    "archive_search": _label(model.ArchiveSearch),
    "references": _records(REFERENCE_FIELDS),
}
CLAIM_FIELDS: Mapping[str, Field] = {
    "id": NAME,
    "text": Field(Kind.TEXT, required=True),
    "claim_type": _label(model.ClaimType),
    "outcome_status": _label(model.OutcomeStatus),
    "verification_confidence": _label(model.VerificationConfidence),
    "source_refs": TEXTS,
}
RELATION_FIELDS: Mapping[str, Field] = {"kind": _label(model.RelationKind, required=True), "of": TEXT}
PARTY_FIELDS: Mapping[str, Field] = {"names": TEXTS, "domains": TEXTS, "relations": _records(RELATION_FIELDS)}
CASE_FIELDS: Mapping[str, Field] = {
    "id": Field(Kind.NAME, required=True),
    "text": Field(Kind.TEXT, required=True),
    "outcome": _label(model.Outcome, required=True),
    "outcome_status": _label(model.OutcomeStatus, required=True),
    "verification_confidence": _label(model.VerificationConfidence, required=True),
    "unverified_reason": _label(model.UnverifiedReason),
    "error_type": _label(model.ErrorType),
    "error_description": TEXT,
    "suggested_outcome": _label(model.Outcome),
    "claims": _records(CLAIM_FIELDS),
    "sources": _records(SOURCE_FIELDS),
    "parties": _records(PARTY_FIELDS),
    "recommended_action": TEXT,
    "needs_review": Field(Kind.FLAG),
    "check": OBJECT,
    "migrated_from": OBJECT,
}

# What stands in place of a field that is no longer used.
ABOLISHED: Mapping[str, str] = {
    "trust_level": "outcome_status + verification_confidence",
    "credibility_rank": "source_role + coi_status",
    "tier": "outcome_status + verification_confidence + source_role",
}
# Names that people write for a field, by the name of the list they stand in; a warning says what was read.
ALIASES: Mapping[str, Mapping[str, str]] = {"claims": {"status": "outcome_status"}}
# A table has one row per case: these columns speak of its first source.
FIRST_SOURCE_COLUMNS: Mapping[str, str] = {
    "source_url": "url",
    "source_title": "title",
    "source_role": "source_role",
    "primary_type": "primary_type",
    "coi_status": "coi_status",
    "access": "access",
    "archive_search": "archive_search",
}
