"""Pages and fragments: stored once however often they are seen, under their strongest name."""

from dataclasses import replace

import pytest

from lyra.core.errors import NotFound
from lyra.core.records import Document, Span
from lyra.store.evidence_store import EvidenceStore
from lyra.store.pages import Sighting
from tests.contents import contents, sizes
from tests.fakes import document, named

SLEEP = "Sleep improves memory in adults."
COFFEE = "Coffee shortens sleep in students."
FALLBACK = "file:///library/a.txt"
WEB = "https://example.org/a"


def register(store: EvidenceStore, found: Document, *fragments: str, fallback: str = FALLBACK) -> Sighting:
    """Register a document whose fragments are the given parts of its text, or the whole of it."""
    spans = [Span(found.text.index(part), found.text.index(part) + len(part)) for part in fragments or (found.text,)]
    return store.pages.register(found, fallback, spans)


# A second sighting


def test_a_second_sighting_adds_nothing_and_finds_the_same(store: EvidenceStore) -> None:
    whole = f"{SLEEP} {COFFEE}"
    first = register(store, document(whole), SLEEP, COFFEE)
    before = contents(store)
    second = register(store, document(whole), SLEEP, COFFEE)
    assert (first.new_page, first.new_version, first.new_fragments, first.new_occurrences) == (True, True, 2, 2)
    assert (second.new_page, second.new_version, second.new_fragments, second.new_occurrences) == (False, False, 0, 0)
    assert (second.page_id, second.page_version_id) == (first.page_id, first.page_version_id)
    assert contents(store) == before


def test_a_fragment_is_shared_by_the_pages_it_stands_on(store: EvidenceStore) -> None:
    register(store, document(SLEEP, f"url:{WEB}"))
    copy = register(store, document(f"Copied: {SLEEP}", "url:https://example.org/b"), SLEEP)
    assert (copy.new_page, copy.new_fragments, copy.new_occurrences) == (True, 0, 1)
    assert sizes(store) == {"pages": 2, "fragments": 1, "occurrences": 2, "cites": 0, "claims": 0, "edges": 0}


def test_fragments_are_compared_normalised_and_quoted_as_written(store: EvidenceStore) -> None:
    first = register(store, document(SLEEP, f"url:{WEB}"))
    spaced = register(store, document("Ｓｌｅｅｐ improves\n memory in\u200b adults.", "url:https://example.org/b"))
    assert spaced.new_fragments == 0
    assert store.pages.text(spaced.page_id)[1] == "Ｓｌｅｅｐ improves\n memory in\u200b adults."
    assert store.pages.text(first.page_id)[1] == SLEEP


def test_a_text_twice_on_one_page_is_one_fragment_at_two_places(store: EvidenceStore) -> None:
    found = document(f"{SLEEP}\n\n{SLEEP}")
    spans = [Span(0, len(SLEEP)), Span(len(SLEEP) + 2, len(found.text))]
    sighting = store.pages.register(found, FALLBACK, spans)
    assert (sighting.new_fragments, sighting.new_occurrences) == (1, 2)


def test_a_changed_text_is_a_new_version_of_the_same_page(store: EvidenceStore) -> None:
    first = register(store, document(SLEEP, "doi:10.1000/a"))
    second = register(store, document(COFFEE, "doi:10.1000/a"))
    assert second.page_id == first.page_id
    assert (second.new_page, second.new_version) == (False, True)
    assert store.pages.text(first.page_id, first.page_version_id) == (first.page_version_id, SLEEP)
    assert store.pages.text(first.page_id) == (second.page_version_id, COFFEE)


# Names


def test_a_doi_decides_although_the_address_differs(store: EvidenceStore) -> None:
    first = register(store, document(SLEEP, "doi:10.1000/a", f"url:{WEB}"))
    second = register(store, document(SLEEP, "doi:10.1000/a", "url:https://mirror.example/a"))
    assert second.page_id == first.page_id


def test_a_doi_decides_over_an_address_of_another_page(store: EvidenceStore) -> None:
    other = register(store, document(COFFEE, f"url:{WEB}"))
    first = register(store, document(SLEEP, "doi:10.1000/a"))
    again = register(store, document(SLEEP, "doi:10.1000/a", f"url:{WEB}"))
    assert again.page_id == first.page_id != other.page_id


@pytest.mark.parametrize("kind", ["doi", "pmid", "arxiv"])
def test_different_works_at_one_address_stay_different_pages(store: EvidenceStore, kind: str) -> None:
    first = register(store, document(SLEEP, f"{kind}:10.1000/a", f"url:{WEB}"))
    second = register(store, document(COFFEE, f"{kind}:10.1000/b", f"url:{WEB}"))
    assert second.page_id != first.page_id
    assert sizes(store)["pages"] == 2
    assert register(store, document(SLEEP, f"url:{WEB}")).page_id == first.page_id
    assert register(store, document(COFFEE, f"{kind}:10.1000/b", f"url:{WEB}")).page_id == second.page_id


@pytest.mark.parametrize(
    ("first", "second"),
    [
        pytest.param(["pmid:1"], ["pmid:1", "doi:10.1000/a"], id="pmid, then doi"),
        pytest.param(["arxiv:2101.00001"], ["arxiv:2101.00001", "doi:10.1000/a"], id="arxiv, then doi"),
        pytest.param([f"url:{WEB}"], ["doi:10.1000/a", f"url:{WEB}"], id="address, then doi"),
        pytest.param([f"url:{WEB}"], ["pmid:1", f"url:{WEB}"], id="address, then pmid"),
        pytest.param(["doi:10.1000/a", "pmid:1"], ["pmid:1"], id="doi and pmid, then pmid"),
        pytest.param(["pmid:1", f"url:{WEB}"], ["arxiv:2101.00001", f"url:{WEB}"], id="names of different kinds do not conflict"),
    ],
)
def test_a_page_is_known_by_every_name_it_was_seen_with(store: EvidenceStore, first: list[str], second: list[str]) -> None:
    known = register(store, document(SLEEP, *first))
    assert register(store, document(SLEEP, *second)).page_id == known.page_id
    for name in {*first, *second}:
        assert register(store, document(SLEEP, name)).page_id == known.page_id
    assert sizes(store)["pages"] == 1


def test_the_first_page_to_carry_a_name_keeps_it(store: EvidenceStore) -> None:
    first = register(store, document(SLEEP, "doi:10.1000/a", f"url:{WEB}"))
    register(store, document(COFFEE, "doi:10.1000/b", f"url:{WEB}"))
    owner = store.database.value("SELECT page_id FROM resource_index WHERE identifier_value = ?", (WEB,))
    assert owner == first.page_id


def test_a_document_without_names_is_known_by_where_it_lies(store: EvidenceStore) -> None:
    first = register(store, document(SLEEP))
    elsewhere = register(store, document(SLEEP), fallback="file:///library/b.txt")
    assert elsewhere.page_id != first.page_id
    assert contents(store).pages == [
        ("file:///library/a.txt", None, None, None, 0),
        ("file:///library/b.txt", None, None, None, 0),
    ]


def test_every_page_has_an_address_of_its_own(store: EvidenceStore) -> None:
    register(store, document(SLEEP, "doi:10.1000/a", f"url:{WEB}"))
    register(store, document(COFFEE, "doi:10.1000/b", f"url:{WEB}"))
    register(store, document(COFFEE, "pmid:7"))
    assert [row[0] for row in contents(store).pages] == ["https://doi.org/10.1000/b", WEB, "pmid:7"]


def test_the_host_of_a_page_is_known_and_unverified_at_first(store: EvidenceStore) -> None:
    register(store, document(SLEEP, f"url:{WEB}"))
    register(store, document(COFFEE, "url:https://example.org/b"))
    assert store.database.rows("SELECT domain, domain_category FROM domains") == [("example.org", "unverified")]


# What a page says of itself


def test_later_sightings_fill_gaps_and_do_not_overwrite(store: EvidenceStore) -> None:
    bare = document(SLEEP, "doi:10.1000/a")
    sighting = register(store, replace(bare, title="First title"))
    register(store, replace(bare, title="Other title", venue="Journal", published_on="2021-03"))
    row = store.database.row("SELECT title, venue, published_on FROM pages WHERE page_id = ?", (sighting.page_id,))
    assert row == ("First title", "Journal", "2021-03")


def test_a_new_version_may_correct_the_title(store: EvidenceStore) -> None:
    sighting = register(store, replace(document(SLEEP, "doi:10.1000/a"), title="First title"))
    register(store, replace(document(COFFEE, "doi:10.1000/a"), title="Second title"))
    assert store.database.value("SELECT title FROM pages WHERE page_id = ?", (sighting.page_id,)) == "Second title"


def test_a_doi_once_known_is_never_replaced(store: EvidenceStore) -> None:
    first = register(store, document(SLEEP, "doi:10.1000/a", "pmid:1"))
    register(store, replace(document(COFFEE), identifiers=named("pmid:1")))
    assert store.database.value("SELECT doi FROM pages WHERE page_id = ?", (first.page_id,)) == "10.1000/a"


# Citations


def citing(text: str, name: str, *cited: str) -> Document:
    return replace(document(text, name), references=named(*cited))


def test_a_citation_is_found_when_the_cited_page_comes_first(store: EvidenceStore) -> None:
    register(store, document(SLEEP, "doi:10.1000/cited"))
    register(store, citing(COFFEE, "doi:10.1000/citing", "doi:10.1000/cited"))
    assert contents(store).cites == [("https://doi.org/10.1000/citing", "https://doi.org/10.1000/cited")]


def test_a_citation_is_found_when_the_cited_page_comes_later(store: EvidenceStore) -> None:
    register(store, citing(COFFEE, "doi:10.1000/citing", "doi:10.1000/cited"))
    assert contents(store).cites == []
    register(store, document(SLEEP, "doi:10.1000/cited"))
    assert contents(store).cites == [("https://doi.org/10.1000/citing", "https://doi.org/10.1000/cited")]


def test_a_citation_is_found_when_the_cited_page_gets_that_name_later(store: EvidenceStore) -> None:
    register(store, document(SLEEP, f"url:{WEB}"))
    register(store, citing(COFFEE, "doi:10.1000/citing", "doi:10.1000/cited"))
    register(store, document(SLEEP, f"url:{WEB}", "doi:10.1000/cited"))
    assert contents(store).cites == [("https://doi.org/10.1000/citing", WEB)]


def test_a_page_cites_another_once_whatever_names_it_uses(store: EvidenceStore) -> None:
    register(store, document(SLEEP, "doi:10.1000/cited", f"url:{WEB}"))
    for _ in range(2):
        register(store, citing(COFFEE, "doi:10.1000/citing", "doi:10.1000/cited", f"url:{WEB}"))
    assert len(contents(store).cites) == 1


def test_a_page_that_names_itself_cites_nobody(store: EvidenceStore) -> None:
    register(store, citing(SLEEP, "doi:10.1000/a", "doi:10.1000/a"))
    assert contents(store).cites == []


def test_pages_may_cite_each_other(store: EvidenceStore) -> None:
    register(store, citing(SLEEP, "doi:10.1000/a", "doi:10.1000/b"))
    register(store, citing(COFFEE, "doi:10.1000/b", "doi:10.1000/a"))
    assert len(contents(store).cites) == 2


def test_a_citation_carries_how_it_was_seen_and_both_categories(store: EvidenceStore) -> None:
    register(store, document(SLEEP, "doi:10.1000/cited", f"url:{WEB}"))
    register(store, replace(document(COFFEE), references=named("doi:10.1000/cited")))
    row = store.database.row("SELECT citation_source, source_domain_category, target_domain_category FROM cites")
    assert row == ("extraction", None, "unverified")


# What is not there


def test_an_unknown_page_is_not_found(store: EvidenceStore) -> None:
    with pytest.raises(NotFound) as refusal:
        store.pages.text("page_0")
    assert refusal.value.code == "unknown_page"


def test_a_fragment_counts_with_the_first_page_it_was_seen_on(store: EvidenceStore) -> None:
    first = register(store, document(SLEEP, "url:https://example.org/z"))
    register(store, document(SLEEP, "url:https://example.org/a"))
    fragment = str(store.database.value("SELECT fragment_id FROM fragments"))
    assert store.pages.first_page(fragment) == first.page_id
    with pytest.raises(NotFound) as refusal:
        store.pages.first_page("frag_0")
    assert refusal.value.code == "unknown_fragment"
