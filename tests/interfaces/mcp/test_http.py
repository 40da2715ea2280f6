"""Over HTTP: only by the names it is reached by, only from its own pages, and elsewhere only with the token."""

import json
from collections.abc import Iterator
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import urlsplit

import anyio
import pytest
from httpx2 import AsyncClient
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from lyra.core.errors import InvalidInput, LyraError
from lyra.interfaces.mcp.http import Place, admission_of
from tests.interfaces.mcp.client import opened
from tests.interfaces.mcp.process import over_http
from tests.interfaces.terminal import Terminal

TOKEN = "correct horse battery staple"
PING = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}},
}


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with over_http(tmp_path_factory.mktemp("http") / "home") as found:
        yield found


@pytest.fixture(scope="module")
def guarded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with over_http(tmp_path_factory.mktemp("token") / "home", LYRA_SERVER_TOKEN=TOKEN) as found:
        yield found


def post(address: str, body: str | None = None, path: str | None = None, **headers: str) -> tuple[int, str]:
    """Send a request with exactly these headers beside the ordinary ones; returns status and body."""
    where = urlsplit(address)
    connection = HTTPConnection(str(where.hostname), where.port, timeout=30)
    try:
        connection.putrequest("POST", path or where.path, skip_host=True)
        sent = {"Host": where.netloc, "Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
        content = (body if body is not None else json.dumps(PING)).encode()
        for name, value in {**sent, **headers, "Content-Length": str(len(content))}.items():
            connection.putheader(name, value)
        connection.endheaders(content)
        answer = connection.getresponse()
        return answer.status, answer.read().decode()
    finally:
        connection.close()


def refusal(answer: tuple[int, str]) -> tuple[int, str]:
    return answer[0], json.loads(answer[1])["error"]["code"]


def test_the_address_that_was_printed_is_answered(address: str) -> None:
    status, body = post(address)
    assert status == 200 and '"serverInfo"' in body


def test_localhost_is_the_same_place(address: str) -> None:
    assert post(address, Host=f"localhost:{urlsplit(address).port}")[0] == 200


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:{port}", "127.0.0.1", "127.0.0.1:1", "127.0.0.1.evil.example:{port}", ""]
)
def test_a_name_that_was_rebound_to_this_machine_is_refused(address: str, host: str) -> None:
    assert refusal(post(address, Host=host.format(port=urlsplit(address).port))) == (421, "mcp_foreign_host")


@pytest.mark.parametrize(
    "origin", ["https://evil.example", "http://localhost", "http://localhost:3000", "http://127.0.0.1:1", "null", "file://"]
)
def test_a_page_of_another_origin_is_refused_also_one_of_this_machine(address: str, origin: str) -> None:
    assert refusal(post(address, Origin=origin)) == (403, "mcp_foreign_origin")


def test_its_own_origin_is_let_in(address: str) -> None:
    assert post(address, Origin=f"http://{urlsplit(address).netloc}")[0] == 200


def test_every_path_is_guarded(address: str) -> None:
    assert refusal(post(address, path="/", Host="evil.example")) == (421, "mcp_foreign_host")
    assert refusal(post(address, path="/elsewhere", Origin="https://evil.example")) == (403, "mcp_foreign_origin")


@pytest.mark.parametrize(
    "sent", [{}, {"Authorization": "Bearer wrong"}, {"Authorization": TOKEN}, {"Authorization": f"Basic {TOKEN}"}]
)
def test_without_the_token_nothing_is_answered(guarded: str, sent: dict[str, str]) -> None:
    assert refusal(post(guarded, **sent)) == (401, "mcp_token_missing")


def test_with_the_token_the_official_client_works(guarded: str) -> None:
    async def look() -> None:
        http = AsyncClient(headers={"Authorization": f"Bearer {TOKEN}"})
        async with http, Client(streamable_http_client(guarded, http_client=http)) as client:
            assert (await (await opened(client)).ask("get_status"))["tasks"] == []

    anyio.run(look)


@pytest.mark.parametrize(
    "body", ["", "{", "[]", "null", '{"jsonrpc": "2.0"}', '{"a": NaN}', '{"jsonrpc":"2.0","id":1,"method":"tools/call"}']
)
def test_a_body_that_is_no_request_is_refused_and_the_server_goes_on(address: str, body: str) -> None:
    status, _ = post(address, body)
    assert 400 <= status < 500
    assert post(address)[0] == 200


def test_a_body_that_is_too_large_is_refused(address: str) -> None:
    assert post(address, '"' + "x" * (5 * 2**20) + '"')[0] == 413


# Where to listen


def test_other_addresses_need_a_token() -> None:
    with pytest.raises(InvalidInput) as refused:
        admission_of(Place("192.168.1.20", 8765, None), 8765)
    assert refused.value.code == "mcp_needs_token"


def test_all_addresses_need_names_too() -> None:
    with pytest.raises(InvalidInput) as refused:
        admission_of(Place("0.0.0.0", 8765, TOKEN), 8765)
    assert refused.value.code == "mcp_needs_hosts"


def test_names_and_origins_are_taken_exactly() -> None:
    place = Place("0.0.0.0", 9, TOKEN, ("lab.example", "lab.example:443", "[fd00::1]"), ("https://lab.example",))
    admitted = admission_of(place, 9)
    assert admitted.hosts == {"lab.example:9", "lab.example:443", "[fd00::1]:9"}
    assert admitted.origins == {f"http://{host}" for host in admitted.hosts} | {"https://lab.example"}


def test_an_ipv6_loopback_is_a_loopback() -> None:
    assert "[::1]:7" in admission_of(Place("::1", 7, None), 7).hosts


@pytest.mark.parametrize(
    ("arguments", "code", "exit_code"),
    [
        (["--port", "70000"], "bad_number", 2),
        (["--port", "http"], "bad_number", 2),
        (["--host", "0.0.0.0"], "mcp_needs_token", 2),
        (["--tools", "researhc"], "mcp_unknown_group", 2),
        (["--tools", ","], "mcp_no_group", 2),
        (["--token-file", "missing"], "mcp_token_file", 2),
        (["--library", "missing"], "path_missing", 2),
        (["--host", "no such host.invalid"], "mcp_needs_token", 2),
        (["--allow-host", "https://lab.example"], "mcp_bad_host", 2),
        (["--allow-host", "lab.example/"], "mcp_bad_host", 2),
        (["--allow-host", ""], "mcp_bad_host", 2),
        (["--allow-origin", "lab.example"], "mcp_bad_origin", 2),
        (["--allow-origin", "https://lab.example/"], "mcp_bad_origin", 2),
        (["--allow-origin", "*"], "mcp_bad_origin", 2),
    ],
)
def test_a_server_that_cannot_be_started_says_why(tmp_path: Path, arguments: list[str], code: str, exit_code: int) -> None:
    ran = Terminal(tmp_path / "home").run("serve", "--json", *arguments)
    assert (ran.code, ran.json["error"]["code"]) == (exit_code, code)


def test_a_home_that_is_no_folder_is_named(tmp_path: Path) -> None:
    (tmp_path / "home").write_text("a file", encoding="utf-8")
    for command in ("serve", "mcp"):
        ran = Terminal(tmp_path / "home").run(command, "--json")
        assert (ran.code, ran.json["error"]["code"]) == (3, "home_unusable")


def test_a_port_in_use_is_named(tmp_path: Path, address: str) -> None:
    ran = Terminal(tmp_path / "home").run("serve", "--json", "--port", str(urlsplit(address).port))
    assert (ran.code, ran.json["error"]["code"]) == (LyraError.exit_code, "mcp_cannot_listen")


def test_a_token_that_can_be_guessed_is_refused(tmp_path: Path) -> None:
    ran = Terminal(tmp_path / "home", {"LYRA_SERVER_TOKEN": "short"}).run("serve", "--json")
    assert (ran.code, ran.json["error"]["code"]) == (2, "mcp_short_token")
