"""The domain policy as values: what is said of a host, by which list. Pure; the file is read by its provider."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields

from lyra.core.domains import DEFAULT_CATEGORY

DEFAULT_SUPERSEDED_DAYS = 365
FOLLOW_CITATIONS, ORDINARY = "follow_citations", "ordinary"
WIKIPEDIA_MODES = (FOLLOW_CITATIONS, ORDINARY)
# Encyclopaedias that anybody may edit: what they say is worth what they cite.
ENCYCLOPAEDIAS = frozenset(
    {"wikipedia.org", "wikiwand.com", "citizendium.org", "baike.baidu.com", "namu.wiki", "infogalactic.com", "conservapedia.com"}
)


@dataclass(frozen=True, slots=True)
class Terms:
    """What one entry says of its hosts; None where it says nothing."""

    domain_category: str | None = None
    qps: float | None = None
    headful_ratio: float | None = None
    max_requests_per_day: int | None = None
    max_pages_per_day: int | None = None
    reason: str | None = None
    added_at: str | None = None

    def over(self, other: "Terms") -> "Terms":
        """Return these terms, completed by the other ones."""
        named = [field.name for field in fields(Terms)]
        mine = {name: getattr(self, name) for name in named}
        return Terms(**{name: getattr(other, name) if mine[name] is None else mine[name] for name in named})


@dataclass(frozen=True, slots=True)
class Standing:
    """What the policy says of one host.

    `source` is the section that decided the category; `denied_by` the entry of the denylist that matches, if one does.
    """

    host: str
    terms: Terms
    category: str
    source: str
    denied_by: str | None = None
    denial: Terms | None = None


@dataclass(frozen=True, slots=True)
class Policy:
    """The sections of a policy. Lists are keyed by suffix (`go.jp`), overrides by exact host, all in normalised form."""

    default: Terms = Terms(domain_category=DEFAULT_CATEGORY)
    allowlist: Mapping[str, Terms] = field(default_factory=dict)
    graylist: Mapping[str, Terms] = field(default_factory=dict)
    denylist: Mapping[str, Terms] = field(default_factory=dict)
    user_overrides: Mapping[str, Terms] = field(default_factory=dict)
    superseded_thresholds: Mapping[str, int] = field(default_factory=dict)
    wikipedia_mode: str = FOLLOW_CITATIONS

    def standing(self, host: str) -> Standing:
        """Return what holds for a normalised host.

        Of the allowlist and the graylist the entry with the longest suffix holds, of two equally long ones the
        graylist's; a user override completes it, field by field. The denylist stands beside both: nothing here
        outweighs it.
        """
        listed, source = Terms(), "default"
        for suffix in suffixes(host):
            found = self.graylist.get(suffix) or self.allowlist.get(suffix)
            if found is not None:
                listed, source = found, "graylist" if suffix in self.graylist else "allowlist"
                break
        own = self.user_overrides.get(host, Terms())
        terms = own.over(listed).over(self.default)
        if own.domain_category is not None:
            source = "user_overrides"
        elif listed.domain_category is None:
            source = "default"
        denied_by = next((suffix for suffix in suffixes(host) if suffix in self.denylist), None)
        return Standing(
            host=host,
            terms=terms,
            category=terms.domain_category or DEFAULT_CATEGORY,
            source=source,
            denied_by=denied_by,
            denial=None if denied_by is None else self.denylist[denied_by],
        )

    def superseded_days(self, host: str | None) -> int:
        """Return after how many days a source of this host may be superseded; the entry with the longest suffix says."""
        known = self.superseded_thresholds
        return next((known[suffix] for suffix in suffixes(host or "") if suffix in known), DEFAULT_SUPERSEDED_DAYS)

    def is_pointer(self, host: str) -> bool:
        """Return whether pages of this host only point to evidence: Wikipedia, unless it is treated as any other site."""
        return self.wikipedia_mode == FOLLOW_CITATIONS and not ENCYCLOPAEDIAS.isdisjoint(suffixes(host))


def suffixes(host: str) -> Iterator[str]:
    """Yield the host and its parent domains, the longest first: `a.b.c`, `b.c`, `c`."""
    while host:
        yield host
        host = host.partition(".")[2]
