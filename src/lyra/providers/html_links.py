"""Links of a page with the words around them: those in its main text, and those in its list of references."""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from lyra.core.identifiers import identifiers_in_address, identifiers_in_text
from lyra.core.identity import host_of, identify_link
from lyra.core.pages import Link
from lyra.core.records import Identifier
from lyra.providers.cleaning import clean_line
from lyra.providers.html_metadata import join_address

if TYPE_CHECKING:
    from lxml.html import HtmlElement

_MAX_LINKS = 2_000
_CONTEXT_CHARS = 300
_ANCHOR_CHARS = 200
_BLOCKS = frozenset({"p", "li", "item", "td", "cell", "dd", "blockquote", "quote", "div", "section", "head", "h2", "h3"})
_REFERENCE_LIST = re.compile(
    r"\b(?:references|reflist|mw-references-wrap|ref-list|citations?-list|bibliography|footnotes)\b", re.IGNORECASE
)
_REFERENCE_HEADING = re.compile(r"(?:references|notes|sources|citations|bibliography|脚注|出典|参考文献|注釈)\W*", re.IGNORECASE)
_HEADINGS = ("h2", "h3", "h4")
_ENTRIES = ("li", "p", "cite")
_ARCHIVES = re.compile(r"^https?://(?:web\.archive\.org/web/\d+(?:[a-z_]*)/|archive\.(?:today|is|ph|org)/)", re.IGNORECASE)


def text_links(root: "HtmlElement", base: str | None) -> tuple[Link, ...]:
    """Return the links below `root` that lead to another page, once each, with anchor text and the words around it."""
    found: dict[str, Link] = {}
    own = (base or "").partition("#")[0]
    for element in root.iter("a", "ref"):
        address = join_address(base, element.get("href") or element.get("target") or "")
        target = identify_link(address)
        if target is None or address.partition("#")[0] == own:
            continue
        anchor = clean_line(element.text_content() if hasattr(element, "text_content") else "".join(element.itertext()))
        link = Link(_best(address, target), address, anchor[:_ANCHOR_CHARS], _context(element, anchor))
        found.setdefault(target.value, link)
        if len(found) >= _MAX_LINKS:
            break
    return tuple(found.values())


def reference_links(page: "HtmlElement", base: str | None) -> tuple[Link, ...]:
    """Return what the list of references of a page names, in order: by identifier where an entry has one, else by link.

    Links within the own host (back to the text, to other articles) and archived copies of a link beside the original are
    left out.
    """
    own = host_of(base) if base else None
    found: dict[Identifier, Link] = {}
    for entry in _reference_entries(page):
        words = clean_line("".join(entry.itertext()))
        addresses = [join_address(base, anchor.get("href") or "") for anchor in entry.iter("a")]
        outward = [address for address in addresses if host_of_or_none(address) not in (None, own)]
        named = [one for address in outward for one in identifiers_in_address(address) if one.kind != "url"]
        named += identifiers_in_text(words)
        original = [address for address in outward if not _ARCHIVES.match(address)] or outward
        target = named[0] if named else (identify_link(original[0]) if original else None)
        if target is not None:
            address = original[0] if original else ""
            found.setdefault(target, Link(target, address, words[:_ANCHOR_CHARS], words[:_CONTEXT_CHARS]))
        if len(found) >= _MAX_LINKS:
            break
    return tuple(found.values())


def host_of_or_none(address: str) -> str | None:
    """Return the host of a link; None for a malformed one too."""
    try:
        return host_of(address)
    except ValueError:
        return None


def _reference_entries(page: "HtmlElement") -> Iterator["HtmlElement"]:
    # The elements themselves: an id may come again once the element it belonged to is let go.
    seen: set[HtmlElement] = set()
    for holder in _reference_holders(page):
        for entry in holder.iter(*_ENTRIES):
            # The outermost entry alone: a citation inside a list item belongs to it.
            if entry in seen:
                continue
            seen.update(entry.iter())
            yield entry


def _reference_holders(page: "HtmlElement") -> Iterator["HtmlElement"]:
    for element in page.iter("ol", "ul", "div", "section"):
        marks = f"{element.get('class') or ''} {element.get('id') or ''}"
        if _REFERENCE_LIST.search(marks):
            yield element
    for heading in page.iter(*_HEADINGS):
        if _REFERENCE_HEADING.fullmatch(clean_line(heading.text_content())):
            following = heading.getnext() if heading.getnext() is not None else heading.getparent().getnext()
            if following is not None and following.tag in ("ol", "ul", "div"):
                yield following


def _best(address: str, target: Identifier) -> Identifier:
    """Return the work that an address is about, where it says so, else the address itself."""
    return next((one for one in identifiers_in_address(address) if one.kind != "url"), target)


def _context(element: "HtmlElement", anchor: str) -> str:
    block = element.getparent()
    while block is not None and block.tag not in _BLOCKS:
        block = block.getparent()
    words = clean_line("".join(block.itertext())) if block is not None else anchor
    at = words.find(anchor) if anchor else 0
    start = max(0, at + len(anchor) // 2 - _CONTEXT_CHARS // 2)
    return words[start : start + _CONTEXT_CHARS].strip()
