"""The word lists of the English cues, by stem."""

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

from lyra.core.cues.english_words import stem
from lyra.core.lexicon import words

_PACKAGE = "lyra.core.cues"
Groups = Mapping[str, frozenset[str]]


@dataclass(frozen=True, slots=True)
class Lexicon:
    """What the cues know of English words. Keys and members are stems, but for what is matched as written."""

    up: frozenset[str]
    down: frozenset[str]
    negators: frozenset[str]
    denying: frozenset[str]
    prefixes: tuple[str, ...]
    nulls: tuple[str, ...]
    hedges: frozenset[str]
    hedge_phrases: tuple[str, ...]
    certain: frozenset[str]
    specific: Groups
    shares: Mapping[str, tuple[float, float]]
    links: frozenset[str]
    link_phrases: tuple[str, ...]
    causal: frozenset[str]
    experiment: frozenset[str]
    stop: frozenset[str]
    population: Groups
    sisters: Groups
    synonyms: Groups
    antonyms: Groups


@cache
def lexicon() -> Lexicon:
    """Return the lists of the package, read once."""
    lists, pairs = _read("english.toml"), _read("english_pairs.toml")
    causes, more = lists["causes"], lists["lists"]
    return Lexicon(
        up=_stems(lists["up"]),
        down=_stems(lists["down"]),
        negators=words(lists["negators"]) | words(lists["weak_negators"]),
        denying=_stems(lists["denying"]),
        prefixes=tuple(lists["prefixes"].split()),
        nulls=tuple(lists["nulls"]),
        hedges=words(lists["hedges"]),
        hedge_phrases=tuple(lists["hedge_phrases"]),
        certain=words(lists["certain"]),
        specific=_groups(lists["dimensions"]["specific"], lonely=True),
        shares={name.replace("_", " "): (low, high) for name, (low, high) in lists["shares"].items()},
        links=words(causes["links"]),
        link_phrases=tuple(causes["link_phrases"]),
        causal=words(causes["causal"]),
        experiment=words(causes["experiment"]),
        stop=words(more["stop"]),
        population=_opposites(more["population"]),
        sisters=_groups(more["sisters"]),
        synonyms=_groups(pairs["synonyms"]),
        antonyms=_opposites(pairs["antonyms"]),
    )


def _read(name: str) -> dict[str, Any]:
    return tomllib.loads((resources.files(_PACKAGE) / name).read_text(encoding="utf-8"))


def _stems(listed: str) -> frozenset[str]:
    return frozenset(stem(word) for word in listed.split())


def _groups(lines: Iterable[str], lonely: bool = False) -> Groups:
    found: dict[str, set[str]] = {}
    for line in lines:
        group = _stems(line)
        for word in group:
            found.setdefault(word, set()).update(group if lonely else group - {word})
    return {word: frozenset(others) for word, others in found.items()}


def _opposites(lines: Iterable[str]) -> Groups:
    found: dict[str, set[str]] = {}
    for line in lines:
        left, right = (_stems(side) for side in line.split("/"))
        for word in left:
            found.setdefault(word, set()).update(right)
        for word in right:
            found.setdefault(word, set()).update(left)
    return {word: frozenset(others) for word, others in found.items()}
