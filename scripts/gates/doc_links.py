"""Every link from one document of the project to another file leads somewhere."""

import argparse
import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from urllib.parse import unquote

from scripts.gates.tree import project_files

# A sample document is somebody else's text: its links are not ours.
NOT_OURS = ("sample", "tests")
FENCED = re.compile(r"^(```|~~~).*?^\1", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\(<?([^)\s>#]+)[^)]*\)")
ADDRESS = re.compile(r"[a-z][a-z0-9+.-]*:", re.IGNORECASE)


def dead_links(document: Path) -> Iterator[str]:
    """Link targets in a Markdown file that name no file. Web addresses and code blocks are not looked at."""
    for target in LINK.findall(FENCED.sub("", document.read_text("utf-8"))):
        if not ADDRESS.match(target) and not (document.parent / unquote(target)).exists():
            yield target


def main(arguments: Sequence[str] | None = None) -> int:
    """Name every dead link."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--root", type=Path, default=Path.cwd())
    root: Path = parser.parse_args(arguments).root
    relative = (path.relative_to(root) for path in project_files(root))
    documents = [path for path in relative if path.suffix == ".md" and path.parts[0] not in NOT_OURS]
    dead = [f"{document.as_posix()}: no file {target}" for document in documents for target in dead_links(root / document)]
    for line in dead:
        print(line, file=sys.stderr)
    if not dead:
        print(f"links: {len(documents)} documents")
    return 1 if dead else 0


if __name__ == "__main__":
    sys.exit(main())
