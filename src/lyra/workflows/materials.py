"""Materials: what a task has come to, read from its edges at this moment."""

from collections.abc import Sequence

from lyra.core.materials import Materials, assess
from lyra.core.records import ModelInfo, ProviderReport
from lyra.store.evidence_store import EvidenceStore
from lyra.workflows.domain_gate import PolicyGate
from lyra.workflows.ingest import LibraryReport


def collect(
    store: EvidenceStore,
    task_id: str,
    providers: Sequence[ProviderReport] = (),
    models: Sequence[ModelInfo] = (),
    claim_ids: Sequence[str] | None = None,
) -> Materials:
    """Return the claims of a task (or the named ones) with numbers derived from their edges. Writes nothing.

    `providers` is what a run just reported; without it the library is described as its ledger has it now.
    """
    task = store.tasks.get(task_id)
    wanted = None if claim_ids is None else set(claim_ids)
    claims = [claim for claim in store.tasks.claims(task_id) if wanted is None or claim.claim_id in wanted]
    values = store.edges.confidences(task_id)
    evidence = store.evidence.of_claims([claim.claim_id for claim in claims])
    gate = PolicyGate(store)
    blocked = {domain for claim in claims if (domain := claim.origin_domain) and not gate.decide(domain).allowed}
    pages = {page for edges in evidence.values() for edge in edges for page in (edge.page_id, *edge.other_page_ids)}
    return Materials(
        task=task,
        claims=tuple(
            assess(claim, values[claim.claim_id], evidence[claim.claim_id], origin_blocked=claim.origin_domain in blocked)
            for claim in claims
        ),
        providers=tuple(providers) or (library_state(store, task_id),),
        models=tuple(models),
        citations=tuple(store.citations.among(pages)),
    )


def verified_claims(store: EvidenceStore, task_id: str, cause_id: str) -> list[str]:
    """Return the claims of a task that a job added support to and that are verified now."""
    touched = store.edges.claims_supported_by(task_id, cause_id)
    materials = collect(store, task_id, claim_ids=touched).claims if touched else ()
    return [one.claim.claim_id for one in materials if one.verification.status == "verified"]


def library_state(store: EvidenceStore, task_id: str) -> ProviderReport:
    """Return what the ledger holds for the library roots of a task."""
    report = LibraryReport()
    for root in store.tasks.roots(task_id):
        for entry in store.library.ledger(root):
            report.note(entry)
    return report.provider()
