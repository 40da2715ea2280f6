"""The files of the project: everything below the root that `.gitignore` does not set aside. Needs no git."""

import os
from collections.abc import Iterator
from pathlib import Path

from pathspec import GitIgnoreSpec

SNIFFED_BYTES = 8192


def project_files(root: Path) -> Iterator[Path]:
    """Every project file below `root`, in a stable order. Ignored directories are not entered."""
    ignore_file = root / ".gitignore"
    ignored = GitIgnoreSpec.from_lines(ignore_file.read_text("utf-8").splitlines() if ignore_file.is_file() else [])
    for directory, subdirectories, names in os.walk(root):
        here = Path(directory).relative_to(root)
        entered = (name for name in subdirectories if name != ".git" and not ignored.match_file(f"{(here / name).as_posix()}/"))
        subdirectories[:] = sorted(entered)
        for name in sorted(names):
            if (root / here / name).is_file() and not ignored.match_file((here / name).as_posix()):
                yield root / here / name


def text_of(path: Path) -> str | None:
    """The file's text, undecodable bytes replaced; None for a binary file (one with a NUL byte near its start)."""
    content = path.read_bytes()
    return None if b"\0" in content[:SNIFFED_BYTES] else content.decode("utf-8", errors="replace")
