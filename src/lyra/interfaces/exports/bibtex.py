"""Sources as BibTeX, in UTF-8. Nothing that a document says can end a field or an entry."""

import re
from collections.abc import Iterator

from lyra.core.materials import Materials
from lyra.core.own_result import BIBTEX_MARK
from lyra.interfaces.exports.sources import RETRACTED, Kind, Source, sources_of

# Braces count even behind a backslash, so that they must not stand in a value themselves.
_ESCAPES = str.maketrans(
    {
        "\\": r"\textbackslash{}",
        "{": r"\textbraceleft{}",
        "}": r"\textbraceright{}",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        **{character: f"\\{character}" for character in "$&#%_"},
    }
)
# Addresses are set as they are; only what would end the field is put in the way of addresses.
_IN_ADDRESS = str.maketrans({"\\": "%5C", "{": "%7B", "}": "%7D"})
_MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split()
# What BibTeX would take for a list of names, or for a name in more than two parts.
_NO_PERSON = re.compile(r"(?:^|\s)and(?:\s|$)|^others$|,.*,|^,|,$", re.IGNORECASE)


def bibtex(materials: Materials) -> str:
    """Return one entry for each source."""
    return "\n".join([f"{BIBTEX_MARK}\n", *map(_entry, sources_of(materials))])


def _entry(source: Source) -> str:
    kind = "article" if source.kind is Kind.ARTICLE else "misc"
    fields = "".join(f"  {name} = {value},\n" for name, value in _fields(source))
    return f"@{kind}{{{source.key},\n{fields}}}\n"


def _fields(source: Source) -> Iterator[tuple[str, str]]:
    if source.authors:
        yield "author", f"{{{' and '.join(map(_name, source.authors))}}}"
    yield "title", _value(source.title)
    if source.venue:
        yield ("journal" if source.kind is Kind.ARTICLE else "howpublished"), _value(source.venue)
    yield from _date(source.date)
    if source.doi:
        yield "doi", f"{{{source.doi.translate(_IN_ADDRESS)}}}"
    if source.url:
        yield "url", f"{{{source.url.translate(_IN_ADDRESS)}}}"
    if source.retracted:
        yield "note", f"{{{RETRACTED}}}"


def _date(date: tuple[int, ...]) -> Iterator[tuple[str, str]]:
    for name, number in zip(("year", "month", "day"), date, strict=False):
        if name != "month":
            yield name, f"{{{number}}}"
        elif 1 <= number <= len(_MONTHS):
            yield name, _MONTHS[number - 1]


def _value(text: str) -> str:
    return f"{{{text.translate(_ESCAPES)}}}"


def _name(author: str) -> str:
    return _value(author) if _NO_PERSON.search(author) else author.translate(_ESCAPES)
