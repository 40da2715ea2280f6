"""Word lists of the Japanese cues, read from the package on first use: scales, words of one meaning, patterns."""

import re
import tomllib
from functools import cache
from pathlib import Path
from typing import Any


@cache
def _lists() -> dict[str, Any]:
    return tomllib.loads(Path(__file__).with_name("japanese.toml").read_text(encoding="utf-8"))


@cache
def pattern(name: str) -> re.Pattern[str]:
    """Return a pattern by name."""
    return re.compile("|".join(_lists()["patterns"][name]))


@cache
def poles() -> dict[str, tuple[re.Pattern[str], re.Pattern[str]]]:
    """Return each scale with a pattern for what raises it and one for what lowers it."""
    listed = _lists()["poles"].items()
    return {scale: (re.compile("|".join(ends["up"])), re.compile("|".join(ends["down"]))) for scale, ends in listed}


@cache
def synonyms() -> dict[str, frozenset[str]]:
    """Return for a word the words that may stand for it."""
    found: dict[str, set[str]] = {}
    for line in _lists()["synonyms"]["groups"]:
        group = set(line.split("/"))
        for word in group:
            found.setdefault(word, set()).update(group - {word})
    return {word: frozenset(others) for word, others in found.items()}
