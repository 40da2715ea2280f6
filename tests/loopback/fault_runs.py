"""One run of a provider behind a faulty proxy, and what is wrong with how it ended."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from lyra.core.messages import render
from lyra.core.records import Identifier, ProviderStatus
from lyra.core.works import Answer, Work
from lyra.providers.endpoint import Endpoint
from lyra.providers.openalex import OpenAlex
from lyra.providers.searxng import SearXng
from lyra.providers.semantic_scholar import SemanticScholar
from lyra.providers.web import WebLimits
from tests.loopback import openalex, searxng, semantic_scholar
from tests.loopback.client import EXCHANGE, endpoint, make_web
from tests.loopback.faults import FAULTS, Exchange, spoiling
from tests.loopback.papers import PAPERS
from tests.loopback.server import Answering, serving
from tests.loopback.timing import MovedClock

OK, DOWN, THROTTLED = ProviderStatus.OK, ProviderStatus.DOWN, ProviderStatus.THROTTLED
# What each fault comes to when it does not go away.
ENDS: Mapping[str, tuple[ProviderStatus, str | None]] = {
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
LIMITS = WebLimits(replace(EXCHANGE, total_seconds=20.0), attempts=2, patience_seconds=30.0)
# Two attempts of at most 20 seconds and the waiting between them, for each of at most two requests; the bytes that a slow
# server still sends to nobody move the clock a little further.
BUDGET_SECONDS = 2 * (2 * 20.0 + 30.0) + 10.0


def read_seconds(fault: str) -> float:
    """How long a read may take, in real time: little where the fault is that nothing comes, else ample on any machine."""
    return 0.3 if fault in ("never_answers", "one_byte_per_second") else 10.0


_LISTED = [searxng.Listed(f"http://site.example.org/{n}", f"Green tea {n}", "About blood pressure.") for n in range(3)]
_NAMES = [Identifier("doi", str(PAPERS[key].doi)) for key in ("p1", "p2", "p3")]
_PAPER = Work("elsewhere", "x", PAPERS["p1"].title, identifiers=tuple(_NAMES[:1]))


@dataclass(frozen=True, slots=True)
class Service:
    """A service with one thing that it is asked."""

    answering: Answering
    base: str
    ask: Callable[[Endpoint], Answer[object]]


SERVICES: Mapping[str, Service] = {
    "semantic_scholar search": Service(
        semantic_scholar.answer, "/graph/v1", lambda it: SemanticScholar(it).search("green tea", 20)
    ),
    "semantic_scholar complete": Service(semantic_scholar.answer, "/graph/v1", lambda it: SemanticScholar(it).complete(_NAMES)),
    "semantic_scholar citations": Service(
        semantic_scholar.answer, "/graph/v1", lambda it: SemanticScholar(it).citations(_PAPER, 20)
    ),
    "openalex search": Service(openalex.answer, "", lambda it: OpenAlex(it).search("green tea", 20)),
    "openalex references": Service(openalex.answer, "", lambda it: OpenAlex(it).references(_PAPER, 20)),
    "searxng search": Service(searxng.answering(_LISTED), "", lambda it: SearXng(it).search("green tea", 20)),
}


def run(service: str, fault: str, first: int = 0, times: int | None = None) -> tuple[Answer[object], float]:
    """Ask a service through a proxy that spoils `times` answers (None: all) from number `first` on.

    Returns the answer and how many seconds it took, by the clock of the run.
    """
    chosen, clock = SERVICES[service], MovedClock()

    def spoil(exchange: Exchange) -> None:
        after = exchange.number - first
        if after < 0 or (times is not None and after >= times):
            exchange.connection.sendall(exchange.good)
        else:
            FAULTS[fault](replace(exchange, number=after))

    with serving(chosen.answering) as running, spoiling(running.port, spoil, clock) as proxy:
        limits = replace(LIMITS, exchange=replace(LIMITS.exchange, read_seconds=read_seconds(fault)))
        web = make_web(clock=clock, limits=limits)
        answer = chosen.ask(endpoint(web, f"{proxy.url}{chosen.base}", key="k", key_param="api_key"))
        return answer, clock.monotonic()


def complaints(answer: Answer[object], seconds: float) -> list[str]:
    """What no run may do, whatever the fault: take too long, find things twice, or fail without saying how."""
    found = []
    if seconds > BUDGET_SECONDS:
        found.append(f"took {seconds:.0f} seconds")
    if len(set(answer.found)) != len(answer.found):
        found.append("found something twice")
    if answer.status is ProviderStatus.NOTHING_FOUND:
        found.append("said that there is nothing")
    if answer.code is not None and "{" in render(f"web.{answer.code}", "en", **answer.params):
        found.append("said it without its values")
    if (answer.code is None) != answer.complete:
        found.append(f"status {answer.status} with code {answer.code}")
    return found
