"""Dependence: one study told ten times counts once, and the reader sees why."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lyra.core.confidence import confidence
from lyra.core.dependence import RETRACTION, Link, group_by_origin
from lyra.core.records import Evidence
from tests.fakes import evidence

PAGES = ["page_a", "page_b", "page_c", "page_d"]
WIRE = "Adults who drank two cups of coffee in the evening slept forty minutes less than adults who drank water, a trial found."
EDITED = "Adults who drank two cups of coffee in the evening slept forty minutes less than adults who drank water, a study found."

edges = st.lists(
    st.builds(
        lambda relation, weight, page, others, works, quote, cited: replace(
            evidence("edge", relation, weight, page),
            other_page_ids=tuple(sorted(others - {page})),
            work_keys=tuple(works),
            quote=quote,
            sole_citation=None if cited == page else cited,
        ),
        st.sampled_from(["supports", "refutes", "neutral"]),
        st.floats(min_value=0.0, max_value=1.0),
        st.sampled_from(PAGES),
        st.sets(st.sampled_from(PAGES), max_size=2),
        st.sets(st.sampled_from(["work one", "work two"]), max_size=1),
        st.sampled_from(["quote", WIRE, EDITED]),
        st.sampled_from([None, *PAGES, "page_x"]),
    ),
    max_size=12,
).map(lambda found: [replace(edge, edge_id=f"edge_{number:02}") for number, edge in enumerate(found)])


def test_ten_fragments_of_one_page_count_once() -> None:
    found = group_by_origin([evidence(f"edge_{n}", "supports", 0.5 + n / 100) for n in range(10)])
    assert found.values.alpha == pytest.approx(1.59)
    assert found.values.supporting_count == found.sources == len(found.groups) == 1
    assert len(found.groups[0].edge_ids) == 10
    assert found.groups[0].links == ()


def test_ten_fragments_of_ten_pages_count_ten_times() -> None:
    found = group_by_origin([evidence(f"edge_{n}", "supports", 0.9, f"page_{n}") for n in range(10)])
    assert found.values.alpha == pytest.approx(10.0)
    assert found.sources == 10


def test_a_text_seen_on_two_pages_makes_them_one_origin() -> None:
    syndicated = replace(evidence("edge_1", "supports", 0.9, "page_a"), other_page_ids=("page_b",))
    own = evidence("edge_2", "supports", 0.8, "page_b")
    found = group_by_origin([syndicated, own])
    assert found.sources == 1
    assert found.groups[0].page_ids == ("page_a", "page_b")
    assert found.groups[0].links == (Link("page_a", "page_b", "same_text"),)
    assert found.groups[0].edge_ids == ("edge_1", "edge_2")


def test_a_preprint_and_its_journal_version_are_one_origin() -> None:
    preprint = replace(evidence("edge_1", "supports", 0.9, "page_a"), work_keys=("effects of sleep|smith",))
    journal = replace(evidence("edge_2", "supports", 0.7, "page_b"), work_keys=("effects of sleep|smith",))
    found = group_by_origin([preprint, journal])
    assert found.sources == 1
    assert found.groups[0].links == (Link("page_a", "page_b", "same_work"),)
    assert found.values.alpha == pytest.approx(1.9)


def test_origins_join_along_a_chain() -> None:
    first = replace(evidence("edge_1", "supports", 0.9, "page_a"), other_page_ids=("page_b",))
    second = replace(evidence("edge_2", "supports", 0.8, "page_b"), work_keys=("work",))
    third = replace(evidence("edge_3", "refutes", 0.7, "page_c"), work_keys=("work",))
    found = group_by_origin([third, first, second])
    assert [group.page_ids for group in found.groups] == [("page_a", "page_b", "page_c")]
    assert {link.reason for link in found.groups[0].links} == {"same_text", "same_work"}


def test_pages_with_a_common_third_copy_are_one_origin() -> None:
    first = replace(evidence("edge_1", "supports", 0.9, "page_a"), other_page_ids=("page_c",))
    second = replace(evidence("edge_2", "supports", 0.9, "page_b"), other_page_ids=("page_c",))
    assert group_by_origin([first, second]).sources == 1


def test_a_lightly_edited_copy_is_of_the_same_origin() -> None:
    first = replace(evidence("edge_1", "supports", 0.9, "page_a"), quote=WIRE)
    second = replace(evidence("edge_2", "supports", 0.8, "page_b"), quote=EDITED)
    other = replace(
        evidence("edge_3", "supports", 0.7, "page_c"), quote="Evening coffee costs sleep, as we found in a trial of our own."
    )
    found = group_by_origin([first, second, other])
    assert [group.page_ids for group in found.groups] == [("page_a", "page_b"), ("page_c",)]
    assert found.groups[0].links == (Link("page_a", "page_b", "near_duplicate"),)
    assert found.values.alpha == pytest.approx(1.0 + 0.9 + 0.7)


def test_retraction_notices_that_are_worded_alike_stay_apart() -> None:
    notices = [replace(evidence(f"edge_{n}", "refutes", 0.9, f"page_{n}"), quote=WIRE, model=RETRACTION) for n in range(2)]
    assert group_by_origin(notices).refuting_sources == 2


def test_articles_that_cite_the_same_page_only_are_one_origin() -> None:
    articles = [replace(evidence(f"edge_{n}", "supports", 0.9, f"page_{n}"), sole_citation="page_x") for n in range(3)]
    found = group_by_origin([*articles, evidence("edge_3", "supports", 0.8, "page_3")])
    assert [group.page_ids for group in found.groups] == [("page_0", "page_1", "page_2"), ("page_3",)]
    assert found.groups[0].links == (Link("page_0", "page_1", "common_source"), Link("page_0", "page_2", "common_source"))
    assert found.sources == 2


def test_a_study_and_the_article_that_cites_only_it_are_one_origin() -> None:
    article = replace(evidence("edge_1", "supports", 0.9, "page_b"), sole_citation="page_a")
    study = evidence("edge_2", "refutes", 0.8, "page_a")
    found = group_by_origin([article, study])
    assert found.groups[0].links == (Link("page_a", "page_b", "common_source"),)
    assert (found.sources, found.refuting_sources, found.all_sources) == (1, 1, 1)


def test_an_article_about_the_study_that_a_claim_was_taken_from_is_no_source_beside_it() -> None:
    article = replace(evidence("edge_1", "supports", 0.9, "page_b"), sole_citation="page_a")
    found = group_by_origin([article, evidence("edge_2", "supports", 0.8, "page_a")], claim_page_id="page_a")
    assert [group.is_claim_origin for group in found.groups] == [True]
    assert found.sources == 0


def test_pages_with_different_sole_citations_stay_apart() -> None:
    cited = ("page_x", "page_y", None, None)
    edges = [replace(evidence(f"edge_{n}", "supports", 0.9, f"page_{n}"), sole_citation=page) for n, page in enumerate(cited)]
    assert group_by_origin(edges).sources == 4


def test_a_group_adds_its_strongest_edge_in_each_direction() -> None:
    found = group_by_origin(
        [
            evidence("edge_1", "supports", 0.6),
            evidence("edge_2", "supports", 0.9),
            evidence("edge_3", "refutes", 0.4),
            evidence("edge_4", "refutes", 0.3),
        ]
    )
    assert (found.groups[0].supports, found.groups[0].refutes) == (0.9, 0.4)
    assert (found.values.alpha, found.values.beta) == pytest.approx((1.9, 1.4))
    assert (found.sources, found.refuting_sources) == (1, 1)


@pytest.mark.parametrize(
    "silent",
    [
        pytest.param(evidence("edge_2", "neutral", 0.9, "page_b"), id="neutral"),
        pytest.param(replace(evidence("edge_2", "supports", 0.9, "page_b"), is_pointer=True), id="pointer"),
        pytest.param(replace(evidence("edge_2", "supports", 0.9, "page_b"), excluded_reason="quarantined"), id="excluded"),
    ],
)
def test_evidence_that_does_not_count_takes_no_part(silent: Evidence) -> None:
    speaking = evidence("edge_1", "supports", 0.9, "page_a")
    bridge = replace(silent, other_page_ids=("page_a", "page_c"), work_keys=("work",))
    other = replace(evidence("edge_3", "supports", 0.8, "page_c"), work_keys=("work",))
    assert group_by_origin([speaking, bridge, other]) == group_by_origin([speaking, other])
    assert group_by_origin([bridge]) == group_by_origin([])


def test_without_evidence_there_is_no_group_and_no_opinion() -> None:
    found = group_by_origin([])
    assert found.groups == ()
    assert (found.values.confidence, found.values.alpha, found.values.beta) == (0.5, 1.0, 1.0)


@given(edges, st.data())
def test_the_order_of_the_edges_changes_nothing(found: list[Evidence], data: st.DataObject) -> None:
    assert group_by_origin(data.draw(st.permutations(found))) == group_by_origin(found)


@given(edges)
def test_grouping_never_adds_weight(found: list[Evidence]) -> None:
    primary = confidence((edge.relation, edge.nli_confidence) for edge in found)
    independent = group_by_origin(found).values
    assert independent.alpha <= primary.alpha
    assert independent.beta <= primary.beta


@given(edges)
def test_every_speaking_edge_and_page_is_in_exactly_one_group(found: list[Evidence]) -> None:
    groups = group_by_origin(found).groups
    speaking = [edge for edge in found if edge.relation != "neutral"]
    assert sorted(edge_id for group in groups for edge_id in group.edge_ids) == [edge.edge_id for edge in speaking]
    pages = [page_id for group in groups for page_id in group.page_ids]
    assert len(pages) == len(set(pages))
    assert set(pages) == {page for edge in speaking for page in (edge.page_id, *edge.other_page_ids)}


@given(edges)
def test_the_links_of_a_group_hold_it_together(found: list[Evidence]) -> None:
    for group in group_by_origin(found).groups:
        assert len(group.links) == len(group.page_ids) - 1
        reached = {group.page_ids[0]}
        for _ in group.links:
            for link in group.links:
                if reached & {link.first_page_id, link.second_page_id}:
                    reached |= {link.first_page_id, link.second_page_id}
        assert reached == set(group.page_ids)
