"""BibTeX: entries cut out one by one, so that a broken one costs itself only, and parsed by bibtexparser."""

import logging
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import IO

from lyra.core.records import Document
from lyra.providers.notes import FIELD_REPEATED, LATEX_KEPT
from lyra.providers.records.facts import Facts, Place, to_document
from lyra.providers.records.latex import plain_text
from lyra.providers.records.raw import Line, RawRecord, text_lines

EXTRACTOR = "bibtex"
_OPENING = re.compile(r"@\s*([A-Za-z]+)\s*([{(])")
# An entry that begins a line ends the one before it, however many braces that one left open.
_NEXT_ENTRY = re.compile(r"\s*@\s*[A-Za-z]+\s*[{(]\s*[^\s,{}()]+\s*,")
_HEAD = re.compile(r"\s*@\s*([A-Za-z]+)\s*[{(]\s*([^\s,{}()=\"]*)")
_STRING = re.compile(r"\s*@\s*string\s*[{(]\s*([^\s=,{}()]+)\s*=(.*)[})]\s*\Z", re.DOTALL | re.IGNORECASE)
_BRACKET = re.compile(r"[{}()]")
_NOT_WORKS = frozenset({"comment", "preamble", "string"})
_MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split()
_MAX_STRINGS = 10_000
_ARXIV_PREFIXES = frozenset({"arxiv", ""})


def split_bibtex(stream: IO[bytes], longest: int) -> Iterator[RawRecord]:
    """Yield every block of the file: works, strings and comments; what stands between them is passed over."""
    block: _Block | None = None
    for line in text_lines(stream, longest):
        if block is not None and (line.problem or _NEXT_ENTRY.match(line.text)):
            yield block.finished("broken" if line.problem is None else line.problem)
            block = None
        rest = line.text
        if block is not None and not rest.strip():
            block.take("", line)  # a blank line parts the paragraphs of an abstract
            continue
        while rest:
            if block is None:
                opening = _OPENING.search(rest)
                if opening is None:
                    break
                block, rest = _Block(line, opening[2], longest), rest[opening.start() :]
            rest, closed = block.take(rest, line)
            if closed:
                yield block.finished()
                block = None
        if line.problem and block is None:
            yield RawRecord(line.number, "", problem=line.problem)
    if block is not None:
        yield block.finished("broken")


class _Block:
    """One entry as it is being read; knows when its last brace has come."""

    def __init__(self, line: Line, opener: str, longest: int) -> None:
        self._line = line.number
        self._parts: list[str] = []
        self._notes: dict[str, None] = {}
        self._room = longest
        self._parenthesised = opener == "("
        self._depth = 0

    def take(self, text: str, line: Line) -> tuple[str, bool]:
        """Take what belongs to the block; returns the rest of the line and whether the block is closed."""
        self._notes.update(dict.fromkeys(line.notes))
        for bracket in _BRACKET.finditer(text):
            if bracket[0] in "()" and not (self._parenthesised and self._depth <= 1):
                continue
            self._depth += 1 if bracket[0] in "{(" else -1
            if self._depth <= 0:
                self._keep(text[: bracket.end()])
                return text[bracket.end() :], True
        self._keep(text + "\n")
        return "", False

    def _keep(self, text: str) -> None:
        self._room -= len(text)
        if self._room >= 0:
            self._parts.append(text)

    def finished(self, problem: str | None = None) -> RawRecord:
        """Return the block; one above the limit has its beginning only, which names it."""
        text = "".join(self._parts)
        return RawRecord(self._line, text, tuple(self._notes), "too_large" if self._room < 0 else problem)


class BibtexReader:
    """Reads blocks in order, because an entry may use the strings defined before it."""

    def __init__(self, where: str, max_chars: int) -> None:
        self._where = where
        self._max_chars = max_chars
        self._strings: dict[str, str] = {}

    def key(self, raw: RawRecord) -> str | None:
        """Return what the file calls an entry."""
        head = _HEAD.match(raw.text[:1000])
        return (head[2] or None) if head else None

    def is_record(self, raw: RawRecord) -> bool:
        """Return whether a block is a work; a string that is defined is remembered on the way."""
        head = _HEAD.match(raw.text[:1000])
        if head is None or head[1].lower() not in _NOT_WORKS:
            return True
        definition = _STRING.match(raw.text) if head[1].lower() == "string" and not raw.problem else None
        if definition and len(self._strings) < _MAX_STRINGS:
            try:
                self._strings[definition[1].lower()] = _joined(definition[2], self._strings)
            except ValueError:
                return True  # a broken definition is named like a broken entry
        return raw.problem is not None

    def read(self, raw: RawRecord, place: Place) -> tuple[str | None, Document]:
        """Return the key and the document of an entry. Raises DocumentProblem `record_broken` and those of `to_document`."""
        fields, repeated = self._fields(raw.text, place)
        entry = _Entry(fields, self._max_chars)
        notes = [*raw.notes, *([FIELD_REPEATED] if repeated else [])]
        facts = entry.facts()
        kept = [LATEX_KEPT] if entry.latex_kept else []
        return place.key, to_document(replace(facts, notes=(*notes, *kept)), place, EXTRACTOR, self._max_chars)

    def _fields(self, text: str, place: Place) -> tuple[dict[str, str], bool]:
        entry, repeated = _parsed(text)
        if entry is None:
            raise place.problem("record_broken", detail="braces, quotes or commas do not match")
        fields: dict[str, str] = {}
        for name, raw in entry:
            try:
                fields.setdefault(name.lower(), _joined(raw, self._strings))
            except ValueError as problem:
                raise place.problem("record_broken", detail=f"field {name[:40]}: {problem}") from problem
        return fields, repeated


def _parsed(text: str) -> tuple[list[tuple[str, str]] | None, bool]:
    """Return the fields of the one entry in a text, as written, and whether one stands there twice; None for no entry."""
    from bibtexparser.entrypoint import parse_string  # noqa: PLC0415 - slow, and only BibTeX needs it
    from bibtexparser.model import Block, DuplicateFieldKeyBlock, Entry  # noqa: PLC0415 - as above

    log = logging.getLogger("bibtexparser")
    if not log.handlers:  # what it would write to the terminal is in the ledger
        log.addHandler(logging.NullHandler())
    library = parse_string(text, parse_stack=[])
    blocks = list(library.blocks)
    if len(blocks) != 1:
        return None, False
    found: Block | None = blocks[0]
    repeated = isinstance(found, DuplicateFieldKeyBlock)
    if isinstance(found, DuplicateFieldKeyBlock):
        found = found.ignore_error_block
    if not isinstance(found, Entry):
        return None, False
    return [(field.key, str(field.value)) for field in found.fields], repeated


def _joined(raw: str, strings: Mapping[str, str]) -> str:
    """Return a value put together from its pieces: `{…}`, `"…"`, numbers and names of strings, joined by `#`."""
    pieces: list[str] = []
    rest = raw.strip()
    while rest:
        piece, rest = _piece(rest, strings)
        pieces.append(piece)
        if rest and not rest.startswith("#"):
            raise ValueError(f"unexpected {rest[:20]!r}")
        rest = rest[1:].lstrip()
    return "".join(pieces)


def _piece(text: str, strings: Mapping[str, str]) -> tuple[str, str]:
    if text[0] in '{"':
        end = _closing(text)
        return text[1:end], text[end + 1 :].lstrip()
    word, _, rest = text.partition("#")
    name = word.strip()
    if not name or re.search(r"[\s{}\"]", name):
        raise ValueError(f"unexpected {name[:20]!r}")
    return strings.get(name.lower(), name), f"#{rest}" if rest else ""


def _closing(text: str) -> int:
    depth = 0
    for bracket in re.finditer(r'[{}"]', text):
        if bracket[0] == '"' and text[0] == '"' and depth == 0 and bracket.start():
            return bracket.start()
        if bracket[0] != '"':
            depth += 1 if bracket[0] == "{" else -1
            if depth == 0 and text[0] == "{":
                return bracket.start()
    raise ValueError("no end")


class _Entry:
    """The fields of an entry as text; remembers whether some LaTeX had to be kept as it was written."""

    def __init__(self, fields: Mapping[str, str], max_chars: int) -> None:
        self._fields = fields
        self._max_chars = max_chars
        self.latex_kept = False

    def facts(self) -> Facts:
        """Return what the entry says."""
        prefix = (self._raw("archiveprefix", "eprinttype") or "").strip().lower()
        eprint = self._raw("eprint")
        url = self._raw("url")
        link = plain_text(url) if url else None
        return Facts(
            title=self._text("title"),
            authors=self._authors(),
            dates=self._dates(),
            venue=self._text("journal", "journaltitle", "booktitle", "howpublished", "publisher"),
            abstract=self._abstract(),
            doi=self._text("doi"),
            pmid=self._raw("pmid") or (eprint if prefix == "pubmed" else None),
            arxiv=self._raw("arxivid") or (eprint if prefix in _ARXIV_PREFIXES else None),
            urls=[link] if link else [],
            remark=self._text("note"),
        )

    def _raw(self, *names: str) -> str | None:
        return next((self._fields[name] for name in names if self._fields.get(name, "").strip()), None)

    def _text(self, *names: str) -> str | None:
        written = self._raw(*names)
        return None if written is None else self._plain(written)

    def _plain(self, written: str) -> str:
        found = plain_text(written)
        self.latex_kept |= found is None
        return written if found is None else found

    def _abstract(self) -> str | None:
        written = self._raw("abstract")
        return written if written is None or len(written) > self._max_chars else self._plain(written)

    def _authors(self) -> list[str]:
        written = self._raw("author", "editor") or ""
        names = map(self._plain, _split_names(" ".join(written.split())))
        return [name for name in names if name.strip().lower() != "others"]

    def _dates(self) -> list[str]:
        year, month, day = (self._raw(name) for name in ("year", "month", "day"))
        dates = [self._raw("date") or ""]
        number = _month(month or "")
        if year and number:
            if day and day.strip().isdecimal():
                dates.append(f"{year.strip()}-{number:02}-{int(day):02}")
            dates.append(f"{year.strip()}-{number:02}")
        return [*dates, year or ""]


def _month(written: str) -> int | None:
    short = written.strip().lower()
    if short.isdecimal() and len(short) <= len("12"):
        return int(short)
    return _MONTHS.index(short[:3]) + 1 if short[:3] in _MONTHS else None


def _split_names(written: str) -> list[str]:
    """Return the names between the `and`s that stand outside of braces."""
    names, start, depth = [], 0, 0
    for token in re.finditer(r"[{}]|(?<= )and(?= )", written, re.IGNORECASE):
        if token[0] in "{}":
            depth += 1 if token[0] == "{" else -1
        elif depth <= 0:
            names.append(written[start : token.start()])
            start = token.end()
    return [name.strip() for name in [*names, written[start:]] if name.strip()]
