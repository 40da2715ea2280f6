"""RIS: records cut out between their tags, an end or no end, and parsed by rispy."""

import re
from collections.abc import Iterator, Mapping
from typing import IO

from lyra.core.records import Document
from lyra.providers.notes import RECORD_UNENDED
from lyra.providers.records.facts import Facts, Place, to_document
from lyra.providers.records.raw import RawRecord, text_lines

EXTRACTOR = "ris"
_START = re.compile(r"\s*TY {1,2}- ?(.*)")
_END = re.compile(r"\s*ER {1,2}-.*")
_ID = re.compile(r"^ID  - ?(.*\S)", re.MULTILINE)
_PUBMED = re.compile(r"pubmed|medline", re.IGNORECASE)
_BARE_DOI = re.compile(r"\s*(?:doi:?\s*)?10\.\d{4,9}/\S+\s*", re.IGNORECASE)
_PARSER_SURPRISES = (ValueError, TypeError, LookupError, AttributeError)


def split_ris(stream: IO[bytes], longest: int) -> Iterator[RawRecord]:
    """Yield every record, from one TY to its ER; one that ends where the next begins, or with the file, has a note."""
    record: _Open | None = None
    for line in text_lines(stream, longest):
        start = _START.fullmatch(line.text)
        if start is not None or line.problem:
            if record is not None:
                yield record.finished(line.problem, unended=True)
            elif line.problem:
                yield RawRecord(line.number, "", problem=line.problem)
            record = _Open(line.number, longest) if start is not None else None
            if record is not None and start is not None:
                record.add(f"TY  - {start[1]}", line.notes)
        elif record is not None and _END.fullmatch(line.text):
            yield record.finished()
            record = None
        elif record is not None:
            record.add(line.text, line.notes)
    if record is not None:
        yield record.finished(unended=True)


class _Open:
    """A record whose end has not come yet."""

    def __init__(self, line: int, longest: int) -> None:
        self._line = line
        self._room = longest
        self._lines: list[str] = []
        self._notes: dict[str, None] = {}

    def add(self, text: str, notes: tuple[str, ...]) -> None:
        self._room -= len(text) + 1
        if self._room >= 0:
            self._lines.append(text)
            self._notes.update(dict.fromkeys(notes))

    def finished(self, problem: str | None = None, *, unended: bool = False) -> RawRecord:
        notes = (*self._notes, *([RECORD_UNENDED] if unended else []))
        return RawRecord(self._line, "\n".join(self._lines), notes, "too_large" if self._room < 0 else problem)


class RisReader:
    """Reads one record at a time."""

    def __init__(self, where: str, max_chars: int) -> None:
        self._where = where
        self._max_chars = max_chars

    def key(self, raw: RawRecord) -> str | None:
        """Return the identifier that a record gives itself."""
        found = _ID.search(raw.text[:10_000])
        return found[1] if found else None

    def is_record(self, raw: RawRecord) -> bool:
        """Return True: a RIS file holds nothing else."""
        return True

    def read(self, raw: RawRecord, place: Place) -> tuple[str | None, Document]:
        """Return the key and the document of a record. Raises DocumentProblem `record_broken` and those of `to_document`."""
        import rispy  # noqa: PLC0415 - slow, and only RIS needs it

        try:
            records = rispy.loads(f"{raw.text}\nER  - \n", skip_unknown_tags=True)
        except _PARSER_SURPRISES as problem:
            raise place.problem("record_broken", detail=f"{type(problem).__name__}"[:80]) from problem
        if len(records) != 1:
            raise place.problem("record_broken", detail="no fields")
        return place.key, to_document(_facts(records[0], raw.notes), place, EXTRACTOR, self._max_chars)


def _facts(record: Mapping[str, object], notes: tuple[str, ...]) -> Facts:
    def first(*names: str) -> str | None:
        return next((text for name in names for text in _texts(record.get(name))), None)

    doi = first("doi")
    work_type = first("type_of_work") or ""
    return Facts(
        title=first("title", "primary_title", "short_title"),
        authors=[*_texts(record.get("authors")), *_texts(record.get("first_authors"))],
        dates=[_date(first(name) or "") for name in ("date", "year", "publication_year")],
        venue=first("secondary_title", "journal_name", "alternate_title3", "alternate_title2", "alternate_title1", "publisher"),
        abstract=first("abstract", "notes_abstract"),
        doi=doi or (work_type if _BARE_DOI.fullmatch(work_type) else None),
        pmid=first("accession_number") if _PUBMED.search(first("name_of_database", "database_provider") or "") else None,
        urls=_texts(record.get("urls")),
        remark=first("notes"),
        notes=notes,
    )


def _texts(value: object) -> list[str]:
    values = value if isinstance(value, list) else [value]
    return [text.strip() for text in values if isinstance(text, str) and text.strip()]


def _date(written: str) -> str:
    """Return a date from `2021/03/05/spring`: as many parts as have digits."""
    parts = [part.strip() for part in written.split("/")[:3]]
    known = next((at for at, part in enumerate(parts) if not part), len(parts))
    return "-".join(parts[:known])
