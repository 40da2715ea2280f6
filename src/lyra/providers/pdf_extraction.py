"""Running the PDF parser in a process of its own, under limits, and living on when it dies."""

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

from lyra.core.errors import DocumentProblem
from lyra.providers.pdf_layout import Line, Page

_WORKER = Path(__file__).with_name("pdf_worker.py")
# All that the worker may know of its surroundings: where libraries are, and nothing secret.
_ENVIRONMENT = (
    "PATH",
    "HOME",
    "PYTHONHOME",
    "PYTHONPATH",
    "LD_LIBRARY_PATH",
    "DYLD_LIBRARY_PATH",
    "SYSTEMROOT",
    "TMPDIR",
    "TEMP",
)
_MAX_DEATHS = 5
# The part of the time that a single page may take, so that one slow page does not cost the others.
_PAGE_SHARE = 0.25
_OUTPUT_BYTES_PER_CHAR = 12
_OUTPUT_FLOOR = 16 * 1024 * 1024
_OUT_OF_TIME = frozenset({"timeout", "SIGXCPU"})
# How a native allocator gives up, and how a system that ran out of memory ends a process.
_OUT_OF_MEMORY = frozenset({"SIGABRT", "SIGTRAP", "SIGILL", "SIGKILL", "SIGBUS", "memory"})


@dataclass(frozen=True, slots=True)
class PdfLimits:
    """What reading one PDF may cost."""

    seconds: float
    memory_bytes: int
    max_chars: int


@dataclass(slots=True)
class Extraction:
    """What the parser delivered: pages in order, and the numbers of those it could not read."""

    total: int = 0
    info: Mapping[str, str] = field(default_factory=dict)
    version: str = ""
    pages: list[Page] = field(default_factory=list)
    unseen: list[str] = field(default_factory=list)
    failed: list[int] = field(default_factory=list)
    complete: bool = False
    error: str | None = None

    def next_page(self) -> int:
        """Return the number of the first page that was neither read nor given up."""
        return max([0, *self.failed[-1:], *(page.number for page in self.pages[-1:])]) + 1

    def absorb(self, record: Mapping[str, object]) -> None:
        """Take in one record of the worker. Raises TypeError, ValueError or KeyError for one of another shape."""
        if "error" in record:
            self.error = str(record["error"])
        elif "pages" in record:
            info = record["info"]
            self.total, self.version = int(str(record["pages"])), str(record["version"])
            self.info = {str(key): str(value) for key, value in info.items()} if isinstance(info, dict) else {}
        elif "failed" in record:
            self.failed.append(int(str(record["page"])))
        elif "page" in record:
            lines = record["lines"]
            size = (float(str(record["width"])), float(str(record["height"])))
            self.pages.append(Page(int(str(record["page"])), *size, tuple(map(_line, lines if isinstance(lines, list) else []))))
            unseen = record.get("unseen")
            self.unseen += map(str, unseen if isinstance(unseen, list) else [])
        else:
            self.complete = True


def extract_pages(data: bytes, where: str, limits: PdfLimits, worker: Path = _WORKER) -> Extraction:
    """Return the pages of a PDF. A page on which the parser dies or hangs counts as failed, and the next ones are read.

    Raises DocumentProblem `encrypted_pdf`, `text_too_long`, and `damaged_pdf`, `pdf_timeout` or `pdf_too_complex` where
    no page could be read; `pdf_reader_unavailable` where the worker could not be started. `worker` is its script.
    """
    found = Extraction()
    deadline = time.monotonic() + limits.seconds
    death = ""
    for _ in range(_MAX_DEATHS):
        try:
            death = _run_worker(worker, data, found, deadline - time.monotonic(), limits)
        except OSError as problem:
            raise DocumentProblem("pdf_reader_unavailable", path=where, detail=problem.strerror or str(problem)) from problem
        if found.error is not None:
            raise _refusal(found.error, where, limits)
        if death in _OUT_OF_TIME:
            raise DocumentProblem("pdf_timeout", path=where, limit=round(limits.seconds))
        if found.complete or not found.total:
            break
        found.failed.append(found.next_page())
        if found.next_page() > found.total:
            break
    found.failed.extend(range(found.next_page(), found.total + 1))
    if not found.pages:
        raise _nothing_read(death, where, limits)
    return found


def _refusal(error: str, where: str, limits: PdfLimits) -> DocumentProblem:
    if error == "encrypted":
        return DocumentProblem("encrypted_pdf", path=where)
    if error == "too_long":
        return DocumentProblem("text_too_long", path=where, limit=limits.max_chars)
    return _nothing_read(error, where, limits)


def _nothing_read(death: str, where: str, limits: PdfLimits) -> DocumentProblem:
    if death in _OUT_OF_MEMORY:
        return DocumentProblem("pdf_too_complex", path=where, limit=limits.memory_bytes // 2**20)
    if death == "SIGALRM":
        return DocumentProblem("pdf_timeout", path=where, limit=round(limits.seconds))
    return DocumentProblem("damaged_pdf", path=where)


def _run_worker(worker: Path, data: bytes, found: Extraction, seconds: float, limits: PdfLimits) -> str:
    """Let the worker read from the next page on; return how it ended: a signal's name, `timeout`, or an exit status."""
    output_bytes = limits.max_chars * _OUTPUT_BYTES_PER_CHAR + _OUTPUT_FLOOR
    arguments = (
        found.next_page(),
        limits.memory_bytes,
        max(1, round(seconds)),
        max(1, round(1000 * limits.seconds * _PAGE_SHARE)),
        limits.max_chars,
        output_bytes,
    )
    # -P keeps this folder off the module path: it holds modules with the names of standard ones.
    command = [sys.executable, "-P", str(worker), *map(str, arguments)]
    environment = {name: os.environ[name] for name in _ENVIRONMENT if name in os.environ}
    with tempfile.TemporaryFile() as output:
        try:
            ran = subprocess.run(
                command,
                input=data,
                stdout=output,
                stderr=subprocess.DEVNULL,
                timeout=max(seconds, 0.1),
                env=environment,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return "timeout"
        _take_in(output, output_bytes, found)
    return _signal_name(-ran.returncode) if ran.returncode < 0 else str(ran.returncode)


def _take_in(output: IO[bytes], limit: int, found: Extraction) -> None:
    output.seek(0)
    for line in output.read(limit).splitlines():
        try:
            record = json.loads(line)
            if isinstance(record, dict):
                found.absorb(record)
        except (ValueError, TypeError, KeyError):
            # The last line of a worker that died while writing it.
            return


def _line(values: Sequence[object]) -> Line:
    text, *numbers, bold = values
    left, top, right, bottom, size = (float(str(number)) for number in numbers)
    return Line(str(text), left, top, right, bottom, size, bool(bold))


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return str(number)
