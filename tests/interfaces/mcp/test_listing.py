"""What a client sees before its first call: tools with hints, schemas and examples, resources, prompts, instructions."""

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from mcp import Client
from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPError
from mcp_types import PromptReference, ResourceTemplateReference, TextContent, TextResourceContents, Tool

from lyra.core.messages import LANGUAGES
from lyra.interfaces.mcp.groups import GROUPS, chosen_tools
from lyra.interfaces.mcp.research import TOOLS
from tests.interfaces.mcp.client import MODES, Talk, converse, served
from tests.interfaces.mcp.process import REPOSITORY, environment

READING = {"get_status", "get_materials", "query_evidence"}
LARGEST_LISTING = 60_000


def listing(server: Server[Any], mode: str = "auto") -> list[Tool]:
    async def read(talk: Talk) -> list[Tool]:
        return (await talk.client.list_tools()).tools

    return converse(server, read, mode)


@pytest.fixture(scope="module")
def tools(tmp_path_factory: pytest.TempPathFactory) -> list[Tool]:
    with served(tmp_path_factory.mktemp("listing") / "home", tools=",".join(GROUPS)) as server:
        return listing(server)


def objects(schema: Any) -> Iterator[dict[str, Any]]:
    """Every schema of an object with named fields."""
    if isinstance(schema, dict):
        if "properties" in schema:
            yield schema
        for inner in schema.values():
            yield from objects(inner)
    elif isinstance(schema, list):
        for inner in schema:
            yield from objects(inner)


def example(tool: Tool) -> dict[str, Any]:
    """The arguments that the description gives as an example."""
    return dict(json.loads(str(tool.description)[str(tool.description).index("{") :]))


def test_every_tool_has_a_title_a_short_description_and_all_four_hints(tools: list[Tool]) -> None:
    for tool in tools:
        hints = tool.annotations
        assert tool.title and tool.description and len(tool.description) < 500, tool.name
        assert hints is not None
        four = (hints.read_only_hint, hints.destructive_hint, hints.idempotent_hint, hints.open_world_hint)
        assert all(isinstance(hint, bool) for hint in four), tool.name
        assert hints.read_only_hint or tool.name not in READING
        assert not (hints.read_only_hint and hints.destructive_hint)


def test_unknown_fields_are_refused_by_every_schema_in_and_out(tools: list[Tool]) -> None:
    for tool in tools:
        for schema in (tool.input_schema, tool.output_schema):
            assert schema is not None and schema["type"] == "object"
            Draft202012Validator.check_schema(schema)
            assert [found for found in objects(schema) if found.get("additionalProperties") is not False] == [], tool.name
        answer = tool.output_schema or {}
        assert "schema_version" in answer["required"]


def test_the_example_of_every_description_is_what_the_tool_takes(tools: list[Tool]) -> None:
    for tool in tools:
        given = example(tool)
        Draft202012Validator(tool.input_schema).validate(given)
        assert given, tool.name


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_examples_hold_in_both_languages(tmp_path: Path, lang: str) -> None:
    for tool in chosen_tools(",".join(GROUPS)):
        tool.takes.model_validate(example(tool.described(lang)))


def test_the_listing_is_short_enough_to_be_read_at_every_start(tools: list[Tool]) -> None:
    research = [tool for tool in tools if tool.name in {one.name for one in TOOLS}]
    assert len(research) == 12
    assert sum(len(tool.model_dump_json(by_alias=True, exclude_none=True).encode()) for tool in research) < LARGEST_LISTING


def test_the_bounds_of_the_arguments_are_told_to_the_client(tools: list[Tool]) -> None:
    taken = {tool.name: tool.input_schema["properties"] for tool in tools}
    assert (taken["get_status"]["wait_seconds"]["minimum"], taken["get_status"]["wait_seconds"]["maximum"]) == (0, 50)
    assert taken["get_materials"]["order"]["enum"][0] == "added"
    assert "contradictions" in taken["query_evidence"]["view"]["enum"]


@pytest.mark.parametrize("mode", MODES)
def test_both_protocols_list_the_same(server: Server[Any], mode: str) -> None:
    assert [tool.name for tool in listing(server, mode)] == [tool.name for tool in TOOLS]


@pytest.mark.parametrize("mode", MODES)
def test_the_server_says_its_name_its_version_and_how_to_work_with_it(server: Server[Any], mode: str) -> None:
    async def read(talk: Talk) -> None:
        client: Client = talk.client
        assert client.server_info is not None and client.server_info.name == "lyra" and client.server_info.version
        assert "never as instructions" in str(client.instructions)

    converse(server, read, mode if mode == "legacy" else "auto")


# Resources and prompts


@pytest.mark.parametrize("mode", MODES)
def test_tasks_and_claims_can_be_read_at_their_addresses(server: Server[Any], mode: str) -> None:
    async def read(talk: Talk) -> None:
        made = await talk.ask("check_claims", claims=["Green tea increases attention in adults."], wait_seconds=50)
        client = talk.client
        (task,) = (await client.list_resources()).resources
        assert str(task.uri) == f"lyra://task/{made['task_id']}"
        (content,) = (await client.read_resource(task.uri)).contents
        assert isinstance(content, TextResourceContents)
        assert json.loads(content.text)["task"]["task_id"] == made["task_id"]
        (content,) = (await client.read_resource(f"lyra://claim/{made['claim_ids'][0]}")).contents
        assert isinstance(content, TextResourceContents)
        claim = json.loads(content.text)
        assert claim["claim"]["evidence"] and claim["untrusted"]["fields"]
        templates = {one.uri_template for one in (await client.list_resource_templates()).resource_templates}
        assert templates == {"lyra://task/{id}", "lyra://claim/{id}", "lyra://page/{id}"}

    converse(server, read, mode)


@pytest.mark.parametrize(
    "address",
    ["lyra://task/task_1", "lyra://claim/x", "lyra://page/x", "lyra://case/1", "file:///etc/passwd", "lyra://task/../x", "x"],
)
def test_an_address_that_leads_nowhere_is_an_error_with_advice(server: Server[Any], address: str) -> None:
    async def read(talk: Talk) -> None:
        with pytest.raises(MCPError) as refused:
            await talk.client.read_resource(address)
        assert refused.value.code == -32602 and refused.value.data["next_step"]

    converse(server, read)


@pytest.mark.parametrize("mode", MODES)
def test_prompts_are_written_out_with_their_arguments(server: Server[Any], mode: str) -> None:
    async def read(talk: Talk) -> None:
        prompts = (await talk.client.list_prompts()).prompts
        assert {prompt.name for prompt in prompts} == {"research_question", "review_contradictions", "verify_draft"}
        for prompt in prompts:
            (argument,) = prompt.arguments or []
            written = await talk.client.get_prompt(prompt.name, {argument.name: "Tea {question} keeps awake?"})
            (message,) = written.messages
            assert isinstance(message.content, TextContent)
            assert "Tea {question} keeps awake?" in message.content.text
            used = {word for word in message.content.text.replace("`", " ").replace(",", " ").split() if "_" in word}
            assert used & {tool.name for tool in TOOLS}

    converse(server, read, mode)


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("nothing", {}),
        ("verify_draft", {}),
        ("verify_draft", {"draft": " "}),
        ("verify_draft", {"draft": "x", "more": "y"}),
        ("verify_draft", {"draft": "x" * 20_001}),
    ],
)
def test_a_prompt_that_cannot_be_written_out_is_an_error(server: Server[Any], name: str, arguments: dict[str, str]) -> None:
    async def read(talk: Talk) -> None:
        with pytest.raises(MCPError) as refused:
            await talk.client.get_prompt(name, arguments)
        assert refused.value.code == -32602

    converse(server, read)


@pytest.mark.parametrize("mode", MODES)
def test_ids_of_tasks_are_proposed_where_one_is_wanted(server: Server[Any], mode: str) -> None:
    async def read(talk: Talk) -> None:
        task_id = (await talk.ask("create_task", question="Does tea help?"))["task"]["task_id"]
        prompt, template = PromptReference(name="review_contradictions"), ResourceTemplateReference(uri="lyra://task/{id}")
        complete = talk.client.complete
        for ref, name in ((prompt, "task_id"), (template, "id")):
            assert (await complete(ref, {"name": name, "value": "task_"})).completion.values == [task_id]
            assert (await complete(ref, {"name": name, "value": "claim_"})).completion.values == []
        page = ResourceTemplateReference(uri="lyra://page/{id}")
        assert (await complete(page, {"name": "id", "value": ""})).completion.values == []

    converse(server, read, mode)


def test_no_other_command_loads_the_protocol(tmp_path: Path) -> None:
    look = (
        "import sys; from lyra.interfaces.cli.main import run; code = run(['status']);"
        " sys.exit(bool({'mcp', 'pydantic', 'starlette', 'anyio', 'uvicorn'} & set(sys.modules)) or code)"
    )
    ran = subprocess.run([sys.executable, "-c", look], cwd=REPOSITORY, env=environment(tmp_path / "home"), check=False)
    assert ran.returncode == 0
