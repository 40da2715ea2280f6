"""The table of formats: what each is called, which file name stands for it, and who writes it."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import PurePath

from lyra.core.errors import InvalidInput
from lyra.core.materials import Materials
from lyra.core.timeline import TimelineEvent
from lyra.interfaces.exports.bibtex import bibtex
from lyra.interfaces.exports.csl import csl
from lyra.interfaces.exports.graph import graph
from lyra.interfaces.exports.jsonld import jsonld
from lyra.interfaces.exports.ris import ris
from lyra.interfaces.exports.rocrate import crate_files
from lyra.interfaces.exports.table import table
from lyra.interfaces.markdown import materials_markdown
from lyra.interfaces.presenter import Json, materials_json

Bundle = Callable[[Materials, tuple[TimelineEvent, ...]], Mapping[str, bytes]]


@dataclass(frozen=True, slots=True)
class Format:
    """A format: `write` makes its text, or `bundle` its files. `endings` of a file's name pick it."""

    name: str
    endings: tuple[str, ...]
    write: Callable[[Materials, str], str] | None = None
    answer: Callable[[Materials, str], Json] | None = None
    """The JSON document itself, of a format that is one of ours: `--json` writes it instead of a text inside another."""
    bundle: Bundle | None = None

    def text(self, materials: Materials, lang: str) -> str:
        """Return the text of a format that has one; raises InvalidInput `out_needed` for a bundle."""
        if self.write is None:
            raise InvalidInput("out_needed", format=self.name)
        return self.write(materials, lang)


def _text(value: Json) -> str:
    return json.dumps(value, ensure_ascii=False, indent=2, allow_nan=False) + "\n"


JSON = Format("json", (".json",), lambda found, lang: _text(materials_json(found, lang)), materials_json)
MARKDOWN = Format("md", (".md", ".markdown"), materials_markdown)
FORMATS = {
    one.name: one
    for one in (
        JSON,
        MARKDOWN,
        Format("csv", (".csv",), lambda found, _: table(found)),
        Format("graph", (".graph.json",), lambda found, _: _text(graph(found)), lambda found, _: graph(found)),
        Format("bibtex", (".bib", ".bibtex"), lambda found, _: bibtex(found)),
        Format("ris", (".ris",), lambda found, _: ris(found)),
        Format("csl", (".csl.json",), lambda found, _: csl(found)),
        Format("jsonld", (".jsonld",), lambda found, _: _text(jsonld(found)), lambda found, _: jsonld(found)),
        Format("rocrate", (".zip",), bundle=crate_files),
    )
}


def choose(name: str | None, target: PurePath | None, default: Format) -> Format:
    """Return the named format, else the one that the file's name ends in; a name without an ending gives the default.

    Raises InvalidInput, naming what there is, for a name or an ending that stands for no format.
    """
    if name is not None:
        if name not in FORMATS:
            raise InvalidInput("bad_format", value=name, formats=", ".join(FORMATS))
        return FORMATS[name]
    if target is None or not target.suffix:
        return default
    endings = {ending: one for one in FORMATS.values() for ending in one.endings}
    matching = [ending for ending in endings if target.name.lower().endswith(ending)]
    if not matching:
        raise InvalidInput("unknown_ending", path=target, endings=", ".join(endings))
    return endings[max(matching, key=len)]
