"""Text that was decoded wrongly before it reached us (mojibake): recognised, so that it is said and not judged.

A text read in the wrong encoding has tell-tale characters: the bytes that begin every kana turn into the same few
rare characters. How much of a text they cover tells a garbled text from one that only mentions such characters.
"""

import re
from functools import cache

from lyra.core.lexicon import HAN

# From here on a text is taken for garbled. Real texts lie below 0.05, garbled Japanese above 0.4.
GARBLED_SHARE = 0.25
# Fewer such places, or characters, prove nothing.
_FEWEST_PLACES, _FEWEST_CHARS = 3, 8

# What stands for the second and third byte of a UTF-8 character in Windows' Western encoding.
_TAIL = (
    "\u00a1-\u00bf\u0152\u0153\u0160\u0161\u0178\u017d\u017e\u0192\u02c6\u02dc\u2013\u2014\u2018-\u201e\u2020-\u2022"
    "\u2026\u2030\u2039\u203a\u20ac\u2122\ufffd"
)
_COVERING = (
    # Bytes that no encoding could read.
    "\ufffd+",
    # UTF-8 read as Shift_JIS, and as GBK: the first bytes of kana and Japanese punctuation.
    "[縺繧繝縲][^\\s縺繧繝縲]?",
    f"[{HAN}][\uff61-\uff9f](?=[{HAN}])",
    "[銇銈銉銆][^\\s銇銈銉銆]?",
    # UTF-8 read as a Western encoding, with or without the control characters that belong to it.
    f"(?:[ãâäåæçèéï][{_TAIL}]{{0,2}}){{4,}}",
    "„[ÄÅÇÉ].",
    "Ц[─│┌┐└┘├┤┬┴┼▀▄].",
    # Shift_JIS and EUC-JP read as a Western encoding.
    "(?:[‚ƒ\ufffd][^\\s\\w]|[‚ƒ][\u00a1-\u00ff]){3,}",
    "(?:[¤¥][\u00a1-\u00ff]){2,}",
    # EUC-JP read as Shift_JIS.
    "(?:[､･][\uff61-\uff9f]){2,}",
    # ISO-2022-JP without its escape characters.
    "\\$[B@][!-~]{4,}?(?:\\([BJ]|$)",
)
_HALF_WIDTH = re.compile("[\uff61-\uff9f]")
_WESTERN = re.compile("[\u00a1-\u00ff]")
_WESTERN_SIGN = re.compile("[\u00a1-\u00bf×÷]")
_SPACE = re.compile(r"\s+")
_SUSPECT = re.compile("[^\x00-\x7f]|\\$[B@]|\\?{4}")
_LOST = re.compile(r"\?{4,}")
_MOSTLY, _SIGNS, _COMMAS = 0.4, 0.08, 0.15


def garbled_share(text: str) -> float:
    """Return how much of a text, from 0 to 1, looks like text in another encoding. Deterministic; 0 for plain ASCII."""
    if not _SUSPECT.search(text):
        return 0.0
    written = len(_SPACE.sub("", text))
    covered = [match.group() for match in _covering().finditer(text)]
    count = sum(map(len, covered))
    by_pattern = count / written if len(covered) >= _FEWEST_PLACES or count >= _FEWEST_CHARS else 0.0
    return min(1.0, max(by_pattern, _western_share(text, written), _half_width_share(text, written), _lost_share(text, written)))


def is_garbled(text: str) -> bool:
    """Return whether a text is garbled as a whole."""
    return garbled_share(text) >= GARBLED_SHARE


@cache
def _covering() -> re.Pattern[str]:
    return re.compile("|".join(_COVERING))


def _western_share(text: str, written: int) -> float:
    """Return the share of Western letters and signs where they are too many, and too many signs, for any language."""
    high = len(_WESTERN.findall(text))
    signs = len(_WESTERN_SIGN.findall(text))
    return high / written if high >= _FEWEST_CHARS and high > _MOSTLY * written and signs > _SIGNS * written else 0.0


def _half_width_share(text: str, written: int) -> float:
    """Return the share of half-width kana where every few characters are a comma: people do not write so."""
    kana = len(_HALF_WIDTH.findall(text))
    return kana / written if kana >= _FEWEST_CHARS and text.count("､") > _COMMAS * kana else 0.0


def _lost_share(text: str, written: int) -> float:
    """Return the share of question marks in a row: characters that were lost when the text was saved."""
    lost = sum(len(match.group()) for match in _LOST.finditer(text))
    return lost / written if lost >= _FEWEST_CHARS else 0.0
