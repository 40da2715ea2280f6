"""What is taken out of every text before it is stored: characters nobody can see, and line ends of other systems.

Nothing else is changed. Quotes are slices of the stored text, so it is neither normalised nor re-spaced here.
"""

import re

_LINE_END = re.compile("\r\n?|[\x0b\x0c\x85\u2028]")
_PARAGRAPH_END = "\u2029"
# Controls, zero-width characters, soft hyphens, bidi controls, invisible operators, annotation marks, tag characters, and
# the halves of surrogate pairs: they carry hidden instructions or break storage, never words.
_UNSEEN = re.compile(
    "[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ufffe\uffff"
    "\U000e0000-\U000e007f\ud800-\udfff]"
)
# One variation selector picks a glyph (as in Japanese names); a run of them is a smuggled message.
_SELECTOR_RUN = re.compile("[\ufe00-\ufe0f\U000e0100-\U000e01ef]{2,}")


def clean_text(text: str) -> str:
    """Return `text` with `\\n` line ends and without characters that cannot be seen. Idempotent."""
    with_lines = _LINE_END.sub("\n", text).replace(_PARAGRAPH_END, "\n\n")
    return _SELECTOR_RUN.sub("", _UNSEEN.sub("", with_lines))


def clean_line(text: str) -> str:
    """Return `text` cleaned, on one line, with white space folded: the form of titles, names and headings."""
    return " ".join(clean_text(text).split())
