"""Settings: read once, each value with where it came from. Flag > environment > file > default."""

import math
import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path

from platformdirs import user_config_dir, user_data_dir

from lyra.core.errors import ConfigError
from lyra.core.messages import LANGUAGES, choose_language

APPLICATION = "lyra"
FILE_NAME = "lyra.toml"
PREFIX = "LYRA_"
# Read by the program, but not settings: where the file is, and whether a bug shows its traceback.
NOT_SETTINGS = ("LYRA_CONFIG", "LYRA_DEBUG")
_LOCALE_VARIABLES = ("LC_ALL", "LC_MESSAGES", "LANG")


@dataclass(frozen=True, slots=True)
class JudgeSettings:
    """How claims are judged. `threads` 0 means all processors."""

    top_k: int
    threads: int


@dataclass(frozen=True, slots=True)
class SearchSettings:
    """How far a search goes for each query."""

    fragments: int
    max_claims: int


@dataclass(frozen=True, slots=True)
class LibrarySettings:
    """What a document may cost before it is given up."""

    max_file_mb: int
    pdf_seconds: int
    pdf_memory_mb: int


@dataclass(frozen=True, slots=True)
class StoreSettings:
    """How the store is opened: how long to wait for another process that writes."""

    busy_seconds: float


@dataclass(frozen=True, slots=True)
class Setting:
    """One value and its origin: `flag`, `environment NAME`, `file PATH` or `default`."""

    key: str
    value: str | int | float
    origin: str


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything that can be set. `values` lists each setting with its origin; `path` is the file looked for."""

    home: Path
    lang: str
    judge: JudgeSettings
    search: SearchSettings
    library: LibrarySettings
    store: StoreSettings
    values: tuple[Setting, ...]
    path: Path


@dataclass(frozen=True, slots=True)
class _Kind:
    """What a setting takes: `takes` says it for people, `read` returns the value or raises ValueError.

    `from_text` makes the value that a flag or a variable, which can only be text, stands for.
    """

    takes: str
    read: Callable[[object], str | int | float]
    from_text: Callable[[str], object] = str


def _number(low: float, high: float, *, whole: bool) -> _Kind:
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

    return _Kind(f"{low:g}..{high:g}", read, from_text)


def _read_path(raw: object) -> str:
    # The database takes neither a NUL nor a name that is no Unicode.
    if not isinstance(raw, str) or not raw.strip() or re.search(r"[\0\ud800-\udfff]", raw):
        raise ValueError(raw)
    return str(_expanded(raw).absolute())


def _expanded(path: str) -> Path:
    try:
        return Path(path).expanduser()
    except RuntimeError as failure:  # ~somebody who does not exist
        raise ValueError(path) from failure


def _read_language(raw: object) -> str:
    # A whole locale name such as ja_JP.UTF-8 is taken, too.
    language = re.split(r"[_.-]", raw.strip().lower())[0] if isinstance(raw, str) else ""
    if language not in LANGUAGES:
        raise ValueError(raw)
    return language


_KINDS = {
    "home": _Kind("a directory", _read_path),
    "lang": _Kind(" | ".join(LANGUAGES), _read_language),
    "judge.top_k": _number(1, 200, whole=True),
    "judge.threads": _number(0, 256, whole=True),
    "search.fragments": _number(1, 200, whole=True),
    "search.max_claims": _number(1, 200, whole=True),
    "library.max_file_mb": _number(1, 4096, whole=True),
    "library.pdf_seconds": _number(1, 3600, whole=True),
    "library.pdf_memory_mb": _number(128, 65536, whole=True),
    "store.busy_seconds": _number(0, 3600, whole=False),
}
_DEFAULTS: dict[str, int | float] = {
    "judge.top_k": 20,
    "judge.threads": 0,
    "search.fragments": 10,
    "search.max_claims": 8,
    "library.max_file_mb": 64,
    "library.pdf_seconds": 60,
    "library.pdf_memory_mb": 1024,
    "store.busy_seconds": 30.0,
}
KEYS = tuple(_KINDS)


def read_settings(flags: Mapping[str, str], environ: Mapping[str, str]) -> Settings:
    """Return the settings in force. `flags` holds values given for this call, by key.

    Raises ConfigError for an unknown key (naming the nearest), a value a key cannot take, or a file that
    cannot be read.
    """
    path, in_file = _read_file(environ)
    found = {}
    for key, kind in _KINDS.items():
        origin, raw = _raw_value(key, flags, environ, in_file, path)
        try:
            typed = kind.from_text(raw) if isinstance(raw, str) and not origin.startswith("file ") else raw
            found[key] = Setting(key, kind.read(typed), origin)
        except ValueError:
            raise ConfigError("bad_setting", key=key, value=raw, origin=origin, takes=kind.takes) from None
    return _build(found, path)


def variable_of(key: str) -> str:
    """Return the environment variable of a setting."""
    return PREFIX + key.upper().replace(".", "_")


def unknown_variables(environ: Mapping[str, str]) -> list[tuple[str, str]]:
    """Return the variables that look like settings and are none, each with the nearest one that is.

    They are not refused, unlike keys of the file: the environment belongs to more programs than this one.
    """
    known = [*map(variable_of, KEYS), *NOT_SETTINGS]
    strange = sorted(name for name in environ if name.startswith(PREFIX) and name not in known)
    return [(name, _nearest(name, known)) for name in strange]


def _raw_value(
    key: str, flags: Mapping[str, str], environ: Mapping[str, str], in_file: Mapping[str, object], path: Path
) -> tuple[str, object]:
    """Return where the value of a key comes from, and the value as given there."""
    if key in flags:
        return "flag", flags[key]
    variable = variable_of(key)
    if environ.get(variable):
        return f"environment {variable}", environ[variable]
    if key in in_file:
        return f"file {path}", in_file[key]
    if key == "home":
        return "default", user_data_dir(APPLICATION, appauthor=False)
    if key == "lang":
        named = next((name for name in _LOCALE_VARIABLES if environ.get(name)), None)
        return f"environment {named}" if named else "default", choose_language(None, environ)
    return "default", _DEFAULTS[key]


def _read_file(environ: Mapping[str, str]) -> tuple[Path, dict[str, object]]:
    named = environ.get("LYRA_CONFIG")
    path = Path(named) if named else Path(user_config_dir(APPLICATION, appauthor=False)) / FILE_NAME
    try:
        content = _expanded(str(path)).read_bytes()
    except FileNotFoundError:
        if named:
            raise ConfigError("config_missing", path=path) from None
        return path, {}
    except (OSError, ValueError) as failure:
        raise ConfigError("config_unreadable", path=path, detail=getattr(failure, "strerror", "?")) from None
    try:
        tables = tomllib.loads(content.decode("utf-8-sig"))
    except UnicodeDecodeError as failure:
        line = content.count(b"\n", 0, failure.start) + 1
        raise ConfigError("config_broken", path=path, line=line, detail="not UTF-8") from None
    except tomllib.TOMLDecodeError as failure:
        line = _line_of(str(failure), content)
        raise ConfigError("config_broken", path=path, line=line, detail=str(failure)) from None
    return path, _flatten(tables, path)


def _line_of(message: str, content: bytes) -> int:
    """Return the line a TOML error names; the last one where it says "end of document"."""
    match = re.search(r"line (\d+)", message)
    return int(match[1]) if match else content.count(b"\n") + 1


def _flatten(tables: Mapping[str, object], path: Path) -> dict[str, object]:
    """Return the values of the file by dotted key, or refuse the first key that is no setting."""
    values: dict[str, object] = {}
    for name, value in tables.items():
        entries = {f"{name}.{inner}": v for inner, v in value.items()} if isinstance(value, dict) else {name: value}
        values.update(entries)
    for key in values:
        if key not in KEYS:
            raise ConfigError("unknown_setting", key=key, path=path, nearest=_nearest(key, KEYS))
    return values


def _nearest(name: str, known: list[str] | tuple[str, ...]) -> str:
    return get_close_matches(name, known, n=1, cutoff=0.0)[0]


def _build(found: Mapping[str, Setting], path: Path) -> Settings:
    def whole(key: str) -> int:
        return int(found[key].value)

    return Settings(
        home=Path(str(found["home"].value)),
        lang=str(found["lang"].value),
        judge=JudgeSettings(whole("judge.top_k"), whole("judge.threads")),
        search=SearchSettings(whole("search.fragments"), whole("search.max_claims")),
        library=LibrarySettings(whole("library.max_file_mb"), whole("library.pdf_seconds"), whole("library.pdf_memory_mb")),
        store=StoreSettings(float(found["store.busy_seconds"].value)),
        values=tuple(found.values()),
        path=path,
    )
