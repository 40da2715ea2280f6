"""The intervention queue: what waits for a person, and what the person did about it."""

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from lyra.core.errors import InvalidInput
from lyra.core.fragments import cut_fragments
from lyra.core.gathering import Intervention, Plan
from lyra.core.identity import content_hash, host_of
from lyra.core.pages import FetchedPage
from lyra.core.records import FileStamp, Job
from lyra.core.times import from_text
from lyra.store.evidence_store import EvidenceStore
from lyra.store.gathered import Sought
from lyra.workflows.bench import Bench
from lyra.workflows.gather.ground import Target
from lyra.workflows.gather.taking_over import take_over
from lyra.workflows.ingest import resolve_root
from lyra.workflows.quarantine import inspect

RETRIED, GIVEN_UP = "retried", "given_up"
HANDED_IN: Literal["handed_in"] = "handed_in"
_MEDIA = {".html": "text/html", ".htm": "text/html", ".xhtml": "text/html", ".pdf": "application/pdf"}


@dataclass(frozen=True, slots=True)
class Settled:
    """What became of one intervention: `retried`, `handed_in` or `given_up`; `job` does the rest, where there is any."""

    intervention: Intervention
    outcome: str
    job: Job | None = None


def get_auth_queue(store: EvidenceStore, task_id: str | None = None, *, settled: bool = False) -> list[Intervention]:
    """Return the pages that wait for a person, oldest first; with `settled` also those that no longer do.

    Raises NotFound for an unknown task.
    """
    if task_id is not None:
        store.tasks.get(task_id)
    return store.interventions.all(task_id, None if settled else "pending")


def resolve_auth(bench: Bench, name: str, page: str | Path | None = None, *, skip: bool = False) -> list[Settled]:
    """Settle what waits under an id or a host name. One transaction each.

    With `page` the page as a person saw it is read from a file; with `skip` it is given up for its task; else it is tried
    again. What is left to do is queued. Raises NotFound for a name under which nothing waits, InvalidInput, with nothing
    changed, for one that was settled or a file that cannot be used, and DocumentProblem for one that cannot be read.
    """
    if page is not None and skip:
        raise InvalidInput("page_and_skip")
    waiting = bench.store.interventions.named(name)
    if any(one.status != "pending" for one in waiting):
        raise InvalidInput("intervention_settled", name=name)
    if page is None:
        return [_give_up(bench, one) if skip else _retry(bench, one) for one in waiting]
    if len(waiting) > 1:
        raise InvalidInput("page_for_one", name=name, count=len(waiting))
    return [_hand_in(bench, waiting[0], resolve_root(page))]


def _give_up(bench: Bench, one: Intervention) -> Settled:
    with bench.store.transaction():
        bench.store.interventions.settle(one.intervention_id, "skipped")
    return Settled(one, GIVEN_UP)


def _retry(bench: Bench, one: Intervention) -> Settled:
    plan = Plan(_questions(bench, one), (one.url,), providers=bench.providers, asks=False)
    with bench.store.transaction():
        bench.store.interventions.settle(one.intervention_id, "resolved")
        job = bench.store.jobs.add("search", one.task_id, plan.payload())
    return Settled(one, RETRIED, job)


def _hand_in(bench: Bench, one: Intervention, path: Path) -> Settled:
    if not path.is_file():
        raise InvalidInput("path_missing", path=path)
    found = path.stat()
    document = bench.reader.read(FileStamp(str(path), found.st_size, found.st_mtime_ns), path)
    media_type = _MEDIA.get(path.suffix.lower(), "text/plain")
    raw = path.read_bytes()
    now = from_text(bench.store.now())
    page = FetchedPage(one.url, one.url, document, content_hash(document.text), raw, media_type, now)
    taken = take_over(page, Target(one.url), (), 0).document
    spans = cut_fragments(taken.text, taken.sections)
    store, host = bench.store, host_of(one.url)
    with store.transaction():
        if host is not None:
            store.domains.note(host, bench.gate.decide(host).category, one.intervention_id)
        sighting = store.gathered.keep_fetched(Sought(one.task_id, HANDED_IN, one.intervention_id), page, taken, spans)
        inspect(bench, taken, sighting, one.intervention_id)
        store.interventions.settle(one.intervention_id, "resolved")
        job = store.jobs.add("search", one.task_id, Plan(_questions(bench, one)).payload())
    return Settled(one, HANDED_IN, job)


def _questions(bench: Bench, one: Intervention) -> tuple[str, ...]:
    return (bench.store.tasks.get(one.task_id).question,)
