"""Word lists of templated pairs, kept as data."""

from __future__ import annotations

import tomllib
from pathlib import Path


class Lexicon:
    """The lists of one TOML file beside this module."""

    def __init__(self, name: str) -> None:
        self._lists = tomllib.loads((Path(__file__).parent / name).read_text(encoding="utf-8"))

    def words(self, name: str) -> list[str]:
        """A list of single words or phrases."""
        return list(self._lists[name])

    def together(self, name: str) -> list[tuple[str, ...]]:
        """A list of words that go together, each line parted at its slashes."""
        return [tuple(line.split("/")) for line in self._lists[name]]
