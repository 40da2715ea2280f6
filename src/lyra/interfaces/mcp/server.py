"""The server: lists what there is, checks what comes in, and turns every failure into an answer a model can act on."""

import logging
from collections.abc import Sequence
from secrets import token_hex
from typing import Any

import mcp_types as types
from mcp.server.caching import CacheHint
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPError
from pydantic import ValidationError

from lyra.app import installed_version
from lyra.core.errors import InvalidInput, LyraError, NotFound
from lyra.core.messages import render
from lyra.interfaces.mcp import prompts, resources
from lyra.interfaces.mcp.calls import AskUser, Call, make_places
from lyra.interfaces.mcp.desk import Desk
from lyra.interfaces.mcp.failures import arguments_json, failure_json, internal_json
from lyra.interfaces.mcp.marking import failed, result_of
from lyra.interfaces.mcp.toolbox import Tool

NAME = "lyra"
_FENCE_BYTES = 8
_DAY_MS = 24 * 3600 * 1000

_log = logging.getLogger(__name__)
Context = ServerRequestContext[Any, Any]


def build_server(desk: Desk, tools: Sequence[Tool]) -> Server[Any]:
    """Return a server with these tools, for any number of connections of any supported protocol version."""
    reception = Reception(desk, tools)
    fixed = CacheHint(ttl_ms=_DAY_MS, scope="public")
    return Server(
        NAME,
        version=installed_version(),
        title="Lyra",
        instructions=render("tool.instructions", desk.lang),
        cache_hints={"tools/list": fixed, "prompts/list": fixed, "resources/templates/list": fixed},
        get_tool_input_schema=reception.input_schema,
        on_list_tools=reception.list_tools,
        on_call_tool=reception.call_tool,
        on_list_resources=reception.list_resources,
        on_list_resource_templates=reception.list_templates,
        on_read_resource=reception.read_resource,
        on_list_prompts=reception.list_prompts,
        on_get_prompt=reception.get_prompt,
        on_completion=reception.complete,
    )


class Reception:
    """Takes the requests of all connections. Keeps nothing between them."""

    def __init__(self, desk: Desk, tools: Sequence[Tool]) -> None:
        self._desk = desk
        self._tools = {tool.name: tool for tool in tools}
        self._listed = [tool.described(desk.lang) for tool in tools]
        self._schemas = {tool.name: tool.input_schema for tool in self._listed}
        self._places = make_places()

    def input_schema(self, name: str) -> dict[str, Any] | None:
        """Return the input schema of a tool."""
        return self._schemas.get(name)

    async def list_tools(self, context: Context, params: types.PaginatedRequestParams | None) -> types.ListToolsResult:
        """List the tools."""
        return types.ListToolsResult(tools=self._listed)

    async def call_tool(
        self, context: Context, params: types.CallToolRequestParams
    ) -> types.CallToolResult | types.InputRequiredResult:
        """Call a tool. An unknown one is a protocol error; everything else that fails is an answer with a code."""
        tool = self._tools.get(params.name)
        if tool is None:
            raise _protocol_error(NotFound("mcp_unknown_tool", name=params.name[:80], known=", ".join(self._tools)), self._desk)
        call = Call(self._desk, context, dict(params.input_responses or {}), self._places)
        try:
            given = tool.takes.model_validate(params.arguments or {})
        except ValidationError as problem:
            return failed(arguments_json(problem, tool.takes, tool.name, self._desk.lang))
        try:
            answer = await tool.act(call, given)
            tool.gives.model_validate(answer)
        except AskUser as question:
            return question.result
        except LyraError as error:
            return failed(failure_json(error, self._desk.lang))
        except MCPError:
            raise
        except Exception as error:  # noqa: BLE001 - the outermost handler: a bug ends in an answer, too
            _log.error("%s: %s: %s", tool.name, type(error).__name__, error)
            return failed(internal_json(self._desk.lang))
        fence = token_hex(_FENCE_BYTES) if tool.untrusted else None
        return result_of(answer, fence=fence, lang=self._desk.lang)

    async def list_resources(self, context: Context, params: types.PaginatedRequestParams | None) -> types.ListResourcesResult:
        """List the newest tasks."""
        call = Call(self._desk, context, {}, self._places)
        try:
            return types.ListResourcesResult(resources=await call.in_thread(lambda: resources.listed(self._desk)))
        except LyraError as error:
            raise _protocol_error(error, self._desk) from error

    async def list_templates(
        self, context: Context, params: types.PaginatedRequestParams | None
    ) -> types.ListResourceTemplatesResult:
        """List the kinds of addresses."""
        return types.ListResourceTemplatesResult(resource_templates=resources.templates(self._desk.lang))

    async def read_resource(self, context: Context, params: types.ReadResourceRequestParams) -> types.ReadResourceResult:
        """Read a task, a claim or a page."""
        call = Call(self._desk, context, {}, self._places)
        address, fence = str(params.uri), token_hex(_FENCE_BYTES)
        try:
            contents = await call.in_thread(lambda: resources.read(self._desk, address, fence))
        except LyraError as error:
            raise _protocol_error(error, self._desk) from error
        return types.ReadResourceResult(contents=list(contents))

    async def list_prompts(self, context: Context, params: types.PaginatedRequestParams | None) -> types.ListPromptsResult:
        """List the prompts."""
        return types.ListPromptsResult(prompts=prompts.listed(self._desk.lang))

    async def get_prompt(self, context: Context, params: types.GetPromptRequestParams) -> types.GetPromptResult:
        """Write a prompt out."""
        try:
            return prompts.written_out(params.name, params.arguments or {}, self._desk.lang)
        except LyraError as error:
            raise _protocol_error(error, self._desk) from error

    async def complete(self, context: Context, params: types.CompleteRequestParams) -> types.CompleteResult:
        """Propose ids of tasks, newest first, where one is wanted; nothing anywhere else."""
        call = Call(self._desk, context, {}, self._places)
        address = params.ref.uri if isinstance(params.ref, types.ResourceTemplateReference) else ""
        wanted = params.argument.name == "task_id" or address == resources.TASK_TEMPLATE
        try:
            found = await call.in_thread(lambda: resources.task_ids(self._desk, params.argument.value)) if wanted else []
        except LyraError as error:
            raise _protocol_error(error, self._desk) from error
        return types.CompleteResult(completion=types.Completion(values=found, total=len(found), has_more=False))


def _protocol_error(error: LyraError, desk: Desk) -> MCPError:
    code = types.INVALID_PARAMS if isinstance(error, InvalidInput) else types.INTERNAL_ERROR
    data = failure_json(error, desk.lang)["error"]
    return MCPError(code, str(data["message"]) if isinstance(data, dict) else error.code, data)
