"""Writes docs/reference/mcp-tools.md from the tools themselves; with --check, only says whether it is up to date."""

import argparse
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import mcp_types as types

from lyra.interfaces.mcp.groups import GROUPS
from lyra.interfaces.mcp.prompts import listed

PAGE = Path(__file__).parents[1] / "docs" / "reference" / "mcp-tools.md"
HEAD = """# Tools of the MCP server

Written by `python -m scripts.mcp_reference` from the tools themselves. [Lyra for AI clients](../mcp.md) shows them at work.

Every answer carries `schema_version`. A failed call answers with `error`: `code`, `message`, `next_step`, `retryable` and
`problems`.
"""
_BOUNDS = {
    "minimum": "at least {}",
    "maximum": "at most {}",
    "minLength": "at least {} characters",
    "maxLength": "at most {} characters",
    "minItems": "at least {} entries",
    "maxItems": "at most {} entries",
    "maxProperties": "at most {} entries",
}


def page() -> str:
    """Return the whole page."""
    return "\n".join(_lines()) + "\n"


def _lines() -> Iterator[str]:
    yield HEAD
    for group, tools in GROUPS.items():
        yield f"## Group {group}\n"
        for tool in tools():
            yield from _tool(tool.described("en"))
    yield "## Prompts\n"
    yield "| prompt | arguments | what it is for |\n|---|---|---|"
    for prompt in listed("en"):
        arguments = ", ".join(argument.name for argument in prompt.arguments or [])
        yield f"| {prompt.name} | {arguments} | {prompt.description} |"


def _tool(tool: types.Tool) -> Iterator[str]:
    yield f"### {tool.name}\n"
    words, _, example = str(tool.description).partition(" Example: ")
    yield f"{words}\n\n```json\n{example}\n```\n"
    hints = tool.annotations
    if hints is not None:
        kinds = {
            "reads only": hints.read_only_hint,
            "may delete": hints.destructive_hint,
            "may be repeated": hints.idempotent_hint,
            "may reach beyond this machine": hints.open_world_hint,
        }
        yield f"Hints: {', '.join(name for name, holds in kinds.items() if holds) or 'none'}.\n"
    yield "| argument | takes | if not given | meaning |\n|---|---|---|---|"
    needed = tool.input_schema.get("required", [])
    for name, schema in tool.input_schema["properties"].items():
        default = "needed" if name in needed else _shown(schema.get("default"))
        yield f"| `{name}` | {_takes(schema)} | {default} | {schema.get('description', '')} |"
    fields = ", ".join(f"`{name}`" for name in (tool.output_schema or {})["properties"])
    yield f"\nAnswers with {fields}.\n"


def _takes(schema: dict[str, Any]) -> str:
    variants = [one for one in schema.get("anyOf", [schema]) if one.get("type") != "null"]
    choices = next((one["enum"] for one in (schema, *variants) if "enum" in one), None)
    if choices:
        return ", ".join(_shown(choice) for choice in choices if choice is not None)
    found = [str(variant.get("type", "object")) for variant in variants]
    bounds = [words.format(variant[key]) for variant in variants for key, words in _BOUNDS.items() if key in variant]
    return ", ".join([" or ".join(dict.fromkeys(found)), *bounds])


def _shown(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return "–" if value is None or isinstance(value, list | dict) else str(value)


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the page, or check it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true")
    check = parser.parse_args(arguments).check
    if not check:
        PAGE.write_text(page(), encoding="utf-8")
        return 0
    current = PAGE.exists() and PAGE.read_text(encoding="utf-8") == page()
    if not current:
        print("docs/reference/mcp-tools.md is out of date: run python -m scripts.mcp_reference", file=sys.stderr)
    return 0 if current else 1


if __name__ == "__main__":
    sys.exit(main())
