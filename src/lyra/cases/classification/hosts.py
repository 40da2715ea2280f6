"""What an address tells by itself: tables of hosts, and the shapes of searches and transfers on any host."""

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources

from publicsuffixlist import PublicSuffixList

from lyra.cases.classification.address import Address

# Hosts by what they are, in the order in which they are looked up: the first that fits decides.
SEARCH, CACHE, REDIRECT, ARCHIVE = "search", "cache", "redirect", "archive"
GAZETTE, COURT, FILING, LAWS, WIRE = "gazette", "court", "filing", "law_collection", "wire"
ENCYCLOPAEDIA, LINK_LIST, PRESS, RESEARCH, PLATFORM = "encyclopaedia", "link_list", "press", "research", "open_platform"
RESEARCH_ENDING, GOVERNMENT_ENDING = "research_endings", "government_endings"
_PUBLISHERS = (GAZETTE, COURT, FILING, LAWS, WIRE, ENCYCLOPAEDIA, LINK_LIST, PRESS, RESEARCH, PLATFORM)

_SEARCH_PAGES = frozenset(
    "search searches site-search sitesearch search-results searchresults search_result kensaku finder".split()
)
_SEARCH_WORDS = frozenset("q query keyword keywords kw p s k text search search_query searchterm term wd word mt".split())
_FRONT_PAGE_SEARCH = frozenset(("s", "search"))
_TRANSFER_PAGES = frozenset(
    """redirect redirector redir redirection out outbound outlink jump goto go click clicks link links exit away track tracking
    r rd url forward leave lnk bounce""".split()
)
_ABSOLUTE = re.compile(r"https?:/{1,2}[^/\s]", re.IGNORECASE)
_ENDS = re.compile(r"\.(?:php|aspx?|jsp|cgi|html?|do)$")
_WORD_BREAKS = re.compile(r"[/.]")
_COUNTRY_LABELS = 2


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry of a table: a host, a path it goes on with, a parameter it has."""

    host: str
    path: str | None
    parameter: str | None

    def fits(self, address: Address) -> bool:
        """Return whether an address is one of these."""
        if not _host_fits(self.host, address.host):
            return False
        if self.parameter is not None and not address.parameter(self.parameter):
            return False
        if self.path is None:
            return True
        if not self.path:
            return not address.segments
        path = address.path.casefold()
        return path == self.path or path.startswith((f"{self.path}/", self.path if self.path.endswith("-") else f"{self.path}/"))


def _host_fits(wanted: str, host: str) -> bool:
    if not wanted.endswith(".*"):
        return host == wanted or host.endswith(f".{wanted}")
    name = wanted.removesuffix("*")
    start = host.find(name) if host.startswith(name) else host.find(f".{name}") + 1
    if start < 0 or not host[start:].startswith(name):
        return False
    return 1 <= host[start + len(name) :].count(".") + 1 <= _COUNTRY_LABELS and host != name


def _entry(text: str) -> Entry:
    place, _, parameter = text.partition("?")
    host, slash, path = place.partition("/")
    return Entry(host, (f"/{path}".rstrip("/").casefold()) if slash else None, parameter or None)


@dataclass(frozen=True, slots=True)
class Hosts:
    """The tables, ready to be asked."""

    tables: Mapping[str, tuple[Entry, ...]]
    endings: Mapping[str, tuple[str, ...]]
    page_words: Mapping[str, re.Pattern[str]]

    def fits(self, table: str, address: Address) -> bool:
        """Return whether an address is in one table."""
        return any(entry.fits(address) for entry in self.tables[table])

    def publisher(self, address: Address) -> str | None:
        """Return what kind of publisher the host is; None for one that no table knows."""
        for table in _PUBLISHERS:
            if self.fits(table, address):
                return table
        for name, endings in self.endings.items():
            if any(address.host == ending or address.host.endswith(f".{ending}") for ending in endings):
                return name
        return None

    def page_kind(self, address: Address) -> str | None:
        """Return what a page of a party's own site is called: the first list of words that fits its path or host."""
        words = "/".join([*address.host.split(".")[:-2], *_WORD_BREAKS.split(address.path)])
        for kind, pattern in self.page_words.items():
            if pattern.search(words):
                return kind
        return None


@cache
def shipped_hosts() -> Hosts:
    """Return the shipped tables."""
    data = tomllib.loads((resources.files("lyra.cases.classification") / "hosts.toml").read_text(encoding="utf-8"))
    endings = {name: tuple(data.pop(name).split()) for name in (RESEARCH_ENDING, GOVERNMENT_ENDING)}
    words = {name: _any_word(text.split()) for name, text in data.pop("page_words").items()}
    return Hosts({name: tuple(map(_entry, text.split())) for name, text in data.items()}, endings, words)


def _any_word(words: Sequence[str]) -> re.Pattern[str]:
    latin = "|".join(word for word in words if word.isascii())
    japanese = "|".join(word for word in words if not word.isascii())
    whole = rf"(?:^|/)(?:[\w]*[-_])?(?:{latin})(?:[-_][\w-]*)?(?:/|$)"
    return re.compile(f"{whole}|{japanese}" if japanese else whole, re.IGNORECASE)


def search_shape(address: Address) -> str | None:
    """Return the parameter that makes a page of any host a page of search results; None where there is none."""
    last = _ENDS.sub("", address.segments[-1]) if address.segments else ""
    asked = [key for key, value in address.parameters if key.casefold() in _SEARCH_WORDS and value.strip()]
    if asked and last in _SEARCH_PAGES:
        return asked[0]
    front = not last or last == "index"
    return next((key for key in asked if front and key.casefold() in _FRONT_PAGE_SEARCH), None)


def transfer_shape(address: Address) -> str | None:
    """Return the address that a page of any host only passes on to; None where it is a page of its own.

    A parameter that holds an address is not enough: newspapers have such, too. The path or the host has to say that
    the page is there to pass on.
    """
    names = {_ENDS.sub("", part) for part in address.segments} | set(address.host.split(".")[:1])
    if not names & _TRANSFER_PAGES:
        return None
    return next((value for _, value in address.parameters if _ABSOLUTE.match(value)), None)


@dataclass(frozen=True, slots=True)
class PartyDomain:
    """A domain that a party declares its own, or an account on somebody else's: `x.com/NAME`."""

    host: str
    path: tuple[str, ...]

    def fits(self, address: Address) -> bool:
        """Return whether an address is on it."""
        return _host_fits(self.host, address.host) and tuple(address.segments[: len(self.path)]) == self.path


@cache
def _suffixes() -> PublicSuffixList:
    return PublicSuffixList()


def party_domain(parsed: Address | None) -> PartyDomain | None:
    """Return a declared domain; None for one that is nobody's, such as `co.jp`, or a platform without an account."""
    if parsed is None or _suffixes().privatesuffix(parsed.host) is None:
        return None
    host, path = parsed.host.removeprefix("www."), tuple(parsed.segments)
    if shipped_hosts().fits(PLATFORM, parsed) and not path and host in {entry.host for entry in shipped_hosts().tables[PLATFORM]}:
        return None
    return PartyDomain(host, path)
