"""Standard input as lines, read by a thread that nothing waits for.

The library's own reader sits in a thread that cannot be called off, so that Ctrl-C would have no effect until the client
sends its next line.
"""

import os
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager, suppress

import anyio
from anyio import from_thread, lowlevel
from anyio.streams.memory import MemoryObjectSendStream

_CHUNK_BYTES = 65_536


@contextmanager
def kept_apart(descriptor: int) -> Iterator[int]:
    """Return a descriptor of one's own for an input; meanwhile whatever else reads that input finds its end."""
    own = os.dup(descriptor)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, descriptor)
    os.close(nothing)
    try:
        yield own
    finally:
        os.dup2(own, descriptor)


async def lines(descriptor: int) -> AsyncIterator[str]:
    """Yield the lines of an input as they come. Ends with the input, or at once when it is called off."""
    send, receive = anyio.create_memory_object_stream[str](0)
    reading = threading.Thread(target=_read, args=(descriptor, send, lowlevel.current_token()), daemon=True)
    reading.start()
    async with receive:
        async for line in receive:
            yield line


def _read(descriptor: int, send: MemoryObjectSendStream[str], token: lowlevel.EventLoopToken) -> None:
    # All of these say that nobody listens any more.
    with suppress(anyio.BrokenResourceError, anyio.ClosedResourceError, RuntimeError, OSError):
        rest = b""
        while chunk := os.read(descriptor, _CHUNK_BYTES):
            *whole, rest = (rest + chunk).split(b"\n")
            for line in whole:
                from_thread.run(send.send, line.decode("utf-8", "replace"), token=token)
        from_thread.run(send.aclose, token=token)
