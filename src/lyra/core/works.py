"""What providers give: result items, scholarly works, and how an answer came about."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Generic, TypeVar

from lyra.core.errors import WebProblem
from lyra.core.records import Identifier, ProviderStatus


@dataclass(frozen=True, slots=True)
class Work:
    """A paper as one service describes it.

    `source` is the provider that said so and `source_id` its own name for the work. `published_on` keeps the precision
    of the service. `references` are the service's own ids of the works it cites, where it lists them; they are no
    identifiers of ours. An absent count or abstract is None, never 0 or "".
    """

    source: str
    source_id: str
    title: str
    identifiers: tuple[Identifier, ...] = ()
    abstract: str | None = None
    authors: tuple[str, ...] = ()
    published_on: str | None = None
    venue: str | None = None
    citation_count: int | None = None
    retracted: bool = False
    full_text_url: str | None = None
    references: tuple[str, ...] = ()

    @property
    def year(self) -> int | None:
        """The publication year, or None where the service gives none."""
        return int(self.published_on[:4]) if self.published_on else None

    def identifier(self, kind: str) -> str | None:
        """Return the first identifier of a kind (`doi`, `pmid`, `pmcid`, `arxiv`, `url`), if the work has one."""
        return next((found.value for found in self.identifiers if found.kind == kind), None)


@dataclass(frozen=True, slots=True)
class Item:
    """One entry of a result list, in the order of the provider. `work` is there when the provider knows papers."""

    source: str
    title: str
    url: str | None = None
    snippet: str = ""
    identifiers: tuple[Identifier, ...] = ()
    published_on: str | None = None
    work: Work | None = None


class ProviderKind(StrEnum):
    """What a provider searches: the web, or an index of scholarly works."""

    WEB = "web"
    ACADEMIC = "academic"


@dataclass(frozen=True, slots=True)
class ProviderInfo:
    """A provider as it is named in settings and results. `key` says how it stands: `set`, `missing`, `optional` or `none`."""

    name: str
    kind: ProviderKind
    endpoint: str | None
    key: str = "none"


Found_co = TypeVar("Found_co", covariant=True)


@dataclass(frozen=True, slots=True)
class Answer(Generic[Found_co]):
    """What was found, and what went wrong on the way; both may be there when a service failed half-way.

    An outage, a throttle and "nothing found" are three different things: `status` is `nothing_found` only where the
    service answered, completely, that it has nothing.
    """

    found: tuple[Found_co, ...] = ()
    status: ProviderStatus = ProviderStatus.NOTHING_FOUND
    code: str | None = None
    params: Mapping[str, object] = field(default_factory=dict)

    @property
    def complete(self) -> bool:
        """Whether nothing went wrong."""
        return self.status in (ProviderStatus.OK, ProviderStatus.NOTHING_FOUND)


T = TypeVar("T")


def answered(found: Iterable[T], problem: WebProblem | None = None) -> Answer[T]:
    """Return an answer from what was found before `problem`, if there was one, stopped it."""
    items = tuple(found)
    if problem is not None:
        return Answer(items, problem.status, problem.code, problem.params)
    return Answer(items, ProviderStatus.OK if items else ProviderStatus.NOTHING_FOUND)
