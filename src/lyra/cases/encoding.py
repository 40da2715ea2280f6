"""Files as they come from spreadsheets: which encoding a byte stream is in, found without holding it in memory."""

import codecs
from collections.abc import Callable, Iterator
from typing import BinaryIO

from lyra.core.errors import InvalidInput

Opener = Callable[[], BinaryIO]

UTF_8 = "utf-8"
_CHUNK = 1 << 20
_BOMS = ((codecs.BOM_UTF8, "utf-8-sig"), (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"))
# What Japanese spreadsheets write; the two take each other's bytes for rows of half-width katakana.
_JAPANESE = ("cp932", "euc_jp")


def encoding_of(opener: Opener, name: str) -> str:
    """Return the encoding a file is in: what its mark says, UTF-8, Shift_JIS (as Windows has it) or EUC-JP.

    Raises InvalidInput for bytes that are text in none of them.
    """
    with opener() as stream:
        head = stream.read(4)
    for mark, encoding in _BOMS:
        if head.startswith(mark):
            return encoding
    if _strangeness(opener, UTF_8) is not None:
        return UTF_8
    scores = {encoding: _strangeness(opener, encoding) for encoding in _JAPANESE}
    fitting = [(score, encoding) for encoding, score in scores.items() if score is not None]
    if not fitting:
        raise InvalidInput("cases_not_text", path=name)
    return min(fitting, key=lambda one: one[0])[1]


def _strangeness(opener: Opener, encoding: str) -> int | None:
    """Return how many half-width katakana a file shows in an encoding; None where it is no text in it."""
    count = 0
    try:
        for text in decoded(opener, encoding):
            if "\0" in text:
                return None
            if encoding != UTF_8:
                count += sum("\uff61" <= c <= "\uff9f" for c in text)
    except UnicodeDecodeError:
        return None
    return count


def decoded(opener: Opener, encoding: str) -> Iterator[str]:
    """Yield the text of a file in pieces, without the mark at its beginning."""
    decoder = codecs.getincrementaldecoder(encoding)()
    with opener() as stream:
        while chunk := stream.read(_CHUNK):
            yield decoder.decode(chunk)
    yield decoder.decode(b"", final=True)
