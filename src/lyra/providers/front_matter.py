"""YAML front matter: the few fields that a document gives about itself, read without trusting it."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from lyra.core.records import Identifier
from lyra.providers.cleaning import clean_line
from lyra.providers.dates import parse_date
from lyra.providers.naming import author_names, distinct, identifier_of
from lyra.providers.notes import DATE_UNREADABLE, FRONT_MATTER_BROKEN, FRONT_MATTER_TOO_LARGE, IDENTIFIER_UNREADABLE

if TYPE_CHECKING:
    from yaml import Node


MAX_CHARS = 64 * 1024
_MAX_DEPTH = 4
_FENCED = re.compile(r"\A---[^\S\n]*\n(.*?)^(?:---|\.\.\.)[^\S\n]*(?:\n|\Z)", re.DOTALL | re.MULTILINE)
_FIELD = re.compile(r"^([A-Za-z_][\w-]*)[^\S\n]*:(?:[^\S\n]+(.*))?$", re.MULTILINE)
_TRUE = frozenset({"true", "yes", "on", "1"})
_IDENTIFIER_KINDS = ("doi", "pmid", "arxiv", "url")


@dataclass(frozen=True, slots=True)
class FrontMatter:
    """What the fields say; empty where there are none. `notes` name what could not be used."""

    title: str | None = None
    authors: tuple[str, ...] = ()
    published_on: str | None = None
    venue: str | None = None
    identifiers: tuple[Identifier, ...] = ()
    retracted: bool = False
    retraction_reason: str | None = None
    notes: tuple[str, ...] = ()


def split_front_matter(text: str) -> tuple[FrontMatter, str]:
    """Return the front matter of `text` and the body after it; never raises.

    YAML that is broken, nested too deep, repeats a key or uses anchors is not interpreted: then only plain
    `field: text` lines are used, and a note says so. The body is the same either way. Unknown fields are ignored.
    """
    match = _FENCED.match(text)
    if match is None or not _FIELD.search(match[1]):
        return FrontMatter(), text
    body = text[match.end() :]
    if len(match[1]) > MAX_CHARS:
        return FrontMatter(notes=(FRONT_MATTER_TOO_LARGE,)), body
    fields = _load(match[1])
    if fields is None:
        return _interpret(_salvage(match[1]), (FRONT_MATTER_BROKEN,)), body
    return _interpret(fields), body


def _load(source: str) -> Mapping[str, list[str]] | None:
    """Return the top-level fields, every scalar as the text that stands there; None where the YAML cannot be used."""
    import yaml  # noqa: PLC0415 - costs start-up time that only a document with front matter may pay

    depth = 0
    try:
        for event in yaml.parse(source, Loader=yaml.BaseLoader):
            depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
            if depth > _MAX_DEPTH or getattr(event, "anchor", None) is not None:
                return None
        # The base loader makes no dates, numbers or objects: `10.5555` stays a DOI's beginning and `2021-03` a month.
        root = yaml.compose(source, Loader=yaml.BaseLoader)
    except yaml.YAMLError:
        return None
    if not isinstance(root, yaml.MappingNode):
        return None
    keys = [str(key.value).lower() for key, _ in root.value]
    if len(set(keys)) < len(keys):
        return None
    return {key: _scalars(value) for key, (_, value) in zip(keys, root.value, strict=True)}


def _scalars(node: "Node") -> list[str]:
    """Return the texts of a scalar, of a list of scalars, or of a list of things with a `name`."""
    if isinstance(node.value, str):
        return [node.value]
    texts: list[str] = []
    for item in node.value:
        if isinstance(item, tuple):
            continue
        if isinstance(item.value, str):
            texts.append(item.value)
        else:
            pairs = [pair for pair in item.value if isinstance(pair, tuple)]
            texts.extend(value.value for key, value in pairs if key.value == "name" and isinstance(value.value, str))
    return texts


def _salvage(source: str) -> Mapping[str, list[str]]:
    """Return the lines of broken YAML that read as one field and its text; a field given twice is not used."""
    found: dict[str, list[str]] = {}
    for key, value in _FIELD.findall(source):
        found.setdefault(key.lower(), []).append(value.strip().strip("\"'"))
    return {
        key: values for key, values in found.items() if len(values) == 1 and values[0][:1] not in {"&", "*", "[", "{", "|", ">"}
    }


def _interpret(fields: Mapping[str, list[str]], notes: tuple[str, ...] = ()) -> FrontMatter:
    def first(name: str) -> str | None:
        return next((line for value in fields.get(name, ()) if (line := clean_line(value))), None)

    written = first("date")
    published_on = parse_date(written) if written else None
    named = [(kind, value) for kind in _IDENTIFIER_KINDS for value in fields.get(kind, ()) if value.strip()]
    identifiers = [identifier_of(kind, value) for kind, value in named]
    if written and published_on is None:
        notes += (DATE_UNREADABLE,)
    if None in identifiers:
        notes += (IDENTIFIER_UNREADABLE,)
    return FrontMatter(
        title=first("title"),
        authors=author_names(fields.get("authors") or fields.get("author") or ()),
        published_on=published_on,
        venue=first("venue"),
        identifiers=tuple(distinct(identifiers)),
        retracted=(first("retracted") or "").lower() in _TRUE,
        retraction_reason=first("retraction_reason"),
        notes=notes,
    )
