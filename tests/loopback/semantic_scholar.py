"""Semantic Scholar's Academic Graph as its recordings show it: search, paper, batch, references, citations."""

import orjson

from tests.loopback import papers
from tests.loopback.papers import Paper
from tests.loopback.server import Reply, Seen, json_reply

_BASE = "/graph/v1/"


def answer(seen: Seen) -> Reply:
    path = seen.path.removeprefix(_BASE)
    if path == "paper/search":
        found = papers.search(seen.query["query"])
        return json_reply(_page([_record(paper) for paper in found], seen, total=len(found)))
    if path == "paper/batch" and seen.method == "POST":
        ids = orjson.loads(seen.body)["ids"]
        found_or_not = [_by_id(one) for one in ids]
        if not any(found_or_not):
            return json_reply({"error": "No valid paper ids given"}, 400)
        return json_reply([_record(paper) if paper else None for paper in found_or_not])
    name, _, direction = path.removeprefix("paper/").rpartition("/")
    if direction in ("references", "citations"):
        paper = _by_id(name)
        return _linked(paper, direction, seen) if paper else _unknown(name)
    paper = _by_id(path.removeprefix("paper/"))
    return json_reply(_record(paper)) if paper else _unknown(path)


def _linked(paper: Paper, direction: str, seen: Seen) -> Reply:
    if direction == "references":
        entries: list[object] = [{"citedPaper": _record(papers.PAPERS[key])} for key in paper.cites]
        entries.append({"citedPaper": {"paperId": None, "title": "A book that nobody indexed"}})
    else:
        entries = [{"citingPaper": _record(other)} for other in papers.citing(paper.key)]
    return json_reply(_page(entries, seen))


def _page(entries: list[object], seen: Seen, **more: object) -> dict[str, object]:
    offset, limit = int(seen.query.get("offset", 0)), int(seen.query.get("limit", 100))
    page: dict[str, object] = {**more, "offset": offset, "data": entries[offset : offset + limit]}
    if offset + limit < len(entries):
        page["next"] = offset + limit
    return page


def _unknown(name: str) -> Reply:
    return json_reply({"error": f"Paper with id {name} not found"}, 404)


def _by_id(name: str) -> Paper | None:
    kind, _, value = name.partition(":")
    kinds = {"DOI": "doi", "PMID": "pmid", "ARXIV": "arxiv"}
    return papers.find(kinds[kind], value) if kind in kinds else papers.find("s2", name)


def _record(paper: Paper) -> dict[str, object]:
    external = {"DOI": paper.doi, "PubMed": paper.pmid, "ArXiv": paper.arxiv, "CorpusId": int(paper.key[1:])}
    return {
        "paperId": paper.s2_id,
        "externalIds": {name: value for name, value in external.items() if value},
        "title": paper.title,
        "abstract": paper.abstract,
        "venue": paper.venue,
        "year": paper.year,
        "citationCount": paper.cited_by,
        "openAccessPdf": None,
        "publicationDate": paper.published_on if len(paper.published_on) == len("2021-04-12") else None,
        "journal": {"name": paper.venue, "pages": None, "volume": None},
        "authors": [{"authorId": str(number), "name": name} for number, name in enumerate(paper.authors)],
    }
