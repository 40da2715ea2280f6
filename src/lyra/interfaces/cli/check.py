"""`lyra check`, `lyra search` and `lyra work`: the commands that judge."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from lyra.app import open_judging_bench, open_reading_store
from lyra.core.errors import EXIT_BAD_INPUT, EXIT_OK, InvalidInput, LyraError
from lyra.interfaces.cli.beyond import (
    DoiOption,
    MaxPagesOption,
    MaxSecondsOption,
    OfflineOption,
    ProviderOption,
    QueueOption,
    UrlOption,
    reaching,
    read_beyond,
    show_queued,
)
from lyra.interfaces.cli.invocation import Invocation
from lyra.interfaces.cli.output import note_all, write_json, write_text
from lyra.interfaces.presenter import document, run_json

if TYPE_CHECKING:
    from lyra.core.timeline import TimelineEvent
    from lyra.workflows.check import RunResult

LibraryOption = Annotated[list[str] | None, typer.Option("--library", metavar="PATH", help="help.option_library")]
OutOption = Annotated[str | None, typer.Option("--out", metavar="FILE", help="help.option_out")]
TaskArgument = Annotated[str, typer.Argument(metavar="TASK", help="help.argument_task")]


def check(
    call: Invocation,
    claims: Annotated[list[str] | None, typer.Argument(metavar="CLAIM", help="help.check_claim")] = None,
    *,
    claims_file: Annotated[str | None, typer.Option("--claims", metavar="FILE", help="help.check_claims")] = None,
    library: LibraryOption = None,
    task: Annotated[str | None, typer.Option("--task", metavar="TASK", help="help.check_task")] = None,
    question: Annotated[str | None, typer.Option("--question", metavar="TEXT", help="help.check_question")] = None,
    provider: ProviderOption = None,
    max_pages: MaxPagesOption = None,
    max_seconds: MaxSecondsOption = None,
    offline: OfflineOption = False,
    queue: QueueOption = False,
    reread: Annotated[bool, typer.Option("--reread", help="help.check_reread")] = False,
    out: OutOption = None,
) -> int:
    """Judge the claims against the library and what providers find, and show the result."""
    from lyra.interfaces.cli.claims_source import gather_claims  # noqa: PLC0415 - help needs none of this
    from lyra.workflows.check import CheckRequest, submit_check  # noqa: PLC0415 - help needs none of this
    from lyra.workflows.check import check as run_check  # noqa: PLC0415 - help needs none of this

    target = _target(out)
    given = gather_claims(claims or (), claims_file, call.settings.library.max_file_mb)
    if not given.texts:
        note_all(call.lang, given.problems[1:])
        raise given.problems[0]
    note_all(call.lang, given.problems)
    beyond = read_beyond(provider, max_pages, max_seconds)
    request = CheckRequest(given.texts, tuple(library or ()), question, task, reread, beyond=beyond)
    with open_judging_bench(reaching(call.settings, offline=offline), call.progress(), call.models) as bench:
        if queue:
            return show_queued(call, submit_check(bench, request), given.problems)
        result = run_check(bench, request)
    note_all(call.lang, result.problems)
    return _finish(call, result, (*given.problems, *result.problems), target)


def search(
    call: Invocation,
    task: TaskArgument,
    queries: Annotated[list[str] | None, typer.Argument(metavar="QUERY", help="help.search_query")] = None,
    *,
    library: LibraryOption = None,
    provider: ProviderOption = None,
    url: UrlOption = None,
    doi: DoiOption = None,
    max_pages: MaxPagesOption = None,
    max_seconds: MaxSecondsOption = None,
    offline: OfflineOption = False,
    queue: QueueOption = False,
    out: OutOption = None,
) -> int:
    """Grow a task's graph and show all its claims."""
    from lyra.workflows.check import search as run_search  # noqa: PLC0415 - help needs none of this
    from lyra.workflows.check import submit_search  # noqa: PLC0415 - help needs none of this

    target = _target(out)
    beyond = read_beyond(provider, max_pages, max_seconds, url, doi)
    with open_judging_bench(reaching(call.settings, offline=offline), call.progress(), call.models) as bench:
        if queue:
            return show_queued(call, submit_search(bench, task, queries or (), library or (), beyond))
        result = run_search(bench, task, queries or (), library or (), beyond)
    note_all(call.lang, result.problems)
    return _finish(call, result, result.problems, target)


def _target(out: str | None) -> Path | None:
    """Return the file to write to, or refuse it before any work is done."""
    if out is None:
        return None
    from lyra.interfaces.cli.results import refuse_target  # noqa: PLC0415 - only a written result needs it
    from lyra.interfaces.exports.formats import MARKDOWN, choose  # noqa: PLC0415 - as above

    target = Path(out)
    refuse_target(choose(None, target, MARKDOWN), target)
    return target


def _finish(call: Invocation, result: "RunResult", problems: Sequence[InvalidInput], target: Path | None) -> int:
    task_id, status = result.materials.task.task_id, result.outcome.status
    failure: LyraError | None = None
    answer = run_json(result.materials, status.value, problems, call.lang)
    if target is not None:
        try:
            _write(call, result, target, answer)
        except LyraError as error:  # the work is done, so its result is shown all the same
            failure, target = error, None
            answer = run_json(result.materials, status.value, (*problems, error), call.lang)
    if call.as_json:
        write_json(answer)
    else:
        from lyra.interfaces.cli.result_view import show_result  # noqa: PLC0415 - rich is slow to import

        show_result(call, result.materials)
        if status != "done":
            write_text(call.say("text.not_finished", status=call.say(f"label.{status.value}"), task=task_id))
        write_text(call.say("text.written", path=target) if target else call.say("text.not_written", task=task_id))
    if failure is not None:
        note_all(call.lang, [failure])
        return failure.exit_code
    return EXIT_BAD_INPUT if problems else EXIT_OK


def _write(call: Invocation, result: "RunResult", target: Path, answer: dict[str, object]) -> None:
    """Write the result in the format that the file's ending stands for; JSON is the answer of the command itself."""
    from lyra.interfaces.cli.results import write_target  # noqa: PLC0415 - only a written result needs it
    from lyra.interfaces.exports.formats import JSON, MARKDOWN, choose  # noqa: PLC0415 - as above

    chosen = choose(None, target, MARKDOWN)
    text = json.dumps(answer, ensure_ascii=False, indent=2) + "\n" if chosen is JSON else None
    history: tuple[TimelineEvent, ...] = ()
    if chosen.bundle is not None:
        with open_reading_store(call.settings) as store:
            history = tuple(store.history.of_task(result.materials.task.task_id))
    write_target(chosen, target, result.materials, history, call.lang, text)


def work(call: Invocation, *, offline: OfflineOption = False) -> int:
    """Work off the jobs that were queued or left unfinished."""
    from lyra.workflows.jobs import resume_jobs  # noqa: PLC0415 - help needs none of this

    with open_judging_bench(reaching(call.settings, offline=offline), call.progress(), call.models) as bench:
        outcomes = resume_jobs(bench)
    failures = [outcome.failure for outcome in outcomes if outcome.failure is not None]
    exit_code = max((failure.exit_code for failure in failures), default=EXIT_OK)
    if call.as_json:
        jobs = [
            {
                "job_id": outcome.job_id,
                "task_id": outcome.task_id,
                "status": outcome.status.value,
                "new_claims": outcome.new_claims,
                "new_edges": outcome.new_edges,
                "rejudged_edges": outcome.rejudged_edges,
                "error": outcome.failure and outcome.failure.code,
            }
            for outcome in outcomes
        ]
        write_json(document(jobs=jobs))
        return exit_code
    for outcome in outcomes:
        status = call.say(f"label.{outcome.status.value}")
        counts = {"claims": outcome.new_claims, "edges": outcome.new_edges}
        write_text(call.say("text.job_outcome", job=outcome.job_id, task=outcome.task_id, status=status, **counts))
    note_all(call.lang, failures)
    if not outcomes:
        write_text(call.say("text.no_jobs"))
    return exit_code
