"""A real Chromium, through Playwright, for pages that write themselves out by script, and for search pages.

The browser itself reaches nothing: names do not resolve in it and its proxy leads nowhere. Each of its requests is handed
to the web client, which checks addresses, asks the gate and keeps the limits, as for every other request of the program.
"""

import os
import queue
import shutil
import threading
from concurrent.futures import Future
from concurrent.futures import TimeoutError as WaitedTooLong
from dataclasses import dataclass
from importlib.util import find_spec
from typing import TYPE_CHECKING
from urllib.parse import quote

from lyra.core.errors import ConfigError, WebProblem
from lyra.core.records import ProviderStatus
from lyra.core.works import Answer, Item, ProviderInfo, ProviderKind, answered
from lyra.providers.browser_results import read_results
from lyra.providers.exchange import Received
from lyra.providers.registry import ProviderTools
from lyra.providers.walls import find_wall, is_challenge
from lyra.providers.web import OK, Loaded, Web

if TYPE_CHECKING:
    from playwright.sync_api import Browser as Chromium
    from playwright.sync_api import Playwright, Route

NAME = "browser"
_PROGRAMS = ("chromium", "chromium-browser", "google-chrome-stable", "google-chrome")
_NOT_LOADED = frozenset({"image", "media", "font", "websocket", "eventsource", "manifest", "ping", "other"})
_MAX_REQUESTS = 150
_SETTLE_SECONDS = 3.0
_ROOM_SECONDS = 10.0
_FLAGS = (
    "--host-resolver-rules=MAP * ~NOTFOUND",
    "--proxy-server=http://127.0.0.1:9",
    "--proxy-bypass-list=<-loopback>",
    "--disable-background-networking",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
)


@dataclass(frozen=True, slots=True)
class BrowserSettings:
    """Which program, and how long one page may take. `program` None: Chromium as installed, else Playwright's own."""

    program: str | None = None
    seconds: float = 30.0
    user_agent: str | None = None


def browser_problem(program: str | None) -> str | None:
    """Return what is missing for a browser to be used, `playwright` or the program; None if nothing is."""
    if find_spec("playwright") is None:
        return "playwright"
    if program is not None and shutil.which(program) is None:
        return program
    return None


class Browser:
    """Opens pages one after the other, in a thread of its own, whoever asks. Started when first used; `close` ends it."""

    def __init__(self, web: Web, settings: BrowserSettings) -> None:
        self._web = web
        self._settings = settings
        self._lock = threading.Lock()
        self._worker: _Worker | None = None

    def open(self, url: str, visit_qps: float | None = None) -> Loaded:
        """Return the page as it stands after its scripts ran. Raises WebProblem.

        With `visit_qps` it is a page that the user named in the settings, gone to at that rate (see `Web.visit`).
        """
        missing = browser_problem(self._settings.program)
        if missing is not None:
            raise WebProblem("browser_missing", ProviderStatus.REFUSED, missing=missing)
        with self._lock:
            worker = self._worker = self._worker or _Worker(self._web, self._settings)
        asked = worker.ask(url, visit_qps)
        try:
            return asked.result(self._settings.seconds * 2 + _ROOM_SECONDS)
        except WaitedTooLong:
            with self._lock:
                self._worker = None
            raise WebProblem("timed_out", url=url) from None

    def close(self) -> None:
        """End the browser, if it runs."""
        with self._lock:
            worker, self._worker = self._worker, None
        if worker is not None:
            worker.end()


class _Worker:
    """The thread that a browser lives in: Playwright's objects belong to the thread that made them."""

    def __init__(self, web: Web, settings: BrowserSettings) -> None:
        self._web = web
        self._settings = settings
        self._orders: queue.Queue[tuple[str, float | None, Future[Loaded]] | None] = queue.Queue()
        self._thread = threading.Thread(target=self._work, name="lyra-browser", daemon=True)
        self._thread.start()

    def ask(self, url: str, visit_qps: float | None) -> "Future[Loaded]":
        """Return the page to come."""
        order: Future[Loaded] = Future()
        self._orders.put((url, visit_qps, order))
        return order

    def end(self) -> None:
        """Finish what was asked for and end the browser."""
        self._orders.put(None)
        self._thread.join(self._settings.seconds + _ROOM_SECONDS)

    def _work(self) -> None:
        from playwright.sync_api import Error, sync_playwright  # noqa: PLC0415 - an optional extra, and slow to import

        with sync_playwright() as playwright:
            chromium: Chromium | None = None
            while (order := self._orders.get()) is not None:
                url, visit_qps, answer = order
                try:
                    if chromium is None or not chromium.is_connected():
                        chromium = self._launched(playwright)
                    answer.set_result(self._opened(chromium, url, _Served(self._web, visit_qps)))
                except WebProblem as problem:
                    answer.set_exception(problem)
                except Error as failure:
                    detail = str(failure).partition("\n")[0][:200]
                    answer.set_exception(WebProblem("browser_failed", url=url, detail=detail))
            if chromium is not None:
                chromium.close()

    def _launched(self, playwright: "Playwright") -> "Chromium":
        wanted = (self._settings.program,) if self._settings.program else _PROGRAMS
        program = next(filter(None, map(shutil.which, wanted)), None)
        return playwright.chromium.launch(
            executable_path=program,
            args=list(_FLAGS),
            # Chromium refuses to run its sandbox as root.
            chromium_sandbox=os.name != "posix" or os.geteuid() != 0,
            timeout=self._settings.seconds * 1000,
        )

    def _opened(self, chromium: "Chromium", url: str, served: "_Served") -> Loaded:
        from playwright.sync_api import Error  # noqa: PLC0415 - as above
        from playwright.sync_api import TimeoutError as Late  # noqa: PLC0415 - as above

        milliseconds = self._settings.seconds * 1000
        context = chromium.new_context(
            user_agent=self._settings.user_agent, service_workers="block", accept_downloads=False, locale="en"
        )
        try:
            context.route("**/*", served.serve)
            page = context.new_page()
            try:
                page.goto(url, timeout=milliseconds, wait_until="load")
            except Error:
                if served.problem is not None:
                    raise served.problem from None
                raise
            try:
                page.wait_for_load_state("networkidle", timeout=_SETTLE_SECONDS * 1000)
            except Late:
                served.late = True
            # Unlike `content`, this gives up when a script of the page never ends.
            html = page.locator("html").inner_html(timeout=_SETTLE_SECONDS * 1000)
            body = f"<!doctype html><html>{html}</html>".encode("utf-8", "replace")
            return Loaded(str(page.url), served.status, "text/html; charset=utf-8", body)
        except Late:
            raise WebProblem("timed_out", url=url) from None
        finally:
            context.close()


class _Served:
    """Answers the requests of one page from the web client, or not at all."""

    def __init__(self, web: Web, visit_qps: float | None) -> None:
        self._web = web
        self._visit_qps = visit_qps
        self._count = 0
        self.status = OK
        self.problem: WebProblem | None = None
        self.late = False

    def serve(self, route: "Route") -> None:
        """Answer one request of the page."""
        request = route.request
        self._count += 1
        first = self._count == 1
        if not first and (self._count > _MAX_REQUESTS or request.method != "GET" or request.resource_type in _NOT_LOADED):
            route.abort()
            return
        try:
            loaded = self._load(request.url, first) if request.is_navigation_request() else self._web.resource(request.url)
        except WebProblem as problem:
            if first:
                self.problem = problem
            route.abort()
            return
        if first:
            self.status = loaded.status
        route.fulfill(
            status=loaded.status,
            body=loaded.body,
            headers={"Content-Type": loaded.media_type or "text/html", "Access-Control-Allow-Origin": "*"},
        )

    def _load(self, url: str, first: bool) -> Loaded:
        if first and self._visit_qps is not None:
            return self._web.visit(url, self._visit_qps, _is_final)
        return self._web.page(url, _is_final)


def _is_final(received: Received) -> bool:
    return is_challenge(received.status, received.body)


def build(tools: ProviderTools) -> "BrowserSearch":
    """Return the provider. Raises ConfigError where no search page is set up or the extra is not installed."""
    if tools.service.url is None:
        raise ConfigError("provider_not_set_up", name=NAME, key="providers.browser_url")
    if tools.browser is None:
        raise ConfigError("browser_missing")
    return BrowserSearch(tools.browser, tools.service.url, tools.service.qps)


class BrowserSearch:
    """Web pages from the result page of a search engine, as a browser shows it."""

    def __init__(self, browser: Browser, template: str, qps: float = 1.0) -> None:
        self._browser = browser
        self._qps = qps
        self._template = template
        self.info = ProviderInfo(NAME, ProviderKind.WEB, template.partition("?")[0])

    def search(self, query: str, limit: int) -> Answer[Item]:
        """Return at most `limit` pages for a query, in the order of the result page."""
        url = self._template.replace("{query}", quote(query, safe=""))
        try:
            loaded = self._browser.open(url, self._qps)
            html = loaded.body.decode("utf-8", "replace")
            items = read_results(html, loaded.url, NAME)
            wall = None if items else find_wall(loaded.status, loaded.url, html, None)
            if wall is not None:
                raise WebProblem("search_page_wall", ProviderStatus.REFUSED, url=self.info.endpoint, sign=wall[1])
            if loaded.status != OK:
                raise WebProblem("access_refused", ProviderStatus.REFUSED, url=self.info.endpoint, http_status=loaded.status)
        except WebProblem as problem:
            return answered((), problem)
        return answered(items[:limit])
