"""Runs the server for AI clients for long: random calls, then many clients on two servers that share a home.

    python soak/server.py [--fuzz 10000] [--clients 50] [--calls 5000] [--seed N]

Exits with 1 if a call crashed, an answer did not fit its schema, or anything acknowledged was lost or done twice.
"""

import argparse
import sys
import time
from pathlib import Path
from random import Random, SystemRandom
from tempfile import TemporaryDirectory

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "src"), str(ROOT)]

import anyio  # noqa: E402  the paths above come first

from tests.crashes import write_library  # noqa: E402
from tests.interfaces.mcp.client import converse, served  # noqa: E402
from tests.interfaces.mcp.crowd import crowd, losses  # noqa: E402
from tests.interfaces.mcp.process import over_http  # noqa: E402
from tests.interfaces.mcp.test_bad_input import fuzz  # noqa: E402


def main(arguments: list[str] | None = None) -> int:
    """Run both campaigns and return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--fuzz", type=int, default=10_000)
    parser.add_argument("--clients", type=int, default=50)
    parser.add_argument("--calls", type=int, default=5_000)
    parser.add_argument("--seed", type=int, default=None)
    options = parser.parse_args(arguments)
    seed = options.seed if options.seed is not None else SystemRandom().randrange(2**32)
    print(f"seed {seed}: the same calls again with --seed {seed}", flush=True)
    with TemporaryDirectory() as folder:
        library = write_library(Path(folder) / "library")
        began = time.monotonic()
        with served(Path(folder) / "fuzzed" / "home", library) as server:
            answered, refused = converse(server, lambda talk: fuzz(talk, Random(seed), options.fuzz))
        print(
            f"fuzz      {options.fuzz} calls: {answered} answered, {refused} refused    {time.monotonic() - began:8.1f} s",
            flush=True,
        )
        began, home = time.monotonic(), Path(folder) / "shared" / "home"
        with over_http(home, "--library", str(library)) as first, over_http(home) as second:
            tally = anyio.run(crowd, [first, second], options.clients, options.calls, seed)
        lost = losses(home, tally)
        print(
            f"crowd     {tally.calls} calls of {options.clients} clients on 2 servers, {len(tally.jobs)} jobs:"
            f" {len(lost)} losses    {time.monotonic() - began:8.1f} s"
        )
    for loss in lost:
        print(f"LOST: {loss}", file=sys.stderr)
    return 1 if lost else 0


if __name__ == "__main__":
    sys.exit(main())
