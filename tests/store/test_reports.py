"""Saved reports: kept once, in every version, and compared with others only."""

from lyra.store.evidence_store import EvidenceStore
from lyra.store.reports import ReportFiles, SavedClaim


def files(ticker: str, research: str = "r-1", report: str = "# x") -> ReportFiles:
    return ReportFiles(ticker, research, "pass", report, "{}", "{}")


def claim(ticker: str, confidence: int = 50) -> SavedClaim:
    return SavedClaim(ticker, "r-1", "配送網", confidence, ("IV", "I"), ())


def test_a_saved_report_is_read_back_for_others_only(store: EvidenceStore) -> None:
    report_id, new = store.reports.save(files("NORTH"), [(1, claim("NORTH"))])
    assert new and report_id.startswith("report_")
    (found,) = store.reports.of_others("SOUTH")
    assert (found.ticker, found.claim, found.confidence, found.pattern_matches) == ("NORTH", "配送網", 50, ("I", "IV"))
    assert store.reports.of_others("north") == []


def test_the_same_report_is_kept_once(store: EvidenceStore) -> None:
    first, _ = store.reports.save(files("NORTH"), [(1, claim("NORTH"))])
    assert store.reports.save(files("NORTH"), [(1, claim("NORTH"))]) == (first, False)
    assert store.database.count("SELECT count(*) FROM reports") == 1


def test_a_later_version_stands_beside_the_earlier_and_is_the_one_compared(store: EvidenceStore) -> None:
    store.reports.save(files("NORTH"), [(1, claim("NORTH", 90))])
    store.reports.save(files("NORTH", report="# y"), [(1, claim("NORTH", 30))])
    store.reports.save(files("NORTH", "r-2", "# z"), [(1, claim("NORTH", 70))])
    assert [one.confidence for one in store.reports.of_others("SOUTH")] == [30, 70]
    assert store.database.count("SELECT count(*) FROM reports") == 3
    assert store.database.count("SELECT count(*) FROM event_log WHERE event_type = 'report_saved'") == 3
