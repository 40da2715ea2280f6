"""The steps of one search under its lease: what each part came to is committed with its effects, and done once."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager

from lyra.core.gather_rules import GatherRules
from lyra.core.gathering import Budget
from lyra.core.ports import WaitingClock
from lyra.workflows.bench import Holding

EVENT = "search_step"


class Steps:
    """The journal of one job. A part that has an outcome is never done again, also not after a crash."""

    def __init__(self, holding: Holding, task_id: str, clock: WaitingClock) -> None:
        self._holding = holding
        self._store = holding.store
        self._task_id = task_id
        self._clock = clock
        self._outcomes = self._store.journal.read(self.job_id)
        self._before = self._store.journal.spent_seconds(self.job_id)
        self._start = clock.monotonic()

    @property
    def job_id(self) -> str:
        """The job, which is the cause of all that it writes."""
        return self._holding.job.job_id

    @property
    def spent_seconds(self) -> float:
        """How long the job has worked, over all its runs."""
        return self._before + self._clock.monotonic() - self._start

    def left(self, budget: Budget, rules: GatherRules) -> float:
        """Return the seconds that are left to the job."""
        return (rules.max_seconds if budget.seconds is None else budget.seconds) - self.spent_seconds

    def outcome(self, step: str, part: str) -> object:
        """Return what a part came to before; None where it was not done."""
        return self._outcomes.get((step, part))

    def parts(self, step: str) -> list[object]:
        """Return the outcomes of all parts of a step."""
        return [outcome for (name, _), outcome in self._outcomes.items() if name == step]

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Open a transaction of this job; raises LeaseLost, with nothing written, when the job is no longer ours."""
        with self._store.transaction():
            self._holding.guard()
            yield

    def record(self, step: str, part: str, outcome: object, event: Mapping[str, object] | None = None) -> None:
        """Write an outcome down, and an event where one is given. In a transaction of `writing`."""
        self._store.journal.write(self.job_id, step, part, outcome, self.spent_seconds)
        if event is not None:
            self._store.gathered.note_step(self._task_id, EVENT, {"step": step, **event}, self.job_id)
        self._outcomes[step, part] = outcome

    def note(self, event_type: str, payload: Mapping[str, object]) -> None:
        """Append an event of this job to the log. In a transaction of `writing`."""
        self._store.gathered.note_step(self._task_id, event_type, payload, self.job_id)

    def beat(self) -> None:
        """Extend the lease; raises LeaseLost when the job was stopped or taken over."""
        self._holding.guard()

    def once(self, step: str, part: str, make: Callable[[], tuple[object, Mapping[str, object]]]) -> object:
        """Return the outcome of a part; `make` gives it with the payload of its event where it was not done before."""
        known = self.outcome(step, part)
        if known is not None:
            return known
        outcome, event = make()
        with self.writing():
            self.record(step, part, outcome, event)
        return outcome
