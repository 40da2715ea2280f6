"""Answers kept on disk, so that the same question is not asked twice. Losing any of it costs only a request."""

import contextlib
import hashlib
import json
import os
import threading
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from lyra.core.times import from_text, to_text

_MAX_HEADER = 16_384


@dataclass(frozen=True, slots=True)
class Kept:
    """One answer: where it was found in the end, its kind, its body, and when it came."""

    url: str
    media_type: str
    body: bytes
    stored_at: datetime


class NoCache:
    """Keeps nothing."""

    def get(self, key: str, not_before: datetime | None) -> Kept | None:
        """Return None."""
        return None

    def put(self, key: str, kept: Kept) -> None:
        """Do nothing."""


class DiskCache:
    """A folder of compressed answers, at most `max_bytes` large, the oldest dropped first. Safe with several processes.

    A damaged or half-written file is a miss. A disk that is full or read-only is no failure: nothing is kept then.
    """

    def __init__(self, folder: Path, max_bytes: int) -> None:
        self._folder = folder
        self._max_bytes = max_bytes
        self._lock = threading.Lock()
        self._size: int | None = None

    def get(self, key: str, not_before: datetime | None) -> Kept | None:
        """Return the answer kept under `key` unless it is older than `not_before`."""
        try:
            with self._path(key).open("rb") as file:
                header = json.loads(file.readline(_MAX_HEADER))
                stored_at = from_text(header["stored_at"])
                if not_before is not None and stored_at < not_before:
                    return None
                body = zlib.decompress(file.read())
                kept = Kept(str(header["url"]), str(header["media_type"]), body, stored_at)
                return kept if header["key"] == key and header["size"] == len(body) else None
        except (OSError, ValueError, KeyError, TypeError, zlib.error):
            return None

    def put(self, key: str, kept: Kept) -> None:
        """Keep an answer, in one step: a reader sees the old one or the new one."""
        path = self._path(key)
        header = {
            "key": key,
            "url": kept.url,
            "media_type": kept.media_type,
            "stored_at": to_text(kept.stored_at),
            "size": len(kept.body),
        }
        data = json.dumps(header).encode() + b"\n" + zlib.compress(kept.body, 6)
        waiting = path.with_name(f".{path.name}.{os.getpid()}.{threading.get_ident()}")
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            waiting.write_bytes(data)
            waiting.replace(path)
        except OSError:
            with contextlib.suppress(OSError):
                waiting.unlink()
            return
        self._make_room(len(data))

    def _path(self, key: str) -> Path:
        digest = hashlib.sha256(key.encode("utf-8", "surrogatepass")).hexdigest()
        return self._folder / digest[:2] / digest[2:]

    def _make_room(self, added: int) -> None:
        with self._lock:
            self._size = self._files()[0] if self._size is None else self._size + added
            if self._size <= self._max_bytes:
                return
            size, files = self._files()
            for _, length, path in sorted(files):
                if size <= self._max_bytes * 3 // 4:
                    break
                with contextlib.suppress(OSError):
                    path.unlink()
                    size -= length
            self._size = size

    def _files(self) -> tuple[int, Sequence[tuple[int, int, Path]]]:
        found = []
        for path in self._folder.glob("??/*"):
            with contextlib.suppress(OSError):
                status = path.stat()
                found.append((status.st_mtime_ns, status.st_size, path))
        return sum(length for _, length, _ in found), found
