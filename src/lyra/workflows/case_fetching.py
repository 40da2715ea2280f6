"""Sources of cases from the network: a page, its copy in a public archive where it is gone, or why there is neither."""

from dataclasses import replace

from lyra.core.pages import FetchedPage, FetchFailure, FetchOutcome, NeedsPerson, Wall
from lyra.core.ports import PageFetcher
from lyra.core.records import Document
from lyra.core.source_reading import ArchiveLookup, ReadingStatus, Said, SourceReading
from lyra.workflows.gather.ground import Target
from lyra.workflows.gather.taking_over import take_over

# How many of the links in the text of a page are taken for references where it has no list of them.
_LINKS = 100
# What keeps us from asking at all; that is no failure of the source.
_NOT_ASKED = frozenset(("offline", "blocked_domain", "robots", "unsafe_address", "bad_url", "browser_missing"))
_REFUSALS = {401: ReadingStatus.PAYWALL, 402: ReadingStatus.PAYWALL, 451: ReadingStatus.REGION_BLOCKED}
_LASTING = frozenset((ReadingStatus.NOT_FOUND, ReadingStatus.PAYWALL, ReadingStatus.REGION_BLOCKED))


class FetchingReader:
    """Reads sources through the fetcher of pages. `archive` is the address before which a copy's own address stands."""

    def __init__(self, fetcher: PageFetcher, archive: str | None) -> None:
        self._fetcher = fetcher
        self._archive = archive

    def read(self, url: str) -> SourceReading:
        """Return the page, its archived copy where it is gone for good, or why there is none."""
        reading = _reading(url, self._fetcher.fetch(url))
        if reading.status not in _LASTING or self._archive is None:
            return reading
        copy = self._fetcher.fetch(f"{self._archive}/{url}")
        if isinstance(copy, FetchedPage):
            return SourceReading(ReadingStatus.ARCHIVED, _document(url, copy), ArchiveLookup.FOUND)
        missing = isinstance(copy, FetchFailure) and copy.code == "not_found"
        return replace(reading, archive=ArchiveLookup.NOT_FOUND if missing else ArchiveLookup.NOT_TRIED)


def _reading(url: str, outcome: FetchOutcome) -> SourceReading:
    if isinstance(outcome, FetchedPage):
        return SourceReading(ReadingStatus.OK, _document(outcome.url, outcome))
    if isinstance(outcome, NeedsPerson):
        status = ReadingStatus.PAYWALL if outcome.wall is Wall.LOGIN else ReadingStatus.OUTAGE
        said = Said.of(f"web.wall_{outcome.wall.value}", {"url": url, "sign": outcome.sign})
        return SourceReading(status, detail=said, wall=outcome)
    return SourceReading(_failure(outcome), detail=Said.of(f"{outcome.area}.{outcome.code}", outcome.params))


def _failure(failure: FetchFailure) -> ReadingStatus:
    """Return how lasting a failure is. What may be otherwise tomorrow, or with another reader, is an outage."""
    if failure.code == "not_found":
        return ReadingStatus.NOT_FOUND
    if failure.code in _NOT_ASKED:
        return ReadingStatus.NOT_ALLOWED
    status = failure.params.get("http_status")
    return _REFUSALS.get(status, ReadingStatus.OUTAGE) if isinstance(status, int) else ReadingStatus.OUTAGE


def _document(url: str, page: FetchedPage) -> Document:
    """Return the document of a page under its address; a name that it merely claims is a reference like any other."""
    links = () if page.cited else page.links[:_LINKS]
    return take_over(replace(page, url=url), Target(url), links, _LINKS).document
