"""A small HTTP server whose answers are given by a function; it remembers what it was asked."""

import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

import orjson


@dataclass(frozen=True, slots=True)
class Seen:
    """One request as it arrived."""

    method: str
    path: str
    query: Mapping[str, str]
    headers: Mapping[str, str]
    body: bytes = b""


@dataclass(frozen=True, slots=True)
class Reply:
    """One answer."""

    body: bytes = b""
    status: int = 200
    media_type: str = "text/html; charset=utf-8"
    headers: Mapping[str, str] = field(default_factory=dict)


Answering = Callable[[Seen], Reply]


def json_reply(value: object, status: int = 200, **headers: str) -> Reply:
    named = {name.replace("_", "-"): given for name, given in headers.items()}
    return Reply(orjson.dumps(value), status, "application/json", named)


class Server:
    """Answers on 127.0.0.1 until it is closed. `requests` are those other than for robots.txt."""

    def __init__(self, answering: Answering) -> None:
        self.seen: list[Seen] = []
        outer = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def _answer(self) -> None:
                parts = urlsplit(self.path)
                length = int(self.headers.get("Content-Length") or 0)
                query = {name: values[0] for name, values in parse_qs(parts.query, keep_blank_values=True).items()}
                seen = Seen(self.command, parts.path, query, dict(self.headers.items()), self.rfile.read(length))
                outer.seen.append(seen)
                reply = answering(seen)
                self.send_response(reply.status)
                self.send_header("Content-Type", reply.media_type)
                self.send_header("Content-Length", str(len(reply.body)))
                for name, value in reply.headers.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(reply.body)

            def do_GET(self) -> None:
                self._answer()

            def do_POST(self) -> None:
                self._answer()

            def log_message(self, format: str, *args: object) -> None:
                pass

        class Quiet(ThreadingHTTPServer):
            daemon_threads = True

            def handle_error(self, request: object, client_address: object) -> None:
                pass  # a client that hangs up is what many tests are about

        self._server = Quiet(("127.0.0.1", 0), Handler)
        self.port = int(self._server.server_port)
        self.host = f"127.0.0.1:{self.port}"
        self.url = f"http://{self.host}"
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
        self._thread.start()

    @property
    def requests(self) -> list[Seen]:
        return [seen for seen in self.seen if seen.path != "/robots.txt"]

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


@contextmanager
def serving(answering: Answering) -> Iterator[Server]:
    server = Server(answering)
    try:
        yield server
    finally:
        server.close()
