"""The sections of a policy file, from what its YAML says to values; every mistake is named with its line."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from difflib import get_close_matches
from pathlib import Path

from lyra.core.domain_policy import WIKIPEDIA_MODES, Policy, Terms
from lyra.core.domains import BLOCKED, CATEGORIES
from lyra.core.errors import ConfigError
from lyra.core.identity import normalise_host
from lyra.providers.policy_yaml import Fields, Items, Text, Written

_LISTS = ("allowlist", "graylist", "denylist", "user_overrides")
_SECTIONS = ("default", *_LISTS, "superseded_thresholds", "wikipedia_mode")
_LABELS = re.compile(r"[a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63})*")
_WHOLE, _NUMBER = re.compile(r"\d{1,9}", re.ASCII), re.compile(r"\d{1,6}(?:\.\d{1,6})?", re.ASCII)
_MAX_REASON_CHARS = 2_000
_MAX_HOST_CHARS = 253


@dataclass(frozen=True, slots=True)
class _Field:
    """What a field takes, in words, and how it is read; `read` raises ValueError for anything else."""

    takes: str
    read: Callable[[str], object]


def _number(low: float, high: float, *, whole: bool) -> _Field:
    def read(text: str) -> object:
        if not (_WHOLE if whole else _NUMBER).fullmatch(text) or not low <= float(text) <= high:
            raise ValueError(text)
        return int(text) if whole else float(text)

    return _Field(f"{low:g}..{high:g}", read)


def _choice(*names: str) -> _Field:
    def read(text: str) -> object:
        if text not in names:
            raise ValueError(text)
        return text

    return _Field(" | ".join(names), read)


def _reason(text: str) -> object:
    if len(text) > _MAX_REASON_CHARS:
        raise ValueError(text)
    return text


def _moment(text: str) -> object:
    datetime.fromisoformat(text)
    return text


_TERMS = {
    "domain_category": _choice(*(name for name in reversed(CATEGORIES) if name != BLOCKED)),
    "qps": _number(0.001, 1_000, whole=False),
    "headful_ratio": _number(0, 1, whole=False),
    "max_requests_per_day": _number(0, 1_000_000, whole=True),
    "max_pages_per_day": _number(0, 1_000_000, whole=True),
    "reason": _Field(f"a text of at most {_MAX_REASON_CHARS} characters", _reason),
    "added_at": _Field("a date, such as 2026-03-01", _moment),
}
_DAYS = _number(1, 36_500, whole=True)


class PolicyWriter:
    """Puts a policy together from a file's content over a base; a section of the file replaces that of the base."""

    def __init__(self, path: Path, base: Policy) -> None:
        self._path = path
        self._base = base

    def build(self, root: Written) -> Policy:
        """Return the policy, or raise ConfigError for the first thing that cannot be used."""
        sections = self._fields(root, "", _SECTIONS)
        base = self._base
        terms = self._terms(sections.value["default"], "default") if "default" in sections.value else Terms()
        lists = {name: self._list(sections, name) for name in _LISTS}
        return Policy(
            default=terms.over(base.default),
            allowlist=base.allowlist if lists["allowlist"] is None else lists["allowlist"],
            graylist=base.graylist if lists["graylist"] is None else lists["graylist"],
            denylist=base.denylist if lists["denylist"] is None else lists["denylist"],
            user_overrides=base.user_overrides if lists["user_overrides"] is None else lists["user_overrides"],
            superseded_thresholds=self._thresholds(sections),
            wikipedia_mode=self._mode(sections),
        )

    def _list(self, sections: Fields, name: str) -> Mapping[str, Terms] | None:
        if name not in sections.value:
            return None
        found: dict[str, Terms] = {}
        for entry in self._items(sections.value[name], name):
            known = tuple(_TERMS) if name != "denylist" else ("reason", "added_at")
            fields = self._fields(entry, name, ("domain", *known))
            host = self._host(fields, name, "domain", exact=name == "user_overrides")
            if host in found:
                raise ConfigError("policy_twice", path=self._path, line=fields.lines["domain"], key=host)
            found[host] = self._terms(entry, name, ("domain",))
        return found

    def _thresholds(self, sections: Fields) -> Mapping[str, int]:
        name = "superseded_thresholds"
        if name not in sections.value:
            return self._base.superseded_thresholds
        found: dict[str, int] = {}
        for entry in self._items(sections.value[name], name):
            fields = self._fields(entry, name, ("domain_pattern", "days"))
            host = self._host(fields, name, "domain_pattern", exact=False)
            if host in found:
                raise ConfigError("policy_twice", path=self._path, line=fields.lines["domain_pattern"], key=host)
            found[host] = int(str(self._value(fields, name, "days", _DAYS)))
        return found

    def _mode(self, sections: Fields) -> str:
        if "wikipedia_mode" not in sections.value:
            return self._base.wikipedia_mode
        return str(self._value(sections, "", "wikipedia_mode", _choice(*WIKIPEDIA_MODES)))

    def _terms(self, entry: Written, section: str, besides: tuple[str, ...] = ()) -> Terms:
        fields = self._fields(entry, section, (*besides, *_TERMS))
        category = fields.value.get("domain_category")
        if isinstance(category, Text) and category.value == BLOCKED:
            raise ConfigError("policy_blocked_category", path=self._path, line=fields.lines["domain_category"], section=section)
        return Terms(**{name: self._value(fields, section, name, kind) for name, kind in _TERMS.items() if name in fields.value})  # type: ignore[arg-type]

    def _host(self, fields: Fields, section: str, key: str, *, exact: bool) -> str:
        def read(text: str) -> object:
            name = text.strip()
            if not exact:
                name = name.removeprefix("*").removeprefix(".") if name.startswith("*.") else name.removeprefix(".")
            host = normalise_host(name)
            if name.startswith((".", "*")) or not _LABELS.fullmatch(host) or len(host) > _MAX_HOST_CHARS:
                raise ValueError(text)
            return host

        takes = "a host name, such as example.com" if exact else "a domain, such as example.com, .go.jp or *.nih.gov"
        return str(self._value(fields, section, key, _Field(takes, read)))

    def _value(self, fields: Fields, section: str, key: str, kind: _Field) -> object:
        name = f"{section}.{key}" if section else key
        if key not in fields.value:
            raise ConfigError("policy_missing_key", path=self._path, line=fields.line, key=name)
        written = fields.value[key]
        try:
            if not isinstance(written, Text) or written.value is None:
                raise ValueError(key)
            return kind.read(written.value)
        except ValueError:
            shown = written.value if isinstance(written, Text) else "…"
            line = fields.lines[key]
            raise ConfigError("policy_bad_value", path=self._path, line=line, key=name, value=shown, takes=kind.takes) from None

    def _items(self, written: Written, section: str) -> tuple[Written, ...]:
        if isinstance(written, Text) and written.value is None:
            return ()
        if not isinstance(written, Items):
            raise ConfigError("policy_not_a_list", path=self._path, line=written.line, key=section)
        return written.value

    def _fields(self, written: Written, section: str, known: tuple[str, ...]) -> Fields:
        if isinstance(written, Text) and written.value is None:
            return Fields(written.line, {}, {})
        if not isinstance(written, Fields):
            raise ConfigError("policy_not_fields", path=self._path, line=written.line, known=", ".join(known))
        for key in written.value:
            if key not in known:
                nearest = get_close_matches(key, known, n=1, cutoff=0.0)[0]
                where = f"{section}.{key}" if section else key
                raise ConfigError("policy_unknown_key", path=self._path, line=written.lines[key], key=where, nearest=nearest)
        return written
