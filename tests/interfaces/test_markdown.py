"""The written result: readable, complete, and proof against what documents say."""

import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

from lyra.core.materials import ClaimMaterial
from lyra.core.own_result import MARKDOWN_MARK
from lyra.core.records import Claim, Evidence, LedgerEntry, Locator, ProviderReport, ProviderStatus
from lyra.interfaces.markdown import materials_markdown, source_title
from lyra.interfaces.markdown_text import escape, link, quotation
from lyra.interfaces.picture import PLAIN, draw
from lyra.interfaces.untrusted import on_one_line, shortened
from tests.fakes import evidence
from tests.interfaces.test_presenter import material, materials

HOSTILE = st.text(
    st.sampled_from(list("\\`*_{}[]()<>#+-.!|~$^&\"'=:/@\n\r\t 1aあ。\u202e\u2066\u200b\u200f\x1b\x00\u2028\ufeff")), max_size=40
) | st.sampled_from(
    [
        "# heading",
        "1. list",
        "- item",
        "> quote",
        "```\ncode",
        "<script>alert(1)</script>",
        "![x](http://evil.example/x.png)",
        "[x](javascript:alert(1))",
        "<http://evil.example>",
        "a | b | c",
        "---",
        "Title\n===",
        "&lt;b&gt; &#60;b&#62;",
        "**bold** __bold__",
        "[x]: http://evil.example",
        "http://evil.example www.evil.example me@evil.example",
        "\u202egnp.exe",
        "$x$ ~~x~~",
        "    indented",
    ]
)


def tokens(text: str) -> list[Token]:
    """Every token of a document, inner ones too."""
    found: list[Token] = []
    for token in MarkdownIt("commonmark").enable("table").parse(text):
        found += [token, *(token.children or [])]
    return found


def shown(text: str) -> str:
    """What a reader sees of one paragraph."""
    return "".join(token.content for token in tokens(text) if token.type in ("text", "text_special", "code_inline"))


def hostile_edge(text: str, relation: str = "supports") -> Evidence:
    locator = Locator("version_1", "0", 0, 5, section=text, page_number=2, path=f"/library/{text}", stale=True)
    edge = evidence("edge_1", relation, 0.9)
    return replace(edge, quote=text or "x", title=text, venue=text, url=f"https://example.org/{text}", locator=locator)


def hostile_claim(text: str) -> ClaimMaterial:
    edges = [hostile_edge(text), hostile_edge(text, "refutes"), hostile_edge(text, "neutral")]
    return material(edges, Claim("claim_1", "task_1", text, "en"))


@given(HOSTILE)
def test_escaped_text_shows_its_visible_characters_and_nothing_else(text: str) -> None:
    assert shown(escape(text)) == on_one_line(text)
    assert {token.type for token in tokens(escape(text))} <= {
        "paragraph_open",
        "paragraph_close",
        "inline",
        "text",
        "text_special",
    }


@given(HOSTILE, st.sampled_from(["en", "ja"]))
def test_no_document_can_put_markup_into_the_result(text: str, lang: str) -> None:
    entry = LedgerEntry(f"/library/{text}", "failed", "damaged_pdf", {"path": text})
    report = ProviderReport("library", ProviderStatus.OK, counts={"failed": 1}, problems=(entry,))
    plain = materials_markdown(materials(hostile_claim("word"), providers=(report,)), lang)
    written = materials_markdown(materials(hostile_claim(text), providers=(report,)), lang)
    found, expected = tokens(written), tokens(plain)
    allowed = {"html_inline": {"<strong>", "</strong>"}, "html_block": {f"{MARKDOWN_MARK}\n"}}
    assert [t for t in found if t.type.startswith("html") and t.content not in allowed.get(t.type, ())] == []
    assert [t for t in found if t.type in ("image", "fence", "code_block", "hr")] == []
    hrefs = [str(t.attrs["href"]) for t in found if t.type == "link_open"]
    assert all(href.startswith("https://example.org/") for href in hrefs)
    for kind in ("heading_open", "th_open", "td_open", "blockquote_open", "table_open"):
        assert sum(t.type == kind for t in found) == sum(t.type == kind for t in expected), kind


@given(HOSTILE)
def test_no_line_ends_in_a_space_and_no_control_character_is_written(text: str) -> None:
    written = materials_markdown(materials(hostile_claim(text)), "en")
    assert not re.search(r"[ \t]\n", written)
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]", written)
    assert written.endswith("\n")


@given(HOSTILE, st.integers(0, 40), st.integers(0, 40))
def test_the_decisive_sentence_is_bold_and_the_quote_is_whole(text: str, first: int, second: int) -> None:
    start, end = sorted((min(first, len(text)), min(second, len(text))))
    written = quotation(text, (start, end))
    without_space = re.sub(r"\s", "", on_one_line(text))
    assert re.sub(r"\s", "", shown(written)) == without_space
    bold = "<strong>" in written or any(token.type == "strong_open" for token in tokens(written))
    assert bold == bool(on_one_line(text[start:end]))


def test_bold_works_beside_japanese_punctuation() -> None:
    assert quotation("減塩は良い。血圧を下げる。以上。", (6, 13)) == "> 減塩は良い。<strong>血圧を下げる。</strong>以上。"
    assert quotation("One. Two wins. Three.", (5, 14)) == "> One. **Two wins.** Three."


@pytest.mark.parametrize(
    "address", ["javascript:alert(1)", "file:///etc/passwd", "data:text/html,x", "page:1", "http://[", "https://"]
)
def test_only_addresses_of_the_web_become_links(address: str) -> None:
    assert link("label", address) == "label"


def test_an_address_cannot_leave_its_link() -> None:
    assert link("a]b", "https://example.org/x>) <b>") == "[a\\]b](<https://example.org/x%3E%29%20%3Cb%3E>)"


def test_a_result_shows_numbers_quotes_places_and_how_to_recompute() -> None:
    edge = replace(
        evidence("edge_1", "supports", 0.9),
        quote="Cats sleep. They do.",
        decisive=(0, 11),
        title="On cats",
        published_on="2021-03",
        venue="Journal of Cats",
        locator=Locator("version_1", "0", 10, 30, section="Results", page_number=3, path="/library/cats.pdf"),
    )
    written = materials_markdown(materials(material([edge, evidence("edge_2", "neutral", 0.8, "page_b")])), "en")
    for part in (
        "# Evidence: Does it?",
        "- task: `task_1`",
        "| 1 | It does. | 0.655 |",
        "**pending: too few sources**",
        "### Supports (1)",
        "> **Cats sleep.** They do.",
        "[On cats](<https://example.org/page_a>) · 2021-03, Journal of Cats",
        "section “Results”, page 3, characters 10–30 · probability 0.900",
        "- file: /library/cats.pdf",
        "### Neutral (1)",
        "1. On cats (2021-03): supports 0.900",
        "`α = 1 + 0.900000 = 1.900000; β = 1 + 0.000000 = 1.000000; α / (α + β) = 0.655`",
    ):
        assert part in written, part
    assert "●" in written


def test_a_claim_without_evidence_says_so_in_both_languages() -> None:
    assert "No evidence found" in materials_markdown(materials(material([])), "en")
    assert "証拠は見つかりませんでした" in materials_markdown(materials(material([])), "ja")


def test_what_a_reader_must_know_is_flagged() -> None:
    edge = replace(evidence("edge_1", "supports", 0.9), retracted=True, other_page_ids=("page_b", "page_c"))
    edge = replace(edge, locator=replace(edge.locator, stale=True), excluded_reason="quarantined", is_pointer=True)
    written = materials_markdown(materials(material([edge])), "en")
    for words in (
        "has been retracted",
        "has changed or gone",
        "on other pages, too (2)",
        "Left out of the numbers",
        "only points to",
    ):
        assert words in written, words


def test_pages_of_one_origin_are_grouped_with_the_reason() -> None:
    first = replace(evidence("edge_1", "supports", 0.9, "page_a"), title="Preprint", work_keys=("k",))
    second = replace(evidence("edge_2", "supports", 0.8, "page_b"), title="Article", work_keys=("k",))
    written = materials_markdown(materials(material([first, second])), "en")
    assert "1. Preprint; Article (versions of one work): supports 0.900" in written


@pytest.mark.parametrize(
    ("lang", "told"),
    [
        ("en", "Wire; Paper; Study (nearly the same text; retelling one source)"),
        ("ja", "Wire／Paper／Study (ほぼ同じ文章／同じ一つの情報源を伝えるもの)"),
    ],
)
def test_each_reason_for_one_origin_is_told_in_words(lang: str, told: str) -> None:
    wire = "A trial with three hundred adults has shown over two years that daily walking lowers blood pressure in men and women"
    first = replace(evidence("edge_1", "supports", 0.9, "page_a"), title="Wire", quote=f"{wire}.")
    second = replace(evidence("edge_2", "supports", 0.8, "page_b"), title="Paper", quote=f"{wire} alike.", sole_citation="page_c")
    study = replace(evidence("edge_3", "supports", 0.7, "page_c"), title="Study")
    written = materials_markdown(materials(material([first, second, study])), lang)
    assert f"1. {told}:" in written


def test_a_source_without_a_title_is_called_by_its_file() -> None:
    edge = replace(evidence("edge_1", "supports", 0.9), url="file:///library/a%20b.txt")
    assert source_title(edge) == "a b.txt"
    assert source_title(replace(edge, locator=replace(edge.locator, path="/library/c.txt"))) == "c.txt"
    assert source_title(replace(edge, url="https://example.org/x")) == "https://example.org/x"


@given(st.floats(0, 1), st.floats(0, 1), st.floats(0, 1), st.integers(3, 60))
def test_the_picture_always_has_its_width_and_its_value(value: float, one: float, two: float, width: int) -> None:
    picture = draw(value, (min(one, two), max(one, two)), width, PLAIN)
    assert len(picture) == width + 2
    assert picture.count("o") == 1
    assert set(picture[1:-1]) <= set(".=o")


@given(st.text(max_size=60), st.integers(2, 30))
def test_a_shortened_text_is_short_and_a_beginning(text: str, limit: int) -> None:
    cut = shortened(text, limit)
    assert len(cut) <= limit
    assert text.startswith(cut.removesuffix("…").rstrip()) or cut == text


def test_a_line_break_inside_japanese_is_not_a_space() -> None:
    assert on_one_line("減塩は\n血圧を\r\n下げる。\nSalt\nraises") == "減塩は血圧を下げる。 Salt raises"
