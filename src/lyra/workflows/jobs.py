"""Running jobs: a check or a search, under its lease, from wherever it was left."""

import json
import os
import socket
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING

from lyra.core.errors import InvalidInput, LeaseLost, LyraError, StoreError
from lyra.core.gathering import Plan, read_plan
from lyra.core.records import Job, JobStatus, ProviderReport
from lyra.workflows.bench import Bench, Holding
from lyra.workflows.blocking import promote, settle_all
from lyra.workflows.extraction import Extraction
from lyra.workflows.ingest import read_library
from lyra.workflows.judging import Finder, embed_missing, judge_claims
from lyra.workflows.materials import verified_claims
from lyra.workflows.rejudging import REJUDGE, rejudge_claims

if TYPE_CHECKING:
    from lyra.workflows.gather.pipeline import Search


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
    paths: Mapping[str, str] = field(default_factory=dict)


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
    plan = read_plan(payload, extracts=job.kind == "search")
    roots = store.tasks.roots(task_id)
    if not roots and not plan.reaches_out and not store.gathered.has_pages(task_id):
        raise InvalidInput("no_library")
    reports: tuple[ProviderReport, ...] = ()
    if roots:
        reports = (read_library(bench, roots, holding.guard, reread=bool(payload.get("reread"))).provider(),)
    gathering = _gather(bench, task_id, plan, holding)
    store.searching.open_scope(roots)
    if not store.searching.add_gathered(task_id) and not plan.reaches_out:
        raise InvalidInput("library_without_text", path=", ".join(roots))
    with store.transaction():
        holding.guard()
        store.searching.close_off(settle_all(store, bench.rules, job.job_id))
    embed_missing(bench, holding)
    finder = Finder(bench)
    extraction = Extraction(bench, finder, holding, gathering)
    new_claims = sum(extraction.propose(task_id, query) for query in plan.queries) if plan.extract else 0
    new_edges = judge_claims(bench, store.tasks.claims(task_id), finder, holding)
    with store.transaction():
        holding.guard()
        new_edges += store.retractions.apply(job.job_id)
    with store.transaction():
        holding.guard()
        promote(store, verified_claims(store, task_id, job.job_id), job.job_id)
    if gathering is not None:
        report = gathering.report(new_edges)
        reports += report.providers
        return JobOutcome(job.job_id, task_id, JobStatus.DONE, reports, new_claims, new_edges, paths=report.paths)
    return JobOutcome(job.job_id, task_id, JobStatus.DONE, reports, new_claims, new_edges)


def _gather(bench: Bench, task_id: str, plan: Plan, holding: Holding) -> "Search | None":
    """Gather what the plan asks for beyond the library; None where nothing is asked of anybody."""
    if not plan.reaches_out and not (plan.extract and bench.uses_llm):
        return None
    from lyra.workflows.gather.pipeline import Search  # noqa: PLC0415 - a job on the library alone needs none of it

    if bench.reach is None:
        raise InvalidInput("no_network")
    search = Search(bench, bench.reach(), holding, task_id, plan)
    search.run(bench.store.tasks.get(task_id).question)
    return search


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
