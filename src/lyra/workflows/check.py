"""The main job: claims and documents in, confidence with evidence out. And its growing form, search."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from lyra.core.claim_input import check_claim, printable
from lyra.core.errors import InvalidInput
from lyra.core.identity import normalise_text
from lyra.core.materials import Materials
from lyra.core.records import Job, Task, TaskStatus
from lyra.workflows.bench import Bench
from lyra.workflows.ingest import register_roots, usable_roots
from lyra.workflows.jobs import JobOutcome, run_job
from lyra.workflows.materials import collect

MAX_QUESTION_CHARS = 2_000


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


@dataclass(frozen=True, slots=True)
class RunResult:
    """The materials of the task, how the run ended, and the inputs that could not be used."""

    materials: Materials
    outcome: JobOutcome
    problems: tuple[InvalidInput, ...]


@dataclass(frozen=True, slots=True)
class Submission:
    """Work that is committed and waits for a worker. `claim_ids` are the claims that were given, None where none were."""

    task: Task
    job: Job
    claim_ids: tuple[str, ...] | None
    problems: tuple[InvalidInput, ...]


def check(bench: Bench, request: CheckRequest) -> RunResult:
    """Judge the claims against the library and return the materials of their task.

    The task, its claims and the job are committed before any work, so nothing is lost when it is cut off.
    Raises InvalidInput, with nothing written, when no claim or no library can be used; when the library turns out
    to hold no readable text, the task that was made for the check is stopped.
    """
    asked = submit_check(bench, request)
    try:
        return _finish(bench, asked)
    except InvalidInput:
        # Trying again would end the same way; a task that was only made for this is over.
        if request.task_id is None:
            bench.store.tasks.stop(asked.task.task_id)
        raise


def submit_check(bench: Bench, request: CheckRequest) -> Submission:
    """Commit the task, its claims and the job, and leave the work to whoever works off jobs. Raises as `check` does."""
    claims = [check_claim(text) for text in request.claims]
    if not claims:
        raise InvalidInput("no_claims")
    question = _on_one_line(claims[0])[:MAX_QUESTION_CHARS] if request.question is None else check_question(request.question)
    task = _open_task(bench, request.task_id)
    roots, problems = _choose_roots(bench, task, request.library)
    if problems and request.strict:
        raise problems[0]
    with bench.store.transaction():
        register_roots(bench, roots)
        if task is None:
            task = bench.store.tasks.create(question, None, roots)
        bench.store.tasks.add_roots(task.task_id, roots)
        given = bench.store.tasks.add_claims(task.task_id, claims)
        job = bench.store.jobs.add("check", task.task_id, json.dumps({"reread": request.reread}))
    return Submission(task, job, tuple(claim.claim_id for claim in given), tuple(problems))


def search(bench: Bench, task_id: str, queries: Sequence[str], library: Sequence[str | Path] = ()) -> RunResult:
    """Grow a task's graph: read what is new, propose claims for the queries, judge all claims of the task.

    Without queries the task's question is the query. Repeating a search adds nothing twice.
    """
    return _finish(bench, submit_search(bench, task_id, queries, library))


def submit_search(bench: Bench, task_id: str, queries: Sequence[str], library: Sequence[str | Path] = ()) -> Submission:
    """Commit the job of a search and leave the work to whoever works off jobs. Raises as `search` does."""
    task = _open_task(bench, task_id)
    if task is None:
        raise InvalidInput("unknown_task", task_id=task_id)
    texts = [check_question(query) for query in queries] or [task.question]
    roots, problems = _choose_roots(bench, task, library)
    with bench.store.transaction():
        register_roots(bench, roots)
        bench.store.tasks.add_roots(task.task_id, roots)
        job = bench.store.jobs.add("search", task.task_id, json.dumps({"queries": texts}, ensure_ascii=False))
    return Submission(task, job, None, tuple(problems))


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


def _choose_roots(bench: Bench, task: Task | None, library: Sequence[str | Path]) -> tuple[list[str], list[InvalidInput]]:
    roots, problems = usable_roots(bench, library)
    if not roots and problems:
        raise problems[0]
    if not roots and task is not None:
        roots = bench.store.tasks.roots(task.task_id)
    roots = roots or bench.store.library.roots()
    if not roots:
        raise InvalidInput("no_library")
    return roots, problems


def _finish(bench: Bench, asked: Submission) -> RunResult:
    outcome = run_job(bench, asked.job.job_id)
    if outcome is None:
        raise InvalidInput("job_taken", job_id=asked.job.job_id)
    materials = collect(bench.store, asked.task.task_id, outcome.providers, bench.models(), asked.claim_ids)
    return RunResult(materials, outcome, asked.problems)
