"""Sources as RIS, in UTF-8: one line for each fact, its tag first, lines ending as the format wants them."""

from collections.abc import Iterator

from lyra.core.materials import Materials
from lyra.core.own_result import RIS_MARK
from lyra.interfaces.exports.sources import RETRACTED, Kind, Source, sources_of

_TYPES = {Kind.ARTICLE: "JOUR", Kind.WEBPAGE: "ELEC", Kind.DOCUMENT: "GEN"}
_LINE_END = "\r\n"


def ris(materials: Materials) -> str:
    """Return one record for each source; nothing where there is none."""
    return "".join(f"{line}{_LINE_END}" for source in sources_of(materials) for line in _record(source))


def _record(source: Source) -> Iterator[str]:
    yield f"TY  - {_TYPES[source.kind]}"
    yield RIS_MARK
    yield f"ID  - {source.key}"
    for author in source.authors:
        yield f"AU  - {author}"
    yield f"TI  - {source.title}"
    if source.venue:
        yield f"T2  - {source.venue}"
    if source.date:
        yield f"PY  - {source.date[0]:04}"
        year, month, day = (*(f"{part:02}" for part in source.date), "", "")[:3]
        yield f"DA  - {int(year):04}/{month}/{day}/"
    if source.doi:
        yield f"DO  - {source.doi}"
    if source.url:
        yield f"UR  - {source.url}"
    if source.retracted:
        yield f"N1  - {RETRACTED}"
    yield "ER  - "
    yield ""
