"""Undoing a server's compression piece by piece, never beyond a limit."""

import zlib
from collections.abc import Callable, Iterable, Iterator
from typing import Protocol

from lyra.core.errors import WebProblem

_PIECE = 256 * 1024
_MAX_LAYERS = 2
_GZIP = 31
_WRAPPER_BYTES = 2


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
            yield from _inflated(self._inner, data)
            data = self._inner.unused_data

    def close(self) -> None:
        if self._fed and not self._inner.eof:
            raise ValueError("gzip stream ends early")


class _Deflate:
    """deflate: with the zlib wrapper that the standard asks for, or without, as some servers send it."""

    def __init__(self) -> None:
        self._inner: zlib._Decompress | None = None
        self._start = b""

    def feed(self, data: bytes) -> Iterator[bytes]:
        if self._inner is None:
            self._start += data
            if len(self._start) < _WRAPPER_BYTES:
                return
            data, self._inner = self._start, zlib.decompressobj(_wrapper_bits(self._start))
        if not self._inner.eof:
            yield from _inflated(self._inner, data)

    def close(self) -> None:
        if self._start and (self._inner is None or not self._inner.eof):
            raise ValueError("deflate stream ends early")


def _wrapper_bits(start: bytes) -> int:
    """Return the window bits for a stream that begins so: a zlib wrapper is known by its method and check bits (RFC 1950)."""
    wrapped = start[0] & 0x0F == zlib.DEFLATED and (start[0] * 256 + start[1]) % 31 == 0
    return zlib.MAX_WBITS if wrapped else -zlib.MAX_WBITS


def _inflated(inner: "zlib._Decompress", data: bytes) -> Iterator[bytes]:
    """Yield what `data` unpacks to, in pieces of bounded size, also what is left inside when all of it is read."""
    while True:
        piece = inner.decompress(data, _PIECE)
        yield piece
        data = inner.unconsumed_tail
        if inner.eof or (not data and len(piece) < _PIECE):
            return


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
