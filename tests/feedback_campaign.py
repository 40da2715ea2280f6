"""Several processes that give feedback on one store at once, and what must be true of the store afterwards."""

import os
import subprocess
import sys
import time
from collections import Counter
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from random import Random

from lyra.core.records import Document
from lyra.store.evidence_store import EvidenceStore, open_store
from lyra.workflows.check import CheckRequest, check
from tests.contents import faults
from tests.fakes import LIBRARY, MemoryReader, SystemClock, document, make_bench

REPOSITORY = Path(__file__).parents[1]
HOST = "a.example.net"


@dataclass(slots=True)
class Campaign:
    """What the processes said and what is wrong with it."""

    answers: list[str] = field(default_factory=list)
    losses: list[str] = field(default_factory=list)

    def count(self, word: str) -> int:
        """How many answers began with a word."""
        return sum(answer.startswith(word) for answer in self.answers)


def prepare(home: Path) -> None:
    """Make a store with claims, some extracted from hosts that feedback will block, and edges to correct."""
    reader = MemoryReader()
    for number in range(6):
        host = ("a.example.net", "b.example.net", "c.example.org")[number % 3]
        verb = "never lowers" if number % 2 else "lowers"
        page: Document = document(f"Walk {number} {verb} blood pressure in adults.", f"url:https://{host}/{number}")
        reader.put(f"{number}.txt", page)
    with open_store(home, SystemClock(), Random(7)) as store:
        store.library.add_root(LIBRARY)
        bench = make_bench(store, reader)
        task = check(bench, CheckRequest(("Walk 1 lowers blood pressure in adults.",))).materials.task
        pages = [str(row[0]) for row in store.database.rows("SELECT page_id FROM pages ORDER BY page_id")]
        claims = [f"Extracted claim number {number}." for number in range(12)]
        store.tasks.add_claims(task.task_id, claims, [(None, pages[number % len(pages)]) for number in range(12)])


def run_campaign(home: Path, processes: int, actions: int, seed: int) -> Campaign:
    """Let processes give feedback at once and look at what is left."""
    prepare(home)
    started = [_start("give", str(home), str(seed + number), str(actions)) for number in range(processes)]
    for process in started:
        assert process.stdout is not None and process.stdout.readline() == "ready\n"
    campaign = Campaign()
    for process in started:
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.flush()
    for number, process in enumerate(started):
        said, complaints = process.communicate()
        answers = said.splitlines()
        campaign.answers += answers
        if process.returncode or complaints:
            campaign.losses.append(f"process {number} ended in {process.returncode}: {complaints[-500:]}")
        if len(answers) != actions:
            campaign.losses.append(f"process {number} answered {len(answers)} of {actions} actions")
    with open_store(home, SystemClock(), Random()) as store:
        campaign.losses += _lost(store, campaign.answers) + _crooked(store) + [str(fault) for fault in faults(store)]
    return campaign


def _lost(store: EvidenceStore, answers: list[str]) -> list[str]:
    """Acts that were acknowledged and left no trace, or left a trace and were not acknowledged."""
    told = Counter(answer.split()[2] for answer in answers if answer.startswith("done"))
    sources = ("domain_override_events", "claim_timeline")
    kept: Counter[str] = Counter()
    for table in sources:
        rows = store.database.rows(f"SELECT cause_id FROM {table} WHERE cause_id LIKE 'feedback_%'")
        kept += Counter(str(row[0]) for row in rows)
    samples = Counter(sample.correction_id for sample in store.corrections.samples())
    corrections = Counter(answer.split()[2] for answer in answers if answer.startswith("done edge_correct"))
    lost = [f"no trace of {cause}" for cause in told - kept]
    lost += [f"never acknowledged: {cause}" for cause in kept - told]
    return lost + ([] if samples == corrections else [f"{samples.total()} samples, {corrections.total()} corrections"])


def _crooked(store: EvidenceStore) -> list[str]:
    """Histories that are not linear, or whose end is not what is in force."""
    found = []
    rows = store.database.rows("SELECT edge_id, relation, nli_confidence, edge_correction_id FROM edges")
    for edge_id, relation, weight, correction_id in rows:
        steps = store.database.rows(
            "SELECT json_extract(payload, '$.from'), json_extract(payload, '$.to'), cause_id FROM claim_timeline"
            " WHERE event_type = 'corrected' AND json_extract(payload, '$.edge_id') = ? ORDER BY event_seq",
            (edge_id,),
        )
        broken = any(before[1] != after[0] for before, after in pairwise(steps))
        if steps and (broken or (steps[-1][1], steps[-1][2], 1.0) != (relation, correction_id, weight)):
            found.append(f"history of {edge_id!r} is not linear")
    for claim_id, status in store.database.rows("SELECT claim_id, claim_adoption_status FROM claims"):
        last = store.database.value(
            "SELECT event_type FROM claim_timeline WHERE claim_id = ? AND event_type IN ('rejected', 'restored')"
            " ORDER BY event_seq DESC LIMIT 1",
            (claim_id,),
        )
        if (status == "not_adopted") is not (last == "rejected"):
            found.append(f"{claim_id!r} is {status!r} after {last!r}")
    last_decisions = store.database.rows(
        "SELECT domain_pattern, decision FROM domain_override_events WHERE event_seq IN"
        " (SELECT max(event_seq) FROM domain_override_events GROUP BY domain_pattern) AND decision <> 'clear'"
    )
    if sorted(last_decisions) != sorted((rule.domain_pattern, rule.decision) for rule in store.overrides.in_force()):
        found.append("the rules in force are not the last decisions")
    return found


def measure_policy_delays(home: Path) -> dict[str, float]:
    """Change the policy file and an override beside a running process; return how long each took to be seen, in seconds."""
    with open_store(home, SystemClock(), Random()) as store:
        store.tasks.all()
    path = home / "domains.yaml"
    delays = {}
    with _start("watch", str(home), HOST) as watcher:
        assert watcher.stdout is not None
        first = watcher.stdout.readline()
        for name, content in (
            ("written in place", "denylist: [{domain: example.net}]\n"),
            ("replaced", "user_overrides: [{domain: a.example.net, domain_category: trusted}]\n"),
            ("without a line end", "denylist: [{domain: example.net}]"),
            ("taken away", None),
        ):
            began = time.monotonic()
            if content is None:
                path.unlink()
            elif name == "replaced":
                draft = home / "draft"
                draft.write_text(content, encoding="utf-8")
                draft.replace(path)
            else:
                path.write_text(content, encoding="utf-8")
            seen = watcher.stdout.readline()
            delays[name] = time.monotonic() - began
            assert seen != first
            first = seen
        began = time.monotonic()
        with open_store(home, SystemClock(), Random()) as store, store.transaction():
            store.overrides.set("*.example.net", "block", "why", "feedback_0")
        watcher.stdout.readline()
        delays["override"] = time.monotonic() - began
        assert watcher.stdin is not None
        watcher.stdin.close()
    return delays


def _start(*arguments: str) -> "subprocess.Popen[str]":
    environ = os.environ | {"PYTHONPATH": os.pathsep.join([str(REPOSITORY / "src"), str(REPOSITORY)])}
    return subprocess.Popen(
        [sys.executable, "-m", "tests.feedback_driver", *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environ,
        cwd=REPOSITORY,
    )
