"""The blocks of an HTML tree: paragraphs, headings, list items and table rows in reading order, and the links in them."""

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from lyra.core.identity import identify_link
from lyra.core.lexicon import CJK
from lyra.core.records import Identifier
from lyra.providers.assembly import LINE, PARAGRAPH, Block
from lyra.providers.html_metadata import join_address

if TYPE_CHECKING:
    from lxml.html import HtmlElement

# Both vocabularies: the page's own elements, and those of the extractor's result (head, list, item, row, cell, quote, lb).
_HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6", "head"})
_ITEMS = frozenset({"li", "item", "dt", "dd"})
_ROWS = frozenset({"tr", "row"})
_VERBATIM = frozenset({"pre"})
_BREAKING = (
    _HEADINGS
    | _ITEMS
    | _ROWS
    | _VERBATIM
    | {"p", "div", "section", "article", "main", "header", "ul", "ol", "dl", "list", "table"}
) | {"blockquote", "quote", "figure", "figcaption", "caption", "address", "details", "summary", "body", "thead", "tbody"}
_BREAK_MARK = "\x0b"
_MARKS = dict.fromkeys(("br", "lb", "hr"), _BREAK_MARK) | dict.fromkeys(("td", "th", "cell"), " | ")
_LINE_STARTS = ("- ", "| ")
_WRAPPED_CJK = re.compile(rf"(?<=[{CJK}、。，．！？」』）])[^\S\n]*\n\s*(?=[{CJK}「『（])")
_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_WHITE = re.compile(rf"[^\S{_BREAK_MARK}]+")
_AROUND_BREAK = re.compile(rf" ?{_BREAK_MARK} ?")


def parse_page(text: str) -> "HtmlElement | None":
    """Return the tree of an HTML text, without comments; None if it holds no element at all."""
    from lxml import etree, html  # noqa: PLC0415 - costs start-up time that only reading a page may pay

    parser = html.HTMLParser(encoding="utf-8", remove_comments=True, remove_pis=True)
    try:
        return html.document_fromstring(text.encode("utf-8"), parser=parser)
    except etree.ParserError:
        return None


def join_wrapped_lines(root: "HtmlElement") -> None:
    """Take the line breaks of the source out from between Japanese characters, in place; they are no spaces there."""
    for element in root.iter():
        # Set only what changes: the tree can hold characters (from entities such as &#27;) that cannot be set again.
        if element.text and element.tag not in _VERBATIM and _WRAPPED_CJK.search(element.text):
            element.text = _settable(_WRAPPED_CJK.sub("", element.text))
        if element.tail and _WRAPPED_CJK.search(element.tail):
            element.tail = _settable(_WRAPPED_CJK.sub("", element.tail))


def _settable(text: str) -> str:
    return _NOT_XML.sub("", text)


def page_blocks(root: "HtmlElement") -> Iterator[Block]:
    """Yield the blocks below `root` in reading order; list items and table rows stay recognisable as such."""
    in_list = False
    for text, open_blocks in _runs(root):
        if open_blocks and open_blocks[-1] in _VERBATIM:
            block = Block(text.strip("\n"))
        else:
            block = _folded_block(text, open_blocks, in_list)
        if block.text.strip():
            yield block
            in_list = block.text.startswith(_LINE_STARTS)


def _runs(root: "HtmlElement") -> Iterator[tuple[str, Sequence[str]]]:
    """Yield each run of text between block boundaries, with the tags of the blocks it stands in."""
    from lxml import etree  # noqa: PLC0415 - as above

    buffer: list[str] = []
    open_blocks: list[str] = []
    for event, element in etree.iterwalk(root, events=("start", "end")):
        breaks = element.tag in _BREAKING and (element.tag in _ROWS or _ROWS.isdisjoint(open_blocks))
        if breaks:
            yield "".join(buffer), tuple(open_blocks)
            buffer.clear()
        if event == "start":
            if breaks:
                open_blocks.append(element.tag)
            buffer += (_MARKS.get(element.tag, ""), element.text or "")
        else:
            if breaks:
                open_blocks.pop()
            if element is not root:
                buffer.append(element.tail or "")
    yield "".join(buffer), tuple(open_blocks)


def _folded_block(text: str, open_blocks: Sequence[str], in_list: bool) -> Block:
    folded = _AROUND_BREAK.sub(LINE, _WHITE.sub(" ", text)).strip()
    if not _ROWS.isdisjoint(open_blocks):
        return Block(folded, glue=LINE if in_list else PARAGRAPH)
    if folded and not _ITEMS.isdisjoint(open_blocks[-2:]):
        return Block(f"- {folded}", glue=LINE if in_list else PARAGRAPH)
    return Block(folded, heading=not _HEADINGS.isdisjoint(open_blocks[-1:]))


def page_links(root: "HtmlElement", base: str | None) -> Iterator[Identifier | None]:
    """Yield what each link below `root` names; relative links start from `base`, and name nothing without one."""
    for element in root.iter("a", "ref"):
        target = element.get("href") or element.get("target") or ""
        yield identify_link(join_address(base, target))
