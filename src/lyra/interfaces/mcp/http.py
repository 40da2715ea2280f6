"""The server over HTTP: on a loopback address unless told otherwise, and then only with a token."""

import ipaddress
import re
import socket
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import uvicorn
from mcp.server.lowlevel import Server
from mcp.server.transport_security import TransportSecuritySettings
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from lyra.core.errors import InvalidInput, LyraError
from lyra.interfaces.mcp.guard import Admission, Guard
from lyra.interfaces.mcp.server import NAME
from lyra.interfaces.presenter import document

PATH = "/mcp"
_FAREWELL_SECONDS = 3
_BACKLOG = 128
_MAX_BODY_BYTES = 4 * 2**20
_SHORTEST_TOKEN = 16
# A name with its port; the colons of an IPv6 address stand in brackets.
_PORT = re.compile(r"(?:\]|[^:\]]):\d+$")
# What browsers and clients send: a name or an address, an origin without a path.
_HOST = r"(?:[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)*|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?"
_HOSTS, _ORIGINS = re.compile(_HOST), re.compile(rf"[A-Za-z][A-Za-z0-9+.-]*://{_HOST}")


@dataclass(frozen=True, slots=True)
class Place:
    """Where to listen, and whom to let in besides. Port 0 takes any free one.

    `hosts` are further names the server is reached by (`name` or `name:port`), `origins` further web pages that may call it.
    """

    host: str
    port: int
    token: str | None
    hosts: tuple[str, ...] = ()
    origins: tuple[str, ...] = ()


def admission_of(place: Place, port: int) -> Admission:
    """Return who is admitted to a place. Raises InvalidInput for one that would be open to others without a token,
    and for names and origins that no client could ever send.
    """
    if place.token is not None and len(place.token) < _SHORTEST_TOKEN:
        raise InvalidInput("mcp_short_token", least=_SHORTEST_TOKEN)
    for name in place.hosts:
        if not _HOSTS.fullmatch(name):
            raise InvalidInput("mcp_bad_host", name=name)
    for origin in place.origins:
        if not _ORIGINS.fullmatch(origin):
            raise InvalidInput("mcp_bad_origin", origin=origin)
    loopback = _is_loopback(place.host)
    if not loopback and place.token is None:
        raise InvalidInput("mcp_needs_token", host=place.host)
    if _is_everywhere(place.host) and not place.hosts:
        raise InvalidInput("mcp_needs_hosts", host=place.host)
    own = [] if _is_everywhere(place.host) else ["127.0.0.1", "localhost", "[::1]"] if loopback else [_bracketed(place.host)]
    hosts = [name if _PORT.search(name) else f"{name}:{port}" for name in (*own, *place.hosts)]
    origins = [*(f"http://{host}" for host in hosts), *place.origins]
    return Admission(frozenset(map(str.lower, hosts)), frozenset(map(str.lower, origins)), place.token)


def serve_http(server: Server[Any], place: Place, lang: str, listening: Callable[[str], None]) -> None:
    """Serve any number of clients until the process is told to stop. `listening` is told the address first."""
    with _listen(place) as bound:
        port = int(bound.getsockname()[1])
        admission = admission_of(place, port)
        listening(f"http://{_bracketed(place.host)}:{port}{PATH}")
        config = uvicorn.Config(
            _application(server, admission, lang),
            log_level="warning",
            log_config=None,
            access_log=False,
            server_header=False,
            lifespan="on",
            timeout_graceful_shutdown=_FAREWELL_SECONDS,
        )
        uvicorn.Server(config).run(sockets=[bound])


def _application(server: Server[Any], admission: Admission, lang: str) -> Guard:
    async def about(_: Request) -> JSONResponse:
        return JSONResponse(document(name=NAME, mcp=PATH))

    inner = server.streamable_http_app(
        streamable_http_path=PATH,
        max_request_body_size=_MAX_BODY_BYTES,
        # The guard has looked at both already; the library's own default would let any page of this machine in.
        transport_security=TransportSecuritySettings(
            enable_dns_rebinding_protection=True,
            allowed_hosts=sorted(admission.hosts),
            allowed_origins=sorted(admission.origins),
        ),
        custom_starlette_routes=[Route("/", about)],
    )
    return Guard(inner, admission, lang)


def _listen(place: Place) -> socket.socket:
    try:
        family, _, _, _, address = socket.getaddrinfo(place.host, place.port, type=socket.SOCK_STREAM)[0]
        bound = socket.socket(family, socket.SOCK_STREAM)
        try:
            bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            bound.bind(address)
            bound.listen(_BACKLOG)
        except BaseException:
            bound.close()
            raise
    except (OSError, UnicodeError) as failure:
        detail = getattr(failure, "strerror", None) or failure
        raise LyraError("mcp_cannot_listen", host=place.host, port=place.port, detail=detail) from failure
    return bound


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host.lower() == "localhost"


def _is_everywhere(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_unspecified
    except ValueError:
        return host == ""


def _bracketed(host: str) -> str:
    return f"[{host}]" if ":" in host else host
