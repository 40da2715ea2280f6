"""Jobs: one holder at a time; who lost the lease cannot write any more."""

import pytest

from lyra.core.errors import LeaseLost
from lyra.core.records import Job, JobStatus
from lyra.store.evidence_store import EvidenceStore
from lyra.store.jobs import LEASE_SECONDS, MAX_ATTEMPTS
from tests.fakes import FakeClock


@pytest.fixture
def job(store: EvidenceStore) -> Job:
    return store.jobs.add("check", store.tasks.create("question", None, []).task_id, '{"reread": false}')


def acquired(store: EvidenceStore, job: Job, owner: str) -> Job:
    held = store.jobs.acquire(job.job_id, owner)
    assert held is not None
    return held


def test_a_new_job_waits_without_a_holder(job: Job) -> None:
    assert (job.status, job.fencing_token, job.attempts, job.lease_owner) == (JobStatus.QUEUED, 0, 0, None)
    assert job.payload == '{"reread": false}'


def test_the_first_to_ask_gets_the_job(store: EvidenceStore, job: Job) -> None:
    held = acquired(store, job, "ann")
    assert (held.status, held.fencing_token, held.attempts, held.lease_owner) == (JobStatus.RUNNING, 1, 1, "ann")
    assert store.jobs.acquire(job.job_id, "bob") is None
    assert store.jobs.get(job.job_id) == held


def test_a_lease_that_ran_out_is_taken_over_with_a_new_token(store: EvidenceStore, job: Job, clock: FakeClock) -> None:
    acquired(store, job, "ann")
    clock.advance(LEASE_SECONDS - 1)
    assert store.jobs.acquire(job.job_id, "bob") is None
    clock.advance(2)
    taken = acquired(store, job, "bob")
    assert (taken.fencing_token, taken.attempts, taken.lease_owner) == (2, 2, "bob")


def test_every_guarded_write_extends_the_lease(store: EvidenceStore, job: Job, clock: FakeClock) -> None:
    held = acquired(store, job, "ann")
    for _ in range(5):
        clock.advance(LEASE_SECONDS - 1)
        store.jobs.guard(held)
    assert store.jobs.acquire(job.job_id, "bob") is None


def test_a_holder_known_to_be_gone_is_replaced_at_once(store: EvidenceStore, job: Job) -> None:
    acquired(store, job, "ann")
    taken = store.jobs.acquire(job.job_id, "bob", gone_owner="ann")
    assert taken is not None
    assert taken.fencing_token == 2


def test_who_took_over_in_the_meantime_is_left_alone(store: EvidenceStore, job: Job) -> None:
    acquired(store, job, "ann")
    assert store.jobs.acquire(job.job_id, "bob", gone_owner="ann") is not None
    assert store.jobs.acquire(job.job_id, "eve", gone_owner="ann") is None
    assert store.jobs.get(job.job_id).lease_owner == "bob"


def test_the_old_holder_cannot_write_after_a_take_over(store: EvidenceStore, job: Job, clock: FakeClock) -> None:
    old = acquired(store, job, "ann")
    clock.advance(LEASE_SECONDS + 1)
    new = acquired(store, job, "bob")
    with pytest.raises(LeaseLost) as refusal, store.transaction():
        store.tasks.create("written too late", None, [])
        store.jobs.guard(old)
    assert refusal.value.code == "lease_lost"
    assert [task.question for task in store.tasks.all()] == ["question"]
    with store.transaction():
        store.jobs.guard(new)
        store.tasks.create("written in time", None, [])
    assert len(store.tasks.all()) == 2


def test_the_holder_cannot_write_after_its_task_was_stopped(store: EvidenceStore, job: Job) -> None:
    held = acquired(store, job, "ann")
    assert held.task_id is not None
    store.tasks.stop(held.task_id)
    with pytest.raises(LeaseLost):
        store.jobs.guard(held)


def test_the_same_worker_with_an_old_token_is_refused(store: EvidenceStore, job: Job, clock: FakeClock) -> None:
    old = acquired(store, job, "ann")
    clock.advance(LEASE_SECONDS + 1)
    acquired(store, job, "ann")
    with pytest.raises(LeaseLost):
        store.jobs.guard(old)


def test_progress_is_noted_with_the_write_and_kept(store: EvidenceStore, job: Job) -> None:
    held = acquired(store, job, "ann")
    store.jobs.guard(held, 2, 5)
    store.jobs.guard(held)
    assert (store.jobs.get(job.job_id).done, store.jobs.get(job.job_id).total) == (2, 5)


@pytest.mark.parametrize("end", [JobStatus.DONE, JobStatus.STOPPED])
def test_a_finished_job_is_never_taken_again(store: EvidenceStore, job: Job, clock: FakeClock, end: JobStatus) -> None:
    store.jobs.finish(acquired(store, job, "ann"), end, "reason")
    clock.advance(LEASE_SECONDS * 10)
    assert store.jobs.acquire(job.job_id, "bob") is None
    assert store.jobs.waiting() == []
    over = store.jobs.get(job.job_id)
    assert (over.status, over.error, over.lease_owner, over.lease_expires_at) == (end, "reason", None, None)


def test_a_failed_job_waits_to_be_tried_again_but_not_for_ever(store: EvidenceStore, job: Job) -> None:
    for attempt in range(1, MAX_ATTEMPTS + 1):
        assert [waiting.job_id for waiting in store.jobs.waiting()] == [job.job_id]
        held = acquired(store, job, "ann")
        assert (held.attempts, held.error) == (attempt, None)
        store.jobs.finish(held, JobStatus.FAILED, "disk_full")
        assert store.jobs.get(job.job_id).error == "disk_full"
    assert store.jobs.waiting() == []


def test_a_failed_job_of_a_stopped_task_does_not_wait(store: EvidenceStore, job: Job) -> None:
    store.jobs.finish(acquired(store, job, "ann"), JobStatus.FAILED, "reason")
    store.tasks.stop(str(job.task_id))
    assert store.jobs.waiting() == []


def test_an_interrupted_job_waits_again(store: EvidenceStore, job: Job) -> None:
    store.jobs.finish(acquired(store, job, "ann"), JobStatus.QUEUED)
    assert acquired(store, job, "bob").fencing_token == 2


def test_who_lost_a_job_cannot_end_it(store: EvidenceStore, job: Job, clock: FakeClock) -> None:
    old = acquired(store, job, "ann")
    clock.advance(LEASE_SECONDS + 1)
    new = acquired(store, job, "bob")
    store.jobs.finish(old, JobStatus.FAILED, "too late")
    assert store.jobs.get(job.job_id) == new
    assert store.database.count("SELECT count(*) FROM event_log WHERE event_type = 'job_failed'") == 0
    store.jobs.finish(new, JobStatus.DONE)
    assert store.database.count("SELECT count(*) FROM event_log WHERE event_type = 'job_done'") == 1


def test_unfinished_jobs_are_listed_oldest_first(store: EvidenceStore, job: Job) -> None:
    assert job.task_id is not None
    second, third = (store.jobs.add("search", job.task_id) for _ in range(2))
    store.jobs.finish(acquired(store, second, "ann"), JobStatus.DONE)
    acquired(store, third, "ann")
    assert [found.job_id for found in store.jobs.unfinished()] == [job.job_id, third.job_id]
    assert [found.job_id for found in store.jobs.of_task(job.task_id)] == [job.job_id, second.job_id, third.job_id]
