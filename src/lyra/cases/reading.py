"""Files with cases or annotations: found out what they are, read one by one, never all at once."""

import io
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any, BinaryIO

import orjson

from lyra.cases import label_studio
from lyra.cases.encoding import UTF_8, Opener, decoded, encoding_of
from lyra.cases.fields import CASE_FIELDS, CLAIM_FIELDS, SOURCE_FIELDS, Field, Kind
from lyra.cases.findings import Finding
from lyra.cases.json_stream import BrokenJson, JsonText
from lyra.cases.model import Annotation, Case, claim_unit, key_of, source_unit
from lyra.cases.shape import read_case
from lyra.cases.tables import LONG_COLUMNS, RATER_COLUMNS, TableReader, case_maker, plain_cell
from lyra.core.errors import InvalidInput

# What stands between the cells of a table: spreadsheets of some countries write a semicolon.
_DELIMITERS = (",", ";", "\t")


class Format(StrEnum):
    """How a file holds cases or annotations."""

    JSON = "json"
    JSONL = "jsonl"
    CSV = "csv"
    LONG = "long"
    LABEL_STUDIO = "label-studio"


@dataclass(frozen=True, slots=True)
class Row:
    """A case as it stands in a file. `number` is its line in a table or JSON Lines, else its position in the list."""

    number: int
    data: dict[str, Any]
    rater: str | None = None


class CaseFile:
    """One file with cases or annotations. Every pass reads it anew, so it may be of any size."""

    def __init__(self, opener: Opener, name: str, suffix: str = "", project: str | None = None) -> None:
        self.name = name
        self.project = project
        self._opener = opener
        self.encoding = encoding_of(opener, name)
        self.format = self._sniff(suffix.lower())

    @staticmethod
    def at(path: str | Path, project: str | None = None) -> "CaseFile":
        """Open a file. Raises InvalidInput for one that is not there, cannot be read, or holds neither cases nor labels."""
        place = Path(path)

        def opener() -> BinaryIO:
            try:
                return place.open("rb")
            except FileNotFoundError:
                raise InvalidInput("cases_file_missing", path=place) from None
            except (OSError, ValueError) as failure:
                detail = getattr(failure, "strerror", None) or failure
                raise InvalidInput("cases_file_unreadable", path=place, detail=detail) from None

        return CaseFile(opener, str(path), place.suffix, project)

    @staticmethod
    def of(content: bytes, name: str, project: str | None = None) -> "CaseFile":
        """Read bytes that are already there, as standard input is."""
        return CaseFile(lambda: io.BytesIO(content), name, project=project)

    def _sniff(self, suffix: str) -> Format:
        if suffix in (".csv", ".tsv"):
            return Format.LONG if self._table().is_long else Format.CSV
        if suffix in (".jsonl", ".ndjson"):
            return Format.JSONL
        text = self._json()
        first = text.peek()
        if first == "[":
            try:
                head = next(text.elements(), (0, None))[1]
            except BrokenJson:
                head = None
            return Format.LABEL_STUDIO if label_studio.is_export(head) else Format.JSON
        if first == "{":
            return Format.JSONL if suffix != ".json" and self._is_lines() else Format.JSON
        if first == "":
            raise InvalidInput("cases_empty", path=self.name)
        if suffix == ".json":
            raise InvalidInput("cases_broken_json", path=self.name, line=1, detail="[ or { expected")
        return Format.LONG if self._table().is_long else Format.CSV

    def _is_lines(self) -> bool:
        """Return whether the first line is a whole JSON value by itself, and no wrapper around a list of cases."""
        try:
            first = orjson.loads(next((line for line in self._lines() if line.strip()), ""))
        except ValueError:
            return False
        return isinstance(first, dict) and not isinstance(first.get("cases"), list)

    def _json(self) -> JsonText:
        return JsonText(decoded(self._opener, self.encoding))

    def _lines(self) -> Iterator[str]:
        with self._opener() as raw, io.TextIOWrapper(raw, encoding=self.encoding, newline="") as text:
            yield from text

    def _byte_lines(self) -> Iterator[bytes]:
        with self._opener() as raw:
            yield from raw

    def _table(self) -> TableReader:
        if self.name.lower().endswith(".tsv"):
            return TableReader(self._lines(), self.name, "\t")
        header = next((line for line in self._lines() if line.strip()), "")
        return TableReader(self._lines(), self.name, next((one for one in _DELIMITERS if one in header), ","))

    def rows(self) -> Iterator[Row | InvalidInput]:
        """Yield every case as it stands, or why one cannot be read; the others go on.

        Raises InvalidInput where the file as a whole cannot be read on, and for a file of single labels.
        """
        match self.format:
            case Format.LONG:
                raise InvalidInput("cases_are_labels", path=self.name)
            case Format.CSV:
                yield from self._csv_rows()
            case Format.JSONL:
                yield from self._jsonl_rows()
            case _:
                yield from self._json_rows()

    def _csv_rows(self) -> Iterator[Row | InvalidInput]:
        table = self._table()
        rater_at = next((n for n, column in enumerate(table.columns) if column.casefold() in RATER_COLUMNS), None)
        columns = ["" if position == rater_at else column for position, column in enumerate(table.columns)]
        make = case_maker(columns, self.name)
        for number, cells in table.rows():
            if isinstance(cells, InvalidInput):
                yield cells
                continue
            case = make(cells, number)
            rater = cells[rater_at].strip() or None if rater_at is not None else None
            yield case if isinstance(case, InvalidInput) else Row(number, case, rater)

    def _jsonl_rows(self) -> Iterator[Row | InvalidInput]:
        lines: Iterator[str | bytes] = self._byte_lines() if self.encoding == UTF_8 else self._lines()
        for number, line in enumerate(lines, start=1):
            if not line.strip():
                continue
            try:
                data = orjson.loads(line)
            except orjson.JSONDecodeError as failure:
                detail = f"{failure.msg}, column {failure.colno}"
                yield InvalidInput("cases_bad_row", path=self.name, row=number, detail=detail)
                continue
            yield self._row(number, data)

    def _row(self, number: int, data: object) -> Row | InvalidInput:
        if not isinstance(data, dict):
            return InvalidInput("cases_no_object", path=self.name, row=number)
        rater = next((data[name] for name in RATER_COLUMNS if isinstance(data.get(name), str)), None)
        if rater is not None:
            data = {name: value for name, value in data.items() if name not in RATER_COLUMNS}
        return Row(number, data, rater)

    def _json_rows(self) -> Iterator[Row | InvalidInput]:
        for position, item in self._elements():
            if self.format is Format.LABEL_STUDIO:
                yield from (Row(position, case, rater) for rater, case in label_studio.cases_of(item))
            else:
                yield self._row(position, item)

    def _elements(self) -> Iterator[tuple[int, Any]]:
        """Yield the elements of the list of the file, or the one object that it is, with their positions from 1."""
        projects: set[str] = set()
        others: set[str] = set()
        try:
            for position, item in enumerate(self._items(), start=1):
                if self.format is Format.LABEL_STUDIO:
                    if not label_studio.is_export(item):
                        raise InvalidInput("cases_no_task", path=self.name, row=position)
                    project = label_studio.project_of(item)
                    if self.project is not None and project != self.project:
                        others.add(project or "-")
                        continue
                    projects |= {project} if project else set()
                    label_studio.refuse_mixed(projects, self.name)
                yield position, item
        except BrokenJson as failure:
            raise InvalidInput("cases_broken_json", path=self.name, line=failure.line, detail=failure.detail) from None
        if others and not projects:
            there = ", ".join(sorted(others)[:10])
            raise InvalidInput("cases_no_project", path=self.name, project=self.project, projects=there)

    def _items(self) -> Iterator[Any]:
        text = self._json()
        if text.peek() == "[":
            yield from (item for _, item in text.elements())
            self._at_end(text)
            return
        alone: dict[str, object] = {}
        listed = False
        for key in text.members():
            if key == "cases" and text.peek() == "[":
                listed = True
                yield from (item for _, item in text.elements())
            else:
                alone[key] = text.value()
        self._at_end(text)
        if not listed:
            yield alone

    @staticmethod
    def _at_end(text: JsonText) -> None:
        if text.peek():
            raise BrokenJson("more follows the end", text.line)

    def annotations(self, rater: str | None = None) -> Iterator[Annotation]:
        """Yield every single label. `rater` is who labelled a file of cases that names nobody; else the file's own name is taken.

        Raises InvalidInput at the first row that cannot be read, and for a case without id, a case that one person
        labelled twice and a label that is no legal value: an agreement figure must not rest on half a file.
        """
        who = rater or Path(self.name).stem
        match self.format:
            case Format.LONG:
                yield from self._long_rows()
            case Format.LABEL_STUDIO:
                for _, item in self._elements():
                    yield from label_studio.annotations_of(item, who)
            case _:
                yield from self._case_labels(who)

    def _case_labels(self, who: str) -> Iterator[Annotation]:
        seen: set[tuple[str, str]] = set()
        for row in self.rows():
            if isinstance(row, InvalidInput):
                raise row
            shaped = read_case(row.data)
            self._refuse_illegal(row, shaped.findings)
            rater, identity = row.rater or who, shaped.case.id
            if not identity:
                raise InvalidInput("cases_no_id", place=f"{self.name}:{row.number}")
            if (rater, identity) in seen:
                raise InvalidInput("cases_labelled_twice", path=self.name, row=row.number, id=identity, rater=rater)
            seen.add((rater, identity))
            yield from labels_of(shaped.case, rater)

    def _refuse_illegal(self, row: Row, findings: list[Finding]) -> None:
        for finding in findings:
            if finding.rule == "L01" and "legal" in finding.params:
                near = finding.params.get("nearest") or finding.params.get("legal") or "-"
                place = {"path": self.name, "row": row.number, "field": finding.path}
                raise InvalidInput("agreement_illegal_label", **place, value=finding.params["value"], nearest=near)

    def _long_rows(self) -> Iterator[Annotation]:
        table = self._table()
        lowered = [column.casefold() for column in table.columns]
        places = [lowered.index(column) for column in LONG_COLUMNS]
        for number, cells in table.rows():
            if isinstance(cells, InvalidInput):
                raise cells
            rater, unit, field, value = (plain_cell(cells[place]).strip() for place in places)
            for name, given in (("rater", rater), ("unit", unit), ("field", field)):
                if not given:
                    raise InvalidInput("cases_empty_cell", path=self.name, row=number, column=name)
            yield Annotation(rater, unit, field, value or None)


def _labels(fields: Mapping[str, Field]) -> tuple[str, ...]:
    return tuple(name for name, field in fields.items() if field.kind is Kind.LABEL)


_CASE_LABELS, _SOURCE_LABELS, _CLAIM_LABELS = _labels(CASE_FIELDS), _labels(SOURCE_FIELDS), _labels(CLAIM_FIELDS)


def labels_of(case: Case, rater: str) -> Iterator[Annotation]:
    """Yield the labels of a case as annotations: of the case, of each source and of each claim; None where one is missing."""
    for name in _CASE_LABELS:
        yield Annotation(rater, case.id, name, _value(getattr(case, name)))
    for position, source in enumerate(case.sources, start=1):
        unit = source_unit(case.id, key_of(source, position))
        for name in _SOURCE_LABELS:
            yield Annotation(rater, unit, name, _value(getattr(source, name)))
    for position, claim in enumerate(case.claims, start=1):
        unit = claim_unit(case.id, key_of(claim, position))
        for name in _CLAIM_LABELS:
            yield Annotation(rater, unit, name, _value(getattr(claim, name)))


def _value(label: StrEnum | None) -> str | None:
    return None if label is None else label.value
