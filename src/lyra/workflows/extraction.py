"""Proposing claims from the fragments that a query finds: by rules, or by a language model where one is in use."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from lyra.core.claimworthy import propose_claims
from lyra.core.identity import text_hash
from lyra.workflows.bench import Bench, Holding
from lyra.workflows.judging import Finder

if TYPE_CHECKING:
    from lyra.workflows.gather.pipeline import Search

EXTRACT = "extract"


@dataclass(frozen=True, slots=True)
class Extraction:
    """Proposes claims for the queries of one job. `search` is there where anything beyond the library is asked."""

    bench: Bench
    finder: Finder
    holding: Holding
    search: "Search | None" = None

    def propose(self, task_id: str, query: str) -> int:
        """Propose claims from the fragments a query finds; returns how many the task did not have. One transaction.

        In a search that goes on after a crash, a query whose claims were proposed is not asked about again.
        """
        known = self.search.steps.outcome(EXTRACT, query) if self.search is not None else None
        if isinstance(known, dict):
            return int(known["new_claims"])
        limits, store = self.bench.limits, self.bench.store
        limit, subject = limits.search_claims, f"{task_id} {text_hash(query)}"
        way = "built_in" if self.search is None else self.search.understanding.way
        mark = f"{store.searching.mark()} {limit} {limits.search_fragments} {way}"
        if store.searching.marked(subject) == mark:
            return self._nothing_new(query)
        proposals = [
            (score, text, ranked.fragment_id)
            for ranked in self.finder.best(query, limits.search_fragments)
            for text, score in self._claims(ranked.text, limit)
        ]
        # Best first; ties by text, so that a repeated search proposes the same claims.
        chosen = sorted(proposals, key=lambda item: (-item[0], item[1]))[:limit]
        with store.transaction():
            self.holding.guard()
            store.tasks.add_query(task_id, query)
            before = store.tasks.get(task_id).claim_count
            origins = [(fragment_id, store.pages.first_page(fragment_id)) for _, _, fragment_id in chosen]
            store.tasks.add_claims(task_id, [text for _, text, _ in chosen], origins)
            added = store.tasks.get(task_id).claim_count - before
            store.searching.leave_mark(subject, mark)
            if self.search is not None:
                event = {"query": query, "proposed": len(chosen), "new": added}
                self.search.steps.record(EXTRACT, query, {"new_claims": added}, event)
        return added

    def _nothing_new(self, query: str) -> int:
        """Note that a query was asked about these very fragments before: it would propose the same again."""
        if self.search is not None:
            with self.search.steps.writing():
                self.search.steps.record(EXTRACT, query, {"new_claims": 0}, {"query": query, "proposed": 0, "new": 0})
        return 0

    def _claims(self, text: str, limit: int) -> list[tuple[str, float]]:
        if self.search is None:
            return [(proposal.text, proposal.score) for proposal in propose_claims(text, limit)]
        self.search.steps.beat()
        return self.search.understanding.claims(text, limit)
