"""Works in JSON: CSL items and OpenAlex works, each told by its own fields."""

import re
from collections.abc import Iterator, Mapping

from lyra.core.records import Document, Identifier
from lyra.providers.records.facts import Facts, Place, to_document
from lyra.providers.records.raw import RawRecord

CSL_EXTRACTOR = "csl"
OPENALEX_EXTRACTOR = "openalex"
OPENALEX = "https://openalex.org/"
# Longer than any abstract; a place beyond it is a mistake, or an attempt to fill the memory.
MAX_POSITION = 1_000_000
_MARKS = ("abstract_inverted_index", "referenced_works", "authorships", "is_retracted", "display_name")
_MAX_REFERENCES = 5_000
_WORK_ID = re.compile(r"(?:https?://(?:api\.)?openalex\.org/(?:works/)?)?(w\d+)", re.IGNORECASE)

Json = Mapping[str, object]


class JsonReader:
    """Reads CSL items and OpenAlex works, also mixed in one file."""

    def __init__(self, where: str, max_chars: int) -> None:
        self._where = where
        self._max_chars = max_chars

    def key(self, raw: RawRecord) -> str | None:
        """Return None: what a record calls itself is known when it is parsed."""
        return None

    def is_record(self, raw: RawRecord) -> bool:
        """Return True: every line or object is meant as a record."""
        return True

    def read(self, raw: RawRecord, place: Place) -> tuple[str | None, Document]:
        """Return the id and the document of a record.

        Raises DocumentProblem `record_broken`, `record_bad_index` for words at impossible places, and those of
        `to_document`.
        """
        import orjson  # noqa: PLC0415 - only JSON needs it

        try:
            value = orjson.loads(raw.text)
        except orjson.JSONDecodeError as problem:
            raise place.problem("record_broken", detail=f"{problem.msg}, character {problem.pos + 1}"[:120]) from problem
        if not isinstance(value, dict):
            raise place.problem("record_broken", detail="no object")
        named = Place(place.path, place.line, _text(value.get("id")) or _number(value.get("id")))
        if is_openalex(value):
            facts, extractor = _openalex_facts(value, named, raw.notes), OPENALEX_EXTRACTOR
        else:
            facts, extractor = _csl_facts(value, raw.notes), CSL_EXTRACTOR
        return named.key, to_document(facts, named, extractor, self._max_chars)


def is_openalex(value: Json) -> bool:
    """Return whether a record is an OpenAlex work: by its id, or by fields that no other format has."""
    return (_text(value.get("id")) or "").startswith(OPENALEX) or any(mark in value for mark in _MARKS)


def _openalex_facts(work: Json, place: Place, notes: tuple[str, ...]) -> Facts:
    ids = _object(work.get("ids"))
    places = [_object(work.get("primary_location")), *map(_object, _list(work.get("locations")))]
    venue = _object(places[0].get("source")) or _object(work.get("host_venue"))
    links = [url for one in places if (url := _text(one.get("landing_page_url")))]
    preprints = [url for url in links if "arxiv.org/" in url]
    known = _WORK_ID.fullmatch(_text(work.get("id")) or _text(ids.get("openalex")) or "")
    name = f"{OPENALEX}{known[1].upper()}" if known else None
    return Facts(
        title=_text(work.get("title")) or _text(work.get("display_name")),
        authors=list(_openalex_authors(work)),
        dates=[_text(work.get("publication_date")) or "", _number(work.get("publication_year")) or ""],
        venue=_text(venue.get("display_name")),
        abstract=_abstract(work, place),
        doi=_text(work.get("doi")) or _text(ids.get("doi")),
        pmid=_text(ids.get("pmid")),
        arxiv=preprints[0] if preprints else None,
        urls=[url for url in (*links[:1], name) if url and "arxiv.org/" not in url and "doi.org/" not in url],
        retracted=work.get("is_retracted") is True,
        references=_references(work),
        citation_source="openalex",
        notes=notes,
    )


def _references(work: Json) -> list[Identifier]:
    """Return the works that a work cites, by their ids, with or without the address before them."""
    ids = (_WORK_ID.fullmatch(_text(entry) or "") for entry in _list(work.get("referenced_works"))[:_MAX_REFERENCES])
    return [Identifier("url", f"{OPENALEX}{found[1].upper()}") for found in ids if found]


def _openalex_authors(work: Json) -> Iterator[str]:
    for authorship in map(_object, _list(work.get("authorships"))):
        name = _text(_object(authorship.get("author")).get("display_name")) or _text(authorship.get("raw_author_name"))
        if name:
            yield name


def _abstract(work: Json, place: Place) -> str | None:
    index = work.get("abstract_inverted_index")
    if index is None:
        return _text(work.get("abstract"))
    if not isinstance(index, dict):
        raise place.problem("record_bad_index", detail="no object")
    return from_inverted_index(index, place)


def from_inverted_index(index: Json, place: Place) -> str:
    """Return the text whose words stand at the given places.

    Work and memory follow from how many places there are, never from how large they are. Raises DocumentProblem
    `record_bad_index` for a place that is no number, negative, or beyond MAX_POSITION.
    """
    words: list[tuple[int, str]] = []
    for word, positions in index.items():
        if not isinstance(positions, list):
            raise place.problem("record_bad_index", detail=word[:40])
        for position in positions:
            if isinstance(position, bool) or not isinstance(position, int) or not 0 <= position <= MAX_POSITION:
                raise place.problem("record_bad_index", detail=f"{word[:40]}: {str(position)[:20]}")
            words.append((position, word))
    words.sort()
    return " ".join(word for _, word in words)


def _csl_facts(item: Json, notes: tuple[str, ...]) -> Facts:
    return Facts(
        title=_text(item.get("title")) or _first(item.get("title")),
        authors=[name for one in _list(item.get("author")) if (name := _csl_name(_object(one)))],
        dates=_csl_dates(item.get("issued")),
        venue=_text(item.get("container-title")) or _first(item.get("container-title")) or _text(item.get("publisher")),
        abstract=_text(item.get("abstract")),
        doi=_text(item.get("DOI")),
        pmid=_text(item.get("PMID")) or _number(item.get("PMID")),
        arxiv=_text(item.get("arxiv")) or _arxiv_number(item),
        urls=[url for url in [_text(item.get("URL"))] if url],
        remark=_text(item.get("note")),
        notes=notes,
    )


def _arxiv_number(item: Json) -> str | None:
    number = _text(item.get("number"))
    return number if number and number.lower().startswith("arxiv:") else None


def _csl_name(name: Json) -> str | None:
    literal, family, given = (_text(name.get(part)) for part in ("literal", "family", "given"))
    particle = _text(name.get("non-dropping-particle"))
    surname = f"{particle} {family}" if particle and family else family
    if surname and given:
        return f"{surname}, {given}"
    return surname or literal or given


def _csl_dates(issued: object) -> list[str]:
    given = _object(issued)
    parts = _list(given.get("date-parts"))
    numbers = [_number(part) or _text(part) or "" for part in _list(parts[0])[:3]] if parts else []
    written = [_text(given.get(name)) or "" for name in ("raw", "literal")]
    return ["-".join(filter(None, numbers)), *written] if numbers else written


def _object(value: object) -> Json:
    return value if isinstance(value, dict) else {}


def _list(value: object) -> list[object]:
    return value if isinstance(value, list) else []


def _text(value: object) -> str | None:
    return value.strip() or None if isinstance(value, str) else None


def _first(value: object) -> str | None:
    return next((text for one in _list(value) if (text := _text(one))), None)


def _number(value: object) -> str | None:
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else None
