"""Tasks and claims: claims belong to one task, equal text within it is one claim, stopping deletes nothing."""

import pytest

from lyra.core.errors import NotFound
from lyra.core.records import JobStatus, TaskStatus
from lyra.store.evidence_store import EvidenceStore
from tests.contents import contents
from tests.fakes import FakeClock

SLEEP, COFFEE = "Sleep improves memory.", "コーヒーは睡眠を短くする。"


def test_a_task_is_kept_as_it_was_asked(store: EvidenceStore) -> None:
    task = store.tasks.create("Does sleep help?", "It does.", ["/b", "/a"])
    assert store.tasks.get(task.task_id) == task
    assert (task.question, task.hypothesis, task.status) == ("Does sleep help?", "It does.", TaskStatus.ACTIVE)
    assert task.task_id.startswith("task_")


def test_tasks_are_listed_newest_first(store: EvidenceStore) -> None:
    ids = [store.tasks.create(f"question {number}", None, []).task_id for number in range(3)]
    assert [task.task_id for task in store.tasks.all()] == ids[::-1]


def test_claims_keep_the_order_they_were_given_in(store: EvidenceStore) -> None:
    task = store.tasks.create("question", None, [])
    store.tasks.add_claims(task.task_id, [COFFEE, SLEEP])
    store.tasks.add_claims(task.task_id, ["A third."])
    assert [(claim.text, claim.language) for claim in store.tasks.claims(task.task_id)] == [
        (COFFEE, "ja"),
        (SLEEP, "en"),
        ("A third.", "en"),
    ]


def test_equal_texts_within_a_task_are_one_claim(store: EvidenceStore) -> None:
    task = store.tasks.create("question", None, [])
    (first,) = store.tasks.add_claims(task.task_id, [SLEEP, f"  {SLEEP}\n", "Ｓｌｅｅｐ improves\u200b memory."])
    assert store.tasks.add_claims(task.task_id, [SLEEP]) == [first]
    assert store.tasks.get(task.task_id).claim_count == 1


def test_equal_texts_in_two_tasks_are_two_claims(store: EvidenceStore) -> None:
    first, second = (store.tasks.create("question", None, []) for _ in range(2))
    (one,) = store.tasks.add_claims(first.task_id, [SLEEP])
    (other,) = store.tasks.add_claims(second.task_id, [SLEEP])
    assert one.claim_id != other.claim_id
    assert store.tasks.claims(second.task_id) == [other]


def test_claims_of_people_have_no_origin_and_keep_it_that_way(store: EvidenceStore) -> None:
    task = store.tasks.create("question", None, [])
    store.tasks.add_claims(task.task_id, [SLEEP])
    (claim,) = store.tasks.add_claims(task.task_id, [SLEEP], [(None, None)])
    assert (claim.origin_fragment_id, claim.origin_page_id) == (None, None)


def test_a_claim_begins_its_history_when_it_is_found(store: EvidenceStore) -> None:
    task = store.tasks.create("question", None, [])
    (claim,) = store.tasks.add_claims(task.task_id, [SLEEP])
    assert store.database.rows("SELECT claim_id, event_type FROM claim_timeline") == [(claim.claim_id, "found")]


def test_a_query_is_remembered_once(store: EvidenceStore) -> None:
    task = store.tasks.create("question", None, [])
    assert [store.tasks.add_query(task.task_id, text) for text in ("sleep", " sleep ", "coffee")] == [True, False, True]


def test_the_roots_of_a_task_are_those_the_library_still_has(store: EvidenceStore) -> None:
    for root in ("/a", "/b"):
        store.library.add_root(root)
    task = store.tasks.create("question", None, ["/b"])
    store.tasks.add_roots(task.task_id, ["/a", "/b"])
    assert store.tasks.roots(task.task_id) == ["/a", "/b"]
    store.library.remove_root("/a")
    assert store.tasks.roots(task.task_id) == ["/b"]


def test_stopping_a_task_stops_its_jobs_and_deletes_nothing(store: EvidenceStore) -> None:
    task, other = (store.tasks.create(name, None, []) for name in ("stopped", "going on"))
    store.tasks.add_claims(task.task_id, [SLEEP])
    waiting, running, over = (store.jobs.add("check", task.task_id) for _ in range(3))
    elsewhere = store.jobs.add("check", other.task_id)
    store.jobs.acquire(running.job_id, "worker")
    held = store.jobs.acquire(over.job_id, "worker")
    assert held is not None
    store.jobs.finish(held, JobStatus.DONE)
    before = contents(store)
    assert store.tasks.stop(task.task_id).status is TaskStatus.STOPPED
    assert contents(store) == before
    assert [store.jobs.get(job.job_id).status for job in (waiting, running, over, elsewhere)] == [
        JobStatus.STOPPED,
        JobStatus.STOPPED,
        JobStatus.DONE,
        JobStatus.QUEUED,
    ]


def test_stopping_twice_changes_nothing(store: EvidenceStore) -> None:
    task = store.tasks.create("question", None, [])
    stopped = store.tasks.stop(task.task_id)
    assert store.tasks.stop(task.task_id) == stopped
    assert store.database.count("SELECT count(*) FROM event_log WHERE event_type = 'task_stopped'") == 1


def test_events_are_ordered_by_number_although_the_clock_runs_backwards(store: EvidenceStore, clock: FakeClock) -> None:
    first = store.tasks.create("first", None, [])
    clock.advance(-3600)
    second = store.tasks.create("second", None, [])
    rows = store.database.rows("SELECT task_id, created_at FROM event_log ORDER BY event_seq")
    assert [row[0] for row in rows] == [first.task_id, second.task_id]
    assert str(rows[0][1]) > str(rows[1][1])


@pytest.mark.parametrize("look_up", ["task", "claim", "job"])
def test_what_does_not_exist_is_not_found(store: EvidenceStore, look_up: str) -> None:
    finders = {"task": store.tasks.get, "claim": store.tasks.claim, "job": store.jobs.get}
    with pytest.raises(NotFound) as refusal:
        finders[look_up](f"{look_up}_0")
    assert refusal.value.code == f"unknown_{look_up}"


def test_stopping_an_unknown_task_is_refused(store: EvidenceStore) -> None:
    with pytest.raises(NotFound):
        store.tasks.stop("task_0")
