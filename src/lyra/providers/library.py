"""The local library: finding documents below a folder and reading each one, whatever state it is in."""

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from lyra.core.errors import DocumentProblem, InvalidInput, NotFound
from lyra.core.own_result import is_own_result
from lyra.core.records import Document, FileStamp, Record
from lyra.core.units import MEBIBYTE
from lyra.providers.readability import readable
from lyra.providers.sniffing import actual_type, holds_pdf

_PARSER_SURPRISES = (ValueError, TypeError, LookupError, AttributeError, ArithmeticError, RecursionError)
_KINDS = {
    ".pdf": "pdf",
    ".html": "html",
    ".htm": "html",
    ".xhtml": "html",
    ".md": "markdown",
    ".markdown": "markdown",
    ".txt": "plain",
    ".text": "plain",
}
_RECORDS = frozenset({".bib", ".bibtex", ".ris", ".json", ".jsonl", ".ndjson"})
_UNENCODABLE = "\ufffd"
_SNIFFED = 4096
# A name that turns into a pipe or a link between look and open must neither block nor lead away.
_OPEN_FLAGS = (
    os.O_RDONLY
    | getattr(os, "O_NOFOLLOW", 0)
    | getattr(os, "O_NONBLOCK", 0)
    | getattr(os, "O_CLOEXEC", 0)
    | getattr(os, "O_BINARY", 0)
)


@dataclass(frozen=True, slots=True)
class ReaderLimits:
    """What reading one file, or one record of a file that holds many, may cost; what costs more is refused with a reason."""

    max_file_bytes: int = 64 * MEBIBYTE
    max_text_chars: int = 5_000_000
    max_record_bytes: int = 32 * MEBIBYTE
    pdf_seconds: float = 60
    pdf_memory_bytes: int = 1024 * MEBIBYTE


class LibraryReader:
    """Reads documents, and files of records, from disk. Never writes, never leaves the library's folder."""

    def __init__(self, limits: ReaderLimits | None = None) -> None:
        self._limits = limits or ReaderLimits()

    def scan(self, root: Path) -> Iterator[FileStamp]:
        """Yield every file below `root` (or `root` itself, if it is a file) by name, folders in their place among them.

        Hidden names are passed over. A link to a folder is not entered: inside the library its files are found at
        their own place, and one that leads outside is yielded itself, for `read` to refuse, as is a folder that
        cannot be listed. Raises NotFound `path_missing` or InvalidInput `path_unreadable`.
        """
        top = _resolve(root)
        try:
            is_folder = top.is_dir()
            names = _names(top) if is_folder else []
        except OSError as problem:
            raise InvalidInput("path_unreadable", path=_printable(str(top))) from problem
        if not is_folder:
            stamp = _stamp(top)
            if stamp is None:
                raise InvalidInput("path_unreadable", path=_printable(str(top)))
            yield stamp
            return
        yield from _walk(top, names)

    def is_document(self, path: str) -> bool:
        """Return whether a file of this name is of a kind that can be read."""
        return Path(path).suffix.lower() in _KINDS or self.holds_records(path)

    def holds_records(self, path: str) -> bool:
        """Return whether a file of this name holds many records, each a document: `records` reads it."""
        return Path(path).suffix.lower() in _RECORDS

    def records(self, stamp: FileStamp, root: Path) -> Iterator[Record]:
        """Yield the records of a file one at a time; memory is bounded by one record, whatever the size of the file.

        A record that cannot be read is yielded with the reason. Raises DocumentProblem, before the first record, for a
        file that cannot be read at all.
        """
        from lyra.providers.records.reading import read_records  # noqa: PLC0415 - as in _parse

        path = Path(stamp.path)
        self._admit(path, self._top(stamp, root))
        with _opened(path) as file:
            _check_content("records", file.read(_SNIFFED), stamp.path)
            file.seek(0)
            try:
                yield from read_records(file, stamp.path, self._limits.max_record_bytes, self._limits.max_text_chars)
            except OSError as problem:
                raise DocumentProblem("unreadable", path=stamp.path) from problem

    @staticmethod
    def _top(stamp: FileStamp, root: Path) -> Path:
        try:
            return _resolve(root)
        except InvalidInput as problem:
            raise DocumentProblem("unreadable", path=stamp.path) from problem

    def read(self, stamp: FileStamp, root: Path) -> Document:
        """Return the document, or raise DocumentProblem: `skipped` for what is left alone on purpose, else `failed`."""
        path = Path(stamp.path)
        kind = self._admit(path, self._top(stamp, root))
        data = _read_bytes(path, self._limits.max_file_bytes)
        _check_content(kind, data, stamp.path)
        try:
            document = self._parse(kind, data, stamp.path)
        except _PARSER_SURPRISES as problem:
            # Documents are anybody's work, and parsers have faults: one file must never end the reading of the others.
            raise DocumentProblem("unparsable", path=stamp.path, detail=f"{type(problem).__name__}: {problem}"[:200]) from problem
        if kind == "markdown" and is_own_result(data[:4096].decode("utf-8", "replace")):
            raise DocumentProblem("own_result", status="skipped", path=stamp.path)
        if len(document.text) > self._limits.max_text_chars:
            raise DocumentProblem("text_too_long", path=stamp.path, limit=self._limits.max_text_chars)
        return readable(document, stamp.path)

    def _admit(self, path: Path, top: Path) -> str:
        """Return the kind of document that `path` is by name, from what can be told without opening it."""
        where = str(path)
        target = _real_path(path)
        if target != top and top not in target.parents:
            raise DocumentProblem("outside_library", status="skipped", path=where, target=_printable(str(target)))
        try:
            status = target.stat()
        except OSError as problem:
            code = "name_not_unicode" if _UNENCODABLE in where else "unreadable"
            raise DocumentProblem(code, path=where) from problem
        if stat.S_ISDIR(status.st_mode):
            raise DocumentProblem("unreadable", path=where)
        if not stat.S_ISREG(status.st_mode):
            raise DocumentProblem("special_file", status="skipped", path=where)
        if self.holds_records(where):  # read record by record, so only a record can be too large
            return "records"
        kind = _KINDS.get(path.suffix.lower())
        if kind is None:
            raise DocumentProblem("unsupported_type", status="skipped", path=where, suffix=path.suffix.lower() or path.name)
        if status.st_size > self._limits.max_file_bytes:
            raise _too_large(where, self._limits.max_file_bytes)
        return kind

    def _parse(self, kind: str, data: bytes, where: str) -> Document:
        # Each format's modules are loaded when the first file of that format is read, not when the program starts.
        limits = self._limits
        match kind:
            case "pdf":
                from lyra.providers.pdf import PdfLimits, read_pdf  # noqa: PLC0415

                return read_pdf(data, where, PdfLimits(limits.pdf_seconds, limits.pdf_memory_bytes, limits.max_text_chars))
            case "html":
                from lyra.providers.html import read_html  # noqa: PLC0415

                return read_html(data, where, limits.max_text_chars)
            case "markdown":
                from lyra.providers.markdown import read_markdown  # noqa: PLC0415

                return read_markdown(data, where, limits.max_text_chars)
            case _:
                from lyra.providers.plain import read_plain  # noqa: PLC0415

                return read_plain(data, where, limits.max_text_chars)


def _resolve(root: Path) -> Path:
    try:
        return root.expanduser().resolve(strict=True)
    except (FileNotFoundError, NotADirectoryError) as problem:
        raise NotFound("path_missing", path=_printable(str(root))) from problem
    except (OSError, RuntimeError, ValueError) as problem:
        raise InvalidInput("path_unreadable", path=_printable(str(root))) from problem


def _walk(folder: Path, names: list[str]) -> Iterator[FileStamp]:
    """Yield the files below `folder`, depth first, without recursion: folders may be nested deeper than Python's stack."""
    waiting = [(folder, iter(names))]
    while waiting:
        here, remaining = waiting[-1]
        name = next(remaining, None)
        if name is None:
            waiting.pop()
            continue
        if name.startswith("."):
            continue
        entry = here / name
        inner = _listing(entry)
        if inner is not None:
            waiting.append((entry, iter(inner)))
        elif not _leads_to_inner_folder(entry, folder) and (stamp := _stamp(entry)):
            yield stamp


def _listing(entry: Path) -> list[str] | None:
    """Return the sorted names in a folder; None for anything that is not a folder to enter."""
    try:
        return _names(entry) if entry.is_dir() and not entry.is_symlink() else None
    except OSError:
        return None


def _names(folder: Path) -> list[str]:
    return sorted(entry.name for entry in folder.iterdir())


def _leads_to_inner_folder(entry: Path, top: Path) -> bool:
    try:
        return entry.is_symlink() and entry.is_dir() and (top in (target := _real_path(entry)).parents or target == top)
    except OSError:
        return False


def _stamp(entry: Path) -> FileStamp | None:
    """Return what the ledger keeps of a file; None if it is gone. A broken link has the stamp of the link itself."""
    for look in (entry.stat, entry.lstat):
        try:
            status = look()
        except (OSError, ValueError):
            continue
        return FileStamp(_printable(str(entry)), status.st_size if stat.S_ISREG(status.st_mode) else 0, status.st_mtime_ns)
    return None


def _real_path(path: Path) -> Path:
    try:
        return path.resolve()
    except (OSError, RuntimeError):
        # A circle of links leads nowhere; looking at it will fail, which is the answer.
        return path


def _printable(path: str) -> str:
    """Return a path that can be stored: bytes of a name that are no characters show as U+FFFD."""
    return (
        path.encode("utf-8", "replace").decode("utf-8")
        if path.isascii()
        else path.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    )


def _too_large(where: str, limit: int) -> DocumentProblem:
    return DocumentProblem("too_large", status="skipped", path=where, limit=limit // MEBIBYTE)


@contextmanager
def _opened(path: Path) -> Iterator[IO[bytes]]:
    where = str(path)
    try:
        descriptor = os.open(_real_path(path), _OPEN_FLAGS)
    except OSError as problem:
        raise DocumentProblem("unreadable", path=where) from problem
    with os.fdopen(descriptor, "rb") as file:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise DocumentProblem("special_file", status="skipped", path=where)
        yield file


def _read_bytes(path: Path, limit: int) -> bytes:
    where = str(path)
    with _opened(path) as file:
        try:
            data = file.read(limit + 1)
        except OSError as problem:
            raise DocumentProblem("unreadable", path=where) from problem
    if not data:
        raise DocumentProblem("empty_file", path=where)
    if len(data) > limit:
        raise _too_large(where, limit)
    return data


def _check_content(kind: str, data: bytes, where: str) -> None:
    """Refuse a file whose content is of another kind than its name, and say which."""
    actual = actual_type(data)
    if kind == "pdf":
        if not holds_pdf(data):
            raise DocumentProblem(
                "content_mismatch" if actual else "damaged_pdf", path=where, **({"actual": actual} if actual else {})
            )
    elif actual not in {None, kind} and not (kind == "markdown" and actual == "html"):
        raise DocumentProblem("content_mismatch", path=where, actual=actual)
