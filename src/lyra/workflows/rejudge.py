"""`task rejudge`: the stored judgements of a task, made anew by the models in use now."""

from dataclasses import dataclass

from lyra.core.errors import InvalidInput
from lyra.core.records import TaskStatus
from lyra.workflows.bench import Bench
from lyra.workflows.jobs import JobOutcome, run_job
from lyra.workflows.rejudging import REJUDGE


@dataclass(frozen=True, slots=True)
class Rejudged:
    """How the run ended, how many edges there are, and how many were corrected by people and therefore left alone."""

    outcome: JobOutcome
    edge_count: int
    corrected_edges: int


def rejudge(bench: Bench, task_id: str) -> Rejudged:
    """Judge a task's edges again, as a job that is resumed by `lyra work` when it is cut off.

    Raises NotFound for an unknown task and InvalidInput for a stopped one, with nothing written.
    """
    task = bench.store.tasks.get(task_id)
    if task.status is TaskStatus.STOPPED:
        raise InvalidInput("task_stopped", task_id=task_id)
    job = bench.store.jobs.add(REJUDGE, task_id)
    outcome = run_job(bench, job.job_id)
    if outcome is None:
        raise InvalidInput("job_taken", job_id=job.job_id)
    corrected = bench.store.corrections.count_corrected(task_id)
    return Rejudged(outcome, bench.store.tasks.get(task_id).edge_count, corrected)
