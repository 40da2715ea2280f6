"""The labels a command works on: those of the files it is given, else those in the store."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from lyra.core.errors import InvalidInput
from lyra.interfaces.cli.cases_source import open_cases
from lyra.interfaces.cli.invocation import Invocation

if TYPE_CHECKING:
    from lyra.cases.model import Annotation

FilesArgument = Annotated[list[str] | None, typer.Argument(metavar="FILES", help="help.agreement_files")]
LabelProjectOption = Annotated[str | None, typer.Option("--project", metavar="ID", help="help.cases_project")]


def read_labels(files: Sequence[str], project: str | None) -> "list[Annotation]":
    """Return the labels of all files; a file of cases that names nobody is its own rater, by its name or its path."""
    stems = Counter(Path(file).stem for file in files)
    found: list[Annotation] = []
    for file in files:
        rater = Path(file).stem if stems[Path(file).stem] == 1 else str(Path(file).with_suffix(""))
        found += open_cases(file, project).annotations(rater)
    return found


def labels_for(call: Invocation, files: Sequence[str] | None, project: str | None) -> "list[Annotation]":
    """Return the labels of the files, else those of the store. Raises InvalidInput where there are none."""
    found = read_labels(files, project) if files else _stored(call)
    if not any(one.value is not None for one in found):
        raise InvalidInput("agreement_no_labels")
    return found


def _stored(call: Invocation) -> "list[Annotation]":
    from lyra.app import open_reading_store  # noqa: PLC0415 - only without files
    from lyra.workflows.case_labels import kept_labels  # noqa: PLC0415 - only without files

    with open_reading_store(call.settings) as store:
        return kept_labels(store)


def keep(call: Invocation, labels: "Sequence[Annotation]") -> int:
    """Keep labels in the store; returns how many were new."""
    from lyra.app import open_reading_store  # noqa: PLC0415 - only --save needs it
    from lyra.workflows.case_labels import keep_labels  # noqa: PLC0415 - only --save needs it

    with open_reading_store(call.settings) as store:
        return keep_labels(store, labels)


def whole_number(option: str, value: str | None, default: int, least: int, most: int) -> int:
    """Return a number given as text. Raises InvalidInput for anything that is no whole number within the bounds."""
    if value is None:
        return default
    if value.isascii() and value.isdigit() and least <= int(value) <= most:
        return int(value)
    raise InvalidInput("agreement_bad_number", option=option, least=least, most=most, value=value)
