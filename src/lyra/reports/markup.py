"""Text of others put into Markdown so that it stays text, and comparison of texts however they were marked up."""

import re
import unicodedata

from lyra.reports.phrases import ANNOTATION

_SPECIAL = re.compile(r"[\\`*\[\]|~#]")
_HTML = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;"})
# An underscore inside a word is only an underscore.
_UNDERSCORE = re.compile(r"(?<![^\W_])_|_(?![^\W_])")
_LINE_START = re.compile(r"^(?:(?=[+=:-])|(\d{1,9})(?=[.)]))")
_UNDERLINED = re.compile(r"<u>(.*?)</u>", re.DOTALL)
_JOINERS = "\u200c\u200d"
_DROPPED = ("Cc", "Cf", "Cs", "Co", "Cn")
_SPACE = re.compile(r"[^\S\u3000]+")


def one_line(text: str) -> str:
    """Return a text on one line, of visible characters: white space folded, control and bidirectional characters dropped."""
    folded = _SPACE.sub(" ", text).strip()
    if folded.isprintable():
        return folded
    return _SPACE.sub(" ", "".join(map(_visible, folded))).strip()


def _visible(char: str) -> str:
    return char if unicodedata.category(char) not in _DROPPED or char in _JOINERS else ""


def escaped(text: str) -> str:
    """Return one line of Markdown, fit for a paragraph, a heading or a table cell, that shows the text and nothing else.

    The annotation of a correction is only ever written by corrections: in a text of others its brackets become wide ones.
    """
    own = one_line(text).replace(ANNOTATION, f"［{ANNOTATION[1:-1]}］")
    marked = _SPECIAL.sub(r"\\\g<0>", own)
    marked = _UNDERSCORE.sub(r"\\_", marked).translate(_HTML)
    return _LINE_START.sub(r"\1\\", marked)


def commented(text: str) -> str:
    """Return a comment as one line of Markdown: `<u>` keeps its meaning, everything else is text."""
    pieces = _UNDERLINED.split(text)
    shown = [_inner(piece) if at % 2 == 0 else f"<u>{escaped(piece)}</u>" for at, piece in enumerate(pieces) if piece.strip()]
    return _LINE_START.sub(r"\1\\", "".join(shown).strip())


def _inner(piece: str) -> str:
    """Escape a piece from inside a line; only a space at its edge may be lost elsewhere, not here."""
    lead = " " if piece[:1].isspace() else ""
    trail = " " if piece[-1:].isspace() else ""
    return f"{lead}{escaped(piece)}{trail}"


def paragraphs(text: str) -> str:
    """Return a text of several lines as Markdown paragraphs, one for each line that says something."""
    return "\n\n".join(line for line in map(escaped, text.split("\n")) if line)


def shortened(text: str, limit: int = 30) -> str:
    """Return at most `limit` characters of a line; what is cut ends in `…`."""
    line = one_line(text)
    return line if len(line) <= limit else line[: limit - 1].rstrip() + "…"


def essence(text: str) -> str:
    """Return what of a text is compared: no spaces, no invisible characters, one form of each letter."""
    folded = "".join(unicodedata.normalize("NFKC", text).split())
    return (folded if folded.isprintable() else "".join(map(_visible, folded))).casefold()


def contains(text: str, part: str) -> bool:
    """Return whether a shown text holds another, however either is spaced."""
    return essence(part) in essence(text)
