"""Domain categories enter no confidence and no verification status, whatever the graph."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from lyra.core.confidence import confidence
from lyra.core.domains import CATEGORIES
from lyra.core.materials import ClaimMaterial, assess
from lyra.core.records import Claim, Evidence
from tests.fakes import evidence

PAGES = [f"page_{letter}" for letter in "abcdef"]
categories = st.sampled_from([None, *(name for name in CATEGORIES if name != "blocked")])
edges = st.builds(
    lambda number, relation, weight, page, copies, work, pointer, excluded: replace(
        evidence(f"edge_{number}", relation, weight, page),
        other_page_ids=tuple(copy for copy in copies if copy != page),
        work_keys=work,
        is_pointer=pointer,
        excluded_reason=excluded,
        quote=f"Quote number {number} stands on its own.",
    ),
    st.integers(0, 10_000),
    st.sampled_from(["supports", "refutes", "neutral"]),
    st.floats(0.0, 1.0),
    st.sampled_from(PAGES),
    st.lists(st.sampled_from(PAGES), max_size=2, unique=True),
    st.sampled_from([(), ("one work|smith",), ("another work|jones",)]),
    st.booleans(),
    st.sampled_from([None, None, "quarantined"]),
)
claims = st.builds(
    Claim,
    claim_id=st.just("claim_1"),
    task_id=st.just("task_1"),
    text=st.just("It does."),
    language=st.just("en"),
    origin_page_id=st.sampled_from([None, *PAGES]),
    origin_quarantined_at=st.sampled_from([None, "2026-03-01T12:00:00.000000Z"]),
)


def assessed(claim: Claim, found: list[Evidence], *, blocked: bool) -> ClaimMaterial:
    counting = [(edge.relation, edge.nli_confidence) for edge in found if not edge.is_pointer and edge.excluded_reason is None]
    return assess(claim, confidence(counting), found, origin_blocked=blocked)


@given(claims, st.lists(edges, max_size=8, unique_by=lambda edge: edge.edge_id), st.booleans(), st.data())
def test_other_categories_give_the_same_numbers_and_the_same_status(
    claim: Claim, found: list[Evidence], blocked: bool, data: st.DataObject
) -> None:
    drawn = [data.draw(st.tuples(categories, categories)) for _ in found]
    other = [
        replace(edge, source_domain_category=source, target_domain_category=target)
        for edge, (source, target) in zip(found, drawn, strict=True)
    ]
    one, another = assessed(claim, found, blocked=blocked), assessed(claim, other, blocked=blocked)
    assert one.values == another.values
    assert one.independent == another.independent
    assert one.verification == another.verification
    assert (one.independent_sources, one.refuting_sources) == (another.independent_sources, another.refuting_sources)
