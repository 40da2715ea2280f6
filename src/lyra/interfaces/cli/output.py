"""Writing out: one JSON value or text on stdout, notes on stderr, results in files."""

import json
import os
import re
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path

from lyra.core.errors import InvalidInput, LyraError
from lyra.core.own_result import is_own_result
from lyra.interfaces.cli.streams import stdout_guarded, write_err, write_out
from lyra.interfaces.presenter import Json
from lyra.interfaces.untrusted import on_one_line

PLAIN_WIDTH = 100
# Some terminals do not say how wide they are.
TERMINAL_WIDTH = 80
NARROWEST = 40
_UTF_8 = "utf-8"


def write_text(text: str) -> None:
    """Write lines to stdout."""
    write_out(text if text.endswith("\n") else text + "\n")


def write_json(value: Json) -> None:
    """Write the one JSON value of a command to stdout."""
    shown = json.dumps(value, ensure_ascii=False, indent=2, allow_nan=False)
    try:
        shown.encode(sys.stdout.encoding or _UTF_8)
    except UnicodeEncodeError:
        shown = json.dumps(value, ensure_ascii=True, indent=2, allow_nan=False)
    write_out(shown + "\n")


def write_exactly(text: str) -> None:
    """Write a stored text to stdout, code point by code point.

    On a terminal its control characters are replaced one by one, so that offsets stay right and no escape
    sequence of a document reaches the terminal.
    """
    if sys.stdout.isatty():
        text = "".join("\ufffd" if not c.isprintable() and c not in "\n\t" and not c.isspace() else c for c in text)
        write_out(text)
        return
    buffer = getattr(sys.stdout, "buffer", None)
    if buffer is None:
        write_out(text)
        return
    with stdout_guarded():
        # Bytes, because a text stream may translate line ends.
        sys.stdout.flush()
        buffer.write(text.encode(_UTF_8, "surrogateescape"))
        buffer.flush()


def write_body(body: bytes) -> None:
    """Write a kept body to stdout, byte by byte; on a terminal as text without control characters."""
    buffer = getattr(sys.stdout, "buffer", None)
    if buffer is None or sys.stdout.isatty():
        write_exactly(body.decode(_UTF_8, "replace"))
        return
    with stdout_guarded():
        sys.stdout.flush()
        buffer.write(body)
        buffer.flush()


def note(text: str) -> None:
    """Write one line for the person to stderr."""
    write_err(on_one_line(text) + "\n")


def note_all(lang: str, problems: Iterable[LyraError]) -> None:
    """Write the sentence of each problem to stderr."""
    for problem in problems:
        note(problem.sentence(lang))


def width(environ: Mapping[str, str]) -> int:
    """Return how many columns a line may take: what COLUMNS says, else the terminal's, else 100."""
    named = environ.get("COLUMNS", "")
    if re.fullmatch(r"[1-9]\d{1,3}", named, re.ASCII):
        return max(NARROWEST, int(named))
    if not sys.stdout.isatty():
        return PLAIN_WIDTH
    try:
        columns = os.get_terminal_size(sys.stdout.fileno()).columns
    except OSError:
        return PLAIN_WIDTH
    return max(NARROWEST, columns) if columns else TERMINAL_WIDTH


def refuse_unwritable(path: Path) -> None:
    """Raise InvalidInput, before any work is done, for a file that could not be written afterwards."""
    if path.is_dir():
        raise InvalidInput("out_is_directory", path=path)
    if path.is_file() and not _is_replaceable(path):
        raise InvalidInput("out_exists", path=path)
    refuse_bad_place(path)


def refuse_bad_place(path: Path) -> None:
    """Raise InvalidInput where nothing can be written beside the other files of a folder."""
    folder = path.absolute().parent
    if not folder.is_dir():
        raise InvalidInput("out_unwritable", path=path, detail=os.strerror(2))
    if not os.access(folder, os.W_OK):
        raise InvalidInput("out_unwritable", path=path, detail=os.strerror(13))


def _is_replaceable(path: Path) -> bool:
    """Return whether an existing file may be replaced: an empty one, or a result written before."""
    try:
        with path.open(encoding=_UTF_8, errors="replace") as stream:
            head = stream.read(1024)
    except OSError as problem:
        raise InvalidInput("out_unwritable", path=path, detail=problem.strerror) from problem
    return not head.strip() or is_own_result(head)


def write_stream(pieces: Iterable[bytes]) -> None:
    """Write a JSON value in UTF-8 to stdout, piece by piece."""
    buffer = getattr(sys.stdout, "buffer", None)
    with stdout_guarded():
        sys.stdout.flush()
        for piece in pieces:
            if buffer is None:
                sys.stdout.write(piece.decode(_UTF_8))
            else:
                buffer.write(piece)
        sys.stdout.flush()


def stdout_takes_utf_8() -> bool:
    """Return whether any character can be written to stdout as it is."""
    return (sys.stdout.encoding or _UTF_8).lower().replace("-", "") == "utf8"


def write_file(path: Path, text: str, task_id: str) -> None:
    """Write a task's result whole or not at all: into a new file that then takes the name. Raises LyraError when that fails."""
    write_bytes(path, text.encode(_UTF_8, "backslashreplace"), task_id)


def write_bytes(path: Path, content: bytes, task_id: str) -> None:
    """Write a task's result, as `write_file` does, where it is no text."""
    write_file_stream(path, [content], task_id)


def write_file_stream(path: Path, pieces: Iterable[bytes], task_id: str) -> None:
    """Write a task's result as `write_file` does, piece by piece."""
    try:
        target = path.resolve()
        if target.exists() and not target.is_file():  # a device or a pipe cannot be replaced
            with target.open("wb") as stream:
                stream.writelines(pieces)
            return
        draft = target.with_name(f".{target.name}.{os.getpid()}.part")
        try:
            with draft.open("wb") as stream:
                stream.writelines(pieces)
                stream.flush()
                os.fsync(stream.fileno())
            draft.replace(target)
        except BaseException:
            draft.unlink(missing_ok=True)
            raise
    except (OSError, ValueError) as failure:
        detail = getattr(failure, "strerror", None) or failure
        raise LyraError("out_failed", path=path, detail=detail, task=task_id) from failure
