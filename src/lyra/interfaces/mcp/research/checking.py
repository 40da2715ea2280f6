"""check_claims and search: long work, committed at once and done by a worker."""

from collections.abc import Callable

from lyra.core.gathering import Beyond
from lyra.core.messages import render
from lyra.core.records import Job, JobStatus
from lyra.interfaces.mcp.arguments import CheckClaims, GetMaterials, Search
from lyra.interfaces.mcp.calls import Call
from lyra.interfaces.mcp.failures import step_after_failed_job
from lyra.interfaces.mcp.research.materials import UNTRUSTED, read_materials
from lyra.interfaces.mcp.research.tasks import budget_of
from lyra.interfaces.mcp.shapes import CheckAnswer, JobAnswer
from lyra.interfaces.mcp.toolbox import Hints, Tool
from lyra.interfaces.presenter import Json, document, problem_json
from lyra.interfaces.state_presenter import job_json
from lyra.workflows.bench import Bench
from lyra.workflows.check import CheckRequest, Submission, submit_check, submit_search

# Room is left for the handle around the materials: a hundred ids take a part of it.
_MATERIALS_KB = 48
_SHOWN_CLAIMS = 50


async def check_claims(call: Call, given: CheckClaims) -> Json:
    """Queue a check of the claims, and give their materials when it is done in time."""
    beyond = Beyond(_names(given.providers))
    request = CheckRequest(tuple(given.claims), question=given.question, task_id=given.task_id, beyond=beyond)
    asked, job = await _submitted(call, lambda bench: submit_check(bench, request), given.wait_seconds)
    claim_ids = list(asked.claim_ids or ())
    wanted = GetMaterials(task_id=asked.task.task_id, claim_ids=claim_ids[:_SHOWN_CLAIMS], max_kb=_MATERIALS_KB)
    done = job.status is JobStatus.DONE
    materials = await call.in_thread(lambda: read_materials(call.desk, wanted)) if done else None
    return {**_handle(call, asked, job), "claim_ids": claim_ids, "materials": materials}


async def search(call: Call, given: Search) -> Json:
    """Queue a search for a task."""
    beyond = Beyond(_names(given.providers), tuple(given.urls), tuple(given.dois), budget_of(given.budget))

    def submit(bench: Bench) -> Submission:
        return submit_search(bench, given.task_id, given.queries, (), beyond)

    return _handle(call, *await _submitted(call, submit, given.wait_seconds))


def _names(providers: list[str] | None) -> tuple[str, ...] | None:
    return None if providers is None else tuple(providers)


async def _submitted(call: Call, submit: Callable[[Bench], Submission], wait_seconds: float) -> tuple[Submission, Job]:
    """Commit the work, wake the worker, and return the job as it is after so many seconds."""

    def commit() -> Submission:
        call.desk.models.verify()
        with call.desk.bench() as bench:
            return submit(bench)

    asked = await call.in_thread(commit)
    call.desk.wake()
    (job,) = await call.until_over(lambda store: [store.jobs.get(asked.job.job_id)], wait_seconds)
    return asked, job


def _handle(call: Call, asked: Submission, job: Job) -> Json:
    return document(
        task_id=asked.task.task_id,
        job=job_json(job),
        problems=[problem_json(problem, call.desk.lang) for problem in asked.problems],
        next_step=_next_step(job, call.desk.lang),
    )


def _next_step(job: Job, lang: str) -> str:
    if job.status is JobStatus.DONE:
        return render("text.mcp_after_done", lang)
    if job.status is JobStatus.STOPPED:
        return render("text.mcp_next_task_stopped", lang)
    if job.status is JobStatus.FAILED:
        return step_after_failed_job(job.error, lang)
    return render("text.mcp_after_queued", lang)


_FIELDS = tuple(f"materials.{field}" for field in UNTRUSTED)
CHECK_CLAIMS = Tool("check_claims", CheckClaims, CheckAnswer, Hints(read_only=False, open_world=True), check_claims, _FIELDS)
SEARCH = Tool("search", Search, JobAnswer, Hints(read_only=False, idempotent=True, open_world=True), search)
