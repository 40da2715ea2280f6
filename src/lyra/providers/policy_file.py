"""The policy file of a home: read again whenever it changed, never while it is being written."""

import errno
import os
from dataclasses import dataclass
from datetime import datetime
from importlib import resources
from pathlib import Path

from lyra.core.domain_policy import Policy
from lyra.core.errors import ConfigError
from lyra.core.ports import Clock, PolicyReading
from lyra.providers.policy_sections import PolicyWriter
from lyra.providers.policy_yaml import MAX_BYTES, load

_SHIPPED = "domains.yaml"
# A file whose last line has no end may still be being written; after this long it was meant so.
SETTLING_SECONDS = 0.5


@dataclass(frozen=True, slots=True)
class _Mark:
    """What tells that a file changed. The inode, because a file that replaces another may have its size and time."""

    inode: int
    size: int
    mtime_ns: int
    ctime_ns: int


class PolicyFile:
    """A policy file that a person may write; without one, the policy that comes with the program.

    A section of the file replaces the shipped section of that name; the fields of `default` are replaced one by one.
    """

    def __init__(self, path: Path, clock: Clock) -> None:
        self._path = path
        self._clock = clock
        self._shipped: Policy | None = None
        self._known: tuple[_Mark | None, PolicyReading] | None = None

    @property
    def path(self) -> Path:
        """Where a person may write a policy."""
        return self._path

    def read(self) -> PolicyReading:
        """Return what the file says now. Costs a look at the file while that has not changed."""
        mark = self._mark()
        if self._known is not None and self._known[0] == mark:
            return self._known[1]
        reading = self._read(mark)
        # A file that may be unfinished is looked at again, changed or not.
        unfinished = reading.problem is not None and reading.problem.code == "policy_unfinished"
        self._known = None if unfinished else (mark, reading)
        return reading

    def parse(self, text: str) -> Policy:
        """Return the policy of a file with this text. Raises ConfigError."""
        return PolicyWriter(self._path, self.shipped()).build(load(text, self._path))

    def shipped(self) -> Policy:
        """Return the policy that comes with the program."""
        if self._shipped is None:
            self._shipped = PolicyWriter(Path(_SHIPPED), Policy()).build(load(shipped_text(), Path(_SHIPPED)))
        return self._shipped

    def _mark(self) -> _Mark | None:
        try:
            found = self._path.stat()
        except OSError:
            return None
        return _Mark(found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns)

    def _read(self, mark: _Mark | None) -> PolicyReading:
        try:
            text = self._text(mark)
            if text is None:
                return PolicyReading(self.shipped())
            return PolicyReading(self.parse(text), text)
        except ConfigError as problem:
            return PolicyReading(None, problem=problem)

    def _text(self, mark: _Mark | None) -> str | None:
        if mark is None and not os.path.lexists(self._path):
            return None
        try:
            if not self._path.is_dir() and not self._path.is_file() and self._path.exists():
                # A pipe or a device may keep its reader waiting for ever.
                raise ConfigError("policy_unreadable", path=self._path, detail=os.strerror(errno.EINVAL))
            with self._path.open("rb") as stream:
                content = stream.read(MAX_BYTES + 1)
        except FileNotFoundError:
            return None
        except OSError as failure:
            raise ConfigError("policy_unreadable", path=self._path, detail=failure.strerror) from None
        if len(content) > MAX_BYTES:
            raise ConfigError("policy_too_large", path=self._path, limit=MAX_BYTES // 1024)
        if self._mark() != mark or self._is_unfinished(content, mark):
            raise ConfigError("policy_unfinished", path=self._path)
        try:
            return content.decode("utf-8-sig")
        except UnicodeDecodeError as failure:
            line = content.count(b"\n", 0, failure.start) + 1
            raise ConfigError("policy_not_utf8", path=self._path, line=line) from None

    def _is_unfinished(self, content: bytes, mark: _Mark | None) -> bool:
        if content.endswith(b"\n") or mark is None:
            return False
        written = datetime.fromtimestamp(mark.mtime_ns / 1e9, tz=self._clock.now().tzinfo)
        return abs((self._clock.now() - written).total_seconds()) < SETTLING_SECONDS


def shipped_text() -> str:
    """Return the shipped policy file, to start one's own from."""
    return (resources.files("lyra.providers") / _SHIPPED).read_text(encoding="utf-8")
