"""Plain text stays as it is; its title, header and sections are worked out."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lyra.core.errors import DocumentProblem
from lyra.core.records import Document, Identifier
from lyra.providers.plain import read_plain

SENTENCE = "Vitamin D lowered the risk of fractures."


def read(text: str) -> Document:
    return read_plain(text.encode(), "a.txt")


def found_sections(document: Document) -> list[tuple[str | None, str]]:
    return [(section.heading, document.text[section.start : section.end]) for section in document.sections]


def test_the_text_is_kept_as_it_is() -> None:
    text = f"A title\n\n  {SENTENCE}\n\n\n\tIndented  words.\n"
    assert read(text).text == text


def test_a_first_line_that_looks_like_one_is_the_title() -> None:
    document = read(f"A trial of vitamin D\n\n{SENTENCE}")
    assert document.title == "A trial of vitamin D"
    assert found_sections(document) == [(None, SENTENCE)]


@pytest.mark.parametrize(
    "text", [f"{SENTENCE} {SENTENCE}\n\n{SENTENCE}", "A wrapped line that goes\non in the next line.\n\nMore.", SENTENCE]
)
def test_a_first_line_of_running_text_is_no_title(text: str) -> None:
    assert read(text).title is None


@pytest.mark.parametrize(
    "header",
    [
        "DOI: 10.5555/ABC\nDate: 5 March 2021\nAuthor: Jane Doe",
        "Author: Jane Doe\n\nPublished: 2021-03-05\n\nhttps://doi.org/10.5555/abc",
        "著者：Jane Doe\n発行日：2021年3月5日\nDOI：10.5555/abc",
        "From: nobody\nAuthor: Jane Doe\nDate: 2021-03-05\nDOI: doi:10.5555/abc",
    ],
)
def test_header_lines_are_understood_and_stand_in_no_section(header: str) -> None:
    document = read(f"A title\n\n{header}\n\n{SENTENCE}")
    assert (document.title, document.authors, document.published_on) == ("A title", ("Jane Doe",), "2021-03-05")
    assert document.identifiers == (Identifier("doi", "10.5555/abc"),)
    assert found_sections(document) == [(None, SENTENCE)]


def test_a_date_under_the_title_counts() -> None:
    document = read(f"調査の概要について\n例示都市交通研究所　2021年10月\n\n{SENTENCE}")
    assert document.published_on == "2021-10"


def test_a_date_in_the_text_does_not_count() -> None:
    assert read(f"A title\n\nIn March 2021 the trial began. {SENTENCE}").published_on is None


def test_a_header_that_cannot_be_used_is_noted() -> None:
    document = read(f"Title: T\nDate: soon\nDOI: none\n\n{SENTENCE}")
    assert (document.title, document.published_on, document.identifiers) == ("T", None, ())
    assert document.notes == ("date_unreadable", "identifier_unreadable")


@pytest.mark.parametrize(
    "heading", ["Results", "2. Methods used", "FINDINGS OF 2021", "What we found", "調査の結果", "第2章 方法"]
)
def test_a_line_alone_before_text_is_a_heading(heading: str) -> None:
    document = read(f"A title\n\n{SENTENCE}\n\n{heading}\n\n{SENTENCE}")
    assert found_sections(document) == [(None, SENTENCE), (heading, SENTENCE)]


def test_an_underlined_line_and_a_numbered_first_line_are_headings() -> None:
    document = read(f"A title\n\nOne\n===\n{SENTENCE}\n\n2. Two\n{SENTENCE}")
    assert found_sections(document) == [("One", SENTENCE), ("2. Two", SENTENCE)]


def test_a_numbered_list_is_not_a_heading() -> None:
    document = read(f"A title\n\n{SENTENCE}\n\n1. Take one\n2. Take another")
    assert [heading for heading, _ in found_sections(document)] == [None]


def test_a_retraction_notice_is_recognised() -> None:
    document = read(
        f"試験の結果\n\n撤回のお知らせ\n\n本論文は撤回されました。元データを確認できなかったためです。\n\n要旨\n\n{SENTENCE}"
    )
    assert (document.retracted, document.retraction_reason) == (True, "元データを確認できなかったためです。")


def test_the_notice_itself_is_not_retracted() -> None:
    assert not read(f"Retraction notice\n\nThe article 10.5555/x was withdrawn.\n\n{SENTENCE}").retracted


@pytest.mark.parametrize("text", ["\n", " \t\n", "***\n---"])
def test_a_file_without_letters_says_so(text: str) -> None:
    with pytest.raises(DocumentProblem) as caught:
        read(text)
    assert caught.value.code == "no_text"


@given(st.text(max_size=300) | st.text(alphabet="aA.:\n-1=。題 ", max_size=300))
def test_sections_are_ordered_slices(text: str) -> None:
    try:
        document = read_plain(text.encode("utf-8", "replace"), "a.txt")
    except DocumentProblem:
        return
    previous = 0
    for section in document.sections:
        assert previous <= section.start < section.end <= len(document.text)
        previous = section.end
