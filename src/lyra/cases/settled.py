"""The cases of an adjudicated set: what people filled in, with the final labels in place of their own."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from lyra.cases.adjudication import CONSENSUS, Final
from lyra.cases.fields import CASE_FIELDS, CLAIM_FIELDS, SOURCE_FIELDS, Field, Kind
from lyra.cases.model import OutcomeStatus, claim_unit, source_unit
from lyra.cases.reading import labels_of
from lyra.cases.shape import read_case, with_source_list

_GROUPS = (("sources", SOURCE_FIELDS, source_unit), ("claims", CLAIM_FIELDS, claim_unit))

Raw = Mapping[str, Any]


def settled_cases(versions: Iterable[Raw], finals: Sequence[Final]) -> list[dict[str, Any]]:
    """Return every case once, in the order of its first version, with the final labels.

    Of several people's versions of a case the one that is nearest to the final labels is taken, so that its words (the
    description of an error) go with them. A case with a label that nobody decided is marked for review.
    """
    values = {(one.unit, one.field): one.value for one in finals}
    proposed = {one.unit.partition("#")[0] for one in finals if one.basis == CONSENSUS}
    nearest: dict[str, tuple[int, Raw]] = {}
    for version in versions:
        case = read_case(version).case
        agreeing = sum(values.get((one.unit, one.field)) == one.value for one in labels_of(case, ""))
        if case.id not in nearest or agreeing > nearest[case.id][0]:
            nearest[case.id] = agreeing, version
    return [_settled(version, identity, values, identity in proposed) for identity, (_, version) in nearest.items()]


def _settled(version: Raw, identity: str, values: Mapping[tuple[str, str], str], review: bool) -> dict[str, Any]:
    case = _labelled(with_source_list(version), identity, CASE_FIELDS, values)
    for group, fields, unit_of in _GROUPS:
        items = case.get(group)
        if isinstance(items, list):
            case[group] = [
                _labelled(item, unit_of(identity, _key(item, group, position)), fields, values)
                if isinstance(item, dict)
                else item
                for position, item in enumerate(items, start=1)
            ]
    if case.get("outcome_status") != OutcomeStatus.VERIFIED_INCORRECT:
        case.pop("error_description", None)
    return case | {"needs_review": True} if review else case


def _key(item: Raw, group: str, position: int) -> str:
    """Return what a source or claim is called inside its case, as `key_of` does for records."""
    url = str(item.get("url") or "") if group == "sources" else ""
    return str(item.get("id") or "").strip() or (url if url.strip() else str(position))


def _labelled(record: Raw, unit: str, fields: Mapping[str, Field], values: Mapping[tuple[str, str], str]) -> dict[str, Any]:
    """Return a record with its final labels; one that has no final value is left out."""
    rest = {name: value for name, value in record.items() if name not in fields or fields[name].kind is not Kind.LABEL}
    labels = {name: values[unit, name] for name in fields if (unit, name) in values}
    order = [name for name in record if name in rest or name in labels] + [name for name in labels if name not in record]
    return {name: labels.get(name, rest.get(name)) for name in order}
