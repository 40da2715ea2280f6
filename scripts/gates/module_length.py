"""No Python module is longer than one sitting can read."""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from scripts.gates.tree import project_files

LIMIT = 350
MEASURED = ("src", "training", "scripts", "bench", "soak")


def lengths(root: Path) -> dict[Path, int]:
    """Lines of each measured module, by its path below `root`."""
    modules = (path.relative_to(root) for path in project_files(root) if path.suffix == ".py")
    return {module: len((root / module).read_bytes().splitlines()) for module in modules if module.parts[0] in MEASURED}


def main(arguments: Sequence[str] | None = None) -> int:
    """Name every module above the limit."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--root", type=Path, default=Path.cwd())
    measured = lengths(parser.parse_args(arguments).root)
    over = {module: lines for module, lines in measured.items() if lines > LIMIT}
    for module, lines in sorted(over.items()):
        print(f"{module.as_posix()}: {lines} lines, {LIMIT} at most: split it", file=sys.stderr)
    if not over:
        print(f"module length: {len(measured)} modules, the longest has {max(measured.values(), default=0)} of {LIMIT} lines")
    return 1 if over else 0


if __name__ == "__main__":
    sys.exit(main())
