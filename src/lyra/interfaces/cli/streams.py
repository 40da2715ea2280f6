"""The standard streams as they are met: closed, full, without a reader, or in an encoding that lacks characters."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from io import TextIOWrapper
from typing import TextIO

from lyra.core.errors import LyraError

_OUT, _ERR = 1, 2
_UTF_8 = "utf-8"


def prepare_streams() -> None:
    """Make stdout and stderr objects that can be written to, whatever the caller left of them.

    What goes to a closed stderr is lost. A closed stdout fails when something is written to it, so that no result
    is lost unnoticed. A character that the encoding of a stream lacks is written as an escape.
    """
    _fill_closed_descriptors()
    if sys.stdout is None:
        sys.stdout = os.fdopen(_OUT, "w", encoding=_UTF_8, closefd=False)
    if sys.stderr is None:
        sys.stderr = os.fdopen(_ERR, "w", encoding=_UTF_8, closefd=False)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _fill_closed_descriptors() -> None:
    # The next file to be opened would take the number of a closed stream, and that file is the database.
    for descriptor in range(3):
        try:
            os.fstat(descriptor)
        except OSError:
            # The lowest free number is given, which is this one. What can only be read refuses what is written to it.
            os.open(os.devnull, os.O_WRONLY if descriptor == _ERR else os.O_RDONLY)
            os.set_inheritable(descriptor, True)


@contextmanager
def stdout_guarded() -> Iterator[None]:
    """Turn a stdout that cannot be written into LyraError; that its reader is gone stays a BrokenPipeError."""
    try:
        yield
    except BrokenPipeError:
        raise
    except (OSError, ValueError) as failure:
        silence(sys.stdout)
        raise LyraError("output_failed", detail=getattr(failure, "strerror", None) or failure) from failure


def write_out(text: str) -> None:
    """Write a text to stdout at once. Raises LyraError or BrokenPipeError when it does not arrive."""
    with stdout_guarded():
        sys.stdout.write(text)
        sys.stdout.flush()


def write_err(text: str) -> None:
    """Write a text to stderr at once. What it cannot take is lost: that must not change how a command ends."""
    try:
        sys.stderr.write(text)
        sys.stderr.flush()
    except (OSError, ValueError):
        silence(sys.stderr)


def silence(stream: TextIO) -> None:
    """Let nothing more be written to a stream that is gone, not even what it still holds when the program ends."""
    with suppress(OSError, ValueError):
        target = stream.fileno()
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, target)
        os.close(nowhere)
