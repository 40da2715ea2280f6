"""Running jobs: from wherever they were left, by one worker at a time, and stopped when the task is."""

import os
import socket
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace

import pytest

from lyra.core.errors import InvalidInput, ModelError
from lyra.core.ports import Step
from lyra.core.records import JobStatus, Stance, TaskStatus
from lyra.store.evidence_store import EvidenceStore
from lyra.workflows.bench import Bench
from lyra.workflows.check import CheckRequest, check
from lyra.workflows.jobs import holder_is_gone, resume_jobs, run_job, worker_name
from tests.contents import contents
from tests.fakes import LIBRARY, FakeClock, KeywordStance, MemoryReader, SilentStep

CLAIMS = ("Daily walking lowers blood pressure.", "Sleep improves memory.", "Coffee shortens sleep.")
TEXTS = ("Daily walking lowers blood pressure in adults.", "Sleep improves memory.", "Coffee shortens sleep in students.")


@pytest.fixture(autouse=True)
def library(reader: MemoryReader) -> None:
    for number, text in enumerate(TEXTS):
        reader.put(f"{number}.txt", text)


def queued(store: EvidenceStore) -> str:
    """A check that was asked for and not begun."""
    store.library.add_root(LIBRARY)
    task = store.tasks.create("question", None, [LIBRARY])
    store.tasks.add_claims(task.task_id, CLAIMS)
    return store.jobs.add("check", task.task_id, '{"reread": false}').job_id


class FailingStance(KeywordStance):
    """Works for the first claims, then fails as it is told to."""

    def __init__(self, failure: BaseException, after: int) -> None:
        super().__init__()
        self._failure, self._left = failure, after

    def judge(self, pairs: Sequence[tuple[str, str]]) -> list[Stance]:
        if not self._left:
            raise self._failure
        self._left -= 1
        return super().judge(pairs)


@dataclass(frozen=True, slots=True)
class Stopper:
    """A progress display at which somebody stops the task, after some steps of one phase."""

    store: EvidenceStore
    phase: str
    after: int

    @contextmanager
    def track(self, code: str, total: int | None) -> Iterator[Step]:
        yield _StoppingStep(self) if code == self.phase else SilentStep()


class _StoppingStep:
    def __init__(self, stopper: Stopper) -> None:
        self._stopper, self._seen = stopper, 0

    def advance(self, by: int = 1) -> None:
        self._seen += 1
        if self._seen == self._stopper.after:
            for task in self._stopper.store.tasks.all():
                self._stopper.store.tasks.stop(task.task_id)


# To the end


def test_a_queued_job_is_run_to_its_end(bench: Bench) -> None:
    job_id = queued(bench.store)
    outcome = run_job(bench, job_id)
    assert outcome is not None
    assert (outcome.job_id, outcome.status, outcome.new_edges) == (job_id, JobStatus.DONE, 9)
    job = bench.store.jobs.get(job_id)
    assert (job.status, job.done, job.total, job.lease_owner) == (JobStatus.DONE, 3, 3, None)


def test_a_job_that_is_over_is_not_run_again(bench: Bench) -> None:
    job_id = queued(bench.store)
    run_job(bench, job_id)
    assert run_job(bench, job_id) is None


def test_a_job_somebody_else_holds_is_left_to_him(bench: Bench) -> None:
    job_id = queued(bench.store)
    held = bench.store.jobs.acquire(job_id, "another machine:42")
    assert run_job(bench, job_id) is None
    assert bench.store.jobs.get(job_id) == held


def test_all_waiting_jobs_are_worked_off(bench: Bench) -> None:
    jobs = [queued(bench.store) for _ in range(3)]
    assert [outcome.job_id for outcome in resume_jobs(bench)] == jobs
    assert resume_jobs(bench) == []


# Interruptions


def test_an_interrupted_job_waits_and_is_resumed_where_it_was_left(bench: Bench) -> None:
    job_id = queued(bench.store)
    with pytest.raises(KeyboardInterrupt):
        run_job(replace(bench, stance=FailingStance(KeyboardInterrupt(), after=1)), job_id)
    assert bench.store.jobs.get(job_id).status is JobStatus.QUEUED
    assert len(contents(bench.store).edges) == 3
    model = KeywordStance()
    (outcome,) = resume_jobs(replace(bench, stance=model))
    assert (outcome.status, outcome.new_edges) == (JobStatus.DONE, 6)
    assert len(model.judged) == 6


def test_a_failure_is_kept_with_the_job_and_told(bench: Bench) -> None:
    job_id = queued(bench.store)
    with pytest.raises(ModelError):
        run_job(replace(bench, stance=FailingStance(ModelError("weights_missing", file="x"), after=2)), job_id)
    job = bench.store.jobs.get(job_id)
    assert (job.status, job.error) == (JobStatus.FAILED, "weights_missing")
    assert len(contents(bench.store).edges) == 6


def test_a_failed_job_is_told_and_keeps_no_other_from_running(bench: Bench) -> None:
    jobs = [queued(bench.store) for _ in range(2)]
    broken = FailingStance(ModelError("weights_missing", file="x"), after=0)
    first, second = resume_jobs(replace(bench, stance=broken))
    assert [first.job_id, second.job_id] == jobs
    assert {first.failure and first.failure.code, second.failure and second.failure.code} == {"weights_missing"}
    assert [outcome.status for outcome in resume_jobs(bench)] == [JobStatus.DONE, JobStatus.DONE]


def test_a_fault_of_ours_leaves_no_job_looking_busy(bench: Bench) -> None:
    job_id = queued(bench.store)
    with pytest.raises(ZeroDivisionError):
        run_job(replace(bench, stance=FailingStance(ZeroDivisionError(), after=0)), job_id)
    job = bench.store.jobs.get(job_id)
    assert (job.status, job.error, job.lease_owner) == (JobStatus.FAILED, "internal_error", None)


def test_a_job_of_a_worker_that_died_is_resumed_at_once(bench: Bench) -> None:
    job_id = queued(bench.store)
    died = subprocess.run([sys.executable, "-c", "import os; print(os.getpid())"], capture_output=True, text=True, check=True)
    bench.store.jobs.acquire(job_id, f"{socket.gethostname()}:{died.stdout.strip()}")
    (outcome,) = resume_jobs(bench)
    assert (outcome.job_id, outcome.status) == (job_id, JobStatus.DONE)
    assert bench.store.jobs.get(job_id).attempts == 2


def test_a_job_whose_lease_ran_out_is_resumed(bench: Bench, clock: FakeClock) -> None:
    job_id = queued(bench.store)
    bench.store.jobs.acquire(job_id, "another machine:42")
    clock.advance(3600)
    (outcome,) = resume_jobs(bench)
    assert outcome.status is JobStatus.DONE


def test_who_is_overtaken_stops_writing(bench: Bench, clock: FakeClock) -> None:
    job_id = queued(bench.store)

    class Overtaken(KeywordStance):
        """While this one thinks, its lease runs out and another worker does the whole job."""

        def judge(self, pairs: Sequence[tuple[str, str]]) -> list[Stance]:
            clock.advance(3600)
            finished = run_job(replace(bench, owner="faster:1"), job_id)
            assert finished is not None
            return super().judge(pairs)

    outcome = run_job(replace(bench, stance=Overtaken(version="other")), job_id)
    assert outcome is not None
    assert (outcome.status, outcome.new_edges) == (JobStatus.DONE, 0)
    versions = bench.store.database.rows("SELECT DISTINCT nli_model_version FROM edges")
    assert (len(contents(bench.store).edges), versions) == (9, [("1",)])


# Stopping


@pytest.mark.parametrize(
    ("phase", "after", "edges"), [("progress.reading", 1, 0), ("progress.embedding", 1, 0), ("progress.judging", 2, 6)]
)
def test_stopping_the_task_stops_the_run_and_keeps_what_was_done(bench: Bench, phase: str, after: int, edges: int) -> None:
    job_id = queued(bench.store)
    outcome = run_job(replace(bench, progress=Stopper(bench.store, phase, after)), job_id)
    assert outcome is not None
    assert (outcome.status, outcome.new_edges) == (JobStatus.STOPPED, 0)
    assert len(contents(bench.store).edges) == edges
    assert bench.store.jobs.get(job_id).status is JobStatus.STOPPED
    assert resume_jobs(bench) == []


def test_a_check_that_is_stopped_still_shows_what_it_found(bench: Bench) -> None:
    stopping = replace(bench, progress=Stopper(bench.store, "progress.judging", 1))
    result = check(stopping, CheckRequest(CLAIMS, (LIBRARY,)))
    assert result.outcome.status is JobStatus.STOPPED
    assert result.materials.task.status is TaskStatus.STOPPED
    assert [len(material.evidence) for material in result.materials.claims] == [3, 0, 0]


# Libraries that went away


def test_a_job_without_any_library_left_fails_with_the_reason(bench: Bench) -> None:
    job_id = queued(bench.store)
    bench.store.library.remove_root(LIBRARY)
    with pytest.raises(InvalidInput) as refusal:
        run_job(bench, job_id)
    assert refusal.value.code == "no_library"
    assert bench.store.jobs.get(job_id).status is JobStatus.FAILED


# Workers


def test_a_worker_signs_with_its_machine_and_process() -> None:
    assert worker_name() == f"{socket.gethostname()}:{os.getpid()}"


@pytest.mark.parametrize("owner", [None, "", "nobody", "another machine:1", ":1"])
def test_nobody_elsewhere_is_declared_gone(owner: str | None) -> None:
    assert not holder_is_gone(owner)


@pytest.mark.parametrize("process", ["x", "1", str(os.getppid())], ids=["no number", "the first", "the parent"])
def test_nobody_is_declared_gone_while_he_runs(process: str) -> None:
    assert not holder_is_gone(f"{socket.gethostname()}:{process}")
    assert not holder_is_gone(worker_name())


def test_a_process_that_ended_is_gone() -> None:
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    assert holder_is_gone(f"{socket.gethostname()}:{ended.pid}")
