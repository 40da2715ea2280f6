"""Reading the result page of a search engine without knowing the engine: outward links with a title and words below."""

from typing import TYPE_CHECKING
from urllib.parse import parse_qsl, urlsplit

from publicsuffixlist import PublicSuffixList

from lyra.core.identifiers import identifiers_in_address, identifiers_in_text
from lyra.core.identity import normalise_url
from lyra.core.works import Item
from lyra.providers.cleaning import clean_line
from lyra.providers.html_blocks import parse_page
from lyra.providers.html_links import host_of_or_none
from lyra.providers.html_metadata import join_address

if TYPE_CHECKING:
    from lxml.html import HtmlElement

_MIN_TITLE = 4
_MAX_ITEMS = 100
_MAX_SNIPPET = 600
_WRAPPERS = ("uddg", "url", "u", "q", "target", "to")
_OUTSIDE = ("nav", "footer", "header", "aside")


def read_results(html: str, address: str, source: str) -> list[Item]:
    """Return the results on a page, in order, once each. Links within the engine's own domain are none."""
    page = parse_page(html)
    if page is None:
        return []
    suffixes = PublicSuffixList(only_icann=True)
    own = suffixes.privatesuffix(host_of_or_none(address) or "") or host_of_or_none(address)
    found: dict[str, Item] = {}
    for anchor in page.iter("a"):
        target = _outward(join_address(address, anchor.get("href") or ""))
        host = host_of_or_none(target) if target else None
        title = clean_line(anchor.text_content())[:300]
        if not target or not host or len(title) < _MIN_TITLE or next(anchor.iterancestors(*_OUTSIDE), None) is not None:
            continue
        if (suffixes.privatesuffix(host) or host) == own and host_of_or_none(address) == host:
            continue
        snippet = _snippet(anchor, title)
        names = dict.fromkeys([*identifiers_in_address(target), *identifiers_in_text(f"{title}\n{snippet}")])
        key = normalise_url(target)
        known = found.get(key)
        if known is None or (not known.snippet and snippet):
            found[key] = Item(source, known.title if known else title, target, snippet, tuple(names))
        if len(found) >= _MAX_ITEMS:
            break
    return list(found.values())


def _outward(link: str) -> str | None:
    """Return where a link leads, also behind an engine's counting address; None for what leads nowhere."""
    if not link.lower().startswith(("http://", "https://")):
        return None
    try:
        query = dict(parse_qsl(urlsplit(link).query))
    except ValueError:
        return None
    wrapped = next((query[name] for name in _WRAPPERS if query.get(name, "").startswith(("http://", "https://"))), None)
    return wrapped or link


def _snippet(anchor: "HtmlElement", title: str) -> str:
    """Return the words that stand with a link: those of the nearest element around it that says more than its title."""
    for holder in anchor.iterancestors():
        words = clean_line(holder.text_content())
        if len(words) > len(title) + 20:
            links = sum(1 for _ in holder.iter("a"))
            return clean_line(words.replace(title, " ", 1))[:_MAX_SNIPPET] if links <= 4 else ""  # noqa: PLR2004 - one result
    return ""
