"""Cases and annotations as tables: CSV or TSV, a row for each case (wide) or for each single label (long)."""

import csv
import json
import re
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from lyra.cases.fields import CASE_FIELDS, FIRST_SOURCE_COLUMNS, Kind
from lyra.core.errors import InvalidInput

LONG_COLUMNS = ("rater", "unit", "field", "value")
RATER_COLUMNS = ("rater", "annotator", "評価者")
# A cell that spans more lines is taken for one whose quote was never closed.
MAX_RECORD_LINES = 1_000
_PATH = re.compile(r"(sources|claims|parties)(?:\.|\[|/)(\d{1,3})\]?(?:\.|/)([a-z_]+)")
# What a spreadsheet takes for a formula; an apostrophe before it is put there by us and taken off again.
_FORMULA = re.compile(r"'*[=+\-@\t\r\n＝＋－＠]")
_YES = frozenset(("true", "1", "yes", "y", "はい", "要"))
_NO = frozenset(("false", "0", "no", "n", "いいえ", "不要"))
_MAX_ITEMS = 200

Put = Callable[[dict[str, Any], str], None]


class TableReader:
    """The rows of a table, each as its cells or as what is wrong with it; one bad row does not spoil the others."""

    def __init__(self, lines: Iterator[str], name: str, delimiter: str) -> None:
        self._name = name
        self._records = _records(lines, delimiter)
        number, header = next(self._records, (1, []))
        if isinstance(header, csv.Error):
            raise InvalidInput("cases_bad_row", path=name, row=number, detail=header)
        self.columns = [column.strip().removeprefix("\ufeff").strip() for column in header]
        if not any(self.columns):
            raise InvalidInput("cases_empty", path=name)
        named = [column for column in self.columns if column]
        twice = sorted({column for column in named if named.count(column) > 1})
        if twice:
            raise InvalidInput("cases_column_twice", path=name, column=twice[0])

    @property
    def is_long(self) -> bool:
        """Return whether each row is one label: the columns rater, unit, field and value are there."""
        return set(LONG_COLUMNS) <= {column.casefold() for column in self.columns}

    def rows(self) -> Iterator[tuple[int, list[str] | InvalidInput]]:
        """Yield the line a row begins on and its cells; empty rows are left out."""
        width = len(self.columns)
        for number, cells in self._records:
            if isinstance(cells, csv.Error):
                yield number, InvalidInput("cases_bad_row", path=self._name, row=number, detail=cells)
            elif not any(cell.strip() for cell in cells):
                continue
            elif len(cells) < width or any(cell.strip() for cell in cells[width:]):
                yield number, InvalidInput("cases_ragged_row", path=self._name, row=number, found=len(cells), expected=width)
            else:
                yield number, cells[:width]


def _records(lines: Iterator[str], delimiter: str) -> Iterator[tuple[int, list[str] | csv.Error]]:
    """Yield each record with the line it begins on; after a broken one reading goes on with the line below its first."""
    waiting: deque[str] = deque()
    taken: list[str] = []

    def ahead() -> Iterator[str]:
        while len(taken) < MAX_RECORD_LINES:
            line = waiting.popleft() if waiting else next(lines, None)
            if line is None:
                return
            taken.append(line)
            yield line

    start = 1
    while True:
        reader = csv.reader(ahead(), delimiter=delimiter, strict=True)
        try:
            for values in reader:
                yield start, values
                start += len(taken)
                taken.clear()
            if not taken:
                return
            taken.clear()
        except csv.Error as failure:
            yield start, failure
            waiting.extendleft(reversed(taken[1:]))
            taken.clear()
            start += 1


def case_maker(columns: list[str], name: str) -> Callable[[list[str], int], dict[str, Any] | InvalidInput]:
    """Return the function that makes a case of a row. Nested fields stand in `sources.0.url` columns or as JSON in a cell."""
    puts = [_column(column) for column in columns]

    def make(cells: list[str], number: int) -> dict[str, Any] | InvalidInput:
        case: dict[str, Any] = {}
        for put, cell in zip(puts, cells, strict=True):
            if cell and put is not None:
                try:
                    put(case, plain_cell(cell))
                except ValueError as failure:
                    return InvalidInput("cases_bad_cell", path=name, row=number, detail=failure)
        return case

    return make


def _column(column: str) -> Put | None:
    if not column:
        return None
    if match := _PATH.fullmatch(column):
        return _nested(match[1], int(match[2]), match[3])
    known = CASE_FIELDS.get(column)
    if known is None and column in FIRST_SOURCE_COLUMNS:
        return _nested("sources", 0, FIRST_SOURCE_COLUMNS[column])
    if known is not None and known.kind is Kind.FLAG:
        return _flag(column)
    if known is not None and known.kind in (Kind.RECORDS, Kind.OBJECT):
        return _json(column)
    return _text(column)


def _text(name: str) -> Put:
    def put(case: dict[str, Any], cell: str) -> None:
        case[name] = cell

    return put


def _flag(name: str) -> Put:
    def put(case: dict[str, Any], cell: str) -> None:
        word = cell.strip().casefold()
        case[name] = True if word in _YES else False if word in _NO else cell

    return put


def _json(name: str) -> Put:
    def put(case: dict[str, Any], cell: str) -> None:
        if not cell.strip():
            return
        try:
            case[name] = json.loads(cell)
        except (ValueError, RecursionError) as failure:
            raise ValueError(f"{name}: {failure}") from None

    return put


def _nested(name: str, position: int, field: str) -> Put:
    def put(case: dict[str, Any], cell: str) -> None:
        if not cell.strip() or position >= _MAX_ITEMS:
            return
        items = case.setdefault(name, [])
        if not isinstance(items, list):
            raise ValueError(f"{name}: a list and columns of its own")
        while len(items) <= position:
            items.append({})
        items[position][field] = _several(cell) if field in ("source_refs", "names", "domains") else cell

    return put


def _several(cell: str) -> list[str]:
    return [part.strip() for part in cell.split(";") if part.strip()]


def plain_cell(cell: str) -> str:
    """Return what a cell says, without the apostrophe that keeps a spreadsheet from running it."""
    return cell[1:] if cell[:1] == "'" and _FORMULA.match(cell) else cell


def cell_of(value: object) -> str:
    """Return a value as the text of a cell that reads back as the same value and is no formula to a spreadsheet."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return f"'{text}" if _FORMULA.match(text) else text


def wide_row(case: Mapping[str, object], columns: tuple[str, ...]) -> list[str]:
    """Return the cells of a case."""
    return [cell_of(case.get(column)) for column in columns]
