"""The main job: claims and documents in, confidence with evidence out. And its growing form, search."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from lyra.core.claim_input import check_claim, printable
from lyra.core.errors import InvalidInput
from lyra.core.gathering import LIBRARY, Beyond, Budget, Plan, doi_of
from lyra.core.identity import normalise_text
from lyra.core.materials import Materials
from lyra.core.records import Job, Task, TaskStatus
from lyra.core.web_url import parse_web_url
from lyra.workflows.bench import Bench
from lyra.workflows.ingest import register_roots, usable_roots
from lyra.workflows.jobs import JobOutcome, run_job
from lyra.workflows.materials import collect

MAX_QUESTION_CHARS = 2_000
# What services take as a query; a longer claim is asked for by its beginning.
MAX_QUERY_CHARS = 300
# Beyond the library, what the settings say.
AS_SET = Beyond()


@dataclass(frozen=True, slots=True)
class CheckRequest:
    """What a person asks to be checked. Without `library`, all known roots (or the task's own) are read.

    A path that cannot be used is reported beside the result; with `strict` it is refused before anything is written.
    """

    claims: tuple[str, ...]
    library: tuple[str | Path, ...] = ()
    question: str | None = None
    task_id: str | None = None
    reread: bool = False
    strict: bool = False
    beyond: Beyond = AS_SET


@dataclass(frozen=True, slots=True)
class RunResult:
    """The materials of the task, how the run ended, and the inputs that could not be used."""

    materials: Materials
    outcome: JobOutcome
    problems: tuple[InvalidInput, ...]


@dataclass(frozen=True, slots=True)
class Submission:
    """A job that is queued, with the task it is for. `is_new` says that the task was made for it."""

    task: Task
    job: Job
    problems: tuple[InvalidInput, ...] = ()
    claim_ids: tuple[str, ...] | None = None
    is_new: bool = False


def check(bench: Bench, request: CheckRequest) -> RunResult:
    """Judge the claims against the library and what providers find, and return the materials of their task.

    The task, its claims and the job are committed before any work, so nothing is lost when it is cut off.
    Raises InvalidInput, with nothing written, when no claim or no source can be used; when the library turns out
    to hold no readable text, the task that was made for the check is stopped.
    """
    prepared = submit_check(bench, request)
    try:
        return _finish(bench, prepared)
    except InvalidInput:
        # Trying again would end the same way; a task that was only made for this is over.
        if prepared.is_new:
            bench.store.tasks.stop(prepared.task.task_id)
        raise


def submit_check(bench: Bench, request: CheckRequest) -> Submission:
    """Commit the task, the claims and the job of a check without doing it. Raises InvalidInput with nothing written."""
    claims = [check_claim(text) for text in request.claims]
    if not claims:
        raise InvalidInput("no_claims")
    question = _on_one_line(claims[0])[:MAX_QUESTION_CHARS] if request.question is None else check_question(request.question)
    task = _open_task(bench, request.task_id)
    beyond = _within_budget(bench, task, request.beyond)
    plan = make_plan(bench, [_on_one_line(claim)[:MAX_QUERY_CHARS] for claim in claims], beyond, extract=False)
    roots, problems = _choose_roots(bench, task, request.library, plan)
    if problems and request.strict:
        raise problems[0]
    with bench.store.transaction():
        register_roots(bench, roots)
        if task is None:
            task = bench.store.tasks.create(question, None, roots)
        bench.store.tasks.add_roots(task.task_id, roots)
        given = bench.store.tasks.add_claims(task.task_id, claims)
        job = bench.store.jobs.add("check", task.task_id, plan.payload(reread=request.reread))
    ids = tuple(claim.claim_id for claim in given)
    return Submission(task, job, tuple(problems), ids, request.task_id is None)


def search(
    bench: Bench, task_id: str, queries: Sequence[str], library: Sequence[str | Path] = (), beyond: Beyond = AS_SET
) -> RunResult:
    """Grow a task's graph: gather what is new, propose claims for the queries, judge all claims of the task.

    Without queries the task's question is the query, unless addresses or DOIs are given. Repeating a search adds
    nothing twice.
    """
    return _finish(bench, submit_search(bench, task_id, queries, library, beyond))


def submit_search(
    bench: Bench, task_id: str, queries: Sequence[str], library: Sequence[str | Path] = (), beyond: Beyond = AS_SET
) -> Submission:
    """Commit the job of a search without doing it. Raises InvalidInput with nothing written."""
    task = _open_task(bench, task_id)
    if task is None:
        raise InvalidInput("unknown_task", task_id=task_id)
    texts = [check_question(query) for query in queries] or [task.question]
    asks = bool(queries) or not (beyond.urls or beyond.dois)
    plan = replace(make_plan(bench, texts, _within_budget(bench, task, beyond), extract=True), asks=asks)
    roots, problems = _choose_roots(bench, task, library, plan)
    with bench.store.transaction():
        register_roots(bench, roots)
        bench.store.tasks.add_roots(task.task_id, roots)
        job = bench.store.jobs.add("search", task.task_id, plan.payload())
    return Submission(task, job, tuple(problems))


def make_plan(bench: Bench, queries: Sequence[str], beyond: Beyond, *, extract: bool) -> Plan:
    """Return what a job gathers. Raises InvalidInput or ConfigError for a provider, address or DOI that cannot be used."""
    for url in beyond.urls:
        parse_web_url(url)
    for doi in beyond.dois:
        if doi_of(doi) is None:
            raise InvalidInput("bad_doi", doi=doi[:200])
    named = bench.providers if beyond.providers is None else beyond.providers
    providers = tuple(name for name in dict.fromkeys(named) if name != LIBRARY)
    plan = Plan(tuple(queries), beyond.urls, beyond.dois, providers, extract, budget=beyond.budget)
    if plan.reaches_out:
        if bench.reach is None:
            raise InvalidInput("no_network")
        reach = bench.reach()
        for name in providers:
            reach.provider(name)
    return plan


def _within_budget(bench: Bench, task: Task | None, beyond: Beyond) -> Beyond:
    """Return what is asked for, with the budget of the task where none of its own was given."""
    own = Budget() if task is None else bench.store.tasks.budget(task.task_id)
    given = beyond.budget
    pages = own.pages if given.pages is None else given.pages
    return replace(beyond, budget=Budget(pages, own.seconds if given.seconds is None else given.seconds))


def check_question(text: str) -> str:
    """Return a question, query or hypothesis on one line, or raise InvalidInput when it has no words or is too long."""
    shown = _on_one_line(text)
    if not any(character.isalnum() for character in normalise_text(shown)):
        raise InvalidInput("empty_question")
    if len(shown) > MAX_QUESTION_CHARS:
        raise InvalidInput("question_too_long", length=len(shown), limit=MAX_QUESTION_CHARS)
    return shown


def _on_one_line(text: str) -> str:
    return " ".join(printable(text).split())


def _open_task(bench: Bench, task_id: str | None) -> Task | None:
    if task_id is None:
        return None
    task = bench.store.tasks.get(task_id)
    if task.status is TaskStatus.STOPPED:
        raise InvalidInput("task_stopped", task_id=task_id)
    return task


def _choose_roots(
    bench: Bench, task: Task | None, library: Sequence[str | Path], plan: Plan
) -> tuple[list[str], list[InvalidInput]]:
    """Return the roots of the library to read. Who asks elsewhere needs none, and gets those of the task."""
    roots, problems = usable_roots(bench, library)
    if not roots and problems:
        raise problems[0]
    if not roots and task is not None:
        roots = bench.store.tasks.roots(task.task_id)
    if not roots and not plan.reaches_out:
        roots = bench.store.library.roots()
    gathered = task is not None and bench.store.gathered.has_pages(task.task_id)
    if not roots and not plan.reaches_out and not gathered:
        raise InvalidInput("no_library")
    return roots, problems


def _finish(bench: Bench, prepared: Submission) -> RunResult:
    outcome = run_job(bench, prepared.job.job_id)
    if outcome is None:
        raise InvalidInput("job_taken", job_id=prepared.job.job_id)
    claim_ids = None if prepared.claim_ids is None else list(prepared.claim_ids)
    materials = collect(bench.store, prepared.task.task_id, outcome.providers, bench.models(), claim_ids)
    return RunResult(replace(materials, paths=outcome.paths), outcome, prepared.problems)
