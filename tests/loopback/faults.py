"""A proxy in front of a service that spoils answers in one of twelve ways; time in it is the test's own clock."""

import socket
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass

from tests.loopback.timing import MovedClock

_CRLF = b"\r\n"
_HANG_SECONDS = 5.0


@dataclass(frozen=True, slots=True)
class Exchange:
    """One request on its way, with the whole good answer of the service behind."""

    connection: socket.socket
    number: int
    good: bytes
    clock: MovedClock
    closing: threading.Event

    @property
    def good_body(self) -> bytes:
        return self.good.partition(_CRLF * 2)[2]

    def send(self, status: str, body: bytes, *headers: str, length: int | None = None, media: str = "application/json") -> None:
        lines = [f"HTTP/1.1 {status}", f"Content-Type: {media}", f"Content-Length: {len(body) if length is None else length}"]
        self.connection.sendall("\r\n".join([*lines, *headers, "", ""]).encode() + body)


Fault = Callable[[Exchange], None]


def throttled_seconds(exchange: Exchange) -> None:
    exchange.send("429 Too Many Requests", b'{"message": "Too Many Requests"}', "Retry-After: 7")


def throttled_date(exchange: Exchange) -> None:
    exchange.send("429 Too Many Requests", b"{}", "Retry-After: Sun, 01 Mar 2026 12:00:20 GMT")


def throttled_year(exchange: Exchange) -> None:
    exchange.send("429 Too Many Requests", b"{}", "Retry-After: 31536000")


def failing_once(exchange: Exchange) -> None:
    if exchange.number == 0:
        exchange.send("500 Internal Server Error", b"oops", media="text/plain")
    else:
        exchange.connection.sendall(exchange.good)


def truncated_json(exchange: Exchange) -> None:
    exchange.send("200 OK", exchange.good_body[: len(exchange.good_body) // 2])


def html_instead(exchange: Exchange) -> None:
    exchange.send("200 OK", b"<!doctype html><html><body><h1>Maintenance</h1></body></html>", media="text/html")


def wrong_types(exchange: Exchange) -> None:
    exchange.send("200 OK", b'{"data": {"title": 3}, "results": "none", "meta": [], "total": "many", "message": 7}')


def reset_mid_body(exchange: Exchange) -> None:
    exchange.send("200 OK", exchange.good_body[:10], length=len(exchange.good_body))
    exchange.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\x01\x00\x00\x00\x00\x00\x00\x00")


def one_byte_per_second(exchange: Exchange) -> None:
    exchange.send("200 OK", b"", length=len(exchange.good_body))
    for byte in exchange.good_body:
        exchange.clock.advance(1.0)
        exchange.connection.sendall(bytes([byte]))
        exchange.closing.wait(0.002)  # real time, so that the client reads byte by byte


def never_answers(exchange: Exchange) -> None:
    exchange.closing.wait(_HANG_SECONDS)


def repeating_cursor(exchange: Exchange) -> None:
    """Every page names the first page as the next one."""
    body = exchange.good_body.replace(b'"next_cursor":"after', b'"next_cursor":"*","was":"after')
    body = body.replace(b'"offset":', b'"next":0,"offset":', 1)
    exchange.send("200 OK", body)


def wrong_charset(exchange: Exchange) -> None:
    exchange.send("200 OK", exchange.good_body.decode().encode("utf-16-be"), media="application/json; charset=utf-8")


FAULTS: Mapping[str, Fault] = {
    fault.__name__: fault
    for fault in (
        throttled_seconds,
        throttled_date,
        throttled_year,
        failing_once,
        truncated_json,
        html_instead,
        wrong_types,
        reset_mid_body,
        one_byte_per_second,
        never_answers,
        repeating_cursor,
        wrong_charset,
    )
}


class FaultyProxy:
    """Passes each request on to the service and spoils what comes back. `times` is how often; None is always."""

    def __init__(self, service_port: int, fault: Fault, clock: MovedClock, times: int | None = None) -> None:
        self._service_port = service_port
        self._fault = fault
        self._clock = clock
        self._times = times
        self._closing = threading.Event()
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._threads: list[threading.Thread] = []
        self.port = int(self._listener.getsockname()[1])
        self.host = f"127.0.0.1:{self.port}"
        self.url = f"http://{self.host}"
        self.count = 0
        self._acceptor = threading.Thread(target=self._accept, daemon=True)
        self._acceptor.start()

    def _accept(self) -> None:
        while not self._closing.is_set():
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            number, self.count = self.count, self.count + 1
            thread = threading.Thread(target=self._serve, args=(connection, number), daemon=True)
            self._threads.append(thread)
            thread.start()

    def _serve(self, connection: socket.socket, number: int) -> None:
        # A client that gives up is what the faults are for.
        with connection, suppress(OSError):
            connection.settimeout(_HANG_SECONDS)
            good = self._passed_on(_whole_request(connection))
            if self._times is not None and number >= self._times:
                connection.sendall(good)
            else:
                self._fault(Exchange(connection, number, good, self._clock, self._closing))

    def _passed_on(self, request: bytes) -> bytes:
        with socket.create_connection(("127.0.0.1", self._service_port), timeout=_HANG_SECONDS) as service:
            service.sendall(request)
            return b"".join(iter(lambda: service.recv(65536), b""))

    def close(self) -> None:
        self._closing.set()
        # Closing alone does not wake a thread that waits in accept.
        with suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        self._acceptor.join()
        for thread in self._threads:
            thread.join()


def _whole_request(connection: socket.socket) -> bytes:
    data = b""
    while _CRLF * 2 not in data:
        piece = connection.recv(65536)
        if not piece:
            raise OSError("client went away")
        data += piece
    head, _, body = data.partition(_CRLF * 2)
    lengths = [line.split(b":")[1] for line in head.split(_CRLF) if line.lower().startswith(b"content-length:")]
    while lengths and len(body) < int(lengths[0]):
        body += connection.recv(65536)
    return head + _CRLF * 2 + body


@contextmanager
def spoiling(service_port: int, fault: Fault, clock: MovedClock, times: int | None = None) -> Iterator[FaultyProxy]:
    proxy = FaultyProxy(service_port, fault, clock, times)
    try:
        yield proxy
    finally:
        proxy.close()
