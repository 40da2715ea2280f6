"""One request on one connection: the only place in the program that opens a socket to somebody else's server.

The host is resolved once, every address is checked, and the connection goes to a checked address; there is no second
look-up that could answer differently. Proxy variables are not read. Nothing is followed, retried or kept open here.
"""

import ipaddress
import socket
import ssl
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future
from concurrent.futures import TimeoutError as WaitedTooLong
from dataclasses import dataclass
from functools import cache
from typing import Protocol

import httpcore2

from lyra.core.addresses import is_public
from lyra.core.errors import WebProblem
from lyra.core.ports import WaitingClock
from lyra.core.records import ProviderStatus
from lyra.core.web_url import WebUrl
from lyra.providers.decompression import ACCEPTED, decompressed

_MAX_ADDRESSES = 4
_KEPT_HEADERS = ("content-type", "location", "retry-after")


class Resolver(Protocol):
    """Turns a host name into addresses."""

    def resolve(self, host: str, port: int) -> Sequence[str]:
        """Return every address of `host`, or raise OSError."""
        ...


class SystemResolver:
    """Asks the machine."""

    def resolve(self, host: str, port: int) -> Sequence[str]:
        """Return every address of `host` in the order of the machine's preference, or raise OSError."""
        try:
            found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        except UnicodeError as failure:  # a label that is too long for DNS
            raise OSError(str(failure)) from failure
        return list(dict.fromkeys(str(entry[4][0]) for entry in found))


@dataclass(frozen=True, slots=True)
class ExchangeLimits:
    """What one exchange may cost: bytes on the wire, bytes unpacked, and seconds."""

    max_bytes: int
    max_decoded_bytes: int
    total_seconds: float
    connect_seconds: float
    read_seconds: float


@dataclass(frozen=True, slots=True)
class Asked:
    """One request as it goes out. `trusted` allows addresses that are not public: the user named this host.

    `shown` replaces the address in messages, for one that carries a key. `seconds` replaces the time limit for one that
    takes long to think.
    """

    url: WebUrl
    method: str = "GET"
    headers: tuple[tuple[str, str], ...] = ()
    body: bytes | None = None
    trusted: bool = False
    shown: str = ""
    seconds: float | None = None

    @property
    def label(self) -> str:
        """The address as messages show it: never with a key in it."""
        return self.shown or str(self.url)


@dataclass(frozen=True, slots=True)
class Received:
    """An answer: `headers` holds the few that are used, by lower-case name; `body` is decompressed."""

    status: int
    headers: dict[str, str]
    body: bytes


class Transport(Protocol):
    """Carries one request. The seam at which tests and offline mode stand in for the network."""

    def send(self, asked: Asked, limits: ExchangeLimits) -> Received:
        """Return the answer, or raise WebProblem."""
        ...


class OfflineTransport:
    """Refuses everything: with it no socket is ever opened."""

    def send(self, asked: Asked, limits: ExchangeLimits) -> Received:
        """Raise WebProblem `offline`."""
        raise WebProblem("offline", ProviderStatus.REFUSED, host=asked.url.host)


class SocketTransport:
    """Speaks HTTP/1.1 over a guarded connection."""

    def __init__(self, clock: WaitingClock, resolver: Resolver | None = None) -> None:
        self._clock = clock
        self._resolver = resolver or SystemResolver()

    def send(self, asked: Asked, limits: ExchangeLimits) -> Received:
        """Return the answer, or raise WebProblem.

        The time limit holds for everything from the look-up to the last byte, however slowly bytes arrive.
        """
        url = asked.url
        patience = asked.seconds or limits.read_seconds
        deadline = self._clock.monotonic() + (asked.seconds or limits.total_seconds)
        backend = _Guarded(self._resolver, asked.trusted, self._clock, deadline)
        origin = httpcore2.Origin(url.scheme.encode(), url.host.encode(), url.port)
        secure = _tls_context() if url.scheme == "https" else None
        request = httpcore2.Request(
            asked.method,
            httpcore2.URL(scheme=url.scheme.encode(), host=url.host.encode(), port=url.port, target=url.target.encode()),
            headers=[(b"Host", url.authority.encode()), *((k.encode(), v.encode()) for k, v in _headers(asked))],
            content=asked.body or b"",
            extensions={
                "timeout": {
                    "connect": limits.connect_seconds,
                    "read": patience,
                    "write": patience,
                    "pool": limits.connect_seconds,
                }
            },
        )
        try:
            with httpcore2.HTTPConnection(origin, ssl_context=secure, network_backend=backend) as connection:
                return _received(connection.handle_request(request), limits, asked.label)
        except httpcore2.TimeoutException:
            raise WebProblem("timed_out", url=asked.label) from None
        except (httpcore2.NetworkError, httpcore2.ProtocolError, ssl.SSLError, OSError) as failure:
            code = "unreachable" if isinstance(failure, httpcore2.ConnectError) else "connection_broken"
            raise WebProblem(code, url=asked.label, detail=_words(failure)) from None


def _headers(asked: Asked) -> list[tuple[str, str]]:
    given = [*asked.headers, ("Accept-Encoding", ACCEPTED), ("Connection", "close")]
    if asked.body is not None:
        given.append(("Content-Length", str(len(asked.body))))
    return given


def _received(response: httpcore2.Response, limits: ExchangeLimits, url: str) -> Received:
    headers = {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in response.headers}
    declared = headers.get("content-length", "")
    if declared.isascii() and declared.isdigit() and int(declared) > limits.max_bytes:
        raise WebProblem("too_large", url=url, limit=limits.max_bytes)
    stream = response.stream
    assert isinstance(stream, Iterable)
    pieces = _bounded(stream, limits.max_bytes, url)
    body = decompressed(pieces, headers.get("content-encoding", ""), limits.max_decoded_bytes, url)
    return Received(response.status, {name: headers[name] for name in _KEPT_HEADERS if name in headers}, body)


def _bounded(pieces: Iterable[bytes], limit: int, url: str) -> Iterator[bytes]:
    size = 0
    for piece in pieces:
        size += len(piece)
        if size > limit:
            raise WebProblem("too_large", url=url, limit=limit)
        yield piece


@cache
def _tls_context() -> ssl.SSLContext:
    # Immutable once made, and reading the certificates takes a while.
    return httpcore2.default_ssl_context()


def _words(failure: Exception) -> str:
    return (str(failure) or type(failure).__name__)[:200]


class _Guarded(httpcore2.NetworkBackend):
    """Connects to checked addresses alone."""

    def __init__(self, resolver: Resolver, trusted: bool, clock: WaitingClock, deadline: float) -> None:
        self._resolver = resolver
        self._trusted = trusted
        self._remaining: Callable[[], float] = lambda: deadline - clock.monotonic()

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[httpcore2.SOCKET_OPTION] | None = None,
    ) -> httpcore2.NetworkStream:
        """Return a connection to one of the checked addresses of `host`."""
        failure: Exception = httpcore2.ConnectError("no address")
        for address in self._checked_addresses(host, port, _within(timeout, self._remaining()))[:_MAX_ADDRESSES]:
            try:
                stream = httpcore2.SyncBackend().connect_tcp(address, port, _within(timeout, self._remaining()))
            except (httpcore2.ConnectError, httpcore2.ConnectTimeout) as problem:
                failure = problem
                continue
            return _Timed(stream, self._remaining)
        raise failure

    def _checked_addresses(self, host: str, port: int, seconds: float) -> Sequence[str]:
        try:
            addresses = [host] if _is_address(host) else _resolved(self._resolver, host, port, seconds)
        except OSError as failure:
            raise WebProblem("unresolved", host=host, detail=_words(failure)) from None
        # One private address among public ones is how a rebinding attack looks: all must be public.
        strange = [address for address in addresses if not is_public(address)]
        if strange and not self._trusted:
            raise WebProblem("unsafe_address", ProviderStatus.REFUSED, host=host)
        return addresses


class _Timed(httpcore2.NetworkStream):
    """A connection with one deadline for all of its reads and writes."""

    def __init__(self, stream: httpcore2.NetworkStream, remaining: Callable[[], float]) -> None:
        self._stream = stream
        self._remaining = remaining

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        """Return the next bytes, or raise ReadTimeout at the deadline."""
        return self._stream.read(max_bytes, _within(timeout, self._remaining()))

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        """Send all bytes, or raise at the deadline."""
        self._stream.write(buffer, _within(timeout, self._remaining()))

    def close(self) -> None:
        """Close the connection."""
        self._stream.close()

    def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore2.NetworkStream:
        """Return this connection under TLS, the certificate checked against `server_hostname`."""
        return _Timed(self._stream.start_tls(ssl_context, server_hostname, _within(timeout, self._remaining())), self._remaining)

    def get_extra_info(self, info: str) -> object:
        """Return what the connection knows of itself."""
        return self._stream.get_extra_info(info)


def _resolved(resolver: Resolver, host: str, port: int, seconds: float) -> Sequence[str]:
    """Return the addresses of a name, or raise OSError; a look-up that takes too long is left to itself."""
    answer: Future[Sequence[str]] = Future()

    def look_up() -> None:
        try:
            answer.set_result(resolver.resolve(host, port))
        except OSError as failure:
            answer.set_exception(failure)

    threading.Thread(target=look_up, name="lyra-resolver", daemon=True).start()
    try:
        return answer.result(seconds)
    except WaitedTooLong:
        raise WebProblem("timed_out", url=host) from None


def _is_address(host: str) -> bool:
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True


def _within(timeout: float | None, remaining: float) -> float:
    if remaining <= 0:
        raise httpcore2.ReadTimeout("deadline")
    return remaining if timeout is None else min(timeout, remaining)
