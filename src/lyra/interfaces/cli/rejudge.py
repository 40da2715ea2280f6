"""`lyra task rejudge`: stored judgements, made anew by the models in use now."""

from lyra.app import open_judging_bench
from lyra.core.errors import EXIT_OK
from lyra.interfaces.cli.check import TaskArgument
from lyra.interfaces.cli.invocation import Invocation
from lyra.interfaces.cli.output import write_json, write_text
from lyra.interfaces.models_presenter import rejudged_json


def rejudge(call: Invocation, task: TaskArgument) -> int:
    """Judge the edges of a task again with the models in use now; corrections by people stay."""
    from lyra.workflows.rejudge import rejudge as run_rejudge  # noqa: PLC0415 - help needs none of this

    with open_judging_bench(call.settings, call.progress(), call.models) as bench:
        done = run_rejudge(bench, task)
    if call.as_json:
        write_json(rejudged_json(done))
        return EXIT_OK
    outcome = done.outcome
    counts = {"count": outcome.rejudged_edges, "total": done.edge_count, "corrected": done.corrected_edges}
    write_text(call.say("text.rejudged", task=outcome.task_id, **counts))
    if outcome.status != "done":
        status = call.say(f"label.{outcome.status.value}")
        write_text(call.say("text.not_finished", status=status, task=outcome.task_id))
    return EXIT_OK
