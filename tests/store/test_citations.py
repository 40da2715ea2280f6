"""Citations: only those whose both ends were asked for."""

from dataclasses import replace

from lyra.core.records import Span
from lyra.store.evidence_store import EvidenceStore
from tests.fakes import document, named


def page(store: EvidenceStore, name: str, *cites: str) -> str:
    found = replace(
        document(f"Text of {name}.", f"doi:10.1000/{name}"), references=named(*(f"doi:10.1000/{one}" for one in cites))
    )
    return store.pages.register(found, f"file:///{name}", [Span(0, len(found.text))]).page_id


def test_only_citations_among_the_pages_are_returned(store: EvidenceStore) -> None:
    a, b, c = page(store, "a"), page(store, "b", "a"), page(store, "c", "a", "b")
    found = store.citations.among([c, a])
    assert [(one.citing_page_id, one.cited_page_id, one.source) for one in found] == [(c, a, "extraction")]
    assert {(one.citing_page_id, one.cited_page_id) for one in store.citations.among([a, b, c])} == {(b, a), (c, a), (c, b)}
    assert store.citations.among([]) == []


def test_more_pages_than_one_query_takes_are_looked_at(store: EvidenceStore) -> None:
    a, b = page(store, "a"), page(store, "b", "a")
    others = [f"page_{number}" for number in range(600)] + [f"a{number}" for number in range(600)]
    assert [one.cited_page_id for one in store.citations.among([*others, b, a])] == [a]
