"""LaTeX in bibliographies as plain text: accents, braces and the few commands that titles and abstracts use."""

import re
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pylatexenc.latex2text import LatexNodes2Text

# Decoding takes about seven microseconds a character: longer texts are kept as they are written.
LONGEST_DECODED = 200_000
_MARKUP = re.compile(r"[\\{}$~]|--|``|''")
# A percent sign begins a comment in LaTeX; in a bibliography somebody forgot to escape it, and the rest is text.
_BARE_PERCENT = re.compile(r"(?<!\\)%")
# The decoder fails on the first and drops what the others hold.
_PASSED_OVER = re.compile(r"\\href\s*\{[^{}]*\}|\\(?:mbox|hbox|text)(?=\s*\{)")
_CHARACTERS = {
    "textbraceleft": "{",
    "textbraceright": "}",
    "textasciitilde": "~",
    "textasciicircum": "^",
    "textless": "<",
    "textgreater": ">",
}
# What the decoder raises for input that it does not foresee.
_SURPRISES = (ValueError, TypeError, LookupError, AttributeError, RecursionError)


def plain_text(written: str) -> str | None:
    """Return the text that LaTeX stands for; None where it is too long, or too odd, to be worked out."""
    if not _MARKUP.search(written):
        return written
    if len(written) > LONGEST_DECODED:
        return None
    prepared = _PASSED_OVER.sub("", _BARE_PERCENT.sub(r"\\%", written))
    try:
        return str(_decoder().latex_to_text(prepared))
    except _SURPRISES:
        return None


@cache
def _decoder() -> "LatexNodes2Text":
    # Slow to import, and only BibTeX needs it.
    from pylatexenc.latex2text import LatexNodes2Text, MacroTextSpec, get_default_latex_context_db  # noqa: PLC0415

    context = get_default_latex_context_db()
    macros = [MacroTextSpec(name, simplify_repl=character) for name, character in _CHARACTERS.items()]
    # Addresses stand as they are, without angle brackets.
    context.add_context_category("bibliography", prepend=True, macros=[*macros, MacroTextSpec("url", simplify_repl="%s")])
    return LatexNodes2Text(latex_context=context, math_mode="verbatim")
