"""A model hub on this machine: the listing and the files of one folder, with faults on demand."""

import json
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from tests.models.tiny_public import listing

COMMIT = "c" * 40


@dataclass(slots=True)
class Hub:
    """What the server offers, what it was asked, and how it fails.

    `breaks` counts how often a large file breaks off in the middle, `swaps` replaces the content of paths, `answers`
    gives whole answers (status, headers, body) for parts of an address, `redirect` sends for files to another place.
    """

    folder: Path
    name: str
    languages: object = None
    ranges: bool = True
    breaks: int = 0
    swaps: dict[str, bytes] = field(default_factory=dict)
    answers: dict[str, tuple[int, dict[str, str], bytes]] = field(default_factory=dict)
    redirect: str | None = None
    asked: list[tuple[str, str | None]] = field(default_factory=list)
    url: str = ""


class _Server(ThreadingHTTPServer):
    """A server that knows which hub it plays."""

    def __init__(self, hub: Hub) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.hub = hub


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _Server

    def log_message(self, *_: Any) -> None:
        pass

    def do_GET(self) -> None:  # the name the library wants
        hub, path, wanted = self.server.hub, self.path.partition("?")[0], self.headers.get("Range")
        hub.asked.append((path, wanted))
        prepared = next((answer for part, answer in hub.answers.items() if part in path), None)
        prefix = f"/{hub.name}/resolve/{COMMIT}/"
        if prepared is not None:
            self._answer(*prepared)
        elif path.startswith(f"/api/models/{hub.name}/revision/"):
            self._answer(200, {}, json.dumps(listing(hub.folder, COMMIT, hub.languages)).encode())
        elif hub.redirect is not None and path.startswith(prefix):
            self._answer(302, {"Location": hub.redirect + path.replace(prefix, "/cdn/")}, b"")
        else:
            self._file(path.replace("/cdn/", prefix), prefix, wanted)

    def _file(self, path: str, prefix: str, wanted: str | None) -> None:
        hub, name = self.server.hub, path.removeprefix(prefix)
        if not path.startswith(prefix) or not (hub.folder / name).is_file():
            self._answer(404, {}, b"")
            return
        content = hub.swaps.get(name, (hub.folder / name).read_bytes())
        start = int(re.sub(r"\D", "", wanted)) if wanted and hub.ranges else 0
        headers = {"Content-Range": f"bytes {start}-{len(content) - 1}/{len(content)}"} if start else {}
        body = content[start:]
        if hub.breaks and name.endswith(".onnx"):
            hub.breaks -= 1
            self._head(206 if start else 200, headers, len(body))
            self.wfile.write(body[: len(body) // 2])
            self.close_connection = True
            return
        self._answer(206 if start else 200, headers, body)

    def _answer(self, status: int, headers: dict[str, str], body: bytes) -> None:
        self._head(status, headers, len(body))
        self.wfile.write(body)

    def _head(self, status: int, headers: dict[str, str], length: int) -> None:
        self.send_response(status)
        for key, value in {**headers, "Content-Length": str(length)}.items():
            self.send_header(key, value)
        self.end_headers()


@contextmanager
def hub_server(hub: Hub) -> Iterator[Hub]:
    """Serve a hub while the block runs; `hub.url` is its address."""
    server = _Server(hub)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    hub.url = f"http://127.0.0.1:{server.server_port}"
    try:
        yield hub
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
