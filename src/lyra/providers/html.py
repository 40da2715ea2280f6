"""Reading HTML: the main text as a reader sees it, its headings, its links, and what the page says of itself."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from lyra.core.errors import DocumentProblem
from lyra.core.records import Document
from lyra.providers.assembly import assemble
from lyra.providers.decoding import MAX_CHARS, declared_charset, decode_document
from lyra.providers.html_blocks import join_wrapped_lines, page_blocks, page_links, parse_page
from lyra.providers.html_metadata import read_metadata
from lyra.providers.html_unseen import comments, unseen_values
from lyra.providers.html_visibility import drop_hidden
from lyra.providers.naming import distinct, named_works
from lyra.providers.notes import WHOLE_BODY_USED
from lyra.providers.retraction import retraction_notice, title_says_retracted

if TYPE_CHECKING:
    from lxml.html import HtmlElement

# A page's source may be this many times longer than the text in it.
_MARKUP_FACTOR = 4
# Below this the extractor has found no article and falls back to loose text without headings; our own walk keeps them.
_MIN_ARTICLE = 200
_NOT_CONTENT = ("nav", "footer", "aside", "form", "button", "select", "menu", "dialog", "label", "option")


def read_html(data: bytes, where: str, max_chars: int = MAX_CHARS, address: str | None = None) -> Document:
    """Return the document in an HTML page; `where` names it in errors, `address` is the URL it came from, if any.

    Only visible text enters. Raises DocumentProblem `undecodable`, `text_too_long` or `no_text`.
    """
    decoded = decode_document(data, where, _MARKUP_FACTOR * max_chars, declared_charset(data))
    page = parse_page(decoded.text)
    if page is None:
        raise DocumentProblem("no_text", path=where)
    metadata = read_metadata(page, address)
    unseen = (*comments(decoded.text), *unseen_values(page), *drop_hidden(page))
    join_wrapped_lines(page)
    root, notes = _main_part(page)
    text, sections = assemble(page_blocks(root))
    if not any(map(str.isalnum, text)):
        raise DocumentProblem("no_text", path=where)
    reason = retraction_notice(text, sections, metadata.title)
    return Document(
        text=text,
        sections=sections,
        title=metadata.title,
        authors=metadata.authors,
        published_on=metadata.published_on,
        venue=metadata.venue,
        identifiers=metadata.identifiers,
        references=tuple(distinct([*page_links(root, metadata.base), *named_works(text)], besides=metadata.identifiers)),
        retracted=metadata.retracted or title_says_retracted(metadata.title) or reason is not None,
        retraction_reason=reason,
        unseen=(*decoded.unseen, *unseen),
        extractor=f"trafilatura {trafilatura_version()}",
        notes=(*decoded.notes, *metadata.notes, *notes),
    )


def _main_part(page: "HtmlElement") -> tuple["HtmlElement", Sequence[str]]:
    """Return the element that holds the article, or the whole visible body of a page that has none."""
    import trafilatura  # noqa: PLC0415 - as above

    found = trafilatura.bare_extraction(page, include_comments=False, include_links=True)
    article = getattr(found, "body", None)
    if article is not None and len("".join(article.itertext())) >= _MIN_ARTICLE:
        return article, ()
    body = page.find(".//body")
    root = page if body is None else body
    for element in list(root.iter(*_NOT_CONTENT)):
        element.drop_tree()
    return root, (WHOLE_BODY_USED,)


def trafilatura_version() -> str:
    """Return the version of the extractor, which is part of what makes a text what it is."""
    import trafilatura  # noqa: PLC0415 - as above

    return str(trafilatura.__version__)
