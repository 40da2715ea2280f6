"""Dependence: evidence grouped by origin, so that one study told ten times counts once.

Two pages share an origin when they

- carry the same text: one fragment seen on both (`same_text`);
- are the same work: a shared work key, title and first author (`same_work`);
- are quoted with nearly the same text (`near_duplicate`);
- retell one page, which is all that they cite, or one retells the other (`common_source`).

Each group adds at most its strongest edge per direction.
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass

from lyra.core.confidence import Confidence, posterior
from lyra.core.near_duplicates import near_duplicates
from lyra.core.records import Evidence, Relation

# The model name of the edges that a retraction gives.
RETRACTION = "retraction"


@dataclass(frozen=True, slots=True)
class Link:
    """Why two pages are in one group."""

    first_page_id: str
    second_page_id: str
    reason: str


@dataclass(frozen=True, slots=True)
class OriginGroup:
    """Evidence of one origin. `links` says why its pages belong together (none for a single page).

    `is_claim_origin` marks the group of the page the claim was extracted from: its edges count, but it is no source.
    """

    page_ids: tuple[str, ...]
    links: tuple[Link, ...]
    edge_ids: tuple[str, ...]
    supports: float | None
    refutes: float | None
    is_claim_origin: bool = False


@dataclass(frozen=True, slots=True)
class Independent:
    """The values of a claim after grouping, beside the primary ones."""

    values: Confidence
    groups: tuple[OriginGroup, ...]

    @property
    def sources(self) -> int:
        """Groups that support the claim, without the one it was extracted from."""
        return sum(group.supports is not None and not group.is_claim_origin for group in self.groups)

    @property
    def refuting_sources(self) -> int:
        """Groups that refute the claim, without the one it was extracted from."""
        return sum(group.refutes is not None and not group.is_claim_origin for group in self.groups)

    @property
    def all_sources(self) -> int:
        """Groups on either side or both, without the one the claim was extracted from."""
        return sum(not group.is_claim_origin for group in self.groups)


class _Union:
    """Pages joined into groups, with the links that joined them: as few as hold each group together."""

    def __init__(self) -> None:
        self.parent: dict[str, str] = {}
        self.links: list[Link] = []

    def find(self, item: str) -> str:
        root = self.parent.setdefault(item, item)
        while root != self.parent[root]:
            root = self.parent[root]
        self.parent[item] = root
        return root

    def join(self, first: str, second: str, reason: str) -> None:
        a, b = sorted((self.find(first), self.find(second)))
        if a != b:
            self.parent[b] = a
            self.links.append(Link(first, second, reason))


def speaks(edge: Evidence) -> bool:
    """Return whether an edge counts for or against its claim: not neutral, no pointer, not excluded."""
    return edge.relation is not Relation.NEUTRAL and not edge.is_pointer and edge.excluded_reason is None


def group_by_origin(evidence: Iterable[Evidence], claim_page_id: str | None = None) -> Independent:
    """Return the origin groups of a claim's counting, non-neutral evidence and the values they give.

    `claim_page_id` is the page the claim was extracted from, if it was. Deterministic whatever the order of the
    edges. Excluded and pointer evidence takes no part.
    """
    edges = sorted(filter(speaks, evidence), key=lambda edge: edge.edge_id)
    union = _Union()
    _join_copies_and_versions(edges, union)
    _join_near_duplicates(edges, union)
    _join_by_citation(edges, union)
    groups = _collect(edges, union, claim_page_id)
    return Independent(
        values=posterior(
            math.fsum(g.supports or 0.0 for g in groups),
            math.fsum(g.refutes or 0.0 for g in groups),
            sum(g.supports is not None for g in groups),
            sum(g.refutes is not None for g in groups),
            0,
        ),
        groups=groups,
    )


def _join_copies_and_versions(edges: list[Evidence], union: _Union) -> None:
    seen_works: dict[str, str] = {}
    for edge in edges:
        for other in edge.other_page_ids:
            union.join(edge.page_id, other, "same_text")
        for key in edge.work_keys:
            union.join(seen_works.setdefault(key, edge.page_id), edge.page_id, "same_work")


def _join_near_duplicates(edges: list[Evidence], union: _Union) -> None:
    # Retraction notices are worded alike and speak of different works.
    quoted = [edge for edge in edges if edge.model != RETRACTION]
    if len({union.find(edge.page_id) for edge in quoted}) > 1:
        for first, second in near_duplicates([edge.quote for edge in quoted]):
            union.join(quoted[first].page_id, quoted[second].page_id, "near_duplicate")


def _join_by_citation(edges: list[Evidence], union: _Union) -> None:
    pages = {page for edge in edges for page in (edge.page_id, *edge.other_page_ids)}
    seen_sources: dict[str, str] = {}
    for edge in edges:
        if edge.sole_citation is not None:
            source = edge.sole_citation if edge.sole_citation in pages else edge.page_id
            union.join(seen_sources.setdefault(edge.sole_citation, source), edge.page_id, "common_source")


def _collect(edges: list[Evidence], union: _Union, claim_page_id: str | None) -> tuple[OriginGroup, ...]:
    members: dict[str, list[Evidence]] = {}
    for edge in edges:
        members.setdefault(union.find(edge.page_id), []).append(edge)
    groups = []
    for root, group in sorted(members.items()):
        pages = {page for edge in group for page in (edge.page_id, *edge.other_page_ids)}
        groups.append(
            OriginGroup(
                page_ids=tuple(sorted(pages)),
                links=tuple(link for link in union.links if union.find(link.first_page_id) == root),
                edge_ids=tuple(edge.edge_id for edge in group),
                supports=_strongest(group, Relation.SUPPORTS),
                refutes=_strongest(group, Relation.REFUTES),
                is_claim_origin=claim_page_id in pages,
            )
        )
    return tuple(groups)


def _strongest(group: list[Evidence], relation: Relation) -> float | None:
    return max((edge.nli_confidence for edge in group if edge.relation is relation), default=None)
