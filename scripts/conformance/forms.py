"""Schemas that the conformance suite prescribes for its fixtures: one of a tool, two of forms for the user."""

from typing import Any

Schema = dict[str, Any]
SCHEMA_TOOL = "json_schema_2020_12_tool"
_TEXT: Schema = {"type": "string"}


def _needs(name: str) -> Schema:
    return {"required": [name]}


TOOL_SCHEMA: Schema = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "type": "object",
    "$defs": {"address": {"$anchor": "addressDef", "type": "object", "properties": {"street": _TEXT, "city": _TEXT}}},
    "properties": {
        "name": _TEXT,
        "address": {"$ref": "#/$defs/address"},
        "contactMethod": {**_TEXT, "enum": ["phone", "email"]},
        "phone": _TEXT,
        "email": _TEXT,
    },
    "allOf": [{"anyOf": [_needs("phone"), _needs("email")]}],
    "if": {"properties": {"contactMethod": {"const": "phone"}}, **_needs("contactMethod")},
    "then": _needs("phone"),
    "else": _needs("email"),
    "additionalProperties": False,
}


def _object(**fields: Schema) -> Schema:
    return {"type": "object", "properties": fields, "required": []}


def _options(*values: str) -> list[Schema]:
    return [{"const": f"value{number}", "title": title} for number, title in enumerate(values, start=1)]


_PLAIN: Schema = {**_TEXT, "enum": ["option1", "option2", "option3"]}
FORMS: dict[str, Schema] = {
    "test_elicitation_sep1034_defaults": _object(
        name={**_TEXT, "default": "John Doe"},
        age={"type": "integer", "default": 30},
        score={"type": "number", "default": 95.5},
        status={**_TEXT, "enum": ["active", "inactive", "pending"], "default": "active"},
        verified={"type": "boolean", "default": True},
    ),
    "test_elicitation_sep1330_enums": _object(
        untitledSingle=_PLAIN,
        titledSingle={**_TEXT, "oneOf": _options("First Option", "Second Option", "Third Option")},
        legacyEnum={
            **_TEXT,
            "enum": ["opt1", "opt2", "opt3"],
            "enumNames": ["Option One", "Option Two", "Option Three"],
        },
        untitledMulti={"type": "array", "items": _PLAIN},
        titledMulti={"type": "array", "items": {"anyOf": _options("First Choice", "Second Choice", "Third Choice")}},
    ),
}
