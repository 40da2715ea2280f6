"""The connection, transactions and dialect differences. Everything SQLite-specific stands here and in the migrations."""

import stat
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import chain
from pathlib import Path
from types import TracebackType

import apsw

from lyra.core.errors import StoreError

Value = str | int | float | bytes | None
Row = tuple[Value, ...]

BUSY_SECONDS = 30.0
_PAUSE_SECONDS = 0.02
_ROWS_AT_ONCE = 20
# Pages of 8 KB, where a file is new: five abstracts fit on one of them, on one of half the size only two.
# The log is copied into the file every 64 MB: bulk writes touch the same index pages again and again.
_PRAGMAS = (
    "page_size = 8192",
    "synchronous = FULL",
    "foreign_keys = ON",
    "temp_store = MEMORY",
    "cache_size = -65536",
    "wal_autocheckpoint = 8000",
)


class _TakenBack(Exception):
    """How a rehearsal ends; no failure."""


class Database:
    """One connection to the store's file.

    With `synchronous=FULL` a committed transaction survives a power cut. Writers of other processes are waited for;
    every failure of the database comes out as a StoreError that names the file. Opening changes nothing in the file.
    With `read_only` nothing can change it afterwards either: every attempt to write fails.
    """

    def __init__(self, path: Path, busy_seconds: float = BUSY_SECONDS, *, read_only: bool = False) -> None:
        self.path = path
        self.read_only = read_only
        self._busy_seconds = busy_seconds
        self._depth = 0
        with self._translated():
            self._prepare_directory()
            writing = apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_CREATE
            self._connection = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY if read_only else writing)
            try:
                self._connection.set_busy_timeout(int(busy_seconds * 1000))
                self._configure()
            except BaseException:
                self._connection.close()
                raise

    def _prepare_directory(self) -> None:
        try:
            if not self.read_only:
                self.path.parent.mkdir(parents=True, exist_ok=True)
            if self.path.exists() and not stat.S_ISREG(self.path.stat().st_mode):
                raise StoreError("database_not_a_file", path=self.path)
        except OSError as failure:
            raise StoreError("home_unusable", path=self.path.parent, detail=failure.strerror) from failure

    def _configure(self) -> None:
        # Read first: a file that is no database is found out here.
        self._connection.execute("PRAGMA schema_version").fetchall()
        for pragma in _PRAGMAS:
            self._connection.execute(f"PRAGMA {pragma}").fetchall()

    def write_ahead(self) -> None:
        """Let readers and a writer work side by side (WAL). Written into the file, so only for one known to be ours."""
        deadline = time.monotonic() + self._busy_seconds
        while self.value("PRAGMA journal_mode") != "wal":
            try:
                self.value("PRAGMA journal_mode = WAL")
            except StoreError as failure:
                # SQLite does not wait for other openers here, as it does everywhere else.
                if failure.code != "database_in_use" or time.monotonic() > deadline:
                    raise
                time.sleep(_PAUSE_SECONDS)

    @contextmanager
    def _translated(self, target: Path | None = None) -> Iterator[None]:
        path = target or self.path
        try:
            yield
        except (apsw.CorruptError, apsw.NotADBError, apsw.SQLError, apsw.SchemaChangeError) as failure:
            # Our statements are tested against our schema: one that does not fit means that the file was changed.
            raise StoreError("database_corrupted", path=self.path, detail=failure) from failure
        except (apsw.BusyError, apsw.LockedError) as failure:
            raise StoreError("database_in_use", path=self.path) from failure
        except apsw.FullError as failure:
            raise StoreError("disk_full", path=path) from failure
        except (apsw.ReadOnlyError, apsw.CantOpenError, apsw.PermissionsError) as failure:
            raise StoreError("database_read_only", path=path) from failure
        except apsw.IOError as failure:
            raise StoreError("disk_failed", path=path, detail=failure) from failure
        except (apsw.TooBigError, apsw.NoMemError) as failure:
            raise StoreError("database_overloaded", path=path, detail=failure) from failure

    def rows(self, sql: str, params: Sequence[Value] = ()) -> list[Row]:
        """Run one statement and return all its rows."""
        with self._translated():
            return list(self._connection.execute(sql, tuple(params)))

    def stream(self, sql: str, params: Sequence[Value] = ()) -> Iterator[Row]:
        """Run one reading statement and yield its rows as they are found, however many there are."""
        with self._translated():
            yield from self._connection.execute(sql, tuple(params))

    def row(self, sql: str, params: Sequence[Value] = ()) -> Row | None:
        """Run one statement and return its first row, if any."""
        found = self.rows(sql, params)
        return found[0] if found else None

    def value(self, sql: str, params: Sequence[Value] = ()) -> Value:
        """Run one statement and return the first column of its first row; None without rows."""
        found = self.row(sql, params)
        return found[0] if found else None

    def count(self, sql: str, params: Sequence[Value] = ()) -> int:
        """Run a counting statement and return its number."""
        found = self.value(sql, params)
        return int(found) if isinstance(found, (int, float)) else 0

    def run(self, sql: str, params: Sequence[Value] = ()) -> int:
        """Run one writing statement and return how many rows it changed, those changed by triggers left out."""
        with self._translated():
            return self._changed(sql, tuple(params))

    def run_many(self, sql: str, params: Iterable[Sequence[Value]]) -> int:
        """Run one writing statement for each tuple of parameters and return how many rows changed in all, as `run` does."""
        with self._translated():
            return sum(self._changed(sql, tuple(values)) for values in params)

    def _changed(self, sql: str, params: tuple[Value, ...]) -> int:
        before = self._connection.total_changes()
        self._connection.execute(sql, params)
        return self._connection.changes() if self._connection.total_changes() > before else 0

    def run_bulk(self, sql: str, params: Iterable[tuple[Value, ...]]) -> None:
        """Run one writing statement for each tuple of parameters, as fast as can be: without counting."""
        with self._translated():
            self._connection.executemany(sql, params)

    def insert_bulk(self, into: str, rows: Sequence[tuple[Value, ...]]) -> None:
        """Insert short rows in order, without counting; `into` is the statement as far as VALUES.

        Several rows go in with each run of the statement, because a run costs as much as writing a short row. Long rows
        are faster with `run_bulk`: here they are copied once more.
        """
        if not rows:
            return
        one = f"({placeholders(len(rows[0]))})"
        whole = len(rows) - len(rows) % _ROWS_AT_ONCE
        together = (tuple(chain.from_iterable(rows[at : at + _ROWS_AT_ONCE])) for at in range(0, whole, _ROWS_AT_ONCE))
        with self._translated():
            self._connection.executemany(f"{into} VALUES {', '.join([one] * _ROWS_AT_ONCE)}", together)
            self._connection.executemany(f"{into} VALUES {one}", rows[whole:])

    def run_script(self, sql: str) -> None:
        """Run a migration's statements inside the transaction of the caller."""
        with self._translated():
            self._connection.execute(sql).fetchall()

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Run the block as one durable write: all of it is committed, or nothing.

        Nested use joins the outer transaction. The write lock is taken at the start, so two writers queue
        instead of failing half-way.
        """
        if self._depth:
            yield
            return
        self._depth += 1
        try:
            with self._translated():
                self._connection.execute("BEGIN IMMEDIATE")
            yield
            with self._translated():
                self._connection.execute("COMMIT")
        except BaseException:
            # A full disk may already have rolled back; then there is nothing left to undo.
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")
            raise
        finally:
            self._depth -= 1

    @contextmanager
    def reading(self) -> Iterator[None]:
        """Let all reads of the block see the store as it is at the first of them, whatever others write meanwhile.

        Nothing is written inside. In a transaction, where that holds anyway, it changes nothing.
        """
        if self._depth:
            yield
            return
        self._depth += 1
        try:
            with self._translated():
                self._connection.execute("BEGIN")
            yield
        finally:
            self._depth -= 1
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")

    @contextmanager
    def rehearsal(self) -> Iterator[None]:
        """Run the block as a transaction and then take all of it back. Not inside another transaction."""
        try:
            with self.transaction():
                yield
                raise _TakenBack
        except _TakenBack:
            pass

    def copy_to(self, target: Path, like: "Database | None" = None) -> None:
        """Write a consistent and compact copy to an empty file, while others read and write.

        Its pages are as large as those of the database that it is to be `like`: only such a copy can replace that one.
        """
        size = (like or self).count("PRAGMA page_size")
        with self._translated(target):
            self._connection.execute(f"PRAGMA page_size = {size}").fetchall()
            self._connection.execute("VACUUM INTO ?", (str(target),)).fetchall()

    @contextmanager
    def replaced_by(self, source: "Database") -> Iterator[None]:
        """Take over the whole content of another database when the block ends; if it raises, nothing changes.

        From the beginning of the block on, other writers wait. Inside it this connection must not be used.
        """
        with self._translated():
            copying = self._connection.backup("main", source._connection, "main")
        try:
            # No page yet: this only takes the write lock.
            self._step(copying, 0)
            yield
            self._step(copying, -1)
        finally:
            copying.close(True)

    def _step(self, copying: apsw.Backup, pages: int) -> None:
        with self._translated():
            copying.step(pages)

    def change_mark(self) -> tuple[int, int]:
        """Return a value that differs once anybody has written to the database, through this connection or another."""
        return self.count("PRAGMA data_version"), self._connection.total_changes()

    def integrity_problem(self) -> str | None:
        """Return what SQLite's own quick check finds wrong, or None."""
        verdict = self.value("PRAGMA quick_check(1)")
        return None if verdict == "ok" else str(verdict)

    def size_bytes(self) -> int:
        """Return the size of the database file."""
        return self.path.stat().st_size

    @staticmethod
    def engine_version() -> str:
        """Return the version of SQLite in use."""
        return f"SQLite {apsw.sqlite_lib_version()}"

    def close(self) -> None:
        """Close the connection; safe to call twice."""
        self._connection.close()

    def __enter__(self) -> "Database":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()


def placeholders(count: int) -> str:
    """Return `?, ?, …` for a list of `count` values."""
    return ", ".join("?" * count)


def optional_text(value: Value) -> str | None:
    """Return a stored text, or None where there is none."""
    return None if value is None else str(value)
