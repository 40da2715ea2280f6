"""Files of records, purging and origins, as a person at a terminal meets them."""

from pathlib import Path

import pytest

from tests.interfaces.terminal import Terminal

CLAIM = "Cats sleep most of the day."
REFERENCES = """@article{lee, title={Cats and their sleep at noon}, author={Lee, Bo}, doi={10.1000/cats},
 url={https://example.org/cats}, abstract={In our farms cats sleep most of the day.}}
@article{early, title={Cats and their sleep at noon}, author={Lee, Bo}, eprint={2101.00001},
 abstract={We find that cats sleep most of the day in winter.}}
@misc{bare, title={Without an abstract}}
@misc{broken, title={Never closed
"""


@pytest.fixture
def papers(tmp_path: Path) -> Path:
    folder = tmp_path / "papers"
    folder.mkdir()
    (folder / "refs.bib").write_text(REFERENCES, encoding="utf-8")
    return folder


def test_the_ledger_lists_a_file_of_records_and_the_bad_one_by_name(terminal: Terminal, papers: Path) -> None:
    added = terminal.run("library", "add", papers)
    assert (added.code, added.err) == (0, "")
    assert "1 read, 3 records, 1 bad records" in added.out
    assert "refs.bib:6: The record broken cannot be read" in added.out
    listed = terminal.run("library", "list", "--json").json["files"]
    assert [(entry["records"], entry["record"], entry["line"], entry["code"]) for entry in listed] == [
        (3, None, None, None),
        (None, "broken", 6, "record_broken"),
    ]
    assert listed[0]["notes"] == ["abstract_missing"]
    assert listed[0]["fragments"] == 2


def test_all_records_are_listed_on_request(terminal: Terminal, papers: Path) -> None:
    terminal.run("library", "add", papers)
    listed = terminal.run("library", "list", "--records", "--json").json["files"]
    assert [entry["record"] for entry in listed] == [None, "lee", "early", "bare", "broken"]
    shown = terminal.run("library", "list", "--records").out
    assert "refs.bib · early" in " ".join(shown.split())
    assert "line 3" in shown


def test_the_result_tells_what_counts_as_one_and_why(terminal: Terminal, japanese: Terminal, papers: Path) -> None:
    shown = terminal.run("check", CLAIM, "--library", papers).out
    assert "1 origins · independent confidence" in shown
    assert "counted once: Cats and their sleep at noon; Cats and their sleep at noon (versions of one work)" in " ".join(
        shown.split()
    )
    assert "独立した確信度" in japanese.run("check", CLAIM, "--library", papers).out


def test_a_purge_says_what_would_go_then_what_went_then_that_nothing_is_left(terminal: Terminal, papers: Path) -> None:
    terminal.run("check", CLAIM, "--library", papers)
    would = terminal.run("library", "purge", "--domain", "example.org", "--dry-run")
    assert would.out.startswith("Would remove: the text of 1 page versions")
    went = terminal.run("library", "purge", "--domain", "example.org", "--json").json
    assert (went["domain"], went["dry_run"], went["older_than_days"]) == ("example.org", False, None)
    assert (went["purged"]["page_versions"], went["purged"]["quotes_kept"], went["purged"]["library_entries"]) == (1, 1, 1)
    assert terminal.run("library", "purge", "--domain", "example.org").out.startswith("Nothing is stored that fits")
    assert "was purged" in terminal.run("library", "list", "--problems").out


@pytest.mark.parametrize("words", [(), ("--older-than", "soon"), ("--domain", "https://example.org/a")])
def test_a_purge_that_cannot_be_understood_changes_nothing(terminal: Terminal, papers: Path, words: tuple[str, ...]) -> None:
    terminal.run("library", "add", papers)
    ran = terminal.run("library", "purge", *words)
    assert (ran.code, ran.out) == (2, "")
    assert terminal.run("library", "list", "--problems", "--json").json["files"][0]["code"] == "record_broken"


def test_the_text_of_a_page_without_one_is_told_to_be_missing(terminal: Terminal, papers: Path) -> None:
    terminal.run("library", "add", papers)
    bare = terminal.run("library", "list", "--records", "--json").json["files"][3]
    ran = terminal.run("library", "text", bare["page_id"])
    assert ran.code == 2
    assert "without an abstract" in ran.err


def test_a_bundle_is_refused_on_standard_output_and_never_written_over_something_else(
    terminal: Terminal, papers: Path, tmp_path: Path
) -> None:
    task = terminal.run("check", CLAIM, "--library", papers, "--json").json["task_id"]
    assert "--out" in terminal.run("materials", task, "--format", "rocrate").err
    (tmp_path / "notes.zip").write_bytes(b"mine")
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "notes.txt").write_text("mine")
    for name in ("notes.zip", "mine"):
        ran = terminal.run("materials", task, "--format", "rocrate", "--out", tmp_path / name)
        assert (ran.code, "is no result of Lyra" in ran.err) == (2, True)
    for name in ("own.zip", "own"):
        for _ in range(2):
            assert terminal.run("materials", task, "--format", "rocrate", "--out", tmp_path / name).code == 0
    assert sorted(path.name for path in (tmp_path / "own").iterdir()) == [
        "README.md",
        "claims.jsonld",
        "provenance.json",
        "ro-crate-metadata.json",
        "sources.bib",
    ]
    assert not [path.name for path in tmp_path.iterdir() if path.name.endswith((".part", ".old"))]
