"""Sentences for people, by code, from the English and Japanese catalogues shipped beside this module."""

import re
import tomllib
from collections.abc import Mapping
from functools import cache
from importlib import resources

LANGUAGES = ("en", "ja")
PLACE = re.compile(r"\{([a-z_]+)\}")


@cache
def _catalogue(lang: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for part in sorted((resources.files("lyra.core") / "catalogues" / lang).iterdir(), key=lambda entry: entry.name):
        for section, entries in tomllib.loads(part.read_text(encoding="utf-8")).items():
            for key, sentence in entries.items():
                if found.setdefault(f"{section}.{key}", str(sentence)) != sentence:
                    raise ValueError(f"{part.name}: {section}.{key} has a sentence in another file")
    return found


def codes(lang: str = "en") -> frozenset[str]:
    """Return every message code of a catalogue (the two languages hold the same ones)."""
    return frozenset(_catalogue(lang))


def render(code: str, lang: str = "en", **params: object) -> str:
    """Return the sentence for `code`, its `{name}` places filled from `params`.

    A value is put in as it is, even when it looks like a place itself; a place without a value stays as
    written. An unknown language reads English. Raises KeyError for an unknown code: a code without a sentence
    is a programming mistake that the tests catch.
    """
    sentence = _catalogue(lang if lang in LANGUAGES else "en")[code]
    return PLACE.sub(lambda place: str(params.get(place[1], place[0])), sentence)


def choose_language(explicit: str | None, environ: Mapping[str, str]) -> str:
    """Return the language for people: the explicit choice, else LYRA_LANG, else the locale, else English."""
    for candidate in (explicit, environ.get("LYRA_LANG"), environ.get("LC_ALL"), environ.get("LC_MESSAGES"), environ.get("LANG")):
        if candidate:
            return "ja" if candidate.lower().startswith("ja") else "en"
    return "en"
