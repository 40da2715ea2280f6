"""get_status: how things stand, and a useful way to wait."""

from datetime import UTC, datetime

from lyra.app import block_rules
from lyra.core.errors import ModelError
from lyra.core.messages import render
from lyra.core.records import Job, JobStatus
from lyra.interfaces.governance_presenter import oversight_json
from lyra.interfaces.mcp.arguments import GetStatus
from lyra.interfaces.mcp.calls import OPEN, Call
from lyra.interfaces.mcp.desk import Desk
from lyra.interfaces.mcp.failures import step_after_failed_job
from lyra.interfaces.mcp.fitting import budget_of, cut_texts, fit_lists
from lyra.interfaces.mcp.marking import untrusted_json
from lyra.interfaces.mcp.shapes_status import StatusAnswer
from lyra.interfaces.mcp.toolbox import Hints, Tool
from lyra.interfaces.presenter import Json, document, models_json, problem_json
from lyra.interfaces.state_presenter import job_json, task_json
from lyra.store.evidence_store import EvidenceStore
from lyra.workflows.oversight import oversee

_SHOWN_TASKS = 20
_MAX_KB = 60
_CUTTABLE = (
    "tasks",
    "jobs",
    "waiting_for",
    "blocked_domains",
    "domain_overrides",
    "full.domain_rates",
    "full.quarantined_pages",
    "full.roots",
)
_LONGEST_TEXT = 600
UNTRUSTED = ("blocked_domains[].reason", "full.quarantined_pages[].title", "full.quarantined_pages[].findings", "full.roots")


async def get_status(call: Call, given: GetStatus) -> Json:
    """Wait while jobs are open, at most as long as asked, and return how things stand then."""
    await call.in_thread(lambda: _refuse_unknown(call.desk, given.task_id))
    await call.until_over(lambda store: _jobs(store, given.task_id), given.wait_seconds)
    return await call.in_thread(lambda: _status(call.desk, given))


def _refuse_unknown(desk: Desk, task_id: str | None) -> None:
    if task_id is not None:
        with desk.store() as store:
            store.tasks.get(task_id)


def _jobs(store: EvidenceStore, task_id: str | None) -> list[Job]:
    """Return the jobs to show: of a task all of them, those that are open first, then the newest."""
    if task_id is None:
        return store.jobs.unfinished()
    newest_first = reversed(store.jobs.of_task(task_id))
    return sorted(newest_first, key=lambda job: job.status not in OPEN)


def _status(desk: Desk, given: GetStatus) -> Json:
    with desk.store() as store:
        task = None if given.task_id is None else store.tasks.get(given.task_id)
        tasks = store.tasks.newest(_SHOWN_TASKS) if task is None else []
        jobs = _jobs(store, given.task_id)
        latest = store.jobs.last_activity(given.task_id)
        oversight = oversight_json(oversee(store, block_rules(desk.settings)), desk.lang)
        roots, facts = store.library.roots(), store.facts()
        people = store.interventions.all(given.task_id)
        models, problem = _models(desk, store)
    waiting: list[Json] = [{"kind": "job", "id": job.job_id, "status": job.status.value} for job in jobs if job.status in OPEN]
    waiting += [{"kind": "person", "id": one.intervention_id, "status": one.status} for one in people]
    answer = document(
        task=None if task is None else task_json(task),
        tasks=[task_json(one) for one in tasks],
        jobs=[job_json(job) for job in jobs],
        waiting_for=waiting,
        idle_seconds=None if latest is None else round(max(0.0, (datetime.now(UTC) - latest).total_seconds()), 3),
        providers=_providers(desk, roots),
        models=models,
        model_problem=problem,
        config_errors=_config_errors(desk, oversight),
        blocked_domains=oversight["blocked_domains"],
        domain_overrides=oversight["domain_overrides"],
        full=None,
        next_step=_next_step(waiting, jobs, roots, desk.lang),
        untrusted=untrusted_json(UNTRUSTED, desk.lang),
    )
    if given.detail == "full":
        store_facts = {
            "home": str(desk.settings.home),
            "path": facts.path,
            "engine": facts.engine,
            "schema_version": facts.schema_version,
            "size_bytes": facts.size_bytes,
            "counts": facts.counts,
        }
        named = {name: oversight[name] for name in ("domain_rates", "quarantined_pages", "domain_policy", "block_rules")}
        answer["full"] = {"store": store_facts, "roots": roots, **named}
    cut = cut_texts(answer, _LONGEST_TEXT)
    shown, omitted = fit_lists(cut if isinstance(cut, dict) else answer, _CUTTABLE, budget_of(_MAX_KB))
    return {**shown, "omitted": omitted}


def _providers(desk: Desk, roots: list[str]) -> list[Json]:
    """Return how each source of documents stands. None of them is asked for this."""
    library: Json = {"name": "library", "kind": "library", "status": "ok" if roots else "nothing_found", "in_use": True}
    found = [{**library, "endpoint": None, "key": "none", "problem": None, "detail": ""}]
    for state in desk.services():
        status = "no_key" if state.key == "missing" else "ok" if state.problem is None else "down"
        facts = {"endpoint": state.endpoint, "key": state.key, "problem": state.problem, "detail": state.detail or ""}
        found.append({"name": state.name, "kind": state.kind, "status": status, "in_use": state.in_use, **facts})
    return found


def _models(desk: Desk, store: EvidenceStore) -> tuple[Json, Json | None]:
    """Return the models as their new judgements will name them: with the calibration in force."""
    try:
        return models_json(map(store.calibrations.named, desk.models.infos())), None
    except ModelError as problem:
        return {}, problem_json(problem, desk.lang)


def _config_errors(desk: Desk, oversight: Json) -> list[Json]:
    """Return what is wrong with the settings file and the policy file by now."""
    found = desk.settings_problem()
    errors = [] if found is None else [problem_json(found, desk.lang)]
    policy = oversight["domain_policy"]
    problem = policy["problem"] if isinstance(policy, dict) else None
    return errors + ([{"code": problem["code"], "detail": problem["detail"]}] if isinstance(problem, dict) else [])


def _next_step(waiting: list[Json], jobs: list[Job], roots: list[str], lang: str) -> str:
    if any(one["kind"] == "job" for one in waiting):
        return render("text.mcp_after_queued", lang)
    if jobs and jobs[0].status is JobStatus.FAILED:
        return step_after_failed_job(jobs[0].error, lang)
    if waiting:
        return render("text.mcp_person_needed", lang)
    return render("text.mcp_after_idle" if roots else "text.mcp_no_library", lang)


GET_STATUS = Tool("get_status", GetStatus, StatusAnswer, Hints(read_only=True, idempotent=True), get_status, UNTRUSTED)
