"""The worker of a server: one thread that works off jobs, one after the other, whoever queued them.

Several servers may share a home: a job belongs to who holds its lease, and one whose server died is taken over.
"""

import logging
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

from lyra.app import Models, open_judging_bench
from lyra.config import Settings
from lyra.core.errors import InvalidInput, LyraError, StoreError
from lyra.core.ports import Step
from lyra.core.records import Job, JobStatus
from lyra.workflows.bench import Bench
from lyra.workflows.jobs import run_job

POLL_SECONDS = 1.0
# How long a stopping server waits for its worker to put its job back; a job that is left is taken over by its lease.
FAREWELL_SECONDS = 5.0
RETRY_SECONDS = 30.0

_log = logging.getLogger(__name__)


class Worker:
    """Works off queued and abandoned jobs until it is stopped. A job in hand is then put back into the queue."""

    def __init__(self, settings: Settings, models: Models, poll_seconds: float = POLL_SECONDS) -> None:
        self._settings = settings
        self._models = models
        self._poll_seconds = poll_seconds
        self._stopping = threading.Event()
        self._wanted = threading.Event()
        # When a job that failed here may be tried again; those of other times are left to `lyra work`.
        self._retry_at: dict[str, float] = {}
        self._thread = threading.Thread(target=self._run, name="lyra-worker", daemon=True)

    def start(self) -> None:
        """Begin to look for jobs."""
        self._thread.start()

    def wake(self) -> None:
        """Look for jobs now instead of at the next round."""
        self._wanted.set()

    def stop(self) -> None:
        """Stop after the step at hand and wait a while for it."""
        self._stopping.set()
        self._wanted.set()
        if self._thread.is_alive():
            self._thread.join(FAREWELL_SECONDS)

    def _run(self) -> None:
        while not self._stopping.is_set():
            try:
                self._work()
            except KeyboardInterrupt:
                return
            except LyraError as failure:
                _log.warning("%s", failure)
            except Exception as failure:  # noqa: BLE001 - the outermost handler of a thread: a bug must not end the worker
                _log.error("worker: %s: %s", type(failure).__name__, failure)
            self._pause()

    def _pause(self) -> None:
        if not self._stopping.is_set():
            self._wanted.wait(self._poll_seconds)
            self._wanted.clear()

    def _work(self) -> None:
        """Work off jobs as they come; ends by an error, after which the store is opened anew."""
        with open_judging_bench(self._settings, _Stoppable(self._stopping), lambda _: self._models) as bench:
            while not self._stopping.is_set():
                for job in bench.store.jobs.waiting():
                    if self._stopping.is_set():
                        return
                    if self._is_due(job):
                        self._work_on(bench, job)
                self._pause()

    def _is_due(self, job: Job) -> bool:
        if job.status is not JobStatus.FAILED:
            return True
        return time.monotonic() >= self._retry_at.get(job.job_id, float("inf"))

    def _work_on(self, bench: Bench, job: Job) -> None:
        self._retry_at.pop(job.job_id, None)
        try:
            run_job(bench, job.job_id)
        except StoreError:
            raise
        except InvalidInput as failure:  # trying again would end the same way
            _log.warning("%s: %s", job.job_id, failure)
        except LyraError as failure:
            _log.warning("%s: %s", job.job_id, failure)
            self._retry_at[job.job_id] = time.monotonic() + RETRY_SECONDS * (job.attempts + 1)


class _Stoppable:
    """Progress that shows nothing and cuts the work off, at a point where all is committed, once the server stops."""

    def __init__(self, stopping: threading.Event) -> None:
        self._stopping = stopping

    @contextmanager
    def track(self, code: str, total: int | None) -> Iterator[Step]:
        """Return a step that can be cut off."""
        yield _Step(self._stopping)


class _Step:
    def __init__(self, stopping: threading.Event) -> None:
        self._stopping = stopping

    def advance(self, by: int = 1) -> None:
        """Go on, or end as an interrupted job does: it is put back into the queue."""
        if self._stopping.is_set():
            raise KeyboardInterrupt
