"""Sources as CSL-JSON, which citation processors read."""

import json

from lyra.core.materials import Materials
from lyra.core.own_result import CSL_SOURCE
from lyra.interfaces.exports.sources import RETRACTED, Source, sources_of
from lyra.interfaces.presenter import Json


def csl(materials: Materials) -> str:
    """Return a list with one item for each source."""
    return json.dumps([_item(source) for source in sources_of(materials)], ensure_ascii=False, indent=2) + "\n"


def _item(source: Source) -> Json:
    item: Json = {"source": CSL_SOURCE, "id": source.key, "type": source.kind.value, "title": source.title}
    if source.authors:
        item["author"] = [_name(author) for author in source.authors]
    if source.date:
        item["issued"] = {"date-parts": [list(source.date)]}
    facts = {"container-title": source.venue, "DOI": source.doi, "URL": source.url}
    item |= {name: value for name, value in facts.items() if value}
    if source.retracted:
        item["note"] = RETRACTED
    return item


def _name(author: str) -> Json:
    """Return a name in its parts where the source gives them; which word of another is the surname is not guessed."""
    family, comma, given = (part.strip() for part in author.partition(","))
    if comma and family and given and "," not in given:
        return {"family": family, "given": given}
    return {"literal": author}
