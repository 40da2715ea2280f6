"""Named views and text search: each answers its question, and a wrong name or value is answered with the right ones."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from lyra.core.errors import InvalidInput, NotFound
from lyra.core.records import Claim, ModelInfo, Span
from lyra.store.evidence_store import EvidenceStore
from lyra.store.queries.records import QueryLimits, Table
from lyra.store.queries.views import VIEWS
from lyra.workflows.bench import Bench
from lyra.workflows.check import CheckRequest, check
from lyra.workflows.query import Given, run_sql, run_view, search_text
from tests.contents import contents
from tests.fakes import LIBRARY, HashEmbedder, MemoryReader, document, named, stance

MODEL = ModelInfo(kind="stance", name="keyword", version="1")


class Graph:
    """A small graph made by hand: pages with one fragment each, and claims judged against them."""

    def __init__(self, store: EvidenceStore) -> None:
        self.store = store
        self.pages: dict[str, str] = {}
        self.fragments: dict[str, str] = {}
        self.task = store.tasks.create("question", None, []).task_id

    def page(self, name: str, year: str | None = None, cites: tuple[str, ...] = (), retracted: bool = False) -> str:
        text = f"This is what the page {name} says, at some length, on things that nobody else has ever thought of writing down."
        references = named(*(f"doi:10.1000/{cited}" for cited in cites))
        made = replace(document(text, f"doi:10.1000/{name}"), published_on=year, references=references, retracted=retracted)
        sighting = self.store.pages.register(made, f"file:///{name}", [Span(0, len(text))])
        self.pages[name] = sighting.page_id
        found = self.store.database.value("SELECT fragment_id FROM extracted_from WHERE page_id = ?", (sighting.page_id,))
        self.fragments[name] = str(found)
        return sighting.page_id

    def claim(self, text: str, *judged: tuple[str, str, float], task: str | None = None) -> Claim:
        (claim,) = self.store.tasks.add_claims(task or self.task, [text])
        stances = {self.fragments[page]: stance(relation, weight) for page, relation, weight in judged}
        self.store.edges.add(claim, stances, MODEL, "job_1")
        return claim

    def rows(self, view: str, given: Given | None = None, limit: int = 100) -> list[dict[str, object]]:
        table = run_view(self.store, view, given or {}, limit)
        return [dict(zip(table.columns, row, strict=True)) for row in table.rows]


@pytest.fixture
def graph(store: EvidenceStore) -> Graph:
    graph = Graph(store)
    graph.page("a", "2015")
    graph.page("b", "2020-05", cites=("a",))
    graph.page("c", None, cites=("b",))
    graph.page("silent", "1999")
    return graph


def test_contradictions_need_strong_evidence_on_both_sides(graph: Graph) -> None:
    even = graph.claim("Even.", ("a", "supports", 0.9), ("b", "refutes", 0.9))
    uneven = graph.claim("Uneven.", ("a", "supports", 0.9), ("b", "refutes", 0.6))
    graph.claim("Agreed.", ("a", "supports", 0.9), ("b", "supports", 0.9))
    weak = graph.claim("Weak.", ("a", "supports", 0.9), ("b", "refutes", 0.45))
    found = graph.rows("contradictions")
    assert [row["claim_id"] for row in found] == [even.claim_id, uneven.claim_id]
    assert (found[1]["strongest_support"], found[1]["strongest_refutation"]) == (0.9, 0.6)
    assert weak.claim_id in [row["claim_id"] for row in graph.rows("contradictions", {"least": 0.4})]


def test_best_supported_counts_pages_and_sorts_by_confidence(graph: Graph) -> None:
    two = graph.claim("Two.", ("a", "supports", 0.9), ("b", "supports", 0.9))
    three = graph.claim("Three.", ("a", "supports", 0.9), ("b", "supports", 0.9), ("c", "supports", 0.9))
    one = graph.claim("One.", ("a", "supports", 0.99))
    found = graph.rows("best_supported")
    assert [(row["claim_id"], row["independent_sources"]) for row in found] == [(three.claim_id, 3), (two.claim_id, 2)]
    assert one.claim_id in [row["claim_id"] for row in graph.rows("best_supported", {"least_sources": "1"})]


def test_the_page_a_claim_came_from_is_none_of_its_sources(graph: Graph) -> None:
    origin = (graph.fragments["a"], graph.pages["a"])
    (claim,) = graph.store.tasks.add_claims(graph.task, ["Extracted."], [origin])
    judged = {graph.fragments[name]: stance("supports", 0.9) for name in ("a", "b")}
    graph.store.edges.add(claim, judged, MODEL, "job_1")
    assert [row["independent_sources"] for row in graph.rows("best_supported", {"least_sources": 1})] == [1]


def test_most_uncertain_begins_with_what_nothing_is_known_about(graph: Graph) -> None:
    known = graph.claim("Known.", ("a", "supports", 0.9), ("b", "supports", 0.9))
    unknown = graph.claim("Unknown.", ("a", "neutral", 0.9))
    assert [row["claim_id"] for row in graph.rows("most_uncertain")] == [unknown.claim_id, known.claim_id]
    assert [row["claim_id"] for row in graph.rows("most_uncertain", {"least_evidence": "1"})] == [known.claim_id]


def test_freshness_gives_the_years_of_evidence_that_speaks(graph: Graph) -> None:
    old = graph.claim("Old.", ("a", "supports", 0.9), ("silent", "neutral", 0.9))
    new = graph.claim("New.", ("a", "supports", 0.9), ("b", "refutes", 0.9), ("c", "supports", 0.9))
    undated = graph.claim("Undated.", ("c", "supports", 0.9))
    found = {row["claim_id"]: row for row in graph.rows("freshness")}
    assert list(found) == [undated.claim_id, old.claim_id, new.claim_id]
    assert (found[old.claim_id]["oldest_year"], found[old.claim_id]["newest_year"]) == (2015, 2015)
    assert (found[new.claim_id]["oldest_year"], found[new.claim_id]["newest_year"]) == (2015, 2020)
    assert (found[new.claim_id]["dated_sources"], found[new.claim_id]["undated_sources"]) == (2, 1)
    assert [row["claim_id"] for row in graph.rows("freshness", {"before": "2016"})] == [old.claim_id]


def test_source_impact_weighs_pages_over_all_claims(graph: Graph) -> None:
    graph.claim("One.", ("a", "supports", 0.9), ("b", "refutes", 0.5))
    graph.claim("Two.", ("a", "refutes", 0.8))
    found = graph.rows("source_impact")
    assert [(row["page_id"], row["claims"], row["sole_source_of"]) for row in found] == [
        (graph.pages["a"], 2, 1),
        (graph.pages["b"], 1, 0),
    ]
    assert (found[0]["supporting_weight"], found[0]["refuting_weight"]) == (0.9, 0.8)


def test_orphan_sources_are_those_that_say_nothing_for_or_against(graph: Graph) -> None:
    graph.claim("One.", ("a", "supports", 0.9), ("b", "neutral", 0.9))
    found = {row["page_id"]: row for row in graph.rows("orphan_sources")}
    assert set(found) == {graph.pages[name] for name in ("b", "c", "silent")}
    assert (found[graph.pages["b"]]["judged_pairs"], found[graph.pages["c"]]["judged_pairs"]) == (1, 0)
    assert found[graph.pages["b"]]["citations"] == 1


def test_orphan_sources_of_a_task_are_looked_for_among_its_documents(bench: Bench, reader: MemoryReader) -> None:
    reader.put("a.txt", "Daily walking lowers blood pressure.")
    reader.put("b.txt", "Green paint dries slowly in winter.")
    task = check(bench, CheckRequest(("Daily walking lowers blood pressure.",), (LIBRARY,))).materials.task.task_id
    bench.store.pages.register(document("Of nobody's library."), "file:///elsewhere", [Span(0, 5)])
    table = run_view(bench.store, "orphan_sources", {"task": task}, 10)
    assert [row[table.columns.index("url")] for row in table.rows] == ["file:///library/b.txt"]


def test_citation_neighbours_are_found_in_both_directions_and_through_cycles(graph: Graph) -> None:
    graph.page("d", cites=("c",))
    graph.page("a", "2015", cites=("d", "a"))  # closes a circle, and cites itself
    near = {row["page_id"]: row for row in graph.rows("citation_neighbours", {"page": graph.pages["b"]})}
    assert set(near) == {graph.pages["a"], graph.pages["c"]}
    assert (near[graph.pages["a"]]["cited_by_it"], near[graph.pages["c"]]["cites_it"]) == (1, 1)
    far = graph.rows("citation_neighbours", {"page": graph.pages["b"], "distance": "4"})
    assert {row["page_id"]: row["distance"] for row in far} == {graph.pages["a"]: 1, graph.pages["c"]: 1, graph.pages["d"]: 2}


def test_claims_that_a_retracted_source_supports_are_named(graph: Graph) -> None:
    graph.page("bad", "2018", retracted=True)
    claim = graph.claim("Doubtful.", ("bad", "supports", 0.9), ("a", "supports", 0.9))
    graph.claim("Sound.", ("a", "supports", 0.9), ("bad", "refutes", 0.9))
    found = [(row["claim_id"], row["page_id"]) for row in graph.rows("retracted_support")]
    assert found == [(claim.claim_id, graph.pages["bad"])]


def test_claims_without_evidence_are_those_with_only_neutral_fragments(graph: Graph) -> None:
    silent = graph.claim("Silent.", ("a", "neutral", 0.9))
    graph.claim("Loud.", ("a", "supports", 0.9))
    assert [(row["claim_id"], row["neutral_count"]) for row in graph.rows("without_evidence")] == [(silent.claim_id, 1)]


def test_near_duplicates_are_grouped_the_largest_group_first(graph: Graph) -> None:
    other = "Something else entirely, which two pages have in common, was found by {} in the course of a very long winter abroad."
    for name in ("ann", "bob"):
        text = other.format(name)
        graph.store.pages.register(document(text), f"file:///{name}", [Span(0, len(text))])
    found = graph.rows("near_duplicates")
    assert [(row["group_number"], row["group_size"]) for row in found] == [(1, 4)] * 4 + [(2, 2)] * 2
    assert {row["page_id"] for row in found[:4]} == set(graph.pages.values())
    graph.claim("One.", ("a", "supports", 0.9), ("b", "neutral", 0.9))
    assert [row["page_id"] for row in graph.rows("near_duplicates", {"task": graph.task})] == [graph.pages["a"], graph.pages["b"]]


@pytest.mark.parametrize("name", [name for name, view in VIEWS.items() if any(one.name == "task" for one in view.parameters)])
def test_a_view_of_a_task_leaves_other_tasks_out(graph: Graph, name: str) -> None:
    graph.page("bad", "2018", retracted=True)
    judged = (("a", "supports", 0.9), ("b", "refutes", 0.9), ("bad", "supports", 0.8))
    graph.claim("Here.", *judged)
    graph.claim("Nothing here.")
    other = graph.store.tasks.create("another question", None, []).task_id
    graph.claim("There.", *judged, task=other)
    graph.claim("Nothing there.", task=other)
    everything = graph.rows(name)
    of_task = graph.rows(name, {"task": other})
    assert {row["task_id"] for row in of_task if "task_id" in row} <= {other}
    if name != "orphan_sources":  # neither task has documents of its own
        assert of_task
    assert len(of_task) <= len(everything)


@pytest.mark.parametrize("name", list(VIEWS))
def test_a_view_has_the_columns_it_promises_and_says_when_there_is_more(graph: Graph, name: str) -> None:
    graph.page("bad", "2018", retracted=True)
    graph.page("worse", "2018", retracted=True, cites=("bad", "a"))
    for number in range(3):
        graph.claim(
            f"Claim {number}.", ("a", "supports", 0.9), ("c", "supports", 0.9), ("b", "refutes", 0.9), ("bad", "supports", 1)
        )
        graph.claim(f"Empty {number}.", ("silent", "neutral", 0.9))
    given = {"page": graph.pages["worse"]} if name == "citation_neighbours" else {}
    table = run_view(graph.store, name, given, 1)
    assert len(table.rows) == 1
    assert len(table.rows[0]) == len(table.columns) == len(set(table.columns))
    assert table.truncated == "rows"
    assert run_view(graph.store, name, given, 1_000).truncated is None


@pytest.mark.parametrize("name", list(VIEWS))
def test_a_view_of_an_empty_store_is_empty(store: EvidenceStore, name: str) -> None:
    page = store.pages.register(document("One page."), "file:///one", [Span(0, 9)]).page_id
    table = run_view(store, name, {"page": page} if name == "citation_neighbours" else {}, 10)
    assert len(table.rows) == (1 if name == "orphan_sources" else 0)


@pytest.mark.parametrize(
    ("name", "given", "code", "said"),
    [
        ("contradiction", {}, "unknown_view", "contradictions"),
        ("claims; DROP TABLE edges", {}, "unknown_view", "contradictions"),
        ("contradictions", {"last": "0.5"}, "unknown_view_parameter", "least"),
        ("contradictions", {"least": "much"}, "bad_view_parameter", "0 to 1"),
        ("contradictions", {"least": "1.5"}, "bad_view_parameter", "0 to 1"),
        ("contradictions", {"least": "nan"}, "bad_view_parameter", "0 to 1"),
        ("contradictions", {"least": float("nan")}, "bad_view_parameter", "0 to 1"),
        ("best_supported", {"least_sources": "2.5"}, "bad_view_parameter", "1 to 1000"),
        ("best_supported", {"least_sources": True}, "bad_view_parameter", "1 to 1000"),
        ("contradictions", {"task": "task_none"}, "unknown_task", "task_none"),
        ("citation_neighbours", {}, "view_parameter_missing", "page"),
        ("citation_neighbours", {"page": "' OR 1=1 --"}, "unknown_page", "OR 1=1"),
        ("freshness", {"before": "-3"}, "bad_view_parameter", "9999"),
    ],
)
def test_a_wrong_name_or_value_is_answered_with_the_right_ones(
    store: EvidenceStore, name: str, given: Given, code: str, said: str
) -> None:
    with pytest.raises(InvalidInput) as refusal:
        run_view(store, name, given, 10)
    assert refusal.value.code == code
    assert said in str(refusal.value)


@pytest.mark.parametrize("limit", [0, -1, 10_001])
def test_a_limit_out_of_range_is_refused(store: EvidenceStore, limit: int) -> None:
    with pytest.raises(InvalidInput) as refusal:
        run_view(store, "freshness", {}, limit)
    assert refusal.value.code == "bad_limit"
    with pytest.raises(InvalidInput) as refusal:
        run_sql(store, "SELECT 1", {}, QueryLimits(rows=limit))
    assert refusal.value.code == "bad_limit"


def test_a_statement_reads_the_values_of_claims_and_numbers_are_bound_as_numbers(graph: Graph) -> None:
    claim = graph.claim("One.", ("a", "supports", 0.9))
    sql = "SELECT claim_id, typeof(:least), typeof(:word) FROM claim_values WHERE confidence > :least"
    table: Table = run_sql(graph.store, sql, {"least": "0.6", "word": "1e"}, QueryLimits())
    assert table.rows == ((claim.claim_id, "real", "text"),)


def test_a_parameter_needs_a_name_that_sql_can_take(store: EvidenceStore) -> None:
    with pytest.raises(InvalidInput) as refusal:
        run_sql(store, "SELECT 1", {"a b": "1"}, QueryLimits())
    assert refusal.value.code == "query_parameter_name"


# Text


def test_text_is_found_by_words_before_anything_was_embedded(bench: Bench) -> None:
    bench.store.pages.register(document("Rain helps the barley grow."), "file:///a", [Span(0, 27)])
    bench.store.pages.register(document("Snow covers the roads."), "file:///b", [Span(0, 22)])
    answer = search_text(bench, "barley", None, 5)
    assert [passage.quote for passage in answer.passages] == ["Rain helps the barley grow."]
    assert (answer.fragments, answer.with_vectors) == (2, 0)
    assert answer.passages[0].locator.start == 0


def test_a_search_before_anything_was_embedded_loads_no_model(bench: Bench) -> None:
    class Missing(HashEmbedder):
        def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
            raise AssertionError(texts)

    bench.store.pages.register(document("Rain helps the barley grow."), "file:///a", [Span(0, 27)])
    assert len(search_text(replace(bench, embedder=Missing()), "barley", None, 5).passages) == 1


def test_text_is_found_by_words_and_vectors_and_writes_nothing(bench: Bench, reader: MemoryReader) -> None:
    reader.put("a.txt", "Daily walking lowers blood pressure.")
    reader.put("b.txt", "Green paint dries slowly in winter.")
    check(bench, CheckRequest(("Daily walking lowers blood pressure.",), (LIBRARY,)))
    before = contents(bench.store)
    answer = search_text(bench, "walking pressure", None, 1)
    assert [passage.url for passage in answer.passages] == ["file:///library/a.txt"]
    assert (answer.fragments, answer.with_vectors, answer.passages[0].judged_pairs) == (2, 2, 1)
    assert contents(bench.store) == before


def test_a_search_in_a_task_keeps_to_its_documents_and_its_evidence(bench: Bench, reader: MemoryReader) -> None:
    reader.put("/one/a.txt", "Daily walking lowers blood pressure in adults.")
    reader.put("/two/b.txt", "Daily walking lowers blood pressure in children.")
    task = check(bench, CheckRequest(("Daily walking lowers blood pressure.",), ("/one",))).materials.task.task_id
    check(bench, CheckRequest(("Daily walking lowers blood pressure.",), ("/two",)))
    assert len(search_text(bench, "walking", None, 10).passages) == 2
    answer = search_text(bench, "walking", task, 10)
    assert [passage.url for passage in answer.passages] == ["file:///one/a.txt"]
    bench.store.library.remove_root("/one")
    assert [passage.locator.stale for passage in search_text(bench, "walking", task, 10).passages] == [True]


def test_a_text_search_with_bad_input_is_refused(bench: Bench) -> None:
    for text, task, limit, code in (
        ("?!", None, 5, "empty_question"),
        ("rain", "task_none", 5, "unknown_task"),
        ("rain", None, 0, "bad_limit"),
        ("rain", None, 201, "bad_limit"),
    ):
        with pytest.raises(InvalidInput) as refusal:
            search_text(bench, text, task, limit)
        assert refusal.value.code == code
    with pytest.raises(NotFound):
        search_text(bench, "rain", "task_none", 5)


def test_words_of_a_search_are_never_read_as_query_syntax(bench: Bench) -> None:
    bench.store.pages.register(document("Rain helps the barley grow."), "file:///a", [Span(0, 27)])
    for text in ('barley" OR "', "barley AND (", "terms : barley", "barley*", "NEAR(barley", "-barley", "ba{rley"):
        assert isinstance(search_text(bench, text, None, 5).passages, tuple)
