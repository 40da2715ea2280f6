"""Twelve faults of services, again and again: each run must end in time, say what happened, and never pass for an empty result.

    python soak/faults.py [--runs 50] [--seed N]

Prints a line per fault; exits with 1 if a run broke a promise.
"""

import argparse
import sys
from collections import Counter
from pathlib import Path
from random import Random, SystemRandom

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "src"), str(ROOT)]

from tests.loopback.fault_runs import ENDS, SERVICES, complaints, run  # noqa: E402  the paths above come first
from tests.loopback.faults import FAULTS  # noqa: E402


def fault_rounds(runs: int, start: int) -> list[str]:
    """Run every fault as often as told, each time on another service, at another moment, for another while."""
    broken = []
    for fault in FAULTS:
        ends: Counter[str] = Counter()
        for number in range(runs):
            chance = Random(f"{start} {fault} {number}")
            service, first = chance.choice(sorted(SERVICES)), chance.choice((0, 0, 1))
            times = chance.choice((None, None, 1, 2))
            answer, seconds = run(service, fault, first, times)
            found = complaints(answer, seconds)
            expected = ENDS[fault][0] if times is None and first == 0 else None
            if expected is not None and answer.status is not expected:
                found.append(f"ended as {answer.status}, not {expected}")
            broken += [f"{fault}, {service}, run {number} (seed {start}): {complaint}" for complaint in found]
            ends[answer.status] += 1
        print(f"{fault:20} {runs:4} runs   {', '.join(f'{count} {end}' for end, count in sorted(ends.items()))}", flush=True)
    return broken


def main(arguments: list[str] | None = None) -> int:
    """Run all faults and return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=50, help="runs of each fault (default 50)")
    parser.add_argument("--seed", type=int, default=None, help="where chance starts (default: a new one)")
    options = parser.parse_args(arguments)
    start = options.seed if options.seed is not None else SystemRandom().randrange(2**32)
    print(f"seed {start}: the same runs again with --seed {start}", flush=True)
    broken = fault_rounds(options.runs, start)
    for one in broken:
        print(f"BROKEN: {one}", file=sys.stderr)
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
