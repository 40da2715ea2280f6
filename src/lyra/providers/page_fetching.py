"""Fetching pages: plain HTTP first, a browser where a page needs one, and a document, a wall or a reason in the end."""

import re
from dataclasses import dataclass

from lyra.core.errors import DocumentProblem, WebProblem
from lyra.core.identity import content_hash, host_of
from lyra.core.pages import FetchedPage, FetchFailure, FetchOutcome, NeedsPerson
from lyra.core.records import Document, ProviderStatus
from lyra.providers.browser import Browser
from lyra.providers.decoding import MAX_CHARS, declared_charset, decode
from lyra.providers.html import WebPage, read_web_page
from lyra.providers.pdf import PdfLimits, read_pdf
from lyra.providers.plain import read_plain
from lyra.providers.sniffing import actual_type, holds_pdf
from lyra.providers.walls import find_wall, is_challenge
from lyra.providers.web import OK, Loaded, Web

_ABSENT = frozenset({404, 410})
_SUCCESS = range(200, 300)
_PARSER_SURPRISES = (ValueError, TypeError, LookupError, AttributeError, ArithmeticError, RecursionError)
_CHARSET = re.compile(r"charset\s*=\s*[\"']?([A-Za-z0-9_.:-]{2,30})", re.IGNORECASE)
# Below this a page that runs scripts has probably not been written out yet.
_FEW_CHARS = 200
_SCRIPTED = re.compile(r"<script\b|<noscript\b", re.IGNORECASE)
_EMPTY_FRAME = re.compile(
    r"<(?:div|main)\b[^>]{0,200}\bid\s*=\s*[\"']?(?:root|app|__next|__nuxt|main-app|application)\b"
    r"|(?:enable|requires?|turn on) javascript|javascript\s*を(?:有効|オン)",
    re.IGNORECASE,
)
_WALL_SAMPLE = 400_000


@dataclass(frozen=True, slots=True)
class FetchLimits:
    """What reading one page may cost, and when a browser is used: `auto`, `never` or `always`."""

    max_text_chars: int = MAX_CHARS
    pdf_seconds: float = 60
    pdf_memory_bytes: int = 1024 * 2**20
    browser: str = "auto"


class WebPageFetcher:
    """Brings pages. Safe to share between threads; the browser, where one is used, takes one page at a time."""

    def __init__(self, web: Web, limits: FetchLimits, browser: Browser | None = None) -> None:
        self._web = web
        self._limits = limits
        self._browser = browser if limits.browser != "never" else None

    def fetch(self, url: str) -> FetchOutcome:
        """Return the page, a wall that only a person gets past, or why there is none; never raises for what a server does."""
        try:
            loaded = self._web.page(url, is_final=lambda received: is_challenge(received.status, received.body))
            return self._opened(url, loaded)
        except WebProblem as problem:
            return FetchFailure(url, problem.code, problem.status, problem.params)
        except DocumentProblem as problem:
            return FetchFailure(url, problem.code, ProviderStatus.REFUSED, problem.params, area="document")

    def _opened(self, asked: str, loaded: Loaded) -> FetchOutcome:
        if not _is_html(loaded):
            _check_status(loaded)
            return self._page(asked, loaded, WebPage(self._read_other(loaded), (), ()))
        outcome, page = self._first_look(asked, loaded)
        if self._browser is not None and (self._limits.browser == "always" or _needs_browser(loaded, page, outcome)):
            rendered = self._browser.open(loaded.url)
            outcome, page = self._first_look(asked, rendered)
            if page is not None and outcome is None:
                return self._page(asked, rendered, page, rendered=True)
        if outcome is not None:
            return outcome
        if page is None:
            code = "needs_browser" if _looks_scripted(loaded) else "no_text"
            return FetchFailure(asked, code, ProviderStatus.REFUSED, {"url": loaded.url})
        return self._page(asked, loaded, page)

    def _first_look(self, asked: str, loaded: Loaded) -> tuple[NeedsPerson | FetchFailure | None, WebPage | None]:
        """Return the wall or the failure that a page is, or what can be read from it; both None for an empty page."""
        page = None
        if loaded.status in _SUCCESS:
            try:
                page = _read_safely(loaded, self._limits.max_text_chars)
            except DocumentProblem as problem:
                if problem.code != "no_text":
                    raise
        html = _source(loaded)
        wall = find_wall(loaded.status, loaded.url, html, page.document.text if page else None)
        if wall is not None:
            return NeedsPerson(asked, loaded.url, host_of(loaded.url) or "", *wall), page
        try:
            _check_status(loaded)
        except WebProblem as problem:
            return FetchFailure(asked, problem.code, problem.status, problem.params), None
        return None, page

    def _read_other(self, loaded: Loaded) -> Document:
        where = loaded.url
        try:
            if holds_pdf(loaded.body):
                limits = PdfLimits(self._limits.pdf_seconds, self._limits.pdf_memory_bytes, self._limits.max_text_chars)
                return read_pdf(loaded.body, where, limits)
            if actual_type(loaded.body) is None and loaded.media_type.lower().startswith("text/"):
                return read_plain(loaded.body, where, self._limits.max_text_chars)
        except _PARSER_SURPRISES as failure:
            raise DocumentProblem("unparsable", path=where, detail=f"{type(failure).__name__}: {failure}"[:200]) from failure
        raise WebProblem("unsupported_media", ProviderStatus.REFUSED, url=where, media=loaded.media_type[:60] or "?")

    def _page(self, asked: str, loaded: Loaded, page: WebPage, *, rendered: bool = False) -> FetchedPage:
        return FetchedPage(
            asked=asked,
            url=loaded.url,
            document=page.document,
            content_hash=content_hash(page.document.text),
            raw=loaded.body,
            media_type=loaded.media_type,
            fetched_at=self._web.clock.now(),
            links=page.links,
            cited=page.cited,
            rendered=rendered,
            from_cache=loaded.from_cache,
        )


def _is_html(loaded: Loaded) -> bool:
    kind = actual_type(loaded.body)
    named = loaded.media_type.partition(";")[0].strip().lower()
    return kind == "html" or (kind is None and not holds_pdf(loaded.body) and named in ("text/html", "application/xhtml+xml", ""))


def _check_status(loaded: Loaded) -> None:
    if loaded.status in _ABSENT:
        raise WebProblem("not_found", ProviderStatus.NOTHING_FOUND, url=loaded.url)
    if loaded.status not in _SUCCESS:
        raise WebProblem("access_refused", ProviderStatus.REFUSED, url=loaded.url, http_status=loaded.status)
    if loaded.status != OK and not loaded.body:
        raise WebProblem("unexpected_status", url=loaded.url, http_status=loaded.status, detail="-")


def _read_safely(loaded: Loaded, max_chars: int) -> WebPage:
    charset = _CHARSET.search(loaded.media_type)
    try:
        return read_web_page(loaded.body, loaded.url, max_chars, charset[1] if charset else None)
    except _PARSER_SURPRISES as failure:
        # Pages are anybody's work, and parsers have faults: one page must never end the reading of the others.
        detail = f"{type(failure).__name__}: {failure}"[:200]
        raise DocumentProblem("unparsable", path=loaded.url, detail=detail) from failure


def _source(loaded: Loaded) -> str:
    sample = loaded.body[:_WALL_SAMPLE]
    decoded = decode(sample, declared_charset(sample))
    return decoded.text if decoded else sample.decode("latin-1")


def _looks_scripted(loaded: Loaded) -> bool:
    html = _source(loaded)
    return bool(_SCRIPTED.search(html) and _EMPTY_FRAME.search(html))


def _needs_browser(loaded: Loaded, page: WebPage | None, outcome: NeedsPerson | FetchFailure | None) -> bool:
    """Return whether a page shows its text only to a browser. A wall stays one: a browser of ours does not get past it."""
    if outcome is not None or loaded.status not in _SUCCESS:
        return False
    return (page is None or len(page.document.text) < _FEW_CHARS) and _looks_scripted(loaded)
