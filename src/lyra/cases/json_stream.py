"""The elements of a JSON list one by one, from a list of any length; memory holds one element at a time."""

import json
from collections.abc import Iterator

_SPACE = " \t\n\r"


class BrokenJson(ValueError):
    """The text is no JSON at this line."""

    def __init__(self, detail: str, line: int) -> None:
        super().__init__(detail)
        self.detail = detail
        self.line = line


def _no_constant(name: str) -> object:
    raise ValueError(f"{name} is no JSON value")


class JsonText:
    """A JSON text that arrives in pieces."""

    def __init__(self, pieces: Iterator[str]) -> None:
        self._pieces = pieces
        self._buffer = ""
        self._at = 0
        self._lines, self._counted = 1, 0
        self._ended = False
        self._decode = json.JSONDecoder(parse_constant=_no_constant).raw_decode

    def _more(self) -> bool:
        """Take another piece in; False at the end. Pieces grow with the buffer, so that a large value is not tried often."""
        wanted = max(1, len(self._buffer) - self._at)
        self._lines, self._counted = self.line, 0
        parts, size = [self._buffer[self._at :]], 0
        while size < wanted:
            piece = next(self._pieces, None)
            if piece is None:
                self._ended = True
                break
            parts.append(piece)
            size += len(piece)
        self._buffer, self._at = "".join(parts), 0
        return size > 0

    @property
    def line(self) -> int:
        """Return the line that is read next, from 1."""
        self._lines += self._buffer.count("\n", self._counted, self._at)
        self._counted = self._at
        return self._lines

    def peek(self) -> str:
        """Return the next character that is no space, or nothing at the end."""
        while True:
            while self._at < len(self._buffer):
                if self._buffer[self._at] not in _SPACE:
                    return self._buffer[self._at]
                self._at += 1
            if not self._more():
                return ""

    def take(self, expected: str) -> None:
        """Go past one character, which must be the one expected."""
        found = self.peek()
        if found != expected:
            raise BrokenJson(f"'{expected}' expected", self.line)
        self._at += 1

    def value(self) -> object:
        """Return the next value and go past it."""
        self.peek()
        while True:
            try:
                value, end = self._decode(self._buffer, self._at)
                if end < len(self._buffer) or self._ended:
                    self._at = end
                    return value
            except (ValueError, RecursionError) as failure:
                problem = self._problem(failure)
                if not self._more():
                    raise problem from None
                continue
            self._more()

    def _problem(self, failure: Exception) -> BrokenJson:
        if isinstance(failure, RecursionError):
            return BrokenJson("nested too deeply", self.line)
        if not isinstance(failure, json.JSONDecodeError):
            return BrokenJson(str(failure), self.line)
        return BrokenJson(failure.msg, self.line + self._buffer.count("\n", self._at, failure.pos))

    def elements(self) -> Iterator[tuple[int, object]]:
        """Yield each element of the list that begins here, with its line."""
        self.take("[")
        if self.peek() == "]":
            self.take("]")
            return
        while True:
            self.peek()
            line = self.line
            yield line, self.value()
            if self.peek() == "]":
                self.take("]")
                return
            self.take(",")

    def members(self) -> Iterator[str]:
        """Yield each key of the object that begins here; the caller reads the value before it goes on."""
        self.take("{")
        if self.peek() == "}":
            self.take("}")
            return
        while True:
            key = self.value()
            if not isinstance(key, str):
                raise BrokenJson("a key in quotes expected", self.line)
            self.take(":")
            yield key
            if self.peek() == "}":
                self.take("}")
                return
            self.take(",")
