"""What is written is read again as it was: every bibliography, whatever its titles hold, gives the same records."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lyra.core.identity import identify_link, normalise_doi
from lyra.core.materials import Materials
from lyra.core.records import Document, Evidence, Identifier
from lyra.interfaces.exports.formats import FORMATS
from lyra.interfaces.exports.sources import Source, sources_of
from tests.fakes import evidence
from tests.interfaces.exports.test_bibliographies import ARTICLE, HOSTILE
from tests.interfaces.terminal import Terminal
from tests.interfaces.test_presenter import material, materials
from tests.providers.records.reading import records

FILES = {"bibtex": "a.bib", "ris": "a.ris", "csl": "a.json"}
WEB = replace(evidence("edge_2", "refutes", 0.7, "page_2"), title="News of it", url="https://example.org/n?a=1_2", retracted=True)
BARE = replace(evidence("edge_3", "refutes", 0.7, "page_3"), title="Only a title", url="file:///x.md", published_on="2019-07")


def found(*edges: Evidence) -> Materials:
    return materials(material(list(edges)))


def reread(given_materials: Materials, name: str) -> list[Document | None]:
    return [record.document for record in records(FORMATS[name].text(given_materials, "en"), FILES[name])]


def names(source: Source) -> set[Identifier]:
    doi = normalise_doi(source.doi) if source.doi else None
    link = identify_link(source.url) if source.url else None
    return {one for one in (Identifier("doi", doi) if doi else None, link) if one is not None}


@pytest.mark.parametrize("name", FILES)
def test_every_bibliography_gives_the_same_records_back(name: str) -> None:
    written = found(ARTICLE, WEB, BARE)
    read = reread(written, name)
    for source, document in zip(sources_of(written), read, strict=True):
        assert document is not None
        assert (document.title, document.authors, document.venue) == (source.title, source.authors, source.venue)
        assert document.published_on == ("-".join(f"{part:02}" for part in source.date) or None)
        assert set(document.identifiers) == names(source)
        assert document.retracted is source.retracted
        assert document.text == ""


@pytest.mark.parametrize("name", FILES)
@given(title=HOSTILE, venue=HOSTILE)
def test_hostile_titles_come_back_as_they_were_and_hide_no_other_record(name: str, title: str, venue: str) -> None:
    written = found(replace(ARTICLE, title=title, venue=venue), WEB)
    read = reread(written, name)
    assert len(read) == 2
    first, second = read
    assert first is not None
    assert second is not None
    assert second.title == "News of it"
    assert Identifier("doi", "10.1000/a_b") in first.identifiers


@pytest.mark.parametrize("name", ["bibtex", "csl"])
@given(title=st.text(alphabet="aB {}\\$&#%_~^猫é", min_size=1, max_size=30).filter(lambda text: any(map(str.isalpha, text))))
def test_every_sign_of_a_title_survives(name: str, title: str) -> None:
    written = found(replace(ARTICLE, title=title))
    (document,) = reread(written, name)
    assert document is not None
    assert document.title == sources_of(written)[0].title


def test_a_bibliography_of_ours_can_be_a_library_and_is_the_same_sources(terminal: Terminal, tmp_path: Path) -> None:
    papers, again = tmp_path / "papers", tmp_path / "again"
    papers.mkdir()
    again.mkdir()
    (papers / "a.bib").write_text(
        "@article{x, title={Cats and their sleep at noon}, author={Lee, Bo}, doi={10.1000/cats},"
        " abstract={Cats sleep most of the day.}}",
        encoding="utf-8",
    )
    task = terminal.run("check", "Cats sleep most of the day.", "--library", papers, "--json").json["task_id"]
    for ending in ("bib", "ris", "csl.json"):
        terminal.run("materials", task, "--out", again / f"sources.{ending}")
    other = Terminal(tmp_path / "other")
    counts = other.run("library", "add", again, "--json").json["providers"][0]["counts"]
    assert counts == {"read": 3, "records": 3}
    status = other.run("status", "--json").json
    assert status["counts"]["pages"] == 1


@pytest.mark.parametrize("name", ["json", "graph", "jsonld"])
def test_results_with_quotes_are_never_taken_as_sources(terminal: Terminal, library: Path, tmp_path: Path, name: str) -> None:
    task = terminal.run("check", "Cats sleep most of the day.", "--library", library, "--json").json["task_id"]
    folder = tmp_path / "again"
    folder.mkdir()
    terminal.run("materials", task, "--format", name, "--out", folder / "result.json")
    json.loads((folder / "result.json").read_text(encoding="utf-8"))
    answer = Terminal(tmp_path / "other").run("library", "add", folder, "--json").json["providers"][0]
    assert [problem["code"] for problem in answer["problems"]] == ["own_result"]
