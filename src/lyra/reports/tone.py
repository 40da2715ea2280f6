"""The tone of a Japanese comment: does its conclusion agree with the claim, or doubt it?

A word list with two weights, read by longest match, with negation (also double), concession and asides:

1. The text is folded (NFKC), tags and quotations are taken out, and it is cut into sentences and these into clauses.
2. In a clause every word of the list is looked up. A negation turns round the word before it; two turn it back.
   "Lacks" does the same, and is negative alone. A thing that a claim should have (a source, a comparison) counts
   only when the clause says that it is there or missing.
3. What stands before 「…が、」「ものの」「しかし」 is conceded and hardly counts; a condition, a wish or a request does not
   count at all.
4. Where the rest holds the writer's own verdict (「納得」「却下」), the sentences with one are the main clause.
   Words on the comment as a whole (「五分五分」「保留」) settle it as mixed or neutral.

The reading names the words it rests on. A comment in another language has no word of the list and is neutral.
"""

import re
import unicodedata
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Literal

from lyra.reports.tone_words import OBSERVATION, VERDICT, Word, lexicon, words_of

Polarity = Literal["positive", "negative", "neutral", "mixed"]

CONCEDED = 0.2
DECIDED = 0.3
ENOUGH = 1.0
_TAG = re.compile(r"<[^<>]{1,40}>")
_QUOTED = re.compile(r"「[^「」]*」|『[^『』]*』|“[^“”]*”")
_SENTENCE = re.compile(r"[^。!?\n]+[。!?]?")
# Written like a condition and none: "seen over ten years", "unless".
_NO_CONDITION = re.compile(r"(?:見|言え|比べ|考え|踏まえ|あえて言)れ?ば|なければ|この程度[^、。]{0,8}(?:であれば|なら)")
_AFTERTHOUGHT = re.compile(r"[だのるいた]が。$")
# 「揺るがない」 holds the letters of 「…るが」.
_NO_TURN = "揺"
_CLAUSE = re.compile(r"[^、,;]+[、,;]?")


@dataclass(frozen=True, slots=True)
class ToneReading:
    """What a comment's conclusion says, from -1 (refuses) to 1 (agrees), and the words by which it was read.

    A matched word carries its sign as read here: `+` for the claim, `-` against it, `±` and `=` for words that settle
    a comment as mixed or neutral.
    """

    polarity: Polarity
    score: float
    matched: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Part:
    """One side of a sentence: its text, its words, and how much they count."""

    text: str
    words: tuple[Word, ...]
    share: float

    def weight_of(self, sign: int) -> float:
        """What the words of one sign come to; in a concession a verdict weighs no more than an observation."""
        most = VERDICT if self.share == 1 else OBSERVATION
        return sum(self.share * min(word.weight, most) for word in self.words if word.sign == sign)


def analyse(text: str) -> ToneReading:
    """Return the tone of `text`. Deterministic; an empty or foreign text is neutral with no words."""
    folded = _folded(text)
    if found := lexicon().irony.findall(folded):
        return ToneReading("negative", -1.0, tuple("-" + word for word in found))
    parts = _parts(folded)
    meant = "\n".join(part.text for part in parts if part.share == 1)
    if found := lexicon().mixed.findall(meant):
        return ToneReading("mixed", 0.0, tuple("±" + word for word in found))
    if found := lexicon().neutral.findall(meant):
        return ToneReading("neutral", 0.0, tuple("=" + word for word in found))
    return _weighed(_main(parts))


def _weighed(parts: list[_Part]) -> ToneReading:
    words = tuple(("+" if word.sign > 0 else "-") + word.text for part in parts for word in part.words)
    favour, against = (sum(part.weight_of(sign) for part in parts) for sign in (1, -1))
    if not any(part.words for part in parts if part.share == 1):
        # A concession whose other side has no word of the list still turns round what it concedes.
        favour, against = ENOUGH * bool(against), ENOUGH * bool(favour)
    if favour + against < ENOUGH:
        return ToneReading("neutral", 0.0, words)
    score = (favour - against) / (favour + against)
    if abs(score) < DECIDED:
        return ToneReading("mixed", round(score, 3), words)
    return ToneReading("positive" if score > 0 else "negative", round(score, 3), words)


def _folded(text: str) -> str:
    return _QUOTED.sub("", _TAG.sub("", unicodedata.normalize("NFKC", text)))


def _parts(text: str) -> list[_Part]:
    """Every sentence in its sides, those conceded with a small share."""
    parts: list[_Part] = []
    for sentence in (piece.strip() for piece in _SENTENCE.findall(text)):
        if lexicon().adversative.match(sentence) or _AFTERTHOUGHT.search(sentence):
            parts = [replace(part, share=min(part.share, CONCEDED)) for part in parts]
        parts += _sides(sentence)
    return parts


def _sides(sentence: str) -> list[_Part]:
    found = (match for match in lexicon().turns.finditer(sentence) if match.start() > 0 and match.end() < len(sentence) - 1)
    turns = [match for match in found if sentence[match.start() - 1] != _NO_TURN]
    borders = [0, *(match.end() for match in turns), len(sentence)]
    texts = [sentence[start:end] for start, end in pairwise(borders)]
    return [_part(text, CONCEDED if index < len(texts) - 1 else 1.0) for index, text in enumerate(texts)]


def _part(text: str, share: float) -> _Part:
    if lexicon().condition.search(_NO_CONDITION.sub("", text)):
        return _Part("", (), share)
    clauses = [clause for clause in _CLAUSE.findall(text) if not lexicon().request.search(clause)]
    return _Part("".join(clauses), tuple(word for clause in clauses for word in words_of(clause)), share)


def _main(parts: list[_Part]) -> list[_Part]:
    """The sentences with the writer's own verdict, or all where none has one."""
    with_verdict = [part for part in parts if part.share == 1 and any(word.is_verdict for word in part.words)]
    if not with_verdict:
        return parts
    return [part for part in parts if part.share < 1 or part in with_verdict]
