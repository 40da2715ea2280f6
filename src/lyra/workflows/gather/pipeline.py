"""The path of a search: one pass for each query, each of a few rounds, the same steps for all of them.

Only where a pass starts depends on the query. From there on every paper is completed, registered, ranked and expanded, and
every page fetched, whatever led to it; what pages name is the start of the next round.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from math import ceil

from lyra.core.gathering import Plan, SearchReport, doi_of
from lyra.core.paper_index import Entry
from lyra.core.records import Identifier
from lyra.workflows.bench import Bench, Holding
from lyra.workflows.gather.crew import Crew
from lyra.workflows.gather.expansion import expand
from lyra.workflows.gather.fetching import fetch_all
from lyra.workflows.gather.finding import complete, list_results
from lyra.workflows.gather.ground import Ground, Met, Target
from lyra.workflows.gather.reach import Reach
from lyra.workflows.gather.registering import own_names, register
from lyra.workflows.gather.steps import Steps
from lyra.workflows.gather.taking_over import vouched_names
from lyra.workflows.gather.understanding import Understanding

_RESOLVER = "https://doi.org/"
GIVEN = ""
JUDGE = "judge"


class Search:
    """One search under its lease. `run` may be called again after a crash: what was done before is not done twice."""

    def __init__(self, bench: Bench, reach: Reach, holding: Holding, task_id: str, plan: Plan) -> None:
        steps = Steps(holding, task_id, reach.clock)
        providers = [reach.provider(name) for name in plan.providers]
        crew = Crew(reach.rules.workers, steps.beat)
        self._ground = Ground(bench, reach, steps, crew, task_id, plan, providers)
        for provider in providers:
            self._ground.tally.expect(provider.info)
        self.understanding = Understanding(
            reach.llm, reach.prompts, bench.embedder, bench.reranker, self._note, lambda: reach.clock.is_over
        )

    def run(self, question: str) -> None:
        """Gather for every query of the plan; what was named by address or DOI is gathered first, for the task's question."""
        ground = self._ground
        ground.reach.clock.allow(ground.steps.left(ground.plan.budget, ground.rules))
        try:
            passes = self._passes(question)
            for number, (query, start) in enumerate(passes):
                self._pass(query or question, number, len(passes), start)
        finally:
            ground.reach.clock.allow(None)

    def report(self, new_edges: int) -> SearchReport:
        """Keep and return how the providers answered, when all is judged. One transaction."""
        ground, llm = self._ground, self._ground.reach.llm
        if llm is not None and self.understanding.calls:
            ground.tally.note_llm(llm.address, self.understanding.calls, self.understanding.status)
        report = SearchReport(ground.tally.reports(), self.understanding.paths)
        with ground.steps.writing():
            claims = ground.store.tasks.get(ground.task_id).claim_count
            ground.steps.record(JUDGE, "", {"new_edges": new_edges}, {"claims": claims, "new_edges": new_edges})
            ground.store.gathered.keep_report(ground.cause_id, ground.task_id, report)
        return report

    @property
    def steps(self) -> Steps:
        """The journal of the job."""
        return self._ground.steps

    def _passes(self, question: str) -> list[tuple[str, Met]]:
        plan = self._ground.plan
        passes: list[tuple[str, Met]] = []
        names = tuple(found for doi in plan.dois if (found := doi_of(doi)) is not None)
        if plan.urls or names:
            vouched = tuple(name for url in plan.urls for name in vouched_names(url))
            passes.append((GIVEN, Met((), (*names, *vouched), tuple(map(Target, plan.urls)))))
        if plan.providers and plan.asks:
            passes += [(query, Met()) for query in plan.queries]
        return passes

    def _pass(self, query: str, number: int, total: int, start: Met) -> None:
        ground = self._ground
        allowance = self._allowance(total - number, total)
        met = start or Met(tuple(list_results(ground, query)))
        papers_left = ground.rules.top_n_papers
        for loop in range(ground.rules.loops):
            part = f"{number}.{loop}"
            entries = self._complete(part, met)
            ranking = register(ground, part, query, met.items, entries)
            sources = [key for key in ranking.papers if key not in ground.expanded][:papers_left]
            ground.expanded.update(sources)
            papers_left -= len(sources)
            expand(ground, part, query, sources, self.understanding)
            before = ground.fetched
            targets = (*self._given(met), *ranking.targets)
            met = fetch_all(ground, targets, max(0, allowance), self.understanding)
            allowance -= ground.fetched - before
            if not met:
                return

    def _complete(self, part: str, met: Met) -> list[Entry]:
        """Complete every work that a round names, and return the entries of all of them."""
        ground = self._ground
        direct = ground.index.add_all(item.work for item in met.items if item.work is not None)
        named = _distinct([*met.names, *(name for item in met.items for name in (*own_names(item), *item.identifiers))])
        complete(ground, part, named)
        found = [entry for name in named if (entry := ground.index.find(name)) is not None]
        return list({entry.key: entry for entry in (*direct, *found)}.values())

    def _given(self, met: Met) -> list[Target]:
        """Return what a round was told to fetch: addresses, and works that no index knows, at the resolver."""
        ground = self._ground
        unknown = [name for name in met.names if name.kind == "doi" and ground.index.find(name) is None]
        resolved = [Target(f"{_RESOLVER}{name.value}", (name,)) for name in unknown]
        return [*(_named(target) for target in met.targets), *resolved]

    def _allowance(self, passes_left: int, passes: int) -> int:
        """Return how many pages a pass may fetch: its share of what is left, so that the first query does not take all."""
        ground = self._ground
        pages = ground.plan.budget.pages
        whole = ground.rules.max_pages * passes if pages is None else pages
        return ceil((whole - ground.fetched) / passes_left)

    def _note(self, event_type: str, payload: object) -> None:
        with self._ground.steps.writing():
            self._ground.steps.note(event_type, payload if isinstance(payload, dict) else {})


def _named(target: Target) -> Target:
    return replace(target, names=tuple(vouched_names(target.url)))


def _distinct(names: Iterable[Identifier]) -> Sequence[Identifier]:
    return list(dict.fromkeys(names))
