"""A client for tests: every answer is looked at, whatever the test is about."""

import json
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

import anyio
from jsonschema import Draft202012Validator
from mcp import Client
from mcp.server.lowlevel import Server
from mcp_types import CallToolResult, TextContent

from lyra.app import ModelFactory, SilentProgress, open_bench
from lyra.config import Settings, read_settings
from lyra.interfaces.mcp.groups import chosen_tools
from lyra.interfaces.mcp.marking import ERROR_KEY
from lyra.interfaces.mcp.running import open_desk
from lyra.interfaces.mcp.server import build_server
from lyra.workflows.ingest import add_roots
from tests.interfaces.terminal import fake_models

T = TypeVar("T")
MODERN, LEGACY = "2026-07-28", "legacy"
MODES = (MODERN, LEGACY)
LARGEST_ANSWER = 60_000
ERROR = {
    "type": "object",
    "additionalProperties": False,
    "required": ["schema_version", "error"],
    "properties": {
        "schema_version": {"const": "1"},
        "error": {
            "type": "object",
            "additionalProperties": False,
            "required": ["code", "message", "next_step", "retryable", "problems"],
            "properties": {
                "code": {"type": "string", "pattern": "^[a-z_]+$"},
                "message": {"type": "string", "minLength": 10, "maxLength": 1000},
                "next_step": {"type": "string", "minLength": 10},
                "retryable": {"type": "boolean"},
                "problems": {
                    "type": "array",
                    "items": {
                        "type": "object",
                        "additionalProperties": False,
                        "required": ["argument", "code", "detail"],
                        "properties": {name: {"type": "string"} for name in ("argument", "code", "detail")},
                    },
                },
            },
        },
    },
}


_ERRORS = Draft202012Validator(ERROR)


def said(result: CallToolResult) -> Any:
    """What an answer or an error says, read from its text."""
    texts = [block.text for block in result.content if isinstance(block, TextContent)]
    return json.loads(texts[len(texts) // 2])


class Talk:
    """A connection, and the schemas of its tools. `ask` expects an answer, `fail` an error."""

    def __init__(self, client: Client, schemas: Mapping[str, Mapping[str, Any]]) -> None:
        self.client = client
        self._checks = {name: Draft202012Validator(schema) for name, schema in schemas.items()}

    async def ask(self, tool: str, /, **arguments: Any) -> Any:
        result = await self.call(tool, arguments)
        assert not result.is_error, said(result)
        return result.structured_content

    async def fail(self, tool: str, /, **arguments: Any) -> Any:
        result = await self.call(tool, arguments)
        assert result.is_error, (tool, arguments)
        return said(result)["error"]

    async def call(self, tool: str, arguments: dict[str, Any]) -> CallToolResult:
        result = await self.client.call_tool(tool, arguments)
        assert isinstance(result, CallToolResult)
        self.examine(tool, result, large=arguments.get("max_kb", 60) != 60)
        return result

    def examine(self, tool: str, result: CallToolResult, *, large: bool = False) -> None:
        """An answer fits its schema, says the same as text and as structured content, and is short."""
        answer = said(result)
        assert result.structured_content == (None if result.is_error else answer)
        assert not result.is_error or (result.meta or {})[ERROR_KEY] == answer["error"]
        assert len(result.content) in (1, 3)
        (_ERRORS if result.is_error else self._checks[tool]).validate(answer)
        assert large or len(result.model_dump_json(by_alias=True).encode()) <= LARGEST_ANSWER
        assert "Traceback" not in json.dumps(answer)


async def opened(client: Client) -> Talk:
    listed = (await client.list_tools()).tools
    return Talk(client, {tool.name: tool.output_schema or {} for tool in listed})


def converse(server: Any, conversation: Callable[[Talk], Awaitable[T]], mode: str = MODERN, **more: Any) -> T:
    """Connect, hold a conversation, and return what it comes to."""

    async def run() -> T:
        async with Client(server, mode=mode, **more) as client:
            return await conversation(await opened(client))

    return anyio.run(run)


def settings_of(home: Path, lang: str = "en", **more: str) -> Settings:
    empty = home.parent / "lyra.toml"
    empty.parent.mkdir(parents=True, exist_ok=True)
    empty.touch()
    return read_settings({"home": str(home), "lang": lang, **more}, {"LYRA_CONFIG": str(empty)})


@contextmanager
def served(
    home: Path, library: Path | None = None, tools: str = "research", lang: str = "en", models: ModelFactory | None = None
) -> Iterator[Server[Any]]:
    """A server in this process, with its worker."""
    settings, chosen = settings_of(home, lang), models or fake_models()
    if library is not None:
        with open_bench(settings, SilentProgress(), chosen) as bench:
            add_roots(bench, [library])
    with open_desk(settings, chosen, lambda: None) as desk:
        yield build_server(desk, chosen_tools(tools))
