"""Materials: what a task has come to, read from its edges at this moment."""

from collections.abc import Sequence

from lyra.core.materials import Materials, assess
from lyra.core.records import ModelInfo, ProviderReport
from lyra.store.evidence_store import EvidenceStore
from lyra.workflows.ingest import LibraryReport
from lyra.workflows.ingest_records import known_records


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
    pages = {page for edges in evidence.values() for edge in edges for page in (edge.page_id, *edge.other_page_ids)}
    return Materials(
        task=task,
        claims=tuple(assess(claim, values[claim.claim_id], evidence[claim.claim_id]) for claim in claims),
        providers=tuple(providers) or (library_state(store, task_id),),
        models=tuple(models),
        citations=tuple(store.citations.among(pages)),
    )


def library_state(store: EvidenceStore, task_id: str) -> ProviderReport:
    """Return what the ledger holds for the library roots of a task."""
    report = LibraryReport()
    for root in store.tasks.roots(task_id):
        for entry in store.library.ledger(root):
            report.note(entry)
            report.note_records(known_records(store, root, entry.path, entry.params))
    return report.provider()
