"""One request on one connection: limits on bytes and time, and TLS against the right name."""

import gzip
import socket
import subprocess
import sys
import threading
import zlib
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lyra.core.errors import WebProblem
from lyra.core.units import MEBIBYTE
from lyra.core.web_url import parse_web_url
from lyra.providers.decompression import decompressed
from lyra.providers.exchange import Asked, OfflineTransport, SocketTransport
from tests.loopback.client import EXCHANGE, NamedHosts, make_web
from tests.loopback.server import Reply, serving
from tests.loopback.timing import MovedClock

ROOT = Path(__file__).parents[2]


def pieces(data: bytes, size: int = 1000) -> list[bytes]:
    return [data[start : start + size] for start in range(0, len(data), size)]


def raw_deflate(data: bytes) -> bytes:
    packer = zlib.compressobj(wbits=-zlib.MAX_WBITS)
    return packer.compress(data) + packer.flush()


@given(st.binary(max_size=5000), st.integers(1, 700))
def test_every_encoding_that_is_asked_for_is_undone_however_it_is_cut(data: bytes, size: int) -> None:
    for encoding, packed in (
        ("", data),
        ("identity", data),
        ("gzip", gzip.compress(data)),
        ("x-gzip", gzip.compress(data[:10]) + gzip.compress(data[10:]) + b"\0\0"),
        ("deflate", zlib.compress(data)),
        ("deflate", raw_deflate(data)),
        ("gzip, gzip", gzip.compress(gzip.compress(data))),
    ):
        assert decompressed(pieces(packed, size), encoding, 10_000, "x") == data


@pytest.mark.parametrize(
    ("packed", "encoding", "code"),
    [
        (gzip.compress(b"tea")[:-5], "gzip", "bad_compression"),
        (b"plain text", "gzip", "bad_compression"),
        (b"\xff\xff\xff\xff", "deflate", "bad_compression"),
        (b"x", "br", "unknown_encoding"),
        (b"x", "gzip, gzip, gzip", "unknown_encoding"),
        (gzip.compress(bytes(20_000)), "gzip", "too_large"),
        (gzip.compress(gzip.compress(bytes(10**6))), "gzip, gzip", "too_large"),
    ],
    ids=["cut short", "not packed", "no stream", "not asked for", "three layers", "large", "large within"],
)
def test_what_cannot_or_must_not_be_unpacked_is_said(packed: bytes, encoding: str, code: str) -> None:
    with pytest.raises(WebProblem) as problem:
        decompressed(pieces(packed), encoding, 10_000, "x")
    assert problem.value.code == code


def test_the_request_names_its_host_and_closes_its_connection() -> None:
    with serving(lambda _: Reply(b"tea")) as server:
        make_web(server.host).page(f"{server.url}/a?b=c")
        (seen,) = server.requests
        assert (seen.path, seen.query) == ("/a", {"b": "c"})
        assert seen.headers["Host"] == server.host
        assert seen.headers["Connection"] == "close"
        assert seen.headers["Accept-Encoding"] == "gzip, deflate"


@pytest.mark.parametrize("declared", [True, False])
def test_a_body_beyond_the_limit_is_given_up(declared: bool) -> None:
    def serve(listener: socket.socket) -> None:
        connection, _ = listener.accept()
        with connection:
            connection.recv(65536)
            length = f"Content-Length: {10**10}\r\n" if declared else ""
            connection.sendall(f"HTTP/1.1 200 OK\r\n{length}\r\n".encode())
            try:
                while True:
                    connection.sendall(bytes(65536))
            except OSError:
                pass

    with socket.create_server(("127.0.0.1", 0)) as listener:
        thread = threading.Thread(target=serve, args=(listener,))
        thread.start()
        url = parse_web_url(f"http://127.0.0.1:{listener.getsockname()[1]}/")
        with pytest.raises(WebProblem) as problem:
            SocketTransport(MovedClock()).send(Asked(url, trusted=True), EXCHANGE)
        thread.join()
    assert problem.value.code == "too_large"


MEMORY_PROBE = """
import resource, sys
from lyra.app import SystemClock
from lyra.core.errors import WebProblem
from lyra.core.web_url import parse_web_url
from lyra.config import read_settings
from lyra.providers.exchange import Asked, ExchangeLimits, SocketTransport
fetch = read_settings({}, {"LYRA_CONFIG": "/dev/null"}).fetch
limits = ExchangeLimits(fetch.max_mb * 2**20, fetch.max_decoded_mb * 2**20, 30, 5, 5)
transport = SocketTransport(SystemClock())
transport.send(Asked(parse_web_url(sys.argv[1] + "/small"), trusted=True), limits)
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
try:
    transport.send(Asked(parse_web_url(sys.argv[1] + "/bomb"), trusted=True), limits)
except WebProblem as problem:
    print(problem.code, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
"""


@pytest.mark.parametrize("layers", [0, 1, 2])
def test_a_bomb_and_an_endless_body_take_less_than_fifty_megabytes(layers: int) -> None:
    """With the default limits: ten gigabytes of zeros sent plainly, and a hundred megabytes packed once or twice."""
    packer = zlib.compressobj(1, wbits=31)
    body = b"".join(packer.compress(bytes(MEBIBYTE)) for _ in range(100 if layers else 0)) + packer.flush()
    if layers == 2:
        body = gzip.compress(body)
    sent = b"".join([b"HTTP/1.1 200 OK\r\nContent-Encoding: ", b", ".join([b"gzip"] * layers) or b"identity", b"\r\n\r\n"])

    def serve(listener: socket.socket) -> None:
        for _ in range(2):
            connection, _ = listener.accept()
            with connection:
                if b"/small" in connection.recv(65536):
                    connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\ntea")
                    continue
                connection.sendall(sent)
                try:
                    if layers:
                        connection.sendall(body)
                    for _ in range(0 if layers else 10 * 1024):
                        connection.sendall(bytes(MEBIBYTE))
                except OSError:
                    pass

    with socket.create_server(("127.0.0.1", 0)) as listener:
        thread = threading.Thread(target=serve, args=(listener,))
        thread.start()
        url = f"http://127.0.0.1:{listener.getsockname()[1]}"
        result = subprocess.run([sys.executable, "-c", MEMORY_PROBE, url], capture_output=True, text=True, check=True, cwd=ROOT)
        thread.join()
    code, grown = result.stdout.split()
    assert code == "too_large"
    unit = 1024 if sys.platform != "darwin" else 1
    assert int(grown) * unit < 50 * MEBIBYTE


def test_the_certificate_is_checked_against_the_name_that_was_asked_for() -> None:
    """A server without TLS, or with a certificate nobody vouches for, is not spoken to."""
    with serving(lambda _: Reply(b"tea")) as server:
        hosts = NamedHosts({"secure.example.org": [["127.0.0.1"]]})
        url = parse_web_url(f"https://secure.example.org:{server.port}/")
        with pytest.raises(WebProblem) as problem:
            SocketTransport(MovedClock(), hosts).send(Asked(url, trusted=True), EXCHANGE)
    assert problem.value.code in ("unreachable", "connection_broken", "timed_out")
    assert server.seen == []


def test_a_look_up_that_never_ends_is_given_up() -> None:
    class Silent:
        ended = threading.Event()

        def resolve(self, host: str, port: int) -> list[str]:
            self.ended.wait(10)
            return ["127.0.0.1"]

    limits = replace(EXCHANGE, connect_seconds=0.05)
    with pytest.raises(WebProblem) as problem:
        SocketTransport(MovedClock(), Silent()).send(Asked(parse_web_url("http://slow.example.org/")), limits)
    Silent.ended.set()
    assert problem.value.code == "timed_out"


def test_offline_opens_no_socket(monkeypatch: pytest.MonkeyPatch) -> None:
    def forbidden(*_: object, **__: object) -> None:
        raise AssertionError("a socket was opened")

    monkeypatch.setattr(socket, "socket", forbidden)
    monkeypatch.setattr(socket, "getaddrinfo", forbidden)
    with pytest.raises(WebProblem) as problem:
        OfflineTransport().send(Asked(parse_web_url("https://example.org/")), EXCHANGE)
    assert problem.value.code == "offline"


def test_a_header_cannot_be_smuggled_through_an_address() -> None:
    with serving(lambda _: Reply(b"")) as server:
        with pytest.raises(WebProblem):
            make_web(server.host).page(f"{server.url}/a\r\nX-Evil: 1")
        make_web(server.host).page(f"{server.url}/a%0d%0aX-Evil:%201")
    assert len(server.requests) == 1
    assert all("X-Evil" not in seen.headers for seen in server.seen)
