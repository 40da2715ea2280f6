"""Feedback: people give right answers, each with a reason. Nobody sets a number.

Every action is one transaction, effective in the next read of any process, and leaves its trace; the id of the act is
the `cause_id` of all that it changed. Repeating an action leaves the same state.
"""

from collections.abc import Callable
from dataclasses import dataclass, fields

from lyra.core.domain_patterns import check_pattern, matches
from lyra.core.domain_ruling import BLOCK, UNBLOCK
from lyra.core.errors import InvalidInput
from lyra.core.records import Relation
from lyra.core.rejections import BlockRules
from lyra.store.evidence_store import EvidenceStore
from lyra.workflows.blocking import promote, reconsider, settle
from lyra.workflows.materials import collect
from lyra.workflows.reasons import check_reason

# What each action needs, and what else it takes.
_ARGUMENTS = {
    "domain_block": (("domain_pattern", "reason"), ()),
    "domain_unblock": (("domain_pattern", "reason"), ()),
    "domain_clear_override": (("domain_pattern", "reason"), ()),
    "claim_reject": (("claim_id", "reason"), ()),
    "claim_restore": (("claim_id",), ("reason",)),
    "edge_correct": (("edge_id", "correct_relation"), ("reason",)),
}
ACTIONS = tuple(_ARGUMENTS)
_DECISIONS = {"domain_block": BLOCK, "domain_unblock": UNBLOCK}


@dataclass(frozen=True, slots=True)
class FeedbackRequest:
    """What a person says. Each action takes its own arguments and no others."""

    action: str
    domain_pattern: str | None = None
    claim_id: str | None = None
    edge_id: str | None = None
    correct_relation: str | None = None
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class FeedbackAnswer:
    """What became of it. `request` is as it was understood; `undo` takes it back, where that can be done.

    `changed` is False when everything was so already; then nothing was written and `cause_id` is None. `domains` are the
    hosts whose standing changed with it.
    """

    request: FeedbackRequest
    changed: bool
    cause_id: str | None = None
    task_id: str | None = None
    domains: tuple[str, ...] = ()
    undo: FeedbackRequest | None = None


@dataclass(frozen=True, slots=True)
class Governance:
    """What feedback works with: the store, the rules of automatic blocks, and what is a public suffix."""

    store: EvidenceStore
    rules: BlockRules
    is_public_suffix: Callable[[str], bool]


def give_feedback(governance: Governance, request: FeedbackRequest) -> FeedbackAnswer:
    """Do what a person says, whole or not at all.

    Raises InvalidInput, with nothing written, for an unknown action, an argument that is missing, unfit or not its
    own, and NotFound for an unknown claim or edge.
    """
    checked = _checked(governance, request)
    act = _ACTS[checked.action]
    with governance.store.transaction():
        return act(governance, checked)


def _checked(governance: Governance, request: FeedbackRequest) -> FeedbackRequest:
    if request.action not in _ARGUMENTS:
        raise InvalidInput("unknown_action", action=request.action, actions=", ".join(ACTIONS))
    needed, optional = _ARGUMENTS[request.action]
    given = {one.name: getattr(request, one.name) for one in fields(request) if one.name != "action"}
    for name, value in given.items():
        if name in needed and not value and name != "reason":
            raise InvalidInput("feedback_needs", action=request.action, name=name)
        if value is not None and name not in (*needed, *optional):
            raise InvalidInput("feedback_takes_no", action=request.action, name=name)
    pattern = request.domain_pattern
    if request.correct_relation is not None and request.correct_relation not in list(Relation):
        raise InvalidInput("bad_correct_relation", relation=request.correct_relation)
    return FeedbackRequest(
        request.action,
        domain_pattern=None if pattern is None else check_pattern(pattern, governance.is_public_suffix),
        claim_id=request.claim_id,
        edge_id=request.edge_id,
        correct_relation=request.correct_relation,
        reason=check_reason(request.reason) if "reason" in needed or (request.reason or "").strip() else None,
    )


def _override(governance: Governance, request: FeedbackRequest) -> FeedbackAnswer:
    store, pattern, reason = governance.store, str(request.domain_pattern), str(request.reason)
    decision, known = _DECISIONS[request.action], store.overrides.of_pattern(pattern)
    if known is not None and (known.decision, known.reason) == (decision, reason):
        return FeedbackAnswer(request, changed=False)
    cause_id = store.new_id("feedback")
    store.overrides.set(pattern, decision, reason, cause_id)
    undo = FeedbackRequest("domain_clear_override", domain_pattern=pattern, reason=reason)
    if known is not None:
        undo = FeedbackRequest(f"domain_{known.decision}", domain_pattern=pattern, reason=known.reason)
    return FeedbackAnswer(request, True, cause_id, domains=_settle(store, pattern, cause_id), undo=undo)


def _clear_override(governance: Governance, request: FeedbackRequest) -> FeedbackAnswer:
    store, pattern = governance.store, str(request.domain_pattern)
    known = store.overrides.of_pattern(pattern)
    if known is None:
        return FeedbackAnswer(request, changed=False)
    cause_id = store.new_id("feedback")
    store.overrides.clear(known, str(request.reason), cause_id)
    undo = FeedbackRequest(f"domain_{known.decision}", domain_pattern=pattern, reason=known.reason)
    return FeedbackAnswer(request, True, cause_id, domains=_settle(store, pattern, cause_id), undo=undo)


def _settle(store: EvidenceStore, pattern: str, cause_id: str) -> tuple[str, ...]:
    before = store.domains.all()
    settle(store, [domain for domain in before if matches(pattern, domain)], cause_id)
    after = store.domains.all()
    return tuple(sorted(domain for domain in before if before[domain] != after[domain]))


def _reject(governance: Governance, request: FeedbackRequest) -> FeedbackAnswer:
    store, claim_id, reason = governance.store, str(request.claim_id), str(request.reason)
    before = store.corrections.rejection_of(claim_id)
    if before == reason:
        return FeedbackAnswer(request, changed=False, task_id=store.tasks.claim(claim_id).task_id)
    cause_id = store.new_id("feedback")
    store.corrections.reject(claim_id, reason, cause_id)
    undo = FeedbackRequest("claim_restore", claim_id=claim_id)
    if before is not None:
        undo = FeedbackRequest("claim_reject", claim_id=claim_id, reason=before)
    return _of_claim(governance, request, cause_id, rejected=True, undo=undo)


def _restore(governance: Governance, request: FeedbackRequest) -> FeedbackAnswer:
    store, claim_id = governance.store, str(request.claim_id)
    before = store.corrections.rejection_of(claim_id)
    if before is None:
        return FeedbackAnswer(request, changed=False, task_id=store.tasks.claim(claim_id).task_id)
    cause_id = store.new_id("feedback")
    store.corrections.restore(claim_id, request.reason, cause_id)
    undo = FeedbackRequest("claim_reject", claim_id=claim_id, reason=before)
    return _of_claim(governance, request, cause_id, rejected=False, undo=undo)


def _of_claim(
    governance: Governance, request: FeedbackRequest, cause_id: str, *, rejected: bool, undo: FeedbackRequest
) -> FeedbackAnswer:
    """Count the claim against the domains it was extracted from, or no longer; a claim that a person wrote has none."""
    store, claim_id = governance.store, str(request.claim_id)
    domains = store.blocks.reject(claim_id, rejected=rejected)
    moved = reconsider(store, governance.rules, domains, cause_id)
    return FeedbackAnswer(request, True, cause_id, store.tasks.claim(claim_id).task_id, tuple(moved), undo)


def _correct(governance: Governance, request: FeedbackRequest) -> FeedbackAnswer:
    """Correct an edge. Always a change: also the same answer given again is one more answer, and kept as such."""
    store = governance.store
    edge = store.corrections.edge(str(request.edge_id))
    cause_id = store.new_id("feedback")
    store.corrections.correct(edge, Relation(str(request.correct_relation)), request.reason, cause_id)
    (material,) = collect(store, edge.task_id, claim_ids=[edge.claim_id]).claims
    verified = [edge.claim_id] if material.verification.status == "verified" else []
    return FeedbackAnswer(request, True, cause_id, edge.task_id, tuple(promote(store, verified, cause_id)))


_ACTS: dict[str, Callable[[Governance, FeedbackRequest], FeedbackAnswer]] = {
    "domain_block": _override,
    "domain_unblock": _override,
    "domain_clear_override": _clear_override,
    "claim_reject": _reject,
    "claim_restore": _restore,
    "edge_correct": _correct,
}
