"""One table of figures, measured side by side in one run: `make bench`.

CPU seconds are used, not wall time, because machines are shared; each figure is the best of several runs, and each ratio
is of two things measured one after the other. Only where a
figure is about waiting does the wall clock count. Exit code 1 when a figure misses its limit.

    python bench/run.py [--quick] [--only start,confidence,…]
"""

import argparse
import sys
import tempfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "src"), str(ROOT)]

from bench import confidence, fetching, growth, materials, near_duplicates, server, starting, texts, vectors  # noqa: E402  the paths come first
from bench.figures import QUICK, Figure, Sizes  # noqa: E402

DRAWING = ROOT / "out" / "cost-per-claim.svg"


def parts(sizes: Sizes, home: Path, drawing: Path) -> dict[str, Callable[[], list[Figure]]]:
    """Return what can be measured, by name, in order. `materials` reads the graph that `confidence` makes."""
    return {
        "start": lambda: starting.figures(sizes, home),
        "confidence": lambda: confidence.figures(sizes, home / "graph"),
        "materials": lambda: materials.figures(sizes, home / "graph"),
        "server": lambda: server.figures(sizes, home / "served"),
        "ingest": lambda: texts.ingest(sizes, home),
        "text": lambda: texts.full_text(sizes, home),
        "vectors": lambda: vectors.figures(sizes),
        "duplicates": lambda: near_duplicates.figures(sizes),
        "fetching": fetching.figures,
        "growth": lambda: growth.figures(sizes, home, drawing),
    }


def main(arguments: list[str] | None = None) -> int:
    """Print the table; return the exit code."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("--runs", type=int, default=None, help="runs per figure; the best counts")
    parser.add_argument("--quick", action="store_true", help="tiny sizes and no limits: to see that it runs")
    parser.add_argument("--only", default="", help="names of parts, separated by commas")
    parser.add_argument("--drawing", type=Path, default=DRAWING, help="where the curve is written")
    options = parser.parse_args(arguments)
    sizes = QUICK if options.quick else Sizes()
    sizes = sizes if options.runs is None else replace(sizes, runs=max(1, options.runs))
    with tempfile.TemporaryDirectory() as folder:
        known = parts(sizes, Path(folder), options.drawing)
        wanted = [name for name in options.only.split(",") if name] or list(known)
        unknown = [name for name in wanted if name not in known]
        if unknown:
            parser.error(f"no part {unknown[0]}: there are {', '.join(known)}")
        if "materials" in wanted and "confidence" not in wanted:
            wanted.insert(wanted.index("materials"), "confidence")
        figures: list[Figure] = []
        print(f"{'what':66} {'value':>10}  {'unit':8} {'limit':>8}")
        for name in wanted:
            for figure in known[name]():
                figures.append(figure)
                missed = "  MISSED" if figure.fails else ""
                print(f"{figure.name:66} {figure.value:10.3f}  {figure.unit:8} {figure.limit:>8}{missed}", flush=True)
    return 1 if any(figure.fails for figure in figures) else 0


if __name__ == "__main__":
    sys.exit(main())
