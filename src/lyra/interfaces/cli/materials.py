"""`lyra materials`: what a task has come to, for a program or a person."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from lyra.app import open_reading_store
from lyra.core.errors import EXIT_OK, InvalidInput
from lyra.interfaces.cli.check import TaskArgument
from lyra.interfaces.cli.invocation import Invocation
from lyra.interfaces.cli.numbers import whole_number
from lyra.interfaces.cli.output import (
    note,
    stdout_takes_utf_8,
    write_exactly,
    write_file_stream,
    write_json,
    write_stream,
    write_text,
)
from lyra.interfaces.presenter import document, materials_json
from lyra.interfaces.query_presenter import page_json

if TYPE_CHECKING:  # help needs none of this
    from lyra.core.materials import Materials
    from lyra.core.timeline import TimelineEvent
    from lyra.interfaces.exports.formats import Format
    from lyra.workflows.materials import MaterialsPage

# From so many claims on, JSON is written for programs alone: on one line, and in bounded memory.
LARGE = 200
FORMAT_NAMES = "json|md|csv|graph|bibtex|ris|csl|jsonld|rocrate"


def materials(
    call: Invocation,
    task: TaskArgument,
    *,
    format_: Annotated[str | None, typer.Option("--format", metavar=FORMAT_NAMES, help="help.materials_format")] = None,
    out: Annotated[str | None, typer.Option("--out", metavar="FILE", help="help.materials_out")] = None,
    limit: Annotated[str | None, typer.Option("--limit", metavar="N", help="help.materials_limit")] = None,
    after: Annotated[str | None, typer.Option("--after", metavar="CURSOR", help="help.materials_after")] = None,
    order: Annotated[str | None, typer.Option("--order", metavar="NAME", help="help.materials_order")] = None,
    evidence: Annotated[str | None, typer.Option("--evidence", metavar="N", help="help.materials_evidence")] = None,
) -> int:
    """Write the claims of a task with all their evidence, or a page of them."""
    from lyra.interfaces.cli.results import refuse_target, write_target  # noqa: PLC0415 - help needs none of this
    from lyra.interfaces.exports.formats import JSON, MARKDOWN, choose  # noqa: PLC0415 - help needs none of this

    target = None if out is None else Path(out)
    chosen = choose(format_, target, JSON if call.as_json else MARKDOWN)
    if target is not None:
        refuse_target(chosen, target)
    elif chosen.bundle is not None:
        raise InvalidInput("out_needed", format=chosen.name)
    options = PageOptions(limit, after, order, evidence)
    if chosen is JSON and options == NO_PAGE and _stream(call, task, target):
        return EXIT_OK
    found, page, history = _read(call, task, options, with_history=chosen.bundle is not None)
    if target is None and chosen is JSON:
        write_json(materials_json(found, call.lang, **({} if page is None else {"page": page_json(page)})))
        return EXIT_OK
    if page is not None and page.following is not None:
        note(call.say("text.next_page", task=task, cursor=page.following))
    if target is None and chosen.answer is not None:
        write_json(chosen.answer(found, call.lang))
        return EXIT_OK
    content = None
    if target is not None:
        write_target(chosen, target, found, history, call.lang)
    else:
        content = chosen.text(found, call.lang)
    _tell(call, task, chosen, target, content)
    return EXIT_OK


def _tell(call: Invocation, task: str, chosen: "Format", target: Path | None, content: str | None) -> None:
    """Write the content, or where it was written to."""
    from lyra.interfaces.exports.formats import MARKDOWN  # noqa: PLC0415 - help needs none of this

    if call.as_json:
        written = None if target is None else str(target)
        write_json(document(task_id=task, format=chosen.name, path=written, text=content))
    elif content is None:
        write_text(call.say("text.written", path=target))
    elif chosen is MARKDOWN:
        write_text(content)
    else:
        write_exactly(content)


class PageOptions(NamedTuple):
    """The options that ask for a page, as given."""

    limit: str | None
    after: str | None
    order: str | None
    evidence: str | None


NO_PAGE = PageOptions(None, None, None, None)


def _stream(call: Invocation, task: str, target: Path | None) -> bool:
    """Write a large task as JSON on one line, in bounded memory; returns False, with nothing written, for a small one."""
    from lyra.interfaces.exports.bulk_json import stream_materials  # noqa: PLC0415 - help needs none of this

    with open_reading_store(call.settings) as store:
        if store.tasks.get(task).claim_count < LARGE or (target is None and not stdout_takes_utf_8()):
            return False
        pieces = stream_materials(store, task, call.lang)
        if target is None:
            write_stream(pieces)
            return True
        write_file_stream(target, pieces, task)
    if call.as_json:
        write_json(document(task_id=task, format="json", path=str(target), text=None))
    else:
        write_text(call.say("text.written", path=target))
    return True


def _read(
    call: Invocation, task: str, options: PageOptions, *, with_history: bool
) -> "tuple[Materials, MaterialsPage | None, tuple[TimelineEvent, ...]]":
    """Return the claims asked for; the page they are, unless all were; and, where asked for, the history of the task."""
    from lyra.core.paging import ADDED, MAX_PAGE  # noqa: PLC0415 - help needs none of this
    from lyra.workflows.materials import PageRequest, collect, read_page  # noqa: PLC0415 - help needs none of this

    with open_reading_store(call.settings) as store:
        history = tuple(store.history.of_task(task)) if with_history else ()
        if options == NO_PAGE:
            return collect(store, task), None, history
        limit, evidence = options.limit, options.evidence
        request = PageRequest(
            limit=MAX_PAGE if limit is None else whole_number("--limit", limit, 1, MAX_PAGE),
            after=options.after,
            order=options.order or ADDED,
            evidence_per_claim=None if evidence is None else whole_number("--evidence", evidence, 0, MAX_PAGE),
        )
        page = read_page(store, task, request)
    return page.materials, page, history
