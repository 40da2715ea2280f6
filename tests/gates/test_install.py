"""A plain `pip install .` brings everything Lyra imports, also with an older pip."""

from collections.abc import Iterator
from importlib.metadata import Distribution, distribution

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

OURS = "lyra-evidence"


def requirements(found: Distribution, extra: str = "") -> list[Requirement]:
    """What a distribution asks for on this machine, with an extra or without."""
    asked = [Requirement(line) for line in found.requires or ()]
    return [one for one in asked if one.marker is None or one.marker.evaluate({"extra": extra})]


def lost_extras(name: str, seen: set[str]) -> Iterator[str]:
    """Distributions asked for by an extra that goes by another spelling: pip before 23.3 installs none of those."""
    if name in seen:
        return
    seen.add(name)
    for asked in requirements(distribution(name)):
        inner = canonicalize_name(asked.name)
        provided = distribution(inner).metadata.get_all("Provides-Extra") or []
        for extra in asked.extras:
            if extra not in provided:
                known = next(one for one in provided if canonicalize_name(one) == canonicalize_name(extra))
                plain = {canonicalize_name(one.name) for one in requirements(distribution(inner))}
                yield from {canonicalize_name(one.name) for one in requirements(distribution(inner), known)} - plain
        yield from lost_extras(inner, seen)


def test_what_an_older_pip_would_leave_out_is_asked_for_by_name() -> None:
    named = {canonicalize_name(one.name) for one in requirements(distribution(OURS))}
    lost = set(lost_extras(OURS, set()))
    assert lost, "no extra is spelled in two ways any more: the requirements by name can go"
    assert lost <= named
