"""Work on a store whose every step is known, and a look afterwards at what of it is there."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from random import Random

from lyra.core.errors import NotFound, StoreError
from lyra.core.identity import fragment_id
from lyra.core.records import ModelInfo, Span
from lyra.store.evidence_store import EvidenceStore, open_store
from lyra.workflows.cleanup import delete_task
from tests.contents import contents, faults
from tests.fakes import FakeClock, document, stance
from tests.power import Record, recorded

MODEL = ModelInfo(kind="stance", name="keyword", version="1")
REPOSITORY = Path(__file__).parents[1]
CLAIMS = 3
# So many pages of the log, and it is copied into the file: a short run meets many of these moments.
_CHECKPOINT_PAGES = 15


def open_small(home: Path, seed: int = 1) -> EvidenceStore:
    """A store that checkpoints often."""
    store = open_store(home, FakeClock(), Random(seed))
    store.database.value(f"PRAGMA wal_autocheckpoint = {_CHECKPOINT_PAGES}")
    return store


def step(store: EvidenceStore, number: int) -> None:
    """One transaction: a task, its claims, a page with one fragment, and an edge from it to every claim."""
    text = f"What the page number {number} says about it. " + "And so on, at some length. " * (number % 40)
    with store.transaction():
        task = store.tasks.create(f"question {number}", None, [])
        claims = store.tasks.add_claims(task.task_id, [f"Claim {number}, the {name}." for name in ("first", "second", "third")])
        store.page_batches.register([(document(text, f"doi:10.1000/{number}"), "", [Span(0, len(text))])])
        for claim in claims:
            store.edges.add(claim, {fragment_id(text): stance("supports", 0.5 + number % 400 / 1000)}, MODEL, "job_1")


def present(store: EvidenceStore) -> set[int]:
    """The numbers of the steps that are there as a whole; raises where one is there in part."""
    rows = store.database.rows(
        "SELECT CAST(substr(t.question, 10) AS INTEGER), count(DISTINCT c.claim_id), count(e.edge_id) FROM tasks t"
        " LEFT JOIN claims c ON c.task_id = t.task_id LEFT JOIN edges e ON e.claim_id = c.claim_id GROUP BY t.task_id"
    )
    parts = [row for row in rows if row[1:] != (CLAIMS, CLAIMS)]
    if parts:
        raise AssertionError(f"steps that are there in part: {parts}")
    return {int(row[0] or 0) for row in rows}


def problems(home: Path, acknowledged: set[int], attempted: int) -> list[str]:
    """What is wrong with a store in which so many steps were begun: a lost step, damage, or that it cannot be worked on."""
    found: list[str] = []
    try:
        with open_small(home, seed=2) as store:
            there = present(store)
            found += [f"step {number} was acknowledged and is gone" for number in sorted(acknowledged - there)]
            found += [f"step {number} was never begun" for number in sorted(there) if number >= attempted]
            problem = store.database.value("PRAGMA integrity_check")
            found += [] if problem == "ok" else [f"damaged: {problem!r}"]
            broken = store.database.rows("PRAGMA foreign_key_check")
            found += [f"dangling: {broken[0]}"] if broken else []
            step(store, 900_000)
            found += [] if present(store) == there | {900_000} else ["a step after it is not there"]
            stored = store.database.count("SELECT count(*) FROM fragments")
            indexed = store.database.count("SELECT count(*) FROM fragment_index WHERE fragment_index MATCH 'page'")
            found += [] if stored == indexed else [f"{stored} fragments, {indexed} in the index"]
    except (AssertionError, StoreError) as failure:
        found.append(str(failure))
    return found


def record_run(home: Path, steps: int) -> tuple[Record, list[int]]:
    """Do some steps on the recorded file system; returns the record, and where in it each step was acknowledged."""
    acknowledged = []
    with recorded() as record, open_small(home) as store:
        for number in range(steps):
            step(store, number)
            acknowledged.append(len(record))
    return record, acknowledged


def power_cuts(folder: Path, steps: int, cuts: int, seed: int, tell: Callable[[str], None] = lambda _: None) -> list[str]:
    """Cut the power at many points of one run; returns what was lost or broken."""
    record, acknowledged = record_run(folder / "whole", steps)
    rng = Random(seed)
    points = sorted(rng.sample(range(1, len(record) + 1), min(cuts, len(record))))
    found: list[str] = []
    for number, cut in enumerate(points, start=1):
        home = folder / f"cut-{cut}"
        record.restore(home, cut, rng)
        done = {step for step, at in enumerate(acknowledged) if at <= cut}
        wrong = problems(home, done, len(done) + 1)
        found += [f"cut at {cut} of {len(record)}: {one}" for one in wrong]
        tell(f"power cut {number}/{len(points)} after {len(done)} of {steps} steps: {'; '.join(wrong) or 'nothing lost'}")
    return found


def failing_disk(home: Path, kind: str, after: int, steps: int) -> list[str]:
    """Work while the disk fills up (`kind` full) or its syncs fail (`sync`), then after it is well again.

    Returns what went wrong beyond the failure itself: a step acknowledged and lost, a failure that was not said.
    """
    found: list[str] = []
    acknowledged: set[int] = set()
    with recorded() as record:
        try:
            with open_small(home) as store:
                step(store, 0)
                acknowledged.add(0)
                if kind == "full":
                    record.faults.bytes_left = after
                else:
                    record.faults.syncs_left = after
                for number in range(1, steps):
                    try:
                        step(store, number)
                        acknowledged.add(number)
                    except StoreError as failure:
                        if failure.code not in ("disk_full", "disk_failed"):
                            found.append(f"said {failure.code}: {failure}")
                        record.faults.bytes_left = record.faults.syncs_left = None
        except StoreError as failure:
            found.append(f"the store could not be closed: {failure}")
        if not record.faults.seen:
            found.append("the disk never failed")
        record.faults.bytes_left = record.faults.syncs_left = None
    if len(acknowledged) < steps - 1 - record.faults.seen:
        found.append(f"only {len(acknowledged)} of {steps} steps were acknowledged after {record.faults.seen} faults")
    return found + problems(home, acknowledged, steps)


def killed_deletions(folder: Path, cuts: int, seed: int, tell: Callable[[str], None] = lambda _: None) -> list[str]:
    """Cut a hard deletion off at many points, repeat it, and compare with one that nobody disturbed."""
    with recorded() as record, open_small(folder / "whole") as store:
        for number in range(6):
            step(store, number)
        task = store.tasks.all()[2].task_id
        began = len(record)
        delete_task(store, task, hard=True)
        ended, expected = len(record), contents(store)
    rng = Random(seed)
    found: list[str] = []
    points = sorted(rng.sample(range(began, ended + 1), min(cuts, ended + 1 - began)))
    for number, cut in enumerate(points, start=1):
        home = folder / f"cut-{cut}"
        record.restore(home, cut, rng)
        with open_small(home, seed=2) as again:
            try:
                delete_task(again, task, hard=True)
                said = "repeated"
            except NotFound:
                said = "was done"
            wrong = [] if contents(again) == expected and not faults(again) else [f"deletion cut at {cut}: it ends differently"]
        found += wrong
        tell(f"deletion cut {number}/{len(points)}: {'; '.join(wrong) or said}")
    return found


def write_together(home: Path, seconds: float, writers: int = 2) -> tuple[int, list[str]]:
    """Let processes write to one store at once; returns how many steps they did, and what went wrong."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(REPOSITORY / "src"), str(REPOSITORY)])}
    command = [sys.executable, "-m", "tests.writer", str(home), str(seconds)]
    running = [
        subprocess.Popen([*command, str(number * 1_000_000)], stdout=subprocess.PIPE, text=True, cwd=REPOSITORY, env=environment)
        for number in range(writers)
    ]
    said = [process.communicate()[0] for process in running]
    found = [f"writer {number} ended in {process.returncode}" for number, process in enumerate(running) if process.returncode]
    done = {int(line.split()[1]) for text in said for line in text.splitlines() if line.startswith("done")}
    found += [line for text in said for line in text.splitlines() if not line.startswith("done")]
    with open_small(home) as store:
        there = present(store)
        found += [] if there == done else [f"{len(done)} steps were acknowledged, {len(there)} are there"]
        problem = store.database.value("PRAGMA integrity_check")
        found += [] if problem == "ok" else [f"damaged: {problem!r}"]
    return len(done), found
