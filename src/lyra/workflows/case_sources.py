"""Opening the sources of a case: from the library, else through a reader; pointers are descended, attempts recorded."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from lyra.cases.classification.source import classify_source, interest_of
from lyra.cases.model import (
    FAILED,
    VERIFYING_ROLES,
    Access,
    ArchiveSearch,
    Case,
    CoiStatus,
    PrimaryType,
    Reference,
    Source,
    SourceRole,
)
from lyra.core.identity import identify_link, normalise_url
from lyra.core.ports import SourceReader
from lyra.core.records import Identifier
from lyra.core.source_reading import ReadingStatus, Said, SourceReading
from lyra.workflows.bench import Bench
from lyra.workflows.registering import take_in

# How many references of a pointer are opened when the case names none; the rest stay listed.
MAX_DESCENT = 10
_ACCESS = {
    ReadingStatus.OK: Access.OK,
    ReadingStatus.ARCHIVED: Access.ARCHIVED,
    ReadingStatus.NOT_FOUND: Access.NOT_FOUND,
    ReadingStatus.PAYWALL: Access.PAYWALL,
    ReadingStatus.REGION_BLOCKED: Access.REGION_BLOCKED,
    ReadingStatus.OUTAGE: Access.ERROR,
    ReadingStatus.NOT_ALLOWED: Access.NOT_FETCHED,
}

# What caused what happened while the sources of a case were opened.
CASE_CAUSE = "case_sources"


@dataclass(frozen=True, slots=True)
class Labels:
    """What classification says of an address; None where a person has to. `confirm`: it is likely, not known."""

    source_role: SourceRole | None = None
    primary_type: PrimaryType | None = None
    coi_status: CoiStatus | None = None
    confirm: bool = False


Classify = Callable[[str, Case], Labels]


def by_address(url: str, case: Case) -> Labels:
    """Return what the address of a source and the parties of a case tell.

    That nothing is known of an address does not make it context_only: its role is a question.
    """
    found = classify_source(url, interest_of(case.parties))
    if found.role.needs_person and found.source_role is SourceRole.CONTEXT:
        return Labels()
    return Labels(found.source_role, found.primary_type, found.coi_status, found.role.needs_person or found.coi.needs_person)


@dataclass(frozen=True, slots=True)
class Attempt:
    """One attempt to open a source: where it was looked for and what came of it."""

    url: str
    access: Access
    archive: ArchiveSearch
    place: str
    detail: str | Said = ""
    page_id: str | None = None
    version_id: str | None = None


@dataclass(slots=True)
class OpenedSources:
    """The sources of a case with their access filled in, and every attempt to open one, in order.

    `unconfirmed` are the addresses whose labels were taken from the address and are for a person to confirm.
    """

    task_id: str
    sources: tuple[Source, ...] = ()
    attempts: list[Attempt] = field(default_factory=list)
    unconfirmed: list[str] = field(default_factory=list)

    @property
    def pages(self) -> dict[str, str]:
        """Return the address that each page was opened by."""
        found: dict[str, str] = {}
        for attempt in self.attempts:
            if attempt.page_id is not None:
                found.setdefault(attempt.page_id, attempt.url)
        return found

    @property
    def versions(self) -> list[str]:
        """Return the page versions that were opened, each once."""
        return list(dict.fromkeys(one.version_id for one in self.attempts if one.version_id is not None))


class SourceOpener:
    """Opens the sources of one case after another."""

    def __init__(self, bench: Bench, reader: SourceReader | None, classify: Classify = by_address) -> None:
        self._bench = bench
        self._reader = reader
        self._classify = classify

    def open(self, case: Case, task_id: str) -> OpenedSources:
        """Open every source that can be used, and what its pointers name. Pages that are read are stored.

        A page that only a person gets past waits for one, under the task of the case.
        """
        opened = OpenedSources(task_id)
        sources = []
        for source in case.sources:
            known = self._labelled(source, case, opened) if source.source_role is None and source.url else source
            if not known.url or known.source_role is SourceRole.REJECTED:
                sources.append(known)
                continue
            attempt = self._attempt(known.url, opened)
            access, archive = _outcome(attempt, known)
            seen = replace(known, access=access, archive_search=archive)
            if known.source_role is SourceRole.POINTER:
                seen = replace(seen, references=self._descend(seen, attempt.page_id, case, opened))
            sources.append(seen)
        opened.sources = tuple(sources)
        return opened

    def _labelled(self, source: Source, case: Case, opened: OpenedSources) -> Source:
        found = self._classify(source.url, case)
        if found.confirm:
            opened.unconfirmed.append(source.url)
        return replace(
            source,
            source_role=found.source_role,
            primary_type=source.primary_type or found.primary_type,
            coi_status=source.coi_status or found.coi_status,
        )

    def _descend(self, source: Source, page_id: str | None, case: Case, opened: OpenedSources) -> tuple[Reference, ...]:
        """Open what a pointer names: the references that the case gives, else those on the page; the others stay listed.

        Roles are taken from the addresses where the case gives none at all; where it gives some, the rest are only listed.
        """
        listed = [reference for reference in source.references if reference.url]
        if not listed and page_id is not None:
            listed = [Reference(url) for url in _addresses(self._bench.store.pages.references(page_id))]
        if not any(reference.source_role for reference in listed):
            listed = [self._classified(reference, case) for reference in listed]
        opening = 0
        found = []
        for reference in listed:
            if reference.source_role not in VERIFYING_ROLES:
                found.append(reference)
                continue
            if opening >= MAX_DESCENT:
                found.append(replace(reference, access=None))
                continue
            opening += 1
            access, archive = _outcome(self._attempt(reference.url, opened), reference)
            found.append(replace(reference, access=access, archive_search=archive))
        return tuple(found)

    def _classified(self, reference: Reference, case: Case) -> Reference:
        labels = self._classify(reference.url, case)
        return replace(
            reference,
            source_role=labels.source_role,
            primary_type=reference.primary_type or labels.primary_type,
            coi_status=reference.coi_status or labels.coi_status,
        )

    def _attempt(self, url: str, opened: OpenedSources) -> Attempt:
        attempt = self._in_store(url) or self._read(url, opened.task_id)
        opened.attempts.append(attempt)
        return attempt

    def _in_store(self, url: str) -> Attempt | None:
        name = identify_link(url)
        known = None if name is None else self._bench.store.pages.find(name)
        if known is None:
            return None
        return Attempt(url, Access.OK, ArchiveSearch.NOT_TRIED, "library", page_id=known[0], version_id=known[1])

    def _read(self, url: str, task_id: str) -> Attempt:
        if self._reader is None:
            return Attempt(url, Access.NOT_FETCHED, ArchiveSearch.NOT_TRIED, "nowhere")
        reading = self._reader.read(url)
        access, archive = _ACCESS[reading.status], ArchiveSearch(reading.archive.value)
        if reading.wall is not None:
            with self._bench.store.transaction():
                self._bench.store.interventions.add(task_id, reading.wall, CASE_CAUSE)
        if reading.document is None:
            return Attempt(url, access, archive, "network", reading.detail)
        page_id, version_id = self._store(url, reading)
        return Attempt(url, access, archive, "network", reading.detail, page_id, version_id)

    def _store(self, url: str, reading: SourceReading) -> tuple[str, str | None]:
        document = reading.document
        if document is None:
            raise ValueError(reading)
        # The case knows the page by this address, whatever other names the page gives itself.
        name = Identifier("url", normalise_url(url))
        if name not in document.identifiers:
            document = replace(document, identifiers=(*document.identifiers, name))
        with self._bench.store.transaction():
            sighting = take_in(self._bench, document, normalise_url(url), CASE_CAUSE)
        return sighting.page_id, sighting.page_version_id


def _outcome(attempt: Attempt, given: Source | Reference) -> tuple[Access, ArchiveSearch | None]:
    """Return what came of opening a source. Where nobody could try, a failure that a person recorded stands."""
    if attempt.access is Access.NOT_FETCHED and given.access in FAILED:
        return given.access or attempt.access, given.archive_search
    return attempt.access, attempt.archive


def _addresses(names: Sequence[Identifier]) -> list[str]:
    """Return addresses for the works that a page names."""
    prefixes = {
        "url": "",
        "doi": "https://doi.org/",
        "arxiv": "https://arxiv.org/abs/",
        "pmid": "https://pubmed.ncbi.nlm.nih.gov/",
    }
    return [prefixes[name.kind] + name.value for name in names if name.kind in prefixes]
