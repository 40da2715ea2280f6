"""Twelve faults of services. Every run ends within its budget, says what happened, and a throttle is never "no results"."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from lyra.core.messages import render
from lyra.core.ports import SearchProvider
from lyra.core.records import ProviderStatus
from lyra.core.works import Answer
from lyra.providers.endpoint import Endpoint
from lyra.providers.openalex import OpenAlex
from lyra.providers.searxng import SearXng
from lyra.providers.semantic_scholar import SemanticScholar
from lyra.providers.web import WebLimits
from tests.loopback import openalex, searxng, semantic_scholar
from tests.loopback.client import EXCHANGE, endpoint, make_web
from tests.loopback.faults import FAULTS, Exchange, spoiling
from tests.loopback.server import Answering, serving
from tests.loopback.timing import MovedClock

OK, DOWN, THROTTLED = ProviderStatus.OK, ProviderStatus.DOWN, ProviderStatus.THROTTLED
LISTED = [searxng.Listed(f"http://site.example.org/{n}", f"Green tea {n}", "About blood pressure.") for n in range(3)]
SERVICES: dict[str, tuple[Answering, str, Callable[[Endpoint], SearchProvider]]] = {
    "semantic_scholar": (semantic_scholar.answer, "/graph/v1", SemanticScholar),
    "openalex": (openalex.answer, "", OpenAlex),
    "searxng": (searxng.answering(LISTED), "", SearXng),
}
# What each fault comes to when it does not go away.
ENDS = {
    "throttled_seconds": (THROTTLED, "throttled"),
    "throttled_date": (THROTTLED, "throttled"),
    "throttled_year": (THROTTLED, "throttled"),
    "failing_once": (OK, None),
    "truncated_json": (DOWN, "malformed_answer"),
    "html_instead": (DOWN, "malformed_answer"),
    "wrong_types": (DOWN, "malformed_answer"),
    "reset_mid_body": (DOWN, "connection_broken"),
    "one_byte_per_second": (DOWN, "timed_out"),
    "never_answers": (DOWN, "timed_out"),
    "repeating_cursor": (OK, None),
    "wrong_charset": (DOWN, "malformed_answer"),
}
LIMITS = WebLimits(replace(EXCHANGE, total_seconds=20.0, read_seconds=0.1), attempts=2, patience_seconds=30.0)
# Two attempts of at most 20 seconds and the waiting between them, for each of at most two pages; the bytes that a slow
# server still sends to nobody move the clock a little further.
BUDGET_SECONDS = 2 * (2 * 20.0 + 30.0) + 10.0


def search_through(name: str, fault: str, times: int | None = None) -> tuple[Answer[object], float, int]:
    answering, base, build = SERVICES[name]
    clock = MovedClock()
    with serving(answering) as service, spoiling(service.port, FAULTS[fault], clock, times) as proxy:
        provider = build(endpoint(make_web(clock=clock, limits=LIMITS), f"{proxy.url}{base}", key="k", key_param="api_key"))
        found: Answer[object] = provider.search("green tea blood pressure", 20)
        return found, clock.monotonic(), proxy.count


@pytest.mark.parametrize("run", range(3))
@pytest.mark.parametrize("name", SERVICES)
@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_that_stays_ends_within_the_budget_and_is_said(fault: str, name: str, run: int) -> None:
    answer, seconds, _ = search_through(name, fault)
    status, code = ENDS[fault]
    assert (answer.status, answer.code) == (status, code)
    assert seconds <= BUDGET_SECONDS
    assert bool(answer.found) == (status is OK)
    assert len(set(answer.found)) == len(answer.found)
    if code is not None:
        sentence = render(f"web.{code}", "en", **answer.params)
        assert "{" not in sentence
        assert "127.0.0.1" in sentence


@pytest.mark.parametrize("name", SERVICES)
@pytest.mark.parametrize("fault", sorted(set(FAULTS) - {"throttled_year", "repeating_cursor"}))
def test_a_fault_that_passes_leaves_no_trace(fault: str, name: str) -> None:
    answer, _, _ = search_through(name, fault, times=1)
    undisturbed, _, _ = search_through(name, "failing_once", times=0)
    assert (answer.status, answer.found) == (OK, undisturbed.found)


def test_every_fault_of_the_list_is_tried() -> None:
    assert set(ENDS) == set(FAULTS)
    assert len(FAULTS) == 12


def test_what_came_before_a_failure_is_kept_and_the_failure_said(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first page of a list arrives, the second never does."""
    monkeypatch.setattr("lyra.providers.openalex._PAGE", 4)
    clock = MovedClock()

    def second_fails(exchange: Exchange) -> None:
        if exchange.number == 0:
            exchange.connection.sendall(exchange.good)
        else:
            FAULTS["throttled_year"](exchange)

    with serving(openalex.answer) as service, spoiling(service.port, second_fails, clock) as proxy:
        provider = OpenAlex(endpoint(make_web(clock=clock, limits=LIMITS), proxy.url, key="k", key_param="api_key"))
        answer = provider.search("green tea", 200)
    assert answer.status is THROTTLED
    assert len(answer.found) == 4
