"""`lyra auth`: pages that wait for a person."""

from typing import Annotated

import typer

from lyra.app import open_bench, open_reading_store
from lyra.core.errors import EXIT_OK
from lyra.interfaces.cli.invocation import Invocation
from lyra.interfaces.cli.output import write_json, write_text
from lyra.interfaces.gathering_presenter import intervention_json
from lyra.interfaces.presenter import document
from lyra.interfaces.state_presenter import job_json
from lyra.interfaces.untrusted import on_one_line


def list_(
    call: Invocation,
    *,
    task: Annotated[str | None, typer.Option("--task", metavar="TASK", help="help.auth_task")] = None,
    all_: Annotated[bool, typer.Option("--all", help="help.auth_all")] = False,
) -> int:
    """List the pages that wait for a person."""
    from lyra.workflows.interventions import get_auth_queue  # noqa: PLC0415 - help needs none of this

    with open_reading_store(call.settings) as store:
        found = get_auth_queue(store, task, settled=all_)
    if call.as_json:
        write_json(document(interventions=[intervention_json(one) for one in found]))
        return EXIT_OK
    for one in found:
        words = {"wall": call.say(f"label.wall_{one.wall}"), "status": call.say(f"label.intervention_{one.status}")}
        shown = {"id": one.intervention_id, "url": on_one_line(one.url), "task": one.task_id}
        write_text(call.say("text.intervention_line", **shown, **words))
    if not found:
        write_text(call.say("text.no_interventions"))
    return EXIT_OK


def resolve(
    call: Invocation,
    name: Annotated[str, typer.Argument(metavar="ID", help="help.auth_name")],
    *,
    page: Annotated[str | None, typer.Option("--page", metavar="FILE", help="help.auth_page")] = None,
    skip: Annotated[bool, typer.Option("--skip", help="help.auth_skip")] = False,
) -> int:
    """Settle pages that wait: hand one in, have them tried again, or give them up."""
    from lyra.workflows.interventions import resolve_auth  # noqa: PLC0415 - help needs none of this

    with open_bench(call.settings, call.progress(), call.models) as bench:
        settled = resolve_auth(bench, name, page, skip=skip)
    if call.as_json:
        shown = [
            {
                "intervention": intervention_json(one.intervention),
                "outcome": one.outcome,
                "job": None if one.job is None else job_json(one.job),
            }
            for one in settled
        ]
        write_json(document(settled=shown))
        return EXIT_OK
    for one in settled:
        url = on_one_line(one.intervention.url)
        write_text(call.say(f"text.intervention_{one.outcome}", url=url, path=page or ""))
    return EXIT_OK
