"""Running somebody's own statement where it can neither write, nor take what others need, nor run on."""

import json
import os
import subprocess
import sys
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from lyra.core.errors import InvalidInput, StoreError
from lyra.store.queries.records import Blob, Cell, QueryLimits, Table

_WORKER = Path(__file__).with_name("sql_worker.py")
# All that the worker may know of its surroundings: where libraries are, and nothing secret.
_ENVIRONMENT = ("PATH", "PYTHONHOME", "PYTHONPATH", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "SYSTEMROOT")
# The worker stops by itself where SQLite can be interrupted; where it cannot, it is ended so much later.
_GRACE_SECONDS = 0.4
# How long a machine under load may need to start it.
_START_SECONDS = 20.0
MAX_SQL_CHARS = 100_000


def run_statement(path: Path, sql: str, params: Mapping[str, str | int | float | None], limits: QueryLimits) -> Table:
    """Run one reading statement on the database file at `path`, in a process of its own, and return its rows.

    Nothing is written, whatever the statement says, and other processes and connections are not held up. Raises
    InvalidInput for a statement that would do more than read, is wrong, or costs more than the limits allow; StoreError
    when the database cannot be read or the worker cannot be started.
    """
    if not sql.strip():
        raise InvalidInput("query_empty")
    if len(sql) > MAX_SQL_CHARS:
        raise InvalidInput("query_too_long", length=len(sql), limit=MAX_SQL_CHARS)
    request = {
        "path": str(path),
        "sql": sql,
        "params": dict(params),
        "seconds": limits.seconds,
        "memory_bytes": limits.memory_bytes,
        "rows": limits.rows,
        "answer_bytes": limits.answer_bytes,
        "cell_chars": limits.cell_chars,
    }
    answer = _ask(request, limits)
    if "error" in answer:
        raise _refusal(str(answer["error"]), str(answer["detail"]), path, limits)
    return Table(
        columns=tuple(map(str, answer["columns"])),
        rows=tuple(tuple(map(_cell, row)) for row in answer["rows"]),
        truncated=answer["truncated"],
        cut_cells=int(answer["cut_cells"]),
    )


def _ask(request: Mapping[str, object], limits: QueryLimits) -> dict[str, Any]:
    # -P keeps this folder off the module path.
    command = [sys.executable, "-P", str(_WORKER)]
    environment = {name: os.environ[name] for name in _ENVIRONMENT if name in os.environ}
    question = json.dumps(request).encode()
    try:
        with subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment
        ) as process:
            said, late = _converse(process, question, limits.seconds)
    except OSError as problem:
        raise StoreError("query_unavailable", detail=problem.strerror or str(problem)) from problem
    try:
        answer = json.loads(said)
    except ValueError:
        # A worker that dies without a word was ended: by us, or by a limit of the system.
        return {"error": "time" if late else "memory", "detail": ""}
    return answer if isinstance(answer, dict) else {"error": "wrong", "detail": ""}


def _converse(process: "subprocess.Popen[bytes]", question: bytes, seconds: float) -> tuple[bytes, bool]:
    """Return what the worker says, and whether it had to be ended. Its time begins when it says that it is ready."""
    ended = threading.Event()

    def end() -> None:
        ended.set()
        process.kill()

    if process.stdin is None or process.stdout is None:
        raise OSError("no pipes")
    for step, limit in (("begin", _START_SECONDS), ("answer", seconds + _GRACE_SECONDS)):
        timer = threading.Timer(limit, end)
        timer.start()
        try:
            if step == "begin":
                process.stdin.write(question)
                process.stdin.close()
                process.stdout.readline()
            else:
                return process.stdout.read(), ended.is_set()
        finally:
            timer.cancel()
    return b"", True


def _refusal(error: str, detail: str, path: Path, limits: QueryLimits) -> InvalidInput | StoreError:
    known: dict[str, InvalidInput | StoreError] = {
        "busy": StoreError("database_in_use", path=path),
        "time": InvalidInput("query_too_slow", seconds=f"{limits.seconds:g}"),
        "memory": InvalidInput("query_too_large", limit=limits.memory_bytes // 2**20),
        "refused": InvalidInput("query_refused", detail=detail),
        "several": InvalidInput("query_several"),
        "empty": InvalidInput("query_empty"),
        "parameter": InvalidInput("query_parameter_missing", name=detail),
        "unused": InvalidInput("query_parameter_unused", name=detail),
    }
    return known.get(error) or InvalidInput("query_wrong", detail=detail)


def _cell(value: object) -> Cell:
    match value:
        case {"blob_bytes": int(size)}:
            return Blob(size)
        case None | str() | int() | float():
            return value
    return str(value)
