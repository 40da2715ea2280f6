"""The table of formats, and the command that writes them."""

import csv
import io
import json
from pathlib import Path

import pytest

from lyra.core.own_result import is_own_result
from lyra.interfaces.cli.materials import FORMAT_NAMES
from lyra.interfaces.exports.formats import FORMATS, JSON, MARKDOWN, choose
from tests.fakes import evidence
from tests.interfaces.exports.parsers import read_bibtex, read_ris
from tests.interfaces.terminal import Terminal
from tests.interfaces.test_presenter import material, materials

CLAIM = "Cats sleep most of the day."
ENDINGS = [("csv", "csv"), ("bib", "bibtex"), ("RIS", "ris"), ("json", "json"), ("md", "md")]
ENDINGS += [("graph.json", "graph"), ("csl.json", "csl"), ("jsonld", "jsonld")]
TEXTS = [name for name, one in FORMATS.items() if one.bundle is None]


@pytest.fixture
def task(terminal: Terminal, library: Path) -> str:
    return str(terminal.run("check", CLAIM, "--library", library, "--json").json["task_id"])


def test_the_help_names_every_format() -> None:
    assert FORMAT_NAMES.split("|") == list(FORMATS)


def test_an_unknown_format_is_answered_with_all_that_there_are(terminal: Terminal, task: str) -> None:
    ran = terminal.run("materials", task, "--format", "yaml")
    assert ran.code == 2
    assert "json, md, csv, graph, bibtex, ris, csl, jsonld, rocrate" in ran.err


@pytest.mark.parametrize("name", TEXTS)
def test_stdout_and_file_hold_the_same(terminal: Terminal, task: str, tmp_path: Path, name: str) -> None:
    shown = terminal.run("materials", task, "--format", name)
    assert (shown.code, shown.err) == (0, "")
    for _ in range(2):  # a result may be written over
        written = terminal.run("materials", task, "--format", name, "--out", tmp_path / "result.x", "--json")
        assert (written.code, written.json["format"], written.json["text"]) == (0, name, None)
    assert (tmp_path / "result.x").read_bytes().decode("utf-8") == shown.out


@pytest.mark.parametrize(("suffix", "name"), ENDINGS)
def test_the_ending_of_the_file_picks_the_format(terminal: Terminal, task: str, tmp_path: Path, suffix: str, name: str) -> None:
    target = tmp_path / f"result.{suffix}"
    assert terminal.run("materials", task, "--out", target, "--json").json["format"] == name
    assert target.read_bytes().decode("utf-8") == terminal.run("materials", task, "--format", name).out


def test_a_named_format_comes_before_the_ending() -> None:
    assert choose("csl", Path("a.bib"), MARKDOWN).name == "csl"
    assert choose(None, Path("result"), MARKDOWN) is MARKDOWN
    assert choose(None, None, JSON) is JSON


def test_an_ending_that_stands_for_no_format_is_refused_before_any_work(
    terminal: Terminal, library: Path, tmp_path: Path
) -> None:
    ran = terminal.run("check", CLAIM, "--library", library, "--out", tmp_path / "result.txt")
    assert (ran.code, ran.out) == (2, "")
    assert ".csl.json, .jsonld, .zip" in ran.err
    assert terminal.run("task", "list", "--json").json["tasks"] == []


@pytest.mark.parametrize("ending", [ending for one in FORMATS.values() for ending in one.endings])
def test_check_writes_every_format_by_its_ending(terminal: Terminal, library: Path, tmp_path: Path, ending: str) -> None:
    target = tmp_path / f"result{ending}"
    ran = terminal.run("check", CLAIM, "--library", library, "--out", target, "--json")
    task = ran.json["task_id"]
    assert ran.code == 0
    again = tmp_path / f"again{ending}"
    terminal.run("materials", task, "--out", again)
    if ending in (".md", ".markdown", ".json", ".zip"):  # these tell of the run itself, too: its models, how it ended
        assert min(target.stat().st_size, again.stat().st_size) > 0
    else:
        assert target.read_bytes() == again.read_bytes()


def test_with_json_a_graph_is_the_answer_itself_and_the_others_stand_in_a_field(terminal: Terminal, task: str) -> None:
    assert {"nodes", "edges"} <= set(terminal.run("materials", task, "--format", "graph", "--json").json)
    for name in ("csv", "bibtex", "ris", "csl"):
        answer = terminal.run("materials", task, "--format", name, "--json").json
        assert answer["text"] == terminal.run("materials", task, "--format", name).out


def test_every_format_tells_of_the_same_sources(terminal: Terminal, task: str) -> None:
    def written(name: str) -> str:
        return terminal.run("materials", task, "--format", name).out

    items = json.loads(written("json"))["claims"][0]["evidence"]
    pages = {item["page_id"] for item in items if item["relation"] != "neutral"}
    assert pages
    assert len(read_bibtex(written("bibtex"))) == len(read_ris(written("ris"))) == len(json.loads(written("csl"))) == len(pages)
    assert [row["quote"] for row in csv.DictReader(io.StringIO(written("csv"), newline=""))] == [item["quote"] for item in items]


@pytest.mark.parametrize("name", TEXTS)
@pytest.mark.parametrize("count", [0, 1])
def test_a_result_is_known_as_our_own_in_every_format(name: str, count: int) -> None:
    found = materials(material([evidence("edge_1", "supports", 0.9)] * count))
    written = FORMATS[name].text(found, "en")
    assert not written or is_own_result(written)


@pytest.mark.parametrize(
    "text", ["TY  - JOUR\nTI  - Lyra\n", "@article{x,\n}", "claim_id,text\n", '[{"id": "x", "source": "PubMed"}]']
)
def test_the_files_of_others_are_not_taken_for_our_own(text: str) -> None:
    assert not is_own_result(text)
