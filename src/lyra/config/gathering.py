"""The settings of gathering: how far a search goes, and which citations it takes in."""

from collections.abc import Mapping

from lyra.config.kinds import Kind, choice, number
from lyra.core.gather_rules import DIRECTIONS, CitationFilter, GatherRules

_WEIGHT = number(0, 1, whole=False)
GATHERING_KINDS: dict[str, Kind] = {
    "search.results": number(1, 100, whole=True),
    "search.max_pages": number(0, 1000, whole=True),
    "search.max_seconds": number(1, 86_400, whole=False),
    "search.loops": number(1, 5, whole=True),
    "search.links_per_page": number(0, 200, whole=True),
    "search.citation_graph_top_n_papers": number(0, 100, whole=True),
    "search.citation_graph_depth": number(0, 3, whole=True),
    "search.citation_graph_direction": choice(*DIRECTIONS),
    "search.citation_graph_candidates": number(1, 1000, whole=True),
    "search.citation_filter.min_citation_count": number(0, 1_000_000, whole=True),
    "search.citation_filter.stage1_top_k": number(0, 1000, whole=True),
    "search.citation_filter.stage1_weight_embedding": _WEIGHT,
    "search.citation_filter.stage1_weight_impact": _WEIGHT,
    "search.citation_filter.stage2_top_k": number(0, 1000, whole=True),
    "search.citation_filter.stage2_weight_llm": _WEIGHT,
    "search.citation_filter.stage2_weight_embedding": _WEIGHT,
    "search.citation_filter.stage2_weight_impact": _WEIGHT,
}
_RULES, _FILTER = GatherRules(), CitationFilter()
GATHERING_DEFAULTS: dict[str, int | float | str] = {
    "search.results": _RULES.results,
    "search.max_pages": _RULES.max_pages,
    "search.max_seconds": _RULES.max_seconds,
    "search.loops": _RULES.loops,
    "search.links_per_page": _RULES.links_per_page,
    "search.citation_graph_top_n_papers": _RULES.top_n_papers,
    "search.citation_graph_depth": _RULES.depth,
    "search.citation_graph_direction": _RULES.direction,
    "search.citation_graph_candidates": _RULES.candidates,
    "search.citation_filter.min_citation_count": _FILTER.min_citation_count,
    "search.citation_filter.stage1_top_k": _FILTER.stage1_top_k,
    "search.citation_filter.stage1_weight_embedding": _FILTER.stage1_weight_embedding,
    "search.citation_filter.stage1_weight_impact": _FILTER.stage1_weight_impact,
    "search.citation_filter.stage2_top_k": _FILTER.stage2_top_k,
    "search.citation_filter.stage2_weight_llm": _FILTER.stage2_weight_relevance,
    "search.citation_filter.stage2_weight_embedding": _FILTER.stage2_weight_embedding,
    "search.citation_filter.stage2_weight_impact": _FILTER.stage2_weight_impact,
}


def build_gathering(values: Mapping[str, str | int | float]) -> GatherRules:
    """Return how far a search goes, from the values in force."""

    def whole(name: str) -> int:
        return int(values[f"search.{name}"])

    def weight(name: str) -> float:
        return float(values[f"search.citation_filter.{name}"])

    return GatherRules(
        results=whole("results"),
        max_pages=whole("max_pages"),
        max_seconds=float(values["search.max_seconds"]),
        loops=whole("loops"),
        links_per_page=whole("links_per_page"),
        top_n_papers=whole("citation_graph_top_n_papers"),
        depth=whole("citation_graph_depth"),
        direction=str(values["search.citation_graph_direction"]),
        candidates=whole("citation_graph_candidates"),
        workers=int(values["fetch.workers"]),
        citation_filter=CitationFilter(
            min_citation_count=whole("citation_filter.min_citation_count"),
            stage1_top_k=whole("citation_filter.stage1_top_k"),
            stage1_weight_embedding=weight("stage1_weight_embedding"),
            stage1_weight_impact=weight("stage1_weight_impact"),
            stage2_top_k=whole("citation_filter.stage2_top_k"),
            stage2_weight_relevance=weight("stage2_weight_llm"),
            stage2_weight_embedding=weight("stage2_weight_embedding"),
            stage2_weight_impact=weight("stage2_weight_impact"),
        ),
    )
