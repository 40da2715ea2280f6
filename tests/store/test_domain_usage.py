"""Counting what is asked of a host, over processes."""

import threading
from pathlib import Path

from lyra.store.domain_usage import StoredUsage
from lyra.store.evidence_store import DATABASE_NAME, EvidenceStore

DAY = "2026-03-01"


def test_a_limit_holds_over_connections_and_threads(store: EvidenceStore, home: Path) -> None:
    taken: list[bool] = []

    def ask(usage: StoredUsage) -> None:
        taken.extend(usage.take("example.org", DAY, 25, page=False, max_pages=None) for _ in range(10))

    with StoredUsage(home / DATABASE_NAME) as one, StoredUsage(home / DATABASE_NAME) as other:
        threads = [threading.Thread(target=ask, args=(usage,)) for usage in (one, one, other, other)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert one.take("example.org", "2026-03-02", 25, page=False, max_pages=None)
        assert one.take("example.com", DAY, 25, page=False, max_pages=None)
    assert taken.count(True) == 25


def test_pages_have_a_limit_of_their_own(store: EvidenceStore, home: Path) -> None:
    with StoredUsage(home / DATABASE_NAME) as usage:
        for allowed in (True, True, False):
            assert usage.take("example.org", DAY, None, page=True, max_pages=2) is allowed
        assert usage.take("example.org", DAY, None, page=False, max_pages=2)
        assert not usage.take("zero.example.org", DAY, 0, page=False, max_pages=None)
        assert not usage.take("zero.example.org", DAY, None, page=True, max_pages=0)


def test_a_host_without_limits_is_not_counted(store: EvidenceStore, home: Path) -> None:
    with StoredUsage(home / DATABASE_NAME) as usage:
        assert usage.take("example.org", DAY, None, page=True, max_pages=None)
    assert store.database.count("SELECT count(*) FROM domain_usage") == 0


def test_after_closing_no_request_is_allowed(home: Path) -> None:
    usage = StoredUsage(home / DATABASE_NAME)
    usage.close()
    assert not usage.take("example.org", "2026-02-17", 5, page=False, max_pages=None)
    usage.close()
