"""The process in which a statement of somebody's own runs: one JSON request on standard input, one JSON answer out.

An empty line before the answer says that the worker is ready: from then on its time runs.

The statement is read-only by four independent means: the file is opened so, the connection is set so, an authorizer
lets nothing pass but reading known tables, and there is nothing else in the process. It may use so much time and memory;
the parent ends it where SQLite cannot be interrupted. The module imports nothing of the rest, so that it runs as a plain
script in Python's isolated modes.

Request: `path`, `sql`, `params`, `seconds`, `memory_bytes`, `rows`, `answer_bytes`, `cell_chars`. Answer: `columns`,
`rows`, `truncated`, `cut_cells`, or `error` with `refused`, `wrong`, `time`, `memory`, `several`, `empty`, `parameter`
(missing), `unused` or `busy`, and `detail`. A value that is neither text nor number is `{"blob_bytes": n}`.
"""

import json
import math
import sys
import time
from typing import Any

import apsw

# Virtual tables that only compute. Everything else must be in the schema of the file.
_COMPUTED = frozenset({"json_each", "json_tree", "generate_series"})
_SCHEMA = frozenset({"sqlite_schema", "sqlite_master", "sqlite_sequence"})
_FORBIDDEN_FUNCTIONS = frozenset({"load_extension", "readfile", "writefile", "edit", "fts3_tokenizer", "sqlite_log"})
_INSTRUCTIONS_PER_LOOK = 1_000
_BUSY_MILLISECONDS = 500
# The longest text or blob that may arise; a stored document may be this long, too.
_LONGEST = 32 * 2**20
_LIMITS = {
    apsw.SQLITE_LIMIT_LENGTH: _LONGEST,
    apsw.SQLITE_LIMIT_SQL_LENGTH: 100_000,
    apsw.SQLITE_LIMIT_COLUMN: 200,
    apsw.SQLITE_LIMIT_EXPR_DEPTH: 200,
    apsw.SQLITE_LIMIT_COMPOUND_SELECT: 50,
    apsw.SQLITE_LIMIT_VDBE_OP: 100_000,
    apsw.SQLITE_LIMIT_FUNCTION_ARG: 100,
    apsw.SQLITE_LIMIT_ATTACHED: 0,
    apsw.SQLITE_LIMIT_LIKE_PATTERN_LENGTH: 200,
    apsw.SQLITE_LIMIT_VARIABLE_NUMBER: 100,
    apsw.SQLITE_LIMIT_TRIGGER_DEPTH: 1,
    apsw.SQLITE_LIMIT_WORKER_THREADS: 0,
}
# Python and the libraries themselves; the limit of the statement comes on top.
_ROOM_FOR_THE_REST = 768 * 2**20
_LARGEST_LOG_INDEX = 64 * 2**20


class _Several(Exception):
    """There is a second statement."""


class _Unused(Exception):
    """A parameter was given that the statement does not name."""


class _Guard:
    """Says what a statement may do, and remembers what it was refused."""

    def __init__(self) -> None:
        self.tables = _COMPUTED | _SCHEMA
        self._selects = False
        self.refused = ""

    def __call__(self, action: int, first: str | None, second: str | None, schema: str | None, _: str | None) -> int:
        if self._allows(action, first, second, schema):
            return apsw.SQLITE_OK
        name = str(apsw.mapping_authorizer_function[action]).removeprefix("SQLITE_")
        self.refused = " ".join(part for part in (name, first, second) if part)
        return apsw.SQLITE_DENY

    def _allows(self, action: int, first: str | None, second: str | None, schema: str | None) -> bool:
        if action in (apsw.SQLITE_SELECT, apsw.SQLITE_RECURSIVE):
            self._selects = True
            return True
        if action == apsw.SQLITE_READ:
            # A table expression of the statement itself belongs to no schema.
            return (schema is None and first not in _SCHEMA) or first in self.tables
        if action == apsw.SQLITE_FUNCTION:
            return (second or "").lower() not in _FORBIDDEN_FUNCTIONS
        # The full-text index asks for it whenever it is searched, in the midst of a statement that selects.
        return self._selects and action == apsw.SQLITE_PRAGMA and first == "data_version" and second is None


def _open(request: dict[str, Any], guard: _Guard) -> apsw.Connection:
    connection = apsw.Connection(request["path"], flags=apsw.SQLITE_OPEN_READONLY)
    connection.set_busy_timeout(_BUSY_MILLISECONDS)
    for pragma in ("query_only = ON", "temp_store = MEMORY", "cache_size = -8192", "mmap_size = 0", "trusted_schema = OFF"):
        connection.execute(f"PRAGMA {pragma}").fetchall()
    connection.config(apsw.SQLITE_DBCONFIG_DEFENSIVE, 1)
    connection.config(apsw.SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0)
    for kind, value in _LIMITS.items():
        connection.limit(kind, value)
    names = connection.execute("SELECT name FROM sqlite_schema WHERE type IN ('table', 'view')")
    guard.tables |= {str(name) for (name,) in names}
    connection.authorizer = guard
    return connection


def answer(request: dict[str, Any]) -> dict[str, Any]:
    """Run the statement of a request and return its answer. Never raises for what the statement does."""
    guard = _Guard()
    try:
        connection = _open(request, guard)
        deadline = time.monotonic() + request["seconds"]
        connection.set_progress_handler(lambda: time.monotonic() > deadline, _INSTRUCTIONS_PER_LOOK)
        return _run(connection, request)
    except (apsw.Error, KeyError, UnicodeError, MemoryError, _Several, _Unused) as problem:
        return _failure(problem, guard)


def _failure(problem: BaseException, guard: _Guard) -> dict[str, Any]:
    error, detail = "wrong", str(problem)
    match problem:
        case _Several():
            error = "several"
        case _Unused():
            error = "unused"
        case KeyError():
            error, detail = "parameter", str(problem.args[0])
        case apsw.BindingsError():  # one without a name
            error, detail = "parameter", "?"
        case apsw.InterruptError():
            error = "time"
        case apsw.NoMemError() | apsw.TooBigError() | apsw.FullError() | MemoryError():
            error = "memory"
        case apsw.BusyError():
            error = "busy"
        case _ if guard.refused:
            error, detail = "refused", guard.refused
    return {"error": error, "detail": detail}


def _run(connection: apsw.Connection, request: dict[str, Any]) -> dict[str, Any]:
    columns: list[str] = []
    given = request["params"]

    def begin(cursor: apsw.Cursor, _: str, __: object) -> bool:
        described = cursor.get_description()
        if not described:  # a comment
            return True
        if columns:
            raise _Several
        columns.extend(column[0] for column in described)
        unknown = set(given) - {name for name in cursor.bindings_names if name}
        if unknown:
            raise _Unused(sorted(unknown)[0])
        return True

    cursor = connection.cursor()
    cursor.exec_trace = begin
    rows: list[list[object]] = []
    truncated, size, cut = None, 0, 0
    for row in cursor.execute(request["sql"], given):
        if len(rows) == request["rows"]:
            truncated = "rows"
            break
        shown, cut_here = _shown(row, request["cell_chars"])
        size += len(json.dumps(shown))
        if size > request["answer_bytes"]:
            truncated = "size"
            break
        rows.append(shown)
        cut += cut_here
    if not columns:
        return {"error": "empty", "detail": ""}
    return {"columns": columns, "rows": rows, "truncated": truncated, "cut_cells": cut}


def _shown(row: tuple[Any, ...], cell_chars: int) -> tuple[list[object], int]:
    shown: list[object] = []
    cut = 0
    for value in row:
        if isinstance(value, bytes):
            shown.append({"blob_bytes": len(value)})
        elif isinstance(value, str) and len(value) > cell_chars:
            shown.append(value[:cell_chars] + "…")
            cut += 1
        elif isinstance(value, float) and not math.isfinite(value):
            shown.append("Infinity" if value > 0 else "-Infinity")
        else:
            shown.append(value)
    return shown, cut


def limit_resources(request: dict[str, Any]) -> None:
    """Limit this process: its memory inside SQLite everywhere, the rest where the platform can."""
    apsw.hard_heap_limit(request["memory_bytes"])
    try:
        import resource  # noqa: PLC0415 - absent on some platforms
    except ImportError:
        return
    limits = (
        (resource.RLIMIT_AS, request["memory_bytes"] + _ROOM_FOR_THE_REST),
        # Only for a worker whose parent is gone.
        (resource.RLIMIT_CPU, math.ceil(request["seconds"]) + 1),
        # The index of the write-ahead log is the only file that it may have to make.
        (resource.RLIMIT_FSIZE, _LARGEST_LOG_INDEX),
        (resource.RLIMIT_CORE, 0),
    )
    for kind, value in limits:
        try:
            resource.setrlimit(kind, (value, value))
        except (ValueError, OSError):
            continue


def main() -> int:
    """Answer the one request on standard input."""
    request = json.loads(sys.stdin.buffer.read())
    limit_resources(request)
    sys.stdout.write("\n")
    sys.stdout.flush()
    sys.stdout.write(json.dumps(answer(request)))
    sys.stdout.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main())
