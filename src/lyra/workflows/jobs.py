"""Running jobs: a check or a search, under its lease, from wherever it was left."""

import json
import os
import socket
from dataclasses import dataclass
from functools import partial

from lyra.core.claimworthy import propose_claims
from lyra.core.errors import InvalidInput, LeaseLost, LyraError, StoreError
from lyra.core.records import Job, JobStatus, ProviderReport
from lyra.workflows.bench import Bench, Holding
from lyra.workflows.blocking import promote, settle_all
from lyra.workflows.ingest import read_library
from lyra.workflows.judging import Finder, embed_missing, judge_claims
from lyra.workflows.materials import verified_claims
from lyra.workflows.rejudging import REJUDGE, rejudge_claims


@dataclass(frozen=True, slots=True)
class JobOutcome:
    """What a run of a job came to: done, stopped with its task meanwhile, or failed with the reason in `failure`."""

    job_id: str
    task_id: str
    status: JobStatus
    providers: tuple[ProviderReport, ...]
    new_claims: int = 0
    new_edges: int = 0
    rejudged_edges: int = 0
    failure: LyraError | None = None


def run_job(bench: Bench, job_id: str) -> JobOutcome | None:
    """Run a queued or abandoned job to its end; None when another worker holds it or it is over.

    Everything is committed as it is done. An interruption leaves the job queued, a failure marks it failed
    with the reason; in both cases a later run goes on from there, a failed job up to MAX_ATTEMPTS times.
    """
    holder = bench.store.jobs.get(job_id).lease_owner
    job = bench.store.jobs.acquire(job_id, bench.owner, gone_owner=holder if holder_is_gone(holder) else None)
    if job is None or job.task_id is None:
        return None
    ending = JobStatus.FAILED
    reason: str | None = "internal_error"
    try:
        outcome = _run(bench, job, job.task_id)
        ending, reason = JobStatus.DONE, None
    except LeaseLost:
        return JobOutcome(job_id, job.task_id, bench.store.jobs.get(job_id).status, ())
    except KeyboardInterrupt:
        ending, reason = JobStatus.QUEUED, None
        raise
    except LyraError as failure:
        reason = failure.code
        raise
    finally:
        # Whatever happened, the job must not look as if it were still being worked on.
        bench.store.jobs.finish(job, ending, reason)
    return outcome


def resume_jobs(bench: Bench) -> list[JobOutcome]:
    """Work off every job that waits, failed before or lost its worker, oldest first; one failure never stops the others."""
    outcomes = []
    for job in bench.store.jobs.waiting():
        try:
            outcome = run_job(bench, job.job_id)
        except StoreError:
            raise
        except LyraError as failure:
            outcome = JobOutcome(job.job_id, str(job.task_id), JobStatus.FAILED, (), failure=failure)
        if outcome is not None:
            outcomes.append(outcome)
    return outcomes


def worker_name() -> str:
    """Return how this process signs its leases."""
    return f"{socket.gethostname()}:{os.getpid()}"


def holder_is_gone(owner: str | None) -> bool:
    """Return whether a lease was signed by a process of this machine that no longer runs."""
    host, _, pid = (owner or "").rpartition(":")
    # Elsewhere than on POSIX, signal 0 is no question but Ctrl-C: there the lease has to run out.
    if os.name != "posix" or host != socket.gethostname() or not pid.isdigit():
        return False
    try:
        os.kill(int(pid), 0)
    except ProcessLookupError:
        return True
    except PermissionError:
        return False
    return False


def _run(bench: Bench, job: Job, task_id: str) -> JobOutcome:
    store, holding = bench.store, Holding(bench.store, job)
    payload = json.loads(job.payload)
    if job.kind == REJUDGE:
        return _run_rejudging(bench, task_id, holding)
    if "versions" in payload:
        return _run_on_versions(bench, task_id, payload["versions"], holding)
    roots = store.tasks.roots(task_id)
    if not roots:
        raise InvalidInput("no_library")
    report = read_library(bench, roots, holding.guard, reread=bool(payload.get("reread")))
    if not store.searching.open_scope(roots):
        raise InvalidInput("library_without_text", path=", ".join(roots))
    with store.transaction():
        holding.guard()
        store.searching.close_off(settle_all(store, bench.rules, job.job_id))
    embed_missing(bench, holding)
    finder = Finder(bench)
    new_claims = 0
    for query in payload.get("queries", []):
        new_claims += _extract(bench, task_id, str(query), finder, holding)
    new_edges = judge_claims(bench, store.tasks.claims(task_id), finder, holding)
    with store.transaction():
        holding.guard()
        new_edges += store.retractions.apply(job.job_id)
    with store.transaction():
        holding.guard()
        promote(store, verified_claims(store, task_id, job.job_id), job.job_id)
    return JobOutcome(job.job_id, task_id, JobStatus.DONE, (report.provider(),), new_claims, new_edges)


def _run_on_versions(bench: Bench, task_id: str, versions: list[str], holding: Holding) -> JobOutcome:
    """Judge the claims of a task against named pages, each by itself so that a long one hides no short one, then the library."""
    store, new_edges = bench.store, 0
    roots, claims = store.tasks.roots(task_id), store.tasks.claims(task_id)
    scopes = [partial(store.searching.open_versions, [version]) for version in versions]
    if roots:
        scopes.append(partial(store.searching.open_scope, roots))
    for open_scope in scopes:
        if open_scope():
            embed_missing(bench, holding)
            new_edges += judge_claims(bench, claims, Finder(bench), holding)
    with store.transaction():
        holding.guard()
        new_edges += store.retractions.apply(holding.job.job_id)
    return JobOutcome(holding.job.job_id, task_id, JobStatus.DONE, (), 0, new_edges)


def _run_rejudging(bench: Bench, task_id: str, holding: Holding) -> JobOutcome:
    """Give the edges of a task the judgement of the models in use now."""
    store, job_id = bench.store, holding.job.job_id
    judged = rejudge_claims(bench, store.tasks.claims(task_id), holding)
    with store.transaction():
        holding.guard()
        new_edges = store.retractions.apply(job_id)
        promote(store, verified_claims(store, task_id, job_id), job_id)
    return JobOutcome(job_id, task_id, JobStatus.DONE, (), 0, new_edges, rejudged_edges=judged)


def _extract(bench: Bench, task_id: str, query: str, finder: Finder, holding: Holding) -> int:
    """Propose claims from the fragments a query finds; returns how many the task did not have."""
    proposals: list[tuple[float, str, str]] = []
    for ranked in finder.best(query, bench.limits.search_fragments):
        found = propose_claims(ranked.text, bench.limits.search_claims)
        proposals.extend((proposal.score, proposal.text, ranked.fragment_id) for proposal in found)
    # Best first; ties by text, so that a repeated search proposes the same claims.
    chosen = sorted(proposals, key=lambda item: (-item[0], item[1]))[: bench.limits.search_claims]
    with bench.store.transaction():
        holding.guard()
        bench.store.tasks.add_query(task_id, query)
        before = bench.store.tasks.get(task_id).claim_count
        origins = [(fragment_id, bench.store.pages.first_page(fragment_id)) for _, _, fragment_id in chosen]
        bench.store.tasks.add_claims(task_id, [text for _, text, _ in chosen], origins)
        return bench.store.tasks.get(task_id).claim_count - before
