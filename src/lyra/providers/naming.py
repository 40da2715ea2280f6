"""Names of works and people as they stand in text: DOIs, links, author lists."""

import re
from collections.abc import Iterable

from lyra.core.identifiers import trim_name
from lyra.core.identity import identify_link, normalise_arxiv, normalise_doi, normalise_pmid
from lyra.core.records import Identifier
from lyra.providers.cleaning import clean_line

_DOI = re.compile(r"\b10\.\d{4,9}/[^\s\"'<>{}|\\^`、。，「」（）]+")
_MARKED_DOI = re.compile(
    r"(?:\bdoi\s*[:：]?\s*|https?://(?:dx\.)?doi\.org/)(10\.\d{4,9}/[^\s\"'<>{}|\\^`、。，「」（）]+)", re.IGNORECASE
)
_URL = re.compile(r"https?://[^\s\"'<>{}|\\^`、。，「」（）]+", re.IGNORECASE)
_PLACEHOLDER_NAMES = frozenset(
    {"", "anonymous", "(anonymous)", "unspecified", "(unspecified)", "unknown", "user", "admin", "author", "none"}
)
_PERSON = re.compile(r"\s*[^\W\d_a-z][\w.'’-]*(?:\s+[^\W\d_a-z][\w.'’-]*){1,3}\s*")
_MAX_REFERENCES = 5_000


def own_doi(opening: str) -> str | None:
    """Return the first DOI that `opening` presents as one (`doi:…` or a resolver link), normalised."""
    match = _MARKED_DOI.search(opening)
    return normalise_doi(trim_name(match[1])) if match else None


def named_works(text: str) -> list[Identifier]:
    """Return the works that `text` names by DOI or URL, in order of first mention."""
    urls = [(match.start(), identify_link(trim_name(match.group()))) for match in _URL.finditer(text)]
    dois = [
        (match.start(), identifier_of("doi", trim_name(match.group())))
        for match in _DOI.finditer(text)
        if not _inside_url(text, match.start())
    ]
    return distinct(identifier for _, identifier in sorted(urls + dois, key=lambda pair: pair[0]))


def _inside_url(text: str, at: int) -> bool:
    """Return whether a DOI at `at` is the path of a URL, which then names the page, or the resolver's own link."""
    head = text[max(0, at - 200) : at]
    return "://" in head[max(map(head.rfind, " \n\t(")) + 1 :]


def distinct(identifiers: Iterable[Identifier | None], besides: Iterable[Identifier] = ()) -> list[Identifier]:
    """Return the identifiers once each, in order, without None and without those in `besides`; at most 5 000."""
    seen = dict.fromkeys(identifier for identifier in identifiers if identifier is not None)
    for own in besides:
        seen.pop(own, None)
    return list(seen)[:_MAX_REFERENCES]


def identifier_of(kind: str, written: str) -> Identifier | None:
    """Return the identifier that a field of the given kind (`doi`, `pmid`, `arxiv`, `url`) holds; None if it is none."""
    if kind == "url":
        return identify_link(written.strip())
    normalise = {"doi": normalise_doi, "pmid": normalise_pmid, "arxiv": normalise_arxiv}[kind]
    value = normalise(written)
    return Identifier(kind, value) if value else None


def author_names(fields: Iterable[str]) -> tuple[str, ...]:
    """Return people's names from author fields, each of which may hold one name or a list; placeholders left out."""
    names: list[str] = []
    for field in fields:
        parts = re.split(r"\s*[;；、，\n]\s*|\s+(?:and|&)\s+", field)
        for part in parts:
            listed = part.split(",")
            names.extend(listed if all(map(_PERSON.fullmatch, listed)) else [part])
    cleaned = (clean_line(name).strip(" ,;") for name in names)
    return tuple(dict.fromkeys(name for name in cleaned if name.lower() not in _PLACEHOLDER_NAMES and "://" not in name))
