"""Semantic Scholar's Academic Graph: search, look-up by identifier in batches, references and citations."""

from collections.abc import Mapping, Sequence

from lyra.core.errors import WebProblem
from lyra.core.identifiers import normalise_pmcid
from lyra.core.identity import normalise_arxiv, normalise_doi, normalise_pmid
from lyra.core.records import Identifier
from lyra.core.works import Answer, Item, ProviderInfo, ProviderKind, Work, answered
from lyra.providers.endpoint import Endpoint
from lyra.providers.json_reading import as_object, count, date_of, line, names, objects, passage, required_list
from lyra.providers.paging import Portion, walk
from lyra.providers.registry import ProviderTools

NAME = "semantic_scholar"
_FIELDS = "paperId,externalIds,title,abstract,authors,year,publicationDate,venue,journal,citationCount,openAccessPdf"
# What the service says, with status 400, where it knows none of a batch.
_NONE_KNOWN = "No valid paper ids"
_SEARCH_PAGE, _LIST_PAGE, _BATCH = 100, 1000, 500
_PREFIXES = {"doi": "DOI:", "pmid": "PMID:", "pmcid": "PMCID:", "arxiv": "ARXIV:"}
_EXTERNAL = (("DOI", "doi", normalise_doi), ("PubMed", "pmid", normalise_pmid), ("PubMedCentral", "pmcid", normalise_pmcid))


def build(tools: ProviderTools) -> "SemanticScholar":
    """Return the provider. It works without a key, at a low rate that all users without one share."""
    return SemanticScholar(tools.endpoint(key_header="x-api-key"))


class SemanticScholar:
    """Works from Semantic Scholar. The flag for "influential" citations is neither asked for nor kept."""

    def __init__(self, endpoint: Endpoint) -> None:
        self._endpoint = endpoint
        self.info = ProviderInfo(NAME, ProviderKind.ACADEMIC, endpoint.address, "set" if endpoint.has_key else "optional")

    def search(self, query: str, limit: int) -> Answer[Item]:
        """Return at most `limit` papers for a query, best first."""
        size = min(limit, _SEARCH_PAGE)

        def ask(offset: str) -> Portion[Item]:
            params = (("query", query), ("limit", str(size)), ("offset", offset), ("fields", _FIELDS))
            return self._found(self._endpoint.get("paper/search", params, self._found))

        return walk(ask, "0", limit)

    def _found(self, value: object) -> Portion[Item]:
        if as_object(value).get("total") == 0 and "data" not in as_object(value):
            return Portion((), 0, None)
        entries = required_list(value, "data", self._endpoint.address)
        works = [work for entry in objects(entries) if (work := _work(entry))]
        return Portion([item_of(work) for work in works], len(entries), _next(value)).readable(self._endpoint.address)

    def complete(self, identifiers: Sequence[Identifier]) -> Answer[Work]:
        """Return the papers known among `identifiers`, 500 to a request."""
        ids = [_PREFIXES[one.kind] + one.value.removeprefix("PMC") for one in identifiers if one.kind in _PREFIXES]
        found: list[Work] = []
        for start in range(0, len(ids), _BATCH):
            try:
                body = {"ids": ids[start : start + _BATCH]}
                value = self._endpoint.post("paper/batch", body, (("fields", _FIELDS),), self._batch)
            except WebProblem as problem:
                if problem.code == "not_found" or _NONE_KNOWN in str(problem.params.get("detail", "")):
                    continue
                return answered(found, problem)
            found += self._batch(value)
        return answered(dict.fromkeys(found))

    def _batch(self, value: object) -> list[Work]:
        if not isinstance(value, list):
            raise WebProblem("malformed_answer", url=self._endpoint.address)
        return [work for entry in objects(value) if (work := _work(entry))]

    def references(self, work: Work, limit: int) -> Answer[Work]:
        """Return at most `limit` papers that `work` cites, with their abstracts, in few requests."""
        return self._linked(work, "references", "citedPaper", limit)

    def citations(self, work: Work, limit: int) -> Answer[Work]:
        """Return at most `limit` papers that cite `work`, with their abstracts, in few requests."""
        return self._linked(work, "citations", "citingPaper", limit)

    def _linked(self, work: Work, direction: str, key: str, limit: int) -> Answer[Work]:
        paper = _name_of(work)
        if paper is None:
            return answered(())

        def read(value: object) -> Portion[Work]:
            if as_object(value).get("data", ()) is None:  # the publisher does not allow the list to be shown
                return Portion((), 0, None)
            entries = required_list(value, "data", self._endpoint.address)
            papers = [as_object(entry.get(key)) for entry in objects(entries)]
            # Papers that the service only knows by name have no id and no abstract.
            nameless = sum(paper.get("paperId", "") is None for paper in papers)
            works = [found for one in papers if (found := _work(one))]
            return Portion(works, len(entries), _next(value), nameless).readable(self._endpoint.address)

        def ask(offset: str) -> Portion[Work]:
            params = (("fields", _FIELDS), ("limit", str(min(limit, _LIST_PAGE))), ("offset", offset))
            return read(self._endpoint.get(f"paper/{paper}/{direction}", params, read))

        return walk(ask, "0", limit)


def item_of(work: Work) -> Item:
    """Return a work as an entry of a result list."""
    return Item(work.source, work.title, work.full_text_url, work.abstract or "", work.identifiers, work.published_on, work)


def _name_of(work: Work) -> str | None:
    if work.source == NAME:
        return work.source_id
    return next((_PREFIXES[one.kind] + one.value.removeprefix("PMC") for one in work.identifiers if one.kind in _PREFIXES), None)


def _next(value: object) -> str | None:
    following = count(as_object(value).get("next"))
    return None if following is None else str(following)


def _work(entry: Mapping[str, object]) -> Work | None:
    title, paper = line(entry.get("title")), entry.get("paperId")
    if title is None or not isinstance(paper, str) or not paper.isalnum():
        return None
    external = as_object(entry.get("externalIds"))
    identifiers = [
        Identifier(kind, value)
        for name, kind, normalise in _EXTERNAL
        if isinstance(written := external.get(name), str) and (value := normalise(written))
    ]
    arxiv = external.get("ArXiv")
    if isinstance(arxiv, str) and (known := normalise_arxiv(arxiv)):
        identifiers.append(Identifier("arxiv", known))
    return Work(
        source=NAME,
        source_id=paper,
        title=title,
        identifiers=tuple(identifiers),
        abstract=passage(entry.get("abstract")),
        authors=names(entry.get("authors"), "name"),
        published_on=date_of(entry.get("publicationDate"), entry.get("year")),
        venue=line(entry.get("venue")) or line(as_object(entry.get("journal")).get("name")),
        citation_count=count(entry.get("citationCount")),
        full_text_url=line(as_object(entry.get("openAccessPdf")).get("url")),
    )
