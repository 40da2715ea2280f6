"""The one parser of web addresses: what it returns is what is connected to, asked for and shown."""

import ipaddress
import re
from dataclasses import dataclass
from urllib.parse import quote, urljoin

from lyra.core.errors import InvalidInput
from lyra.core.identity import normalise_host

MAX_URL_CHARS = 4096
_PORTS = {"http": 80, "https": 443}
_MAX_PORT = 65535
_SHAPE = re.compile(r"(?P<scheme>https?)://(?P<authority>[^/?#]*)(?P<path>[^?#]*)(?P<query>\?[^#]*)?(?:#.*)?", re.IGNORECASE)
_FORBIDDEN = re.compile(r"[\x00-\x20\x7f\\\u0085\u00a0\u2028\u2029\ud800-\udfff]")
_AUTHORITY = re.compile(r"(?P<host>\[[0-9A-Fa-f:.]+\]|[^:\[\]@%]+)(?::(?P<port>[0-9]{1,5})?)?")
_NAME = re.compile(r"(?=.{1,253}$)[a-z0-9_](?:[a-z0-9_-]{0,62})(?:\.[a-z0-9_](?:[a-z0-9_-]{0,62}))*")
_ENDS_IN_NUMBER = re.compile(r"(?:.*\.)?(?:[0-9]+|0x[0-9a-f]*)")
_DOTTED_QUAD = re.compile(r"(?:(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])(?:\.(?!$)|$)){4}")
_SAFE = "/:@!$&'()*+,;=-._~%?"


@dataclass(frozen=True, slots=True)
class WebUrl:
    """A web address in parts. `host` is a name in lower-case IDNA form or a canonical address (IPv6 without brackets)."""

    scheme: str
    host: str
    port: int
    target: str

    @property
    def authority(self) -> str:
        """Host and port as a Host header gives them: the default port is left out."""
        name = f"[{self.host}]" if ":" in self.host else self.host
        return name if self.port == _PORTS[self.scheme] else f"{name}:{self.port}"

    @property
    def origin(self) -> str:
        """Scheme, host and port: what two addresses of one server share."""
        return f"{self.scheme}://{self.authority}"

    def __str__(self) -> str:
        return self.origin + self.target


def parse_web_url(text: str) -> WebUrl:
    """Return the parts of an http(s) address.

    Strict: user names, backslashes, white space and control characters, escapes in the host, and numbers that other
    parsers read as addresses (`2130706433`, `0177.0.0.1`, `0x7f.1`, `127.1`) are refused. Raises InvalidInput `bad_url`.
    """
    written = text.strip()
    shape = _SHAPE.fullmatch(written) if len(written) <= MAX_URL_CHARS and not _FORBIDDEN.search(written) else None
    authority = _AUTHORITY.fullmatch(shape["authority"]) if shape else None
    host = _canonical_host(authority["host"]) if authority else None
    if shape is None or authority is None or host is None:
        raise InvalidInput("bad_url", url=written[:200])
    scheme = shape["scheme"].lower()
    port = int(authority["port"] or _PORTS[scheme])
    if not 1 <= port <= _MAX_PORT:
        raise InvalidInput("bad_url", url=written[:200])
    target = quote((shape["path"] or "/") + (shape["query"] or ""), safe=_SAFE)
    return WebUrl(scheme, host, port, target if target.startswith("/") else f"/{target}")


def join_web_url(base: WebUrl, reference: str) -> WebUrl:
    """Return where a link or redirect found at `base` leads. Raises InvalidInput `bad_url`."""
    try:
        joined = urljoin(str(base), reference.strip())
    except ValueError:
        raise InvalidInput("bad_url", url=reference[:200]) from None
    return parse_web_url(joined)


def _canonical_host(written: str) -> str | None:
    if written.startswith("["):
        try:
            return str(ipaddress.IPv6Address(written[1:-1]))
        except ValueError:
            return None
    host = normalise_host(written)
    if not host.isascii() or not _NAME.fullmatch(host):
        return None
    if _ENDS_IN_NUMBER.fullmatch(host):
        return host if _DOTTED_QUAD.fullmatch(host) else None
    return host
