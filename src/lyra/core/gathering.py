"""What a search is asked for, what it may cost, and what people are asked for on the way."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field

from lyra.core.identity import normalise_doi
from lyra.core.records import Identifier, ProviderReport

LIBRARY = "library"
# The step of a search in which pages are summed up.
SUMMARY = "summary"


@dataclass(frozen=True, slots=True)
class Budget:
    """What one search may cost; None is no limit of its own. Judging comes after it and is bounded by the claims."""

    pages: int | None = None
    seconds: float | None = None


@dataclass(frozen=True, slots=True)
class Plan:
    """What one job gathers. `providers` are those beside the library; `extract` says whether claims are proposed.

    Where `asks` is false the providers are not asked for the queries, only for what the given addresses and DOIs lead to.
    """

    queries: tuple[str, ...] = ()
    urls: tuple[str, ...] = ()
    dois: tuple[str, ...] = ()
    providers: tuple[str, ...] = ()
    extract: bool = True
    asks: bool = True
    budget: Budget = Budget()

    @property
    def reaches_out(self) -> bool:
        """Whether anything beyond the library is asked for."""
        return bool(self.providers or self.urls or self.dois)

    def payload(self, **more: object) -> str:
        """Return the plan as the payload of a job."""
        fields: dict[str, object] = dict(more)
        if self.extract or self.reaches_out:
            fields |= {"queries": self.queries, "extract": self.extract}
        if self.reaches_out:
            fields |= {"asks": self.asks, "urls": self.urls, "dois": self.dois, "providers": self.providers}
            fields |= {"pages": self.budget.pages, "seconds": self.budget.seconds}
        return json.dumps(fields, ensure_ascii=False)


def read_plan(payload: Mapping[str, object], *, extracts: bool) -> Plan:
    """Return the plan in a payload, also one that another version of the program wrote."""

    def texts(name: str) -> tuple[str, ...]:
        value = payload.get(name)
        return tuple(map(str, value)) if isinstance(value, list) else ()

    pages, seconds = payload.get("pages"), payload.get("seconds")
    return Plan(
        queries=texts("queries"),
        urls=texts("urls"),
        dois=texts("dois"),
        providers=texts("providers"),
        extract=bool(payload.get("extract", extracts)),
        asks=bool(payload.get("asks", True)),
        budget=Budget(pages if isinstance(pages, int) else None, float(seconds) if isinstance(seconds, (int, float)) else None),
    )


@dataclass(frozen=True, slots=True)
class Beyond:
    """What a person asks for beyond the library. `providers` None means those of the settings."""

    providers: tuple[str, ...] | None = None
    urls: tuple[str, ...] = ()
    dois: tuple[str, ...] = ()
    budget: Budget = Budget()


@dataclass(frozen=True, slots=True)
class Intervention:
    """A page that waits for a person. `status` is pending, resolved or skipped."""

    intervention_id: str
    task_id: str
    url: str
    host: str
    wall: str
    sign: str
    status: str
    created_at: str
    resolved_at: str | None = None


@dataclass(frozen=True, slots=True)
class SearchReport:
    """How each provider answered, and by which path (`llm` or `built_in`) each piece of understanding was done."""

    providers: tuple[ProviderReport, ...] = ()
    paths: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class PageSummary:
    """What a language model said a page is about. It is shown, and counts for nothing."""

    page_id: str
    page_version_id: str
    url: str
    title: str | None
    summary: str
    model: str


@dataclass(frozen=True, slots=True)
class RawPage:
    """The body of a page as it was sent."""

    page_version_id: str
    url: str | None
    media_type: str | None
    body: bytes


def doi_of(text: str) -> Identifier | None:
    """Return a DOI in any spelling as an identifier; None if `text` is none."""
    doi = normalise_doi(text)
    return Identifier("doi", doi) if doi else None
