"""A real Chromium on loopback pages. It reaches nothing that the web client does not allow."""

from collections.abc import Iterator

import pytest

from lyra.core.domain_decision import DomainDecision
from lyra.core.errors import WebProblem
from lyra.core.pages import FetchedPage
from lyra.core.records import Identifier, ProviderStatus
from lyra.providers.browser import _PROGRAMS, Browser, BrowserSearch, BrowserSettings, browser_problem
from lyra.providers.browser_results import read_results
from lyra.providers.page_fetching import FetchLimits, WebPageFetcher
from lyra.providers.web import Web
from tests.loopback import website
from tests.loopback.client import OpenGate, make_web
from tests.loopback.server import Reply, Seen, Server, serving
from tests.loopback.timing import MovedClock


def _program() -> str | None:
    return next((name for name in _PROGRAMS if browser_problem(name) is None), None)


needs_browser = pytest.mark.skipif(
    _program() is None, reason="needs Playwright (the extra `browser`) and an installed Chromium; one of them is missing"
)


@pytest.fixture
def site() -> Iterator[Server]:
    with serving(website.answering(lambda: "")) as server:
        yield server


def opened(web: Web, seconds: float = 30.0) -> Browser:
    return Browser(web, BrowserSettings(_program(), seconds))


@needs_browser
def test_a_page_that_writes_itself_out_is_read_in_a_browser(site: Server) -> None:
    web = make_web(site.host)
    browser = opened(web)
    try:
        page = WebPageFetcher(web, FetchLimits(), browser).fetch(f"{site.url}/scripted")
        plain = WebPageFetcher(web, FetchLimits(), browser).fetch(f"{site.url}/blog/tea")
    finally:
        browser.close()
    assert isinstance(page, FetchedPage)
    assert page.rendered
    assert "only a browser can show" in page.document.text
    assert isinstance(plain, FetchedPage)
    assert not plain.rendered


@needs_browser
def test_a_page_in_the_browser_reaches_no_other_host_of_the_machine(site: Server) -> None:
    with serving(lambda _: Reply(b"secret", headers={"Access-Control-Allow-Origin": "*"})) as internal:
        attack = f"""<html><body><div id="root"></div><script>
        const say = (text) => document.getElementById('root').innerHTML += '<p>' + text + '</p>';
        fetch('{internal.url}/a').then(r => r.text()).then(say).catch(() => say('refused'));
        fetch('http://localhost:{internal.port}/b').then(r => r.text()).then(say).catch(() => say('refused'));
        try {{ new WebSocket('ws://127.0.0.1:{internal.port}/c'); }} catch (e) {{}}
        navigator.sendBeacon('{internal.url}/d', 'x');
        const image = new Image(); image.src = '{internal.url}/e'; document.body.appendChild(image);
        const frame = document.createElement('iframe'); frame.src = '{internal.url}/f'; document.body.appendChild(frame);
        const link = document.createElement('link'); link.rel = 'prefetch'; link.href = '{internal.url}/g';
        document.head.appendChild(link);
        </script></body></html>"""

        def answer(seen: Seen) -> Reply:
            return Reply(attack.encode()) if seen.path == "/attack" else Reply(b"", 404)

        with serving(answer) as evil:
            browser = opened(make_web(evil.host))
            try:
                loaded = browser.open(f"{evil.url}/attack")
            finally:
                browser.close()
        assert internal.seen == []
    assert loaded.body.count(b"<p>refused</p>") == 2
    assert b"secret" not in loaded.body.replace(attack.encode(), b"")


@needs_browser
def test_a_script_that_never_ends_is_given_up_and_the_browser_goes_on() -> None:
    def answer(seen: Seen) -> Reply:
        if seen.path == "/endless":
            return Reply(b"<html><body><p>x</p><script>setTimeout(() => { while (true) {} }, 50)</script></body></html>")
        return Reply(
            b"<html><body><p>fine</p></body></html>" if seen.path == "/fine" else b"", 200 if seen.path == "/fine" else 404
        )

    with serving(answer) as server:
        browser = opened(make_web(server.host), seconds=3.0)
        try:
            with pytest.raises(WebProblem) as problem:
                browser.open(f"{server.url}/endless")
            assert problem.value.code == "timed_out"
            assert b"fine" in browser.open(f"{server.url}/fine").body
        finally:
            browser.close()


@needs_browser
def test_a_blocked_host_is_not_opened_in_the_browser_either(site: Server) -> None:
    gate = OpenGate({"127.0.0.1": DomainDecision("127.0.0.1", allowed=False, block_reason="manual")})
    browser = opened(make_web(site.host, gate=gate))
    try:
        with pytest.raises(WebProblem, match="blocked"):
            browser.open(f"{site.url}/blog/tea")
    finally:
        browser.close()
    assert site.seen == []


@needs_browser
def test_a_search_page_is_read_as_results(site: Server) -> None:
    browser = opened(make_web(site.host))
    try:
        answer = BrowserSearch(browser, f"{site.url}/find?q={{query}}").search("green tea & 緑茶", 10)
    finally:
        browser.close()
    assert answer.status is ProviderStatus.OK
    assert [item.url for item in answer.found] == ["https://blog.example.org/tea", "https://doi.org/10.5555/ijc.2021.0001"]
    assert answer.found[0].snippet == "What the research says about blood pressure."
    assert Identifier("doi", "10.5555/ijc.2021.0001") in answer.found[1].identifiers
    assert site.requests[0].query == {"q": "green tea & 緑茶"}


@needs_browser
def test_a_search_page_that_gives_none_says_why(site: Server) -> None:
    browser = opened(make_web(site.host))
    try:
        for path, code in (("/challenge", "search_page_wall"), ("/missing", "access_refused")):
            answer = BrowserSearch(browser, f"{site.url}{path}?q={{query}}").search("tea", 10)
            assert (answer.status, answer.code) == (ProviderStatus.REFUSED, code)
    finally:
        browser.close()


def test_a_machine_without_the_browser_says_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    assert browser_problem("no-such-browser-anywhere") in ("playwright", "no-such-browser-anywhere")
    monkeypatch.setattr("lyra.providers.browser.find_spec", lambda name: None)
    with pytest.raises(WebProblem) as problem:
        Browser(make_web(clock=MovedClock()), BrowserSettings()).open("https://example.org/")
    assert (problem.value.code, problem.value.status) == ("browser_missing", ProviderStatus.REFUSED)


def test_results_are_read_once_each_without_the_engines_own_links() -> None:
    html = """<html><body><a href="https://engine.example.com/help">Help pages</a>
    <div><a href="https://one.example.org/a">First result</a>
    <p>Words about the first result, long enough to be a snippet.</p></div>
    <div><a href="https://one.example.org/a#part">Again the first</a></div>
    <div><a href="/redirect?url=https%3A%2F%2Ftwo.example.org%2Fb">Second result</a></div>
    <footer><a href="https://legal.example.net/">Privacy policy</a></footer>
    <a href="mailto:x@example.org">Mail us</a></body></html>"""
    items = read_results(html, "https://engine.example.com/search?q=x", "browser")
    assert [item.url for item in items] == ["https://one.example.org/a", "https://two.example.org/b"]
    assert items[0].snippet.startswith("Words about the first result")
    assert read_results("", "https://engine.example.com/", "browser") == []
