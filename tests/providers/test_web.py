"""The web client: politeness, retries, redirects, budgets and cache."""

import socket
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from lyra.core.domain_decision import DomainDecision
from lyra.core.errors import WebProblem
from lyra.core.records import ProviderStatus
from lyra.core.web_url import parse_web_url
from lyra.providers.disk_cache import DiskCache, Kept
from lyra.providers.exchange import Asked, ExchangeLimits, OfflineTransport, Received
from lyra.providers.politeness import ProcessUsage
from lyra.providers.web import Web, WebLimits
from tests.loopback.client import EXCHANGE, OpenGate, make_web
from tests.loopback.server import Reply, Seen, Server, serving
from tests.loopback.timing import START, MovedClock

LIMITS = WebLimits(EXCHANGE)
HOST = "example.org"


class Scripted:
    """A transport that gives prepared answers, the last one again and again, and notes when each was asked for."""

    def __init__(self, clock: MovedClock, *answers: Received | WebProblem) -> None:
        self._clock = clock
        self._answers = list(answers)
        self.asked: list[tuple[str, float]] = []

    def send(self, asked: Asked, limits: ExchangeLimits) -> Received:
        self.asked.append((str(asked.url), round(self._clock.monotonic(), 3)))
        answer = self._answers.pop(0) if len(self._answers) > 1 else self._answers[0]
        if isinstance(answer, WebProblem):
            raise answer
        return answer


def status(code: int, **headers: str) -> Received:
    return Received(code, {name.replace("_", "-"): value for name, value in headers.items()}, b"body")


def scripted(*answers: Received | WebProblem, gate: OpenGate | None = None) -> tuple[Web, Scripted, MovedClock]:
    clock = MovedClock()
    transport = Scripted(clock, *answers)
    return make_web(clock=clock, limits=LIMITS, transport=transport, gate=gate or OpenGate()), transport, clock


def ask(web: Web) -> Received:
    return web.call(Asked(parse_web_url(f"https://{HOST}/api")), None, lambda received: received)


@pytest.fixture
def site() -> Iterator[Server]:
    pages = {
        "/robots.txt": Reply(b"User-agent: *\nDisallow: /secret", media_type="text/plain"),
        "/a": Reply(b"tea"),
        "/secret": Reply(b"no"),
        "/to-a": Reply(b"", 301, headers={"Location": "/a"}),
        "/to-secret": Reply(b"", 302, headers={"Location": "secret"}),
        "/loop": Reply(b"", 302, headers={"Location": "/loop"}),
        "/lost": Reply(b"", 302),
    }
    with serving(lambda seen: pages.get(seen.path, Reply(b"", 404))) as server:
        yield server


# Retries


def test_a_passing_failure_is_asked_again_after_a_pause() -> None:
    web, transport, clock = scripted(status(500), WebProblem("timed_out", url="x"), status(200))
    assert ask(web).status == 200
    assert len(transport.asked) == 3
    assert 0.5 <= clock.slept[0] <= 1.0
    assert 1.0 <= clock.slept[1] <= 2.0


def test_attempts_end() -> None:
    web, transport, _ = scripted(status(502))
    with pytest.raises(WebProblem) as problem:
        ask(web)
    assert (problem.value.code, problem.value.status) == ("server_error", ProviderStatus.DOWN)
    assert len(transport.asked) == LIMITS.attempts


def test_what_no_repetition_can_change_is_asked_once() -> None:
    for answer in (WebProblem("unsafe_address", host=HOST), WebProblem("too_large", url="x", limit=1)):
        web, transport, _ = scripted(answer)
        with pytest.raises(WebProblem):
            ask(web)
        assert len(transport.asked) == 1


def test_a_host_that_asks_for_a_pause_gets_it() -> None:
    web, transport, _ = scripted(status(429, retry_after="7"), status(200))
    ask(web)
    assert transport.asked[1][1] >= 7


def test_a_host_that_asks_for_a_pause_by_date_gets_it() -> None:
    web, transport, _ = scripted(status(503, retry_after="Sun, 01 Mar 2026 12:00:20 GMT"), status(200))
    ask(web)
    assert transport.asked[1][1] >= 20


def test_a_pause_beyond_all_patience_ends_at_once_and_is_remembered() -> None:
    web, transport, clock = scripted(status(429, retry_after="31536000"))
    for code in ("throttled", "held"):
        with pytest.raises(WebProblem) as problem:
            ask(web)
        assert (problem.value.code, problem.value.status) == (code, ProviderStatus.THROTTLED)
    assert len(transport.asked) == 1
    assert clock.monotonic() == 0
    clock.advance(3601)
    with pytest.raises(WebProblem):
        ask(web)
    assert len(transport.asked) == 2


# Rates and budgets


def test_requests_to_a_host_keep_its_rate() -> None:
    gate = OpenGate({HOST: DomainDecision(HOST, qps=0.5)})
    web, transport, _ = scripted(status(404), gate=gate)
    for page in "abc":
        web.page(f"https://{HOST}/{page}")
    assert [moment for _, moment in transport.asked] == [0, 2, 4, 6]  # robots.txt counts too


def test_a_crawl_delay_slows_down_and_never_speeds_up() -> None:
    robots = Received(200, {}, b"User-agent: *\nCrawl-delay: 4")
    for qps, expected in ((None, 4), (0.1, 10)):
        web, transport, _ = scripted(robots, status(404), gate=OpenGate({HOST: DomainDecision(HOST, qps=qps)}))
        for page in "abc":
            web.page(f"https://{HOST}/{page}")
        moments = [moment for url, moment in transport.asked if "robots" not in url]
        assert moments[2] - moments[1] == expected


def test_a_rate_that_leaves_no_slot_in_time_is_said_to_be_ours() -> None:
    gate = OpenGate({HOST: DomainDecision(HOST, qps=0.001)})
    web, transport, _ = scripted(status(404), gate=gate)
    with pytest.raises(WebProblem) as problem:
        web.page(f"https://{HOST}/a")
    assert (problem.value.code, problem.value.status) == ("rate_spent", ProviderStatus.THROTTLED)
    assert len(transport.asked) == 1


def test_budgets_of_a_day_are_kept_and_start_anew() -> None:
    gate = OpenGate({HOST: DomainDecision(HOST, max_requests_per_day=3)})
    web, transport, clock = scripted(status(404), gate=gate)
    web.page(f"https://{HOST}/a")
    web.page(f"https://{HOST}/b")
    with pytest.raises(WebProblem) as problem:
        web.page(f"https://{HOST}/c")
    assert (problem.value.code, problem.value.status) == ("budget_spent", ProviderStatus.THROTTLED)
    clock.advance(86_400)
    assert web.page(f"https://{HOST}/c").status == 404
    assert len(transport.asked) == 5  # the rules of the host are asked for again after a day


def test_pages_have_a_budget_of_their_own() -> None:
    usage = ProcessUsage()
    for allowed in (True, True, False):
        assert usage.take(HOST, "2026-03-01", None, page=True, max_pages=2) is allowed
    assert usage.take(HOST, "2026-03-01", None, page=False, max_pages=2)


def test_a_blocked_host_is_not_asked_even_for_its_rules() -> None:
    gate = OpenGate({HOST: DomainDecision(HOST, allowed=False, block_reason="denylist")})
    web, transport, _ = scripted(status(200), gate=gate)
    for call in (lambda: web.page(f"https://{HOST}/a"), lambda: web.resource(f"https://{HOST}/a"), lambda: ask(web)):
        with pytest.raises(WebProblem, match="blocked"):
            call()
    assert transport.asked == []


# Robots and redirects


def test_robots_rules_are_asked_for_once_and_kept(site: Server) -> None:
    web = make_web(site.host)
    assert web.page(f"{site.url}/a").body == b"tea"
    web.page(f"{site.url}/a")
    with pytest.raises(WebProblem) as problem:
        web.page(f"{site.url}/secret")
    assert (problem.value.code, problem.value.status) == ("robots", ProviderStatus.REFUSED)
    assert [seen.path for seen in site.seen] == ["/robots.txt", "/a", "/a"]


@pytest.mark.parametrize(
    ("answer", "allowed"),
    [(status(404), True), (status(403), True), (status(500), False), (WebProblem("timed_out", url="x"), False)],
)
def test_a_host_whose_rules_cannot_be_had_allows_nothing(answer: Received | WebProblem, allowed: bool) -> None:
    web, transport, _ = scripted(*[answer] * LIMITS.attempts, status(200)) if not allowed else scripted(answer, status(200))
    if allowed:
        assert web.page(f"https://{HOST}/a").status == 200
    else:
        with pytest.raises(WebProblem):
            web.page(f"https://{HOST}/a")
        assert all("robots" in url for url, _ in transport.asked)


def test_redirects_are_followed_and_rules_apply_to_where_they_lead(site: Server) -> None:
    web = make_web(site.host)
    assert web.page(f"{site.url}/to-a").url == f"{site.url}/a"
    with pytest.raises(WebProblem, match=r"robots\.txt"):
        web.page(f"{site.url}/to-secret")
    assert "/secret" not in [seen.path for seen in site.seen]


def test_a_circle_of_redirects_ends(site: Server) -> None:
    with pytest.raises(WebProblem) as problem:
        make_web(site.host).page(f"{site.url}/loop")
    assert problem.value.code == "too_many_redirects"
    assert len(site.requests) == LIMITS.redirects + 1


def test_a_redirect_to_nowhere_is_an_answer(site: Server) -> None:
    assert make_web(site.host).page(f"{site.url}/lost").status == 302


def test_a_redirect_to_a_blocked_host_is_not_followed(site: Server) -> None:
    with serving(lambda _: Reply(b"", 302, headers={"Location": f"{site.url}/a"})) as start:
        gate = OpenGate()
        web = make_web(start.host, site.host, gate=gate)
        gate.decisions["127.0.0.1"] = DomainDecision("127.0.0.1")
        web.page(f"{start.url}/")
        asked_before = len(site.seen)
        blocked = iter([DomainDecision("127.0.0.1"), DomainDecision("127.0.0.1", allowed=False, block_reason="manual")])
        gate.decide = lambda host: next(blocked)  # type: ignore[method-assign]
        with pytest.raises(WebProblem, match="blocked"):
            web.page(f"{start.url}/again")
    assert len(site.seen) == asked_before


# Cache


def test_a_page_is_kept_and_asked_for_again_when_it_is_old(site: Server, tmp_path: Path) -> None:
    clock = MovedClock()
    web = make_web(site.host, clock=clock, cache=DiskCache(tmp_path, 10**6))
    assert not web.page(f"{site.url}/to-a").from_cache
    kept = web.page(f"{site.url}/to-a")
    assert (kept.from_cache, kept.url, kept.body) == (True, f"{site.url}/a", b"tea")
    clock.advance(LIMITS.cache_hours * 3600 + 1)
    assert not web.page(f"{site.url}/to-a").from_cache


def test_a_page_of_a_host_that_was_blocked_since_is_not_taken_from_the_cache(site: Server, tmp_path: Path) -> None:
    gate = OpenGate()
    web = make_web(site.host, gate=gate, cache=DiskCache(tmp_path, 10**6))
    web.page(f"{site.url}/a")
    gate.decisions["127.0.0.1"] = DomainDecision("127.0.0.1", allowed=False, block_reason="manual")
    with pytest.raises(WebProblem, match="blocked"):
        web.page(f"{site.url}/a")


def test_failures_are_not_kept(site: Server, tmp_path: Path) -> None:
    web = make_web(site.host, cache=DiskCache(tmp_path, 10**6))
    for _ in range(2):
        assert web.page(f"{site.url}/missing").status == 404
    assert [seen.path for seen in site.requests] == ["/missing", "/missing"]


def test_offline_the_cache_answers_whatever_its_age_and_nothing_else_does(
    site: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = MovedClock()
    make_web(site.host, clock=clock, cache=DiskCache(tmp_path, 10**6)).page(f"{site.url}/a")
    clock.advance(10**7)

    def forbidden(*_: object, **__: object) -> None:
        raise AssertionError("a socket was opened")

    monkeypatch.setattr(socket, "socket", forbidden)
    monkeypatch.setattr(socket, "create_connection", forbidden)
    monkeypatch.setattr(socket, "getaddrinfo", forbidden)
    web = make_web(
        site.host,
        clock=clock,
        limits=replace(LIMITS, offline=True),
        cache=DiskCache(tmp_path, 10**6),
        transport=OfflineTransport(),
    )
    assert web.page(f"{site.url}/a").body == b"tea"
    for address in (f"{site.url}/b", "https://example.org/"):
        with pytest.raises(WebProblem) as problem:
            web.page(address)
        assert (problem.value.code, problem.value.status) == ("offline", ProviderStatus.REFUSED)


def test_a_damaged_cache_is_an_empty_one(tmp_path: Path) -> None:
    cache = DiskCache(tmp_path, 10**6)
    cache.put("key", Kept("http://example.org/", "text/html", b"tea" * 100, START))
    (path,) = tmp_path.glob("*/*")
    whole = path.read_bytes()
    for damaged in (b"", b"{}", whole[:-3], b"\n" + whole, whole.replace(b'"size": 300', b'"size": 301')):
        path.write_bytes(damaged)
        assert cache.get("key", None) is None
    path.write_bytes(whole)
    assert cache.get("key", START + timedelta(seconds=1)) is None
    assert cache.get("key", START) is not None


def test_the_cache_stays_within_its_size(tmp_path: Path) -> None:
    cache = DiskCache(tmp_path, 5_000)
    for number in range(100):
        cache.put(f"key {number}", Kept("http://example.org/", "text/html", bytes([number]) * 50, START))
    assert sum(path.stat().st_size for path in tmp_path.glob("*/*")) <= 5_000
    assert cache.get("key 99", None) is not None


def test_a_cache_that_cannot_be_written_keeps_nothing_and_says_nothing(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    cache = DiskCache(tmp_path / "file", 5_000)
    cache.put("key", Kept("http://example.org/", "text/html", b"tea", START))
    assert cache.get("key", None) is None


def test_the_seen_record_is_complete(site: Server) -> None:
    make_web(site.host, limits=replace(LIMITS, user_agent="lyra/9 (+mailto:me@example.org)")).page(f"{site.url}/a")
    seen: Seen = site.requests[0]
    assert seen.headers["User-Agent"] == "lyra/9 (+mailto:me@example.org)"
