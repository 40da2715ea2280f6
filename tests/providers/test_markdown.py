"""Markdown: the words without the markup."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lyra.core.errors import DocumentProblem
from lyra.core.records import Document, Identifier
from lyra.providers.front_matter import MAX_CHARS, split_front_matter
from lyra.providers.markdown import read_markdown

FULL = """---
title: "A trial: the results"
authors:
  - Jane Doe
  - name: John Smith
date: 2021-03
doi: 10.5555/ABC
arxiv: 2101.00001
pmid: 12345
url: https://Example.org/a/
venue: A Journal
kind: article
retracted: true
retraction_reason: Data were missing.
colour: blue
---
# A trial

Text here.
"""


def read(text: str) -> Document:
    return read_markdown(text.encode(), "a.md")


def test_front_matter_is_understood() -> None:
    document = read(FULL)
    assert (document.title, document.authors, document.published_on) == (
        "A trial: the results",
        ("Jane Doe", "John Smith"),
        "2021-03",
    )
    assert document.identifiers == (
        Identifier("doi", "10.5555/abc"),
        Identifier("pmid", "12345"),
        Identifier("arxiv", "2101.00001"),
        Identifier("url", "https://example.org/a"),
    )
    assert (document.venue, document.retracted, document.retraction_reason) == ("A Journal", True, "Data were missing.")
    assert document.notes == ()
    assert document.text == "A trial\n\nText here."


@pytest.mark.parametrize(
    "front",
    [
        "title: A trial: unquoted\ndoi: 10.5555/a",
        "title: [unclosed\ndoi: 10.5555/a",
        "title: one\ntitle: two\ndoi: 10.5555/a",
        "title: &x one\nvenue: *x\ndoi: 10.5555/a",
        "x: [[[[[[[[1]]]]]]]]\ndoi: 10.5555/a",
        "doi: 10.5555/a\n\tbad: tab",
        "- a list\ndoi: 10.5555/a",
    ],
)
def test_broken_front_matter_is_a_note_and_its_plain_lines_still_count(front: str) -> None:
    document = read(f"---\n{front}\n---\n\nThe body is read.")
    assert document.text == "The body is read."
    assert document.notes == ("front_matter_broken",)
    assert document.identifiers == (Identifier("doi", "10.5555/a"),)


def test_a_field_given_twice_is_not_used() -> None:
    assert read("---\ntitle: one\ntitle: two\n---\n\nBody text.").title is None


@pytest.mark.parametrize("front", ["x: " + "[" * 20_000, "x: &a [b]\ny: " + "[*a, " * 900 + "]" * 900])
def test_a_bomb_in_the_front_matter_is_refused_at_once(front: str) -> None:
    assert read(f"---\n{front}\n---\nBody text.").notes == ("front_matter_broken",)


def test_front_matter_above_the_limit_is_left_unread() -> None:
    document = read(f"---\ntitle: x\nlong: {'y' * MAX_CHARS}\n---\nBody text.")
    assert (document.text, document.notes, document.title) == ("Body text.", ("front_matter_too_large",), None)


@pytest.mark.parametrize(
    ("field", "note"),
    [("date: sometime", "date_unreadable"), ("date: 2021-02-30", "date_unreadable"), ("doi: nonsense", "identifier_unreadable")],
)
def test_a_value_that_cannot_be_used_is_noted(field: str, note: str) -> None:
    document = read(f"---\ntitle: T\n{field}\n---\nBody text.")
    assert (document.title, document.notes) == ("T", (note,))


@pytest.mark.parametrize(
    "text", ["---\n\nA rule above.\n\n---\n\nAnd below.", "--- not front matter", "Text\n---\ntitle: x\n---"]
)
def test_a_rule_is_not_front_matter(text: str) -> None:
    assert split_front_matter(text)[1] == text


def test_markup_is_gone_and_words_stay() -> None:
    document = read(
        "# Title *one*\n\nA **bold** and _soft_ [link](https://doi.org/10.5555/ref) with `code` and ![image](x.png) done.\n\n"
        "- first\n- second\n\n1. third\n\n> quoted\n\n```py\nx = 1\n```\n\n| A | B |\n|---|---|\n| 1 | 2 |\n"
    )
    assert document.text == (
        "Title one\n\nA bold and soft link with code and done."
        "\n\n- first\n- second\n- third\n\nquoted\n\nx = 1\n\n| A | B\n| 1 | 2"
    )
    assert document.references == (Identifier("doi", "10.5555/ref"),)
    assert document.title == "Title one"


def test_headings_become_sections() -> None:
    document = read("Before.\n\n# One\n\nText one.\n\nSetext\n------\n\nText two.\n\n## Empty\n\n## Three\n\nText three.")
    found = [(section.heading, document.text[section.start : section.end]) for section in document.sections]
    assert found == [(None, "Before."), ("One", "Text one."), ("Setext", "Text two."), ("Three", "Text three.")]


@pytest.mark.parametrize(
    "hidden",
    [
        "<!-- SECRET -->",
        "<span style='display:none'>SECRET</span>",
        "<div hidden>\n\nSECRET *paragraph*\n\n</div>",
        "<script>SECRET</script>",
        "[//]: # (SECRET)",
    ],
)
def test_hidden_text_never_enters(hidden: str) -> None:
    document = read(f"Before it.\n\n{hidden}\n\nAfter it.")
    assert "SECRET" not in document.text
    assert "After it." in document.text


def test_a_wrapped_paragraph_is_one_line() -> None:
    assert (
        read("A line\nwrapped by hand.\n\n骨折の危険は\n減少した。").text == "A line wrapped by hand.\n\n骨折の危険は減少した。"
    )


def test_signs_of_mathematics_are_not_markup() -> None:
    assert read("The risk fell (p < .05, n > 10 & more).").text == "The risk fell (p < .05, n > 10 & more)."


@pytest.mark.parametrize("text", ["", "\n\n", "---\ntitle: only\n---\n", "<!-- only -->", "***"])
def test_a_file_without_text_says_so(text: str) -> None:
    with pytest.raises(DocumentProblem) as caught:
        read(text or " ")
    assert caught.value.code == "no_text"


@settings(max_examples=60)
@given(st.text(max_size=200) | st.text(alphabet="#*_[]()`<>!|-\n :&~ab骨1", max_size=200))
def test_every_section_is_a_slice_of_the_text(text: str) -> None:
    try:
        document = read_markdown(text.encode("utf-8", "replace"), "a.md")
    except DocumentProblem as problem:
        assert problem.code in {"no_text", "undecodable"}
        return
    ends = [0, *(section.end for section in document.sections)]
    for before, section in zip(ends, document.sections, strict=False):
        assert before <= section.start < section.end <= len(document.text)
