"""Fetching pages: documents, walls and reasons."""

from collections.abc import Iterator

import pytest

from lyra.core.identifiers import identifiers_in_text
from lyra.core.identity import content_hash
from lyra.core.pages import FetchedPage, FetchFailure, NeedsPerson, Wall
from lyra.core.records import Identifier, ProviderStatus
from lyra.providers.page_fetching import FetchLimits, WebPageFetcher
from lyra.providers.walls import find_wall
from tests.loopback import website
from tests.loopback.client import make_web
from tests.loopback.server import Reply, Server, serving


@pytest.fixture
def site() -> Iterator[Server]:
    with serving(website.answering(lambda: site_url[0])) as server:
        site_url = [server.url]
        yield server


@pytest.fixture
def fetcher(site: Server) -> WebPageFetcher:
    return WebPageFetcher(make_web(site.host), FetchLimits(browser="never"))


def fetched(fetcher: WebPageFetcher, url: str) -> FetchedPage:
    outcome = fetcher.fetch(url)
    assert isinstance(outcome, FetchedPage), outcome
    return outcome


def test_an_article_becomes_a_document_with_its_links(fetcher: WebPageFetcher, site: Server) -> None:
    page = fetched(fetcher, f"{site.url}/moved")
    assert (page.asked, page.url) == (f"{site.url}/moved", f"{site.url}/blog/tea")
    assert "green tea lowered systolic blood pressure" in page.document.text
    assert "All rights imagined" not in page.document.text
    assert page.content_hash == content_hash(page.document.text)
    assert b"<article>" in page.raw
    trial, news, shop = page.links
    assert (trial.target, trial.anchor) == (Identifier("doi", "10.5555/ijc.2021.0001"), "that randomised trial")
    assert trial.context.startswith("The best study that I found")
    assert news.url == f"{site.url}/news/tea"
    assert shop.anchor == "these teapots"
    assert Identifier("url", page.url) in page.document.identifiers


def test_an_identifier_in_running_text_is_found(fetcher: WebPageFetcher, site: Server) -> None:
    page = fetched(fetcher, f"{site.url}/news/tea")
    assert Identifier("doi", "10.5555/aim.2023.0007") in identifiers_in_text(page.document.text)


@pytest.mark.parametrize("path", ["/ja/sjis", "/ja/euc", "/ja/undeclared"])
def test_older_japanese_encodings_are_read(fetcher: WebPageFetcher, site: Server, path: str) -> None:
    assert "収縮期血圧が2.8 mmHg低下した" in fetched(fetcher, f"{site.url}{path}").document.text


def test_a_server_that_names_the_wrong_charset_is_not_believed() -> None:
    body = website.article("緑茶と血圧", "<p>" + "緑茶を飲んだ群では収縮期血圧が低下した。" * 12 + "</p>", "ja", "")
    with serving(lambda _: Reply(body.encode("cp932"), media_type="text/html; charset=iso-8859-1")) as server:
        page = fetched(WebPageFetcher(make_web(server.host), FetchLimits(browser="never")), f"{server.url}/a")
    assert "緑茶を飲んだ群" in page.document.text


def test_a_pdf_becomes_a_document_that_names_works(fetcher: WebPageFetcher, site: Server) -> None:
    page = fetched(fetcher, f"{site.url}/report.pdf")
    assert "lower blood pressure" in page.document.text
    assert {Identifier("doi", "10.5555/ee.2019.0110"), Identifier("arxiv", "2402.01234")} <= set(
        identifiers_in_text(page.document.text)
    )


def test_the_references_of_an_encyclopaedia_are_found_by_their_best_name(fetcher: WebPageFetcher, site: Server) -> None:
    page = fetched(fetcher, f"{site.url}/wiki/Green_tea")
    doi, *_ = page.cited
    assert doi.target == Identifier("doi", "10.5555/ee.2019.0110")
    assert doi.context.startswith("^ Muster, O.")
    assert len({link.target for link in page.cited}) == len(page.cited)


def test_references_to_other_hosts_are_kept_and_archived_copies_beside_them_are_not() -> None:
    wiki = website.pages("https://other.example.org")["/wiki/Green_tea"]
    with serving(lambda seen: wiki if "wiki" in seen.path else Reply(b"", 404)) as server:
        page = fetched(WebPageFetcher(make_web(server.host), FetchLimits(browser="never")), f"{server.url}/wiki/Green_tea")
    assert [link.target for link in page.cited] == [
        Identifier("doi", "10.5555/ee.2019.0110"),
        Identifier("url", "https://other.example.org/blog/tea"),
        Identifier("url", "https://other.example.org/news/tea"),
    ]


def test_a_page_cannot_pass_itself_off_as_another_hosts() -> None:
    html = website.article("Tea", "<p>" + "Green tea is a drink that people like. " * 12 + "</p>").replace(
        "<title>", '<link rel="canonical" href="https://journal.example.org/paper"><title>'
    )
    with serving(lambda _: Reply(html.encode())) as server:
        page = fetched(WebPageFetcher(make_web(server.host), FetchLimits(browser="never")), f"{server.url}/a")
    assert page.document.identifiers == (Identifier("url", f"{server.url}/a"),)


@pytest.mark.parametrize(("path", "wall"), [("/members", Wall.LOGIN), ("/challenge", Wall.CAPTCHA)])
def test_a_wall_needs_a_person(fetcher: WebPageFetcher, site: Server, path: str, wall: Wall) -> None:
    outcome = fetcher.fetch(f"{site.url}{path}")
    assert isinstance(outcome, NeedsPerson)
    assert (outcome.wall, outcome.host) == (wall, "127.0.0.1")
    assert len(site.requests) == 1  # a challenge is not asked again


@pytest.mark.parametrize(
    ("path", "code", "status"),
    [
        ("/missing", "not_found", ProviderStatus.NOTHING_FOUND),
        ("/private/notes", "robots", ProviderStatus.REFUSED),
        ("/archive.zip", "unsupported_media", ProviderStatus.REFUSED),
        ("/scripted", "needs_browser", ProviderStatus.REFUSED),
    ],
)
def test_what_brings_no_page_says_why(
    fetcher: WebPageFetcher, site: Server, path: str, code: str, status: ProviderStatus
) -> None:
    outcome = fetcher.fetch(f"{site.url}{path}")
    assert isinstance(outcome, FetchFailure)
    assert (outcome.code, outcome.status) == (code, status)


@pytest.mark.parametrize(
    ("body", "media", "code"),
    [
        (b"", "text/html", "no_text"),
        (b"<html><body></body></html>", "text/html", "no_text"),
        (b"%PDF-1.7 broken", "application/pdf", "damaged_pdf"),
        (bytes(range(256)) * 20, "text/plain", "undecodable"),
        (b"\x89PNG\r\n\x1a\n" + bytes(100), "text/html", "unsupported_media"),
    ],
)
def test_a_broken_body_is_a_reason_and_no_failure(body: bytes, media: str, code: str) -> None:
    with serving(lambda seen: Reply(body, media_type=media) if seen.path == "/a" else Reply(b"", 404)) as server:
        outcome = WebPageFetcher(make_web(server.host), FetchLimits(browser="never")).fetch(f"{server.url}/a")
    assert isinstance(outcome, FetchFailure)
    assert outcome.code == code


LONG = "This is an ordinary page with enough words on it to be read by anybody. " * 20


@pytest.mark.parametrize(
    ("status", "html", "text", "wall"),
    [
        (200, "<p>ordinary</p>", LONG, None),
        (200, f"<p>{LONG}</p><div class='g-recaptcha'></div>", LONG, None),
        (200, f"<p>{LONG}</p><form><input type=password></form>", LONG, None),
        (200, f"<p>{LONG} Please log in to comment.</p>", LONG, None),
        (404, "<p>Nothing here.</p>", None, None),
        (403, "<p>Forbidden</p>", None, None),
        (401, "", None, Wall.LOGIN),
        (403, "<script src='https://ct.captcha-delivery.com/c.js'></script>", None, Wall.CAPTCHA),
        (200, "<h1>Verify you are human</h1>", "Verify you are human", Wall.CAPTCHA),
        (200, "<p>私はロボットではありません</p>", "私はロボットではありません", Wall.CAPTCHA),
        (429, "<p>Our systems have detected unusual traffic from your network.</p>", None, Wall.CAPTCHA),
        (200, "<p>この記事は会員限定です。続きを読むにはログインが必要です。</p>", "この記事は会員限定です。", Wall.LOGIN),
        (200, '<p>A teaser.</p><script>{"isAccessibleForFree": false}</script>', "A teaser.", Wall.LOGIN),
        (200, "<form><input type='password'></form>", None, Wall.LOGIN),
    ],
)
def test_walls_are_told_from_pages(status: int, html: str, text: str | None, wall: Wall | None) -> None:
    found = find_wall(status, "https://example.org/a", html, text)
    assert (found[0] if found else None) is wall
