"""Start-up, and the sample: whole commands in processes of their own."""

import os
import resource
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from bench.figures import Figure, Sizes, limited

_ROOT = Path(__file__).resolve().parent.parent
_START_LIMIT = 0.4


def cpu_seconds(command: Sequence[str], home: Path) -> float:
    """Return the CPU time of one run of a command, children included; a failing command raises."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, capture_output=True, env={**os.environ, "LYRA_HOME": str(home)}, cwd=_ROOT)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return (after.ru_utime - before.ru_utime) + (after.ru_stime - before.ru_stime)


def best(command: Sequence[str], home: Path, runs: int) -> float:
    """Return the smallest CPU time of several runs."""
    return min(cpu_seconds(command, home) for _ in range(runs))


def figures(sizes: Sizes, home: Path) -> list[Figure]:
    """Return the start-up figures and those of the sample."""
    lyra = [sys.executable, "-m", "lyra"]
    baseline = best([sys.executable, "-c", "pass"], home, sizes.runs)
    found = [
        Figure("python start (baseline)", baseline, "CPU s"),
        limited(sizes, Figure("lyra --help", best([*lyra, "--help"], home, sizes.runs), "CPU s", at_most=_START_LIMIT)),
        limited(sizes, Figure("lyra status", best([*lyra, "status"], home, sizes.runs), "CPU s", at_most=_START_LIMIT)),
    ]
    return found if not sizes.limits else [*found, *_sample(lyra, home)]


def _sample(lyra: list[str], home: Path) -> list[Figure]:
    check = [*lyra, "check", "--claims", "sample/claims.csv", "--library", "sample/library", "--json"]
    first, again = cpu_seconds(check, home), cpu_seconds(check, home)
    return [
        Figure("lyra check, sample library, first time", first, "CPU s", at_most=120.0),
        Figure("lyra check, sample library, again", again, "CPU s"),
        Figure("  first time against again", first / again, "x"),
    ]
