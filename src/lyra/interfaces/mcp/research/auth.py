"""get_auth_queue and resolve_auth: pages behind a wall that only a person gets through.

No tool takes a file: a page that a person saved is handed in with `lyra auth resolve --page`.
"""

from lyra.core.messages import render
from lyra.interfaces.gathering_presenter import intervention_json
from lyra.interfaces.mcp.arguments import GetAuthQueue, ResolveAuth
from lyra.interfaces.mcp.calls import Call
from lyra.interfaces.mcp.desk import Desk
from lyra.interfaces.mcp.fitting import budget_of, cut_texts, fit_lists
from lyra.interfaces.mcp.marking import untrusted_json
from lyra.interfaces.mcp.shapes_status import AuthQueueAnswer, ResolveAuthAnswer
from lyra.interfaces.mcp.toolbox import Hints, Tool
from lyra.interfaces.presenter import Json, document
from lyra.interfaces.state_presenter import job_json
from lyra.workflows import interventions

_MAX_KB = 60
_QUEUED = ("interventions[].url", "interventions[].sign")
_SETTLED = ("settled[].intervention.url", "settled[].intervention.sign")


async def get_auth_queue(call: Call, given: GetAuthQueue) -> Json:
    """Return what waits for a person."""
    return await call.in_thread(lambda: _queue(call.desk, given))


def _queue(desk: Desk, given: GetAuthQueue) -> Json:
    with desk.store() as store:
        found = interventions.get_auth_queue(store, given.task_id, settled=given.settled)
    pending = any(one.status == "pending" for one in found)
    return _fitted(
        document(
            interventions=[intervention_json(one) for one in found],
            next_step=render("text.mcp_person_needed" if pending else "text.mcp_nobody_needed", desk.lang),
            untrusted=untrusted_json(_QUEUED, desk.lang),
        ),
        "interventions",
    )


async def resolve_auth(call: Call, given: ResolveAuth) -> Json:
    """Have pages tried again, or give them up."""
    answer = await call.in_thread(lambda: _resolve(call.desk, given))
    call.desk.wake()
    return answer


def _resolve(desk: Desk, given: ResolveAuth) -> Json:
    with desk.bench() as bench:
        settled = interventions.resolve_auth(bench, given.name, skip=given.action == "skip")
    shown = [
        {
            "intervention": intervention_json(one.intervention),
            "outcome": one.outcome,
            "job": None if one.job is None else job_json(one.job),
        }
        for one in settled
    ]
    step = render("text.mcp_after_queued" if given.action == "retry" else "text.mcp_after_idle", desk.lang)
    return _fitted(document(settled=shown, next_step=step, untrusted=untrusted_json(_SETTLED, desk.lang)), "settled")


def _fitted(answer: Json, name: str) -> Json:
    cut = cut_texts(answer, 600)
    shown, omitted = fit_lists(cut if isinstance(cut, dict) else answer, (name,), budget_of(_MAX_KB))
    return {**shown, "omitted": omitted}


GET_AUTH_QUEUE = Tool(
    "get_auth_queue", GetAuthQueue, AuthQueueAnswer, Hints(read_only=True, idempotent=True), get_auth_queue, _QUEUED
)
RESOLVE_AUTH = Tool(
    "resolve_auth", ResolveAuth, ResolveAuthAnswer, Hints(read_only=False, open_world=True), resolve_auth, _SETTLED
)
