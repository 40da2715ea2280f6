"""`lyra materials`: what a task has come to, for a program or a person."""

from pathlib import Path
from typing import Annotated

import typer

from lyra.app import open_reading_store
from lyra.core.errors import EXIT_OK, InvalidInput
from lyra.interfaces.cli.check import TaskArgument
from lyra.interfaces.cli.invocation import Invocation
from lyra.interfaces.cli.output import write_exactly, write_json, write_text
from lyra.interfaces.presenter import document

FORMAT_NAMES = "json|md|csv|graph|bibtex|ris|csl|jsonld|rocrate"


def materials(
    call: Invocation,
    task: TaskArgument,
    *,
    format_: Annotated[str | None, typer.Option("--format", metavar=FORMAT_NAMES, help="help.materials_format")] = None,
    out: Annotated[str | None, typer.Option("--out", metavar="FILE", help="help.materials_out")] = None,
) -> int:
    """Write the claims of a task with all their evidence."""
    from lyra.interfaces.cli.results import refuse_target, write_target  # noqa: PLC0415 - help needs none of this
    from lyra.interfaces.exports.formats import JSON, MARKDOWN, choose  # noqa: PLC0415 - help needs none of this
    from lyra.workflows.materials import collect  # noqa: PLC0415 - help needs none of this

    target = None if out is None else Path(out)
    chosen = choose(format_, target, JSON if call.as_json else MARKDOWN)
    if target is not None:
        refuse_target(chosen, target)
    elif chosen.bundle is not None:
        raise InvalidInput("out_needed", format=chosen.name)
    with open_reading_store(call.settings) as store:
        found = collect(store, task)
        history = tuple(store.history.of_task(task)) if chosen.bundle is not None else ()
    if target is None and chosen.answer is not None:
        write_json(chosen.answer(found, call.lang))
        return EXIT_OK
    content = None
    if target is not None:
        write_target(chosen, target, found, history, call.lang)
    else:
        content = chosen.text(found, call.lang)
    if call.as_json:
        written = None if target is None else str(target)
        write_json(document(task_id=task, format=chosen.name, path=written, text=content))
    elif content is None:
        write_text(call.say("text.written", path=target))
    elif chosen is MARKDOWN:
        write_text(content)
    else:
        write_exactly(content)
    return EXIT_OK
