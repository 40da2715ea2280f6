"""`lyra materials`: what a task has come to, for a program or a person."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from lyra.app import open_reading_store
from lyra.core.errors import EXIT_OK
from lyra.interfaces.cli.check import TaskArgument
from lyra.interfaces.cli.invocation import Invocation
from lyra.interfaces.cli.numbers import whole_number
from lyra.interfaces.cli.output import note, refuse_unwritable, write_exactly, write_file, write_json, write_text
from lyra.interfaces.presenter import document, materials_json
from lyra.interfaces.query_presenter import page_json

if TYPE_CHECKING:  # help needs none of this
    from lyra.core.materials import Materials
    from lyra.workflows.materials import MaterialsPage

FORMAT_NAMES = "json|md|csv|graph|bibtex|ris|csl"


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
    from lyra.interfaces.exports.formats import JSON, MARKDOWN, choose  # noqa: PLC0415 - help needs none of this

    target = None if out is None else Path(out)
    chosen = choose(format_, target, JSON if call.as_json else MARKDOWN)
    if target is not None:
        refuse_unwritable(target)
    found, page = _read(call, task, limit, after, order, evidence)
    if target is None and chosen is JSON:
        write_json(materials_json(found, call.lang, **({} if page is None else {"page": page_json(page)})))
        return EXIT_OK
    if page is not None and page.following is not None:
        note(call.say("text.next_page", task=task, cursor=page.following))
    if target is None and chosen.answer is not None:
        write_json(chosen.answer(found, call.lang))
        return EXIT_OK
    content = chosen.write(found, call.lang)
    if target is not None:
        write_file(target, content, task)
    if call.as_json:
        written = None if target is None else str(target)
        write_json(document(task_id=task, format=chosen.name, path=written, text=content if target is None else None))
    elif target is not None:
        write_text(call.say("text.written", path=target))
    elif chosen is MARKDOWN:
        write_text(content)
    else:
        write_exactly(content)
    return EXIT_OK


def _read(
    call: Invocation, task: str, limit: str | None, after: str | None, order: str | None, evidence: str | None
) -> "tuple[Materials, MaterialsPage | None]":
    """Return the claims asked for; and the page they are, unless all were."""
    from lyra.core.paging import ADDED, MAX_PAGE  # noqa: PLC0415 - help needs none of this
    from lyra.workflows.materials import PageRequest, collect, read_page  # noqa: PLC0415 - help needs none of this

    with open_reading_store(call.settings) as store:
        if limit is None and after is None and order is None and evidence is None:
            return collect(store, task), None
        request = PageRequest(
            limit=MAX_PAGE if limit is None else whole_number("--limit", limit, 1, MAX_PAGE),
            after=after,
            order=order or ADDED,
            evidence_per_claim=None if evidence is None else whole_number("--evidence", evidence, 0, MAX_PAGE),
        )
        page = read_page(store, task, request)
    return page.materials, page
