"""One table of speed figures, measured side by side in one run: `make bench`.

CPU seconds are used, not wall time, because machines are shared; each figure is the best of several runs. Only where a
figure is about waiting does the wall clock count.
Exit code 1 when a figure misses its limit.
"""

import argparse
import os
import resource
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT)]

from bench.fetching import fetching_seconds  # noqa: E402  the path above comes first

START_LIMIT = 0.4


@dataclass(frozen=True, slots=True)
class Figure:
    """One line of the table. `limit` is the largest value allowed; None where the value is only reported."""

    name: str
    value: float
    unit: str
    limit: float | None = None

    @property
    def fails(self) -> bool:
        """Whether the limit is missed."""
        return self.limit is not None and self.value > self.limit


def cpu_seconds(command: Sequence[str], home: Path) -> float:
    """Return the CPU time of one run of a command, children included; a failing command raises."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, capture_output=True, env={**os.environ, "LYRA_HOME": str(home)}, cwd=ROOT)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return (after.ru_utime - before.ru_utime) + (after.ru_stime - before.ru_stime)


def best(command: Sequence[str], home: Path, runs: int) -> float:
    """Return the smallest CPU time of several runs."""
    return min(cpu_seconds(command, home) for _ in range(runs))


def measure(runs: int) -> list[Figure]:
    """Return all figures."""
    lyra = [sys.executable, "-m", "lyra"]
    check = [*lyra, "check", "--claims", "sample/claims.csv", "--library", "sample/library", "--json"]
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        baseline = best([sys.executable, "-c", "pass"], home, runs)
        figures = [
            Figure("python start (baseline)", baseline, "CPU s"),
            Figure("lyra --help", best([*lyra, "--help"], home, runs), "CPU s", START_LIMIT),
            Figure("lyra status", best([*lyra, "status"], home, runs), "CPU s", START_LIMIT),
        ]
        first = cpu_seconds(check, home)
        again = cpu_seconds(check, home)
    side_by_side, one_by_one = fetching_seconds()
    return [
        *figures,
        Figure("20 pages of 300 ms, side by side", side_by_side, "s"),
        Figure("against one after the other", side_by_side / one_by_one, "x", 0.25),
        Figure("lyra check, sample library, first time", first, "CPU s", 120.0),
        Figure("lyra check, sample library, again", again, "CPU s"),
        Figure("first time against again", first / again, "x"),
    ]


def main() -> int:
    """Print the table; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--runs", type=int, default=5, help="runs per start-up figure; the best counts")
    figures = measure(parser.parse_args().runs)
    width = max(len(figure.name) for figure in figures)
    print(f"{'what':{width}}  {'value':>8}  {'unit':6} {'limit':>6}")
    for figure in figures:
        limit = "-" if figure.limit is None else f"{figure.limit:g}"
        print(f"{figure.name:{width}}  {figure.value:8.3f}  {figure.unit:6} {limit:>6}{'  MISSED' if figure.fails else ''}")
    return 1 if any(figure.fails for figure in figures) else 0


if __name__ == "__main__":
    sys.exit(main())
