"""Claims as people give them: checked one by one, so that a bad row never spoils the others."""

import csv
import io
import json
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

from lyra.core.errors import InvalidInput
from lyra.core.garbled import garbled_share, is_garbled
from lyra.core.identity import normalise_text

MAX_CLAIM_CHARS = 10_000
# A cell that spans more lines is taken for one whose quote was never closed.
MAX_RECORD_LINES = 1_000
# From here on a file is garbled as a whole; below, row by row.
_GARBLED_FILE = 0.5
_COLUMNS = ("claim", "text", "statement", "主張")


@dataclass(frozen=True, slots=True)
class GivenClaim:
    """A claim with the row it came from (1 is the first line of a file)."""

    text: str
    row: int


@dataclass(frozen=True, slots=True)
class ParsedClaims:
    """The usable claims of a file and the problems of the other rows."""

    claims: tuple[GivenClaim, ...]
    problems: tuple[InvalidInput, ...]


def check_claim(text: str, place: str = "") -> str:
    """Return the claim without surrounding space, or raise InvalidInput; `place` says where it stood."""
    where = f"{place}: " if place else ""
    shown = printable(text).strip()
    if not any(c.isalnum() for c in normalise_text(shown)):
        raise InvalidInput("empty_claim", where=where)
    if len(shown) > MAX_CLAIM_CHARS:
        raise InvalidInput("claim_too_long", where=where, length=len(shown), limit=MAX_CLAIM_CHARS)
    if is_garbled(shown):
        raise InvalidInput("garbled_claim", where=where)
    return shown


def printable(text: str) -> str:
    """Return a text that can be stored and shown: without control characters (but line ends and tabs) and broken surrogates."""
    return "".join(c for c in text if c in "\n\t" or unicodedata.category(c) not in ("Cc", "Cs"))


def parse_claims(text: str, suffix: str, name: str) -> ParsedClaims:
    """Read claims from the text of a file; `suffix` (.csv, .tsv, .json, .jsonl, else lines) tells how.

    Raises InvalidInput when the file as a whole cannot be understood, is garbled, or holds no claim at all.
    """
    if garbled_share(text) > _GARBLED_FILE:
        raise InvalidInput("garbled_claim", where=f"{name}: ")
    rows = _rows(text.removeprefix("\ufeff"), suffix.lower(), name)
    claims, problems = [], []
    for number, value in rows:
        place = f"{name}:{number}"
        try:
            if isinstance(value, InvalidInput):
                raise value
            claims.append(GivenClaim(check_claim(value, place), number))
        except InvalidInput as problem:
            problems.append(problem)
    if not claims and not problems:
        raise InvalidInput("no_claims_in_file", path=name)
    return ParsedClaims(tuple(claims), tuple(problems))


def _rows(text: str, suffix: str, name: str) -> list[tuple[int, str | InvalidInput]]:
    if suffix in (".csv", ".tsv"):
        return _csv_rows(text, "\t" if suffix == ".tsv" else ",", name)
    if suffix == ".json":
        return _json_rows(text, name)
    if suffix == ".jsonl":
        return [(n, _json_line(line, name, n)) for n, line in enumerate(text.split("\n"), 1) if line.strip()]
    lines = enumerate(text.split("\n"), start=1)
    return [(n, line) for n, line in lines if line.strip() and not line.lstrip().startswith("#")]


def _csv_rows(text: str, delimiter: str, name: str) -> list[tuple[int, str | InvalidInput]]:
    rows: list[tuple[int, str | InvalidInput]] = []
    column: int | None = None
    for number, values in _csv_records(text, delimiter):
        if isinstance(values, csv.Error):
            rows.append((number, InvalidInput("broken_row", path=name, row=number, detail=values)))
            continue
        if not any(value.strip() for value in values):
            continue
        if column is None:
            header = [value.strip().casefold() for value in values]
            column = next((header.index(wanted) for wanted in _COLUMNS if wanted in header), -1)
            if column >= 0:
                continue
            if len(values) > 1:
                raise InvalidInput("no_claim_column", path=name, columns=", ".join(values))
            column = 0
        short = column >= len(values)
        rows.append((number, InvalidInput("row_too_short", path=name, row=number) if short else values[column]))
    return rows


def _csv_records(text: str, delimiter: str) -> Iterator[tuple[int, list[str] | csv.Error]]:
    """Yield each record with the line it begins on; a broken one as its error, and reading goes on with the next line.

    A quote that is never closed, or is closed only by the next one, thus spoils its own line and no other.
    """
    lines = list(io.StringIO(text, newline=""))
    start = 0

    def ahead() -> Iterator[str]:
        for number in range(start, len(lines)):
            if number - start >= MAX_RECORD_LINES:
                return
            yield lines[number]

    while start < len(lines):
        origin, reader = start, csv.reader(ahead(), delimiter=delimiter, strict=True)
        try:
            for values in reader:
                yield start + 1, values
                start = origin + reader.line_num
        except csv.Error as failure:
            yield start + 1, failure
            start += 1


def _json_rows(text: str, name: str) -> list[tuple[int, str | InvalidInput]]:
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as failure:
        raise InvalidInput("broken_json", path=name, detail=str(failure)) from None
    items = data.get("claims") if isinstance(data, dict) else data
    if not isinstance(items, list):
        raise InvalidInput("no_claim_list", path=name)
    return [(number, _json_claim(item, name, number)) for number, item in enumerate(items, start=1)]


def _json_line(line: str, name: str, row: int) -> str | InvalidInput:
    try:
        return _json_claim(json.loads(line), name, row)
    except (ValueError, RecursionError) as failure:
        return InvalidInput("broken_row", path=name, row=row, detail=str(failure))


def _json_claim(item: object, name: str, row: int) -> str | InvalidInput:
    if isinstance(item, str):
        return item
    if isinstance(item, dict):
        for key in _COLUMNS:
            if isinstance(item.get(key), str):
                return str(item[key])
    return InvalidInput("row_without_claim", path=name, row=row)
