"""Killing a worker at any moment, and looking at what is left: nothing acknowledged is lost, and the rest is done later.

The moment is a number of acknowledgements and a short pause after them, so it does not depend on the machine's speed.
"""

import os
import subprocess
import sys
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from random import Random

from lyra.core.records import JobStatus
from lyra.store.evidence_store import EvidenceStore, open_store
from lyra.workflows.bench import Bench
from lyra.workflows.check import CheckRequest, check
from lyra.workflows.jobs import resume_jobs, worker_name
from tests.contents import Contents, contents, faults
from tests.fakes import SystemClock, TextFileReader, make_bench

REPOSITORY = Path(__file__).parents[1]
FILES = 30
SUBJECTS = ["Daily walking", "Night shift work", "Green tea", "Street noise", "Vitamin D", "Screen time"]
CLAIMS = tuple(f"{subject} increases attention in children." for subject in SUBJECTS)
# One for each file and claim, and one for the vectors, which are committed in one batch.
ACKNOWLEDGEMENTS = FILES + 1 + len(CLAIMS)


@dataclass(frozen=True, slots=True)
class Moment:
    """When to kill: after so many acknowledgements and a pause."""

    acknowledgements: int
    pause_seconds: float


@dataclass(frozen=True, slots=True)
class CrashReport:
    """What a killed worker had acknowledged, how far it was, and what went missing."""

    acknowledged: int
    phase: str
    losses: tuple[str, ...]


def draw_moment(rng: Random) -> Moment:
    """Any moment from before the first commit to after the last; the pause lets the worker get into the next commit."""
    return Moment(rng.randint(0, ACKNOWLEDGEMENTS), rng.choice([0.0, rng.uniform(0.0, 0.004), rng.uniform(0.0, 0.02)]))


def write_library(folder: Path) -> Path:
    """Thirty small files: some speak for a claim, some against, some copy others, some are long enough for two fragments."""
    folder.mkdir(parents=True)
    for number in range(FILES):
        subject = SUBJECTS[number % len(SUBJECTS)]
        verb = "does not increase" if number % 4 == 3 else "increases"
        text = f"{subject} {verb} attention in children, as study {number - number % 2} says."
        if number % 5 == 0:
            text += "\n\n" + "In this report we describe the methods and the measures at great length. " * 20
        (folder / f"{number:02}.txt").write_text(text, encoding="utf-8")
    return folder


def fake_bench(store: EvidenceStore) -> Bench:
    """The bench of the process that is killed, for going on in this one."""
    return make_bench(store, TextFileReader(), owner=worker_name())


def uninterrupted(home: Path, library: Path, *batches: tuple[str, ...]) -> Contents:
    """What the store holds when nobody is killed: one check for each batch of claims."""
    with open_store(home, SystemClock(), Random()) as store:
        for claims in batches or (CLAIMS,):
            check(fake_bench(store), CheckRequest(claims, (library,)))
        return contents(store)


def start(*arguments: str | Path) -> "subprocess.Popen[str]":
    """Start the driver; it waits for a line on its standard input."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(REPOSITORY / "src"), str(REPOSITORY)])}
    return subprocess.Popen(
        [sys.executable, "-m", "tests.crash_driver", *map(str, arguments)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=REPOSITORY,
        env=environment,
    )


def answer(process: "subprocess.Popen[str]") -> str:
    """The next line the driver says."""
    assert process.stdout is not None
    return process.stdout.readline()


def tell(process: "subprocess.Popen[str]", line: str = "") -> None:
    """Give the driver the line it waits for."""
    assert process.stdin is not None
    process.stdin.write(f"{line}\n")
    process.stdin.flush()


def crash_and_recover(home: Path, library: Path, moment: Moment, expected: Contents) -> CrashReport:
    """Kill a check at the moment, look at what is left, go on, and compare with the run that nobody interrupted."""
    said = _run_and_kill(home, library, moment)
    counts = Counter(line.split()[0] for line in said)
    with open_store(home, SystemClock(), Random()) as store:
        losses = _missing(store, counts, expected)
        _go_on(store, library)
        if contents(store) != expected:
            losses.append("the state at the end differs from an uninterrupted run")
        losses += [f"after recovery: {fault}" for fault in faults(store)]
        unfinished = [job.status for job in store.jobs.unfinished()]
        if unfinished or not store.tasks.all():
            losses.append(f"jobs left over: {unfinished}")
    return CrashReport(len(said), said[-1].split()[0] if said else "start", tuple(losses))


def _run_and_kill(home: Path, library: Path, moment: Moment) -> list[str]:
    with start("check", home, library, *CLAIMS) as process:
        assert answer(process) == "ready\n"
        tell(process)
        said: list[str] = []
        while len(said) < moment.acknowledgements and (line := answer(process)):
            said.append(line)
        time.sleep(moment.pause_seconds)
        process.kill()
        assert process.stdout is not None
        said.extend(process.stdout)
    # A line cut off in the middle was not said.
    return [line.strip() for line in said if line.endswith("\n")]


def _missing(store: EvidenceStore, counts: Counter[str], expected: Contents) -> list[str]:
    """What was acknowledged and is not there, and what is there and should not be."""
    held = contents(store)
    losses = [f"after the kill: {fault}" for fault in faults(store)]
    if held.ledger[: counts["file"]] != expected.ledger[: counts["file"]]:
        losses.append("an acknowledged file is not in the ledger")
    addresses = {Path(str(row[1])).as_uri() for row in expected.ledger[: counts["file"]]}
    for name in ("pages", "occurrences"):
        wanted = [row for row in getattr(expected, name) if row[0] in addresses]
        if not set(wanted) <= set(getattr(held, name)):
            losses.append(f"{name} of an acknowledged file are missing")
    if counts["vectors"] and held.vectors != expected.vectors:
        losses.append("acknowledged vectors are missing")
    judged = set(CLAIMS[: counts["claim"]])
    if [row for row in held.edges if row[1] in judged] != [row for row in expected.edges if row[1] in judged]:
        losses.append("edges of an acknowledged claim are missing")
    if not set(held.edges) <= set(expected.edges):
        losses.append("there are edges that nobody judged")
    return losses


def _go_on(store: EvidenceStore, library: Path) -> None:
    """Resume the job; without one, the kill came before the request was committed, and it is made again."""
    bench = fake_bench(store)
    if not store.tasks.all():
        check(bench, CheckRequest(CLAIMS, (library,)))
    for outcome in resume_jobs(bench):
        assert outcome.status is JobStatus.DONE
