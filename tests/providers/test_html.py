"""HTML: the visible main text, its sections, its links, and what the page says of itself."""

import pytest

from lyra.core.errors import DocumentProblem
from lyra.core.records import Document, Identifier
from lyra.providers.html import read_html

TEXT = "Vitamin D lowered the risk of fractures in older adults by about nine percent in a trial of many years. "


def page(body: str, head: str = "", charset: str = "utf-8") -> bytes:
    return f'<!doctype html><html><head><meta charset="{charset}">{head}</head><body>{body}</body></html>'.encode(charset)


def read(body: str, head: str = "") -> Document:
    return read_html(page(body, head), "page.html")


def section_texts(document: Document) -> dict[str | None, str]:
    return {section.heading: document.text[section.start : section.end] for section in document.sections}


def test_headings_become_sections_and_navigation_is_left_out() -> None:
    document = read(
        "<nav><a href='/'>Home</a></nav><article><h1>A trial</h1>"
        f"<h2>Background</h2><p>{TEXT * 2}</p><h2>Results</h2><p>{TEXT * 2}</p></article><footer>Imprint</footer>"
    )
    assert section_texts(document) == {"Background": (TEXT * 2).strip(), "Results": (TEXT * 2).strip()}
    assert "Home" not in document.text
    assert "Imprint" not in document.text


def test_a_short_page_without_an_article_gives_its_visible_body() -> None:
    document = read("<nav>Menu</nav><h1>Note</h1><p>Vitamin D lowers risk.</p><footer>Imprint</footer>")
    assert document.text == "Note\n\nVitamin D lowers risk."
    assert document.sections[0].heading == "Note"
    assert document.notes == ("whole_body_used",)


@pytest.mark.parametrize(
    "hidden",
    [
        "<p hidden>SECRET</p>",
        "<div aria-hidden='true'>SECRET</div>",
        "<span style='color:red; display : none'>SECRET</span>",
        "<div style='VISIBILITY:hidden'><p>SECRET</p></div>",
        "<p style='font-size:0'>SECRET</p>",
        "<p class='x off'>SECRET</p>",
        "<p id='gone'>SECRET</p>",
        "<!-- SECRET -->",
        "<script>SECRET</script><style>SECRET</style><noscript>SECRET</noscript><template>SECRET</template>",
        "<p>\U000e0053\U000e0045\U000e0043</p>",
    ],
)
@pytest.mark.parametrize("long", [True, False])
def test_what_a_reader_cannot_see_never_enters_the_text(hidden: str, long: bool) -> None:
    style = "<style>.off{display:none} p#gone , .y { visibility:hidden } @media print{.shown{display:none}}</style>"
    document = read(f"<article><h1>T</h1><p class='shown'>{TEXT * (6 if long else 1)}{hidden}after it</p></article>", style)
    assert "SECRET" not in document.text
    assert not any(0xE0000 <= ord(character) < 0xE0080 for character in document.text)
    assert "fractures" in document.text
    assert "after it" in document.text


def test_lists_and_tables_stay_recognisable() -> None:
    document = read(
        f"<article><h1>T</h1><p>{TEXT * 3}</p><ul><li>one item</li><li>another item</li></ul>"
        "<table><tr><th>Group</th><th>Risk</th></tr><tr><td>A</td><td>5 %</td></tr></table></article>"
    )
    assert "\n\n- one item\n- another item\n" in document.text
    assert "| Group | Risk\n| A | 5 %" in document.text


def test_japanese_lines_are_joined_without_a_space() -> None:
    document = read(f"<article><p>骨折の危険は\n減少した。{'効果は試験で確かめられた。' * 20}</p></article>")
    assert document.text.startswith("骨折の危険は減少した。")


def test_scholarly_metadata_comes_before_the_rest() -> None:
    document = read(
        f"<h1>Other</h1><p>{TEXT * 4}</p>",
        "<title>Site | Other</title><meta name='citation_title' content='The  Trial'>"
        "<meta name='citation_author' content='Doe, Jane'><meta name='citation_author' content='Smith, John'>"
        "<meta name='citation_publication_date' content='2021/03/05'>"
        "<meta name='citation_doi' content='https://doi.org/10.5555/ABC'><meta name='citation_pmid' content='123'>"
        "<meta name='citation_journal_title' content='A Journal'><meta property='og:title' content='Wrong'>"
        "<link rel='canonical' href='https://Example.org/trial/?utm_source=x'>",
    )
    assert (document.title, document.authors) == ("The Trial", ("Doe, Jane", "Smith, John"))
    assert (document.published_on, document.venue) == ("2021-03-05", "A Journal")
    assert document.identifiers == (
        Identifier("doi", "10.5555/abc"),
        Identifier("pmid", "123"),
        Identifier("url", "https://example.org/trial"),
    )


def test_json_ld_and_open_graph_are_read_where_nothing_else_is() -> None:
    ld = (
        '{"@graph": [{"@type": "WebSite", "name": "X"}, {"@type": "NewsArticle", "headline": "News",'
        ' "datePublished": "2020-05-01T08:00:00Z", "author": [{"name": "A. Writer"}],'
        ' "publisher": {"name": "The Paper"}, "identifier": "doi:10.5555/ld"}]}'
    )
    document = read(f"<p>{TEXT * 4}</p>", f"<script type='application/ld+json'>{ld}</script>")
    assert (document.title, document.authors, document.published_on) == ("News", ("A. Writer",), "2020-05-01")
    assert (document.venue, document.identifiers) == ("The Paper", (Identifier("doi", "10.5555/ld"),))


@pytest.mark.parametrize(
    "ld",
    ["{", "[" * 5000, '{"@type": ["Article"], "author": 3, "headline": null}', '{"@type": "Article", "headline": "\\ud800x"}'],
)
def test_malformed_metadata_never_costs_the_page(ld: str) -> None:
    document = read(
        f"<h1>Title</h1><p>{TEXT * 4}</p>",
        f"<script type='application/ld+json'>{ld}</script><meta name='date' content='whenever'><link rel=canonical href='http://[bad'>",
    )
    assert document.title in {"Title", "x"}
    assert document.published_on is None
    assert "date_unreadable" in document.notes


def test_links_of_the_main_text_become_references() -> None:
    document = read(
        f"<article><p>{TEXT * 3} See <a href='https://doi.org/10.5555/ref'>this</a>, <a href='/local?utm_source=q'>that</a>"
        " and <a href='mailto:x@example.org'>mail</a>, as in 10.5555/named.</p></article>",
        "<link rel='canonical' href='https://example.org/a/b'>",
    )
    assert document.references == (
        Identifier("doi", "10.5555/ref"),
        Identifier("url", "https://example.org/local"),
        Identifier("doi", "10.5555/named"),
    )


@pytest.mark.parametrize(
    ("body", "head"),
    [
        ("<h1>RETRACTED: A trial</h1>", ""),
        ("<h1>A trial</h1>", "<meta name='citation_retracted' content='true'>"),
        ("<h1>【撤回】試験の結果</h1>", ""),
        ("<h1>A trial</h1>", "<meta name='dc.type' content='Retracted Article'>"),
    ],
)
def test_a_retracted_page_is_known_by_its_flags(body: str, head: str) -> None:
    assert read(f"{body}<p>{TEXT * 4}</p>", head).retracted


def test_a_retraction_notice_on_the_page_gives_the_reason() -> None:
    document = read(
        "<article><h1>A trial</h1><h2>Retraction notice</h2>"
        "<p>The editors are sorry. The article was withdrawn because data were missing.</p>"
        f"<h2>Abstract</h2><p>{TEXT * 4}</p></article>"
    )
    assert document.retracted
    assert document.retraction_reason == "The article was withdrawn because data were missing."


def test_news_about_a_retraction_is_not_retracted() -> None:
    assert not read(f"<h1>Journal withdraws retracted trial</h1><p>{TEXT * 4}</p>").retracted


@pytest.mark.parametrize("charset", ["shift_jis", "euc-jp", "iso-2022-jp", "utf-8"])
def test_japanese_pages_are_read_in_their_charset(charset: str) -> None:
    body = "<p>" + "骨折の危険は減少した。効果は試験で確かめられた。" * 10 + "</p>"
    assert "骨折の危険は減少した。" in read_html(page(body, charset=charset), "x.html").text


@pytest.mark.parametrize("data", [b"<html></html>", b"<html><body><!-- x --></body></html>", b"<p> \n</p>", b"   "])
def test_a_page_without_text_says_so(data: bytes) -> None:
    with pytest.raises(DocumentProblem) as caught:
        read_html(data, "x.html")
    assert (caught.value.code, caught.value.params["path"]) == ("no_text", "x.html")


def test_a_page_nested_beyond_reason_does_not_break_the_reader() -> None:
    with pytest.raises(DocumentProblem):
        read_html(b"<div>" * 20_000, "x.html")
    read_html(b"<p>" + TEXT.encode() * 5 + b"<b><i>" * 5_000, "x.html")
