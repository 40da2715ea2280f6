"""The word lists of the wide effect pairs, read from `effects.toml` beside this module."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Field:
    """One outcome with its factors (noun, those with it, those without it), claims and findings by direction."""

    name: str
    held_out: bool
    factors: list[tuple[str, str, str]]
    claims: dict[str, list[str]]
    findings: dict[str, list[str]]
    background: list[str]


@dataclass(frozen=True)
class Effects:
    """All fields, and the sentences they share."""

    leads: list[str]
    open: list[str]
    trained: list[Field]
    held_out: list[Field]


def read_effects() -> Effects:
    """Read the word lists."""
    data = tomllib.loads(Path(__file__).with_name("effects.toml").read_text(encoding="utf-8"))
    fields = [Field(**item) for item in data["fields"]]
    return Effects(data["leads"], data["open"], [f for f in fields if not f.held_out], [f for f in fields if f.held_out])
