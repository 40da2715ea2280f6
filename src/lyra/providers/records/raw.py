"""Cutting a file into lines or chunks without ever holding more of it than one record."""

import codecs
from collections.abc import Iterator
from dataclasses import dataclass
from typing import IO

from lyra.providers.decoding import decode

CHUNK = 1 << 20
_ESCAPE = b"\x1b"
# UTF-32 first: its little-endian mark begins with that of UTF-16.
_WIDE_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a file, numbered from one. `problem` says why it has no text: `too_large` or `undecodable`."""

    number: int
    text: str
    notes: tuple[str, ...] = ()
    problem: str | None = None


@dataclass(frozen=True, slots=True)
class RawRecord:
    """The text of one record and the line it begins on; `problem` as for a line, or `broken` for one that has no end."""

    line: int
    text: str
    notes: tuple[str, ...] = ()
    problem: str | None = None


def chunks(stream: IO[bytes]) -> Iterator[bytes]:
    """Yield the content as UTF-8 as far as a byte-order mark says what it is in; the mark itself is left out."""
    head = stream.read(CHUNK)
    for mark, encoding in _WIDE_MARKS:
        if head.startswith(mark):
            decoder = codecs.getincrementaldecoder(encoding)("replace")
            head = head[len(mark) :]
            while head:
                yield decoder.decode(head).encode("utf-8", "replace")
                head = stream.read(CHUNK)
            yield decoder.decode(b"", True).encode("utf-8", "replace")
            return
    head = head.removeprefix(codecs.BOM_UTF8)
    while head:
        yield head
        head = stream.read(CHUNK)


def byte_lines(stream: IO[bytes], longest: int) -> Iterator[bytes | None]:
    """Yield the lines without their ends; None stands for a line above `longest` bytes, which is passed over."""
    rest, skipping, end = b"", False, b""
    for chunk in chunks(stream):
        end = end or _line_end(chunk)
        *whole, rest = (rest + chunk).split(end)
        for line in whole:
            yield None if skipping or len(line) > longest else line
            skipping = False
        if len(rest) > longest:
            rest, skipping = b"", True
    if rest or skipping:
        yield None if skipping else rest


def _line_end(chunk: bytes) -> bytes:
    return b"\r" if b"\r" in chunk and b"\n" not in chunk else b"\n"


def text_lines(stream: IO[bytes], longest: int) -> Iterator[Line]:
    """Yield decoded lines. Each line that is no UTF-8 is decoded by itself, the encoding of the last such one preferred."""
    legacy: str | None = None
    for number, raw in enumerate(byte_lines(stream, longest), start=1):
        if raw is None:
            yield Line(number, "", problem="too_large")
            continue
        if _ESCAPE not in raw and (plain := _utf8(raw)) is not None:
            yield Line(number, plain)
            continue
        found = decode(raw, legacy)
        if found is None:
            yield Line(number, "", problem="undecodable")
            continue
        legacy = found.encoding.replace("euc_jp", "euc-jp")
        yield Line(number, found.text, found.notes)


def _utf8(raw: bytes) -> str | None:
    try:
        return raw.removesuffix(b"\r").decode("utf-8").replace("\0", "")
    except UnicodeDecodeError:
        return None
