"""Cutting a text into fragments: the pieces that are judged, and over which confidence sums."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from lyra.core.lexicon import CJK
from lyra.core.records import Section, Span

# Part of the definition of confidence: any change in where cuts fall needs a new version.
FRAGMENTER_VERSION = "2"
MAX_TOKENS = 200

_TOKEN = re.compile(rf"(?P<cjk>[{CJK}])|(?P<number>\d+)|(?P<word>[^\W\d_{CJK}]+)|[^\w\s]|_")
_LONG_WORD = 9
_PIECE = 4
_MIN_WORDS = 3
_MIN_CJK = 6
# What a cut inside a paragraph costs beside uneven sizes (a full fragment costs 1): enough to prefer a paragraph's end.
_INSIDE_PARAGRAPH = 0.15
_CLAUSE_END = re.compile(r"[;；:：]\s|[、，；：︑]|,\s|\s[—–]\s|[）)」』︶﹂﹄]")
_SPACE = re.compile(r"\s+")
_BLANK_LINE = re.compile(r"\n[^\S\n]*\n")
_REFERENCE_LIST = re.compile(
    r"\W*(?:[\dIVX]+[.．)]?\s*)?(?:references?(?: cited| and notes)?|bibliography|literature cited|works cited"
    r"|(?:引用|参考|参照)文献(?:一覧)?|文献)\W*",
    re.IGNORECASE,
)


class _Piece(NamedTuple):
    start: int
    end: int
    tokens: int
    ends_paragraph: bool = False


def estimate_tokens(text: str) -> int:
    """Return about how many WordPiece tokens `text` has. Deterministic; within 20 % on English abstracts.

    A CJK character or a mark is one, a number one per four digits, a word one, and one more for every four
    letters from the ninth on (fitted on abstracts with an English WordPiece vocabulary).
    """
    return sum(map(_weight, _TOKEN.finditer(text)))


def _weight(token: re.Match[str]) -> int:
    length = token.end() - token.start()
    if token.lastgroup == "number":
        return -(-length // _PIECE)
    if token.lastgroup == "word" and length >= _LONG_WORD:
        return 2 + (length - _LONG_WORD) // _PIECE
    return 1


def cut_fragments(text: str, sections: Sequence[Section]) -> list[Span]:
    """Return the fragments of `text`: runs of whole sentences, each within one section, in order, without overlap.

    A fragment holds at most MAX_TOKENS (estimated). A section that fits is one fragment; a longer one is cut into
    as few as possible, of even size, preferably between paragraphs. A sentence above the limit becomes fragments
    of its own, cut between clauses. Left out are headings (carried in `section`), reference lists (titles of other
    works are not what this one says), garbled text, and pieces too short to say anything. Without sections the whole text is one.
    """
    return [
        Span(piece.start, piece.end, section.heading, section.page_number)
        for section in sections or (Section(0, len(text)),)
        if not (section.heading and _REFERENCE_LIST.fullmatch(section.heading))
        for piece in _cut_section(text, section)
        if _says_something(text[piece.start : piece.end])
    ]


def _cut_section(text: str, section: Section) -> Iterator[_Piece]:
    run: list[_Piece] = []
    for sentence in _sentences(text, _body_start(text, section), section.end):
        if sentence.tokens <= MAX_TOKENS:
            run.append(sentence)
            continue
        yield from _pack(run)
        run = []
        yield from _pack(list(_clauses(text, sentence)))
    yield from _pack(run)


def _body_start(text: str, section: Section) -> int:
    """Return where the section's text begins after its own heading, if the section includes it."""
    if not section.heading:
        return section.start
    first = section.start + len(text[section.start : section.end]) - len(text[section.start : section.end].lstrip())
    after = first + len(section.heading)
    stands_alone = after >= section.end or text[after : after + 1] == "\n"
    return min(after, section.end) if text.startswith(section.heading, first) and stands_alone else section.start


def _sentences(text: str, start: int, end: int) -> Iterator[_Piece]:
    from lyra.core.sentences import split_sentences  # noqa: PLC0415 - its patterns cost start-up time that reading alone may pay

    body = text[start:end]
    spans = split_sentences(body)
    for index, (low, high) in enumerate(spans):
        sentence = body[low:high]
        if not any(map(str.isalnum, sentence)):
            continue
        following = spans[index + 1][0] if index + 1 < len(spans) else len(body)
        ends_paragraph = _BLANK_LINE.search(body, high, following) is not None
        yield _Piece(start + low, start + high, estimate_tokens(sentence), ends_paragraph)


def _clauses(text: str, sentence: _Piece) -> Iterator[_Piece]:
    """Yield a long sentence in pieces that each fit: at clause ends, else at spaces, else after any character."""
    for low, high in _split_at(text, sentence.start, sentence.end, _CLAUSE_END):
        if (tokens := estimate_tokens(text[low:high])) <= MAX_TOKENS:
            yield _Piece(low, high, tokens)
            continue
        for word_low, word_high in _split_at(text, low, high, _SPACE):
            for at in range(word_low, word_high, MAX_TOKENS):
                cut = min(at + MAX_TOKENS, word_high)
                yield _Piece(at, cut, estimate_tokens(text[at:cut]))


def _split_at(text: str, start: int, end: int, boundary: re.Pattern[str]) -> Iterator[tuple[int, int]]:
    """Yield the stretches between boundaries, each without white space at its ends; a mark stays with what it closes."""
    begin = start
    for stop in [*(match.end() for match in boundary.finditer(text, start, end)), end]:
        piece = text[begin:stop]
        if piece.strip():
            yield begin + len(piece) - len(piece.lstrip()), begin + len(piece.rstrip())
        begin = stop


def _pack(pieces: Sequence[_Piece]) -> list[_Piece]:
    """Join neighbouring pieces into the fewest runs within MAX_TOKENS, the most even such runs (dynamic programming)."""
    best: list[tuple[int, float, int]] = [(0, 0.0, 0)]
    for end in range(1, len(pieces) + 1):
        options: list[tuple[int, float, int]] = []
        tokens = 0
        for begin in range(end - 1, -1, -1):
            tokens += pieces[begin].tokens
            if tokens > MAX_TOKENS and options:
                break
            runs, cost, _ = best[begin]
            cut = _INSIDE_PARAGRAPH if end < len(pieces) and not pieces[end - 1].ends_paragraph else 0.0
            options.append((runs + 1, cost + (tokens / MAX_TOKENS) ** 2 + cut, begin))
        best.append(min(options))
    runs_found: list[_Piece] = []
    end = len(pieces)
    while end:
        begin = best[end][2]
        run = pieces[begin:end]
        runs_found.append(_Piece(run[0].start, run[-1].end, sum(piece.tokens for piece in run)))
        end = begin
    return runs_found[::-1]


def _says_something(quote: str) -> bool:
    from lyra.core.garbled import is_garbled  # noqa: PLC0415 - as above

    kinds = [token.lastgroup for token in _TOKEN.finditer(quote)]
    return kinds.count("word") / _MIN_WORDS + kinds.count("cjk") / _MIN_CJK >= 1 and not is_garbled(quote)
