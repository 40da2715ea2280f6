"""Gathering, put together from the settings: the network under a deadline, the templates, and how far a search goes."""

from collections.abc import Callable
from contextlib import ExitStack
from typing import TYPE_CHECKING

from lyra.app import SystemClock
from lyra.config import Settings
from lyra.core.ports import SourceReader, WaitingClock
from lyra.workflows.bench import Bench
from lyra.workflows.gather.reach import Deadline, Reach

if TYPE_CHECKING:
    from lyra.providers.exchange import Resolver

PROMPTS_FOLDER = "prompts"


def lazy_reach(
    settings: Settings, stack: ExitStack, clock: WaitingClock | None = None, resolver: "Resolver | None" = None
) -> Callable[[], Reach]:
    """Return what opens the network when it is first called, and gives the same one ever after; `stack` closes it."""
    opened: list[Reach] = []

    def reach() -> Reach:
        if not opened:
            opened.append(_open(settings, stack, clock, resolver))
        return opened[0]

    return reach


def source_reader(settings: Settings, bench: Bench) -> SourceReader | None:
    """Return what opens the sources of cases on the network, in a public archive where they are gone; opens it now."""
    if bench.reach is None:
        return None
    from lyra.workflows.case_fetching import FetchingReader  # noqa: PLC0415 - slow to import, and most calls reach nobody

    return FetchingReader(bench.reach().fetcher, settings.fetch.archive_url)


def _open(settings: Settings, stack: ExitStack, clock: WaitingClock | None, resolver: "Resolver | None") -> Reach:
    from lyra.app.network import open_governed_network  # noqa: PLC0415 - slow to import, and most calls reach nobody
    from lyra.models.prompt_files import load_prompts  # noqa: PLC0415 - see above

    deadline = Deadline(clock or SystemClock())
    network = stack.enter_context(open_governed_network(settings, deadline, resolver))
    return Reach(
        fetcher=network.fetcher,
        provider=network.provider,
        llm=network.llm,
        prompts=load_prompts(settings.home / PROMPTS_FOLDER),
        rules=settings.search.gathering,
        clock=deadline,
        summaries=settings.llm.summaries,
        offline=settings.fetch.offline,
    )
