"""The graph: both ends of every edge are there, and nothing stands in it twice."""

from dataclasses import replace
from typing import Any

from lyra.core.records import Citation
from lyra.interfaces.exports.graph import graph
from tests.fakes import evidence
from tests.interfaces.test_presenter import material, materials

COPIED = replace(
    evidence("edge_1", "supports", 0.9, "page_a"), other_page_ids=("page_b", "page_c"), title="A", fragment_id="frag_1"
)
SECOND = replace(evidence("edge_2", "refutes", 0.8, "page_b"), title="B", authors=("Ann",))
NEUTRAL = replace(evidence("edge_3", "neutral", 0.7, "page_a"), fragment_id="frag_1", title="A")
CITED = Citation("edge_4", "page_b", "page_a", "extraction")


def drawn() -> Any:
    found = materials(material([COPIED, SECOND]), material([NEUTRAL]))
    return graph(replace(found, citations=(CITED, Citation("edge_5", "page_b", "page_far", "openalex"))))


def test_both_ends_of_every_edge_are_nodes_and_ids_are_distinct() -> None:
    value = drawn()
    nodes, edges = ([one["id"] for one in value[name]] for name in ("nodes", "edges"))
    assert len(set(nodes)) == len(nodes) - 1  # the same claim is given twice above
    assert len(set(edges)) == len(edges)
    assert {edge[end] for edge in value["edges"] for end in ("source", "target")} <= set(nodes)
    assert (value["schema_version"], value["task_id"]) == ("1", "task_1")


def test_the_edges_are_stances_places_shared_origins_and_citations() -> None:
    assert [(edge["relation"], edge["source"], edge["target"]) for edge in drawn()["edges"]] == [
        ("supports", "frag_1", "claim_1"),
        ("refutes", "frag_edge_2", "claim_1"),
        ("neutral", "frag_1", "claim_1"),
        ("extracted_from", "frag_1", "page_a"),
        ("extracted_from", "frag_1", "page_b"),
        ("extracted_from", "frag_1", "page_c"),
        ("extracted_from", "frag_edge_2", "page_b"),
        ("shares_origin", "page_a", "page_b"),
        ("shares_origin", "page_a", "page_c"),
        ("cites", "page_b", "page_a"),
    ]


def test_a_page_tells_what_is_known_of_it() -> None:
    pages = {node["id"]: node for node in drawn()["nodes"] if node["kind"] == "page"}
    assert (pages["page_b"]["title"], pages["page_b"]["authors"]) == ("B", ["Ann"])
    assert pages["page_c"] == {"id": "page_c", "kind": "page"}


def test_a_claim_tells_its_independent_values_and_why_pages_count_as_one() -> None:
    value = drawn()
    claim = next(node for node in value["nodes"] if node["kind"] == "claim")
    assert claim["independent"]["groups"][0]["page_ids"] == ["page_a", "page_b", "page_c"]
    shared = [edge for edge in value["edges"] if edge["relation"] == "shares_origin"]
    assert {(edge["reason"], edge["claim_id"]) for edge in shared} == {("same_text", "claim_1")}
