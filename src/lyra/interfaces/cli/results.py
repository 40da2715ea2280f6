"""Writing a task's result to a file of any format."""

from pathlib import Path

from lyra.core.materials import Materials
from lyra.core.timeline import TimelineEvent
from lyra.interfaces.cli.bundles import refuse_unwritable_bundle, write_bundle
from lyra.interfaces.cli.output import refuse_unwritable, write_file
from lyra.interfaces.exports.formats import Format


def refuse_target(chosen: Format, target: Path) -> None:
    """Raise InvalidInput, before any work is done, for a place where the result could not be written afterwards."""
    if chosen.bundle is not None:
        refuse_unwritable_bundle(target)
    else:
        refuse_unwritable(target)


def write_target(
    chosen: Format, target: Path, materials: Materials, history: tuple[TimelineEvent, ...], lang: str, text: str | None = None
) -> None:
    """Write the materials, or the given text of them, whole or not at all. Raises LyraError when that fails."""
    task_id = materials.task.task_id
    if chosen.bundle is not None:
        write_bundle(target, chosen.bundle(materials, history), task_id)
    else:
        write_file(target, chosen.text(materials, lang) if text is None else text, task_id)
