"""OpenAlex over loopback, and against what the real service has answered."""

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lyra.core.records import Identifier, ProviderStatus
from lyra.core.works import Work
from lyra.providers.openalex import OpenAlex, abstract_of
from tests.loopback import openalex as service
from tests.loopback.client import endpoint, make_web
from tests.loopback.papers import PAPERS
from tests.loopback.server import Reply, Server, json_reply, serving
from tests.providers.recordings import recorded


@pytest.fixture
def server() -> Iterator[Server]:
    with serving(service.answer) as running:
        yield running


@pytest.fixture
def provider(server: Server) -> OpenAlex:
    return OpenAlex(endpoint(make_web(), server.url))


def dois(*names: str) -> list[Identifier]:
    return [Identifier("doi", name) for name in names]


def titles(works: tuple[Work, ...]) -> set[str]:
    return {work.title for work in works}


def test_a_search_gives_items_with_their_works(provider: OpenAlex) -> None:
    answer = provider.search("green tea extract?", 4)
    assert answer.status is ProviderStatus.OK
    assert len(answer.found) == 4
    work = answer.found[0].work
    assert work is not None
    assert (work.title, work.abstract) == (PAPERS["p2"].title, PAPERS["p2"].abstract)
    assert work.identifiers == (Identifier("doi", "10.5555/aim.2023.0007"), Identifier("pmid", "90000002"))
    assert (work.published_on, work.citation_count, work.retracted) == ("2023-09-02", 10, False)


def test_a_retracted_work_is_flagged(provider: OpenAlex) -> None:
    (work,) = provider.complete(dois("10.5555/joh.2018.0099")).found
    assert work.retracted


def test_wild_cards_are_taken_out_of_a_query(provider: OpenAlex, server: Server) -> None:
    provider.search("does tea* help? ~", 1)
    assert server.requests[0].query["search"] == "does tea help"
    assert provider.search("?*", 1).status is ProviderStatus.NOTHING_FOUND
    assert len(server.requests) == 1


def test_a_cursor_is_followed_to_the_end(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lyra.providers.openalex._PAGE", 2)
    answer = OpenAlex(endpoint(make_web(), server.url)).search("blood pressure", 100)
    assert len(answer.found) == 7
    assert [seen.query["cursor"] for seen in server.requests] == ["*", "after-2", "after-4", "after-6"]


def test_identifiers_are_looked_up_in_one_request_for_each_kind(provider: OpenAlex, server: Server) -> None:
    names = [*dois("10.5555/vln.2016.0042", "10.5555/none"), Identifier("pmid", "90000002"), Identifier("arxiv", "2402.01234")]
    answer = provider.complete(names)
    assert titles(answer.found) == {PAPERS["p3"].title, PAPERS["p2"].title, PAPERS["p7"].title}
    assert [seen.query["filter"] for seen in server.requests] == [
        "doi:10.5555/vln.2016.0042|10.5555/none|10.48550/arxiv.2402.01234",
        "pmid:90000002",
    ]


def test_a_doi_that_would_break_a_filter_stays_out_of_it(provider: OpenAlex, server: Server) -> None:
    provider.complete(dois("10.5555/a|b", "10.5555/a,b", "10.5555/c"))
    assert server.requests[0].query["filter"] == "doi:10.5555/c"


def test_references_cost_two_requests_at_most_never_one_each(provider: OpenAlex, server: Server) -> None:
    foreign = Work("semantic_scholar", "a1", "Title", identifiers=(Identifier("doi", "10.5555/ijc.2021.0001"),))
    answer = provider.references(foreign, 50)
    assert titles(answer.found) == {PAPERS[key].title for key in ("p3", "p4", "p5")}
    assert [seen.path for seen in server.requests] == ["/works/doi:10.5555/ijc.2021.0001", "/works"]
    own = provider.complete(dois("10.5555/ijc.2021.0001")).found[0]
    provider.references(own, 50)
    assert len(server.requests) == 4


def test_references_stay_within_their_limit(server: Server) -> None:
    provider = OpenAlex(endpoint(make_web(), server.url), max_references=2)
    work = Work("openalex", "W7000001", "T", references=("W7000003", "W7000004", "W7000005"))
    assert titles(provider.references(work, 50).found) == {PAPERS["p3"].title, PAPERS["p4"].title}


def test_citations_are_one_filter(provider: OpenAlex, server: Server) -> None:
    answer = provider.citations(Work("openalex", "W7000001", "T"), 50)
    assert [work.title for work in answer.found] == [PAPERS[key].title for key in ("p2", "p9", "p7")]
    assert server.requests[0].query["filter"] == "cites:W7000001"


def test_an_unknown_work_has_no_references(provider: OpenAlex) -> None:
    unknown = Work("semantic_scholar", "a", "T", identifiers=(Identifier("doi", "10.5555/unknown"),))
    for answer in (provider.references(unknown, 5), provider.citations(unknown, 5)):
        assert answer.status is ProviderStatus.NOTHING_FOUND
    assert provider.references(Work("semantic_scholar", "a", "T"), 5).status is ProviderStatus.NOTHING_FOUND


def test_without_the_key_it_wants_the_status_is_no_key() -> None:
    with serving(service.wanting_key("right")) as server:
        assert OpenAlex(endpoint(make_web(), server.url, key_param="api_key")).search("tea", 5).status is ProviderStatus.NO_KEY
        with_key = OpenAlex(endpoint(make_web(), server.url, key="right", key_param="api_key"))
        assert with_key.search("tea", 5).status is ProviderStatus.OK
        wrong = OpenAlex(endpoint(make_web(), server.url, key="wr0ng", key_param="api_key")).search("tea", 5)
    assert wrong.status is ProviderStatus.REFUSED
    assert "wr0ng" not in str(wrong.params)


def test_an_allowance_that_is_used_up_asks_for_a_key() -> None:
    with serving(lambda _: Reply(b"{}", 429, headers={"Retry-After": "40000"})) as server:
        without = OpenAlex(endpoint(make_web(), server.url, key_param="api_key")).search("tea", 5)
        having = OpenAlex(endpoint(make_web(), server.url, key="k", key_param="api_key")).search("tea", 5)
    assert (without.status, having.status) == (ProviderStatus.NO_KEY, ProviderStatus.THROTTLED)


@given(st.lists(st.text(st.characters(categories=["L", "N", "P"]), min_size=1, max_size=8), min_size=1, max_size=40))
def test_an_inverted_abstract_is_put_together_again(words: list[str]) -> None:
    index: dict[str, list[int]] = {}
    for position, word in enumerate(words):
        index.setdefault(word, []).append(position)
    found = abstract_of(index)
    assert (found or "").split() == " ".join(words).split()


@pytest.mark.parametrize("index", [None, [], "text", {}, {"a": "b"}, {"a": [-1]}, {"a": [10**9]}, {"a": [None]}])
def test_what_is_no_inverted_abstract_is_none(index: object) -> None:
    assert abstract_of(index) is None


def test_a_recorded_work_is_read() -> None:
    value = recorded("openalex/work.json")
    with serving(lambda _: json_reply({"meta": {"next_cursor": None}, "results": [value]})) as server:
        (work,) = OpenAlex(endpoint(make_web(), server.url)).complete(dois("10.7717/peerj.4375")).found
    assert work.identifiers == (Identifier("doi", "10.7717/peerj.4375"), Identifier("pmid", "29456894"))
    assert work.authors[0] == "Heather Piwowar"
    assert (work.published_on, work.venue, work.source_id) == ("2018-02-13", "PeerJ", "W2741809807")
    assert work.abstract is not None
    assert len(work.abstract.split()) > 100
    assert len(work.references) > 10


def test_recorded_lists_of_an_older_schema_are_read() -> None:
    value = recorded("openalex/tests__cassettes__test_list_entities__test_list_of_entities_cursor_ends.yaml")
    with serving(lambda _: json_reply(value)) as server:
        answer = OpenAlex(endpoint(make_web(), server.url)).complete(dois("10.1371/journal.pone.0266781"))
    assert answer.status is ProviderStatus.OK
    assert any(work.identifier("doi") == "10.1371/journal.pone.0266781" for work in answer.found)
