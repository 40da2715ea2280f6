"""What one search stands on while it runs: the tools it works with, and what it has met so far."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TypeGuard

from lyra.core.domain_decision import DomainDecision
from lyra.core.gather_rules import GatherRules
from lyra.core.gathering import Plan
from lyra.core.identity import host_of
from lyra.core.paper_index import PaperIndex
from lyra.core.ports import SearchProvider, WorkProvider
from lyra.core.records import Identifier
from lyra.core.works import Item, ProviderKind
from lyra.store.evidence_store import EvidenceStore
from lyra.workflows.bench import Bench
from lyra.workflows.gather.crew import Crew
from lyra.workflows.gather.reach import Reach
from lyra.workflows.gather.steps import Steps
from lyra.workflows.gather.tally import Tally


@dataclass(slots=True)
class Ground:
    """One search. `index` holds every paper met so far, `pages` the page of each, by the key of its entry."""

    bench: Bench
    reach: Reach
    steps: Steps
    crew: Crew
    task_id: str
    plan: Plan
    providers: Sequence[SearchProvider]
    tally: Tally = field(init=False)
    index: PaperIndex = field(default_factory=PaperIndex)
    pages: dict[str, str] = field(default_factory=dict)
    asked_names: set[tuple[str, Identifier]] = field(default_factory=set)
    asked_urls: set[str] = field(default_factory=set)
    expanded: set[str] = field(default_factory=set)
    fetched: int = 0

    def __post_init__(self) -> None:
        self.tally = Tally(offline=self.reach.offline)

    @property
    def store(self) -> EvidenceStore:
        """The store. Only the thread that runs the search may use it."""
        return self.bench.store

    @property
    def rules(self) -> GatherRules:
        """How far the search goes."""
        return self.reach.rules

    @property
    def cause_id(self) -> str:
        """What caused all that the search writes."""
        return self.steps.job_id

    @property
    def web(self) -> list[SearchProvider]:
        """The providers that search the web."""
        return [one for one in self.providers if one.info.kind is ProviderKind.WEB]

    @property
    def academic(self) -> list[WorkProvider]:
        """The providers that know works and their citations."""
        return [one for one in self.providers if knows_works(one)]

    def decide(self, url: str | None) -> DomainDecision:
        """Return whether an address may be used now; one without a host may."""
        return self.bench.gate.decide(_host(url))


def knows_works(provider: SearchProvider) -> TypeGuard[WorkProvider]:
    """Return whether a provider is an index of works."""
    return provider.info.kind is ProviderKind.ACADEMIC


def _host(url: str | None) -> str | None:
    try:
        return host_of(url) if url else None
    except ValueError:
        return None


@dataclass(frozen=True, slots=True)
class Target:
    """An address to fetch, with the names of the work that stands there, where a service or a resolver vouches for them."""

    url: str
    names: tuple[Identifier, ...] = ()
    title: str = ""


@dataclass(frozen=True, slots=True)
class Met:
    """What a round of a search starts from: result items, identifiers, and addresses to fetch."""

    items: tuple[Item, ...] = ()
    names: tuple[Identifier, ...] = ()
    targets: tuple[Target, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.items or self.names or self.targets)
