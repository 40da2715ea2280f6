"""From what a record says of a work to a document, in the one way for all formats."""

import html
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from lyra.core.errors import DocumentProblem
from lyra.core.records import Document, Identifier, Section
from lyra.providers.cleaning import clean_line, clean_text
from lyra.providers.dates import parse_date
from lyra.providers.naming import distinct, identifier_of, named_works
from lyra.providers.notes import ABSTRACT_MISSING, DATE_UNREADABLE, IDENTIFIER_UNREADABLE
from lyra.providers.retraction import title_says_retracted

ABSTRACT = "Abstract"
_BLOCKS = r"p|sec|title|br|div|li|h\d"
_BREAKS = re.compile(rf"</?(?:jats:)?(?:{_BLOCKS})\b[^<>]{{0,200}}>", re.IGNORECASE)
_TAG = re.compile(rf"</?(?:jats:)?(?:{_BLOCKS}|i|b|em|strong|sub|sup|italic|bold|u|span|a|ul|ol)\b[^<>]{{0,200}}>", re.IGNORECASE)
_LABEL = re.compile(r"^(?:abstract|summary|要旨|抄録|概要)\s*[:：.]?\s*(?=\S)", re.IGNORECASE)
_ARXIV_DOI = re.compile(r"10\.48550/arxiv\.(.+)")
_RETRACTED_NOTE = re.compile(r"\W*retracted\W*", re.IGNORECASE)
_BLANK_LINES = re.compile(r"\n\s*\n\s*")


@dataclass(frozen=True, slots=True)
class Facts:
    """What a record says, as written. `dates` are tried in order; `references` name the works it cites."""

    title: str | None = None
    authors: Sequence[str] = ()
    dates: Sequence[str] = ()
    venue: str | None = None
    abstract: str | None = None
    doi: str | None = None
    pmid: str | None = None
    arxiv: str | None = None
    urls: Sequence[str] = ()
    remark: str | None = None
    retracted: bool = False
    references: Sequence[Identifier] = ()
    citation_source: str = "extraction"
    notes: Sequence[str] = field(default=())


@dataclass(frozen=True, slots=True)
class Place:
    """Where a record stands, for the messages about it: the file, the line, and the key it has."""

    path: str
    line: int
    key: str | None = None

    def problem(self, code: str, **params: object) -> DocumentProblem:
        """Return the failure of this record alone."""
        return DocumentProblem(code, status="failed", path=self.path, line=self.line, key=self.key or f"#{self.line}", **params)


def to_document(facts: Facts, place: Place, extractor: str, max_chars: int) -> Document:
    """Return the document of a record: its abstract as text, or no text and a note that says so.

    Raises DocumentProblem `record_text_too_long`, or `record_empty` for one that says nothing about any work.
    """
    if facts.abstract is not None and len(facts.abstract) > max_chars:
        raise place.problem("record_text_too_long", limit=max_chars)
    text = _abstract(facts.abstract or "")
    title = _line(facts.title)
    names, versions, unreadable = _names(facts)
    if not (title or text or names):
        raise place.problem("record_empty")
    date, date_problem = _date(facts.dates)
    doubts = ((ABSTRACT_MISSING, not text), (DATE_UNREADABLE, date_problem), (IDENTIFIER_UNREADABLE, unreadable))
    return Document(
        text=text,
        sections=(Section(0, len(text), ABSTRACT),) if text else (),
        title=title,
        authors=tuple(dict.fromkeys(filter(None, map(_line, facts.authors)))),
        published_on=date,
        venue=_line(facts.venue),
        identifiers=tuple(names),
        versions=tuple(versions),
        references=tuple(distinct(facts.references or named_works(text), besides=names)),
        citation_source=facts.citation_source,
        retracted=facts.retracted or title_says_retracted(title) or _RETRACTED_NOTE.fullmatch(facts.remark or "") is not None,
        extractor=extractor,
        notes=(*dict.fromkeys(facts.notes), *(code for code, holds in doubts if holds)),
    )


def _abstract(written: str) -> str:
    """Return the words of an abstract: tags gone where they are tags, paragraphs kept, its own label left out."""
    if "<" in written:
        written = _TAG.sub("", _BREAKS.sub("\n\n", written))
    if "&" in written:
        written = html.unescape(written)
    paragraphs = _BLANK_LINES.split(clean_text(written).strip())
    text = "\n\n".join(filter(None, (" ".join(paragraph.split()) for paragraph in paragraphs)))
    text = _LABEL.sub("", text)
    return text if any(map(str.isalnum, text)) else ""


def _line(written: str | None) -> str | None:
    if not written:
        return None
    plain = _TAG.sub("", written) if "<" in written else written
    return clean_line(html.unescape(plain)) or None


def _date(written: Sequence[str]) -> tuple[str | None, bool]:
    given = [text for text in written if text.strip()]
    found = next(filter(None, map(parse_date, given)), None)
    return found, bool(given) and found is None


def _names(facts: Facts) -> tuple[list[Identifier], list[Identifier], bool]:
    """Return a work's own names, the names of its other versions, and whether something given was no name at all.

    An arXiv id beside a DOI of a journal names the preprint: another version of the work, not the same page.
    """
    given = [(kind, value) for kind, value in (("doi", facts.doi), ("pmid", facts.pmid), ("arxiv", facts.arxiv)) if value]
    found = {kind: identifier_of(kind, value.strip()) for kind, value in given}
    unreadable = None in found.values()
    doi, arxiv = found.get("doi"), found.get("arxiv")
    registered = _ARXIV_DOI.fullmatch(doi.value) if doi else None
    if registered:
        arxiv = identifier_of("arxiv", registered[1]) or arxiv
    links = [identifier_of("url", url) for url in facts.urls if _is_specific(url)]
    for link in filter(None, links):
        doi = doi or (link if link.kind == "doi" else None)
        arxiv = arxiv or (link if link.kind == "arxiv" else None)
    is_preprint = doi is None or _ARXIV_DOI.fullmatch(doi.value) is not None
    addresses = [link for link in links if link is not None and link.kind == "url"]
    pmids = [link for link in links if link is not None and link.kind == "pmid"]
    own = distinct([doi, found.get("pmid"), *pmids[:1], arxiv if is_preprint else None, *addresses])
    return own, [] if is_preprint or arxiv is None else [arxiv], unreadable


def _is_specific(url: str) -> bool:
    """Return whether an address names one work: the bare home of a site, which many records give, names none."""
    try:
        parts = urlsplit(url.strip())
    except ValueError:
        return False
    return bool(parts.path.strip("/") or parts.query)
