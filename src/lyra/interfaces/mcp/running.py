"""Running the server: on standard input and output, or over HTTP, with its worker beside it."""

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache

import anyio
from mcp.server.stdio import stdio_server

from lyra.app import ModelFactory
from lyra.app.network import service_states
from lyra.config import Settings
from lyra.core.errors import ConfigError
from lyra.interfaces.mcp.desk import Desk
from lyra.interfaces.mcp.server import build_server
from lyra.interfaces.mcp.toolbox import Tool
from lyra.interfaces.mcp.worker import Worker
from lyra.interfaces.untrusted import on_one_line


class _OneLine(logging.Formatter):
    """A record as one line. What led to an error is shown to those who debug only."""

    def __init__(self, *, debugging: bool) -> None:
        super().__init__("lyra: %(message)s")
        self._debugging = debugging

    def format(self, record: logging.LogRecord) -> str:
        """Return the line."""
        if self._debugging:
            return super().format(record)
        return f"lyra: {on_one_line(record.getMessage())}"


def log_to_stderr(*, debugging: bool) -> None:
    """Send what the server and its libraries have to say to stderr, warnings and worse, one line each."""
    handler = logging.StreamHandler()
    handler.setFormatter(_OneLine(debugging=debugging))
    logging.basicConfig(level=logging.WARNING, handlers=[handler], force=True)


@contextmanager
def open_desk(settings: Settings, models: ModelFactory, settings_problem: Callable[[], ConfigError | None]) -> Iterator[Desk]:
    """Open the desk of a server: the store is made and checked, and a worker runs until the block ends."""
    chosen = models(settings)
    worker = Worker(settings, chosen)
    desk = Desk(settings, chosen, worker.wake, settings_problem, cache(lambda: service_states(settings)))
    with desk.store():
        pass
    worker.start()
    try:
        yield desk
    finally:
        worker.stop()


def serve_stdio(desk: Desk, tools: tuple[Tool, ...]) -> None:
    """Serve one client on standard input and output until it closes its end."""
    anyio.run(_serve_stdio, desk, tools)


async def _serve_stdio(desk: Desk, tools: tuple[Tool, ...]) -> None:
    server = build_server(desk, tools)
    async with stdio_server() as (incoming, outgoing):
        await server.run(incoming, outgoing, server.create_initialization_options())
