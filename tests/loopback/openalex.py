"""OpenAlex as its recordings show it: lists with cursors, filters with many values, inverted abstracts, a key."""

from collections.abc import Callable

from tests.loopback import papers
from tests.loopback.papers import Paper
from tests.loopback.server import Reply, Seen, json_reply

_ID = "https://openalex.org/"
_MAX_VALUES = 100


def answer(seen: Seen) -> Reply:
    if seen.path == "/works":
        return _list(seen)
    kind, _, value = seen.path.removeprefix("/works/").partition(":")
    paper = papers.find(kind, value) if value else papers.find("openalex", kind)
    return json_reply(_record(paper)) if paper else Reply(b"<title>404 Not Found</title>", 404)


def wanting_key(key: str) -> Callable[[Seen], Reply]:
    """The service for those who have a key."""

    def answering(seen: Seen) -> Reply:
        if seen.query.get("api_key") != key:
            return json_reply({"error": "Forbidden", "message": "An API key is required."}, 403)
        return answer(seen)

    return answering


def _list(seen: Seen) -> Reply:
    found = papers.search(seen.query["search"]) if "search" in seen.query else _filtered(seen.query["filter"])
    if found is None:
        return json_reply({"error": "Invalid query parameters error.", "message": "Maximum number of values exceeded"}, 400)
    size, start = int(seen.query.get("per_page", 25)), 0
    cursor = seen.query.get("cursor", "*")
    if cursor != "*":
        start = int(cursor.removeprefix("after-"))
    page = found[start : start + size]
    following = f"after-{start + size}" if page else None
    meta = {"count": len(found), "db_response_time_ms": 3, "page": None, "per_page": size, "next_cursor": following}
    return json_reply({"meta": meta, "results": [_record(paper) for paper in page], "group_by": []})


def _filtered(text: str) -> list[Paper] | None:
    kind, _, values = text.partition(":")
    if kind == "cites":
        cited = papers.find("openalex", values)
        return papers.citing(cited.key) if cited else []
    names = values.split("|")
    if len(names) > _MAX_VALUES:
        return None
    return [paper for name in names if (paper := papers.find(kind, name.removeprefix("https://doi.org/")))]


def _record(paper: Paper) -> dict[str, object]:
    own = f"{_ID}{paper.openalex_id}"
    doi = f"https://doi.org/{paper.doi}" if paper.doi else None
    ids = {"openalex": own, "doi": doi}
    if paper.pmid:
        ids["pmid"] = f"https://pubmed.ncbi.nlm.nih.gov/{paper.pmid}"
    return {
        "id": own,
        "doi": doi,
        "ids": ids,
        "display_name": paper.title,
        "publication_year": paper.year,
        "publication_date": paper.published_on if len(paper.published_on) == len("2021-04-12") else f"{paper.year}-01-01",
        "primary_location": {"landing_page_url": doi, "source": {"display_name": paper.venue, "type": "journal"}},
        "authorships": [{"author_position": "first", "author": {"display_name": name}} for name in paper.authors],
        "cited_by_count": paper.cited_by,
        "is_retracted": paper.retracted,
        "open_access": {"is_oa": False, "oa_url": None},
        "abstract_inverted_index": _inverted(paper.abstract),
        "referenced_works": [f"{_ID}{papers.PAPERS[key].openalex_id}" for key in paper.cites],
    }


def _inverted(abstract: str | None) -> dict[str, list[int]] | None:
    if abstract is None:
        return None
    index: dict[str, list[int]] = {}
    for position, word in enumerate(abstract.split()):
        index.setdefault(word, []).append(position)
    return index
