"""Text that others wrote, made safe to show. It may hold anything: escapes for a terminal, marks that reorder a line."""

import re
import unicodedata

# Joiners shape words in several scripts and belong to the text; all other format characters are invisible tricks.
_JOINERS = "\u200c\u200d"
_DROPPED_CATEGORIES = ("Cc", "Cf", "Cs")
_WIDE = r"[\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef]"
_BREAK_INSIDE_CJK = re.compile(rf"(?<={_WIDE})[^\S\u3000]*\n[^\S\u3000]*(?={_WIDE})")


def on_one_line(text: str) -> str:
    """Return the text as one line of visible characters.

    White space is folded, a line break between two CJK characters vanishes (it was never a space), and
    control, bidirectional, tag and zero-width characters are dropped.
    """
    spaced = " ".join(_BREAK_INSIDE_CJK.sub("", text).split())
    if spaced.isprintable():  # most text; looking at each character takes ten times as long
        return spaced
    kept = "".join(c for c in spaced if unicodedata.category(c) not in _DROPPED_CATEGORIES or c in _JOINERS)
    return " ".join(kept.split())


def readable(argument: str) -> str:
    """Return an argument of the command line as Unicode: bytes that are no characters become U+FFFD."""
    return argument.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def shortened(text: str, limit: int) -> str:
    """Return at most `limit` characters of a line, the cut marked, at a space where one is near."""
    if len(text) <= limit:
        return text
    head = text[: limit - 1]
    space = head.rfind(" ")
    return (head[:space] if space > limit * 2 // 3 else head).rstrip() + "…"
