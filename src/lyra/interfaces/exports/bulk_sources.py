"""What is known of fragments and their pages while a large task is written.

It lies column by column, not record by record: for each of millions of edges little more is touched than what is
written, and the columns that are touched stay in the processor's cache.
"""

from collections.abc import Iterable, Sequence

import numpy as np

from lyra.core.outlines import outlines
from lyra.interfaces.exports.bulk_pieces import Page, page_piece, source_piece
from lyra.store.bulk_evidence import BulkEvidence
from lyra.store.evidence import locate, stands_as_written


class Sources:
    """Each fragment has a place in every column.

    A fragment is plain that stands on one page alone, a plain one. Readings tell quotes apart in which a sentence stands
    elsewhere than in the normalised text; 0 is for all in which it stands at the same characters.
    """

    most = 200  # with more quotes than these the presenter's way of comparing them is the faster one

    def __init__(self, evidence: BulkEvidence) -> None:
        self._evidence = evidence
        self._page_of: dict[str, Page] = {}
        self._texts: list[str] = []
        self._decisive: dict[tuple[int, int, int], bytes] = {}
        self.places: dict[str, int] = {}
        self.json: list[bytes] = []
        self.pages: list[Page] = []
        self.quotes: list[str] = []
        self._readings: list[int] = []
        self._plain = np.zeros(0, bool)
        self._outlines = outlines([])

    def learn(self, fragment_ids: Iterable[str]) -> None:
        """Read the fragments that are not known yet, and their pages."""
        # Not by taking all known ones away: that would look at each of them.
        rows = list(self._evidence.fragments([one for one in fragment_ids if one not in self.places]))
        if not rows:
            return
        for found in self._evidence.pages({one for one in (str(row[11]) for row in rows) if one not in self._page_of}):
            self._page_of[str(found[0])] = page_piece(found)
        plain = []
        for place, row in enumerate(rows, len(self.json)):
            page, text, quote = self._page_of[str(row[11])], str(row[1]), str(row[2])
            self.places[str(row[0])] = place
            self.json.append(source_piece(row))
            self.pages.append(page)
            self.quotes.append(quote)
            self._texts.append(text)
            self._readings.append(0 if stands_as_written(quote, text) else place + 1)
            plain.append(bool(row[12]) and page.plain)
        self._plain = np.concatenate([self._plain, np.array(plain, bool)])
        self._outlines = self._outlines.and_then(outlines([str(row[1]) for row in rows]))

    def decisive(self, places: Sequence[int], starts: Sequence[int | None], ends: Sequence[int | None]) -> list[bytes]:
        """Return for each fragment where its decisive sentence, from start to end in the normalised text, stands in the quote."""
        known, readings = self._decisive, map(self._readings.__getitem__, places)
        return [
            b"null" if start is None or end is None else known.get((reading, start, end)) or self._locate(place, start, end)
            for place, reading, start, end in zip(places, readings, starts, ends, strict=True)
        ]

    def _locate(self, place: int, start: int, end: int) -> bytes:
        found = locate(self.quotes[place], self._texts[place], start, end)
        piece = b"null" if found is None else b'{"start":%d,"end":%d}' % found
        self._decisive[self._readings[place], start, end] = piece
        return piece

    def questionable(self, places: Sequence[int], owners: Sequence[int], neutral: Sequence[int]) -> tuple[set[int], set[int]]:
        """Return the claims of fragments that are not plain, and those that may have two speaking ones nearly the same.

        Claims of more than `most` speaking fragments are not looked into.
        """
        at, owner, speaking = np.array(places, np.intp), np.array(owners, np.int64), np.array(neutral) == 0
        return set(owner[~self._plain[at]].tolist()), self._outlines.doubtful(at[speaking], owner[speaking], self.most)
