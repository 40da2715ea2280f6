"""The lens on claims that do not stand: every one with its reason and with what would bring it back."""

from collections.abc import Mapping
from typing import Any

import pytest

from lyra.core.page_safety import Finding
from lyra.core.rejections import BlockRules
from lyra.providers.public_suffixes import is_public_suffix
from lyra.store.evidence_store import EvidenceStore
from lyra.workflows.bench import Bench
from lyra.workflows.check import CheckRequest, check, search
from lyra.workflows.feedback import FeedbackRequest, Governance, give_feedback
from lyra.workflows.lens import look_through
from lyra.workflows.materials import collect
from lyra.workflows.quarantine import quarantine
from tests.fakes import LIBRARY, MemoryReader, TextPolicy, document

HOST = "blog.example.net"
CLAIM = "Daily walking lowers blood pressure in adults."


def items(store: EvidenceStore, task_id: str) -> dict[str, Mapping[str, Any]]:
    return {str(item["claim_id"]): item for item in look_through(store, "not_adopted", task_id).items}


def conditions(item: Mapping[str, Any]) -> list[str]:
    return [condition["code"] for condition in item["recovery"]["conditions"]]


def give(store: EvidenceStore, action: str, **arguments: str) -> None:
    give_feedback(Governance(store, BlockRules(), is_public_suffix), FeedbackRequest(action, **arguments))


@pytest.fixture
def task(bench: Bench, reader: MemoryReader) -> str:
    """A task with claims that were extracted from a blog, one source for and one against each."""
    reader.put("a.txt", document("Daily walking lowers blood pressure in adults.", f"url:https://{HOST}/1"))
    reader.put("b.txt", document("Daily walking never lowers blood pressure in adults.", "url:https://other.example.org/1"))
    bench.store.library.add_root(LIBRARY)
    made = bench.store.tasks.create("walking", None, [LIBRARY])
    search(bench, made.task_id, ["walking lowers blood pressure"])
    return made.task_id


def extracted(store: EvidenceStore, task_id: str) -> str:
    return next(claim.claim_id for claim in store.tasks.claims(task_id) if claim.origin_domain == HOST)


def test_a_pending_claim_tells_how_many_sources_it_lacks(bench: Bench, reader: MemoryReader) -> None:
    reader.put("a.txt", document("Daily walking lowers blood pressure in adults.", f"url:https://{HOST}/1"))
    bench.store.library.add_root(LIBRARY)
    task_id = check(bench, CheckRequest((CLAIM,))).materials.task.task_id
    (item,) = items(bench.store, task_id).values()
    assert (item["status"], item["reason"], item["source_domain"], item["rejected_at"]) == (
        "pending",
        "insufficient_evidence",
        None,
        None,
    )
    assert conditions(item) == ["more_sources"]
    assert item["recovery"]["required_independent_sources"] == 1
    reader.put("b.txt", document("We found that daily walking lowers blood pressure in adults.", "url:https://x.example.org/1"))
    search(bench, task_id, ["nothing of the kind"])
    material = next(one for one in collect(bench.store, task_id).claims if one.claim.text == CLAIM)
    assert material.verification.status == "verified"
    assert material.claim.claim_id not in items(bench.store, task_id)


def test_a_claim_with_conflicting_evidence_names_the_claims_against_it(bench: Bench, task: str) -> None:
    found = items(bench.store, task)
    item = found[extracted(bench.store, task)]
    others = {claim.claim_id for claim in bench.store.tasks.claims(task) if claim.origin_domain == "other.example.org"}
    assert set(item["recovery"]["blocking_claims"]) == others != set()
    assert "refutation_gone" in conditions(item)


def test_a_rejected_claim_comes_back_by_a_person_only(bench: Bench, task: str) -> None:
    claim_id = extracted(bench.store, task)
    give(bench.store, "claim_reject", claim_id=claim_id, reason="too vague")
    item = items(bench.store, task)[claim_id]
    assert (item["status"], item["reason"], item["reason_detail"]) == ("rejected", "manual", "too vague")
    assert item["rejected_at"] is not None
    assert conditions(item)[0] == "claim_restore"
    assert item["recovery"]["is_recoverable"]


@pytest.mark.parametrize(
    ("policy", "pattern", "reason", "expected"),
    [
        ("", HOST, "manual", ["override_clear", "domain_unblock"]),
        (f"denylist: [{{domain: {HOST}, reason: spam}}]\n", None, "denylist", ["denylist_edit", "domain_unblock"]),
    ],
)
def test_a_claim_of_a_blocked_domain_tells_how_to_unblock_it(  # noqa: PLR0913, PLR0917 - a table
    bench: Bench, task: str, policy: str, pattern: str | None, reason: str, expected: list[str]
) -> None:
    bench.store.policy = TextPolicy(policy)
    if pattern:
        give(bench.store, "domain_block", domain_pattern=pattern, reason="spam")
    item = items(bench.store, task)[extracted(bench.store, task)]
    assert (item["status"], item["reason"], item["reason_detail"]) == ("blocked", reason, "spam")
    assert (item["source_domain"], item["source_domain_category"]) == (HOST, "unverified")
    assert conditions(item)[:2] == expected


def test_a_claim_of_a_dangerous_page_tells_which_page_to_release(bench: Bench, task: str) -> None:
    claim_id = extracted(bench.store, task)
    page_id = str(bench.store.tasks.claim(claim_id).origin_page_id)
    quarantine(bench.store, BlockRules(dangerous_min_pages=1), page_id, [Finding("instruction", "visible", "x")], "job_1")
    item = items(bench.store, task)[claim_id]
    assert (item["status"], item["reason"]) == ("rejected", "dangerous_pattern")
    assert conditions(item)[:2] == ["page_release", "domain_unblock"]


def test_every_claim_that_does_not_stand_has_conditions(bench: Bench, task: str) -> None:
    give(bench.store, "claim_reject", claim_id=extracted(bench.store, task), reason="no")
    give(bench.store, "domain_block", domain_pattern="other.example.org", reason="no")
    standing = {one.claim.claim_id for one in collect(bench.store, task).claims if one.verification.status == "verified"}
    found = items(bench.store, task)
    assert set(found) == {claim.claim_id for claim in bench.store.tasks.claims(task)} - standing
    assert all(conditions(item) and item["recovery"]["is_recoverable"] for item in found.values())
    assert {name for item in found.values() for name in item} == {
        "claim_id",
        "text",
        "source_domain",
        "source_domain_category",
        "status",
        "reason",
        "reason_detail",
        "rejected_at",
        "recovery",
    }
