"""OpenAlex: search, look-up by identifier in batches, references in batches, citations by filter."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from lyra.core.errors import WebProblem
from lyra.core.identifiers import normalise_pmcid
from lyra.core.identity import normalise_arxiv, normalise_doi, normalise_pmid
from lyra.core.ports import Check
from lyra.core.records import Identifier, ProviderStatus
from lyra.core.works import Answer, Item, ProviderInfo, ProviderKind, Work, answered
from lyra.providers.cleaning import clean_line
from lyra.providers.endpoint import Endpoint
from lyra.providers.json_reading import (
    MAX_ABSTRACT,
    as_list,
    as_object,
    count,
    date_of,
    line,
    names,
    objects,
    passage,
    required_list,
)
from lyra.providers.paging import Portion, walk
from lyra.providers.registry import ProviderTools

NAME = "openalex"
_SELECT = (
    "id,doi,ids,display_name,publication_date,publication_year,primary_location,authorships,cited_by_count,is_retracted,"
    "abstract_inverted_index,referenced_works,open_access"
)
_PAGE = 100
# The most values that one filter takes.
_BATCH = 100
_FIRST_CURSOR = "*"
_WORK_ID = re.compile(r"(?:https?://openalex\.org/)?(W\d{1,15})", re.IGNORECASE)
_NOT_IN_FILTER = re.compile(r"[,|!+\"\s]")
_WILDCARDS = re.compile(r"[*?~!]")
_ARXIV_DOI = "10.48550/arxiv."
_MAX_WORDS = 20_000
_DEFAULT_MAX_REFERENCES = 20
_LONG_SECONDS = 600


def build(tools: ProviderTools) -> "OpenAlex":
    """Return the provider. Without a key it may be refused, which shows as `no_key`."""
    return OpenAlex(tools.endpoint(key_param="api_key"), tools.service.options.get("max_references", _DEFAULT_MAX_REFERENCES))


class OpenAlex:
    """Works from OpenAlex. References never cost one request each: `max_references` of them are asked for in batches."""

    def __init__(self, endpoint: Endpoint, max_references: int = _DEFAULT_MAX_REFERENCES) -> None:
        self._endpoint = endpoint
        self._max_references = max_references
        self.info = ProviderInfo(NAME, ProviderKind.ACADEMIC, endpoint.address, "set" if endpoint.has_key else "missing")

    def search(self, query: str, limit: int) -> Answer[Item]:
        """Return at most `limit` works for a query, best first."""
        words = " ".join(_WILDCARDS.sub(" ", query).split())
        found = self._listed((("search", words),), limit) if words else answered(())
        items = tuple(
            Item(NAME, work.title, work.full_text_url, work.abstract or "", work.identifiers, work.published_on, work)
            for work in found.found
        )
        return Answer(items, found.status, found.code, found.params)

    def complete(self, identifiers: Sequence[Identifier]) -> Answer[Work]:
        """Return the works known among `identifiers`, as many to a request as a filter takes."""
        found: list[Work] = []
        for kind, values in _by_filter(identifiers).items():
            for start in range(0, len(values), _BATCH):
                part = values[start : start + _BATCH]
                answer = self._listed((("filter", f"{kind}:{'|'.join(part)}"),), _BATCH)
                found += answer.found
                if not answer.complete:
                    return Answer(tuple(dict.fromkeys(found)), answer.status, answer.code, answer.params)
        return answered(dict.fromkeys(found))

    def references(self, work: Work, limit: int) -> Answer[Work]:
        """Return at most `limit` works that `work` cites, never more than `max_references`, in batches."""
        own = self._own(work)
        if not own.found:
            return own
        ids = own.found[0].references[: min(limit, self._max_references)]
        found: list[Work] = []
        for start in range(0, len(ids), _BATCH):
            answer = self._listed((("filter", f"openalex:{'|'.join(ids[start : start + _BATCH])}"),), _BATCH)
            found += answer.found
            if not answer.complete:
                return Answer(tuple(found), answer.status, answer.code, answer.params)
        return answered(found)

    def citations(self, work: Work, limit: int) -> Answer[Work]:
        """Return at most `limit` works that cite `work`, the most cited first."""
        own = self._own(work) if work.source != NAME else answered((work,))
        if not own.found:
            return own
        return self._listed((("filter", f"cites:{own.found[0].source_id}"), ("sort", "cited_by_count:desc")), limit)

    def _own(self, work: Work) -> Answer[Work]:
        """Return the work as this service knows it, with the list of its references."""
        if work.source == NAME and work.references:
            return answered((work,))
        path = work.source_id if work.source == NAME else _singleton(work)
        if path is None:
            return answered(())
        try:
            found = self._single(self._get(f"works/{path}", (("select", _SELECT),), self._single))
        except WebProblem as problem:
            return answered((), None if problem.code == "not_found" else problem)
        return answered((found,))

    def _listed(self, params: tuple[tuple[str, str], ...], limit: int) -> Answer[Work]:
        size = max(1, min(limit, _PAGE))

        def ask(cursor: str) -> Portion[Work]:
            page = (*params, ("per_page", str(size)), ("cursor", cursor), ("select", _SELECT))
            portion = self._portion(self._get("works", page, self._portion))
            # The service names a next page even after the last one; one that is not full is the last.
            return portion if portion.entries >= size else replace(portion, next=None)

        return walk(ask, _FIRST_CURSOR, limit)

    def _portion(self, value: object) -> Portion[Work]:
        entries = required_list(value, "results", self._endpoint.address)
        following = as_object(as_object(value).get("meta")).get("next_cursor")
        works = [work for entry in objects(entries) if (work := _work(entry))]
        named = following if isinstance(following, str) and following else None
        return Portion(works, len(entries), named).readable(self._endpoint.address)

    def _single(self, value: object) -> Work:
        found = _work(as_object(value))
        if found is None:
            raise WebProblem("malformed_answer", url=self._endpoint.address)
        return found

    def _get(self, path: str, params: tuple[tuple[str, str], ...], check: Check) -> object:
        try:
            return self._endpoint.get(path, params, check)
        except WebProblem as problem:
            # The allowance without a key is a few requests a day; used up, it comes back tomorrow, or at once with a key.
            if problem.code == "throttled" and not self._endpoint.has_key and _is_long(problem.params.get("seconds")):
                raise WebProblem("no_key", ProviderStatus.NO_KEY, url=self._endpoint.address) from None
            raise


def _is_long(seconds: object) -> bool:
    return isinstance(seconds, int) and seconds > _LONG_SECONDS


def _by_filter(identifiers: Sequence[Identifier]) -> dict[str, list[str]]:
    """Return the values to ask for under each filter; what cannot stand in a filter is left out."""
    found: dict[str, list[str]] = {}
    for one in identifiers:
        kind, value = ("doi", _ARXIV_DOI + one.value) if one.kind == "arxiv" else (one.kind, one.value)
        if kind in ("doi", "pmid", "pmcid") and not _NOT_IN_FILTER.search(value):
            found.setdefault(kind, []).append(value)
    return {kind: list(dict.fromkeys(values)) for kind, values in found.items()}


def _singleton(work: Work) -> str | None:
    doi, pmid, arxiv = work.identifier("doi"), work.identifier("pmid"), work.identifier("arxiv")
    if doi or arxiv:
        return f"doi:{doi or f'{_ARXIV_DOI}{arxiv}'}"
    return f"pmid:{pmid}" if pmid else None


def _work(entry: Mapping[str, object]) -> Work | None:
    title, own = line(entry.get("display_name") or entry.get("title")), _work_id(entry.get("id"))
    if title is None or own is None:
        return None
    location = as_object(entry.get("primary_location"))
    venue = as_object(location.get("source")) or as_object(entry.get("host_venue"))
    authors = [as_object(authorship).get("author") for authorship in as_list(entry.get("authorships"))]
    return Work(
        source=NAME,
        source_id=own,
        title=title,
        identifiers=_identifiers(entry),
        abstract=abstract_of(entry.get("abstract_inverted_index")),
        authors=names(authors, "display_name"),
        published_on=date_of(entry.get("publication_date"), entry.get("publication_year")),
        venue=line(venue.get("display_name")),
        citation_count=count(entry.get("cited_by_count")),
        retracted=entry.get("is_retracted") is True,
        full_text_url=line(as_object(entry.get("open_access")).get("oa_url")),
        references=tuple(known for value in as_list(entry.get("referenced_works")) if (known := _work_id(value))),
    )


def _work_id(value: object) -> str | None:
    match = _WORK_ID.fullmatch(value) if isinstance(value, str) else None
    return match[1].upper() if match else None


def _identifiers(entry: Mapping[str, object]) -> tuple[Identifier, ...]:
    ids = as_object(entry.get("ids"))
    found: list[Identifier] = []
    doi = normalise_doi(str(entry.get("doi") or ids.get("doi") or ""))
    if doi:
        found.append(Identifier("doi", doi))
        if doi.startswith(_ARXIV_DOI) and (arxiv := normalise_arxiv(doi.removeprefix(_ARXIV_DOI))):
            found.append(Identifier("arxiv", arxiv))
    if pmid := normalise_pmid(str(ids.get("pmid") or "")):
        found.append(Identifier("pmid", pmid))
    if pmcid := normalise_pmcid(str(ids.get("pmcid") or "").rstrip("/").rpartition("/")[2]):
        found.append(Identifier("pmcid", pmcid))
    return tuple(found)


def abstract_of(index: object) -> str | None:
    """Return the text behind an inverted index (word to positions); None where it is no such index, or holds no word."""
    placed: dict[int, str] = {}
    for word, positions in as_object(index).items():
        for position in as_list(positions):
            if isinstance(position, int) and 0 <= position < _MAX_WORDS:
                placed[position] = word
    return passage(clean_line(" ".join(placed[position] for position in sorted(placed)))[:MAX_ABSTRACT])
