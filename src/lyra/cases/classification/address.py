"""An address of the web, taken apart by one parser; copies in public archives are looked through."""

import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from urllib.parse import parse_qsl, unquote, urlsplit

from lyra.core.identity import normalise_host

_SCHEMES = ("http", "https")
# As people copy them from the line above a page: `//host`, `www.host`, or a host with a path.
_WITHOUT_SCHEME = re.compile(r"^(?://|www\.|(?:[a-z0-9-]+\.)+[a-z]{2,}/)", re.IGNORECASE)
_INSIDE = re.compile(r"https?(?::|%3a)(?:/|%2f){1,2}", re.IGNORECASE)
# Archives that leave the scheme of the copied page out, after a date or a number of their own.
_BARE_INSIDE = re.compile(
    r"^/(?:(?:ref|pc)/)?(?:[\d.-]{4,}|info:ndljp/pid/\d+|(?:ukgwa/)?\d{4,14})/((?:[\w-]+\.)+[a-z]{2,}/?.*)$", re.IGNORECASE
)
_LISTING = re.compile(r"^/web/[^/]*\*|^/\*/|^/(?:cdx|search|advancedsearch)", re.IGNORECASE)
_SAME_HOST = {"twitter.com": "x.com", "mobile.twitter.com": "x.com", "www.twitter.com": "x.com"}
_DEEPEST = 5


@dataclass(frozen=True, slots=True)
class Address:
    """The parts of an address that can be compared: host in lower-case IDNA form, path decoded, parameters."""

    url: str
    host: str
    path: str
    parameters: tuple[tuple[str, str], ...]
    rest: str

    @property
    def segments(self) -> list[str]:
        """The parts of the path, in lower case."""
        return [part for part in self.path.casefold().split("/") if part]

    def parameter(self, name: str) -> bool:
        """Return whether a parameter of this name is given."""
        return any(key.casefold() == name.casefold() for key, _ in self.parameters)


def parse_address(text: str) -> Address | None:
    """Return the parts of a web address; None for anything else (other schemes, no host, what cannot be parsed)."""
    url = text.strip()
    if _WITHOUT_SCHEME.match(url):
        url = "https://" + url.removeprefix("//")
    try:
        parts = urlsplit(unicodedata.normalize("NFKC", url) if not url.isascii() else url)
        host = normalise_host(parts.hostname or "")
    except ValueError:
        return None
    if parts.scheme.lower() not in _SCHEMES or not host or not re.search(r"[a-z0-9]", host) or " " in host:
        return None
    rest = parts.path + (f"?{parts.query}" if parts.query else "") + (f"#{parts.fragment}" if parts.fragment else "")
    pairs = tuple(parse_qsl(parts.query, keep_blank_values=True))
    return Address(text.strip(), _SAME_HOST.get(host, host), unquote(parts.path), pairs, rest)


def is_listing(address: Address) -> bool:
    """Return whether an address of an archive is a list of copies rather than one copy."""
    return bool(_LISTING.match(address.path))


def copied_page(address: Address) -> Address | None:
    """Return the page that an archive's address is a copy of; None where the address does not say."""
    found = _INSIDE.search(address.rest)
    if found:
        inner = address.rest[found.start() :]
        return parse_address(_one_scheme(unquote(inner) if "%" in found.group() else inner))
    bare = _BARE_INSIDE.match(unquote(address.rest))
    return parse_address(f"http://{bare.group(1)}") if bare else None


def _one_scheme(url: str) -> str:
    return re.sub(r"^(https?):/+", r"\1://", url, flags=re.IGNORECASE)


def look_through(address: Address, is_archive: Callable[[Address], bool]) -> tuple[Address | None, tuple[str, ...]]:
    """Return the page behind copies of copies, and the hosts of the archives on the way; None where it cannot be told."""
    archives: list[str] = []
    current: Address | None = address
    while current is not None and is_archive(current) and not is_listing(current) and len(archives) < _DEEPEST:
        archives.append(current.host)
        current = copied_page(current)
    return current, tuple(archives)
