"""A service that speaks JSON: base address, key, rate and cache in one place; answers become values or problems."""

from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import quote

import orjson

from lyra.core.errors import InvalidInput, WebProblem
from lyra.core.ports import Check, accept
from lyra.core.records import ProviderStatus
from lyra.core.web_url import WebUrl, join_web_url, parse_web_url
from lyra.providers.exchange import Asked, Received
from lyra.providers.web import OK, REDIRECTS, Web

_CREATED = 201
_DENIED = frozenset({401, 402, 403, 407, 451})
_ABSENT = frozenset({404, 410})
_MAX_MESSAGE = 200
_MAX_MOVES = 3
_PLAIN = "-._~:/,|@*!()'$;"


@dataclass(frozen=True, slots=True)
class EndpointSettings:
    """Where a service is and how it is asked.

    The key goes into the header `key_header` or the parameter `key_param`, and nowhere else: not into messages, not into
    the cache. `trusted` says that the user chose the address, so that it may be on the own machine or network.
    `seconds` replaces the usual time limit.
    """

    address: str
    qps: float | None = None
    key: str | None = None
    key_header: str | None = None
    key_param: str | None = None
    trusted: bool = False
    cached: bool = True
    seconds: float | None = None


class Endpoint:
    """One JSON service behind the web client."""

    def __init__(self, web: Web, settings: EndpointSettings) -> None:
        self._web = web
        self._settings = settings
        self._base = parse_web_url(settings.address.rstrip("/") + "/")

    @property
    def address(self) -> str:
        """The base address, without any key."""
        return str(self._base).rstrip("/")

    @property
    def has_key(self) -> bool:
        """Whether a key is set."""
        return bool(self._settings.key)

    def get(self, path: str, params: Sequence[tuple[str, str]] = (), check: Check = accept) -> object:
        """Return the decoded answer. Raises WebProblem; a 404 is WebProblem `not_found`.

        `check` raises WebProblem for an answer of the wrong shape: it is asked for again, and never kept.
        """
        return self._ask("GET", path, params, None, check)

    def post(self, path: str, body: object, params: Sequence[tuple[str, str]] = (), check: Check = accept) -> object:
        """Return the decoded answer to a JSON body, as `get` does."""
        return self._ask("POST", path, params, orjson.dumps(body), check)

    def _ask(self, method: str, path: str, params: Sequence[tuple[str, str]], body: bytes | None, check: Check) -> object:
        # A path may hold an identifier that strangers wrote: its signs must not become a query or a fragment.
        target = self._base.target + quote(path.lstrip("/"), safe=_PLAIN)
        shown = self._base.origin + target
        query = "&".join(f"{quote(name, safe='')}={quote(value, safe=_PLAIN)}" for name, value in params)
        key = f"{method} {shown}?{query} {(body or b'').decode()}"
        kept = self._kept(key)
        if kept is not None:
            return kept
        answer, value = self._answer(self._url(target, query), method, body, shown, check)
        if self._settings.cached:
            self._web.keep(key, shown, "application/json", answer)
        return value

    def _answer(self, url: WebUrl, method: str, body: bytes | None, shown: str, check: Check) -> tuple[bytes, object]:
        settings = self._settings

        def read(received: Received) -> tuple[bytes, object] | WebUrl:
            if received.status in REDIRECTS and method == "GET":
                return self._moved(url, received, shown)
            value = self._read(received, shown)
            check(value)
            return received.body, value

        for _ in range(_MAX_MOVES):
            asked = Asked(url, method, self._headers(body), body, settings.trusted, shown, settings.seconds)
            found = self._web.call(asked, settings.qps, read)
            if not isinstance(found, WebUrl):
                return found
            url = found
        raise WebProblem("too_many_redirects", url=shown, limit=_MAX_MOVES)

    def _moved(self, url: WebUrl, received: Received, shown: str) -> WebUrl:
        """Return where the service has moved something to. Only within itself: a key must never go to another host."""
        try:
            target = join_web_url(url, received.headers.get("location", ""))
        except InvalidInput:
            target = None
        if target is None or target.origin != self._base.origin:
            raise WebProblem("unexpected_status", url=shown, http_status=received.status, detail="redirect")
        path, _, query = target.target.partition("?")
        secret = f"{self._settings.key_param}="
        return self._url(path, "&".join(part for part in query.split("&") if part and not part.startswith(secret)))

    def _kept(self, key: str) -> object | None:
        kept = self._web.kept(key) if self._settings.cached else None
        try:
            return orjson.loads(kept.body) if kept is not None else None
        except orjson.JSONDecodeError:
            return None

    def _url(self, target: str, query: str) -> WebUrl:
        settings = self._settings
        secret = f"{settings.key_param}={quote(settings.key, safe='')}" if settings.key and settings.key_param else ""
        whole = "&".join(filter(None, (query, secret)))
        target += f"?{whole}" if whole else ""
        return WebUrl(self._base.scheme, self._base.host, self._base.port, quote(target, safe=_PLAIN + "%?&="))

    def _headers(self, body: bytes | None) -> tuple[tuple[str, str], ...]:
        headers = [("User-Agent", self._web.limits.user_agent), ("Accept", "application/json")]
        if body is not None:
            headers.append(("Content-Type", "application/json"))
        if self._settings.key and self._settings.key_header:
            headers.append((self._settings.key_header, self._settings.key))
        return tuple(headers)

    def _read(self, received: Received, shown: str) -> object:
        if received.status in _ABSENT:
            raise WebProblem("not_found", ProviderStatus.NOTHING_FOUND, url=shown)
        if received.status in _DENIED:
            wants_key = not self.has_key and (self._settings.key_header or self._settings.key_param)
            if wants_key:
                raise WebProblem("no_key", ProviderStatus.NO_KEY, url=shown)
            raise WebProblem("access_refused", ProviderStatus.REFUSED, url=shown, http_status=received.status)
        if received.status not in (OK, _CREATED):
            message = received.body[:_MAX_MESSAGE].decode("utf-8", "replace")
            raise WebProblem("unexpected_status", url=shown, http_status=received.status, detail=" ".join(message.split()))
        try:
            return orjson.loads(received.body)
        except orjson.JSONDecodeError:
            raise WebProblem("malformed_answer", url=shown) from None
