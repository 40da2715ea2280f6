"""Text laid out in columns of a terminal, where a Japanese character takes two."""

import re
import unicodedata

# A token is a run of narrow characters, or one wide one: a line may break beside any wide character.
_TOKENS = re.compile(r"\s+|[\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef]|[^\s\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef]+")
# These never start a line.
_CLOSING = "、。，．）」』】？！ー々…,.)"


def width_of(text: str) -> int:
    """Return how many columns a text takes."""
    return sum(0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


def padded(text: str, width: int) -> str:
    """Return the text filled with spaces to `width` columns."""
    return text + " " * max(0, width - width_of(text))


def wrapped(text: str, width: int) -> list[str]:
    """Return the text in lines of at most `width` columns, broken at spaces and beside wide characters."""
    lines, line = [], ""
    for token in _TOKENS.findall(text):
        hanging = len(token) == 1 and token in _CLOSING
        if line and not hanging and width_of(line + token.rstrip()) > width:
            lines.append(line.rstrip())
            line = ""
        line += token if line or not token.isspace() else ""
    return [*lines, line.rstrip()] if line.strip() or not lines else lines


def two_columns(rows: list[tuple[str, str]], width: int, indent: int = 2, widest: int = 28) -> list[str]:
    """Return rows of a name and its description; a name that is too wide gets a line of its own."""
    left = min(widest, max((width_of(name) for name, _ in rows), default=0))
    lines = []
    for name, description in rows:
        parts = wrapped(description, max(20, width - indent - left - 2))
        head = " " * indent + padded(name, left)
        if width_of(name) > left:
            lines.append(head)
            head = " " * (indent + left)
        lines.append(f"{head}  {parts[0]}".rstrip())
        lines += [" " * (indent + left + 2) + part for part in parts[1:]]
    return lines
