"""One call of a tool: its way into threads, its progress, and the question to the user that a destructive call needs."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

import anyio
import mcp_types as types
from anyio import to_thread
from mcp.server.context import ServerRequestContext
from mcp_types.version import MODERN_PROTOCOL_VERSIONS

from lyra.core.errors import InvalidInput
from lyra.core.records import Job, JobStatus
from lyra.interfaces.mcp.desk import Desk
from lyra.store.evidence_store import EvidenceStore

T = TypeVar("T")
# How many calls may use the store at once, and how many of those that may take seconds; the others wait for their turn.
MAX_THREADS, MAX_LONG_THREADS = 8, 3
_CONFIRM = "confirm"
_FIRST_PAUSE, _LONGEST_PAUSE = 0.05, 1.0
OPEN = (JobStatus.QUEUED, JobStatus.RUNNING)


class AskUser(Exception):
    """The call needs an answer of the user first; `result` asks for it, and the client calls again with the answer."""

    def __init__(self, result: types.InputRequiredResult) -> None:
        super().__init__("input required")
        self.result = result


@dataclass(frozen=True, slots=True)
class Places:
    """The threads of a server, shared by all calls: those for quick ones, and those for what may take seconds."""

    short: anyio.CapacityLimiter
    long: anyio.CapacityLimiter


def make_places() -> Places:
    """Return the places of a new server."""
    return Places(anyio.CapacityLimiter(MAX_THREADS), anyio.CapacityLimiter(MAX_LONG_THREADS))


@dataclass(frozen=True, slots=True)
class Call:
    """A call of a tool and the connection it came by."""

    desk: Desk
    context: ServerRequestContext[Any, Any]
    responses: dict[str, Any]
    places: Places

    async def in_thread(self, act: Callable[[], T]) -> T:
        """Run what reads or writes in a thread, so that other calls go on; it is never abandoned half-way."""
        return await to_thread.run_sync(act, limiter=self.places.short)

    async def in_long_thread(self, act: Callable[[], T]) -> T:
        """Run what may take seconds: the same, but it never takes the place of a call that is quick."""
        return await to_thread.run_sync(act, limiter=self.places.long)

    async def progress(self, done: int, total: int | None, message: str) -> None:
        """Tell a client that asked for it how far the work has come."""
        await self.context.session.report_progress(done, total, message)

    async def confirmed(self, given: bool, question: str) -> None:
        """Return when the user agrees: by the argument `confirm`, or asked through the client where it can ask.

        Raises InvalidInput when the user declines, or when neither way is open.
        """
        if given:
            return
        capabilities = self.context.session.client_capabilities
        asking = capabilities.elicitation if capabilities is not None else None
        if asking is None or (asking.form is None and asking.url is not None):
            raise InvalidInput("mcp_needs_confirm", question=question)
        answer = await self._ask(question)
        if answer.action != "accept" or not answer.content or answer.content.get(_CONFIRM) is not True:
            raise InvalidInput("mcp_declined")

    async def _ask(self, question: str) -> types.ElicitResult:
        schema = {"type": "object", "properties": {_CONFIRM: {"type": "boolean", "title": question}}, "required": [_CONFIRM]}
        if self.context.protocol_version not in MODERN_PROTOCOL_VERSIONS:
            return await self.context.session.elicit_form(question, schema, related_request_id=self.context.request_id)
        answer = self.responses.get(_CONFIRM)
        if answer is None:
            request = types.ElicitRequest(params=types.ElicitRequestFormParams(message=question, requested_schema=schema))
            raise AskUser(types.InputRequiredResult(input_requests={_CONFIRM: request}))
        if not isinstance(answer, types.ElicitResult):
            raise InvalidInput("mcp_declined")
        return answer

    async def until_over(self, read: Callable[[EvidenceStore], list[Job]], seconds: float) -> list[Job]:
        """Return the jobs once none of them is open any more, or as they are after so many seconds.

        Looks at the store, so it sees the work of other processes, too. A client that goes away ends it.
        """

        def look() -> list[Job]:
            with self.desk.store() as store:
                return read(store)

        deadline, pause = anyio.current_time() + seconds, _FIRST_PAUSE
        while True:
            jobs = await self.in_thread(look)
            left = deadline - anyio.current_time()
            if left <= 0 or not any(job.status in OPEN for job in jobs):
                return jobs
            done, total = sum(job.done for job in jobs), sum(job.total for job in jobs)
            await self.progress(done, total or None, ", ".join(f"{job.kind}: {job.status.value}" for job in jobs[:3]))
            await anyio.sleep(min(pause, left))
            pause = min(pause * 1.5, _LONGEST_PAUSE)
