"""The patterns of planted instructions, from the files beside this module: one per language, read once, when first needed."""

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import cache
from importlib import resources

_LANGUAGES = ("english", "japanese")


class Enough(IntEnum):
    """Where a pattern is enough by itself: anywhere, only where nobody reads, or only beside words that address a machine."""

    ANYWHERE = 1
    UNSEEN = 2
    ADDRESSED = 3


@dataclass(frozen=True, slots=True)
class Rule:
    """One kind of instruction; `family` names it in a finding."""

    family: str
    enough: Enough
    pattern: re.Pattern[str]


@dataclass(frozen=True, slots=True)
class Patterns:
    """The rules of one language, most telling first, and the words by which a machine is addressed.

    `spoken_to` matches where a machine is spoken to, `told` where one is told what it must do, `own` where a text
    speaks of itself; `reported` matches in a sentence that speaks about instructions and gives none.
    """

    rules: tuple[Rule, ...]
    spoken_to: re.Pattern[str]
    told: re.Pattern[str]
    own: re.Pattern[str]
    reported: re.Pattern[str]


@cache
def all_patterns() -> tuple[Patterns, ...]:
    """Return the patterns of every language."""
    return tuple(map(_load, _LANGUAGES))


def _load(language: str) -> Patterns:
    source = (resources.files("lyra.core.dangerous") / f"{language}.toml").read_text(encoding="utf-8")
    data = tomllib.loads(source)
    words: Mapping[str, str] = data["vocabulary"]
    # Between the words of a language with blanks, a pattern begins where a word does.
    start = r"(?<!\w)" if words else ""

    def compiled(alternatives: Sequence[str], before: str = start) -> re.Pattern[str]:
        joined = "|".join(f"(?:{one})" for one in alternatives)
        for name, meaning in words.items():
            joined = joined.replace(name, meaning)
        return re.compile(f"{before}(?:{joined})")

    address = data["address"]
    rules = [Rule(rule["family"], Enough[rule["enough"].upper()], compiled(rule["patterns"])) for rule in data["rule"]]
    return Patterns(
        rules=tuple(sorted(rules, key=lambda rule: rule.enough)),
        spoken_to=compiled([start + one for one in address["spoken_to"]] + address["vocative"] + address["boundary"], ""),
        told=compiled(address["told"]),
        own=compiled(address["self"]),
        reported=compiled(address["reported"]),
    )
