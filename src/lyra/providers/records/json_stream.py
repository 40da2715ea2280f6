"""Cutting a JSON file into the objects of its one list, so that a file of any size is read object by object."""

import re
from collections.abc import Iterator
from typing import IO

from lyra.providers.records.raw import RawRecord, byte_lines, chunks

# In a record, only these decide where it ends; everything inside of a string is hopped over.
_STRUCTURE = re.compile(rb'["{}\[\]]')
_STRING_END = re.compile(rb'["\\]')
_LISTS = (b"results", b"items", b"references")
_HEAD = 4096


def split_json_lines(stream: IO[bytes], longest: int) -> Iterator[RawRecord]:
    """Yield every line that is not blank."""
    for number, line in enumerate(byte_lines(stream, longest), start=1):
        if line is None:
            yield RawRecord(number, "", problem="too_large")
        elif line.strip():
            yield _record(number, line)


def _record(line: int, data: bytes) -> RawRecord:
    from lyra.providers.decoding import decode  # noqa: PLC0415 - only lines that are no UTF-8 need it

    try:
        return RawRecord(line, data.decode("utf-8"))
    except UnicodeDecodeError:
        found = decode(data)
    return RawRecord(line, "", problem="undecodable") if found is None else RawRecord(line, found.text, found.notes)


def split_json_list(stream: IO[bytes], longest: int) -> Iterator[RawRecord]:
    """Yield the objects of a JSON list; the list is the whole file, or stands in it under `results` or `items`."""
    scanner = _Scanner(longest)
    for chunk in chunks(stream):
        yield from scanner.feed(chunk)
    yield from scanner.end()


class _Scanner:
    """Finds the objects of the outermost list, whatever chunks the file comes in.

    `_level` is the depth of brackets at which the wanted objects stand; before the list has begun it is unknown.
    """

    def __init__(self, longest: int) -> None:
        self._longest = longest
        self._depth = 0
        self._level: int | None = None
        self._in_string = False
        self._line = 1
        self._began = 1
        self._parts: list[bytes] | None = None
        self._size = 0
        self._recent = b""
        self._escaped = False

    def feed(self, chunk: bytes) -> Iterator[RawRecord]:
        """Take the next part of the file and yield the objects that end in it."""
        start = counted = 0
        at = int(self._escaped)  # the character after a backslash that ended the last chunk
        while at < len(chunk):
            found = (_STRING_END if self._in_string else _STRUCTURE).search(chunk, at)
            if found is None:
                break
            mark, at = found[0], found.end()
            if self._in_string:
                at += mark == b"\\"
                self._in_string = mark == b"\\"
                continue
            if mark == b'"':
                self._in_string = True
            elif mark in b"{[":
                if self._opens_record(mark, chunk[max(0, found.start() - 64) : found.start()]):
                    self._line += chunk.count(b"\n", counted, found.start())
                    counted = start = found.start()
                    self._began, self._parts, self._size = self._line, [], 0
                self._depth += 1
            else:
                self._depth -= 1
                if self._parts is not None and self._depth == self._level:
                    self._keep(chunk[start:at])
                    yield self._finished()
                elif self._level is not None and self._depth < self._level:
                    self._level = None
        if self._parts is not None:
            self._keep(chunk[start:])
        self._line += chunk.count(b"\n", counted)
        self._recent = chunk[-64:]
        self._escaped = at > len(chunk)

    def _opens_record(self, mark: bytes, before: bytes) -> bool:
        if self._level is None and mark == b"[" and (self._depth == 0 or (self._depth == 1 and self._names_list(before))):
            self._level = self._depth + 1
            return False
        return mark == b"{" and self._parts is None and self._depth == self._level

    def _names_list(self, before: bytes) -> bool:
        name = re.search(rb'"([a-z]+)"\s*:\s*\Z', (self._recent + before)[-64:])
        return name is not None and name[1] in _LISTS

    def _keep(self, data: bytes) -> None:
        self._size += len(data)
        if self._parts is not None and self._size <= self._longest:
            self._parts.append(data)

    def _finished(self) -> RawRecord:
        parts, self._parts = self._parts or [], None
        if self._size > self._longest:
            return RawRecord(self._began, "", problem="too_large")
        return _record(self._began, b"".join(parts))

    def end(self) -> Iterator[RawRecord]:
        """Yield the object that the file breaks off in, if it does."""
        if self._parts is not None:
            yield RawRecord(self._began, b"".join(self._parts)[:_HEAD].decode("utf-8", "replace"), problem="broken")
