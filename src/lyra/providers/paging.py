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

    `skipped` of the entries are well formed but of no use.
    """

    found: Sequence[T]
    entries: int
    next: str | None
    skipped: int = 0


def walk(ask: Callable[[str], Portion[T]], first: str, limit: int, url: str) -> Answer[T]:
    """Return at most `limit` things from page after page, starting with the page named `first`.

    Ends at a page that names no next one, names one that was there already, or brings nothing new. What came before a
    failure is kept and the failure said. Pages with entries of which none is readable are a malformed answer, not an
    empty one. A 404 is an empty answer.
    """
    found: dict[T, None] = {}
    seen: set[str] = set()
    page: str | None = first
    entries = 0
    try:
        while page is not None and page not in seen and len(found) < limit and len(seen) < _MAX_PAGES:
            seen.add(page)
            portion = ask(page)
            entries += portion.entries - portion.skipped
            before = len(found)
            found.update(dict.fromkeys(portion.found))
            page = portion.next if len(found) > before or portion.skipped else None
    except WebProblem as problem:
        if problem.code != "not_found":
            return answered(list(found)[:limit], problem)
    if entries and not found:
        return answered((), WebProblem("malformed_answer", url=url))
    return answered(list(found)[:limit])
