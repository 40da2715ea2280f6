"""`lyra task`: make, list, show, stop and delete tasks."""

from typing import Annotated

import typer

from lyra.app import open_bench, open_reading_store
from lyra.core.errors import EXIT_BAD_INPUT, EXIT_OK
from lyra.interfaces.cli.check import LibraryOption, TaskArgument
from lyra.interfaces.cli.invocation import Invocation
from lyra.interfaces.cli.layout import wrapped
from lyra.interfaces.cli.output import note, width, write_json, write_text
from lyra.interfaces.presenter import claim_json, document, problem_json
from lyra.interfaces.state_presenter import job_json, task_json, tasks_json
from lyra.interfaces.untrusted import on_one_line

_SHOWN_WHEN_DELETED = ("claims", "edges", "jobs", "pages", "fragments")


def new(
    call: Invocation,
    question: Annotated[str, typer.Argument(metavar="QUESTION", help="help.task_question")],
    *,
    hypothesis: Annotated[str | None, typer.Option("--hypothesis", metavar="TEXT", help="help.task_hypothesis")] = None,
    library: LibraryOption = None,
) -> int:
    """Make a task for a question, to be searched later."""
    from lyra.workflows.check import check_question  # noqa: PLC0415 - help needs none of this
    from lyra.workflows.ingest import add_roots  # noqa: PLC0415 - help needs none of this

    asked = check_question(question)
    believed = None if hypothesis is None else check_question(hypothesis)
    with open_bench(call.settings, call.progress(), call.models) as bench:
        roots, problems = add_roots(bench, library or ())
        if problems and not roots:
            raise problems[0]
        task = bench.store.tasks.create(asked, believed, roots)
    for problem in problems:
        note(problem.sentence(call.lang))
    if call.as_json:
        write_json(document(**task_json(task), roots=roots, problems=[problem_json(one, call.lang) for one in problems]))
    else:
        write_text(call.say("text.task_made", task=task.task_id))
    return EXIT_BAD_INPUT if problems else EXIT_OK


def list_(call: Invocation) -> int:
    """List all tasks, newest first."""
    with open_reading_store(call.settings) as store:
        tasks = store.tasks.all()
    if call.as_json:
        write_json(tasks_json(tasks))
    elif not tasks:
        write_text(call.say("text.no_tasks"))
    for task in () if call.as_json else tasks:
        started, state = f"{task.created_at:%Y-%m-%d %H:%M}", call.say(f"label.{task.status.value}")
        head = call.say("text.task_line", task=task.task_id, started=started, status=state, count=task.claim_count)
        question = wrapped(on_one_line(task.question), width(call.environ) - 4)
        write_text("\n".join([head, *(f"    {line}" for line in question)]))
    return EXIT_OK


def show(call: Invocation, task: TaskArgument) -> int:
    """Show a task: its claims with their numbers, its library and its jobs."""
    from lyra.interfaces.markdown import status_words  # noqa: PLC0415 - help needs none of this
    from lyra.workflows.materials import collect  # noqa: PLC0415 - help needs none of this

    with open_reading_store(call.settings) as store:
        materials = collect(store, task)
        roots, jobs = store.tasks.roots(task), store.jobs.of_task(task)
    found = materials.task
    if call.as_json:
        claims = [{key: value for key, value in claim_json(one).items() if key != "evidence"} for one in materials.claims]
        write_json(document(**task_json(found), roots=roots, jobs=[job_json(job) for job in jobs], claims=claims))
        return EXIT_OK
    lines = [
        (call.say("label.task"), f"{found.task_id} ({call.say(f'label.{found.status.value}')})"),
        (call.say("label.question"), found.question),
        (call.say("label.hypothesis"), found.hypothesis or ""),
        (call.say("label.started"), f"{found.created_at:%Y-%m-%d %H:%M} UTC"),
        *((call.say("label.library"), root) for root in roots),
        *((call.say("label.job"), f"{job.job_id} {job.kind}: {call.say(f'label.{job.status.value}')}") for job in jobs),
    ]
    for label, value in lines:
        if value:
            write_text(f"{label}: {on_one_line(value)}")
    if materials.claims:
        from lyra.interfaces.cli.tables import write_table  # noqa: PLC0415 - rich is slow to import

        headers = [call.say(f"label.{name}") for name in ("confidence", "status", "claim")]
        rows = [(f"{one.values.confidence:.3f}", status_words(one, call.lang), one.claim.text) for one in materials.claims]
        write_table(call.environ, headers, rows)
    return EXIT_OK


def stop(call: Invocation, task: TaskArgument) -> int:
    """Stop a task and its unfinished jobs; nothing is deleted."""
    with open_reading_store(call.settings) as store:
        stopped = store.tasks.stop(task)
    if call.as_json:
        write_json(document(**task_json(stopped)))
    else:
        write_text(call.say("text.task_stopped", task=stopped.task_id))
    return EXIT_OK


def delete(
    call: Invocation,
    task: TaskArgument,
    *,
    hard: Annotated[bool, typer.Option("--hard", help="help.task_hard")] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="help.task_dry_run")] = False,
) -> int:
    """Delete a task and what is its own; with `--hard` also the pages and fragments that nothing else needs."""
    from lyra.workflows.cleanup import delete_task  # noqa: PLC0415 - help needs none of this

    with open_reading_store(call.settings) as store:
        done = delete_task(store, task, hard=hard, dry_run=dry_run)
    if call.as_json:
        write_json(document(task_id=task, hard=hard, dry_run=dry_run, deleted=done.deleted))
        return EXIT_OK
    write_text(call.say("text.task_would_be_deleted" if dry_run else "text.task_deleted", task=task))
    shown = [name for name in _SHOWN_WHEN_DELETED if name in done.deleted]
    write_text("\n".join(f"{call.say(f'label.count_of_{name}')}: {done.deleted[name]}" for name in shown))
    return EXIT_OK
