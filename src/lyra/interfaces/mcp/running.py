"""Running the server: on standard input and output, or over HTTP, with its worker beside it."""

import asyncio
import logging
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from types import FrameType
from typing import cast

import anyio
from mcp.server.stdio import stdio_server

from lyra.app import ModelFactory
from lyra.app.network import service_states
from lyra.config import Settings
from lyra.core.errors import ConfigError
from lyra.interfaces.mcp.desk import Desk
from lyra.interfaces.mcp.incoming import kept_apart, lines
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


@contextmanager
def until_told_to_stop() -> Iterator[None]:
    """Let SIGTERM end the block at once and in order, as a success: it is how servers are stopped.

    Ctrl-C goes on as a KeyboardInterrupt, raised at once. Outside the main thread nothing is changed.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    told = False

    def end(_signal: int, _frame: FrameType | None) -> None:
        nonlocal told
        told = True
        raise KeyboardInterrupt

    def interrupt(_signal: int, _frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, end)
    before_interrupt = signal.signal(signal.SIGINT, interrupt)
    try:
        yield
    except KeyboardInterrupt:
        if not told:
            raise
    finally:
        signal.signal(signal.SIGTERM, before)
        signal.signal(signal.SIGINT, before_interrupt)


def serve_stdio(desk: Desk, tools: tuple[Tool, ...]) -> None:
    """Serve one client on standard input and output until it closes either end."""
    try:
        anyio.run(_serve_stdio, desk, tools)
    except* BrokenPipeError:
        pass  # nobody reads the answers any more


@contextmanager
def _woken_by_signals() -> Iterator[None]:
    """Wake the loop when a signal comes: one that comes just before the loop begins to wait would else wait as long."""
    if sys.platform == "win32" or threading.current_thread() is not threading.main_thread():
        yield
        return
    loop = asyncio.get_running_loop()
    woken, waking = os.pipe()
    os.set_blocking(woken, False)
    os.set_blocking(waking, False)
    before = signal.set_wakeup_fd(waking)
    loop.add_reader(woken, os.read, woken, 4096)
    try:
        yield
    finally:
        loop.remove_reader(woken)
        signal.set_wakeup_fd(before)
        os.close(woken)
        os.close(waking)


async def _serve_stdio(desk: Desk, tools: tuple[Tool, ...]) -> None:
    server = build_server(desk, tools)
    with _woken_by_signals(), kept_apart(sys.stdin.fileno()) as descriptor:
        async with stdio_server(cast("anyio.AsyncFile[str]", lines(descriptor))) as (incoming, outgoing):
            await server.run(incoming, outgoing, server.create_initialization_options())
