"""Progress bars for a person at a terminal, on stderr."""

from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeRemainingColumn

from lyra.core.messages import render
from lyra.core.ports import Step


class TerminalProgress:
    """One bar per phase; it disappears when the phase is over."""

    def __init__(self, lang: str) -> None:
        self._lang = lang

    @contextmanager
    def track(self, code: str, total: int | None) -> Iterator[Step]:
        """Show a bar while the block runs."""
        columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
        with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
            yield _Bar(bar, bar.add_task(render(code, self._lang), total=total))


class _Bar:
    def __init__(self, bar: Progress, task: TaskID) -> None:
        self._bar = bar
        self._task = task

    def advance(self, by: int = 1) -> None:
        """Move the bar on."""
        self._bar.advance(self._task, by)
