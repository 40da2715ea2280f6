"""Deleting a task: other tasks keep every number, hard takes only what nothing else needs, a dry run predicts exactly."""

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lyra.core.errors import InvalidInput, NotFound
from lyra.core.records import Document, Stance
from lyra.interfaces.presenter import materials_json
from lyra.store.database import Row
from lyra.store.evidence_store import EvidenceStore, open_store
from lyra.workflows.bench import Bench
from lyra.workflows.check import CheckRequest, check, search
from lyra.workflows.cleanup import delete_task
from lyra.workflows.jobs import worker_name
from lyra.workflows.materials import collect
from tests.contents import faults
from tests.crashes import REPOSITORY
from tests.fakes import LIBRARY, FakeClock, KeywordStance, MemoryReader, document, make_bench, named

CLAIMS = ("Green tea improves sleep in adults.", "Street noise improves memory.", "Walking improves sleep in adults.")
SENTENCES = (
    "Green tea improves sleep in adults, as a trial says.",
    "Green tea does not improve sleep in adults.",
    "Street noise improves memory in mice.",
    "Walking improves sleep in adults and children.",
    "The weather in spring is mild.",
)
OWN = {"tasks", "claims", "edges", "claim_timeline", "queries", "jobs", "task_library", "event_log", "task_budgets"}
OWN |= {"serp_items", "task_pages", "search_reports", "intervention_queue", "job_steps", "scope_marks"}


def everything(store: EvidenceStore) -> dict[str, list[Row]]:
    """Every row of every table."""
    names = [str(name) for (name,) in store.database.rows("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")]
    return {name: store.database.rows(f"SELECT * FROM {name}") for name in names}


def rows(store: EvidenceStore) -> dict[str, int]:
    """How many rows each table has; the words of the index by their own count."""
    counts = {name: len(found) for name, found in everything(store).items()}
    counts["fragment_index"] = store.database.count("SELECT count(*) FROM fragment_index")
    return counts


def answers(store: EvidenceStore, task_id: str) -> str:
    return json.dumps(materials_json(collect(store, task_id), "en"), sort_keys=True)


def checked(bench: Bench, *claims: str, library: tuple[str, ...] = (LIBRARY,)) -> str:
    return check(bench, CheckRequest(claims, library)).materials.task.task_id


def leave_library(bench: Bench, reader: MemoryReader, *paths: str) -> None:
    """Files are deleted, and the library notices."""
    for path in paths:
        reader.drop(path)
    bench.store.library.mark_removed(LIBRARY, set(reader.documents))


# A life of several tasks


class Life:
    """Documents that copy and cite each other, tasks that share them, and some files that have gone since."""

    def __init__(self, store: EvidenceStore, seed: int) -> None:
        rng, reader = Random(seed), MemoryReader()
        self.store, self.bench = store, make_bench(store, reader)
        self.tasks: list[str] = []
        for _ in range(2):
            for number in range(4):
                if rng.random() < 0.7:
                    reader.put(f"{number}.txt", self._document(rng, number))
            reader.put("always.txt", SENTENCES[rng.randrange(3)])
            for _ in range(rng.randint(1, 2)):
                self.tasks.append(checked(self.bench, *rng.sample(CLAIMS, rng.randint(1, 3))))
            if rng.random() < 0.5:
                search(self.bench, self.tasks[-1], ["sleep in adults"])
            for path in list(reader.documents):
                if rng.random() < 0.5 and not path.endswith("always.txt"):
                    reader.drop(path)
        self.tasks.append(checked(self.bench, rng.choice(CLAIMS)))

    @staticmethod
    def _document(rng: Random, number: int) -> Document:
        text = "\n\n".join(rng.sample(SENTENCES, rng.randint(1, 3)))
        cited = named(f"doi:10.1000/{rng.randrange(4)}") if rng.random() < 0.3 else ()
        return replace(document(text, f"doi:10.1000/{number}"), references=cited, retracted=rng.random() < 0.2)


@settings(max_examples=25)
@given(st.integers(0, 10_000), st.booleans())
def test_deleting_a_task_leaves_every_answer_of_every_other_task_and_the_dry_run_predicts_it(seed: int, hard: bool) -> None:
    with TemporaryDirectory() as folder, open_store(Path(folder), FakeClock(), Random(seed)) as store:
        life = Life(store, seed)
        order = Random(seed).sample(life.tasks, len(life.tasks))
        while order:
            gone = order.pop()
            before, others = everything(store), {task: answers(store, task) for task in order}
            counted = rows(store)
            predicted = delete_task(store, gone, hard=hard, dry_run=True)
            assert everything(store) == before
            done = delete_task(store, gone, hard=hard)
            assert done.deleted == predicted.deleted
            assert {task: answers(store, task) for task in order} == others
            left = rows(store)
            for table, count in done.deleted.items():
                assert counted[table] - left[table] == count - (table == "event_log"), table
            assert faults(store) == []
            if not hard:
                assert set(done.deleted) == OWN
        assert store.tasks.all() == []


@settings(max_examples=10)
@given(st.integers(0, 10_000))
def test_what_lies_in_the_library_is_found_after_all_tasks_were_deleted_hard_as_it_was_before(seed: int) -> None:
    with TemporaryDirectory() as folder, open_store(Path(folder), FakeClock(), Random(seed)) as store:
        life = Life(store, seed)
        in_scope, ledger = store.searching.open_scope([LIBRARY]), store.library.ledger()
        for task in life.tasks:
            delete_task(store, task, hard=True)
        assert store.searching.open_scope([LIBRARY]) == in_scope > 0
        assert [(one.path, one.status, one.fragments) for one in store.library.ledger()] == [
            (one.path, one.status, one.fragments) for one in ledger
        ]
        assert faults(store) == []


# What goes and what stays


def test_a_soft_deletion_touches_nothing_that_is_shared(bench: Bench, reader: MemoryReader) -> None:
    reader.put("a.txt", SENTENCES[0])
    task = checked(bench, CLAIMS[0])
    leave_library(bench, reader, "a.txt")
    before = rows(bench.store)
    delete_task(bench.store, task)
    after = rows(bench.store)
    assert {name for name in before if before[name] != after[name]} <= OWN | {"claim_sums"}


def test_a_hard_deletion_takes_what_only_this_task_needed_with_all_its_traces(bench: Bench, reader: MemoryReader) -> None:
    reader.put("b.txt", SENTENCES[4])
    reader.put("a.txt", SENTENCES[0])
    task = checked(bench, CLAIMS[0])
    leave_library(bench, reader, "a.txt")
    done = delete_task(bench.store, task, hard=True)
    expected = {"pages": 1, "page_versions": 1, "fragments": 1, "extracted_from": 1, "fragment_index": 1, "fragment_vectors": 1}
    assert {table: done.deleted[table] for table in expected} == expected
    assert [row[0] for row in bench.store.database.rows("SELECT fragment_text FROM fragments")] == [SENTENCES[4]]
    assert bench.store.database.count("SELECT count(*) FROM fragment_index WHERE fragment_index MATCH 'trial'") == 0
    assert faults(bench.store) == []
    # The file comes back: it is read as if it had never been there.
    reader.put("a.txt", SENTENCES[0])
    again = collect(bench.store, checked(bench, CLAIMS[0]))
    assert again.claims[0].values.evidence_count == 2


def test_a_document_of_the_library_survives_a_hard_deletion(bench: Bench, reader: MemoryReader) -> None:
    reader.put("a.txt", SENTENCES[0])
    done = delete_task(bench.store, checked(bench, CLAIMS[0]), hard=True)
    assert (done.deleted["edges"], done.deleted["pages"], done.deleted["fragments"]) == (1, 0, 0)


def test_what_another_task_judged_survives_a_hard_deletion(bench: Bench, reader: MemoryReader) -> None:
    reader.put("b.txt", SENTENCES[4])
    reader.put("a.txt", SENTENCES[0])
    first, second = checked(bench, CLAIMS[0]), checked(bench, CLAIMS[0])
    leave_library(bench, reader, "a.txt")
    assert delete_task(bench.store, first, hard=True).deleted["fragments"] == 0
    assert delete_task(bench.store, second, hard=True).deleted["fragments"] == 1


def test_a_page_that_is_part_of_a_citation_survives_a_hard_deletion(bench: Bench, reader: MemoryReader) -> None:
    reader.put("b.txt", SENTENCES[4])
    reader.put("cited.txt", document(SENTENCES[0], "doi:10.1000/cited"))
    reader.put("citing.txt", replace(document(SENTENCES[1], "doi:10.1000/citing"), references=named("doi:10.1000/cited")))
    task = checked(bench, CLAIMS[0])
    leave_library(bench, reader, "cited.txt", "citing.txt")
    done = delete_task(bench.store, task, hard=True)
    # Where a fragment was seen is no reference to it: the pages stay, what was judged on them goes.
    assert (done.deleted["pages"], done.deleted["fragments"]) == (0, 2)
    assert bench.store.database.count("SELECT count(*) FROM cites") == 1


def test_what_a_claim_of_another_task_was_taken_from_survives_a_hard_deletion(bench: Bench, reader: MemoryReader) -> None:
    reader.put("b.txt", SENTENCES[4])
    reader.put("a.txt", SENTENCES[0])
    task = checked(bench, CLAIMS[0])
    other = bench.store.tasks.create("Where from?", None, [])
    origin = bench.store.database.value("SELECT fragment_id FROM fragments WHERE fragment_text = ?", (SENTENCES[0],))
    bench.store.tasks.add_claims(other.task_id, ["Tea helps."], [(str(origin), bench.store.pages.first_page(str(origin)))])
    leave_library(bench, reader, "a.txt")
    done = delete_task(bench.store, task, hard=True)
    assert (done.deleted["pages"], done.deleted["fragments"]) == (0, 0)


def test_one_record_of_the_deletion_survives_and_names_no_content(bench: Bench, reader: MemoryReader) -> None:
    reader.put("a.txt", SENTENCES[0])
    task = checked(bench, CLAIMS[0])
    done = delete_task(bench.store, task, hard=True)
    ((owner, payload),) = bench.store.database.rows("SELECT task_id, payload FROM event_log WHERE event_type = 'task_deleted'")
    assert owner is None
    assert json.loads(str(payload)) == {"task_id": task, "hard": True, "rows": done.deleted}
    assert bench.store.database.count("SELECT count(*) FROM event_log WHERE task_id = ?", (task,)) == 0


# Interruption, repetition and refusal


@pytest.mark.parametrize("dry_run", [False, True])
def test_an_unknown_or_deleted_task_is_named(store: EvidenceStore, dry_run: bool) -> None:
    task = store.tasks.create("Why?", None, []).task_id
    delete_task(store, task)
    before = everything(store)
    with pytest.raises(NotFound, match=task):
        delete_task(store, task, hard=True, dry_run=dry_run)
    assert everything(store) == before


def test_a_deletion_that_is_cut_off_leaves_everything_and_can_be_repeated(bench: Bench, reader: MemoryReader) -> None:
    reader.put("b.txt", SENTENCES[4])
    reader.put("a.txt", SENTENCES[0])
    task = checked(bench, CLAIMS[0])
    leave_library(bench, reader, "a.txt")
    before, predicted = everything(bench.store), delete_task(bench.store, task, hard=True, dry_run=True)
    with pytest.raises(KeyboardInterrupt), bench.store.transaction():
        bench.store.cleanup.delete_task(task, hard=True)
        raise KeyboardInterrupt
    assert everything(bench.store) == before
    assert delete_task(bench.store, task, hard=True).deleted == predicted.deleted


def test_a_task_that_a_living_worker_holds_is_refused_until_it_is_stopped(store: EvidenceStore) -> None:
    task = store.tasks.create("Why?", None, []).task_id
    job = store.jobs.add("check", task)
    store.jobs.acquire(job.job_id, worker_name())
    with pytest.raises(InvalidInput) as refusal:
        delete_task(store, task, dry_run=True)
    assert refusal.value.code == "task_busy"
    store.tasks.stop(task)
    assert delete_task(store, task).deleted["jobs"] == 1


def test_a_job_whose_lease_ran_out_or_whose_worker_is_gone_holds_nothing_up(store: EvidenceStore, clock: FakeClock) -> None:
    host = worker_name().rpartition(":")[0]
    for owner, seconds in (("elsewhere:1", 1_000), (f"{host}:{2**22 + 1}", 0)):
        task = store.tasks.create("Why?", None, []).task_id
        store.jobs.acquire(store.jobs.add("check", task).job_id, owner)
        clock.advance(seconds)
        assert delete_task(store, task).deleted["tasks"] == 1


def test_a_worker_whose_task_is_stopped_and_deleted_meanwhile_writes_nothing_more(bench: Bench, reader: MemoryReader) -> None:
    class DeletingStance(KeywordStance):
        def judge(self, pairs: Sequence[tuple[str, str]]) -> list[Stance]:
            (task,) = bench.store.tasks.all()
            bench.store.tasks.stop(task.task_id)
            delete_task(bench.store, task.task_id)
            return super().judge(pairs)

    reader.put("a.txt", SENTENCES[0])
    with pytest.raises(NotFound):
        checked(replace(bench, stance=DeletingStance()), CLAIMS[0])
    left = rows(bench.store)
    assert (left["tasks"], left["claims"], left["edges"], left["jobs"]) == (0, 0, 0, 0)
    assert faults(bench.store) == []


def test_a_killed_deletion_leaves_all_or_nothing(tmp_path: Path) -> None:
    home = tmp_path / "home"
    with open_store(home, FakeClock(), Random(7)) as store:
        life = Life(store, 3)
        task, before = life.tasks[0], everything(store)
        predicted = delete_task(store, task, hard=True, dry_run=True)
    source = (
        "import os, sys; from pathlib import Path; from random import Random;"
        "from lyra.store.evidence_store import open_store; from tests.fakes import SystemClock;"
        "store = open_store(Path(sys.argv[1]), SystemClock(), Random(1)); store.database.run('PRAGMA cache_spill = 1');"
        "held = store.transaction(); held.__enter__(); store.cleanup.delete_task(sys.argv[2], hard=True); os.kill(os.getpid(), 9)"
    )
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(REPOSITORY / "src"), str(REPOSITORY)])}
    ended = subprocess.run([sys.executable, "-c", source, home, task], check=False, env=environment, capture_output=True)
    assert ended.returncode == -9, ended.stderr
    with open_store(home, FakeClock(), Random(8)) as store:
        assert everything(store) == before
        assert delete_task(store, task, hard=True).deleted == predicted.deleted
        assert faults(store) == []
