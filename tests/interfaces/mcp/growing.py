"""A process that keeps adding to a task until its input ends: `python -m tests.interfaces.mcp.growing HOME TASK`.

Every round adds a claim and evidence for old ones, on either side, so that every order by numbers keeps changing. Says
`adding` after the first round, and at its end how many edges it added.
"""

import select
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import TypedDict

from lyra.core.records import ModelInfo, Relation, Stance
from lyra.store.evidence_store import EvidenceStore, open_store
from tests.fakes import SystemClock

_ROOT = Path(__file__).parents[3]
_SIDES = (Stance(Relation.SUPPORTS, 0.9, 0.04, 0.06, 0.9), Stance(Relation.REFUTES, 0.04, 0.9, 0.06, 0.9))
# Between rounds, as judging takes its time: an order that grows faster than it is read has no end.
_PAUSE = 0.05
_MODEL = ModelInfo("stance", "growing", "1")


class Growth(TypedDict, total=False):
    """What was added while a block ran."""

    edges: int


@contextmanager
def growing(home: Path, task_id: str) -> Iterator[Growth]:
    """Let a process add to a task while the block runs; afterwards the growth has its `edges`."""
    grown = Growth()
    line = [sys.executable, "-m", "tests.interfaces.mcp.growing", str(home), task_id]
    with subprocess.Popen(line, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=_ROOT) as process:
        assert process.stdin is not None and process.stdout is not None
        try:
            if process.stdout.readline() != "adding\n":
                raise RuntimeError("nothing could be added")
            yield grown
        finally:
            process.stdin.close()
        grown["edges"] = int(process.stdout.read())


def grow(store: EvidenceStore, task_id: str) -> int:
    """Add until standard input ends; returns how many edges were added."""
    rng, rounds, edges = Random(3), 0, 0
    claims = [str(row[0]) for row in store.database.rows("SELECT claim_id FROM claims WHERE task_id = ?", (task_id,))]
    fragments = [str(row[0]) for row in store.database.rows("SELECT fragment_id FROM fragments")]
    while not select.select([sys.stdin], [], [], _PAUSE)[0]:
        with store.transaction():
            store.tasks.add_claims(task_id, [f"Added meanwhile: number {rounds} holds."])
            for claim_id in rng.sample(claims, min(10, len(claims))):
                stances = {fragment: rng.choice(_SIDES) for fragment in rng.sample(fragments, 2)}
                edges += store.edges.add(store.tasks.claim(claim_id), stances, _MODEL, "growing")
        if rounds % 10 == 0:
            store.edges.sum_up(task_id)
        rounds += 1
        if rounds == 1:
            sys.stdout.write("adding\n")
            sys.stdout.flush()
    return edges


if __name__ == "__main__":
    with open_store(Path(sys.argv[1]), SystemClock(), Random()) as opened:
        sys.stdout.write(f"{grow(opened, sys.argv[2])}\n")
