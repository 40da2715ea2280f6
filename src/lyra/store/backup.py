"""Backups: the whole store in one file, written and read while others work."""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from lyra.core.errors import InvalidInput, NotFound, StoreError
from lyra.store.database import Database
from lyra.store.jobs import Jobs
from lyra.store.migrations import known_migrations, migrate, schema_version
from lyra.store.session import Session

_MAGIC = b"SQLite format 3\0"
_OURS = ("tasks", "claims", "pages", "fragments", "edges")


class Backups:
    """Copies of the store."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._database = session.database

    def write(self, target: Path) -> None:
        """Write a consistent, checked and durable copy to a new file: whole or not at all. Nobody has to wait for it.

        The copy holds no remains of deleted rows. Raises InvalidInput when the file exists or cannot be written.
        """
        if os.path.lexists(target):
            raise InvalidInput("backup_exists", path=target)
        try:
            with _draft(target) as draft:
                self._database.copy_to(draft)
                _check(draft)
                with draft.open("rb+") as stream:
                    os.fsync(stream.fileno())
                draft.replace(target)
            _sync_directory(target.absolute().parent)
        except OSError as failure:
            raise InvalidInput("backup_unwritable", path=target, detail=failure.strerror) from failure

    def restore(self, source: Path, refuse: Callable[[Jobs], None]) -> Path:
        """Put the content of a backup in the place of the present one; returns where the present one is kept.

        All or nothing, and safe while others have the store open: they see the old content until the new one is
        there. From the moment the old content is copied nobody else writes, so nothing of it is missing in the copy.
        `refuse` is then given the present jobs and may raise to leave everything as it is. The backup is not changed.
        """
        self._refuse_unusable(source)
        path = self._database.path
        try:
            with _draft(path) as draft:
                with Database(source) as opened:
                    opened.copy_to(draft, like=self._database)
                return self._replace(draft, refuse)
        except OSError as failure:
            raise StoreError("home_unusable", path=path.parent, detail=failure.strerror) from failure

    def _replace(self, draft: Path, refuse: Callable[[Jobs], None]) -> Path:
        with Database(draft) as prepared:
            migrate(prepared, self._session.now())
            with self._database.replaced_by(prepared):
                return self._keep(refuse)

    def _keep(self, refuse: Callable[[Jobs], None]) -> Path:
        with Database(self._database.path) as present:
            session = Session(present, self._session.clock, self._session.rng)
            refuse(Jobs(session))
            target = self._free_name()
            Backups(session).write(target)
        return target

    def _free_name(self) -> Path:
        path = self._database.path
        moment = f"{self._session.clock.now():%Y%m%dT%H%M%S}"
        names = [path.with_name(f"{path.name}.before-restore-{moment}")]
        while names[-1].exists():
            names.append(Path(f"{names[0]}-{len(names) + 1}"))
        return names[-1]

    def _refuse_unusable(self, source: Path) -> None:
        if not source.exists():
            raise NotFound("path_missing", path=source)
        try:
            if not source.is_file() or not _has_magic(source):
                raise InvalidInput("backup_not_lyra", path=source)
            if source.samefile(self._database.path):
                raise InvalidInput("backup_is_the_store", path=source)
        except OSError as failure:
            raise InvalidInput("path_unreadable", path=source) from failure
        _check(source)


def _has_magic(path: Path) -> bool:
    with path.open("rb") as stream:
        return stream.read(len(_MAGIC)) == _MAGIC


def _check(path: Path) -> None:
    """Raise unless the file is a sound database of Lyra, of a schema known here."""
    newest = known_migrations()[-1][0]
    try:
        with Database(path) as copy:
            version = schema_version(copy)
            tables = {row[0] for row in copy.rows("SELECT name FROM sqlite_master WHERE type = 'table'")}
            if not version or not tables.issuperset(_OURS):
                raise InvalidInput("backup_not_lyra", path=path)
            if version > newest:
                raise StoreError("database_from_future", path=path, found=version, known=newest)
            problem = copy.integrity_problem()
    except StoreError as failure:
        if failure.code != "database_corrupted":
            raise
        problem = str(failure.params["detail"])
    if problem is not None:
        raise StoreError("backup_damaged", path=path, detail=problem)


@contextmanager
def _draft(target: Path) -> Iterator[Path]:
    """Give an empty file beside the target, which only its owner can read; it is gone afterwards unless it was renamed."""
    draft = target.with_name(f".{target.name}.{os.getpid()}.part")
    draft.unlink(missing_ok=True)
    os.close(os.open(draft, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    try:
        yield draft
    finally:
        draft.unlink(missing_ok=True)


def _sync_directory(folder: Path) -> None:
    if os.name != "posix":  # elsewhere a directory cannot be opened
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
