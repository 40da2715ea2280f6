"""Which format a file of records is in, and its records one after another."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, Protocol

from lyra.core.errors import DocumentProblem
from lyra.core.garbled import is_garbled
from lyra.core.own_result import is_own_result
from lyra.core.records import Document, Record
from lyra.core.units import MEBIBYTE
from lyra.providers.records.bibtex import BibtexReader, split_bibtex
from lyra.providers.records.facts import Place
from lyra.providers.records.json_stream import split_json_lines, split_json_list
from lyra.providers.records.json_works import JsonReader
from lyra.providers.records.raw import RawRecord
from lyra.providers.records.ris import RisReader, split_ris

KINDS = {
    ".bib": "bibtex",
    ".bibtex": "bibtex",
    ".ris": "ris",
    ".json": "json",
    ".jsonl": "json_lines",
    ".ndjson": "json_lines",
}
_SNIFFED = 1 << 16
# A JSON file may hold anything: these are the fields by which works are known.
_WORK_FIELDS = re.compile(r'"(?:type|title|DOI|doi|display_name|referenced_works|abstract_inverted_index)"\s*:')
_BEGINS_LIST = re.compile(r'\s*(?:\[|\{.*?"(?:results|items|references)"\s*:\s*\[)', re.DOTALL)
_PROBLEMS = {"broken": "record_broken", "too_large": "record_too_large", "undecodable": "record_undecodable"}
_PARSER_SURPRISES = (ValueError, TypeError, LookupError, AttributeError, ArithmeticError, RecursionError)


class _Reader(Protocol):
    def key(self, raw: RawRecord) -> str | None: ...

    def is_record(self, raw: RawRecord) -> bool: ...

    def read(self, raw: RawRecord, place: Place) -> tuple[str | None, Document]: ...


_Splitter = Callable[[IO[bytes], int], Iterator[RawRecord]]
_FORMATS: dict[str, tuple[_Splitter, Callable[[str, int], _Reader]]] = {
    "bibtex": (split_bibtex, BibtexReader),
    "ris": (split_ris, RisReader),
    "json": (split_json_list, JsonReader),
    "json_lines": (split_json_lines, JsonReader),
}


def read_records(stream: IO[bytes], where: str, max_record_bytes: int, max_chars: int) -> Iterator[Record]:
    """Yield the records of an open file, one at a time: nothing but the present one is held in memory.

    A record that cannot be read is yielded with the reason, and the others follow. Raises DocumentProblem for a file
    that holds no records at all: `own_result` for one of our own results, `unsupported_type` for other JSON,
    `records_missing` where nothing in it is a record, `empty_file`.
    """
    kind = KINDS[Path(where).suffix.lower()]
    _admit(kind, stream, where)
    splitter, reader_of = _FORMATS[kind]
    reader = reader_of(where, max_chars)
    number = 0
    for raw in splitter(stream, max_record_bytes):
        if not reader.is_record(raw):
            continue
        number += 1
        yield _read(reader, raw, number, where, max_record_bytes)
    if not number:
        raise DocumentProblem("records_missing", path=where)


def _read(reader: _Reader, raw: RawRecord, number: int, where: str, limit: int) -> Record:
    key = reader.key(raw)
    place = Place(where, raw.line, key)
    try:
        if raw.problem == "too_large":
            raise place.problem("record_too_large", limit=limit // MEBIBYTE)
        if raw.problem is not None:
            raise place.problem(_PROBLEMS[raw.problem], detail="no end")
        key, document = reader.read(raw, place)
        if is_garbled(document.text):
            raise place.problem("record_garbled")
    except DocumentProblem as problem:
        return Record(number, raw.line, key, None, problem.code, problem.params)
    except _PARSER_SURPRISES as surprise:
        # Records are anybody's work, and parsers have faults: one record must never end the reading of the others.
        broken = place.problem("record_broken", detail=type(surprise).__name__)
        return Record(number, raw.line, key, None, broken.code, broken.params)
    return Record(number, raw.line, key, document)


def _admit(kind: str, stream: IO[bytes], where: str) -> None:
    """Refuse, from its first bytes, a file that cannot hold records of its kind; the stream is at its beginning again."""
    head = stream.read(_SNIFFED)
    stream.seek(0)
    if not head:
        raise DocumentProblem("empty_file", path=where)
    if not kind.startswith("json"):
        return
    encoding = "utf-16" if head[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig"
    text = head.decode(encoding, "replace")
    if text.lstrip().startswith("{") and is_own_result(text):
        raise DocumentProblem("own_result", status="skipped", path=where)
    is_list = kind == "json_lines" or _BEGINS_LIST.match(text) is not None
    if not is_list or not _WORK_FIELDS.search(text):
        raise DocumentProblem("unsupported_type", status="skipped", path=where, suffix=Path(where).suffix.lower())
