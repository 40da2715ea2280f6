"""Sentence boundaries in English and Japanese text, as spans, so that every quote stays an exact slice."""

import re
from collections.abc import Iterator

from lyra.core.abbreviations import ends_in_abbreviation
from lyra.core.lexicon import CJK, HAN, KATAKANA

MAX_SENTENCE_CHARS = 1200

# A bracket this far from its partner is a typing mistake, not a quotation; it must not hold the rest of the page together.
_MAX_BRACKETED = 400
_BRACKETS = "「」『』（）()[]［］【】〈〉《》“”｢｣﹁﹂﹃﹄︵︶︻︼︿﹀︽︾﹇﹈"
_PAIRS = dict(zip(_BRACKETS[1::2], _BRACKETS[::2], strict=True))
_OPENERS = frozenset(_PAIRS.values())
_BRACKET = re.compile(f"[{re.escape(_BRACKETS)}]")

# A blank line, or a line break before an indented Japanese paragraph, a list item, a clause of a law or a table row.
_BLOCK_BREAK = re.compile(
    r"\n[^\S\n]*\n\s*|\n(?=\u3000)"
    r"|\n(?=[^\S\n]*(?:[-*+•◦‣▪●○・]\s|[・●○■□◆◇▪•]|[①-⑳]|\(?\d{1,2}[.)]\s|\d{1,2}．(?!\d)|[（(]\d{1,2}[）)]|\|))"
    rf"|\n(?=\d{{1,2}}\.[{CJK}]|[（(]?[一二三四五六七八九十]{{1,3}}[）)]?[\u3000．、]|第[一二三四五六七八九十百0-9０-９]{{1,5}}[条章節項])"
)
_CJK_CHAR = re.compile(f"[{CJK}]")
# A mark inside a name, as in Yahoo!ニュース.
_BRAND = re.compile(f"[A-Za-z]![{KATAKANA}]")
# Pictures belong to the sentence before them: with its stop, or in the place of one.
_EMOJI = "\u2600-\u27bf\u2b50\ufe0e\ufe0f\u200d\U0001f300-\U0001faff"
_PICTURE = re.compile(f"[{_EMOJI}]")
_CLOSERS = "\"'”’»）)」』】］\\]〉》｣﹂﹄︶︼﹀︾﹈"
# A stop, then what belongs to it: closing quotes and brackets, and note marks such as [12].
_STOP = re.compile(
    rf"(?P<ja>[。｡．！？︒︕︖]+|(?<=[{CJK}])[.!?]+|(?<=[{CJK}])[{_EMOJI}]+(?=\s))(?P<ja_close>[{_CLOSERS}{_EMOJI}]*)"
    rf"|(?P<en>[.!?…‥]+)(?P<en_close>[{_CLOSERS}]*(?:\[\d[\d,–\- ]{{0,20}}\])*)"
)
_JAPANESE_CONTINUES = re.compile(r"[ぁ-ゖ、，,・ー～︑]")
# What no sentence begins with: the stop before it is part of a name (モーニング娘。の曲).
_NAME_CONTINUES = re.compile(rf"を|[のは](?=[{KATAKANA}{HAN}A-Za-z])")
_QUOTING = re.compile(r"(?:と|って|、|，|など)")
_NOTE_MARK = re.compile(r"\d{1,3}(?:[,–-]\d{1,3})*(?=\s+[A-Z“\"(])")
_NEXT_WORD = re.compile(r"[\"'“‘«(\[「『（【]*(\S*)")
_MIXED_CASE = re.compile(r"[a-z]+(?:[A-Z]|\d)")
_ENUMERATOR = re.compile(r"\s*(?:\d{1,3}(?:\.\d{1,3})*|[０-９]{1,3}|[ivxIVX]{1,4}|[A-Za-z])")
_MAX_ENUMERATOR = 12
# Best first: where a run without a stop may be cut.
_CUTS = (re.compile(r"[;；]\s*|\n"), re.compile(r"[、，︑]|,\s"), re.compile(r"\s"))


def split_sentences(text: str) -> list[tuple[int, int]]:
    """Return the sentences of `text` as spans: in order, disjoint, covering every character that is not white space.

    Spans carry no white space at their ends. A blank line or a list item ends a sentence, a single line break
    does not. Nothing is cut inside brackets or Japanese quotation marks. No span is longer than
    MAX_SENTENCE_CHARS: a longer run without a stop is cut at a comma or space.
    """
    return [
        piece
        for start, end in _blocks(text)
        for sentence_start, sentence_end in _sentences(text, start, end)
        for piece in _within_limit(text, sentence_start, sentence_end)
    ]


def _blocks(text: str) -> Iterator[tuple[int, int]]:
    start = 0
    for match in _BLOCK_BREAK.finditer(text):
        yield start, match.start()
        start = match.end()
    yield start, len(text)


def _sentences(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    enclosed = _enclosed(text, start, end)
    nearest = 0
    begin = position = start
    while match := _STOP.search(text, position, end):
        position = match.end()
        while nearest < len(enclosed) and enclosed[nearest][1] < match.start():
            nearest += 1
        stop = _stop_at(text, match, start if begin == start else None, end)
        if stop is None or (nearest < len(enclosed) and enclosed[nearest][0] < match.start() and stop <= enclosed[nearest][1]):
            continue
        yield begin, stop
        begin = position = stop
    yield begin, end


def _stop_at(text: str, match: re.Match[str], block_start: int | None, end: int) -> int | None:
    """Return where the sentence ends, or None if the mark ends none; `block_start` is given for a block's first sentence."""
    at = match.start()
    numbering = block_start is not None and at - block_start <= _MAX_ENUMERATOR and _ENUMERATOR.fullmatch(text, block_start, at)
    if match["ja"]:
        return None if numbering and match["ja"] == "．" else _japanese_stop(text, match, end)
    return None if numbering and match["en"] == "." else _english_stop(text, match, end)


def _enclosed(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """Return the outermost bracketed stretches, as (position of the opener, position of the closer)."""
    open_at: list[tuple[str, int]] = []
    found: list[tuple[int, int]] = []
    for match in _BRACKET.finditer(text, start, end):
        mark, at = match.group(), match.start()
        if mark in _OPENERS:
            open_at.append((mark, at))
            continue
        partner = next((i for i in range(len(open_at) - 1, max(-1, len(open_at) - 9), -1) if open_at[i][0] == _PAIRS[mark]), None)
        if partner is None:
            continue
        opened = open_at[partner][1]
        del open_at[partner:]
        if at - opened <= _MAX_BRACKETED:
            while found and found[-1][0] > opened:
                found.pop()
            found.append((opened, at))
    return found


def _japanese_stop(text: str, match: re.Match[str], end: int) -> int | None:
    marks, closers, after = match["ja"], _PICTURE.sub("", match["ja_close"]), match.end()
    following = text[after] if after < end else " "
    if marks == "．" and following.isdigit() and text[max(0, match.start() - 1)].isdigit():
        return None
    if marks == "。" and not match["ja_close"] and _NAME_CONTINUES.match(text, after, end):
        return None
    if closers and (_JAPANESE_CONTINUES.match(following) or following in "。｡．.！？︒︕︖"):
        return None
    if marks[-1] in "！？!?︕︖" and _QUOTING.match(text, after, end):
        return None
    if marks[-1] in ".!?" and not (following.isspace() or closers or _CJK_CHAR.match(following)):
        return None
    return after


def _english_stop(text: str, match: re.Match[str], end: int) -> int | None:
    marks, after = match["en"], match.end()
    if after >= end:
        return after
    if not text[after].isspace():
        return _stop_before_note_mark(text, match, end) or _stop_before_japanese(text, match, end)
    following = _NEXT_WORD.match(text, _skip_space(text, after, end), end)
    word = following[1] if following else ""
    if not word:
        return after
    starts_low = word[0].islower() and not _MIXED_CASE.match(word)
    if starts_low or word[0] in "<>=≤≥±≈%":
        return None
    plain_stop = marks == "." and not match["en_close"]
    return None if plain_stop and ends_in_abbreviation(_head(text, match.start()), word) else after


def _head(text: str, at: int) -> str:
    return text[max(0, at - 40) : at]


def _stop_before_japanese(text: str, match: re.Match[str], end: int) -> int | None:
    """Return the end of a stop such as the one in "(p<0.05).次に", or None where it belongs to a name or number."""
    if not _CJK_CHAR.match(text, match.end(), end) or _BRAND.match(text[match.start() - 1 : match.end() + 1]):
        return None
    closes = match.start() > 0 and text[match.start() - 1] in ")）]］」』%％"
    return match.end() if closes or match["en"][-1] in "!?" else None


def _stop_before_note_mark(text: str, match: re.Match[str], end: int) -> int | None:
    """Return the end of a raised note number glued to a stop ("… mortality.12 The …"), or None."""
    if match["en"] != "." or not (note := _NOTE_MARK.match(text, match.end(), end)):
        return None
    head = _head(text, match.start())
    glued = head[-3:].isalpha() and not ends_in_abbreviation(head, "1")
    return note.end() if glued else None


def _skip_space(text: str, position: int, end: int) -> int:
    while position < end and text[position].isspace():
        position += 1
    return position


def _within_limit(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    start, end = _trim(text, start, end)
    while end - start > MAX_SENTENCE_CHARS:
        cut = _best_cut(text, start + MAX_SENTENCE_CHARS // 2, start + MAX_SENTENCE_CHARS)
        yield _trim(text, start, cut)
        start, end = _trim(text, cut, end)
    if start < end:
        yield start, end


def _best_cut(text: str, low: int, high: int) -> int:
    for pattern in _CUTS:
        cuts = [match.end() for match in pattern.finditer(text, low, high)]
        if cuts:
            return cuts[-1]
    return high


def _trim(text: str, start: int, end: int) -> tuple[int, int]:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return start, end
