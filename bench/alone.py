"""A process that reads the confidences of all claims and nothing else: prints its peak memory in MB."""

import sys
from pathlib import Path
from random import Random

from lyra.app import SystemClock
from lyra.store.evidence_store import open_store


def main(home: Path, task_id: str) -> float:
    """Read all confidences of a task and return the peak memory of this process."""
    with open_store(home, SystemClock(), Random(1)) as store:
        store.edges.confidences(task_id)
    return peak_mb()


def peak_mb() -> float:
    """Return how much memory this program has had at most; what the process was before it became this one left out."""
    status = Path("/proc/self/status")
    if status.exists():
        (line,) = [line for line in status.read_text(encoding="ascii").splitlines() if line.startswith("VmHWM:")]
        return int(line.split()[1]) / 1024
    import resource  # noqa: PLC0415 - absent on some platforms

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


if __name__ == "__main__":
    print(main(Path(sys.argv[1]), sys.argv[2]))
