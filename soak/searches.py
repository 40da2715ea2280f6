"""Whole searches, disturbed: killed again and again, and beside a service that spoils its answers in twelve ways.

    python soak/searches.py [--kills 50] [--runs 50] [--seed N]

Prints a line per search and per fault; exits with 1 if a killed search ends in another graph, or a run breaks a promise.
"""

import argparse
import sys
import time
from pathlib import Path
from random import Random, SystemRandom
from tempfile import TemporaryDirectory

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "src"), str(ROOT)]

from tests.gather_crashes import disturbed, draw_kills  # noqa: E402  the paths above come first
from tests.gather_faults import search_beside  # noqa: E402
from tests.loopback.faults import FAULTS  # noqa: E402
from tests.loopback.world import loopback_world  # noqa: E402

KILLS_PER_SEARCH = 5


def kill_searches(kills: int, start: int) -> list[str]:
    """Kill searches in the middle, five times each, and compare what they end with; returns what differs."""
    broken = []
    with loopback_world() as world, TemporaryDirectory() as folder:
        calm_home = Path(folder) / "calm"
        calm_home.mkdir()
        expected, broken_calm = disturbed(world, calm_home / "home", [])
        broken += broken_calm
        for number in range(max(1, kills // KILLS_PER_SEARCH)):
            with TemporaryDirectory(dir=folder) as place:
                found, wrong = disturbed(world, Path(place) / "home", draw_kills(Random(start + number), KILLS_PER_SEARCH))
            wrong += [] if found == expected else ["the graph differs"]
            verdict = "; ".join(wrong) or "the same graph"
            print(f"search {number + 1:3}, killed {KILLS_PER_SEARCH} times: {verdict}", flush=True)
            broken += [f"search {number + 1} (seed {start + number}): {one}" for one in wrong]
    return broken


def fault_searches(runs: int, start: int) -> list[str]:
    """Search beside each fault as often as told; returns the promises that were broken."""
    broken: list[str] = []
    with loopback_world() as world:
        for fault in sorted(FAULTS):
            began, before = time.monotonic(), len(broken)
            for number in range(runs):
                with TemporaryDirectory() as place:
                    broken += search_beside(world, Path(place) / "home", fault, Random(f"{start} {fault} {number}"))
            print(f"{fault:20} {runs:4} runs  {len(broken) - before:3} broken  {time.monotonic() - began:6.1f} s", flush=True)
    return broken


def main(arguments: list[str] | None = None) -> int:
    """Run both parts and return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=50, help="how often a search is killed (default 50)")
    parser.add_argument("--runs", type=int, default=50, help="searches beside each fault (default 50)")
    parser.add_argument("--seed", type=int, default=None, help="where the random moments start (default: a new one)")
    options = parser.parse_args(arguments)
    start = options.seed if options.seed is not None else SystemRandom().randrange(2**32)
    print(f"seed {start}: the same run again with --seed {start}", flush=True)
    broken = kill_searches(options.kills, start) + fault_searches(options.runs, start)
    for one in broken:
        print(f"BROKEN: {one}", file=sys.stderr)
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
