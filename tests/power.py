"""A file system that forgets: what was written and not synced is lost when the power goes; it may also fill up or fail to sync.

Everything SQLite does to its files is recorded while it happens. Afterwards the files can be put together as a power cut at
any point of the record would have left them: synced writes are there, of the others any that chance picks, perhaps in part.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

import apsw

_SECTOR = 512


@dataclass(frozen=True, slots=True)
class Operation:
    """One thing that was done to a file: `write`, `truncate`, `sync` or `delete`."""

    kind: str
    path: str
    offset: int = 0
    data: bytes = b""


@dataclass(slots=True)
class Faults:
    """When things go wrong: after so many further bytes the disk is full; from so many further syncs on, all fail."""

    bytes_left: int | None = None
    syncs_left: int | None = None
    seen: int = 0

    def write(self, count: int) -> None:
        """Take room for so many bytes, or raise."""
        if self.bytes_left is not None:
            self.bytes_left -= count
            if self.bytes_left < 0:
                self.seen += 1
                raise apsw.FullError("database or disk is full")

    def sync(self) -> None:
        """Sync, or raise."""
        if self.syncs_left is not None:
            self.syncs_left -= 1
            if self.syncs_left < 0:
                self.seen += 1
                raise apsw.IOError("disk I/O error")


@dataclass(slots=True)
class Record:
    """All operations in order, and the faults to come."""

    operations: list[Operation] = field(default_factory=list)
    faults: Faults = field(default_factory=Faults)

    def __len__(self) -> int:
        return len(self.operations)

    def add(self, kind: str, path: str, offset: int = 0, data: bytes = b"") -> None:
        """Note an operation."""
        self.operations.append(Operation(kind, path, offset, data))

    def restore(self, folder: Path, cut: int, rng: Random) -> None:
        """Write the files into an empty folder as a power cut before the operation number `cut` leaves them."""
        files: dict[str, bytearray] = {}
        waiting: dict[str, list[Operation]] = {}
        for operation in self.operations[:cut]:
            if operation.kind == "sync":
                for one in waiting.pop(operation.path, []):
                    _apply(files, one)
            elif operation.kind == "delete":
                files.pop(operation.path, None)
                waiting.pop(operation.path, None)
            else:
                files.setdefault(operation.path, bytearray())
                waiting.setdefault(operation.path, []).append(operation)
        for left in waiting.values():
            share = rng.choice((0.0, 0.3, 0.7, 1.0))
            for one in left:
                if rng.random() < share:
                    _apply(files, _torn(one, rng))
        folder.mkdir(parents=True, exist_ok=True)
        for path, content in files.items():
            (folder / Path(path).name).write_bytes(content)


def _apply(files: dict[str, bytearray], operation: Operation) -> None:
    content = files.setdefault(operation.path, bytearray())
    if operation.kind == "truncate":
        del content[operation.offset :]
        return
    content.extend(bytes(max(0, operation.offset - len(content))))
    content[operation.offset : operation.offset + len(operation.data)] = operation.data


def _torn(operation: Operation, rng: Random) -> Operation:
    """Sometimes only the first sectors of a write got to the disk."""
    if operation.kind != "write" or rng.random() < 0.5:
        return operation
    kept = rng.randrange(0, len(operation.data) + 1, _SECTOR) if len(operation.data) >= _SECTOR else len(operation.data)
    return Operation("write", operation.path, operation.offset, operation.data[:kept])


class _File(apsw.VFSFile):
    def __init__(self, base: str, name: Any, flags: list[int], record: Record) -> None:
        super().__init__(base, name, flags)
        self._path = name.filename() if isinstance(name, apsw.URIFilename) else name
        self._record = record

    def xWrite(self, data: bytes, offset: int) -> None:  # noqa: N802 - SQLite's name
        if self._path is not None:
            self._record.faults.write(len(data))
            self._record.add("write", self._path, offset, bytes(data))
        super().xWrite(data, offset)

    def xTruncate(self, newsize: int) -> None:  # noqa: N802 - SQLite's name
        if self._path is not None:
            self._record.add("truncate", self._path, newsize)
        super().xTruncate(newsize)

    def xSync(self, flags: int) -> None:  # noqa: N802 - SQLite's name
        if self._path is not None:
            self._record.faults.sync()
            self._record.add("sync", self._path)
        super().xSync(flags)


class _System(apsw.VFS):
    def __init__(self, name: str, base: str, record: Record) -> None:
        self._record, self._base = record, base
        super().__init__(name, base, makedefault=True)

    def xOpen(self, name: Any, flags: list[int]) -> apsw.VFSFile:  # noqa: N802 - SQLite's name
        return _File(self._base, name, flags, self._record)

    def xDelete(self, filename: str, syncdir: bool) -> None:  # noqa: N802 - SQLite's name
        self._record.add("delete", filename)
        super().xDelete(filename, syncdir)


@contextmanager
def recorded(name: str = "forgetful") -> Iterator[Record]:
    """Let every database that is opened inside the block live on the recorded file system."""
    kept = apsw.vfs_names()[0]
    record = Record()
    system = _System(name, kept, record)
    try:
        yield record
    finally:
        apsw.set_default_vfs(kept)
        system.unregister()
