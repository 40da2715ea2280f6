"""Values from other people's JSON: the right type, cleaned and bounded, or None."""

import re
from collections.abc import Iterator, Mapping, Sequence

from lyra.core.errors import WebProblem
from lyra.providers.cleaning import clean_line, clean_text
from lyra.providers.dates import parse_date

MAX_TITLE = 1_000
MAX_ABSTRACT = 50_000
_MAX_AUTHORS = 500
_MARKUP = re.compile(
    r"</?(?:jats:)?(?:p|title|sec|italic|bold|sub|sup|i|b|em|strong|list|list-item|abstract|h[1-6]|br)\b[^<>]{0,100}/?>",
    re.IGNORECASE,
)
_FIRST_YEAR, _LAST_YEAR = 1000, 2999
_MAX_COUNT = 10**9


def as_object(value: object) -> Mapping[str, object]:
    """Return a JSON object; an empty one for anything else."""
    return value if isinstance(value, dict) else {}


def as_list(value: object) -> Sequence[object]:
    """Return a JSON list; an empty one for anything else."""
    return value if isinstance(value, list) else ()


def required_list(value: object, key: str, url: str) -> Sequence[object]:
    """Return the list under `key` of an answer, or raise WebProblem `malformed_answer`: without it the answer says nothing."""
    found = as_object(value).get(key)
    if not isinstance(found, list):
        raise WebProblem("malformed_answer", url=url)
    return found


def line(value: object, limit: int = MAX_TITLE) -> str | None:
    """Return a text on one line without markup; None for what is no text, or empty."""
    return (clean_line(_MARKUP.sub(" ", value))[:limit] or None) if isinstance(value, str) else None


def passage(value: object) -> str | None:
    """Return a longer text, paragraphs kept, without markup; None for what is no text, or empty."""
    if not isinstance(value, str):
        return None
    plain = _MARKUP.sub(" ", clean_text(value[: 2 * MAX_ABSTRACT]))
    lines = (" ".join(part.split()) for part in plain.split("\n"))
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip()[:MAX_ABSTRACT] or None


def count(value: object) -> int | None:
    """Return a whole number that is not negative; None for anything else."""
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= _MAX_COUNT else None


def date_of(day: object, year: object) -> str | None:
    """Return the publication date as precisely as the two fields give it."""
    parsed = parse_date(day) if isinstance(day, str) else None
    if parsed:
        return parsed
    known = count(year)
    return f"{known:04}" if known is not None and _FIRST_YEAR <= known <= _LAST_YEAR else None


def names(values: object, key: str) -> tuple[str, ...]:
    """Return the names in a list of objects, in order."""
    found = (line(as_object(entry).get(key), 200) for entry in as_list(values)[:_MAX_AUTHORS])
    return tuple(name for name in found if name)


def objects(values: Sequence[object]) -> Iterator[Mapping[str, object]]:
    """Yield the objects of a list and pass over what is none."""
    return (entry for entry in values if isinstance(entry, dict))
