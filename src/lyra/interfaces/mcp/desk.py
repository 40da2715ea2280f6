"""What the tools of one server work with: its settings, its models, and the worker that works off jobs."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from lyra.app import Models, SilentProgress, open_bench, open_governance, open_reading_store, open_store_unchanged
from lyra.config import Settings
from lyra.core.errors import ConfigError

if TYPE_CHECKING:
    from lyra.app.network import ServiceState
    from lyra.store.evidence_store import EvidenceStore
    from lyra.workflows.bench import Bench
    from lyra.workflows.feedback import Governance


@dataclass(frozen=True, slots=True)
class Desk:
    """Opens the store for one call at a time, in the thread of that call: a connection is never shared.

    `wake` tells the worker that there is something to do. `settings_problem` reads the settings again and says what is
    wrong with them by now. `services` says which sources the settings know.
    """

    settings: Settings
    models: Models
    wake: Callable[[], None]
    settings_problem: Callable[[], ConfigError | None]
    services: Callable[[], list["ServiceState"]]

    @property
    def lang(self) -> str:
        """The language of sentences."""
        return self.settings.lang

    @contextmanager
    def store(self) -> Iterator["EvidenceStore"]:
        """Open the store to read and to write."""
        with open_reading_store(self.settings) as store:
            yield store

    @contextmanager
    def store_unchanged(self) -> Iterator["EvidenceStore"]:
        """Open the store so that nothing can be written to it."""
        with open_store_unchanged(self.settings) as store:
            yield store

    @contextmanager
    def bench(self) -> Iterator["Bench"]:
        """Open the store with readers and models beside it. No weights are loaded by this."""
        with open_bench(self.settings, SilentProgress(), lambda _: self.models) as bench:
            yield bench

    @contextmanager
    def governance(self) -> Iterator["Governance"]:
        """Open the store for feedback."""
        with open_governance(self.settings) as governance:
            yield governance
