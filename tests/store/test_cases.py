"""Kept cases: nothing is overwritten, and every label and decision says who, when and why."""

import pytest

from lyra.core.case_records import Adjudication, KeptAnnotation
from lyra.core.errors import NotFound
from lyra.store.evidence_store import EvidenceStore


def label(value: str | None, rater: str = "Ann", unit: str = "a", field: str = "outcome") -> KeptAnnotation:
    return KeptAnnotation(unit, field, rater, value, 2.5, "seen in the filing")


def test_a_case_that_is_saved_again_keeps_what_it_was(store: EvidenceStore) -> None:
    assert store.cases.save("a", "1", "validate", "Ann", "first look")
    assert store.cases.save("a", "2", "check")
    assert not store.cases.save("a", "2", "check")
    assert store.cases.get("a").content == "2"
    kept = [(one.content, one.made_by, one.saved_by, one.reason) for one in store.cases.revisions("a")]
    assert kept == [("1", "validate", "Ann", "first look"), ("2", "check", None, None)]
    assert [one.case_id for one in store.cases.all()] == ["a"]


def test_a_case_that_is_not_kept_is_not_found(store: EvidenceStore) -> None:
    assert store.cases.find("a") is None
    with pytest.raises(NotFound, match="No case a is kept"):
        store.cases.get("a")


def test_the_task_of_a_case_is_forgotten_when_the_task_is_deleted(store: EvidenceStore) -> None:
    task = store.tasks.create("Why?", None, [])
    store.cases.save("a", "1", "check")
    store.cases.set_task("a", task.task_id)
    assert store.cases.get("a").task_id == task.task_id
    store.cleanup.delete_task(task.task_id, hard=True)
    assert store.cases.get("a").task_id is None


def test_of_a_rater_the_newest_label_counts_and_all_are_kept(store: EvidenceStore) -> None:
    assert store.cases.annotate([label("Success"), label("Success"), label("Mixed", "Bob")]) == 2
    assert store.cases.annotate([label("Failure"), label("Failure")]) == 1
    assert store.cases.annotate([label("Success")]) == 1
    newest = {(one.rater, one.value) for one in store.cases.annotations()}
    assert newest == {("Ann", "Success"), ("Bob", "Mixed")}
    history = [(one.rater, one.value, one.reason, one.lead_time) for one in store.cases.annotations("a", history=True)]
    assert [one[:2] for one in history] == [("Ann", "Success"), ("Bob", "Mixed"), ("Ann", "Failure"), ("Ann", "Success")]
    assert {one[2:] for one in history} == {("seen in the filing", 2.5)}


def test_a_label_that_is_taken_back_is_one_without_value(store: EvidenceStore) -> None:
    store.cases.annotate([label("Success")])
    assert store.cases.annotate([label(None), label(None)]) == 1
    assert [one.value for one in store.cases.annotations()] == [None]


def test_the_labels_of_a_case_are_those_of_its_sources_too_and_of_no_other_case(store: EvidenceStore) -> None:
    units = ["a%_", "a%_#source:x", "a%_#claim:1", "abc#source:x", "a%_b"]
    store.cases.annotate([label("v", unit=unit) for unit in units])
    assert [one.unit for one in store.cases.annotations("a%_")] == units[:3]


def test_of_decisions_the_newest_counts_and_all_are_kept(store: EvidenceStore) -> None:
    store.cases.adjudicate(Adjudication("a", "outcome", "Mixed", "Cleo", "two of three", "Success", 0.7))
    store.cases.adjudicate(Adjudication("a", "outcome", "Success", "Cleo", "read it again"))
    (newest,) = store.cases.adjudications("a")
    assert (newest.value, newest.decided_by, newest.reason, newest.proposed_probability) == (
        "Success",
        "Cleo",
        "read it again",
        None,
    )
    first, _ = store.cases.adjudications(history=True)
    assert (first.value, first.proposed_value, first.proposed_probability) == ("Mixed", "Success", 0.7)
    assert first.created_at is not None
