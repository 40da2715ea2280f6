"""What a document says where nobody reads it, bounded, so that a page cannot make its own scan expensive."""

from collections.abc import Iterable

from lyra.core.invisible import smuggled
from lyra.core.page_safety import INVISIBLE, Unseen
from lyra.providers.cleaning import clean_line

MAX_TEXTS = 2_000
MAX_CHARS = 20_000
# A shorter text cannot say much.
_MIN_LETTERS = 6


def invisible_messages(text: str) -> tuple[Unseen, ...]:
    """Return what `text` says in characters without a glyph."""
    return tuple(Unseen(INVISIBLE, message[:MAX_CHARS]) for message in smuggled(text)[:MAX_TEXTS])


def unseen_texts(place: str, texts: Iterable[str]) -> list[Unseen]:
    """Return the texts that hold words, on one line each, without repetitions; at most MAX_TEXTS of them."""
    found: dict[str, None] = {}
    for text in texts:
        found.update((message, None) for message in smuggled(text))
        line = clean_line(text)[:MAX_CHARS]
        if sum(map(str.isalpha, line)) >= _MIN_LETTERS:
            found[line] = None
        if len(found) >= MAX_TEXTS:
            break
    return [Unseen(place, text) for text in found]
