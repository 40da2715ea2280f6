"""Tables for people: coloured on a terminal, plain anywhere else, readable at 80 columns."""

import sys
from collections.abc import Iterable, Mapping, Sequence

from rich.box import SIMPLE_HEAD
from rich.console import Console, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from lyra.interfaces.cli.output import width, write_text
from lyra.interfaces.untrusted import on_one_line

# On a narrower terminal lines wrap; a narrower table would leave out what does not fit.
_NARROWEST_TABLE = 76


def open_console(environ: Mapping[str, str]) -> Console:
    """Return a console on stdout that takes text as text: no markup, no emoji codes, no guessing at colours."""
    return Console(
        file=sys.stdout,
        width=max(_NARROWEST_TABLE, width(environ)),
        force_terminal=None if sys.stdout.isatty() else False,
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
    """Write a table; the last column takes what width is left."""
    table = new_table()
    for position, header in enumerate(headers):
        last = position == len(headers) - 1
        table.add_column(header, overflow="fold", no_wrap=not last, ratio=1 if last else None)
    for row in rows:
        table.add_row(*(Text(on_one_line(cell)) for cell in row))
    write_shown(environ, [table])


def new_table() -> Table:
    """Return a table in the style of the program."""
    return Table(box=SIMPLE_HEAD, padding=(0, 1, 0, 0), pad_edge=False, show_edge=False, header_style="bold")


def indented(text: Text, columns: int = 3) -> Padding:
    """Return a text whose lines all start `columns` further right."""
    return Padding(text, (0, 0, 0, columns))
