"""SearXNG's JSON interface, over the pages of a loopback web site."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from tests.loopback.server import Reply, Seen, json_reply

_PAGE = 10


@dataclass(frozen=True, slots=True)
class Listed:
    """One page in the index of the search engine."""

    url: str
    title: str
    content: str


def answering(pages: Sequence[Listed]) -> Callable[[Seen], Reply]:
    def answer(seen: Seen) -> Reply:
        if seen.query.get("format") != "json":
            return Reply(b"<html><body>forbidden</body></html>", 403)
        words = [word for word in seen.query["q"].lower().split() if len(word) > 2]
        scored = sorted(
            (-score, position)
            for position, page in enumerate(pages)
            if (score := sum(word in f"{page.title} {page.content}".lower() for word in words))
        )
        start = (int(seen.query.get("pageno", 1)) - 1) * _PAGE
        found = [pages[position] for _, position in scored[start : start + _PAGE]]
        results = [
            {
                "url": page.url,
                "title": page.title,
                "content": page.content,
                "engine": "loopback",
                "score": 1.0,
                "category": "general",
            }
            for page in found
        ]
        body = {"query": seen.query["q"], "number_of_results": 0, "results": results, "answers": [], "suggestions": []}
        return json_reply(body | {"unresponsive_engines": []})

    return answer


def silent(reason: str) -> Callable[[Seen], Reply]:
    """An instance whose engines do not answer."""
    return lambda seen: json_reply({"query": seen.query["q"], "results": [], "unresponsive_engines": [["loopback", reason]]})
