"""What part of a text a model can read, and in which form it reads it."""

from lyra.core.identity import normalise_text

# More than real tokens have on average, in any language: text beyond it would be cut off after tokenising anyway.
CHARACTERS_PER_TOKEN = 12


def visible(text: str, tokens: int) -> tuple[int, int]:
    """Return the span of `text` that `tokens` tokens can reach; its cost does not grow with what lies beyond."""
    start = len(text) - len(text.lstrip())
    return start, min(len(text), start + tokens * CHARACTERS_PER_TOKEN)


def plain(text: str, tokens: int) -> str:
    """Return the visible part of `text` in the form in which texts are compared.

    Texts with the same content address, short enough to be read whole, give the same input: a stored judgement
    fits every sighting of its fragment. Lone surrogates, which no tokenizer takes, become `?`.
    """
    start, end = visible(text, tokens)
    return normalise_text(text[start:end]).encode("utf-8", "replace").decode("utf-8")
