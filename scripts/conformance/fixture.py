"""A build of the server with the tools, resources and prompts that the conformance suite asks every server for.

`python -m scripts.conformance.fixture --port N` serves it over HTTP, with the same guard and the same library as the real one.
What the suite asks for and this server never does (sampling, logging, roots, subscriptions) is left out.
"""

import argparse
import sys
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import anyio
import mcp_types as types
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPError

from lyra.app import chosen_models
from lyra.config import read_settings
from lyra.interfaces.mcp import http
from lyra.interfaces.mcp.desk import Desk
from lyra.interfaces.mcp.groups import chosen_tools
from lyra.interfaces.mcp.running import open_desk
from lyra.interfaces.mcp.server import build_server
from scripts.conformance.forms import FORMS, SCHEMA_TOOL, TOOL_SCHEMA

Context = ServerRequestContext[Any, Any]
# One red pixel, and one silent sample.
PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGP4z8DwHwAFAAH/iZk9HQAAAABJRU5ErkJggg=="
SILENCE = "UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQIAAACAgA=="
_NAME = {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}
_USER = {
    "type": "object",
    "properties": {name: {"type": "string"} for name in ("username", "email")},
    "required": ["username", "email"],
}


def _text(text: str) -> types.TextContent:
    return types.TextContent(type="text", text=text)


def _image() -> types.ImageContent:
    return types.ImageContent(type="image", data=PIXEL, mime_type="image/png")


def _resource(uri: str, mime_type: str, text: str) -> types.EmbeddedResource:
    return types.EmbeddedResource(type="resource", resource=types.TextResourceContents(uri=uri, mime_type=mime_type, text=text))


CONTENT: dict[str, list[types.ContentBlock]] = {
    "test_simple_text": [_text("This is a simple text response for testing.")],
    "test_image_content": [_image()],
    "test_audio_content": [types.AudioContent(type="audio", data=SILENCE, mime_type="audio/wav")],
    "test_embedded_resource": [_resource("test://embedded-resource", "text/plain", "This is an embedded resource content.")],
    "test_multiple_content_types": [
        _text("Multiple content types test:"),
        _image(),
        _resource("test://mixed-content-resource", "application/json", '{"test":"data","value":123}'),
    ],
}


async def _progress(context: Context, _: types.CallToolRequestParams) -> types.CallToolResult:
    for done in (0, 50, 100):
        await context.session.report_progress(done, 100)
        await anyio.sleep(0.05)
    return types.CallToolResult(content=[_text("done")])


async def _error(_: Context, __: types.CallToolRequestParams) -> types.CallToolResult:
    return types.CallToolResult(content=[_text("This tool intentionally returns an error for testing")], is_error=True)


async def _missing(context: Context, _: types.CallToolRequestParams) -> types.CallToolResult:
    declared = context.session.client_capabilities
    if declared is None or declared.sampling is None:
        wanted: dict[str, Any] = {"requiredCapabilities": {"sampling": {}}}
        raise MCPError(types.MISSING_REQUIRED_CLIENT_CAPABILITY, "The client did not declare sampling", wanted)
    return types.CallToolResult(content=[_text("declared")])


async def _elicit(context: Context, params: types.CallToolRequestParams) -> types.CallToolResult:
    message = str((params.arguments or {}).get("message"))
    answer = await context.session.elicit_form(message, _USER, related_request_id=context.request_id)
    return types.CallToolResult(content=[_text(f"User response: action: {answer.action}, content: {answer.content}")])


async def _ask_name(context: Context, params: types.CallToolRequestParams) -> types.CallToolResult | types.InputRequiredResult:
    answer = (params.input_responses or {}).get("user_name")
    if isinstance(answer, types.ElicitResult) and answer.content and isinstance(answer.content.get("name"), str):
        return types.CallToolResult(content=[_text(f"Hello, {answer.content['name']}!")])
    request = types.ElicitRequest(params=types.ElicitRequestFormParams(message="What is your name?", requested_schema=_NAME))
    return types.InputRequiredResult(input_requests={"user_name": request})


async def _fill_in(context: Context, params: types.CallToolRequestParams) -> types.CallToolResult:
    answer = await context.session.elicit_form("Please fill this in", FORMS[params.name], related_request_id=context.request_id)
    return types.CallToolResult(content=[_text(f"Elicitation completed: action={answer.action}, content={answer.content}")])


ACTING: dict[str, Callable[..., Any]] = {
    "test_tool_with_progress": _progress,
    "test_error_handling": _error,
    "test_missing_capability": _missing,
    "test_elicitation": _elicit,
    "test_input_required_result_elicitation": _ask_name,
    **dict.fromkeys(FORMS, _fill_in),
}
PROMPTS: dict[str, tuple[str, ...]] = {
    "test_simple_prompt": (),
    "test_prompt_with_arguments": ("arg1", "arg2"),
    "test_prompt_with_embedded_resource": ("resourceUri",),
    "test_prompt_with_image": (),
}


async def list_tools(_: Context, __: types.PaginatedRequestParams) -> types.ListToolsResult:
    """List the fixtures."""
    takes = {"type": "object", "properties": {"message": {"type": "string"}}}
    tools = [types.Tool(name=name, description=f"Fixture {name}", input_schema=takes) for name in (*CONTENT, *ACTING)]
    tools.append(types.Tool(name=SCHEMA_TOOL, description="Fixture of a schema", input_schema=TOOL_SCHEMA))
    return types.ListToolsResult(tools=tools)


async def list_resources(_: Context, __: types.PaginatedRequestParams) -> types.ListResourcesResult:
    """List the fixtures."""
    names = ("static-text", "static-binary")
    return types.ListResourcesResult(resources=[types.Resource(uri=f"test://{name}", name=name) for name in names])


async def list_prompts(_: Context, __: types.PaginatedRequestParams) -> types.ListPromptsResult:
    """List the fixtures."""
    return types.ListPromptsResult(
        prompts=[
            types.Prompt(
                name=name,
                description=f"Fixture {name}",
                arguments=[types.PromptArgument(name=one, description=one, required=True) for one in takes],
            )
            for name, takes in PROMPTS.items()
        ]
    )


def resource_at(uri: str) -> types.TextResourceContents | types.BlobResourceContents | None:
    """Return the fixture at an address."""
    if uri == "test://static-binary":
        return types.BlobResourceContents(uri=uri, mime_type="image/png", blob=PIXEL)
    if uri == "test://static-text":
        text = "This is the content of the static text resource."
        return types.TextResourceContents(uri=uri, mime_type="text/plain", text=text)
    if uri.startswith("test://template/") and uri.endswith("/data"):
        name = uri.removeprefix("test://template/").removesuffix("/data")
        text = f'{{"id":"{name}","templateTest":true,"data":"Data for ID: {name}"}}'
        return types.TextResourceContents(uri=uri, mime_type="application/json", text=text)
    return None


def prompt_of(name: str, given: Mapping[str, str]) -> list[types.ContentBlock] | None:
    """Return the messages of a fixture."""
    contents: dict[str, list[types.ContentBlock]] = {
        "test_simple_prompt": [_text("This is a simple prompt for testing.")],
        "test_prompt_with_arguments": [_text(f"Prompt with arguments: arg1='{given.get('arg1')}', arg2='{given.get('arg2')}'")],
        "test_prompt_with_embedded_resource": [
            _resource(str(given.get("resourceUri")), "text/plain", "Embedded resource content for testing."),
            _text("Please process the embedded resource above."),
        ],
        "test_prompt_with_image": [_image(), _text("Please analyze the image above.")],
    }
    return contents.get(name)


class Fixtures:
    """The fixtures in front of what a server has of its own."""

    def __init__(self, server: Server[Any]) -> None:
        self._own = {method: server.get_request_handler(method) for method in ("tools/call", "resources/read", "prompts/get")}

    async def _pass_on(self, method: str, context: Context, params: Any) -> Any:
        own = self._own[method]
        if own is None:
            raise LookupError(method)
        return await own.handler(context, params)

    async def call_tool(self, context: Context, params: types.CallToolRequestParams) -> Any:
        """Call a fixture, or a tool of the server's own."""
        if params.name in CONTENT:
            return types.CallToolResult(content=CONTENT[params.name])
        if params.name in ACTING:
            return await ACTING[params.name](context, params)
        return await self._pass_on("tools/call", context, params)

    async def read_resource(self, context: Context, params: types.ReadResourceRequestParams) -> Any:
        """Read a fixture, or a resource of the server's own."""
        found = resource_at(str(params.uri))
        if found is not None:
            return types.ReadResourceResult(contents=[found])
        return await self._pass_on("resources/read", context, params)

    async def get_prompt(self, context: Context, params: types.GetPromptRequestParams) -> Any:
        """Write out a fixture, or a prompt of the server's own."""
        blocks = prompt_of(params.name, params.arguments or {})
        if blocks is not None:
            return types.GetPromptResult(messages=[types.PromptMessage(role="user", content=block) for block in blocks])
        return await self._pass_on("prompts/get", context, params)


def fixture_server(desk: Desk) -> Server[Any]:
    """Return the real server with the fixtures in front of its own tools, resources and prompts."""
    server = build_server(desk, chosen_tools("research"))
    fixtures = Fixtures(server)
    server.add_request_handler("tools/list", types.PaginatedRequestParams, list_tools)
    server.add_request_handler("tools/call", types.CallToolRequestParams, fixtures.call_tool)
    server.add_request_handler("resources/list", types.PaginatedRequestParams, list_resources)
    server.add_request_handler("resources/read", types.ReadResourceRequestParams, fixtures.read_resource)
    server.add_request_handler("prompts/list", types.PaginatedRequestParams, list_prompts)
    server.add_request_handler("prompts/get", types.GetPromptRequestParams, fixtures.get_prompt)
    return server


def main() -> int:
    """Serve until the process is told to stop."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--port", type=int, required=True)
    place = http.Place("127.0.0.1", parser.parse_args().port, None)
    with tempfile.TemporaryDirectory() as folder:
        settings = read_settings({"home": str(Path(folder) / "home"), "lang": "en"}, {})
        with open_desk(settings, chosen_models, lambda: None) as desk:
            http.serve_http(fixture_server(desk), place, "en", lambda address: print(address, flush=True))
    return 0


if __name__ == "__main__":
    sys.exit(main())
