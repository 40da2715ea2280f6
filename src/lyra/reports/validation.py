"""Values against the shipped schemas; a value that does not fit is refused with its path and what was expected."""

import json
from collections.abc import Iterable, Iterator
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING

from lyra.core.errors import InvalidInput
from lyra.reports.assumptions import shown

if TYPE_CHECKING:
    from jsonschema import Draft202012Validator
    from jsonschema.exceptions import ValidationError

_NOT_BLANK = "\\S"


@cache
def schema(name: str) -> dict[str, object]:
    """Return a shipped schema: `structured`, `verification-results`, `accuracy-report`, …"""
    text = (resources.files("lyra.reports") / "schema" / f"{name}.schema.json").read_text(encoding="utf-8")
    loaded = json.loads(text)
    if not isinstance(loaded, dict):
        raise TypeError(name)
    return loaded


@cache
def known_fields() -> frozenset[str]:
    """Return every field name that the schema of `structured.json` knows, at any depth."""
    return frozenset(_names(schema("structured")))


def _names(part: object) -> Iterator[str]:
    if isinstance(part, dict):
        properties = part.get("properties")
        yield from properties if isinstance(properties, dict) else ()
        for inner in part.values():
            yield from _names(inner)
    elif isinstance(part, list):
        for inner in part:
            yield from _names(inner)


@cache
def _validator(name: str) -> "Draft202012Validator":
    from jsonschema import Draft202012Validator  # noqa: PLC0415 - costs start-up time that only reports may pay

    return Draft202012Validator(schema(name))


def problems(value: object, name: str) -> list["ValidationError"]:
    """Return what a schema finds wrong with a value, in the order of the value."""
    found = _validator(name).iter_errors(value)
    return sorted(found, key=lambda problem: [(isinstance(part, str), str(part).zfill(6)) for part in problem.absolute_path])


def validate(value: object, name: str, where: str) -> None:
    """Raise InvalidInput for the first place at which a value of the file `where` does not fit the schema."""
    for problem in problems(value, name):
        raise _refusal(problem, where)


def path_text(parts: Iterable[object]) -> str:
    """Return a path as people write it: `claims[2].verification.final_confidence`."""
    text = ""
    for part in parts:
        text += f"[{part}]" if isinstance(part, int) else f".{part}"
    return text.lstrip(".") or "$"


def _refusal(problem: "ValidationError", where: str) -> InvalidInput:
    place, found = path_text(problem.absolute_path), problem.instance
    rule, expected = str(problem.validator), problem.validator_value
    given = shown(json.dumps(found, ensure_ascii=False))
    if rule == "required" and isinstance(expected, list) and isinstance(found, dict):
        missing = next((name for name in expected if name not in found), "")
        return InvalidInput("report_field_missing", path=where, where=place, field=missing)
    if place.endswith("confidence"):
        return InvalidInput("report_confidence_off_scale", path=where, where=place, found=given)
    if rule == "minItems":
        return InvalidInput("report_no_claims", path=where, where=place)
    if expected == _NOT_BLANK:
        return InvalidInput("report_text_empty", path=where, where=place)
    wanted = _expectation(rule, expected)
    if rule == "type":
        return InvalidInput("report_wrong_type", path=where, where=place, found=given, expected=wanted)
    return InvalidInput("report_value_unknown", path=where, where=place, found=given, expected=wanted)


def _expectation(rule: str, expected: object) -> str:
    if isinstance(expected, list):
        return ", ".join(map(str, expected))
    bounds = {"minimum": f"≥ {expected}", "maximum": f"≤ {expected}"}
    return {"pattern": "rule_1, …, rule_12", "type": str(expected), **bounds}.get(rule, f"{rule} {shown(expected)}")
