"""What may still be chosen in a partly filled case, and why not the rest: asked of the rules themselves.

A value is legal if the fields that are still empty can be filled so that no rule is broken.
"""

from collections.abc import Collection, Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass, replace
from itertools import product
from typing import Any

from lyra.cases.fields import CASE_FIELDS, CLAIM_FIELDS, REFERENCE_FIELDS, SOURCE_FIELDS, Field, Kind
from lyra.cases.findings import Finding
from lyra.cases.model import Case, ErrorType, Outcome, OutcomeStatus, UnverifiedReason, VerificationConfidence
from lyra.cases.rules import check_rules
from lyra.cases.shape import read_case
from lyra.cases.validation import validate_case

Path = tuple[str | int, ...]

# The rules that ask for a field to be filled: while a case is being filled they say what is still to do.
_STILL_TO_FILL = frozenset(("L04", "L21", "L23", "L25"))
_OPEN = (
    "outcome_status verification_confidence unverified_reason outcome error_type error_description suggested_outcome"
).split()


@dataclass(frozen=True, slots=True)
class Choice:
    """One value of a label: whether it may be chosen, what forbids it, and what would be warned about."""

    value: str
    allowed: bool
    because: tuple[Finding, ...] = ()
    warnings: tuple[Finding, ...] = ()


@dataclass(frozen=True, slots=True)
class FieldChoices:
    """A label of a case, the value it has, and all its values."""

    path: str
    value: str | None
    choices: tuple[Choice, ...]


@dataclass(frozen=True, slots=True)
class LegalValues:
    """Every label of a case with what may be chosen, what must still be filled, and what is wrong already."""

    fields: tuple[FieldChoices, ...]
    missing: tuple[str, ...]
    findings: tuple[Finding, ...]


def legal_values(case: Mapping[str, object], only: str | None = None) -> LegalValues:
    """Return what may be chosen in a case, for every label or for the one at the path `only` (`sources[0].source_role`)."""
    found = validate_case(case)
    missing = tuple(dict.fromkeys(one.path for one in found if _asks(one)))
    wrong = tuple(one for one in found if not _asks(one))
    fields = tuple(_choices(case, path, field) for path, field in _labels(case) if only is None or shown_path(path) == only)
    return LegalValues(fields, missing, wrong)


def label_paths(case: Mapping[str, object]) -> list[str]:
    """Return the path of every label of a case."""
    return [shown_path(path) for path, _ in _labels(case)]


def _asks(finding: Finding) -> bool:
    return finding.rule in _STILL_TO_FILL or (finding.rule == "L26" and finding.variant == "missing")


def shown_path(path: Path) -> str:
    """Return a path as findings write it: `sources[0].source_role`."""
    return "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in path).lstrip(".")


def _labels(case: Mapping[str, object]) -> Iterator[tuple[Path, Field]]:
    yield from _of((), CASE_FIELDS)
    for position, source in _items(case, "sources"):
        yield from _of(("sources", position), SOURCE_FIELDS)
        for number, _ in _items(source, "references"):
            yield from _of(("sources", position, "references", number), REFERENCE_FIELDS)
    for position, _ in _items(case, "claims"):
        yield from _of(("claims", position), CLAIM_FIELDS)


def _of(path: Path, fields: Mapping[str, Field]) -> Iterator[tuple[Path, Field]]:
    return (((*path, name), field) for name, field in fields.items() if field.kind is Kind.LABEL)


def _items(holder: Mapping[str, object], name: str) -> Iterator[tuple[int, Mapping[str, object]]]:
    items = holder.get(name)
    return ((n, one) for n, one in enumerate(items if isinstance(items, list) else []) if isinstance(one, dict))


def _choices(case: Mapping[str, object], path: Path, field: Field) -> FieldChoices:
    draft = deepcopy(dict(case))
    holder: Any = draft
    for part in path[:-1]:
        holder = holder[part]
    name = path[-1]
    given = holder.pop(name, None)
    before = _examined(draft)
    choices = []
    for value in field.values:
        holder[name] = value
        errors, warnings = _examined(draft)
        because = tuple(one for one in errors if one not in before[0])
        choices.append(Choice(value, not because, because, tuple(one for one in warnings if one not in before[1])))
    return FieldChoices(shown_path(path), given if isinstance(given, str) and given else None, tuple(choices))


def _examined(draft: Mapping[str, object]) -> tuple[list[Finding], list[Finding]]:
    """Return what no filling of the empty fields can mend, and what is warned about as it stands."""
    shaped = read_case(draft)
    case = shaped.case
    empty = {name for name in _OPEN if getattr(case, name) is None}
    off = shaped.suspended | empty
    warnings = [one for one in check_rules(case, off) if not one.is_error]
    statuses = list(OutcomeStatus) if case.outcome_status is None else [case.outcome_status]
    best: list[Finding] | None = None
    for status in statuses:
        blocked = _blocked(replace(case, outcome_status=status), off - {"outcome_status"}, empty - {"outcome_status"})
        if not blocked:
            return [], warnings
        if best is None or len(blocked) < len(best):
            best = blocked
    return best or [], warnings


def _blocked(case: Case, off: Collection[str], empty: Collection[str]) -> list[Finding]:
    """Return why the empty fields cannot be filled under the status that the case has; nothing where they can.

    Given the status, confidence, reason and correction do not depend on each other, so each is tried alone.
    """
    blocked = _errors(case, off)
    if blocked:
        return blocked
    for options in _groups(case, empty):
        tried: list[Finding] = []
        for filling in options:
            problems = _errors(replace(case, **filling), set(off) - set(filling))
            if not problems:
                break
            tried += problems
        else:
            return list({(one.rule, one.path): one for one in tried}.values())
    return []


def _groups(case: Case, empty: Collection[str]) -> Iterator[Iterator[dict[str, Any]]]:
    if "verification_confidence" in empty:
        yield ({"verification_confidence": value} for value in VerificationConfidence)
    if "unverified_reason" in empty:
        yield ({"unverified_reason": value} for value in (None, *UnverifiedReason))
    wrong = case.outcome_status is OutcomeStatus.VERIFIED_INCORRECT
    values: dict[str, list[Any]] = {
        "outcome": list(Outcome),
        "error_type": list(ErrorType) if wrong else [None],
        "error_description": ["…"] if wrong else [None],
        "suggested_outcome": list(Outcome) if wrong else [None],
    }
    names = [name for name in values if name in empty]
    if names:
        yield (dict(zip(names, chosen, strict=True)) for chosen in product(*(values[name] for name in names)))


def _errors(case: Case, off: Collection[str]) -> list[Finding]:
    return [one for one in check_rules(case, off) if one.is_error]
