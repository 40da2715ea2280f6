"""Settings: read once, each value with where it came from. Flag > environment > file > default."""

import re
import tomllib
from collections.abc import Mapping
from difflib import get_close_matches
from pathlib import Path

from platformdirs import user_config_dir, user_data_dir

from lyra.config.kinds import expanded
from lyra.config.records import Setting, Settings
from lyra.config.table import DEFAULTS, KEYS, KINDS, build
from lyra.core.errors import ConfigError
from lyra.core.messages import choose_language

__all__ = ["KEYS", "Setting", "Settings", "read_settings", "unknown_variables", "variable_of"]

APPLICATION = "lyra"
FILE_NAME = "lyra.toml"
PREFIX = "LYRA_"
# Read by the program, but not settings: where the file is, whether a bug shows its traceback, and the token of `lyra serve`.
NOT_SETTINGS = ("LYRA_CONFIG", "LYRA_DEBUG", "LYRA_SERVER_TOKEN")
_LOCALE_VARIABLES = ("LC_ALL", "LC_MESSAGES", "LANG")


def read_settings(flags: Mapping[str, str], environ: Mapping[str, str]) -> Settings:
    """Return the settings in force. `flags` holds values given for this call, by key.

    Raises ConfigError for an unknown key (naming the nearest), a value a key cannot take, or a file that
    cannot be read.
    """
    path, in_file = _read_file(environ)
    found = {}
    for key, kind in KINDS.items():
        origin, raw = _raw_value(key, flags, environ, in_file, path)
        try:
            typed = kind.from_text(raw) if isinstance(raw, str) and not origin.startswith("file ") else raw
            found[key] = Setting(key, kind.read(typed), origin)
        except ValueError:
            shown = "***" if kind.secret else raw
            raise ConfigError("bad_setting", key=key, value=shown, origin=origin, takes=kind.takes) from None
    return build(found, path)


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
    return "default", DEFAULTS[key]


def _read_file(environ: Mapping[str, str]) -> tuple[Path, dict[str, object]]:
    named = environ.get("LYRA_CONFIG")
    path = Path(named) if named else Path(user_config_dir(APPLICATION, appauthor=False)) / FILE_NAME
    try:
        content = expanded(str(path)).read_bytes()
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
    pending = list(tables.items())
    while pending:
        name, value = pending.pop(0)
        if isinstance(value, dict) and (name in tables or any(key.startswith(f"{name}.") for key in KEYS)):
            pending[:0] = [(f"{name}.{inner}", entry) for inner, entry in value.items()]
        else:
            values[name] = value
    for key in values:
        if key not in KEYS:
            raise ConfigError("unknown_setting", key=key, path=path, nearest=_nearest(key, KEYS))
    return values


def _nearest(name: str, known: list[str] | tuple[str, ...]) -> str:
    return get_close_matches(name, known, n=1, cutoff=0.0)[0]
