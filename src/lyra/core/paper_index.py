"""The canonical index of papers: what several services say about one work, brought together once.

Two descriptions are one work when they share a DOI; without one, when they share another identifier, or title, first author
and year. A preprint and its journal version have names of their own: they are linked, never merged.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from lyra.core.identity import work_key
from lyra.core.records import Identifier
from lyra.core.works import Work

# Whose words win; a service not named here comes after these, in the order of its answers.
PRECEDENCE = ("semantic_scholar", "openalex")
# From the strongest name to the weakest. A work that has a stronger name is no other one with that name.
_KINDS = ("doi", "pmid", "pmcid", "arxiv")


@dataclass(slots=True)
class Entry:
    """One work with all that was said about it, by service."""

    key: str
    told: dict[str, Work] = field(default_factory=dict)
    identifiers: list[Identifier] = field(default_factory=list)

    def identifier(self, kind: str) -> str | None:
        """Return the first identifier of a kind, if the work has one."""
        return next((one.value for one in self.identifiers if one.kind == kind), None)

    @property
    def work(self) -> Work:
        """The work as it is taken over: the first service's words, its gaps filled from the others."""
        best, *others = [self.told[name] for name in sorted(self.told, key=_place)]
        for other in others:
            best = _filled(best, other)
        return replace(best, identifiers=tuple(self.identifiers), retracted=any(one.retracted for one in self.told.values()))


class PaperIndex:
    """Entries in the order in which they were first met."""

    def __init__(self) -> None:
        self._entries: list[Entry] = []
        self._by_name: dict[Identifier, Entry] = {}
        self._by_title: dict[str, list[Entry]] = {}

    def __len__(self) -> int:
        return len(self._entries)

    @property
    def entries(self) -> Sequence[Entry]:
        """All entries, first met first."""
        return tuple(self._entries)

    def add(self, work: Work) -> Entry:
        """Take a description in and return the entry it belongs to."""
        entry = self._same(work)
        if entry is None:
            entry = Entry(_key(work))
            self._entries.append(entry)
        entry.told.setdefault(work.source, work)
        for one in work.identifiers:
            if one.kind in _KINDS and one not in entry.identifiers:
                entry.identifiers.append(one)
                self._by_name.setdefault(one, entry)
        title = _title_key(work)
        if title is not None and entry not in self._by_title.setdefault(title, []):
            self._by_title[title].append(entry)
        return entry

    def add_all(self, works: Iterable[Work]) -> list[Entry]:
        """Take descriptions in; returns their entries, once each."""
        found: dict[int, Entry] = {}
        for work in works:
            entry = self.add(work)
            found[id(entry)] = entry
        return list(found.values())

    def find(self, name: Identifier) -> Entry | None:
        """Return the entry that has a name."""
        return self._by_name.get(name)

    def versions(self, entry: Entry) -> list[Entry]:
        """Return the other versions of a work: same title and first author, but a name of their own."""
        return [other for other in self._by_title.get(_title_key(entry.work) or "", ()) if other is not entry]

    def _same(self, work: Work) -> Entry | None:
        for position, kind in enumerate(_KINDS):
            for one in work.identifiers:
                found = self._by_name.get(one) if one.kind == kind else None
                if found is not None and not _conflict(found, work, _KINDS[:position]):
                    return found
        title = _title_key(work)
        for found in self._by_title.get(title, ()) if title is not None else ():
            if not _conflict(found, work, _KINDS) and _same_year(found, work):
                return found
        return None


def _conflict(entry: Entry, work: Work, kinds: Iterable[str]) -> bool:
    """Return whether both have a name of one of these kinds, and not the same one."""
    for kind in kinds:
        first, second = entry.identifier(kind), work.identifier(kind)
        if first is not None and second is not None and first != second:
            return True
    return False


def _same_year(entry: Entry, work: Work) -> bool:
    years = {told.year for told in entry.told.values()} - {None}
    return work.year is not None and work.year in years


def _title_key(work: Work) -> str | None:
    return work_key(work.title, work.authors)


def _key(work: Work) -> str:
    for kind in _KINDS:
        value = work.identifier(kind)
        if value is not None:
            return f"{kind}:{value}"
    return f"{work.source}:{work.source_id}"


def _place(source: str) -> tuple[int, str]:
    return (PRECEDENCE.index(source), "") if source in PRECEDENCE else (len(PRECEDENCE), source)


def _filled(work: Work, other: Work) -> Work:
    """Return `work` with what it does not say taken from `other`; the finer of two dates that agree stays."""
    date = work.published_on or other.published_on
    if work.published_on and other.published_on and other.published_on.startswith(f"{work.published_on}-"):
        date = other.published_on
    return replace(
        work,
        abstract=work.abstract or other.abstract,
        authors=work.authors or other.authors,
        published_on=date,
        venue=work.venue or other.venue,
        citation_count=other.citation_count if work.citation_count is None else work.citation_count,
        full_text_url=work.full_text_url or other.full_text_url,
        references=work.references or other.references,
    )
