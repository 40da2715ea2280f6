"""A JSON service behind the client: keys, redirects, cache, refusals."""

from collections.abc import Callable
from pathlib import Path

import pytest

from lyra.core.errors import WebProblem
from lyra.providers.disk_cache import DiskCache
from tests.loopback.client import endpoint, make_web
from tests.loopback.server import Reply, Seen, json_reply, serving


def test_what_has_moved_within_the_service_is_followed_with_the_key() -> None:
    def answer(seen: Seen) -> Reply:
        if seen.path == "/v1/works/W1":
            return Reply(b"", 301, headers={"Location": "/v1/works/W2?select=id"})
        return json_reply({"path": seen.path, "query": dict(seen.query)})

    with serving(answer) as server:
        found = endpoint(make_web(), f"{server.url}/v1", key="s3cret", key_param="api_key").get("works/W1")
    assert found == {"path": "/v1/works/W2", "query": {"select": "id", "api_key": "s3cret"}}


def test_a_key_never_follows_a_redirect_to_another_host() -> None:
    with serving(lambda _: json_reply({})) as thief:
        for target in (f"{thief.url}/steal", "//example.org/", "ftp://x", "http://a@b/", ""):
            with serving(lambda _, to=target: Reply(b"", 302, headers={"Location": to})) as server:  # type: ignore[misc]
                service = endpoint(make_web(thief.host), server.url, key="s3cret", key_header="x-api-key")
                with pytest.raises(WebProblem) as problem:
                    service.get("paper")
            assert problem.value.code in ("unexpected_status", "too_many_redirects")
            assert "s3cret" not in str(problem.value)
    assert thief.seen == []


def test_moving_in_circles_ends() -> None:
    with serving(lambda _: Reply(b"", 301, headers={"Location": "/x"})) as server, pytest.raises(WebProblem) as problem:
        endpoint(make_web(), server.url).get("x")
    assert (problem.value.code, len(server.requests)) == ("too_many_redirects", 3)


def test_a_malformed_answer_is_asked_for_again_and_never_kept(tmp_path: Path) -> None:
    answers = iter([b"{", b'{"data": 1}', b'{"data": []}'])
    with serving(lambda _: Reply(next(answers), media_type="application/json")) as server:
        service = endpoint(make_web(cache=DiskCache(tmp_path, 10**6)), server.url)

        def check(value: object) -> None:
            if not isinstance(value, dict) or not isinstance(value["data"], list):
                raise WebProblem("malformed_answer", url="x")

        for _ in range(2):
            assert service.get("a", (), check) == {"data": []}
        assert len(server.requests) == 3


def test_questions_that_differ_in_anything_are_kept_apart(tmp_path: Path) -> None:
    with serving(lambda seen: json_reply([seen.method, seen.path, dict(seen.query), seen.body.decode()])) as server:
        service = endpoint(make_web(cache=DiskCache(tmp_path, 10**6)), server.url)
        asked: list[Callable[[], object]] = [
            lambda: service.get("a"),
            lambda: service.get("b"),
            lambda: service.get("a", (("q", "1 & 2"),)),
            lambda: service.get("a", (("q", "1"), ("r", "2"))),
            lambda: service.post("a", {"ids": [1]}),
            lambda: service.post("a", {"ids": [2]}),
        ]
        first = [ask() for ask in asked]
        assert [ask() for ask in asked] == first
    assert len(server.requests) == len(asked)
    assert first[2] == ["GET", "/a", {"q": "1 & 2"}, ""]


def test_an_identifier_in_a_path_stays_in_the_path() -> None:
    with serving(lambda seen: json_reply([seen.path, dict(seen.query)])) as server:
        found = endpoint(make_web(), server.url).get("works/doi:10.5555/a?b=c#d%2F&e", (("f", "g"),))
    assert found == ["/works/doi:10.5555/a%3Fb%3Dc%23d%252F%26e", {"f": "g"}]


@pytest.mark.parametrize(
    ("status", "code"),
    [(400, "unexpected_status"), (401, "access_refused"), (404, "not_found"), (410, "not_found"), (418, "unexpected_status")],
)
def test_every_status_has_its_meaning(status: int, code: str) -> None:
    with serving(lambda _: json_reply({"error": "why"}, status)) as server, pytest.raises(WebProblem) as problem:
        endpoint(make_web(), server.url).get("a")
    assert problem.value.code == code
    if code == "unexpected_status":
        assert "why" in str(problem.value)
