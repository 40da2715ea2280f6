"""Forty ways to make a client connect where it must not. Not one connection is made."""

import socket
from collections.abc import Iterator

import pytest

from lyra.core.errors import WebProblem
from lyra.core.records import ProviderStatus
from lyra.providers.web import WebLimits
from tests.loopback.client import EXCHANGE, NamedHosts, make_web
from tests.loopback.server import Reply, Seen, Server, serving

PRIVATE = {
    "internal.example.org": [["10.0.0.5"]],
    "loop.example.org": [["127.0.0.1"]],
    "mixed.example.org": [["93.184.216.34", "127.0.0.1"]],
    "mapped.example.org": [["::ffff:127.0.0.1"]],
    "nat64.example.org": [["64:ff9b::7f00:1"]],
    "sixtofour.example.org": [["2002:7f00:1::"]],
    "teredo.example.org": [["2001:0:4136:e378:8000:63bf:80ff:fffe"]],
    "metadata.example.org": [["169.254.169.254"]],
    "multicast.example.org": [["224.0.0.1"]],
    "ula.example.org": [["fd00:ec2::254"]],
    "nothing.example.org": [],
    "localhost": [["127.0.0.1"]],
}
URLS = [
    "http://127.0.0.1:{port}/",
    "http://127.0.0.2:{port}/",
    "http://localhost:{port}/",
    "http://LOCALHOST.:{port}/",
    "http://0.0.0.0:{port}/",
    "http://0:{port}/",
    "http://127.1:{port}/",
    "http://2130706433:{port}/",
    "http://017700000001:{port}/",
    "http://0177.0.0.1:{port}/",
    "http://0x7f000001:{port}/",
    "http://0x7f.1:{port}/",
    "http://１２７.０.０.１:{port}/",
    "http://127。0。0。1:{port}/",
    "http://[::1]:{port}/",
    "http://[::]:{port}/",
    "http://[::ffff:127.0.0.1]:{port}/",
    "http://[::ffff:7f00:1]:{port}/",
    "http://[64:ff9b::127.0.0.1]:{port}/",
    "http://[2002:7f00:1::]:{port}/",
    "http://[fe80::1]:{port}/",
    "http://[fe80::1%25lo]:{port}/",
    "http://[fd00:ec2::254]:{port}/",
    "http://10.0.0.1:{port}/",
    "http://192.168.0.1:{port}/",
    "http://172.16.0.1:{port}/",
    "http://100.64.0.1:{port}/",
    "http://169.254.169.254:{port}/latest/meta-data/",
    "http://224.0.0.1:{port}/",
    "http://127.0.0.1:{port}\\@93.184.216.34/",
    "http://93.184.216.34\\@127.0.0.1:{port}/",
    "http://93.184.216.34@127.0.0.1:{port}/",
    "http://user:pass@127.0.0.1:{port}/",
    "http://127.0.0.1%00.example.org:{port}/",
    "file:///etc/passwd",
    "gopher://127.0.0.1:{port}/",
    *(f"http://{name}:{{port}}/" for name in PRIVATE),
]


@pytest.fixture
def forbidden() -> Iterator[Server]:
    with serving(lambda _: Reply(b"secret")) as server:
        yield server


@pytest.fixture
def connections(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """Every address that any socket of this process connects to."""
    made: list[object] = []
    connect = socket.socket.connect

    def recorded(self: socket.socket, address: object) -> None:
        made.append(address)
        connect(self, address)  # type: ignore[arg-type]

    monkeypatch.setattr(socket.socket, "connect", recorded)
    return made


@pytest.mark.parametrize("url", URLS)
def test_a_hostile_address_is_never_connected_to(url: str, forbidden: Server, connections: list[object]) -> None:
    web = make_web(resolver=NamedHosts(PRIVATE))
    for ask in (web.page, web.resource):
        with pytest.raises(WebProblem) as refusal:
            ask(url.format(port=forbidden.port))
        assert refusal.value.status in (ProviderStatus.REFUSED, ProviderStatus.DOWN)
    assert connections == []
    assert forbidden.seen == []


def test_there_are_at_least_forty_of_them() -> None:
    assert len(set(URLS)) >= 40


@pytest.mark.parametrize("url", URLS)
def test_a_redirect_to_a_hostile_address_is_not_followed(url: str, forbidden: Server, connections: list[object]) -> None:
    target = url.format(port=forbidden.port)

    def answer(seen: Seen) -> Reply:
        return Reply(b"", 302, headers={"Location": target.encode("utf-8").decode("latin-1")})

    with serving(answer) as start:
        web = make_web(start.host, resolver=NamedHosts(PRIVATE))
        with pytest.raises(WebProblem):
            web.page(f"{start.url}/")
        assert {address[1] for address in connections if isinstance(address, tuple)} == {start.port}
    assert forbidden.seen == []


def test_a_name_that_changes_its_address_is_resolved_once_and_pinned(forbidden: Server, connections: list[object]) -> None:
    """The classic rebinding: a public address for the check, a private one for the connection."""
    hosts = NamedHosts({"rebind.example.org": [["127.0.0.1"], ["127.0.0.1"]]})
    with pytest.raises(WebProblem, match="not on the public internet"):
        make_web(resolver=hosts).page(f"http://rebind.example.org:{forbidden.port}/")
    assert hosts.asked == ["rebind.example.org"]

    changing = NamedHosts({"rebind.example.org": [["127.0.0.1"], ["10.0.0.1"]]})
    allowed = make_web(f"rebind.example.org:{forbidden.port}", resolver=changing, limits=WebLimits(EXCHANGE, attempts=1))
    allowed.resource(f"http://rebind.example.org:{forbidden.port}/")
    assert changing.asked == ["rebind.example.org"]
    assert connections == [("127.0.0.1", forbidden.port)]


def test_an_allowed_host_and_port_allows_no_other_port_of_it(forbidden: Server, connections: list[object]) -> None:
    with serving(lambda _: Reply(b"open")) as other:
        assert make_web(other.host).page(other.url).body == b"open"
        with pytest.raises(WebProblem, match="not on the public internet"):
            make_web(other.host).page(forbidden.url)
    assert forbidden.seen == []


def test_proxy_variables_are_ignored(forbidden: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "HTTP_PROXY", "ALL_PROXY", "all_proxy", "https_proxy"):
        monkeypatch.setenv(name, forbidden.url)
    with serving(lambda _: Reply(b"direct")) as server:
        assert make_web(server.host).page(server.url).body == b"direct"
    assert forbidden.seen == []
