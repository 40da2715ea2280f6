"""No file names a directory of somebody's machine or the address of a package index."""

import argparse
import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from scripts.gates.tree import project_files, text_of


@dataclass(frozen=True, slots=True)
class Finding:
    """A line that has to go, and why."""

    path: PurePosixPath
    line: int
    what: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.what}"


# A match must start a path: `example.org/home/page` and `~/work/papers` name no machine's directory.
MACHINE_PATH = re.compile(r"(?<![\w.~$}:/\\-])/(?:home|root|work|workspace|Users)/[\w.]|\b[A-Za-z]:\\+Users\\+\w", re.ASCII)
INDEX_HOST = r"[\w.-]*(?:pypi|pythonhosted|npmjs|devpi|artifactory|anaconda)[\w.-]*"
PACKAGE_INDEX = re.compile(rf"https?://(?:{INDEX_HOST}|[^\s\"'<>)]*/simple(?:/|\b))", re.IGNORECASE)
INDEX_OPTION = re.compile(r"^\s*(?:-i|-f|--index-url|--extra-index-url|--find-links|--trusted-host)\b")


def findings(path: PurePosixPath, text: str) -> Iterator[Finding]:
    """What has to go from one file. Index options are looked for in requirement files only."""
    is_lock = path.parts[0] == "requirements"
    for number, line in enumerate(text.split("\n"), start=1):
        if MACHINE_PATH.search(line):
            yield Finding(path, number, "directory of a machine")
        if PACKAGE_INDEX.search(line):
            yield Finding(path, number, "address of a package index")
        if is_lock and INDEX_OPTION.search(line):
            yield Finding(path, number, "choice of a package index: that belongs to whoever installs")


def main(arguments: Sequence[str] | None = None) -> int:
    """Name every line that has to go."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--root", type=Path, default=Path.cwd())
    root: Path = parser.parse_args(arguments).root
    checked, found = 0, 0
    for path in project_files(root):
        text = text_of(path)
        if text is None:
            continue
        checked += 1
        for finding in findings(PurePosixPath(path.relative_to(root).as_posix()), text):
            found += 1
            print(finding, file=sys.stderr)
    if not found:
        print(f"clean text: {checked} files")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
