"""The knowledge that verification goes by: patterns with caps and floors, and the names of the rules. Data, and replaceable."""

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources

from lyra.core.errors import InvalidInput
from lyra.reports.model import RULES
from lyra.reports.scale import CONFIDENCES

_SHIPPED = "knowledge.toml"


@dataclass(frozen=True, slots=True)
class Pattern:
    """A pattern that analysts reject or rate highly; `limit` is its cap or its floor, `basis` the scores it was drawn from."""

    id: str
    name: str
    summary: str
    limit: int
    basis: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Knowledge:
    """Rejection patterns by id, high patterns by id, and rule names by number."""

    version: str
    rejections: Mapping[str, Pattern]
    highs: Mapping[str, Pattern]
    rules: Mapping[int, str]

    def cap(self, rejections: Iterable[str]) -> int | None:
        """Return the lowest cap of the patterns named; None when none of them has one."""
        return min((self.rejections[one].limit for one in rejections if one in self.rejections), default=None)

    def floor(self, matches: Iterable[str], cap: int | None) -> int | None:
        """Return the highest floor that holds: floors above the lowest cap are void."""
        floors = [self.highs[one].limit for one in matches if one in self.highs]
        return max((floor for floor in floors if cap is None or floor <= cap), default=None)


def read_knowledge(data: bytes, where: str) -> Knowledge:
    """Return the knowledge in a TOML file. Raises InvalidInput naming the place that cannot be used."""
    try:
        table = tomllib.loads(data.decode("utf-8").removeprefix("\ufeff"))
    except UnicodeDecodeError as failure:
        raise InvalidInput("report_not_utf8", path=where, position=failure.start) from None
    except (tomllib.TOMLDecodeError, RecursionError) as failure:
        raise InvalidInput("report_knowledge_broken", path=where, detail=failure) from None
    version = table.get("version")
    if not isinstance(version, str) or not version:
        raise InvalidInput("report_knowledge_field", path=where, where="version", expected='"v1.0.0"')
    rules = _table(table, "rules", where)
    return Knowledge(
        version=version,
        rejections=_patterns(table, "rejections", "cap", where),
        highs=_patterns(table, "highs", "floor", where),
        rules={rule: _text(rules, str(rule), f"rules.{rule}", where) for rule in RULES},
    )


@cache
def shipped_knowledge() -> Knowledge:
    """Return the knowledge that comes with the program."""
    return read_knowledge((resources.files("lyra.reports") / _SHIPPED).read_bytes(), _SHIPPED)


def _table(value: Mapping[str, object], name: str, where: str) -> Mapping[str, object]:
    found = value.get(name)
    if not isinstance(found, dict):
        raise InvalidInput("report_knowledge_field", path=where, where=name, expected=f"[{name}]")
    return found


def _text(value: Mapping[str, object], name: str, place: str, where: str) -> str:
    found = value.get(name)
    if not isinstance(found, str) or not found.strip():
        raise InvalidInput("report_knowledge_field", path=where, where=place, expected='"…"')
    return found


def _patterns(table: Mapping[str, object], name: str, limit: str, where: str) -> Mapping[str, Pattern]:
    found = {}
    for pattern_id in _table(table, name, where):
        place = f"{name}.{pattern_id}"
        entry = _table(_table(table, name, where), pattern_id, where)
        value, basis = entry.get(limit), entry.get("basis", [])
        if isinstance(value, bool) or value not in CONFIDENCES:
            raise InvalidInput("report_knowledge_field", path=where, where=f"{place}.{limit}", expected=_values())
        if not isinstance(basis, list):
            raise InvalidInput("report_knowledge_field", path=where, where=f"{place}.basis", expected="[…]")
        words = (_text(entry, "name", f"{place}.name", where), _text(entry, "summary", f"{place}.summary", where))
        found[pattern_id] = Pattern(pattern_id, *words, int(str(value)), tuple(map(str, basis)))
    return found


def _values() -> str:
    return " / ".join(map(str, CONFIDENCES))
