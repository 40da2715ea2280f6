"""A process that gives feedback, or that watches what holds for a host; it says, line by line, what became of it.

Usage: python -m tests.feedback_driver give HOME SEED COUNT | python -m tests.feedback_driver watch HOME HOST

`give` prints `ready`, waits for a line, and answers each action with `done ACTION CAUSE`, `same ACTION` or
`refused ACTION CODE`. `watch` prints the decision about the host now and whenever it changes, until its input ends.
"""

import sys
import threading
import time
from pathlib import Path
from random import Random

from lyra.app import HomePolicy
from lyra.core.errors import InvalidInput
from lyra.core.rejections import BlockRules
from lyra.providers.public_suffixes import is_public_suffix
from lyra.store.evidence_store import EvidenceStore, open_store
from lyra.workflows.domain_gate import PolicyGate
from lyra.workflows.feedback import ACTIONS, FeedbackRequest, Governance, give_feedback
from tests.fakes import SystemClock

PATTERNS = ("*.example.net", "a.example.net", "b.example.net", "*.example.org", "*.com")
REASONS = ("one", "two", "three", "")
_PAUSE_SECONDS = 0.01


def say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def draw(rng: Random, claims: list[str], edges: list[str]) -> FeedbackRequest:
    """Any action, now and then one that has to be refused."""
    action = rng.choice(ACTIONS)
    reason = rng.choice(REASONS)
    if action.startswith("domain"):
        return FeedbackRequest(action, domain_pattern=rng.choice(PATTERNS), reason=reason)
    if action == "edge_correct":
        relation = rng.choice(["supports", "refutes", "neutral", "maybe"])
        return FeedbackRequest(action, edge_id=rng.choice([*edges, "edge_0"]), correct_relation=relation, reason=reason)
    return FeedbackRequest(action, claim_id=rng.choice([*claims, "claim_0"]), reason=reason)


def run_give(home: str, seed: str, count: str) -> None:
    rng = Random(int(seed))
    with open_store(Path(home), SystemClock(), Random()) as store:
        claims, edges = _ids(store, "claim_id", "claims"), _ids(store, "edge_id", "edges")
        governance = Governance(store, BlockRules(), is_public_suffix)
        say("ready")
        sys.stdin.readline()
        for _ in range(int(count)):
            request = draw(rng, claims, edges)
            try:
                answer = give_feedback(governance, request)
            except InvalidInput as refusal:
                say(f"refused {request.action} {refusal.code}")
            else:
                say(f"done {request.action} {answer.cause_id}" if answer.changed else f"same {request.action}")


def run_watch(home: str, host: str) -> None:
    ended = threading.Event()
    threading.Thread(target=_wait_for_the_end, args=(ended,), daemon=True).start()
    with open_store(Path(home), SystemClock(), Random(), policy=HomePolicy(Path(home))) as store:
        gate, last = PolicyGate(store), ""
        while not ended.is_set():
            decision = gate.decide(host)
            now = f"{decision.block_reason or 'allowed'} {decision.category}"
            if now != last:
                say(now)
                last = now
            time.sleep(_PAUSE_SECONDS)


def _wait_for_the_end(ended: threading.Event) -> None:
    sys.stdin.read()
    ended.set()


def _ids(store: EvidenceStore, column: str, table: str) -> list[str]:
    return [str(row[0]) for row in store.database.rows(f"SELECT {column} FROM {table} ORDER BY {column}")]


if __name__ == "__main__":
    run_give(*sys.argv[2:]) if sys.argv[1] == "give" else run_watch(*sys.argv[2:])
