"""Tables for people: coloured on a terminal, plain anywhere else, and lists where a table would not fit."""

import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from io import BytesIO, TextIOWrapper

from rich.box import SIMPLE_HEAD
from rich.console import Console, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from lyra.interfaces.cli.output import width, write_text
from lyra.interfaces.untrusted import on_one_line

# A narrower table would leave out what does not fit, or break words into single letters.
_NARROWEST_TABLE = 76


def table_fits(environ: Mapping[str, str]) -> bool:
    """Return whether lines are wide enough for a table; else the same is shown as a list."""
    return width(environ) >= _NARROWEST_TABLE


def open_console(environ: Mapping[str, str]) -> Console:
    """Return a console that draws for stdout, without writing there, and takes text as text: no markup, no emoji codes."""
    return Console(
        file=TextIOWrapper(BytesIO(), encoding=sys.stdout.encoding or "utf-8"),
        width=width(environ),
        force_terminal=sys.stdout.isatty(),
        no_color=True if environ.get("NO_COLOR") else None,
        markup=False,
        emoji=False,
        highlight=False,
    )


def write_shown(environ: Mapping[str, str], parts: Iterable[RenderableType]) -> None:
    """Write tables and texts to stdout as one, without spaces at the ends of lines."""
    console = open_console(environ)
    with console.capture() as capture:
        for part in parts:
            console.print(part)
    write_text("\n".join(line.rstrip() for line in capture.get().split("\n")))


def write_table(environ: Mapping[str, str], headers: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Write a table whose last column takes what width is left, or, on narrow lines, a list of what that column holds."""
    if not table_fits(environ):
        write_shown(environ, (part for row in rows for part in _stacked(headers, row)))
        return
    table = new_table()
    for position, header in enumerate(headers):
        last = position == len(headers) - 1
        table.add_column(header, overflow="fold", no_wrap=not last, ratio=1 if last else None)
    for row in rows:
        table.add_row(*(Text(on_one_line(cell)) for cell in row))
    write_shown(environ, [table])


def _stacked(headers: Sequence[str], row: Sequence[str]) -> Iterator[RenderableType]:
    yield Text(on_one_line(row[-1]), style="bold")
    for header, cell in zip(headers[:-1], row[:-1], strict=True):
        yield indented(Text(f"{header}: {on_one_line(cell)}"))
    yield ""


def new_table() -> Table:
    """Return a table in the style of the program."""
    return Table(box=SIMPLE_HEAD, padding=(0, 1, 0, 0), pad_edge=False, show_edge=False, header_style="bold")


def indented(text: Text, columns: int = 3) -> Padding:
    """Return a text whose lines all start `columns` further right."""
    return Padding(text, (0, 0, 0, columns))
