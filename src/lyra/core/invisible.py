"""Messages in characters that nobody sees: what they say, once they are made visible.

Four channels are read: the tag characters that mirror ASCII, runs of variation selectors that stand for bytes, two zero-width
characters that stand for bits, and text that a mark turns round. Emoji, names with glyph variants, and scripts that need
joiners or marks of direction use the same characters in ways that spell nothing.
"""

import re
from collections.abc import Iterator

_TAG_BASE = 0xE0000
_TAG_RUN = re.compile("[\U000e0020-\U000e007e]{3,}")
# A black flag and six or so tag letters are the flag of a region.
_FLAG = re.compile("\U0001f3f4[\U000e0020-\U000e007e]{2,8}\U000e007f")
_SELECTORS = re.compile("[\ufe00-\ufe0f\U000e0100-\U000e01ef]{4,}")
_LOW_SELECTOR, _HIGH_SELECTOR = 0xFE00, 0xE0100
_LOW_COUNT = 16
_BIT_RUN = re.compile("[\u200b\u200c\u200d\u2060\u2061-\u2064\ufeff]{16,}")
_BITS_PER_BYTE = 8
_TURNED = re.compile("\u202e([^\u202c\u202e\n]{3,400})")
_MIN_LETTERS = 3


def smuggled(text: str) -> tuple[str, ...]:
    """Return the messages in `text` that are written in characters without a glyph, decoded; empty for ordinary text."""
    if text.isascii():
        return ()
    found = [*_tags(_FLAG.sub("", text)), *_selectors(text), *_bits(text), *_turned(text)]
    return tuple(message for message in found if sum(map(str.isalpha, message)) >= _MIN_LETTERS)


def _tags(text: str) -> Iterator[str]:
    runs = ["".join(chr(ord(character) - _TAG_BASE) for character in match[0]) for match in _TAG_RUN.finditer(text)]
    if runs:
        yield " ".join(runs)


def _selectors(text: str) -> Iterator[str]:
    for match in _SELECTORS.finditer(text):
        codes = [ord(character) for character in match[0]]
        yield from _decoded(
            bytes(code - _LOW_SELECTOR if code < _HIGH_SELECTOR else code - _HIGH_SELECTOR + _LOW_COUNT for code in codes)
        )


def _bits(text: str) -> Iterator[str]:
    """Yield what runs of two alternating zero-width characters say, whichever of the two stands for one."""
    for match in _BIT_RUN.finditer(text):
        kinds = sorted(set(match[0]))
        if len(kinds) != 2:  # noqa: PLR2004 - a bit has two values
            continue
        for one in kinds:
            bits = "".join("1" if character == one else "0" for character in match[0])
            whole = len(bits) - len(bits) % _BITS_PER_BYTE
            yield from _decoded(bytes(int(bits[at : at + _BITS_PER_BYTE], 2) for at in range(0, whole, _BITS_PER_BYTE)))


def _decoded(data: bytes) -> Iterator[str]:
    try:
        message = data.decode("utf-8")
    except UnicodeDecodeError:
        return
    if message.isprintable():
        yield message


def _turned(text: str) -> Iterator[str]:
    for match in _TURNED.finditer(text):
        yield match[1][::-1]
