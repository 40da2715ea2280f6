"""Words that both parts of the templated English pairs use."""

from __future__ import annotations

from training.lexicons import Lexicon

Row = tuple[str, str, int]

LEXICON = Lexicon("contrasts_en.toml")
NOUNS = LEXICON.words("nouns")
DEEDS = LEXICON.together("deeds")


def start(text: str) -> str:
    """The text with a capital letter."""
    return text[0].upper() + text[1:]
