"""`lyra backup` and `lyra restore`: the whole store in one file."""

from pathlib import Path
from typing import Annotated

import typer

from lyra.app import open_reading_store
from lyra.core.errors import EXIT_OK
from lyra.interfaces.cli.invocation import Invocation
from lyra.interfaces.cli.output import write_json, write_text
from lyra.interfaces.presenter import document


def backup(call: Invocation, file: Annotated[str, typer.Argument(metavar="FILE", help="help.backup_file")]) -> int:
    """Write everything Lyra knows to one new file."""
    from lyra.workflows.backup import back_up  # noqa: PLC0415 - help needs none of this

    with open_reading_store(call.settings) as store:
        size = back_up(store, Path(file))
    if call.as_json:
        write_json(document(path=file, size_bytes=size))
    else:
        write_text(call.say("text.backed_up", path=file, size=f"{size / 1e6:.1f}"))
    return EXIT_OK


def restore(call: Invocation, file: Annotated[str, typer.Argument(metavar="FILE", help="help.restore_file")]) -> int:
    """Replace everything Lyra knows by what a backup holds, and keep what was there."""
    from lyra.workflows.backup import restore as put_back  # noqa: PLC0415 - help needs none of this

    with open_reading_store(call.settings) as store:
        kept = put_back(store, Path(file))
        counts = store.facts().counts
    if call.as_json:
        write_json(document(path=file, kept=str(kept), counts=counts))
        return EXIT_OK
    write_text(call.say("text.restored", path=file, kept=kept))
    write_text("\n".join(f"{call.say(f'label.count_of_{name}')}: {count}" for name, count in counts.items()))
    return EXIT_OK
