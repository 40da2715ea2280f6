"""The options by which `check` and `search` reach beyond the library."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

import typer

from lyra.config import Settings
from lyra.core.errors import EXIT_BAD_INPUT, EXIT_OK, LyraError
from lyra.interfaces.cli.invocation import Invocation
from lyra.interfaces.cli.numbers import whole_number
from lyra.interfaces.cli.output import note_all, write_json, write_text
from lyra.interfaces.presenter import document, problem_json
from lyra.interfaces.state_presenter import job_json

if TYPE_CHECKING:
    from lyra.core.gathering import Beyond
    from lyra.workflows.check import Submission

ProviderOption = Annotated[list[str] | None, typer.Option("--provider", metavar="NAME", help="help.option_provider")]
UrlOption = Annotated[list[str] | None, typer.Option("--url", metavar="URL", help="help.search_url")]
DoiOption = Annotated[list[str] | None, typer.Option("--doi", metavar="DOI", help="help.search_doi")]
MaxPagesOption = Annotated[str | None, typer.Option("--max-pages", metavar="N", help="help.option_max_pages")]
MaxSecondsOption = Annotated[str | None, typer.Option("--max-seconds", metavar="N", help="help.option_max_seconds")]
OfflineOption = Annotated[bool, typer.Option("--offline", help="help.option_offline")]
QueueOption = Annotated[bool, typer.Option("--queue", help="help.option_queue")]
_MOST_PAGES, _MOST_SECONDS = 100_000, 604_800


def read_beyond(
    providers: Sequence[str] | None,
    max_pages: str | None,
    max_seconds: str | None,
    urls: Sequence[str] | None = None,
    dois: Sequence[str] | None = None,
) -> "Beyond":
    """Return what the options ask for. Raises InvalidInput for a number out of range."""
    from lyra.core.gathering import Beyond, Budget  # noqa: PLC0415 - help needs none of this

    pages = None if max_pages is None else whole_number("--max-pages", max_pages, 0, _MOST_PAGES)
    seconds = None if max_seconds is None else whole_number("--max-seconds", max_seconds, 1, _MOST_SECONDS)
    named = tuple(providers) if providers else None
    return Beyond(named, tuple(urls or ()), tuple(dois or ()), Budget(pages, seconds))


def reaching(settings: Settings, *, offline: bool) -> Settings:
    """Return the settings of a run; with `offline` no connection can be opened."""
    return replace(settings, fetch=replace(settings.fetch, offline=True)) if offline else settings


def show_queued(call: Invocation, prepared: "Submission", problems: Sequence[LyraError] = ()) -> int:
    """Say which job was queued."""
    found = (*problems, *prepared.problems)
    note_all(call.lang, prepared.problems)
    task_id = prepared.task.task_id
    if call.as_json:
        job = job_json(prepared.job)
        write_json(document(task_id=task_id, job=job, problems=[problem_json(problem, call.lang) for problem in found]))
    else:
        write_text(call.say("text.job_queued", job=prepared.job.job_id, task=task_id))
    return EXIT_BAD_INPUT if found else EXIT_OK
