"""A result never becomes a source, and a fault of one file never ends the reading of the others."""

from dataclasses import replace
from pathlib import Path

import pytest

from lyra.core.errors import DocumentProblem, InvalidInput
from lyra.core.own_result import MARKDOWN_MARK, is_own_result
from lyra.core.records import TaskStatus
from lyra.interfaces.markdown import materials_markdown
from lyra.providers.library import LibraryReader, ReaderLimits
from lyra.workflows.bench import Bench
from lyra.workflows.check import CheckRequest, check
from lyra.workflows.ingest import add_roots, read_library
from lyra.workflows.materials import collect


@pytest.fixture
def reading(bench: Bench) -> Bench:
    return replace(bench, reader=LibraryReader(ReaderLimits()))


def stamp_of(reader: LibraryReader, path: Path) -> str:
    (stamp,) = reader.scan(path)
    with pytest.raises(DocumentProblem) as caught:
        reader.read(stamp, path)
    return caught.value.code


def nothing() -> None:
    """Guard of a pass that nobody else competes for."""


def test_a_result_written_into_the_library_is_not_read(reading: Bench, tmp_path: Path) -> None:
    papers = tmp_path / "papers"
    papers.mkdir()
    (papers / "a.txt").write_text("Evening coffee shortens sleep by forty minutes in adults.\n", encoding="utf-8")
    first = check(reading, CheckRequest(("Evening coffee shortens sleep.",), (papers,)))
    (papers / "result.md").write_text(materials_markdown(first.materials, "en"), encoding="utf-8")
    again = check(reading, CheckRequest(("Evening coffee shortens sleep.",), (papers,)))
    (problem,) = again.outcome.providers[0].problems
    assert (problem.code, problem.status) == ("own_result", "skipped")
    assert again.materials.claims[0].values == first.materials.claims[0].values


def test_results_are_told_apart_from_other_files() -> None:
    assert is_own_result(f"{MARKDOWN_MARK}\n\n# Evidence")
    assert is_own_result('{\n  "schema_version": "1", "task_id": "x"}')
    assert not is_own_result(f"# My notes\n\n{MARKDOWN_MARK}")
    assert not is_own_result('{"claims": []}')


@pytest.mark.parametrize("entity", ["&#27;", "&#8;", "&#xFFFE;", "&#0;"])
def test_a_control_character_written_as_an_entity_does_not_stop_the_reading(tmp_path: Path, entity: str) -> None:
    page = tmp_path / "a.html"
    page.write_text(
        f"<p>夜の{entity}\nコーヒーは睡眠を短くすると報告された。</p><p>Evening coffee shortens {entity} sleep.</p>",
        encoding="utf-8",
    )
    reader = LibraryReader(ReaderLimits())
    (stamp,) = reader.scan(page)
    text = reader.read(stamp, page).text
    assert "Evening coffee shortens" in text
    assert "\x1b" not in text


def test_a_parser_that_fails_spoils_one_file_only(tmp_path: Path) -> None:
    class Faulty(LibraryReader):
        def _parse(self, kind: str, data: bytes, where: str) -> object:  # type: ignore[override]
            raise ValueError("strings must be XML compatible")

    page = tmp_path / "a.md"
    page.write_text("# Title\n\nSome text.\n", encoding="utf-8")
    assert stamp_of(Faulty(ReaderLimits()), page) == "unparsable"


def test_what_one_root_may_not_read_another_may(reading: Bench, tmp_path: Path) -> None:
    (tmp_path / "all" / "secret").mkdir(parents=True)
    (tmp_path / "all" / "sub").mkdir()
    (tmp_path / "all" / "secret" / "s.txt").write_text("Evening coffee shortens sleep in most adults.\n", encoding="utf-8")
    (tmp_path / "all" / "sub" / "own.txt").write_text("Street trees cool the summer air in town.\n", encoding="utf-8")
    (tmp_path / "all" / "sub" / "link.txt").symlink_to(tmp_path / "all" / "secret" / "s.txt")
    roots, _ = add_roots(reading, [tmp_path / "all", tmp_path / "all" / "sub"])
    outer = read_library(reading, roots[:1], nothing)
    inner = read_library(reading, roots[1:], nothing)
    assert outer.problems == []
    assert [(problem.code, Path(problem.path).name) for problem in inner.problems] == [("outside_library", "link.txt")]


def test_a_moved_file_is_not_shown_as_a_second_page(reading: Bench, tmp_path: Path) -> None:
    papers = tmp_path / "papers"
    papers.mkdir()
    (papers / "a.txt").write_text("Evening coffee shortens sleep by forty minutes in adults.\n", encoding="utf-8")
    task_id = check(reading, CheckRequest(("Evening coffee shortens sleep.",), (papers,))).materials.task.task_id
    (papers / "a.txt").rename(papers / "b.txt")
    check(reading, CheckRequest(("Evening coffee shortens sleep.",), task_id=task_id))
    (edge,) = collect(reading.store, task_id).claims[0].evidence
    assert edge.other_page_ids == ()
    assert edge.locator.path == str(papers / "b.txt")


def test_a_retraction_found_while_reading_counts_at_once(reading: Bench, tmp_path: Path) -> None:
    paper = tmp_path / "paper.md"
    body = "# A trial\n\nEvening coffee increases sleep by forty minutes in adults.\n"
    paper.write_text(body, encoding="utf-8")
    task_id = check(reading, CheckRequest(("Evening coffee increases sleep.",), (paper,))).materials.task.task_id
    assert collect(reading.store, task_id).claims[0].values.refuting_count == 0
    paper.write_text(f"---\nretracted: true\n---\n{body}", encoding="utf-8")
    read_library(reading, [str(paper)], nothing)
    values = collect(reading.store, task_id).claims[0].values
    assert (values.supporting_count, values.refuting_count) == (1, 1)


def test_a_library_without_readable_text_leaves_no_task_waiting(reading: Bench, tmp_path: Path) -> None:
    (tmp_path / "a.pdf").write_bytes(b"%PDF-1.7 broken")
    with pytest.raises(InvalidInput) as caught:
        check(reading, CheckRequest(("Evening coffee shortens sleep.",), (tmp_path / "a.pdf",)))
    assert caught.value.code == "library_without_text"
    assert [task.status for task in reading.store.tasks.all()] == [TaskStatus.STOPPED]
    assert reading.store.jobs.waiting() == []


@pytest.mark.parametrize("claims", [("Evening coffee shortens sleep.",), ("",)])
def test_a_strict_check_that_is_refused_leaves_nothing_behind(reading: Bench, tmp_path: Path, claims: tuple[str, ...]) -> None:
    (tmp_path / "a.txt").write_text("Evening coffee shortens sleep by forty minutes.\n", encoding="utf-8")
    with pytest.raises(InvalidInput):
        check(reading, CheckRequest(claims, (tmp_path / "a.txt", tmp_path / "missing"), strict=True))
    assert reading.store.library.roots() == []
    assert reading.store.tasks.all() == []
