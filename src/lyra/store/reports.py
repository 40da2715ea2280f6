"""Reports that were saved after verification: kept in every version, read back for comparison."""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass

from lyra.store.session import Session

_NEWEST_OF_OTHERS = """
    SELECT r.ticker, r.research_id, c.claim, c.confidence, c.pattern_matches, c.pattern_rejections
    FROM reports r JOIN report_claims c USING (report_id)
    WHERE lower(r.ticker) <> lower(?)
      AND r.saved_seq = (SELECT max(saved_seq) FROM reports WHERE ticker = r.ticker AND research_id = r.research_id)
    ORDER BY r.saved_seq, c.claim_id
"""


@dataclass(frozen=True, slots=True)
class SavedClaim:
    """An advantage of a saved report, with the patterns it was scored by."""

    ticker: str
    research_id: str
    claim: str
    confidence: int
    pattern_matches: tuple[str, ...]
    pattern_rejections: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ReportFiles:
    """A verified report as it was written: its three texts, and what it came to."""

    ticker: str
    research_id: str
    overall_status: str
    report: str
    structured: str
    results: str


class Reports:
    """The saved reports."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._database = session.database

    def save(self, files: ReportFiles, claims: Sequence[tuple[int, SavedClaim]]) -> tuple[str, bool]:
        """Keep a verified report and return its id, and whether it is new: the same report and data are kept once.

        A later version of a report stands beside the earlier ones; comparisons use the newest. One transaction.
        """
        digest = hashlib.sha256(f"{files.report}\0{files.structured}".encode("utf-8", "surrogatepass")).hexdigest()
        with self._session.transaction():
            known = self._database.value("SELECT report_id FROM reports WHERE content_hash = ?", (digest,))
            if known is not None:
                return str(known), False
            report_id = self._session.new_id("report")
            head = (report_id, files.ticker, files.research_id, files.overall_status, digest)
            texts = (files.report, files.structured, files.results)
            self._database.run(
                "INSERT INTO reports VALUES (?, ?, ?, ?, ?, ?, ?, ?, (SELECT coalesce(max(saved_seq), 0) + 1 FROM reports), ?)",
                (*head, *texts, self._session.now()),
            )
            rows = [(report_id, number, one.claim, one.confidence, *_patterns(one)) for number, one in claims]
            self._database.run_many("INSERT INTO report_claims VALUES (?, ?, ?, ?, ?, ?)", rows)
            payload = {"report_id": report_id, "ticker": files.ticker, "research_id": files.research_id}
            self._session.log("report_saved", None, payload)
        return report_id, True

    def of_others(self, ticker: str) -> list[SavedClaim]:
        """Return the claims of all other tickers, of the newest version of each report, oldest report first."""
        return [
            SavedClaim(str(name), str(research), str(claim), int(str(value)), _list(matches), _list(rejections))
            for name, research, claim, value, matches, rejections in self._database.rows(_NEWEST_OF_OTHERS, (ticker,))
        ]


def _patterns(claim: SavedClaim) -> tuple[str, str]:
    written = [json.dumps(sorted(one), ensure_ascii=False) for one in (claim.pattern_matches, claim.pattern_rejections)]
    return written[0], written[1]


def _list(value: object) -> tuple[str, ...]:
    return tuple(map(str, json.loads(str(value))))
