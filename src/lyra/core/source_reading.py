"""What came of opening a source: its document, or why there is none. A page that is gone and an outage are two things."""

from dataclasses import dataclass
from enum import StrEnum

from lyra.core.records import Document


class ReadingStatus(StrEnum):
    """How an attempt to read an address ended."""

    OK = "ok"
    ARCHIVED = "archived"
    NOT_FOUND = "not_found"
    PAYWALL = "paywall"
    REGION_BLOCKED = "region_blocked"
    OUTAGE = "outage"


class ArchiveLookup(StrEnum):
    """What came of looking for a copy in a public archive."""

    FOUND = "found"
    NOT_FOUND = "not_found"
    NOT_TRIED = "not_tried"


@dataclass(frozen=True, slots=True)
class SourceReading:
    """One attempt to read an address. `document` is there for `ok` and `archived`; `detail` is what the server said."""

    status: ReadingStatus
    document: Document | None = None
    archive: ArchiveLookup = ArchiveLookup.NOT_TRIED
    detail: str = ""
