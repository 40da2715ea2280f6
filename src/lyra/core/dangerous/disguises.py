"""Texts in disguise: what a passage says once its letters are the ordinary ones, or once it is decoded."""

import base64
import binascii
import codecs
import re
import unicodedata
from collections.abc import Callable, Iterator

# Letters of other alphabets that look like Latin ones; mapped only in words that hold both.
_LOOKALIKES = str.maketrans(
    "аеорсухіјѕһԁԛԝοαεικνρτυχАВЕКМНОРСТХІЈЅΑΒΕΖΗΙΚΜΝΟΡΤΥΧ",
    "aeopcyxijshdqwoaeiknptuxABEKMHOPCTXIJSABEZHIKMNOPTYX",
)
_QUOTES = str.maketrans({"“": '"', "”": '"', "„": '"', "‘": "'", "’": "'", "`": "'", "—": "-", "–": "-"})
_MIXED_WORD = re.compile(r"[^\W\d_]*(?:[A-Za-z][\u0370-\u04ff]|[\u0370-\u04ff][A-Za-z])[^\W\d_]*")
_ALIEN_WORD = re.compile(r"[\u0370-\u04ff]+")
_LEET = str.maketrans("01345789$@!", "oieastbgsai")
# The words that give it away, with any of their letters written as digits or signs.
_LEET_KEY = re.compile(
    r"[i1!][g9]n[o0]r[e3]|[i1!]n[s5$][t7]ruc[t7][i1!][o0]n|pr[o0]mp[t7]|pr[e3]v[i1!][o0]u[s5$]|d[i1!][s5$]r[e3][g9][a4@]rd"
    r"|[a4@][s5$][s5$][i1!][s5$][t7][a4@]n[t7]|[s5$]y[s5$][t7][e3]m",
    re.IGNORECASE,
)
_LEET_WORD = re.compile(r"[a-z0-9$@!]*(?:[a-z][0-9$@!]|[0-9$@!][a-z])[a-z0-9$@!]*", re.IGNORECASE)
_SPACED = re.compile(r"(?:\b[a-z][ \t]+){7,}[a-z]\b", re.IGNORECASE)
_BASE64 = re.compile(r"(?<![A-Za-z0-9+/_-])[A-Za-z0-9+/_-]{24,}={0,2}(?![A-Za-z0-9+/_-])")
_HEX = re.compile(r"(?<![0-9A-Za-z])(?:[0-9a-fA-F]{2}[ :]?){16,}(?![0-9A-Za-z])")
# What `ignore`, `instructions`, `prompt`, `assistant`, `system` and `previous` look like after ROT13.
_ROT13 = re.compile(r"vtaber|vafgehpgvba|cebzcg|nffvfgnag|flfgrz|cerivbhf|qvfertneq", re.IGNORECASE)
_REVERSED = re.compile(r"erongi|snoitcurtsni|tpmorp|tnatsissa|drageresid|視無|示指|トプンロプ", re.IGNORECASE)
_WORDS = re.compile(r"[^\W\d_]{2,}[\s,.:;]+[^\W\d_]{1,}|[\u3041-\u9fff]{6}")
MAX_DECODED = 4_000
# Whole groups of four letters and of two digits.
_MAX_ENCODED = 4 * 1_200
_MAX_PAYLOADS = 50


def fold(text: str) -> str:
    """Return the form in which patterns are looked for: ordinary letters, lower case, straight quotes, single blanks."""
    plain = unicodedata.normalize("NFKC", text).translate(_QUOTES)
    if not plain.isascii():
        plain = _MIXED_WORD.sub(lambda match: match[0].translate(_LOOKALIKES), plain)
        plain = _with_alien_words(plain)
    return " ".join(plain.split()).lower()


def _with_alien_words(text: str) -> str:
    """Map single words that consist of lookalikes only, in a text that is otherwise Latin."""
    found = _ALIEN_WORD.findall(text)
    if not found or sum(map(len, found)) > 0.3 * len(text):
        return text
    return _ALIEN_WORD.sub(lambda match: match[0].translate(_LOOKALIKES), text)


def payloads(text: str) -> Iterator[str]:
    """Yield what parts of a text say once they are decoded: Base64, hexadecimal, ROT13, reversed, spaced out or in digits.

    Each line is decoded where a word in it gives it away; ordinary text yields nothing, or what no pattern matches.
    """
    for _, message in zip(range(_MAX_PAYLOADS), _encoded(text), strict=False):
        yield message[:MAX_DECODED]
    if _ROT13.search(text):
        yield from (codecs.decode(line, "rot13") for line in text.split("\n") if _ROT13.search(line))
    if _REVERSED.search(text):
        yield from (line[::-1] for line in text.split("\n") if _REVERSED.search(line))
    if found := _SPACED.findall(text):
        yield " ".join(_closed_up(run) for run in found)
    if any(not match[0].isalpha() for match in _LEET_KEY.finditer(text)):
        yield from (_LEET_WORD.sub(lambda match: match[0].translate(_LEET), line) for line in text.split("\n"))


def _encoded(text: str) -> Iterator[str]:
    for match in _BASE64.finditer(text):
        word = match[0][:_MAX_ENCODED].replace("-", "+").replace("_", "/")
        yield from _readable(word + "=" * (-len(word) % 4), base64.b64decode)
    for match in _HEX.finditer(text):
        yield from _readable(re.sub(r"[ :]", "", match[0][:_MAX_ENCODED]), bytes.fromhex)


def _readable(word: str, decode: Callable[[str], bytes]) -> Iterator[str]:
    try:
        message = decode(word).decode("utf-8")
    except (binascii.Error, ValueError):
        return
    if message.isprintable() and _WORDS.search(message):
        yield message


def _closed_up(run: str) -> str:
    """Return letters set apart as words: a wider gap than between letters is a gap between words."""
    words = re.split(r"[ \t]{2,}", run)
    return " ".join(re.sub(r"[ \t]+", "", word) for word in words)
