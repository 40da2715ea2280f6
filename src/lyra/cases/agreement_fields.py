"""Labels of several people, field by field: which are comparable, on what scale, and how far they agree."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from lyra.cases.agreement import Agreement, Plan, measure
from lyra.cases.fields import CASE_FIELDS, CLAIM_FIELDS, SOURCE_FIELDS, Kind
from lyra.cases.model import Annotation, OutcomeStatus, SourceRole, VerificationConfidence
from lyra.cases.ratings import MIN_RATERS, Level, Ratings, collect
from lyra.core.errors import InvalidInput

# The units of a case's sources and claims are measured apart from the case: a label of the same name is another question.
_SOURCE, _CLAIM = "#source:", "#claim:"
_SCALES: Mapping[str, tuple[str, ...]] = {
    name: tuple(known.values)
    for fields in (CASE_FIELDS, SOURCE_FIELDS, CLAIM_FIELDS)
    for name, known in fields.items()
    if known.kind is Kind.LABEL
}
_ORDINAL = {"verification_confidence": tuple(value.value for value in reversed(VerificationConfidence))}
# A field that is answered only after another answer of the same person; else it does not apply.
APPLIES = {
    "unverified_reason": ("outcome_status", OutcomeStatus.UNVERIFIED),
    "error_type": ("outcome_status", OutcomeStatus.VERIFIED_INCORRECT),
    "suggested_outcome": ("outcome_status", OutcomeStatus.VERIFIED_INCORRECT),
    "primary_type": ("source_role", SourceRole.PRIMARY),
}

Triple = tuple[str, str, str | None]


@dataclass(frozen=True, slots=True)
class FieldAgreement:
    """How far people agree on one field. `field` has `sources.` or `claims.` before it where that is its unit."""

    field: str
    agreement: Agreement


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which fields to measure, and how: `levels` by field, `observed` scales instead of the defined ones."""

    plan: Plan = field(default_factory=Plan)
    levels: Mapping[str, Level] = field(default_factory=dict)
    only: Sequence[str] = ()
    observed: bool = False


def by_field(annotations: Iterable[Annotation]) -> dict[str, list[Triple]]:
    """Sort labels by field, those of sources and claims apart from those of cases."""
    found: dict[str, list[Triple]] = {}
    for one in annotations:
        name = measured_field(one)
        triples = found.get(name)
        if triples is None:
            triples = found[name] = []
        triples.append((one.rater, one.unit, one.value))
    return found


def measured_field(one: Annotation) -> str:
    """Return the name under which a label is measured: `sources.source_role` for the role of a source."""
    if _SOURCE in one.unit:
        return f"sources.{one.field}"
    return f"claims.{one.field}" if _CLAIM in one.unit else one.field


def ratings_of(name: str, triples: Sequence[Triple], *, observed: bool = False) -> Ratings:
    """Return the ratings of a field on its scale: the defined one where there is one, else the values that occur.

    Raises InvalidInput for a value outside a defined scale, with the nearest legal one, and for a unit that one person
    labelled twice in different ways.
    """
    plain = name.rpartition(".")[2]
    scale = None if observed else _ORDINAL.get(plain) or _SCALES.get(plain)
    return collect(triples, scale, plain)


def level_of(name: str, levels: Mapping[str, Level]) -> Level:
    """Return how the values of a field compare: as asked for, else ordinal where the definitions say so, else nominal."""
    plain = name.rpartition(".")[2]
    default = Level.ORDINAL if plain in _ORDINAL else Level.NOMINAL
    return levels.get(name, levels.get(plain, default))


def measure_fields(annotations: Iterable[Annotation], wanted: Wanted) -> list[FieldAgreement]:
    """Measure agreement on every field that anybody labelled, or on those asked for.

    Raises InvalidInput where fewer than two people labelled anything, and for a field that nobody was asked about.
    """
    fields = by_field(annotations)
    people = {rater for triples in fields.values() for rater, _, value in triples if value is not None}
    if len(people) < MIN_RATERS:
        raise InvalidInput("agreement_one_rater", raters=", ".join(sorted(people)) or "-")
    for name in [*wanted.only, *wanted.levels]:
        if name not in fields and name not in {known.rpartition(".")[2] for known in fields}:
            raise InvalidInput("agreement_unknown_field", field=name, fields=", ".join(sorted(fields)))
    found = []
    for name in _ordered(fields):
        if wanted.only and not {name, name.rpartition(".")[2]}.intersection(wanted.only):
            continue
        if not wanted.only and all(value is None for _, _, value in fields[name]):
            continue
        plan = replace(wanted.plan, level=level_of(name, wanted.levels))
        ratings = ratings_of(name, fields[name], observed=wanted.observed)
        found.append(FieldAgreement(name, measure(ratings, plan, _not_applicable(name, fields))))
    return found


def unlabelled(annotations: Iterable[Annotation]) -> list[str]:
    """Return the fields that everybody left out."""
    filled: dict[str, bool] = {}
    for one in annotations:
        name = measured_field(one)
        filled[name] = filled.get(name, False) or one.value is not None
    return [name for name in _ordered(filled) if not filled[name]]


def _ordered(fields: Mapping[str, object]) -> list[str]:
    known = [*CASE_FIELDS, *(f"sources.{name}" for name in SOURCE_FIELDS), *(f"claims.{name}" for name in CLAIM_FIELDS)]
    places = {name: place for place, name in enumerate(known)}
    return sorted(fields, key=lambda name: (places.get(name, len(places)), name))


def _not_applicable(name: str, fields: Mapping[str, Sequence[Triple]]) -> int:
    """Return how many holes there are because the person's own answer to an earlier question rules this field out."""
    prefix, _, plain = name.rpartition(".")
    condition = APPLIES.get(plain)
    if condition is None:
        return 0
    first = f"{prefix}.{condition[0]}" if prefix else condition[0]
    given = {(rater, unit) for rater, unit, value in fields[name] if value is not None}
    excluded = Counter(
        (rater, unit) not in given for rater, unit, value in fields.get(first, ()) if value is not None and value != condition[1]
    )
    return excluded[True]
