"""Public suffixes: names under which strangers register, such as `com`, `co.jp` or `github.io`."""

from functools import cache
from typing import Any


@cache
def _known() -> Any:
    from publicsuffixlist import PublicSuffixList  # noqa: PLC0415 - reads a large file, and only feedback on domains needs it

    # With the private section: the sites below github.io belong to as many people as those below co.jp.
    return PublicSuffixList(only_icann=False)


def is_public_suffix(host: str) -> bool:
    """Return whether anybody may register below this name. An unknown top-level name counts as one."""
    return bool(_known().is_public(host))
