"""Walking through a list that a service gives in pages, whatever it says about the next one."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from lyra.core.errors import WebProblem
from lyra.core.works import Answer, answered

_MAX_PAGES = 50

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Portion(Generic[T]):
    """One page of a list: what was readable in it, how many entries it had, and how the next one is asked for.

    `skipped` of the entries are well formed but of no use. Entries of which none is readable make an answer malformed.
    """

    found: Sequence[T]
    entries: int
    next: str | None
    skipped: int = 0

    def readable(self, url: str) -> "Portion[T]":
        """Return the page if anything in it can be read, or it is empty; else raise WebProblem `malformed_answer`."""
        if self.entries > self.skipped and not self.found:
            raise WebProblem("malformed_answer", url=url)
        return self


def walk(ask: Callable[[str], Portion[T]], first: str, limit: int) -> Answer[T]:
    """Return at most `limit` things from page after page, starting with the page named `first`.

    Ends at a page that names no next one, names one that was there already, or brings nothing new. What came before a
    failure is kept and the failure said. A 404 is an empty answer.
    """
    found: dict[T, None] = {}
    seen: set[str] = set()
    page: str | None = first
    try:
        while page is not None and page not in seen and len(found) < limit and len(seen) < _MAX_PAGES:
            seen.add(page)
            portion = ask(page)
            before = len(found)
            found.update(dict.fromkeys(portion.found))
            page = portion.next if len(found) > before or portion.skipped else None
    except WebProblem as problem:
        if problem.code != "not_found":
            return answered(list(found)[:limit], problem)
    return answered(list(found)[:limit])
