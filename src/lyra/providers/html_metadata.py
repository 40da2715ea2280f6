"""What an HTML page says of itself: title, people, date, venue, identifiers, retraction."""

import json
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import urljoin

from lyra.core.identity import normalise_doi
from lyra.core.records import Identifier
from lyra.providers.cleaning import clean_line
from lyra.providers.dates import parse_date
from lyra.providers.naming import author_names, distinct, identifier_of
from lyra.providers.notes import DATE_UNREADABLE

if TYPE_CHECKING:
    from lxml.html import HtmlElement


_TITLES = ("citation_title", "dc.title", "dcterms.title", "ld.headline", "og:title", "twitter:title")
_AUTHORS = ("citation_author", "citation_authors", "dc.creator", "dcterms.creator", "ld.author", "author", "article:author")
_DATES = tuple(
    """citation_publication_date citation_date citation_online_date dc.date dc.date.issued dcterms.issued dcterms.date
    prism.publicationdate ld.datepublished article:published_time date pubdate publish-date citation_year""".split()
)
_VENUES = tuple(
    """citation_journal_title citation_conference_title citation_inbook_title prism.publicationname dc.source ld.venue
    og:site_name""".split()
)
_IDENTIFIERS = (
    *(("doi", name) for name in ("citation_doi", "dc.identifier", "dcterms.identifier", "prism.doi", "ld.identifier")),
    ("pmid", "citation_pmid"),
    ("arxiv", "citation_arxiv_id"),
)
_RETRACTED_FLAG = re.compile(r"(?:.*[._:-])?(?:is[_-]?)?retracted")
_TRUE = frozenset({"1", "true", "yes", "retracted"})
_ARTICLE_TYPES = re.compile(r"article|report|posting|webpage|book|chapter|dataset|creativework|thesis", re.IGNORECASE)
_MAX_JSON = 1_000_000
_MAX_NODES = 2_000


@dataclass(frozen=True, slots=True)
class PageMetadata:
    """A page's statements about itself; `base` is the address that its relative links start from, if it gives one."""

    title: str | None
    authors: tuple[str, ...]
    published_on: str | None
    venue: str | None
    identifiers: tuple[Identifier, ...]
    retracted: bool
    base: str | None
    notes: tuple[str, ...]


def read_metadata(page: "HtmlElement", address: str | None = None) -> PageMetadata:
    """Return what `page` says of itself, the most specific statement first; never raises for malformed metadata."""
    meta = _meta_fields(page)
    for name, value in _json_ld(page):
        meta[name].append(value)
    canonical = _canonical(page, meta, address)
    dates = [value for name in _DATES for value in meta.get(name, ())]
    published_on = next((parsed for value in dates if (parsed := parse_date(value))), None)
    identifiers = [identifier_of(kind, value) for kind, name in _IDENTIFIERS for value in meta.get(name, ())]
    return PageMetadata(
        title=_first(meta, _TITLES) or _heading_title(page),
        authors=author_names(_first_list(meta, _AUTHORS)),
        published_on=published_on,
        venue=_first(meta, _VENUES),
        identifiers=tuple(distinct([*identifiers, canonical])),
        retracted=_says_retracted(meta),
        base=_base(page, canonical, address),
        notes=(DATE_UNREADABLE,) if dates and published_on is None else (),
    )


def _meta_fields(page: "HtmlElement") -> defaultdict[str, list[str]]:
    fields: defaultdict[str, list[str]] = defaultdict(list)
    for element in page.iter("meta"):
        name = element.get("name") or element.get("property") or element.get("itemprop") or ""
        content = clean_line(element.get("content") or "")
        if name and content:
            fields[name.strip().lower()].append(content)
    return fields


def _first(meta: Mapping[str, Sequence[str]], names: Sequence[str]) -> str | None:
    return next((value for name in names for value in meta.get(name, ())), None)


def _first_list(meta: Mapping[str, Sequence[str]], names: Sequence[str]) -> Sequence[str]:
    return next((meta[name] for name in names if any("://" not in value for value in meta.get(name, ()))), ())


def _heading_title(page: "HtmlElement") -> str | None:
    headings = [clean_line(element.text_content()) for element in page.iter("h1")]
    titles = [clean_line(element.text_content()) for element in page.iter("title")]
    named = [heading for heading in headings if heading and titles and heading in titles[0]]
    return next((title for title in [*named, *headings, *titles] if title), None)


def _canonical(page: "HtmlElement", meta: Mapping[str, Sequence[str]], address: str | None) -> Identifier | None:
    links = [
        element.get("href") or "" for element in page.iter("link") if "canonical" in (element.get("rel") or "").lower().split()
    ]
    for link in [*links, *meta.get("og:url", ()), address or ""]:
        if identifier := identifier_of("url", join_address(address, link)):
            return identifier
    return None


def _base(page: "HtmlElement", canonical: Identifier | None, address: str | None) -> str | None:
    given = next((element.get("href") for element in page.iter("base") if element.get("href")), None)
    own = address or (canonical.value if canonical and canonical.kind == "url" else None)
    return join_address(own, given) if given else own


def join_address(base: str | None, link: str) -> str:
    """Return the absolute form of a link found on a page; empty where it is malformed."""
    try:
        return urljoin(base or "", link.strip())
    except ValueError:
        return ""


def _says_retracted(meta: Mapping[str, Sequence[str]]) -> bool:
    flagged = any(_RETRACTED_FLAG.fullmatch(name) and value.lower() in _TRUE for name, values in meta.items() for value in values)
    kinds = [
        value.lower() for name in ("citation_article_type", "dc.type", "dc.type.articletype") for value in meta.get(name, ())
    ]
    return flagged or any(kind.startswith("retracted") for kind in kinds)


def _json_ld(page: "HtmlElement") -> Iterator[tuple[str, str]]:
    """Yield the fields of the page's article in JSON-LD, under names of their own (`ld.…`)."""
    for script in page.iter("script"):
        if "ld+json" not in (script.get("type") or "").lower():
            continue
        try:
            data = json.loads((script.text or "")[:_MAX_JSON])
        except (ValueError, RecursionError):
            continue
        for node in _nodes(data):
            if _ARTICLE_TYPES.search(str(node.get("@type", ""))):
                yield from _article_fields(node)


def _nodes(data: object) -> Iterator[dict[str, object]]:
    waiting = [data]
    for _ in range(_MAX_NODES):
        if not waiting:
            return
        node = waiting.pop(0)
        if isinstance(node, list):
            waiting.extend(node)
        elif isinstance(node, dict):
            yield node
            waiting.append(node.get("@graph"))


def _article_fields(node: Mapping[str, object]) -> Iterator[tuple[str, str]]:
    for key, name in (("headline", "ld.headline"), ("name", "ld.headline"), ("datePublished", "ld.datepublished")):
        yield from ((name, text) for text in _texts(node.get(key)))
    yield from (("ld.author", text) for text in _texts(node.get("author")))
    yield from (("ld.venue", text) for key in ("isPartOf", "publisher") for text in _texts(node.get(key)))
    for key in ("identifier", "sameAs", "@id", "doi"):
        yield from (("ld.identifier", text) for text in _texts(node.get(key)) if normalise_doi(text))


def _texts(value: object) -> Iterator[str]:
    """Yield the plain texts of a JSON-LD value: a string, a named thing, or a list of either."""
    for item in value if isinstance(value, list) else [value]:
        named = (item.get("name") or item.get("value") or item.get("@id")) if isinstance(item, dict) else item
        if isinstance(named, str) and (text := clean_line(named)):
            yield text
