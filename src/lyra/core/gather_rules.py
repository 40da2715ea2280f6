"""How far a search goes, as the settings say. Apart, because every command reads the settings."""

from dataclasses import dataclass, field

DIRECTIONS = ("references", "citations", "both")


@dataclass(frozen=True, slots=True)
class CitationFilter:
    """The settings `search.citation_filter.*`."""

    min_citation_count: int = 0
    stage1_top_k: int = 30
    stage1_weight_embedding: float = 0.5
    stage1_weight_impact: float = 0.5
    stage2_top_k: int = 10
    stage2_weight_relevance: float = 0.5
    stage2_weight_embedding: float = 0.3
    stage2_weight_impact: float = 0.2


@dataclass(frozen=True, slots=True)
class GatherRules:
    """How far a search goes, from the settings `search.*`."""

    results: int = 10
    max_pages: int = 20
    max_seconds: float = 600.0
    loops: int = 2
    top_n_papers: int = 5
    depth: int = 1
    direction: str = "both"
    candidates: int = 100
    citation_filter: CitationFilter = field(default_factory=CitationFilter)
    links_per_page: int = 20
    workers: int = 8
