"""The JSON Schema of a case, made from the table of fields; `case.schema.json` beside this module is its written form."""

import json
from collections.abc import Mapping
from importlib import resources
from typing import Any

from lyra.cases.fields import ABOLISHED, CASE_FIELDS, Field, Kind

SCHEMA_FILE = "case.schema.json"
_DIALECT = "https://json-schema.org/draft/2020-12/schema"
_PLAIN: Mapping[Kind, dict[str, Any]] = {
    Kind.NAME: {"type": ["string", "integer"], "minLength": 1},
    Kind.TEXT: {"type": ["string", "null"]},
    Kind.FLAG: {"type": ["boolean", "null"]},
    Kind.OBJECT: {"type": ["object", "null"]},
    Kind.TEXTS: {"type": "array", "items": {"type": "string"}},
}


def case_schema() -> dict[str, Any]:
    """Return the schema: which fields there are and their legal values. The rules between fields are validation's."""
    schema = {"$schema": _DIALECT, "$id": "urn:lyra:case:1", "title": "Case", **_object(CASE_FIELDS)}
    source = schema["properties"]["sources"]["items"]
    # An entry without an address is no source yet, so nothing is asked of it.
    source["if"] = {"properties": {"url": {"type": "string", "pattern": "\\S"}}, "required": ["url"]}
    source["then"] = {"required": source.pop("required")}
    return schema


def shipped_schema() -> dict[str, Any]:
    """Return the schema as it ships with the package."""
    text = (resources.files("lyra.cases") / SCHEMA_FILE).read_text(encoding="utf-8")
    schema: dict[str, Any] = json.loads(text)
    return schema


def _object(fields: Mapping[str, Field]) -> dict[str, Any]:
    """Return the schema of an object. Unknown fields are allowed, abolished ones only under `migrated_from`."""
    return {
        "type": "object",
        "properties": {name: _field(field) for name, field in fields.items()}
        | {"migrated_from": _PLAIN[Kind.OBJECT]}
        | dict.fromkeys(ABOLISHED, False),
        "required": [name for name, field in fields.items() if field.required],
    }


def _field(field: Field) -> dict[str, Any]:
    if field.kind is Kind.LABEL:
        values: list[str | None] = list(field.values)
        return {"enum": values if field.required else [*values, None]}
    if field.kind is Kind.RECORDS:
        return {"type": "array", "items": _object(field.fields or {})}
    if field.kind is Kind.TEXT and field.required:
        return {"type": "string", "pattern": "\\S"}
    return _PLAIN[field.kind]
