"""`lyra query`: a read-only look into the graph, by text, by a named view, or by a statement of one's own."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from lyra.app import open_bench, open_reading_store
from lyra.core.errors import EXIT_OK, InvalidInput
from lyra.core.units import MEBIBYTE
from lyra.interfaces.cli.invocation import Invocation
from lyra.interfaces.cli.layout import two_columns, width_of, wrapped
from lyra.interfaces.cli.numbers import whole_number
from lyra.interfaces.cli.output import note, width, write_json, write_text
from lyra.interfaces.query_presenter import sql_json, sql_rows, text_json, view_json, view_rows, views_json
from lyra.interfaces.untrusted import on_one_line

if TYPE_CHECKING:  # help needs none of this
    from lyra.store.queries.records import Table
    from lyra.workflows.query import TextAnswer

DEFAULT_ROWS = 100
DEFAULT_PASSAGES = 10
_WIDEST_CELL = 60


def query(
    call: Invocation,
    sql: Annotated[str | None, typer.Argument(metavar="SQL", help="help.query_sql")] = None,
    *,
    view: Annotated[str | None, typer.Option("--view", metavar="NAME", help="help.query_view")] = None,
    views: Annotated[bool, typer.Option("--views", help="help.query_views")] = False,
    text: Annotated[str | None, typer.Option("--text", metavar="TEXT", help="help.query_text")] = None,
    task: Annotated[str | None, typer.Option("--task", metavar="TASK", help="help.query_task")] = None,
    param: Annotated[list[str] | None, typer.Option("--param", metavar="NAME=VALUE", help="help.query_param")] = None,
    limit: Annotated[str | None, typer.Option("--limit", metavar="N", help="help.query_limit")] = None,
) -> int:
    """Look into the graph without changing it."""
    if sum((sql is not None, view is not None, views, text is not None)) != 1:
        raise InvalidInput("query_what")
    if views:
        return _list_views(call)
    given = _parameters(param or ())
    if text is not None:
        if given:
            raise InvalidInput("query_parameter_unused", name=next(iter(given)))
        return _find_text(call, text, task, limit)
    if task is not None:
        given["task"] = task
    return _run_sql(call, sql, given, limit) if sql is not None else _run_view(call, str(view), given, limit)


def _parameters(pairs: Sequence[str]) -> dict[str, str]:
    given: dict[str, str] = {}
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not equals or not name.strip() or name.strip() in given:
            raise InvalidInput("bad_parameter", value=pair)
        given[name.strip()] = value
    return given


def _list_views(call: Invocation) -> int:
    from lyra.store.queries.views import VIEWS  # noqa: PLC0415 - help needs none of this

    if call.as_json:
        write_json(views_json(list(VIEWS.values()), call.lang))
        return EXIT_OK
    for view in VIEWS.values():
        names = " ".join(p.name if p.required else f"[{p.name}]" for p in view.parameters)
        write_text(f"{view.name}  {names}".rstrip())
        write_text("\n".join(f"    {line}" for line in wrapped(call.say(f"view.{view.name}"), width(call.environ) - 4)))
    return EXIT_OK


def _run_view(call: Invocation, name: str, given: dict[str, str], limit: str | None) -> int:
    from lyra.workflows.query import MAX_ROWS, find_view, run_view  # noqa: PLC0415 - help needs none of this

    find_view(name)
    rows = DEFAULT_ROWS if limit is None else whole_number("--limit", limit, 1, MAX_ROWS)
    with open_reading_store(call.settings) as store:
        table = run_view(store, name, given, rows)
    if call.as_json:
        write_json(view_json(name, dict(given), table))
    else:
        _write(call, table, view_rows(table))
    return EXIT_OK


def _run_sql(call: Invocation, sql: str, given: dict[str, str], limit: str | None) -> int:
    from lyra.store.queries.records import QueryLimits  # noqa: PLC0415 - help needs none of this
    from lyra.workflows.query import MAX_ROWS, run_sql  # noqa: PLC0415 - help needs none of this

    settings = call.settings.query
    limits = QueryLimits(
        seconds=settings.seconds,
        memory_bytes=settings.memory_mb * MEBIBYTE,
        rows=DEFAULT_ROWS if limit is None else whole_number("--limit", limit, 1, MAX_ROWS),
    )
    with open_reading_store(call.settings) as store:
        table = run_sql(store, sql, given, limits)
    if call.as_json:
        write_json(sql_json(table))
    else:
        _write(call, table, sql_rows(table))
    return EXIT_OK


def _find_text(call: Invocation, text: str, task: str | None, limit: str | None) -> int:
    from lyra.workflows.query import MAX_PASSAGES, search_text  # noqa: PLC0415 - help needs none of this

    wanted = DEFAULT_PASSAGES if limit is None else whole_number("--limit", limit, 1, MAX_PASSAGES)
    with open_bench(call.settings, call.progress(), call.models) as bench:
        answer = search_text(bench, text, task, wanted)
    if call.as_json:
        write_json(text_json(text, task, answer))
    else:
        _write_passages(call, answer)
    return EXIT_OK


def _write_passages(call: Invocation, answer: "TextAnswer") -> None:
    if not answer.passages:
        write_text(call.say("text.no_rows"))
    columns = width(call.environ)
    for number, passage in enumerate(answer.passages, start=1):
        year = call.say("text.no_year") if passage.year is None else str(passage.year)
        head = f"{number}. {on_one_line(passage.title or passage.url)} ({year})"
        quote = call.say("text.quoted", quote=on_one_line(passage.quote))
        rows = [f"{call.say('label.score')} {passage.score:.3f}", passage.fragment_id, passage.page_id]
        write_text("\n".join([*wrapped(head, columns), *(f"   {line}" for line in wrapped(quote, columns - 3))]))
        write_text(f"   {', '.join(rows)}")
        if passage.retracted:
            write_text(f"   {call.say('text.flag_retracted')}")
    if answer.with_vectors < answer.fragments:
        note(call.say("text.without_vectors", count=answer.fragments - answer.with_vectors, total=answer.fragments))


def _shown(call: Invocation, cell: object) -> str:
    match cell:
        case None:
            return "–"
        case float():
            return f"{cell:.6g}"
        case {"blob_bytes": size}:
            return call.say("text.blob", count=size)
    return on_one_line(str(cell))


def _write(call: Invocation, table: "Table", values: Sequence[Sequence[object]]) -> None:
    """Write rows as a table where it fits, else one below the other."""
    if not values:
        write_text(call.say("text.no_rows"))
        return
    columns, rows = table.columns, [[_shown(call, value) for value in row] for row in values]
    widths = [max(width_of(cell) for cell in (head, *cells)) for head, *cells in zip(columns, *rows, strict=True)]
    if sum(widths[:-1]) + 2 * len(widths) + min(widths[-1], _WIDEST_CELL) <= width(call.environ):
        from lyra.interfaces.cli.tables import write_table  # noqa: PLC0415 - rich is slow to import

        write_table(call.environ, list(columns), rows)
    else:
        blocks = ["\n".join(two_columns(list(zip(columns, row, strict=True)), width(call.environ), indent=0)) for row in rows]
        write_text("\n\n".join(blocks))
    if table.truncated is not None:
        note(call.say("text.more_rows" if table.truncated == "rows" else "text.more_bytes", count=len(rows)))
    if table.cut_cells:
        note(call.say("text.cut_cells", count=table.cut_cells))
