"""Materials: what a task has come to, read from its edges at this moment; whole, or page by page."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from lyra.core.confidence import Confidence
from lyra.core.errors import InvalidInput, NotFound
from lyra.core.materials import ClaimMaterial, Materials, assess
from lyra.core.paging import ADDED, MAX_PAGE, Cursor, check_order, choose_evidence, read_cursor, write_cursor
from lyra.core.records import Claim, Evidence, ModelInfo, ProviderReport, Task
from lyra.store.evidence_store import EvidenceStore
from lyra.workflows.domain_gate import PolicyGate
from lyra.workflows.ingest import LibraryReport
from lyra.workflows.ingest_records import known_records


@dataclass(frozen=True, slots=True)
class PageRequest:
    """Which claims of a task to show. `after` is the cursor of the page before; it brings its own order and filter.

    `evidence_per_claim` limits what is listed, never what is counted. `adopted` keeps to claims that are (True) or are
    not (False).
    """

    limit: int = 20
    after: str | None = None
    order: str = ADDED
    evidence_per_claim: int | None = None
    adopted: bool | None = None


@dataclass(frozen=True, slots=True)
class MaterialsPage:
    """A page of a task's claims.

    `cursors` has, for each claim shown, the cursor that goes on right after it, so that a reader who can take only some
    of the page loses nothing. `following` is the last of them, None where nothing follows now.
    """

    materials: Materials
    order: str
    total: int
    cursors: tuple[str, ...]
    following: str | None


def collect(
    store: EvidenceStore,
    task_id: str,
    providers: Sequence[ProviderReport] = (),
    models: Sequence[ModelInfo] = (),
    claim_ids: Sequence[str] | None = None,
) -> Materials:
    """Return the claims of a task (or the named ones) with numbers derived from their edges. Writes nothing.

    `providers` is what a run just reported; without it the library is described as its ledger has it now, and the other
    providers as they answered last.
    """
    with store.reading():
        task = store.tasks.get(task_id)
        claims = store.tasks.claims(task_id, claim_ids)
        return _materials(store, task, claims, providers, models)


def read_page(store: EvidenceStore, task_id: str, request: PageRequest) -> MaterialsPage:
    """Return a page of a task's claims with their numbers and evidence.

    Read on with the cursors, every claim comes exactly once, also while the task grows: an order by value is kept as it
    was when its first page was read (that is all that is ever written here), and claims added since follow at the end.
    Raises NotFound for an unknown task, and InvalidInput for an unknown order, a limit out of range, or a cursor that is
    none of this task or no longer kept.
    """
    if not 1 <= request.limit <= MAX_PAGE:
        raise InvalidInput("bad_limit", value=request.limit, low=1, high=MAX_PAGE)
    if request.evidence_per_claim is not None and request.evidence_per_claim < 0:
        raise InvalidInput("bad_limit", value=request.evidence_per_claim, low=0, high=MAX_PAGE)
    task = store.tasks.get(task_id)
    start = Cursor(task_id, check_order(request.order), 0, None, request.adopted)
    if request.after is not None:
        start = read_cursor(request.after, task_id)
    positions, cursors, more = _positions(store, start, request.limit)
    with store.reading():
        claims = store.tasks.claims_by_id(store.orders.claim_ids(task_id, positions))
        materials = _materials(store, task, claims, (), ())
    written = tuple(map(write_cursor, cursors))
    return MaterialsPage(
        materials=_listing(materials, request.evidence_per_claim),
        order=start.order,
        total=store.orders.count(task_id, start.adopted),
        cursors=written,
        following=written[-1] if more and written else None,
    )


def read_claims(store: EvidenceStore, task_id: str, claim_ids: Sequence[str], evidence_per_claim: int | None) -> Materials:
    """Return the named claims of a task, in the order they were named.

    Raises NotFound for an unknown task, and for a claim that is none of it.
    """
    materials = collect(store, task_id, claim_ids=claim_ids)
    found = {material.claim.claim_id: material for material in materials.claims}
    for claim_id in claim_ids:
        if claim_id not in found:
            raise NotFound("unknown_claim", claim_id=claim_id)
    named = replace(materials, claims=tuple(found[claim_id] for claim_id in dict.fromkeys(claim_ids)))
    return _listing(named, evidence_per_claim)


def _listing(materials: Materials, evidence_per_claim: int | None) -> Materials:
    shown = [
        replace(one, evidence=kept, evidence_omitted=len(one.evidence) - len(kept))
        for one in materials.claims
        for kept in [choose_evidence(one.evidence, evidence_per_claim)]
    ]
    return replace(materials, claims=tuple(shown))


def _positions(store: EvidenceStore, start: Cursor, limit: int) -> tuple[list[int], list[Cursor], bool]:
    """Return the positions of a page, the cursor after each, and whether there is more."""
    first, order_id, newest = start.place, start.order_id, start.place
    kept: list[int] = []
    if order_id is not None:
        kept, newest = store.orders.kept(start.task_id, order_id)
    elif start.order != ADDED and not start.place:
        kept = store.orders.positions(start.task_id, start.order, start.adopted)
        newest = max(kept, default=0)
        if len(kept) > limit:
            order_id = store.orders.keep(start.task_id, start.order, kept)
    part = kept[first : first + limit]
    cursors = [
        replace(start, place=place, order_id=order_id)
        if order_id is not None and place < len(kept)
        else replace(start, place=newest, order_id=None)
        for place in range(first + 1, first + len(part) + 1)
    ]
    # Claims that came after the order was made, or all of them in the order they came.
    left = limit - len(part)
    later = store.orders.positions(start.task_id, ADDED, start.adopted, newest, left + 1)
    cursors += [replace(start, place=position, order_id=None) for position in later[:left]]
    return part + later[:left], cursors, first + len(part) < len(kept) or len(later) > left


def assess_all(
    store: EvidenceStore, claims: Sequence[Claim], values: Mapping[str, Confidence], evidence: Mapping[str, Sequence[Evidence]]
) -> list[ClaimMaterial]:
    """Return each claim with its numbers and evidence; a claim whose own domain is blocked now is told as such."""
    gate = PolicyGate(store)
    blocked = {domain for claim in claims if (domain := claim.origin_domain) and not gate.decide(domain).allowed}
    return [
        assess(claim, values[claim.claim_id], evidence[claim.claim_id], origin_blocked=claim.origin_domain in blocked)
        for claim in claims
    ]


def _materials(
    store: EvidenceStore, task: Task, claims: Sequence[Claim], providers: Sequence[ProviderReport], models: Sequence[ModelInfo]
) -> Materials:
    ids = [claim.claim_id for claim in claims]
    values = store.edges.confidences(task.task_id, ids if len(ids) < task.claim_count else None)
    evidence = store.evidence.of_claims(ids)
    pages = {page for edges in evidence.values() for edge in edges for page in (edge.page_id, *edge.other_page_ids)}
    return Materials(
        task=task,
        claims=tuple(assess_all(store, claims, values, evidence)),
        providers=tuple(providers) or stored_reports(store, task.task_id),
        models=tuple(models),
        paths=_paths(store, task.task_id),
        summaries=tuple(store.gathered.summaries(task.task_id)),
        citations=tuple(store.citations.among(pages)),
    )


def without_claims(store: EvidenceStore, task_id: str) -> Materials:
    """Return what a task has come to, but for its claims and the models that judged them. Raises NotFound."""
    return _materials(store, store.tasks.get(task_id), (), (), ())


def _paths(store: EvidenceStore, task_id: str) -> Mapping[str, str]:
    searched = store.gathered.last_report(task_id)
    return {} if searched is None else searched.paths


def verified_claims(store: EvidenceStore, task_id: str, cause_id: str) -> list[str]:
    """Return the claims of a task that a job added support to and that are verified now."""
    touched = store.edges.claims_supported_by(task_id, cause_id)
    materials = collect(store, task_id, claim_ids=touched).claims if touched else ()
    return [one.claim.claim_id for one in materials if one.verification.status == "verified"]


def stored_reports(store: EvidenceStore, task_id: str) -> tuple[ProviderReport, ...]:
    """Return how the sources of a task stand: its library, and the providers as they answered in its last search."""
    searched = store.gathered.last_report(task_id)
    if searched is None:
        return (library_state(store, task_id),)
    library = (library_state(store, task_id),) if store.tasks.roots(task_id) else ()
    return (*library, *searched.providers)


def library_state(store: EvidenceStore, task_id: str) -> ProviderReport:
    """Return what the ledger holds for the library roots of a task."""
    report = LibraryReport()
    for root in store.tasks.roots(task_id):
        for entry in store.library.ledger(root):
            report.note(entry)
            report.note_records(known_records(store, root, entry.path, entry.params))
    return report.provider()
