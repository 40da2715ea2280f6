"""The web client as tests use it: permissive gate, moved clock, short real timeouts, loopback hosts allowed by name."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from random import Random

from lyra.core.domain_decision import DomainDecision
from lyra.core.ports import WaitingClock
from lyra.core.units import MEBIBYTE
from lyra.providers.disk_cache import NoCache
from lyra.providers.endpoint import Endpoint, EndpointSettings
from lyra.providers.exchange import ExchangeLimits, Resolver, SocketTransport
from lyra.providers.politeness import ProcessUsage
from lyra.providers.web import Edge, Web, WebLimits
from tests.loopback.timing import MovedClock

EXCHANGE = ExchangeLimits(2 * MEBIBYTE, 4 * MEBIBYTE, total_seconds=30.0, connect_seconds=2.0, read_seconds=0.3)


class OpenGate:
    """Allows every host, with the decisions that a test names for some."""

    def __init__(self, decisions: Mapping[str, DomainDecision] | None = None) -> None:
        self.decisions = dict(decisions or {})
        self.asked: list[str | None] = []

    def decide(self, host: str | None) -> DomainDecision:
        self.asked.append(host)
        return self.decisions.get(host or "", DomainDecision(host))


def make_web(
    *allow_hosts: str,
    limits: WebLimits | None = None,
    clock: WaitingClock | None = None,
    resolver: Resolver | None = None,
    **parts: object,
) -> Web:
    """A client that reaches the named loopback hosts (`127.0.0.1:PORT`) and nothing else; `parts` replace those of its edge."""
    time = clock or MovedClock()
    edge = Edge(SocketTransport(time, resolver), time, OpenGate(), NoCache(), ProcessUsage(), Random(7))
    base = limits or WebLimits(EXCHANGE)
    return Web(
        replace(edge, **parts),  # type: ignore[arg-type]
        replace(base, allow_hosts=base.allow_hosts | frozenset(allow_hosts)),
    )


def endpoint(web: Web, address: str, **more: str) -> Endpoint:
    """A service at a loopback address; `more` are key settings."""
    return Endpoint(web, replace(EndpointSettings(address, trusted=True), **more))  # type: ignore[arg-type]


class NamedHosts:
    """A resolver with answers given by name; each further question gets the next answer, the last one again and again."""

    def __init__(self, hosts: Mapping[str, Sequence[Sequence[str]]]) -> None:
        self._hosts = {name: list(answers) for name, answers in hosts.items()}
        self.asked: list[str] = []

    def resolve(self, host: str, port: int) -> Sequence[str]:
        self.asked.append(host)
        answers = self._hosts.get(host)
        if not answers:
            raise OSError(f"{host} is not known")
        return answers.pop(0) if len(answers) > 1 else answers[0]
