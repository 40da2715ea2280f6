"""Who may speak to the server over HTTP: exact hosts, exact origins, and a token where one is set."""

from dataclasses import dataclass
from hmac import compare_digest

from starlette.datastructures import Headers
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from lyra.core.errors import InvalidInput
from lyra.interfaces.presenter import error_json


@dataclass(frozen=True, slots=True)
class Admission:
    """What a request has to bring: a Host and, from a browser, an Origin that are on the lists, and the token, if any."""

    hosts: frozenset[str]
    origins: frozenset[str]
    token: str | None

    def refusal(self, headers: Headers) -> tuple[int, InvalidInput] | None:
        """Return the status and the error a request is refused with, or None for one that may come in."""
        hosts = headers.getlist("host")
        if len(hosts) != 1 or hosts[0].lower() not in self.hosts:
            return 421, InvalidInput("mcp_foreign_host")
        if any(origin.lower() not in self.origins for origin in headers.getlist("origin")):
            return 403, InvalidInput("mcp_foreign_origin")
        if self.token is not None:
            given = headers.getlist("authorization")
            scheme, _, token = (given[0] if len(given) == 1 else "").partition(" ")
            if scheme.lower() != "bearer" or not compare_digest(token.strip().encode(), self.token.encode()):
                return 401, InvalidInput("mcp_token_missing")
        return None


class Guard:
    """Lets in what is admitted, before anything else of the server sees it."""

    def __init__(self, app: ASGIApp, admission: Admission, lang: str) -> None:
        self._app = app
        self._admission = admission
        self._lang = lang

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or answer it with the reason of its refusal."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        if scope["type"] != "http":  # there is nothing here but HTTP
            return
        refusal = self._admission.refusal(Headers(scope=scope))
        if refusal is None:
            await self._app(scope, receive, send)
            return
        status, error = refusal
        headers = {"WWW-Authenticate": "Bearer"} if status == 401 else {}  # noqa: PLR2004 - the HTTP status itself
        answer = JSONResponse(error_json(error.code, error.sentence(self._lang)), status, headers)
        await answer(scope, receive, send)
