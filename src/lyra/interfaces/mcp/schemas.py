"""JSON schemas of what tools take and give, made from the models and kept short."""

from typing import Any

from pydantic import BaseModel

Schema = dict[str, Any]


def input_schema(model: type[BaseModel]) -> Schema:
    """Return the schema of a tool's arguments."""
    return _without_titles(model.model_json_schema())


def output_schema(model: type[BaseModel]) -> Schema:
    """Return the schema of a tool's answer."""
    return _without_titles(model.model_json_schema(mode="serialization"))


def _without_titles(schema: Schema) -> Schema:
    """Leave out what repeats the names of fields and classes: it costs a client tokens and tells it nothing."""
    shown: Schema = {name: _inner(name, value) for name, value in schema.items() if name not in ("title", "description")}
    for inner in shown.get("$defs", {}).values():
        inner.pop("description", None)
    return shown


def _inner(name: str, value: object) -> object:
    if name in ("properties", "$defs") and isinstance(value, dict):
        return {field: _strip(inner) for field, inner in value.items()}
    return _strip(value)


def _strip(value: object) -> object:
    if isinstance(value, dict):
        return {name: _inner(name, inner) for name, inner in value.items() if name != "title"}
    if isinstance(value, list):
        return [_strip(inner) for inner in value]
    return value
