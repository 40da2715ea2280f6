"""Reading HTML: the main text as a reader sees it, its headings, its links, and what the page says of itself."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from lyra.core.errors import DocumentProblem
from lyra.core.identity import host_of, normalise_url
from lyra.core.pages import Link
from lyra.core.records import Document, Identifier
from lyra.providers.assembly import assemble
from lyra.providers.decoding import MAX_CHARS, Decoded, declared_charset, decode_document
from lyra.providers.html_blocks import join_wrapped_lines, page_blocks, page_links, parse_page
from lyra.providers.html_links import reference_links, text_links
from lyra.providers.html_metadata import PageMetadata, read_metadata
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


@dataclass(frozen=True, slots=True)
class WebPage:
    """A page of the web: the document, the links in its main text, and the entries of its list of references."""

    document: Document
    links: tuple[Link, ...]
    cited: tuple[Link, ...]


def read_html(data: bytes, where: str, max_chars: int = MAX_CHARS, address: str | None = None) -> Document:
    """Return the document in an HTML page; `where` names it in errors, `address` is the URL it came from, if any.

    Only visible text enters. Raises DocumentProblem `undecodable`, `text_too_long` or `no_text`.
    """
    page, decoded = _parsed(data, where, max_chars, None)
    metadata = read_metadata(page, address)
    return _document(page, metadata, where, decoded)[0]


def read_web_page(data: bytes, address: str, max_chars: int = MAX_CHARS, charset: str | None = None) -> WebPage:
    """Return a fetched HTML page; `charset` is what the server says of it. Raises as `read_html`."""
    page, decoded = _parsed(data, address, max_chars, charset)
    metadata = _at_home(read_metadata(page, address), address)
    cited = reference_links(page, metadata.base)
    document, root = _document(page, metadata, address, decoded)
    return WebPage(document, text_links(root, metadata.base), cited)


def _at_home(metadata: PageMetadata, address: str) -> PageMetadata:
    """Return the metadata without an address on somebody else's host: no page may pass itself off as another one's."""
    own = Identifier("url", normalise_url(address))
    kept = [name for name in metadata.identifiers if name.kind != "url" or host_of(name.value) == host_of(address)]
    named = kept if any(name.kind == "url" for name in kept) else [*kept, own]
    return replace(metadata, identifiers=tuple(named))


def _parsed(data: bytes, where: str, max_chars: int, charset: str | None) -> tuple["HtmlElement", Decoded]:
    # A page's own word weighs more than its server's, which is often that of another page.
    decoded = decode_document(data, where, _MARKUP_FACTOR * max_chars, declared_charset(data) or charset)
    page = parse_page(decoded.text)
    if page is None:
        raise DocumentProblem("no_text", path=where)
    return page, decoded


def _document(page: "HtmlElement", metadata: PageMetadata, where: str, decoded: Decoded) -> tuple[Document, "HtmlElement"]:
    """Return the document and the element that its text stands in; takes what is hidden out of `page`."""
    unseen = (*comments(decoded.text), *unseen_values(page), *drop_hidden(page))
    join_wrapped_lines(page)
    root, notes = _main_part(page)
    text, sections = assemble(page_blocks(root))
    if not any(map(str.isalnum, text)):
        raise DocumentProblem("no_text", path=where)
    reason = retraction_notice(text, sections, metadata.title)
    document = Document(
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
    return document, root


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
