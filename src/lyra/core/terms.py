"""Words for the full-text index, which does not segment Japanese: CJK runs become overlapping character pairs.

Both sides go through the same cutter, so whatever was indexed is found. The index itself is an SQLite FTS5 table
with `tokenize='porter unicode61'`, which stems English and leaves the pairs alone.
"""

import re
import unicodedata
from collections.abc import Iterator

from lyra.core.lexicon import CJK, HIRAGANA, words

MAX_TERMS = 64

# Ranks of terms: 0 tells much, 1 less, and this one next to nothing.
_FILLER = 2

_RUN = re.compile(rf"(?P<cjk>[{CJK}]+)|[^\W_{CJK}]+")
# Of ASCII the words are its letters and digits: the same as below, ten times as fast.
_ASCII_WORDS = "".join(chr(code) if chr(code).isalnum() else " " for code in range(128))
_HIRAGANA_ONLY = re.compile(f"[{HIRAGANA}ー]+")
_HIRAGANA_CHAR = re.compile(f"[{HIRAGANA}]")
_STOP_WORDS = words(
    """a about above after again all also am an and any are as at be because been before being below between both but by can
    could did do does doing don down during each few for from further had has have having he her here hers him his how i if in
    into is it its itself just me more most my no nor not now of off on once only or other our out over own s same she should so
    some such t than that the their them then there these they this those through to too under until up very was we were what
    when where which while who whom why will with would you your"""
)


def index_terms(text: str) -> str:
    """Return what to index for `text`: lower-case words and CJK character pairs, separated by spaces. Never raises."""
    if text.isascii():
        return " ".join(text.lower().translate(_ASCII_WORDS).split())
    return " ".join(term for run in _runs(text) for term in _terms(run))


def match_query(text: str) -> str | None:
    """Return an FTS5 MATCH expression that finds texts sharing any term with `text`; None if it has no term.

    Every term is quoted, so nothing in `text` is read as query syntax. English stop words and pairs of hiragana
    alone (mostly particles and endings) are left out unless nothing else is there. At most MAX_TERMS terms: words
    and pairs of kanji or katakana come before pairs with one hiragana in them.
    """
    ranked: dict[str, int] = {}
    for run in _runs(text):
        for term in _terms(run):
            ranked.setdefault(_quoted(term, run), _rank(term))
    telling = [term for term, rank in ranked.items() if rank < _FILLER]
    chosen = sorted(telling or ranked, key=ranked.__getitem__)[:MAX_TERMS]
    return " OR ".join(chosen) if chosen else None


def _rank(term: str) -> int:
    if term in _STOP_WORDS or _HIRAGANA_ONLY.fullmatch(term):
        return _FILLER
    return 1 if _HIRAGANA_CHAR.search(term) else 0


def _runs(text: str) -> Iterator[re.Match[str]]:
    return _RUN.finditer(unicodedata.normalize("NFKC", text).lower())


def _terms(run: re.Match[str]) -> Iterator[str]:
    found = run.group()
    if run["cjk"] is None or len(found) == 1:
        yield found
        return
    for start in range(len(found) - 1):
        yield found[start : start + 2]


def _quoted(term: str, run: re.Match[str]) -> str:
    # A single kanji is indexed alone only where it stands alone; as a prefix it also finds the pairs it begins.
    return f'"{term}"*' if run["cjk"] and len(term) == 1 else f'"{term}"'
