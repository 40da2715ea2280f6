"""`lyra lens`: an interpretation of a task's materials, which changes nothing."""

from collections.abc import Iterator, Mapping
from typing import Annotated

import typer

from lyra.app import open_store_unchanged
from lyra.core.errors import EXIT_OK
from lyra.interfaces.cli.check import TaskArgument
from lyra.interfaces.cli.invocation import Invocation
from lyra.interfaces.cli.output import write_json, write_text
from lyra.interfaces.lens_presenter import field_word, opinion_json, value_words

_SHOWN_ITEMS = 50


def lens(
    call: Invocation, name: Annotated[str, typer.Argument(metavar="NAME", help="help.argument_lens")], task: TaskArgument
) -> int:
    """Show a task through a lens."""
    from lyra.workflows.lens import look_through  # noqa: PLC0415 - help needs none of this

    with open_store_unchanged(call.settings) as store:
        opinion = look_through(store, name, task)
    if call.as_json:
        write_json(opinion_json(name, task, opinion, call.lang))
        return EXIT_OK
    if not opinion.items:
        write_text(call.say("text.lens_nothing"))
    for number, item in enumerate(opinion.items[:_SHOWN_ITEMS], start=1):
        write_text("\n".join([f"{number}.", *_lines(call, item, 1), ""]))
    if len(opinion.items) > _SHOWN_ITEMS:
        write_text(call.say("text.lens_more", count=len(opinion.items) - _SHOWN_ITEMS))
    write_text(call.say("text.lens_note"))
    return EXIT_OK


def _lines(call: Invocation, item: Mapping[str, object], depth: int) -> Iterator[str]:
    indent = "   " * depth
    for name, value in item.items():
        nested = value if isinstance(value, list) and value and isinstance(value[0], Mapping) else None
        if nested is not None:
            yield f"{indent}{field_word(name, call.lang)}:"
            for inner in nested:
                words = value_words(inner, call.lang)
                if words is not None:
                    yield f"{indent}   - {words}"
                else:
                    yield f"{indent}   -"
                    yield from _lines(call, inner, depth + 2)
        elif isinstance(value, Mapping):
            yield f"{indent}{field_word(name, call.lang)}:"
            yield from _lines(call, value, depth + 1)
        elif value is not None and value != []:
            shown = value_words(value, call.lang)
            yield f"{indent}{field_word(name, call.lang)}: {shown}"
