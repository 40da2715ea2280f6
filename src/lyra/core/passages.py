"""Passages: places of the stored texts that a search found."""

from dataclasses import dataclass

from lyra.core.records import Locator


@dataclass(frozen=True, slots=True)
class Passage:
    """A fragment that a text search found, where it stands, and its rank. `judged_pairs` is how many claims it was judged for."""

    fragment_id: str
    score: float
    quote: str
    locator: Locator
    page_id: str
    url: str
    title: str | None
    published_on: str | None
    doi: str | None
    retracted: bool
    judged_pairs: int

    @property
    def year(self) -> int | None:
        """The publication year, or None where the source gives none."""
        return int(self.published_on[:4]) if self.published_on else None
