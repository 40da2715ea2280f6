"""Files with cases as a command gets them, and the new files it writes."""

import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

from lyra.core.errors import InvalidInput, LyraError
from lyra.interfaces.cli.invocation import Invocation
from lyra.interfaces.cli.output import note

if TYPE_CHECKING:
    from lyra.cases.reading import CaseFile, Row

STANDARD_INPUT = "-"


def open_cases(file: str, project: str | None = None) -> "CaseFile":
    """Return the file with cases; `-` is what stands on standard input."""
    from lyra.cases.reading import CaseFile  # noqa: PLC0415 - help needs none of this

    if file != STANDARD_INPUT:
        return CaseFile.at(file, project)
    try:
        if sys.stdin is None:
            raise OSError(9, os.strerror(9))
        content = sys.stdin.buffer.read()
    except (OSError, ValueError) as failure:
        detail = getattr(failure, "strerror", None) or failure
        raise InvalidInput("cases_file_unreadable", path=file, detail=detail) from None
    return CaseFile.of(content, file, project)


def whole_rows(source: "CaseFile") -> Iterator["Row"]:
    """Yield every row, or raise InvalidInput at the first that cannot be read: for work that must not skip a case."""
    for row in source.rows():
        if isinstance(row, InvalidInput):
            raise row
        yield row


def with_rater(row: "Row", case: dict[str, Any]) -> dict[str, Any]:
    """Return what a command made of a row as it is written; who labelled it stays with it."""
    return case if row.rater is None else {"rater": row.rater, **case}


def say_encoding(call: Invocation, source: "CaseFile") -> None:
    """Note how a file was read that is not in UTF-8: the wrong guess would show in its words."""
    if not source.encoding.startswith("utf-8"):
        note(call.say("text.cases_encoding", path=source.name, encoding=source.encoding))


def refuse_existing(out: str) -> Path:
    """Return the file to write, or raise InvalidInput for one that is there or cannot be made."""
    target = Path(out)
    if target.exists() or target.is_symlink():
        raise InvalidInput("cases_out_exists", path=out)
    folder = target.absolute().parent
    if not folder.is_dir():
        raise InvalidInput("cases_out_failed", path=out, detail=os.strerror(2))
    if not os.access(folder, os.W_OK):
        raise InvalidInput("cases_out_failed", path=out, detail=os.strerror(13))
    return target


def write_new(target: Path, write: Callable[[TextIO], Any]) -> None:
    """Write a new file whole or not at all."""
    draft = target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        # A broken surrogate becomes the escape that JSON reads back as the same.
        with draft.open("w", encoding="utf-8", errors="backslashreplace", newline="") as stream:
            write(stream)
            stream.flush()
            os.fsync(stream.fileno())
        if target.exists():
            raise InvalidInput("cases_out_exists", path=target)
        draft.replace(target)
    except OSError as failure:
        raise LyraError("cases_out_failed", path=target, detail=failure.strerror or failure) from failure
    finally:
        draft.unlink(missing_ok=True)
