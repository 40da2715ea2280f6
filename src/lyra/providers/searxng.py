"""SearXNG's JSON interface: a web search that people run themselves."""

import re
from collections.abc import Mapping
from dataclasses import replace

from lyra.core.errors import WebProblem
from lyra.core.identifiers import identifiers_in_address, identifiers_in_text
from lyra.core.records import ProviderStatus
from lyra.core.works import Answer, Item, ProviderInfo, ProviderKind, answered
from lyra.providers.dates import parse_date
from lyra.providers.endpoint import Endpoint
from lyra.providers.json_reading import as_list, as_object, line, objects, required_list
from lyra.providers.paging import Portion, walk
from lyra.providers.registry import ProviderTools

NAME = "searxng"
_FORBIDDEN = 403
_THROTTLED = re.compile(r"too many|captcha|denied|suspended|rate", re.IGNORECASE)


def build(tools: ProviderTools) -> "SearXng":
    """Return the provider. Raises ConfigError where no instance is set up."""
    return SearXng(tools.endpoint())


class SearXng:
    """Web pages from a SearXNG instance, which must have the JSON format switched on."""

    def __init__(self, endpoint: Endpoint) -> None:
        self._endpoint = endpoint
        self.info = ProviderInfo(NAME, ProviderKind.WEB, endpoint.address)

    def search(self, query: str, limit: int) -> Answer[Item]:
        """Return at most `limit` pages for a query, best first."""

        def ask(page: str) -> Portion[Item]:
            params = (("q", query), ("format", "json"), ("pageno", page))
            found = self._portion(self._get(params))
            return replace(found, next=str(int(page) + 1))

        answer = walk(ask, "1", limit)
        # Engines that fail on a later page have answered before.
        return answered(answer.found) if answer.code == "engines_silent" and answer.found else answer

    def _portion(self, value: object) -> Portion[Item]:
        entries = required_list(value, "results", self._endpoint.address)
        if not entries:
            _check_engines(value, self._endpoint.address)
        items = [item for entry in objects(entries) if (item := _item(entry))]
        return Portion(items, len(entries), None).readable(self._endpoint.address)

    def _get(self, params: tuple[tuple[str, str], ...]) -> object:
        try:
            return self._endpoint.get("search", params, self._portion)
        except WebProblem as problem:
            if problem.params.get("http_status") == _FORBIDDEN:
                raise WebProblem("json_disabled", ProviderStatus.REFUSED, url=self._endpoint.address) from None
            raise


def _check_engines(value: object, url: str) -> None:
    """Raise where the list is empty because the engines behind the instance did not answer."""
    silent = [[str(part) for part in as_list(entry)] for entry in as_list(as_object(value).get("unresponsive_engines"))]
    if silent:
        said = "; ".join(": ".join(parts) for parts in silent)[:200]
        status = ProviderStatus.THROTTLED if _THROTTLED.search(said) else ProviderStatus.DOWN
        raise WebProblem("engines_silent", status, url=url, detail=said)


def _item(entry: Mapping[str, object]) -> Item | None:
    url, title = line(entry.get("url"), 4096), line(entry.get("title"))
    if url is None or title is None or not url.lower().startswith(("http://", "https://")):
        return None
    snippet = line(entry.get("content"), 2000) or ""
    published = entry.get("publishedDate")
    return Item(
        source=NAME,
        title=title,
        url=url,
        snippet=snippet,
        identifiers=tuple(dict.fromkeys([*identifiers_in_address(url), *identifiers_in_text(f"{title}\n{snippet}")])),
        published_on=parse_date(published) if isinstance(published, str) else None,
    )
