"""The table of formats: what each is called, which file name stands for it, and who writes it."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import PurePath

from lyra.core.errors import InvalidInput
from lyra.core.materials import Materials
from lyra.interfaces.exports.bibtex import bibtex
from lyra.interfaces.exports.csl import csl
from lyra.interfaces.exports.graph import graph
from lyra.interfaces.exports.ris import ris
from lyra.interfaces.exports.table import table
from lyra.interfaces.markdown import materials_markdown
from lyra.interfaces.presenter import Json, materials_json


@dataclass(frozen=True, slots=True)
class Format:
    """A format: `write` makes its text. `suffix` is the ending of `--out` that picks it, where one does."""

    name: str
    write: Callable[[Materials, str], str]
    suffix: str | None = None
    answer: Callable[[Materials, str], Json] | None = None
    """The JSON document itself, of a format that is one of ours: `--json` writes it instead of a text inside another."""


def _text(value: Json) -> str:
    return json.dumps(value, ensure_ascii=False, indent=2, allow_nan=False) + "\n"


JSON = Format("json", lambda found, lang: _text(materials_json(found, lang)), ".json", materials_json)
MARKDOWN = Format("md", materials_markdown, ".md")
FORMATS = {
    one.name: one
    for one in (
        JSON,
        MARKDOWN,
        Format("csv", lambda found, _: table(found), ".csv"),
        Format("graph", lambda found, _: _text(graph(found)), None, lambda found, _: graph(found)),
        Format("bibtex", lambda found, _: bibtex(found), ".bib"),
        Format("ris", lambda found, _: ris(found), ".ris"),
        Format("csl", lambda found, _: csl(found)),
    )
}


def choose(name: str | None, target: PurePath | None, default: Format) -> Format:
    """Return the named format, else the one that the file's name ends in, else the default.

    Raises InvalidInput, naming all formats, where there is none of that name.
    """
    if name is not None:
        if name not in FORMATS:
            raise InvalidInput("bad_format", value=name, formats=", ".join(FORMATS))
        return FORMATS[name]
    suffix = None if target is None else target.suffix.lower()
    return next((one for one in FORMATS.values() if suffix and one.suffix == suffix), default)
