"""Killing a search in the middle, as often as one likes, and looking at what the resumed one ends with."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterable
from pathlib import Path
from random import Random

from lyra.core.gathering import Beyond
from lyra.core.records import JobStatus
from lyra.workflows.check import submit_search
from tests.contents import Contents, contents, faults
from tests.loopback.world import ALL, World

REPOSITORY = Path(__file__).parents[1]
QUESTION, QUERIES = "Does green tea lower blood pressure?", ("green tea blood pressure randomised trial", "green tea blog news")


def queued(world: World, home: Path) -> str:
    """Queue the search that is going to be disturbed; returns its job."""
    with world.bench(home) as bench:
        task = bench.store.tasks.create(QUESTION, None, [])
        return submit_search(bench, task.task_id, QUERIES, beyond=Beyond(ALL)).job.job_id


def work(world: World, home: Path, parts: int | None, pause_seconds: float = 0.0) -> bool:
    """Let a process of its own work on it, and kill it after so many parts; returns whether it came to the end."""
    flags = home.parent / "flags.json"
    flags.write_text(json.dumps(world.flags))
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(REPOSITORY / "src"), str(REPOSITORY)])}
    command = [sys.executable, "-m", "tests.gather_driver", str(home), str(flags)]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(command, text=True, env=environment, **pipes) as process:  # type: ignore[call-overload]
        assert process.stdout.readline() == "ready\n", process.communicate()[1]
        process.stdin.write("go\n")
        process.stdin.flush()
        for done, line in enumerate(process.stdout, start=1):
            if line == "done\n":
                return True
            if parts is not None and done >= parts:
                time.sleep(pause_seconds)
                process.kill()
                return False
        raise AssertionError(process.stderr.read())


def disturbed(world: World, home: Path, kills: Iterable[tuple[int, float]]) -> tuple[Contents, list[str]]:
    """Kill a search again and again, then let it end; returns what the store holds, and what is wrong with it."""
    job_id = queued(world, home)
    for parts, pause in kills:
        if work(world, home, parts, pause):
            break
    else:
        work(world, home, None)
    with world.bench(home) as bench:
        wrong = [str(fault) for fault in faults(bench.store)]
        status = bench.store.jobs.get(job_id).status
        if status is not JobStatus.DONE:
            wrong.append(f"the job is {status}")
        return contents(bench.store), wrong


def draw_kills(rng: Random, count: int) -> list[tuple[int, float]]:
    """When to kill: after a few parts and a pause, which lets the process get to either side of a commit."""
    return [(rng.randint(1, 6), rng.choice([0.0, rng.uniform(0.0, 0.01), rng.uniform(0.0, 0.1)])) for _ in range(count)]
