"""What a tool is, and the groups they come in."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

import mcp_types as types

from lyra.core.messages import render
from lyra.interfaces.mcp.arguments import Arguments
from lyra.interfaces.mcp.calls import Call
from lyra.interfaces.mcp.schemas import input_schema, output_schema
from lyra.interfaces.mcp.shapes import Answer
from lyra.interfaces.presenter import Json


@dataclass(frozen=True, slots=True)
class Hints:
    """The four hints. `open_world` says whether the tool may reach beyond this machine."""

    read_only: bool
    destructive: bool = False
    idempotent: bool = False
    open_world: bool = False


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool: what it takes and gives, its hints, and what it does. Title and description come from the catalogues.

    `untrusted` names the fields of the answer that hold text of documents, pages or files.
    """

    name: str
    takes: type[Arguments]
    gives: type[Answer]
    hints: Hints
    act: Callable[[Call, Any], Awaitable[Json]]
    untrusted: tuple[str, ...] = ()

    def described(self, lang: str) -> types.Tool:
        """Return the tool as it is listed to a client."""
        hints = self.hints
        return types.Tool(
            name=self.name,
            title=render(f"tool.{self.name}_title", lang),
            description=render(f"tool.{self.name}", lang),
            input_schema=input_schema(self.takes),
            output_schema=output_schema(self.gives),
            annotations=types.ToolAnnotations(
                title=render(f"tool.{self.name}_title", lang),
                read_only_hint=hints.read_only,
                destructive_hint=hints.destructive,
                idempotent_hint=hints.idempotent,
                open_world_hint=hints.open_world,
            ),
        )
