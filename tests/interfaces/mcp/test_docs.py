"""What the pages say about the server is so: the session runs, the snippets start a server, the reference is complete."""

import json
import re
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
from mcp import StdioServerParameters

from lyra.app import installed_version
from lyra.interfaces.cli.main import build
from lyra.interfaces.mcp.groups import GROUPS
from scripts import mcp_reference
from tests.docs.shell import ROOT, blocks
from tests.interfaces.mcp.client import MODES, Talk, converse, served
from tests.interfaces.mcp.process import command, environment

READMES = ("README.md", "README.ja.md")
SNIPPETS = [
    (name, language, content) for name in READMES for language, content in blocks((ROOT / name).read_text(encoding="utf-8"))
]
CONFIGURATIONS = [
    (name, json.loads(content) if language == "json" else tomllib.loads(content))
    for name, language, content in SNIPPETS
    if language in ("json", "toml")
]


def entry(configuration: dict[str, Any]) -> dict[str, Any]:
    """The entry of the server in a client's configuration."""
    (servers,) = configuration.values()
    return dict(servers["lyra"])


@pytest.mark.parametrize("mode", MODES)
def test_the_worked_session_can_be_held(home: Path, mode: str) -> None:
    calls = [
        json.loads(content)
        for language, content in blocks((ROOT / "docs" / "mcp.md").read_text(encoding="utf-8"))
        if language == "json"
    ]
    assert {call["tool"] for call in calls} >= {"create_task", "check_claims", "search", "get_materials", "feedback", "stop_task"}

    async def play(talk: Talk) -> None:
        known: dict[str, str] = {}
        for call in calls:
            text = re.sub(r'"(TASK|CLAIM|EDGE)"', lambda place: json.dumps(known[place[1]]), json.dumps(call["arguments"]))
            answer = await talk.ask(call["tool"], **json.loads(text))
            if call["tool"] == "create_task":
                known["TASK"] = answer["task"]["task_id"]
            if call["tool"] == "get_materials":
                assert answer["claims"] and answer["claims"][0]["evidence"]
                known["CLAIM"] = answer["claims"][0]["claim_id"]
                known["EDGE"] = answer["claims"][0]["evidence"][0]["edge_id"]

    with served(home, ROOT / "sample" / "library") as server:
        converse(server, play, mode)


def test_both_readmes_show_the_same_configurations() -> None:
    english = [one for name, one in CONFIGURATIONS if name == "README.md"]
    assert english == [one for name, one in CONFIGURATIONS if name == "README.ja.md"] and len(english) == 4


def test_every_configuration_starts_a_server(home: Path, library: Path) -> None:
    started = {(one["command"], *one["args"]) for one in map(entry, (found for _, found in CONFIGURATIONS))}
    (line,) = started
    for name in READMES:
        assert f"-- {' '.join(line)}`" in (ROOT / name).read_text(encoding="utf-8")
    runner, package, *arguments = line
    assert (runner, package) == ("uvx", "lyra-evidence")
    there = [str(library) if word == "/path/to/papers" else word for word in arguments]
    server = StdioServerParameters(command=sys.executable, args=command(*there), env=environment(home), cwd=str(ROOT))

    async def look(talk: Talk) -> None:
        assert (await talk.ask("get_status", detail="full"))["full"]["roots"] == [str(library)]

    converse(server, look)


def test_the_package_has_a_command_with_its_own_name() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["scripts"][project["name"]] == project["scripts"]["lyra"]


def test_the_registry_entry_names_this_package_its_version_and_options_that_exist() -> None:
    entry_ = json.loads((ROOT / "server.json").read_text(encoding="utf-8"))
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    (package,) = entry_["packages"]
    assert entry_["version"] == package["version"] == project["version"] == installed_version()
    assert (package["registryType"], package["identifier"], package["runtimeHint"]) == ("pypi", project["name"], "uvx")
    assert package["transport"] == {"type": "stdio"} and len(entry_["description"]) <= 100
    assert re.fullmatch(r"[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+", entry_["name"])
    words = [argument.get("value") or argument["name"] for argument in package["packageArguments"]]
    tree: Any = build()
    own = {option for param in tree.commands["mcp"].params for option in param.opts}
    assert words[0] == "mcp" and set(words[1:]) <= own
    variables = {variable["name"] for variable in package["environmentVariables"]}
    assert all(name in (ROOT / "docs" / "reference" / "settings.md").read_text(encoding="utf-8") for name in variables)


def test_the_reference_of_the_tools_is_what_the_tools_say() -> None:
    assert mcp_reference.main(["--check"]) == 0
    text = mcp_reference.PAGE.read_text(encoding="utf-8")
    for tools in GROUPS.values():
        for tool in tools():
            assert f"### {tool.name}\n" in text
            assert all(f"| `{name}` |" in text for name in tool.takes.model_fields)


def test_a_reference_that_is_out_of_date_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    monkeypatch.setattr(mcp_reference, "PAGE", tmp_path / "tools.md")
    assert mcp_reference.main(["--check"]) == 1 and "out of date" in capsys.readouterr().err
    assert mcp_reference.main([]) == 0 == mcp_reference.main(["--check"])
