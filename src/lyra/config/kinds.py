"""The kinds of values that settings take."""

import math
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from lyra.core.messages import LANGUAGES

_MAX_TEXT = 500


@dataclass(frozen=True, slots=True)
class Kind:
    """What a setting takes: `takes` says it for people, `read` returns the value or raises ValueError.

    `from_text` makes the value that a flag or a variable, which can only be text, stands for. A secret is never shown.
    """

    takes: str
    read: Callable[[object], str | int | float]
    from_text: Callable[[str], object] = str
    secret: bool = False


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


def choice(*words: str) -> Kind:
    """Return the kind of one word out of a few."""

    def read(raw: object) -> str:
        if not isinstance(raw, str) or raw.strip().lower() not in words:
            raise ValueError(raw)
        return raw.strip().lower()

    return Kind(" | ".join(words), read)


def switch() -> Kind:
    """Return the kind of what is on or off; the file may also say true or false."""
    word = choice("on", "off")

    def read(raw: object) -> str | int | float:
        return word.read({True: "on", False: "off"}[raw] if isinstance(raw, bool) else raw)

    return Kind(word.takes, read)


def read_text(raw: object) -> str:
    """Return a short text on one line, or raise ValueError; the word `none` stands for none."""
    if not isinstance(raw, str) or not raw.strip() or not raw.isprintable() or len(raw) > _MAX_TEXT:
        raise ValueError(raw)
    return "none" if raw.strip().lower() == "none" else raw.strip()


def read_secret(raw: object) -> str:
    """Return a key as it goes into a header, or `none`; raises ValueError, without the key in it."""
    if not isinstance(raw, str) or not raw.isascii() or not raw.isprintable() or not raw.strip() or " " in raw.strip():
        raise ValueError("a key")
    return "none" if raw.strip().lower() == "none" else raw.strip()


def read_names(raw: object, pattern: str = r"[A-Za-z0-9][A-Za-z0-9_.-]*") -> str:
    """Return names from a list, or from a text with commas, joined by commas; `none` for no name. Raises ValueError."""
    parts = raw if isinstance(raw, list) else raw.split(",") if isinstance(raw, str) and raw.strip() else None
    if parts is None or not all(isinstance(part, str) and re.fullmatch(pattern, part.strip()) for part in parts):
        raise ValueError(raw)
    names = list(dict.fromkeys(part.strip() for part in parts))
    return ",".join(names) if names and names != ["none"] else "none"


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
