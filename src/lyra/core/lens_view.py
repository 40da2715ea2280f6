"""What a lens looks at, and the opinion it comes to."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from lyra.core.domain_policy import DEFAULT_SUPERSEDED_DAYS
from lyra.core.domain_ruling import Ruling
from lyra.core.domains import DEFAULT_CATEGORY
from lyra.core.identity import host_of
from lyra.core.materials import Materials
from lyra.core.records import Evidence


@dataclass(frozen=True, slots=True)
class LensView:
    """The materials of a task and what holds now for the domains in it, by host."""

    materials: Materials
    rulings: Mapping[str, Ruling] = field(default_factory=dict)
    superseded_days: Mapping[str, int] = field(default_factory=dict)

    def category(self, edge: Evidence) -> str:
        """Return the category of an edge's source as it is now; a source without a host is an unverified one."""
        found = self.rulings.get(host_of(edge.url) or "")
        return found.decision.category if found is not None else edge.source_domain_category or DEFAULT_CATEGORY

    def threshold(self, edge: Evidence) -> int:
        """Return after how many days the source of an edge may be superseded."""
        return self.superseded_days.get(host_of(edge.url) or "", DEFAULT_SUPERSEDED_DAYS)


@dataclass(frozen=True, slots=True)
class Opinion:
    """What a lens says: items of codes and values, JSON-ready, each with its reasons."""

    items: tuple[Mapping[str, object], ...]
