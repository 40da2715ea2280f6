"""Campaigns of endurance: power cuts, failing disks, writers side by side, deletions cut off."""

import time
from collections.abc import Callable
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from tests.endurance import failing_disk, killed_deletions, open_small, power_cuts, write_together

_STEPS = 60
_FAULTS = 40


def _say(line: str) -> None:
    print(line, flush=True)


def power(folder: Path, rounds: int, seed: int, _: float) -> tuple[str, list[str]]:
    """Cut the power at so many points of one run."""
    return f"{rounds} cut points", power_cuts(folder, _STEPS, rounds, seed, _say)


def disk(folder: Path, _: int, seed: int, __: float) -> tuple[str, list[str]]:
    """Let the disk fill up, and its syncs fail, at random moments."""
    rng = Random(seed)
    found: list[str] = []
    for number in range(_FAULTS):
        kind = ("full", "sync")[number % 2]
        after = rng.randrange(400_000) if kind == "full" else rng.randrange(60)
        wrong = failing_disk(folder / f"disk-{number}", kind, after, _STEPS)
        found += [f"{kind} after {after}: {one}" for one in wrong]
        _say(f"disk {number + 1}/{_FAULTS}, {kind} after {after}: {'; '.join(wrong) or 'said, and usable afterwards'}")
    return f"{_FAULTS} faults", found


def writers(folder: Path, _: int, __: int, seconds: float) -> tuple[str, list[str]]:
    """Let two processes write at once."""
    with open_small(folder / "shared"):
        pass
    steps, found = write_together(folder / "shared", seconds)
    return f"{steps} steps of two processes in {seconds:g} s", found


def deletions(folder: Path, rounds: int, seed: int, _: float) -> tuple[str, list[str]]:
    """Cut deletions off and repeat them."""
    return f"{rounds} deletions cut off", killed_deletions(folder, rounds, seed, _say)


CAMPAIGNS: dict[str, Callable[[Path, int, int, float], tuple[str, list[str]]]] = {
    "power": power,
    "disk": disk,
    "writers": writers,
    "deletions": deletions,
}


def run(name: str, rounds: int, seed: int, seconds: float) -> list[str]:
    """Run one campaign, print its line, and return what went wrong."""
    began = time.monotonic()
    with TemporaryDirectory() as folder:
        size, found = CAMPAIGNS[name](Path(folder), rounds, seed, seconds)
    print(f"{name:10} {size}    {len(found):4} wrong    {time.monotonic() - began:8.1f} s", flush=True)
    return [f"{name}: {one}" for one in found]
