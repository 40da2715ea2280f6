"""Identifiers of works as they stand in result items, pages, links and PDFs: DOI, PMID, PMCID, arXiv, URL."""

import contextlib
import re
from collections.abc import Iterable
from urllib.parse import unquote

from lyra.core.identity import normalise_arxiv, normalise_doi, normalise_pmid, normalise_url
from lyra.core.records import Identifier
from lyra.core.web_url import MAX_URL_CHARS

SCHOLARLY = ("doi", "pmid", "pmcid", "arxiv")
_MAX_FOUND = 5_000
_TRAILING = ".,;:!?'\"”’*_"
_DOI_CHARS = r"[^\s\"'<>{}|\\^`、。，「」（）]+"
_DOI = re.compile(rf"(?<![\w./])10\.\d{{4,9}}/{_DOI_CHARS}")
_PMID = re.compile(r"\b(?:PMID|PubMed(?:\s+ID)?)\s*[:：#]?\s*(\d{4,9})\b", re.IGNORECASE)
_PMCID = re.compile(r"\bPMC\s?(\d{4,9})\b")
_ARXIV = re.compile(r"\barxiv\s*[:：]\s*(\d{4}\.\d{4,5}|[a-z-]+(?:\.[A-Z]{2})?/\d{7})(?:v\d+)?", re.IGNORECASE)
_URL = re.compile(r"https?://[^\s\"'<>{}|\\^`、。，「」（）]+", re.IGNORECASE)
_DOI_IN_URL = re.compile(
    r"(?:doi\.org/|/doi(?:/(?:abs|full|pdf|epdf|pdfdirect|book|epub|reader|ref))?/|[?&]doi=)(10\.\d{4,9}/[^?#&\s]+)"
)
_DOI_TAIL = re.compile(r"/(?:abstract|full(?:text)?|pdf|epdf|meta|html?|summary|references|issuetoc)/?$|\.pdf$", re.IGNORECASE)
_PMID_IN_URL = re.compile(
    r"(?:pubmed\.ncbi\.nlm\.nih\.gov/|ncbi\.nlm\.nih\.gov/pubmed/|europepmc\.org/(?:article|abstract)/med/)(\d{1,9})\b",
    re.IGNORECASE,
)
_PMCID_IN_URL = re.compile(
    r"(?:pmc\.ncbi\.nlm\.nih\.gov|ncbi\.nlm\.nih\.gov/pmc|europepmc\.org)/articles?/(?:pmc/)?PMC(\d{1,9})\b", re.IGNORECASE
)
_ARXIV_IN_URL = re.compile(r"arxiv\.org/(?:abs|pdf|html)/([^\s?#]+)", re.IGNORECASE)


def trim_name(found: str) -> str:
    """Return a DOI or URL without the punctuation of the sentence around it; brackets stay where they are balanced."""
    name = found.rstrip(_TRAILING)
    while name and name[-1] in ")]" and name.count(name[-1]) > name.count("(" if name[-1] == ")" else "["):
        name = name[:-1].rstrip(_TRAILING)
    return name


def normalise_pmcid(text: str) -> str | None:
    """Return a PubMed Central id as `PMC` and digits; None if `text` is none."""
    match = re.fullmatch(r"(?:PMCID:\s*)?(?:PMC)?(\d{1,9})", text.strip(), re.IGNORECASE)
    return f"PMC{match[1]}" if match else None


def identifiers_in_address(url: str) -> list[Identifier]:
    """Return what a web address names: works it is about, also by publishers' paths with a DOI in them, then the address."""
    if len(url) > MAX_URL_CHARS or not re.match(r"https?://", url.strip(), re.IGNORECASE):
        return []
    plain = unquote(url.strip())
    found = [_named("doi", normalise_doi(_DOI_TAIL.sub("", trim_name(match[1])))) for match in _DOI_IN_URL.finditer(plain)]
    found += [_named("pmid", match[1]) for match in _PMID_IN_URL.finditer(plain)]
    found += [_named("pmcid", f"PMC{match[1]}") for match in _PMCID_IN_URL.finditer(plain)]
    found += [_named("arxiv", normalise_arxiv(match[1].removesuffix(".pdf"))) for match in _ARXIV_IN_URL.finditer(plain)]
    with contextlib.suppress(ValueError):
        found.append(Identifier("url", normalise_url(url)))
    return _distinct(found)


def identifiers_in_text(text: str) -> list[Identifier]:
    """Return the works that running text names by DOI, PMID, PMCID or arXiv id, plain or in a link, by first mention.

    Bare numbers are never taken for ids: a PMID or arXiv id must be called one. At most 5,000.
    """
    found: list[tuple[int, Identifier | None]] = []
    for match in _URL.finditer(text):
        found += [(match.start(), named) for named in identifiers_in_address(trim_name(match.group())) if named.kind != "url"]
    found += [(match.start(), _named("doi", normalise_doi(trim_name(match.group())))) for match in _DOI.finditer(text)]
    found += [(match.start(), _named("pmid", normalise_pmid(match[1]))) for match in _PMID.finditer(text)]
    found += [(match.start(), _named("pmcid", f"PMC{match[1]}")) for match in _PMCID.finditer(text)]
    found += [(match.start(), _named("arxiv", normalise_arxiv(match[1]))) for match in _ARXIV.finditer(text)]
    return _distinct(named for _, named in sorted(found, key=lambda pair: pair[0]))


def scholarly(identifiers: Iterable[Identifier]) -> list[Identifier]:
    """Return those identifiers by which an index of works can be asked, once each."""
    return _distinct(named for named in identifiers if named.kind in SCHOLARLY)


def _named(kind: str, value: str | None) -> Identifier | None:
    return Identifier(kind, value) if value else None


def _distinct(found: Iterable[Identifier | None]) -> list[Identifier]:
    return list(dict.fromkeys(named for named in found if named is not None))[:_MAX_FOUND]
