"""YAML of a policy file, read without trusting it: plain texts, lists and mappings, each with its line."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lyra.core.errors import ConfigError

if TYPE_CHECKING:
    from yaml import Node

MAX_BYTES = 256 * 1024
_MAX_DEPTH = 5
_STEPS = {"SequenceStartEvent": 1, "MappingStartEvent": 1, "SequenceEndEvent": -1, "MappingEndEvent": -1}
_NOTHING = ("", "~", "null")


@dataclass(frozen=True, slots=True)
class Text:
    """A scalar as it is written; None for nothing."""

    line: int
    value: str | None


@dataclass(frozen=True, slots=True)
class Items:
    """A list."""

    line: int
    value: tuple["Written", ...]


@dataclass(frozen=True, slots=True)
class Fields:
    """A mapping; `lines` says where each key stands."""

    line: int
    value: dict[str, "Written"]
    lines: dict[str, int]


Written = Text | Items | Fields


def load(source: str, path: Path) -> Written:
    """Return what a YAML text says, every scalar as text.

    Raises ConfigError, with the line, for a text that is no YAML or uses what a policy never needs and an attacker
    might: aliases and anchors, tags, the same key twice, deep nesting.
    """
    import yaml  # noqa: PLC0415 - costs start-up time that only a home with a policy file may pay

    loader: Any = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
    try:
        _refuse_tricks(yaml.parse(source, Loader=loader), path)
        root = yaml.compose(source, Loader=loader)
    except yaml.MarkedYAMLError as problem:
        mark = problem.problem_mark or problem.context_mark
        line = 1 if mark is None else mark.line + 1
        raise ConfigError("policy_broken", path=path, line=line, detail=problem.problem or "?") from None
    except yaml.YAMLError as problem:
        position = getattr(problem, "position", 0)
        raise ConfigError("policy_broken", path=path, line=source.count("\n", 0, position) + 1, detail="character") from None
    return Fields(1, {}, {}) if root is None else _written(root, path)


def _refuse_tricks(events: "Iterator[Any]", path: Path) -> None:
    depth = 0
    for event in events:
        line = event.start_mark.line + 1
        depth += _STEPS.get(type(event).__name__, 0)
        if depth > _MAX_DEPTH:
            raise ConfigError("policy_too_deep", path=path, line=line)
        if getattr(event, "anchor", None) is not None or getattr(event, "tag", None) not in (None, "!"):
            raise ConfigError("policy_trick", path=path, line=line)


def _written(node: "Node", path: Path) -> Written:
    line = node.start_mark.line + 1
    if isinstance(node.value, str):
        plain = not getattr(node, "style", None)
        return Text(line, None if plain and node.value in _NOTHING else node.value)
    if node.value and isinstance(node.value[0], tuple):
        return _fields(node, line, path)
    if type(node).__name__ == "MappingNode":
        return Fields(line, {}, {})
    return Items(line, tuple(_written(item, path) for item in node.value))


def _fields(node: "Node", line: int, path: Path) -> Fields:
    values: dict[str, Written] = {}
    lines: dict[str, int] = {}
    for key, value in node.value:
        at = key.start_mark.line + 1
        if not isinstance(key.value, str):
            raise ConfigError("policy_bad_key", path=path, line=at)
        if key.value in values:
            raise ConfigError("policy_twice", path=path, line=at, key=key.value)
        values[key.value], lines[key.value] = _written(value, path), at
    return Fields(line, values, lines)
