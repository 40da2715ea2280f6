"""create_task and stop_task."""

from lyra.core.errors import NotFound
from lyra.core.gathering import Budget as Cost
from lyra.core.messages import render
from lyra.interfaces.mcp.arguments import Budget, CreateTask, StopTask
from lyra.interfaces.mcp.calls import Call
from lyra.interfaces.mcp.shapes import StopAnswer, TaskAnswer
from lyra.interfaces.mcp.toolbox import Hints, Tool
from lyra.interfaces.presenter import Json, document
from lyra.interfaces.state_presenter import task_json
from lyra.workflows.check import check_question
from lyra.workflows.cleanup import Deletion, end_task


async def create_task(call: Call, given: CreateTask) -> Json:
    """Make a task for a question."""

    def act() -> Json:
        question = check_question(given.question)
        hypothesis = None if given.hypothesis is None else check_question(given.hypothesis)
        with call.desk.store() as store:
            task = store.tasks.create(question, hypothesis, [], budget_of(given.budget))
        return document(task=task_json(task), next_step=render("text.mcp_after_create", call.desk.lang))

    return await call.in_thread(act)


def budget_of(given: Budget | None) -> Cost:
    """Return the budget that was given."""
    return Cost() if given is None else Cost(given.pages, given.seconds)


async def stop_task(call: Call, given: StopTask) -> Json:
    """Stop a task and, when asked and confirmed, delete it."""

    def end(dry_run: bool) -> Deletion:
        with call.desk.store() as store:
            return end_task(store, given.task_id, given.cleanup, dry_run=dry_run)

    if given.cleanup != "none" and not given.dry_run:
        doomed = (await call.in_thread(lambda: end(True))).deleted
        counts = {"claims": doomed.get("claims", 0), "edges": doomed.get("edges", 0), "pages": doomed.get("pages", 0)}
        question = render("text.mcp_ask_delete", call.desk.lang, task=given.task_id, **counts)
        await call.confirmed(given.confirm, question)
    done = await call.in_thread(lambda: end(given.dry_run))
    status = await call.in_thread(lambda: _status(call, given.task_id))
    return document(task_id=given.task_id, task_status=status, cleanup=given.cleanup, dry_run=given.dry_run, deleted=done.deleted)


def _status(call: Call, task_id: str) -> str:
    with call.desk.store() as store:
        try:
            return store.tasks.get(task_id).status.value
        except NotFound:
            return "deleted"


CREATE_TASK = Tool("create_task", CreateTask, TaskAnswer, Hints(read_only=False), create_task)
STOP_TASK = Tool("stop_task", StopTask, StopAnswer, Hints(read_only=False, destructive=True, idempotent=True), stop_task)
