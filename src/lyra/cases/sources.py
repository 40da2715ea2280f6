"""What the sources of a case are worth together: which of them verify, and the class the case is in."""

from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from urllib.parse import urlsplit

from lyra.cases.model import FAILED, READABLE, VERIFYING_ROLES, Access, Case, CoiStatus, Reference, Source, SourceRole, works

_NO_RECORD = frozenset((None, Access.NOT_FETCHED))


class SourceClass(StrEnum):
    """What the sources allow a case to be."""

    NONE = "none"
    REJECTED = "rejected"
    UNREACHABLE = "unreachable"
    VERIFYING = "verifying"
    INDIRECT = "indirect"


@dataclass(frozen=True, slots=True)
class Verifier:
    """A source that verifies, or a reference that a pointer was descended to."""

    url: str
    role: SourceRole
    coi: CoiStatus | None
    names: frozenset[str]

    @property
    def host(self) -> str:
        """Return who publishes it, as far as the address tells."""
        return _host(self.url)


@lru_cache(maxsize=4096)  # the sources of a database are of few hosts, and a pair of them is compared several times
def _host(url: str) -> str:
    try:
        return (urlsplit(url).hostname or url).removeprefix("www.")
    except ValueError:
        return url


def verifiers(case: Case) -> list[Verifier]:
    """Return the sources that verify: primary or secondary, and readable. References of a pointer count once descended to.

    A source without `access` is readable, since nobody recorded a failure; a reference without one was not opened.
    """
    found = []
    for source in case.sources:
        if not source.url:
            continue
        if source.source_role in VERIFYING_ROLES and (source.access is None or source.access in READABLE):
            found.append(_verifier(source, source))
        elif source.source_role is SourceRole.POINTER:
            found += [
                _verifier(reference, source)
                for reference in source.references
                if reference.url and reference.source_role in VERIFYING_ROLES and reference.access in READABLE
            ]
    return found


def _verifier(item: Source | Reference, source: Source) -> Verifier:
    names = {name for one in (item, source) for name in (one.id, one.url) if name}
    return Verifier(item.url, item.source_role or SourceRole.SECONDARY, item.coi_status, frozenset(names))


def class_of(case: Case, found: list[Verifier]) -> SourceClass:
    """Return the class of a case, given the sources that verify: the first that fits."""
    given = [source for source in case.sources if source.url]
    if not given:
        return SourceClass.NONE
    usable = [source for source in given if source.source_role is not SourceRole.REJECTED]
    if not usable:
        return SourceClass.REJECTED
    if all(source.access in FAILED for source in usable):
        return SourceClass.UNREACHABLE
    return SourceClass.VERIFYING if found else SourceClass.INDIRECT


def any_access_failed(case: Case) -> bool:
    """Return whether opening some source or reference failed."""
    return any(one.access in FAILED for source in case.sources for one in works(source))


def was_descended(source: Source) -> bool:
    """Return whether somebody tried to open what a pointer names."""
    return any(reference.access not in _NO_RECORD for reference in source.references)


def corroborated(found: list[Verifier]) -> bool:
    """Return whether a primary source has another, independent one beside it.

    Two pages of one host are one publisher, and two sources of the parties themselves are not independent of each other.
    """
    interested = (CoiStatus.SELF, CoiStatus.AFFILIATED)
    return any(
        first.host != second.host and not (first.coi in interested and second.coi in interested)
        for first in found
        if first.role is SourceRole.PRIMARY
        for second in found
    )
