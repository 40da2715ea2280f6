"""A small web on this machine: pages under any address, and a judge that knows what they say."""

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from http.client import HTTPConnection
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import quote, urlsplit

from lyra.core.records import ModelInfo, Relation, Stance
from lyra.core.source_reading import ArchiveLookup, ReadingStatus, SourceReading
from lyra.providers.html import read_html
from tests.fakes import stance


class TableStance:
    """A judge that knows what some fragments say of a claim: words of the fragment, the claim, the label."""

    def __init__(self, *verdicts: tuple[str, str, Relation]) -> None:
        self.info = ModelInfo(kind="stance", name="table", version="1", calibration_version="none")
        self._verdicts = verdicts
        self.pairs = 0

    def judge(self, pairs: Sequence[tuple[str, str]]) -> list[Stance]:
        self.pairs += len(pairs)
        return [self._judge(fragment, claim) for fragment, claim in pairs]

    def _judge(self, fragment: str, claim: str) -> Stance:
        for words, about, label in self._verdicts:
            if words in fragment and about in claim:
                return stance(label, 0.9)
        return stance(Relation.NEUTRAL, 0.8)


class LoopbackReader:
    """Opens addresses on a server of this machine; what it answers stands for the web and for an archive."""

    def __init__(self, port: int) -> None:
        self._port = port
        self.asked: list[str] = []

    def read(self, url: str) -> SourceReading:
        self.asked.append(url)
        code, body = self._get(url)
        match code:
            case 200:
                return SourceReading(ReadingStatus.OK, read_html(body, url, address=url))
            case 404 | 410:
                found, copy = self._get(f"https://archive.test/{url}")
                if found == 200:
                    return SourceReading(ReadingStatus.ARCHIVED, read_html(copy, url, address=url), ArchiveLookup.FOUND)
                return SourceReading(ReadingStatus.NOT_FOUND, archive=ArchiveLookup.NOT_FOUND, detail=f"HTTP {code}")
            case 402:
                return SourceReading(ReadingStatus.PAYWALL, detail="HTTP 402")
            case 451:
                return SourceReading(ReadingStatus.REGION_BLOCKED, detail="HTTP 451")
        return SourceReading(ReadingStatus.OUTAGE, detail=f"HTTP {code}")

    def _get(self, url: str) -> tuple[int, bytes]:
        parts = urlsplit(url)
        connection = HTTPConnection("127.0.0.1", self._port, timeout=10)
        try:
            connection.request("GET", quote(f"/{parts.netloc}{parts.path}", safe="/%:"))
            answer = connection.getresponse()
            return answer.status, answer.read()
        finally:
            connection.close()


@contextmanager
def served(pages: dict[str, str | int]) -> Iterator[LoopbackReader]:
    """The web as a dictionary: an address gives a page or a status; anything else is 404."""
    by_path = {quote(f"/{urlsplit(url).netloc}{urlsplit(url).path}", safe="/%:"): page for url, page in pages.items()}

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            page = by_path.get(self.path, 404)
            body = b"" if isinstance(page, int) else page.encode()
            self.send_response(page if isinstance(page, int) else 200)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield LoopbackReader(server.server_address[1])
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def html(title: str, *paragraphs: str, links: Sequence[str] = ()) -> str:
    body = "".join(f"<p>{text}</p>" for text in paragraphs)
    listed = "".join(f'<li><a href="{url}">{url}</a></li>' for url in links)
    head = f'<head><meta charset="utf-8"><title>{title}</title></head>'
    return f"<html>{head}<body><article><h1>{title}</h1>{body}<ul>{listed}</ul></article></body></html>"
