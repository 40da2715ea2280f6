"""`lyra materials`: what a task has come to, for a program or a person."""

import json
from pathlib import Path
from typing import Annotated

import typer

from lyra.app import open_reading_store
from lyra.core.errors import EXIT_OK, InvalidInput
from lyra.interfaces.cli.check import OutOption, TaskArgument
from lyra.interfaces.cli.invocation import Invocation
from lyra.interfaces.cli.output import refuse_unwritable, write_file, write_json, write_text
from lyra.interfaces.presenter import document, materials_json

JSON, MARKDOWN = "json", "md"


def materials(
    call: Invocation,
    task: TaskArgument,
    *,
    format_: Annotated[str | None, typer.Option("--format", metavar="json|md", help="help.materials_format")] = None,
    out: OutOption = None,
) -> int:
    """Write the claims of a task with all their evidence."""
    from lyra.workflows.materials import collect  # noqa: PLC0415 - help needs none of this

    if format_ not in (None, JSON, MARKDOWN):
        raise InvalidInput("bad_format", value=format_, formats=f"{JSON}, {MARKDOWN}")
    target = None if out is None else Path(out)
    if target is not None:
        refuse_unwritable(target)
    with open_reading_store(call.settings) as store:
        found = collect(store, task)
    chosen = format_ or (JSON if call.as_json or (target and target.suffix.lower() == ".json") else MARKDOWN)
    if chosen == JSON:
        value = materials_json(found, call.lang)
        if target is None:
            write_json(value)
            return EXIT_OK
        content = json.dumps(value, ensure_ascii=False, indent=2) + "\n"
    else:
        from lyra.interfaces.markdown import materials_markdown  # noqa: PLC0415 - only Markdown needs it

        content = materials_markdown(found, call.lang)
    if target is not None:
        write_file(target, content, task)
    if call.as_json:
        written = None if target is None else str(target)
        write_json(document(task_id=task, format=chosen, path=written, text=content if target is None else None))
    else:
        write_text(content if target is None else call.say("text.written", path=target))
    return EXIT_OK
