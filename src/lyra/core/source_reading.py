"""What came of opening a source: its document, or why there is none. A page that is gone and an outage are two things."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from lyra.core.messages import render
from lyra.core.pages import NeedsPerson
from lyra.core.records import Document


class ReadingStatus(StrEnum):
    """How an attempt to read an address ended. `not_allowed` says that nobody was asked: a rule of ours kept us from it."""

    OK = "ok"
    ARCHIVED = "archived"
    NOT_FOUND = "not_found"
    PAYWALL = "paywall"
    REGION_BLOCKED = "region_blocked"
    OUTAGE = "outage"
    NOT_ALLOWED = "not_allowed"


class ArchiveLookup(StrEnum):
    """What came of looking for a copy in a public archive."""

    FOUND = "found"
    NOT_FOUND = "not_found"
    NOT_TRIED = "not_tried"


@dataclass(frozen=True, slots=True)
class Said:
    """Why a source could not be read, in any language: the code of a sentence with its values."""

    code: str
    params: tuple[tuple[str, str], ...] = ()

    @staticmethod
    def of(code: str, params: Mapping[str, object]) -> "Said":
        """Return the sentence of a code; its values are kept as texts."""
        return Said(code, tuple((name, str(value)) for name, value in params.items()))

    def sentence(self, lang: str = "en") -> str:
        """Return it in words."""
        return render(self.code, lang, **dict(self.params))


@dataclass(frozen=True, slots=True)
class SourceReading:
    """One attempt to read an address. `document` is there for `ok` and `archived`; `detail` is what was said else.

    `wall` is what only a person gets past.
    """

    status: ReadingStatus
    document: Document | None = None
    archive: ArchiveLookup = ArchiveLookup.NOT_TRIED
    detail: str | Said = ""
    wall: NeedsPerson | None = None


def in_words(detail: object, lang: str) -> str:
    """Return why a source could not be read as a sentence, or as the words that came with it."""
    return detail.sentence(lang) if isinstance(detail, Said) else str(detail)
