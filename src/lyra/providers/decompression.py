"""Undoing a server's compression piece by piece, never beyond a limit."""

import zlib
from collections.abc import Callable, Iterable, Iterator
from typing import Protocol

from lyra.core.errors import WebProblem

_PIECE = 256 * 1024
_MAX_LAYERS = 2
_GZIP = 31


class _Decoder(Protocol):
    def feed(self, data: bytes) -> Iterator[bytes]:
        """Yield decoded pieces of bounded size."""
        ...

    def close(self) -> None:
        """Raise ValueError for a stream that ends too early."""
        ...


class _Gzip:
    """gzip, several members in a row included; zero bytes behind them are padding."""

    def __init__(self) -> None:
        self._inner = zlib.decompressobj(_GZIP)
        self._fed = False

    def feed(self, data: bytes) -> Iterator[bytes]:
        while data:
            if self._inner.eof:
                data = data.lstrip(b"\0")
                if not data:
                    return
                self._inner = zlib.decompressobj(_GZIP)
            self._fed = True
            yield self._inner.decompress(data, _PIECE)
            data = self._inner.unconsumed_tail or self._inner.unused_data

    def close(self) -> None:
        if self._fed and not self._inner.eof:
            raise ValueError("gzip stream ends early")


class _Deflate:
    """deflate: with the zlib wrapper that the standard asks for, or without, as some servers send it."""

    def __init__(self) -> None:
        self._inner = zlib.decompressobj()
        self._first = True
        self._fed = False

    def feed(self, data: bytes) -> Iterator[bytes]:
        while data:
            self._fed = True
            try:
                piece = self._inner.decompress(data, _PIECE)
            except zlib.error:
                if not self._first:
                    raise
                self._inner = zlib.decompressobj(-zlib.MAX_WBITS)
                piece = self._inner.decompress(data, _PIECE)
            self._first = False
            yield piece
            data = b"" if self._inner.eof else self._inner.unconsumed_tail

    def close(self) -> None:
        if self._fed and not self._inner.eof:
            raise ValueError("deflate stream ends early")


_DECODERS: dict[str, Callable[[], _Decoder]] = {"gzip": _Gzip, "x-gzip": _Gzip, "deflate": _Deflate}
ACCEPTED = "gzip, deflate"


def decompressed(pieces: Iterable[bytes], encoding: str, limit: int, url: str) -> bytes:
    """Return the body behind a Content-Encoding header, reading `pieces` as they come.

    At most `limit` bytes are ever held, whatever they unpack to. Raises WebProblem `too_large`, `bad_compression`,
    or `unknown_encoding` for one that was not asked for or more than two layers.
    """
    names = [name for part in encoding.lower().split(",") if (name := part.strip()) and name != "identity"]
    if len(names) > _MAX_LAYERS or not all(name in _DECODERS for name in names):
        raise WebProblem("unknown_encoding", url=url, encoding=encoding[:60])
    decoders = [_DECODERS[name]() for name in reversed(names)]
    body = bytearray()
    try:
        for piece in pieces:
            for part in _through(piece, decoders):
                body += part
                if len(body) > limit:
                    raise WebProblem("too_large", url=url, limit=limit)
        for decoder in decoders:
            decoder.close()
    except (zlib.error, ValueError):
        raise WebProblem("bad_compression", url=url) from None
    return bytes(body)


def _through(piece: bytes, decoders: list[_Decoder]) -> Iterator[bytes]:
    if not decoders:
        yield piece
        return
    for part in decoders[0].feed(piece):
        yield from _through(part, decoders[1:])
