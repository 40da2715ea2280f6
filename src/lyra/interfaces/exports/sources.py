"""The works behind the evidence, as a bibliography wants them: once each, in plain text, under a key to cite them by."""

import re
import unicodedata
from dataclasses import dataclass
from enum import StrEnum
from urllib.parse import unquote, urlsplit

from lyra.core.dependence import speaks
from lyra.core.materials import Materials
from lyra.core.records import Evidence
from lyra.interfaces.untrusted import on_one_line

RETRACTED = "retracted"
_MIN_WORD = 4
_FILLING = frozenset("about after before from into over than that their this what when with without".split())
_DATE = re.compile(r"(\d{4})(?:-(\d{2})(?:-(\d{2}))?)?")
_INITIALS = re.compile(r"[A-Z]{1,3}")
_WEB = ("http", "https")


class Kind(StrEnum):
    """What a source is, by what is known of it. The values are the types of CSL."""

    ARTICLE = "article-journal"
    WEBPAGE = "webpage"
    DOCUMENT = "document"


@dataclass(frozen=True, slots=True)
class Source:
    """One page behind the evidence. Every text is one line of visible characters.

    `date` is year, month and day as far as they are known. `url` is an address of the web: where a file lies on
    somebody's disk is no part of a bibliography.
    """

    key: str
    title: str
    authors: tuple[str, ...]
    date: tuple[int, ...]
    venue: str | None
    doi: str | None
    url: str | None
    retracted: bool
    page_id: str

    @property
    def kind(self) -> Kind:
        """An article has a venue and a DOI; what else has a DOI is a document; what else has an address, a web page."""
        if self.doi:
            return Kind.ARTICLE if self.venue else Kind.DOCUMENT
        return Kind.WEBPAGE if self.url else Kind.DOCUMENT


def sources_of(materials: Materials) -> tuple[Source, ...]:
    """Return the pages that speak for or against a claim, in the order they were stored, each with a key of its own.

    Equal keys are told apart by that order, so that a page that is read later leaves the others theirs.
    """
    pages = {edge.page_id: edge for material in materials.claims for edge in material.evidence if speaks(edge)}
    taken: dict[str, int] = {}
    return tuple(_source(edge, taken) for _, edge in sorted(pages.items()))


def _source(edge: Evidence, taken: dict[str, int]) -> Source:
    title = on_one_line(edge.title or "") or _file_name(edge) or on_one_line(edge.url)
    authors = tuple(filter(None, map(on_one_line, edge.authors)))
    match = _DATE.fullmatch(edge.published_on or "")
    date = tuple(int(part) for part in match.groups() if part) if match else ()
    stem = _key(title, authors, date)
    taken[stem] = taken.get(stem, 0) + 1
    return Source(
        key=stem if taken[stem] == 1 else f"{stem}-{taken[stem]}",
        title=title,
        authors=authors,
        date=date,
        venue=on_one_line(edge.venue or "") or None,
        doi=on_one_line(edge.doi or "").replace(" ", "") or None,
        url=_web_address(edge.url),
        retracted=edge.retracted,
        page_id=edge.page_id,
    )


def _file_name(edge: Evidence) -> str:
    local = edge.locator.path or (unquote(edge.url) if edge.url.startswith("file:") else "")
    return on_one_line(local.replace("\\", "/").rpartition("/")[2])


def _web_address(url: str) -> str | None:
    try:
        parts = urlsplit(url)
    except ValueError:
        return None
    if parts.scheme.lower() not in _WEB or not parts.netloc:
        return None
    return on_one_line(url).replace(" ", "%20")


def _key(title: str, authors: tuple[str, ...], date: tuple[int, ...]) -> str:
    """Return `surname2021word` in ASCII, which every program takes; parts that have no Latin letters are left out."""
    surname = _latin(_surname(authors[0])) if authors else ""
    words = list(filter(None, map(_latin, re.findall(r"\w+", title))))
    word = next((word for word in words if len(word) >= _MIN_WORD and word not in _FILLING), next(iter(words), ""))
    return f"{surname or 'source'}{date[0] if date else ''}{word}"


def _surname(author: str) -> str:
    before, comma, _ = author.partition(",")
    words = before.split()
    if comma:
        return before
    while len(words) > 1 and _INITIALS.fullmatch(words[-1].replace(".", "")):
        words.pop()
    return words[-1] if words else ""


def _latin(text: str) -> str:
    return "".join(c for c in unicodedata.normalize("NFKD", text).lower() if c.isascii() and c.isalpha())
