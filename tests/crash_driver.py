"""A process to be killed: runs a check with fake models and says, line by line, what it has committed.

Usage: python -m tests.crash_driver check HOME LIBRARY CLAIM... | python -m tests.crash_driver open

`check` prints `ready`, waits for a line, and then prints a line after every commit: `file 1`, `vectors 1`, `claim 1`, ...
`open` opens the store of every home it is told, one to a line, and answers each with `opened`.
"""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random

from lyra.core.ports import Step
from lyra.store.evidence_store import open_store
from lyra.workflows.check import CheckRequest, check
from lyra.workflows.jobs import worker_name
from tests.fakes import SystemClock, TextFileReader, make_bench

WORDS = {"progress.reading": "file", "progress.embedding": "vectors", "progress.judging": "claim"}


def say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


class Acknowledging:
    """Progress that is told only after the commit it stands for."""

    @contextmanager
    def track(self, code: str, total: int | None) -> Iterator[Step]:
        yield _Step(WORDS[code])


class _Step:
    def __init__(self, word: str) -> None:
        self._word, self._number = word, 0

    def advance(self, by: int = 1) -> None:
        self._number += 1
        say(f"{self._word} {self._number}")


def run_check(home: str, library: str, *claims: str) -> None:
    say("ready")
    sys.stdin.readline()
    with open_store(Path(home), SystemClock(), Random()) as store:
        bench = make_bench(store, TextFileReader(), owner=worker_name(), progress=Acknowledging())
        check(bench, CheckRequest(claims=claims, library=(library,)))
    say("done")


def run_open() -> None:
    for line in sys.stdin:
        with open_store(Path(line.strip()), SystemClock(), Random()) as store:
            store.tasks.create("question", None, [])
        say("opened")


if __name__ == "__main__":
    if sys.argv[1] == "check":
        run_check(*sys.argv[2:])
    else:
        run_open()
