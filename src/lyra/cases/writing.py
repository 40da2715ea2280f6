"""Writing cases in any of the formats they are read from, one after another."""

import csv
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from enum import StrEnum
from typing import Any, TextIO

from lyra.cases.fields import CASE_FIELDS
from lyra.cases.label_studio import task_of
from lyra.cases.model import Annotation, Case
from lyra.cases.reading import Format
from lyra.cases.tables import LONG_COLUMNS, cell_of, wide_row

SCHEMA_VERSION = "1"
_SUFFIXES = {".json": Format.JSON, ".jsonl": Format.JSONL, ".ndjson": Format.JSONL, ".csv": Format.CSV}

Cases = Callable[[], Iterable[Mapping[str, Any]]]


def format_for(suffix: str) -> Format:
    """Return how a file of this name is written; JSON Lines where the name does not say."""
    return _SUFFIXES.get(suffix.lower(), Format.JSONL)


def write_cases(cases: Cases, stream: TextIO, target: Format) -> int:
    """Write cases and return their number. `cases` gives them anew on each call: a table reads them twice, for its columns."""
    match target:
        case Format.JSONL:
            return _write(stream, (json.dumps(one, ensure_ascii=False) + "\n" for one in cases()))
        case Format.CSV:
            return _write_table(cases, stream)
        case Format.LABEL_STUDIO:
            return _write_list(stream, (task_of(one) for one in cases()), "[", "\n]\n")
        case _:
            return _write_list(stream, cases(), f'{{"schema_version": "{SCHEMA_VERSION}", "cases": [', "\n]}\n")


def _write(stream: TextIO, pieces: Iterable[str]) -> int:
    count = 0
    for piece in pieces:
        stream.write(piece)
        count += 1
    return count


def _write_list(stream: TextIO, items: Iterable[Mapping[str, Any]], before: str, after: str) -> int:
    def pieces() -> Iterator[str]:
        separator = before
        for item in items:
            yield f"{separator}\n{json.dumps(item, ensure_ascii=False)}"
            separator = ","
        if separator == before:
            stream.write(before)

    count = _write(stream, pieces())
    stream.write(after)
    return count


def _write_table(cases: Cases, stream: TextIO) -> int:
    used = {name: None for one in cases() for name in one}
    columns = (*(name for name in CASE_FIELDS if name in used), *(name for name in used if name not in CASE_FIELDS))
    writer = csv.writer(stream, lineterminator="\r\n")
    writer.writerow(columns)
    count = 0
    for one in cases():
        writer.writerow(wide_row(one, columns))
        count += 1
    return count


def write_annotations(annotations: Iterable[Annotation], stream: TextIO) -> int:
    """Write single labels as a long table and return how many rows there are."""
    writer = csv.writer(stream, lineterminator="\r\n")
    writer.writerow(LONG_COLUMNS)
    count = 0
    for one in annotations:
        writer.writerow([cell_of(getattr(one, name)) for name in LONG_COLUMNS])
        count += 1
    return count


def case_json(case: Case) -> dict[str, Any]:
    """Return a case as JSON-ready values: what is empty is left out, unknown fields are where they were."""
    return _plain(case)


def _plain(record: Any) -> dict[str, Any]:
    shown: dict[str, Any] = {}
    for one in fields(record):
        value = getattr(record, one.name)
        if one.name == "extra" or value is None or value in ((), False, ""):
            continue
        if isinstance(value, StrEnum):
            shown[one.name] = value.value
        elif isinstance(value, tuple):
            shown[one.name] = [_plain(item) if is_dataclass(item) else item for item in value]
        else:
            shown[one.name] = value
    return (
        shown | {name: value for name, value in record.extra.items() if name not in shown} if hasattr(record, "extra") else shown
    )
