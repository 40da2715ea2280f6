"""How each provider answered over a whole search: one line each, and nothing that failed reads as nothing found."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from lyra.core.records import LedgerEntry, ProviderReport, ProviderStatus
from lyra.core.works import ProviderInfo

PAGES = "pages"
LLM = "llm"
_MAX_PROBLEMS = 200


@dataclass(slots=True)
class _Line:
    endpoint: str | None = None
    statuses: list[ProviderStatus] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)
    problems: list[LedgerEntry] = field(default_factory=list)
    hosts: set[str] = field(default_factory=set)


class Tally:
    """Counts answers by provider, in the order in which the providers were first asked.

    `offline` says that nobody can be reached: answers come from what was kept, and no report names an address as asked.
    """

    def __init__(self, *, offline: bool = False) -> None:
        self._lines: dict[str, _Line] = {}
        self._offline = offline

    def expect(self, info: ProviderInfo) -> None:
        """Open the line of a provider that will be asked."""
        self._lines.setdefault(info.name, _Line(info.endpoint))

    def note(
        self,
        name: str,
        counted: str,
        found: int,
        status: ProviderStatus,
        *,
        problem: tuple[str | None, Mapping[str, object]] = (None, {}),
    ) -> None:
        """Count what one question brought, and keep what went wrong with it: a code and its parameters."""
        line = self._lines.setdefault(name, _Line())
        line.statuses.append(status)
        line.counts[counted] += found
        code, params = problem
        if code is not None and len(line.problems) < _MAX_PROBLEMS:
            entry = LedgerEntry(line.endpoint or name, "failed", code, dict(params), area="web")
            if entry not in line.problems:
                line.problems.append(entry)

    def note_page(self, outcome: str, host: str | None, problem: LedgerEntry | None = None) -> None:
        """Count what became of one page."""
        line = self._lines.setdefault(PAGES, _Line())
        line.counts[outcome] += 1
        if host:
            line.hosts.add(host)
        if problem is not None and len(line.problems) < _MAX_PROBLEMS:
            line.problems.append(problem)

    def note_llm(self, endpoint: str, calls: int, status: ProviderStatus) -> None:
        """Count calls of the language model."""
        line = self._lines.setdefault(LLM, _Line(endpoint))
        line.endpoint = endpoint
        line.counts["calls"] += calls
        line.statuses.append(status)

    def reports(self) -> tuple[ProviderReport, ...]:
        """Return a line for each provider that was asked."""
        return tuple(
            ProviderReport(
                name=name,
                status=_pages_status(line) if name == PAGES else overall(line.statuses, line.counts.total()),
                endpoint=None if self._offline else line.endpoint,
                counts=dict(line.counts),
                problems=tuple(line.problems),
                hosts=() if self._offline else tuple(sorted(line.hosts)),
            )
            for name, line in self._lines.items()
        )


def overall(statuses: Iterable[ProviderStatus], found: int) -> ProviderStatus:
    """Return the status of a provider over several questions: the first failure, if there was any."""
    failed = [status for status in statuses if status not in (ProviderStatus.OK, ProviderStatus.NOTHING_FOUND)]
    if failed:
        return failed[0]
    return ProviderStatus.OK if found else ProviderStatus.NOTHING_FOUND


def _pages_status(line: _Line) -> ProviderStatus:
    if line.counts["fetched"]:
        return ProviderStatus.OK
    failed = [ProviderStatus(str(entry.params.get("status", "down"))) for entry in line.problems]
    # A page that is not there is an answer; with nothing but such answers nothing was found.
    return overall(failed, 0)
