"""Semantic Scholar over loopback, and against what the real service has answered."""

from collections.abc import Callable, Iterator

import orjson
import pytest

from lyra.core.records import Identifier, ProviderStatus
from lyra.core.works import Answer, Work
from lyra.providers.semantic_scholar import SemanticScholar
from tests.loopback import semantic_scholar as service
from tests.loopback.client import endpoint, make_web
from tests.loopback.papers import PAPERS
from tests.loopback.server import Server, json_reply, serving
from tests.providers.recordings import recorded


@pytest.fixture
def server() -> Iterator[Server]:
    with serving(service.answer) as running:
        yield running


@pytest.fixture
def provider(server: Server) -> SemanticScholar:
    return SemanticScholar(endpoint(make_web(), f"{server.url}/graph/v1"))


def dois(*names: str) -> list[Identifier]:
    return [Identifier("doi", name) for name in names]


def titles(works: tuple[Work, ...]) -> set[str]:
    return {work.title for work in works}


def test_a_search_gives_items_with_their_works(provider: SemanticScholar, server: Server) -> None:
    answer = provider.search("green tea systolic", 3)
    assert answer.status is ProviderStatus.OK
    assert len(answer.found) == 3
    first = answer.found[0]
    assert first.work is not None
    paper = PAPERS["p1"]
    work = first.work
    assert (work.title, work.abstract, work.authors, work.venue) == (paper.title, paper.abstract, paper.authors, paper.venue)
    assert (work.published_on, work.year, work.citation_count) == ("2021-04-12", 2021, 48)
    assert work.identifiers == (Identifier("doi", "10.5555/ijc.2021.0001"), Identifier("pmid", "90000001"))
    assert first.identifiers == work.identifiers
    assert "isInfluential" not in server.requests[0].query["fields"]


def test_nothing_found_is_an_answer(provider: SemanticScholar) -> None:
    answer = provider.search("zebrafish", 10)
    assert (answer.status, answer.found, answer.code) == (ProviderStatus.NOTHING_FOUND, (), None)


def test_identifiers_are_looked_up_in_one_request(provider: SemanticScholar, server: Server) -> None:
    names = [*dois("10.5555/vln.2016.0042", "10.5555/unknown"), Identifier("pmid", "90000002"), Identifier("arxiv", "2402.01234")]
    answer = provider.complete([*names, Identifier("url", "http://example.org")])
    assert titles(answer.found) == {PAPERS["p3"].title, PAPERS["p2"].title, PAPERS["p7"].title}
    assert len(server.requests) == 1
    assert orjson.loads(server.requests[0].body)["ids"][1:3] == ["DOI:10.5555/unknown", "PMID:90000002"]


def test_a_batch_of_which_nothing_is_known_is_nothing_found(provider: SemanticScholar) -> None:
    assert provider.complete(dois("10.5555/unknown")).status is ProviderStatus.NOTHING_FOUND
    assert provider.complete([]).status is ProviderStatus.NOTHING_FOUND


def test_many_identifiers_are_asked_for_in_batches_of_five_hundred(provider: SemanticScholar, server: Server) -> None:
    answer = provider.complete(dois(*(f"10.5555/unknown.{n}" for n in range(1001)), "10.5555/ijc.2021.0001"))
    assert len(server.requests) == 3
    assert titles(answer.found) == {PAPERS["p1"].title}


def test_references_and_citations_come_with_abstracts_in_one_request_each(provider: SemanticScholar, server: Server) -> None:
    (work,) = provider.complete(dois("10.5555/ijc.2021.0001")).found
    references = provider.references(work, 100)
    assert titles(references.found) == {PAPERS[key].title for key in ("p3", "p4", "p5")}
    citations = provider.citations(work, 100)
    assert titles(citations.found) == {PAPERS[key].title for key in ("p2", "p7", "p9")}
    assert len(server.requests) == 3


def test_a_work_of_another_provider_is_found_by_its_identifier(provider: SemanticScholar) -> None:
    foreign = Work("openalex", "W1", "Title", identifiers=(Identifier("pmid", "90000004"),))
    assert titles(provider.references(foreign, 10).found) == {PAPERS["p3"].title, PAPERS["p6"].title}
    assert provider.references(Work("openalex", "W2", "Nameless"), 10).status is ProviderStatus.NOTHING_FOUND
    unknown = Work("openalex", "W3", "Unknown", identifiers=(Identifier("doi", "10.5555/unknown"),))
    assert provider.citations(unknown, 10).status is ProviderStatus.NOTHING_FOUND


def test_a_long_list_is_walked_page_by_page_up_to_the_limit(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lyra.providers.semantic_scholar._SEARCH_PAGE", 2)
    provider = SemanticScholar(endpoint(make_web(), f"{server.url}/graph/v1"))
    answer = provider.search("green tea", 5)
    assert len(answer.found) == 5
    assert [seen.query["offset"] for seen in server.requests] == ["0", "2", "4"]


def test_the_key_goes_into_its_header_and_nowhere_else(server: Server) -> None:
    provider = SemanticScholar(endpoint(make_web(), f"{server.url}/graph/v1", key="s3cret", key_header="x-api-key"))
    provider.search("green tea", 1)
    assert server.requests[0].headers["x-api-key"] == "s3cret"
    assert provider.info.key == "set"
    assert "s3cret" not in f"{provider.info} {server.requests[0].query}"


def test_a_list_that_the_publisher_withholds_is_empty() -> None:
    with serving(lambda _: json_reply({"offset": 0, "data": None})) as server:
        provider = SemanticScholar(endpoint(make_web(), server.url))
        assert provider.references(Work("semantic_scholar", "a1", "T"), 5).status is ProviderStatus.NOTHING_FOUND


@pytest.mark.parametrize(("status", "expected"), [(401, "no_key"), (403, "no_key"), (400, "down")])
def test_refusals_are_told_apart(status: int, expected: str) -> None:
    with serving(lambda _: json_reply({"error": "no"}, status)) as server:
        provider = SemanticScholar(endpoint(make_web(), server.url, key_header="x-api-key"))
        assert provider.search("tea", 5).status == expected


@pytest.mark.parametrize(
    ("name", "method", "wanted"),
    [
        ("test_search_paper.yaml", "search", 100),
        ("test_get_papers_return_not_found.yaml", "complete", 3),
        ("test_get_paper_references.yaml", "references", 30),
        ("test_get_paper_citations.yaml", "citations", 90),
    ],
)
def test_what_the_real_service_has_answered_is_read(name: str, method: str, wanted: int) -> None:
    value = recorded(f"semantic_scholar/{name}")
    with serving(lambda _: json_reply(value)) as server:
        provider = SemanticScholar(endpoint(make_web(), server.url))
        work = Work("semantic_scholar", "a1", "T")
        calls: dict[str, Callable[[], Answer[object]]] = {
            "search": lambda: provider.search("turing", 100),
            "complete": lambda: provider.complete(dois("10.1000/a")),
            "references": lambda: provider.references(work, 100),
            "citations": lambda: provider.citations(work, 100),
        }
        answer = calls[method]()
    assert answer.status is ProviderStatus.OK
    assert len(answer.found) >= wanted


def test_a_whole_recorded_paper_is_read() -> None:
    value = recorded("semantic_scholar/test_get_papers_return_not_found.yaml")
    with serving(lambda _: json_reply(value)) as server:
        found = SemanticScholar(endpoint(make_web(), server.url)).complete(dois("10.1000/a")).found
    work = next(one for one in found if one.identifier("doi") == "10.2139/ssrn.288970")
    assert work.authors[0] == "Marianne Bertrand"
    assert work.year == 2001
    assert work.citation_count == 10670
    assert work.abstract is not None
    assert work.abstract.startswith("Most Difference-in-Difference")
