"""SearXNG over loopback."""

import pytest

from lyra.core.records import Identifier, ProviderStatus
from lyra.providers.searxng import SearXng
from tests.loopback import searxng as service
from tests.loopback.client import endpoint, make_web
from tests.loopback.searxng import Listed
from tests.loopback.server import json_reply, serving

PAGES = [
    Listed("https://doi.org/10.5555/ijc.2021.0001", "Green tea trial", "A trial of green tea."),
    Listed("https://blog.example.org/tea", "My green tea", "As doi:10.5555/aim.2023.0007 shows, PMID: 90000002."),
    *(Listed(f"https://site.example.org/{n}", f"Tea number {n}", "Words about tea.") for n in range(30)),
]


def test_results_carry_the_identifiers_they_name() -> None:
    with serving(service.answering(PAGES)) as server:
        answer = SearXng(endpoint(make_web(), server.url)).search("green tea", 2)
    assert answer.status is ProviderStatus.OK
    assert answer.found[0].identifiers[0] == Identifier("doi", "10.5555/ijc.2021.0001")
    assert set(answer.found[1].identifiers) == {
        Identifier("url", "https://blog.example.org/tea"),
        Identifier("doi", "10.5555/aim.2023.0007"),
        Identifier("pmid", "90000002"),
    }


def test_further_pages_are_asked_for_until_there_are_enough_or_no_more() -> None:
    with serving(service.answering(PAGES)) as server:
        provider = SearXng(endpoint(make_web(), server.url))
        assert len(provider.search("tea", 25).found) == 25
        assert len(server.requests) == 3
        assert len(provider.search("tea", 500).found) == len(PAGES)


def test_nothing_found_is_said_only_when_the_engines_answered() -> None:
    with serving(service.answering(PAGES)) as server:
        assert SearXng(endpoint(make_web(), server.url)).search("zebrafish", 5).status is ProviderStatus.NOTHING_FOUND
    for reason, status in (("too many requests", ProviderStatus.THROTTLED), ("timeout", ProviderStatus.DOWN)):
        with serving(service.silent(reason)) as server:
            answer = SearXng(endpoint(make_web(), server.url)).search("tea", 5)
        assert (answer.status, answer.code) == (status, "engines_silent")


def test_an_instance_without_json_says_what_to_do() -> None:
    with serving(lambda _: json_reply({}, 403)) as server:
        answer = SearXng(endpoint(make_web(), server.url)).search("tea", 5)
    assert (answer.status, answer.code) == (ProviderStatus.REFUSED, "json_disabled")


@pytest.mark.parametrize("entry", [{"url": 3}, {"url": "ftp://x", "title": "T"}, {"url": "https://example.org"}, "text", None])
def test_entries_of_which_none_is_readable_are_no_empty_answer(entry: object) -> None:
    with serving(lambda _: json_reply({"results": [entry]})) as server:
        answer = SearXng(endpoint(make_web(), server.url)).search("tea", 5)
    assert (answer.status, answer.code) == (ProviderStatus.DOWN, "malformed_answer")
