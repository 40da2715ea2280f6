"""Works and result items as plain JSON values and back, for keeping what a service said."""

from collections.abc import Mapping, Sequence

from lyra.core.records import Identifier
from lyra.core.works import Item, Work

Plain = dict[str, object]


def names_json(identifiers: Sequence[Identifier]) -> list[list[str]]:
    """Return identifiers as pairs."""
    return [[one.kind, one.value] for one in identifiers]


def read_names(value: object) -> tuple[Identifier, ...]:
    """Return identifiers from pairs."""
    return tuple(Identifier(str(one[0]), str(one[1])) for one in value) if isinstance(value, list) else ()


def work_json(work: Work) -> Plain:
    """Return a work as JSON-ready values."""
    return {
        "source": work.source,
        "source_id": work.source_id,
        "title": work.title,
        "identifiers": names_json(work.identifiers),
        "abstract": work.abstract,
        "authors": list(work.authors),
        "published_on": work.published_on,
        "venue": work.venue,
        "citation_count": work.citation_count,
        "retracted": work.retracted,
        "full_text_url": work.full_text_url,
        "references": list(work.references),
    }


def read_work(value: Mapping[str, object]) -> Work:
    """Return the work that `work_json` wrote down."""
    count = value["citation_count"]
    return Work(
        source=str(value["source"]),
        source_id=str(value["source_id"]),
        title=str(value["title"]),
        identifiers=read_names(value["identifiers"]),
        abstract=_text(value["abstract"]),
        authors=_texts(value["authors"]),
        published_on=_text(value["published_on"]),
        venue=_text(value["venue"]),
        citation_count=count if isinstance(count, int) else None,
        retracted=bool(value["retracted"]),
        full_text_url=_text(value["full_text_url"]),
        references=_texts(value["references"]),
    )


def item_json(item: Item) -> Plain:
    """Return a result item as JSON-ready values."""
    return {
        "source": item.source,
        "title": item.title,
        "url": item.url,
        "snippet": item.snippet,
        "identifiers": names_json(item.identifiers),
        "published_on": item.published_on,
        "work": None if item.work is None else work_json(item.work),
    }


def read_item(value: Mapping[str, object]) -> Item:
    """Return the item that `item_json` wrote down."""
    work = value["work"]
    return Item(
        source=str(value["source"]),
        title=str(value["title"]),
        url=_text(value["url"]),
        snippet=str(value["snippet"]),
        identifiers=read_names(value["identifiers"]),
        published_on=_text(value["published_on"]),
        work=read_work(work) if isinstance(work, dict) else None,
    )


def _text(value: object) -> str | None:
    return None if value is None else str(value)


def _texts(value: object) -> tuple[str, ...]:
    return tuple(map(str, value)) if isinstance(value, (list, tuple)) else ()
