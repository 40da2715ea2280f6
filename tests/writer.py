"""A process that writes to a store for a while beside others: says each step it has done, and every failure a user would see.

Usage: python -m tests.writer HOME SECONDS FIRST_NUMBER
"""

import sys
import time
from pathlib import Path

from lyra.core.errors import LyraError
from tests.endurance import open_small, step


def main(home: Path, seconds: float, number: int) -> int:
    """Do steps until the time is over."""
    end = time.monotonic() + seconds
    try:
        with open_small(home, seed=number + 1) as store:
            while time.monotonic() < end:
                step(store, number)
                sys.stdout.write(f"done {number}\n")
                number += 1
                if number % 5 == 0:
                    store.edges.confidences(store.tasks.all()[0].task_id)
    except LyraError as failure:
        sys.stdout.write(f"failed: {failure.code}: {failure}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), float(sys.argv[2]), int(sys.argv[3])))
