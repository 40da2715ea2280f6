"""The kinds of values that settings take."""

import math
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from lyra.core.messages import LANGUAGES


@dataclass(frozen=True, slots=True)
class Kind:
    """What a setting takes: `takes` says it for people, `read` returns the value or raises ValueError.

    `from_text` makes the value that a flag or a variable, which can only be text, stands for.
    """

    takes: str
    read: Callable[[object], str | int | float]
    from_text: Callable[[str], object] = str


def number(low: float, high: float, *, whole: bool) -> Kind:
    """Return the kind of a number within bounds."""
    pattern = r"[+-]?\d{1,9}" if whole else r"[+-]?\d{1,9}(\.\d{1,9})?"

    def from_text(text: str) -> object:
        if not re.fullmatch(pattern, text.strip(), re.ASCII):
            raise ValueError(text)
        return int(text) if whole else float(text)

    def read(raw: object) -> int | float:
        if isinstance(raw, bool) or not isinstance(raw, int if whole else (int, float)):
            raise ValueError(raw)
        if not math.isfinite(raw) or not low <= raw <= high:
            raise ValueError(raw)
        return raw if whole else float(raw)

    return Kind(f"{low:g}..{high:g}", read, from_text)


def choice(*names: str) -> Kind:
    """Return the kind of one of several words."""

    def read(raw: object) -> str:
        if raw not in names:
            raise ValueError(raw)
        return str(raw)

    return Kind(" | ".join(names), read)


def read_path(raw: object) -> str:
    """Return an absolute path, or raise ValueError for what is none."""
    # The database takes neither a NUL nor a name that is no Unicode.
    if not isinstance(raw, str) or not raw.strip() or re.search(r"[\0\ud800-\udfff]", raw):
        raise ValueError(raw)
    return str(expanded(raw).absolute())


def expanded(path: str) -> Path:
    """Return the path with `~` filled in; raises ValueError for the home of nobody."""
    try:
        return Path(path).expanduser()
    except RuntimeError as failure:  # ~somebody who does not exist
        raise ValueError(path) from failure


def read_hub_address(raw: object) -> str:
    """Return the address of a model hub, or raise ValueError: HTTPS, without user, query or fragment.

    An open connection is taken only to this machine.
    """
    if not isinstance(raw, str) or not raw.isascii() or not raw.isprintable():
        raise ValueError(raw)
    parts = urlsplit(raw.strip())
    local = parts.hostname in ("127.0.0.1", "localhost", "::1")
    if parts.scheme not in (("http", "https") if local else ("https",)) or not parts.hostname:
        raise ValueError(raw)
    if "@" in parts.netloc or parts.query or parts.fragment or re.search(r"[\\\s]", raw.strip()) or parts.port == 0:
        raise ValueError(raw)
    return raw.strip().rstrip("/")


def read_language(raw: object) -> str:
    """Return the language a name or locale stands for, or raise ValueError."""
    # A whole locale name such as ja_JP.UTF-8 is taken, too.
    language = re.split(r"[_.-]", raw.strip().lower())[0] if isinstance(raw, str) else ""
    if language not in LANGUAGES:
        raise ValueError(raw)
    return language
