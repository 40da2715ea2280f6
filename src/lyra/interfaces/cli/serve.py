"""`lyra mcp` and `lyra serve`: the server for AI clients, on standard input and output or over HTTP."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from lyra.app import SilentProgress, open_bench, open_reading_store
from lyra.config import read_settings
from lyra.core.errors import EXIT_OK, ConfigError, InvalidInput
from lyra.interfaces.cli.check import LibraryOption
from lyra.interfaces.cli.invocation import Invocation
from lyra.interfaces.cli.numbers import whole_number
from lyra.interfaces.cli.output import note, write_json
from lyra.interfaces.presenter import document

if TYPE_CHECKING:
    from lyra.interfaces.mcp.desk import Desk
    from lyra.interfaces.mcp.toolbox import Tool

DEFAULT_HOST, DEFAULT_PORT = "127.0.0.1", 8765
TOKEN_VARIABLE = "LYRA_SERVER_TOKEN"
_HIGHEST_PORT = 65_535
ToolsOption = Annotated[str, typer.Option("--tools", metavar="GROUPS", help="help.option_tools")]


def mcp(call: Invocation, *, tools: ToolsOption = "research", library: LibraryOption = None) -> int:
    """Serve one AI client on standard input and output."""
    from lyra.interfaces.mcp.running import serve_stdio, until_told_to_stop  # noqa: PLC0415 - the protocol's library is slow to import

    with until_told_to_stop(), _opened(call, tools, library) as (desk, chosen):
        serve_stdio(desk, chosen)
    return EXIT_OK


def serve(
    call: Invocation,
    *,
    host: Annotated[str, typer.Option("--host", metavar="ADDRESS", help="help.serve_host")] = DEFAULT_HOST,
    port: Annotated[str, typer.Option("--port", metavar="N", help="help.serve_port")] = str(DEFAULT_PORT),
    tools: ToolsOption = "research",
    library: LibraryOption = None,
    token_file: Annotated[str | None, typer.Option("--token-file", metavar="FILE", help="help.serve_token_file")] = None,
    allow_host: Annotated[list[str] | None, typer.Option("--allow-host", metavar="NAME", help="help.serve_allow_host")] = None,
    allow_origin: Annotated[
        list[str] | None, typer.Option("--allow-origin", metavar="ORIGIN", help="help.serve_allow_origin")
    ] = None,
) -> int:
    """Serve AI clients over HTTP until the process is told to stop."""
    number = whole_number("--port", port, 0, _HIGHEST_PORT)
    token = _token(call, token_file)
    from lyra.interfaces.mcp.http import Place, admission_of, serve_http  # noqa: PLC0415 - as above
    from lyra.interfaces.mcp.running import until_told_to_stop  # noqa: PLC0415 - as above
    from lyra.interfaces.mcp.server import build_server  # noqa: PLC0415 - as above

    place = Place(host, number, token, tuple(allow_host or ()), tuple(allow_origin or ()))
    admission_of(place, number)

    def listening(address: str) -> None:
        if call.as_json:
            write_json(document(address=address))
        note(call.say("text.mcp_listening", address=address))

    with until_told_to_stop(), _opened(call, tools, library) as (desk, chosen):
        serve_http(build_server(desk, chosen), place, call.lang, listening)
    return EXIT_OK


@contextmanager
def _opened(call: Invocation, tools: str, library: list[str] | None) -> "Iterator[tuple[Desk, tuple[Tool, ...]]]":
    """Choose the tools and open what they work with; the folders named join the library."""
    from lyra.interfaces.mcp.groups import chosen_tools  # noqa: PLC0415 - as above
    from lyra.interfaces.mcp.running import log_to_stderr, open_desk  # noqa: PLC0415 - as above
    from lyra.workflows.ingest import add_roots  # noqa: PLC0415 - help needs none of this

    chosen, settings = chosen_tools(tools), call.settings
    log_to_stderr(debugging=call.environ.get("LYRA_DEBUG") == "1")
    with open_reading_store(settings):
        pass  # a home that cannot be used is said before anything inside it
    if library:
        with open_bench(settings, SilentProgress(), call.models) as bench:
            roots, problems = add_roots(bench, library)
        if problems and not roots:
            raise problems[0]
        for problem in problems:
            note(problem.sentence(call.lang))

    def settings_problem() -> ConfigError | None:
        try:
            read_settings({"home": str(settings.home)}, call.environ)
        except ConfigError as found:
            return found
        return None

    with open_desk(settings, call.models, settings_problem) as desk:
        yield desk, chosen


def _token(call: Invocation, path: str | None) -> str | None:
    """Return the token of the file or the environment. It is never taken from the command line, which others can see."""
    if path is None:
        return call.environ.get(TOKEN_VARIABLE, "").strip() or None
    try:
        token = Path(path).expanduser().read_text(encoding="utf-8").strip()
    except (OSError, ValueError, RuntimeError) as failure:
        raise InvalidInput("mcp_token_file", path=path, detail=getattr(failure, "strerror", None) or failure) from failure
    if not token:
        raise InvalidInput("mcp_token_file", path=path, detail="empty")
    return token
