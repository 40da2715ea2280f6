"""A claim with all that follows from its evidence: pure, from edges alone."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from lyra.core.confidence import Confidence
from lyra.core.dependence import Independent, group_by_origin, speaks
from lyra.core.gathering import PageSummary
from lyra.core.records import Citation, Claim, Evidence, ModelInfo, ProviderReport, Relation, Task
from lyra.core.verification import Verification, verify


@dataclass(frozen=True, slots=True)
class ClaimMaterial:
    """One claim, its numbers, and the evidence they come from. `evidence_omitted` items of it are counted, but not listed.

    `pointer_count` edges stand on pages that only point to evidence, `excluded_count` on pages in quarantine: both count
    for nothing.
    """

    claim: Claim
    values: Confidence
    independent: Independent
    verification: Verification
    independent_sources: int
    refuting_sources: int
    oldest_year: int | None
    newest_year: int | None
    evidence: tuple[Evidence, ...]
    evidence_omitted: int = 0
    pointer_count: int = 0
    excluded_count: int = 0

    @property
    def has_evidence(self) -> bool:
        """Whether anything speaks for or against the claim."""
        return bool(self.values.supporting_count or self.values.refuting_count)


@dataclass(frozen=True, slots=True)
class Materials:
    """What a task has come to: its claims with evidence, and where the evidence came from.

    `citations` are those among the pages behind the evidence, copies of a quoted text included. `paths` says by which
    way (`llm`, `built_in` or `mixed`) each question that a language model may answer was answered. `summaries` are what
    it said of fetched pages, where it was asked.
    """

    task: Task
    claims: tuple[ClaimMaterial, ...]
    providers: tuple[ProviderReport, ...]
    models: tuple[ModelInfo, ...]
    citations: tuple[Citation, ...] = ()
    paths: Mapping[str, str] = field(default_factory=dict)
    summaries: tuple[PageSummary, ...] = ()


def assess(claim: Claim, values: Confidence, evidence: Sequence[Evidence], *, origin_blocked: bool = False) -> ClaimMaterial:
    """Return the material of a claim; the years are those of the evidence that speaks for or against it.

    The page an extracted claim came from is none of its sources, whatever else it says about it. `origin_blocked`
    says whether the domain of that page may not be used.
    """
    independent = group_by_origin(evidence, claim.origin_page_id)
    speaking = list(filter(speaks, evidence))
    pages = {relation: {edge.page_id for edge in speaking if edge.relation is relation} for relation in Relation}
    years = [edge.year for edge in speaking if edge.year is not None]
    return ClaimMaterial(
        claim=claim,
        values=values,
        independent=independent,
        verification=verify(
            independent.sources,
            independent.refuting_sources,
            independent.all_sources,
            dangerous=claim.origin_quarantined_at is not None,
            blocked=origin_blocked,
        ),
        independent_sources=len(pages[Relation.SUPPORTS] - {claim.origin_page_id}),
        refuting_sources=len(pages[Relation.REFUTES] - {claim.origin_page_id}),
        oldest_year=min(years, default=None),
        newest_year=max(years, default=None),
        evidence=tuple(evidence),
        pointer_count=sum(edge.is_pointer for edge in evidence),
        excluded_count=sum(edge.excluded_reason is not None for edge in evidence),
    )
