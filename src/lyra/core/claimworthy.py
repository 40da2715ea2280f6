"""Which sentences of a fragment are worth checking, by rules alone: no model, no network, the same answer every time."""

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from lyra.core.language import detect_language
from lyra.core.lexicon import CJK
from lyra.core.sentences import split_sentences

if TYPE_CHECKING:
    from lyra.core.claim_patterns import Rules

_WORD = re.compile(r"[^\W_]+(?:['’.-][^\W_]+)*")
_CJK_CHAR = re.compile(f"[{CJK}]")
# List marks, and the labels of a structured abstract.
_MARKER = re.compile(
    r"(?:[-*+•◦‣▪●○■□◆◇・]\s*|[（(]?\d{1,2}[.)）．]\s+|[①-⑳]\s*|\|\s*|(?:RESULTS?|FINDINGS?|CONCLUSIONS?|INTERPRETATION)(?:[:.]\s*|\s+))+"
    r"|(?:Results?|Findings?|Conclusions?|Interpretation):\s*|【?(?:結果|結論|考察)】?[:：]\s*|【(?:結果|結論|考察)】\s*"
)
_LONG_LATIN_WORD = re.compile(rf"\b[^\W\d_{CJK}]{{4,}}")
_MIN_WORDS, _MAX_WORDS = 6, 60
_MIN_CJK, _MAX_CJK = 12, 140
_TITLE_CASE_SHARE = 0.8
_BASE_SCORE = 0.2
_FIGURE_SCORE = 0.1


@dataclass(frozen=True, slots=True)
class Proposal:
    """A sentence that makes a checkable statement; `text` is exactly the slice from `start` to `end`."""

    start: int
    end: int
    text: str
    score: float


def propose_claims(text: str, limit: int) -> list[Proposal]:
    """Return at most `limit` check-worthy sentences of `text`, best first, earlier first among equals.

    A proposal is a declarative sentence of 6–60 words (12–140 CJK characters) that states a finding, quantity,
    comparison or cause and can be understood alone; a reporting frame around it ("We found that …") is left out.
    Questions, headings, site boilerplate, descriptions of method and sentences that open with a reference to an
    earlier one are never proposed. Scores lie in [0, 1].
    """
    found: dict[str, Proposal] = {}
    for low, high in split_sentences(text):
        start, end = _statement(text, low, high)
        score = _score(text[start:end], text[low:high])
        if score > 0:
            found.setdefault(text[start:end], Proposal(start, end, text[start:end], score))
    return sorted(found.values(), key=lambda proposal: (-proposal.score, proposal.start))[: max(limit, 0)]


def _rules(sentence: str) -> "Rules":
    from lyra.core import claim_patterns  # noqa: PLC0415 - compiling the patterns costs start-up time that few commands need

    return claim_patterns.JAPANESE if detect_language(sentence) == "ja" else claim_patterns.ENGLISH


def _statement(text: str, start: int, end: int) -> tuple[int, int]:
    """Return the span of the statement itself: without list marker, and without the words that report it.

    "Our results show that aspirin helps." states that aspirin helps; the reporting words alone would make the
    sentence depend on its neighbours.
    """
    marker = _MARKER.match(text, start, end)
    start = marker.end() if marker else start
    rules = _rules(text[start:end])
    head = rules.frame_head.match(text, start, end)
    start = head.end() if head else start
    tail = rules.frame_tail.search(text, start, end)
    return (start, tail.start()) if tail and tail.start() > start else (start, end)


def _score(statement: str, sentence: str) -> float:
    """Score a statement by the whole sentence it stands in: the reporting words are part of what makes it a finding."""
    rules = _rules(sentence)
    if not (_right_length(statement, detect_language(sentence) == "ja") and _stands_alone(statement, sentence, rules)):
        return 0.0
    gained = sum(weight for pattern, weight in rules.predicates if pattern.search(sentence)) + _figure_score(sentence, rules)
    if not gained:
        return 0.0
    lost = sum(weight for pattern, weight in rules.weaknesses if pattern.search(sentence))
    return round(min(1.0, max(0.05, _BASE_SCORE + gained - lost)), 3)


def _figure_score(sentence: str, rules: "Rules") -> float:
    """Return what the figures of a Japanese sentence add where its plain patterns see none: 令和6年, 二十三万戸, 3分の1."""
    if not rules.reads_figures:
        return 0.0
    from lyra.core.japanese_numbers import read_figures  # noqa: PLC0415 - as in `_rules`

    kinds = {figure.kind for figure in read_figures(sentence) if figure.kind != "amount" or figure.counter}
    return _FIGURE_SCORE if kinds else 0.0


def _right_length(sentence: str, japanese: bool) -> bool:
    if japanese:
        return _MIN_CJK <= len(_CJK_CHAR.findall(sentence)) <= _MAX_CJK
    return _MIN_WORDS <= len(_WORD.findall(sentence)) <= _MAX_WORDS


def _stands_alone(statement: str, sentence: str, rules: "Rules") -> bool:
    opener = rules.connective.match(statement)
    body = statement[opener.end() :] if opener else statement
    refused = any(pattern.search(statement) for pattern in rules.refusals)
    return not (refused or rules.dangling.match(body) or _is_heading(sentence))


def _is_heading(sentence: str) -> bool:
    """Return whether a line without a stop is written like a title."""
    if sentence.rstrip("\"'”’)）」』]")[-1:] in ".。!！．":
        return False
    capitals = [match.group()[0].isupper() for match in _LONG_LATIN_WORD.finditer(sentence)]
    return bool(capitals) and sum(capitals) >= _TITLE_CASE_SHARE * len(capitals)
