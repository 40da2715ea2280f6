"""Reading Markdown: the words without the markup, headings as sections, links as references.

Rendered by markdown-it-py and then read like a page. CommonMark's rules for emphasis, links and code have more corner cases
than regular expressions can follow, and a mark taken for a word would end up in a quote; and raw HTML inside is so treated
as everywhere else: what readers of the rendered text do not see never enters.
"""

from typing import TYPE_CHECKING

from lyra.core.errors import DocumentProblem
from lyra.core.page_safety import Unseen
from lyra.core.records import Document
from lyra.providers.assembly import assemble
from lyra.providers.cleaning import clean_line
from lyra.providers.decoding import MAX_CHARS, decode_document
from lyra.providers.front_matter import split_front_matter
from lyra.providers.html_blocks import join_wrapped_lines, page_blocks, page_links, parse_page
from lyra.providers.html_unseen import comments, unseen_values
from lyra.providers.html_visibility import drop_hidden
from lyra.providers.naming import distinct, named_works
from lyra.providers.retraction import retraction_notice, title_says_retracted

if TYPE_CHECKING:
    from lxml.html import HtmlElement


def read_markdown(data: bytes, where: str, max_chars: int = MAX_CHARS) -> Document:
    """Return the document in a Markdown file. Raises DocumentProblem `undecodable`, `text_too_long` or `no_text`.

    Code is kept as text; images, HTML comments and hidden HTML are left out. Broken front matter only adds a note.
    """
    decoded = decode_document(data, where, max_chars)
    front, body = split_front_matter(decoded.text)
    page, unseen = _render(body)
    if page is None:
        raise DocumentProblem("no_text", path=where)
    blocks = list(page_blocks(page))
    text, sections = assemble(blocks)
    if not any(map(str.isalnum, text)):
        raise DocumentProblem("no_text", path=where)
    title = front.title or next((clean_line(block.text) for block in blocks if block.heading), None)
    notice = retraction_notice(text, sections, title)
    return Document(
        text=text,
        sections=sections,
        title=title,
        authors=front.authors,
        published_on=front.published_on,
        venue=front.venue,
        identifiers=front.identifiers,
        references=tuple(distinct([*page_links(page, None), *named_works(text)], besides=front.identifiers)),
        retracted=front.retracted or title_says_retracted(title) or notice is not None,
        retraction_reason=front.retraction_reason or notice,
        extractor="markdown",
        notes=(*decoded.notes, *front.notes),
        unseen=(*decoded.unseen, *unseen),
    )


def _render(body: str) -> tuple["HtmlElement | None", tuple[Unseen, ...]]:
    from markdown_it import MarkdownIt  # noqa: PLC0415 - costs start-up time that only reading Markdown may pay

    source = MarkdownIt("commonmark").enable(["table", "strikethrough"]).render(body)
    page = parse_page(source)
    if page is None:
        return None, ()
    unseen = (*comments(source), *unseen_values(page), *drop_hidden(page))
    join_wrapped_lines(page)
    return page, unseen
