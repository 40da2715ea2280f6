"""A process to be killed: works off the jobs of a home with fake models, and says when each part of a search is written.

Usage: python -m tests.gather_driver HOME SETTINGS, where SETTINGS is a file with a JSON object.

It prints `ready`, waits for a line, and then prints a line just before every part is committed; `done` at the end.
"""

import json
import os
import sys
from pathlib import Path

from lyra.app import Models, SilentProgress, open_bench
from lyra.config import read_settings
from lyra.store.evidence_store import EvidenceStore
from lyra.workflows.jobs import resume_jobs
from tests.fakes import HashEmbedder, KeywordStance
from tests.loopback.timing import MovedClock
from tests.loopback.world import Names


def say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


class Telling:
    """Writes outcomes down as ever, and says so."""

    def __init__(self, store: EvidenceStore) -> None:
        self._journal = store.journal
        self.read, self.spent_seconds = store.journal.read, store.journal.spent_seconds

    def write(self, job_id: str, step: str, part: str, outcome: object, spent_seconds: float) -> None:
        self._journal.write(job_id, step, part, outcome, spent_seconds)
        say(f"{step} {part}")


def run(home: str, flags: str) -> None:
    settings = read_settings({**json.loads(Path(flags).read_text()), "home": home}, {"LYRA_CONFIG": os.devnull})
    models = Models(HashEmbedder(), KeywordStance(), lambda: None)
    with open_bench(settings, SilentProgress(), lambda _: models, MovedClock(), Names()) as bench:
        bench.store.journal = Telling(bench.store)  # type: ignore[assignment]
        say("ready")
        sys.stdin.readline()
        resume_jobs(bench)
    say("done")


if __name__ == "__main__":
    run(*sys.argv[1:])
