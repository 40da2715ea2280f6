"""The tone of a Japanese comment: does its conclusion agree with the claim, or doubt it?

A word list with two weights, read by longest match, with negation (also double), concession and asides, and scores learned
from labelled comments for what no word list holds:

1. The text is folded (NFKC), tags and quotations are taken out, and it is cut into sentences and these into clauses.
2. In a clause every word of the list is looked up. A negation turns round the word before it; two turn it back.
   "Lacks" does the same, and is negative alone. A thing that a claim should have (a source, a comparison) counts
   only when the clause says that it is there or missing.
3. What stands before 「…が、」「ものの」「しかし」 is conceded and hardly counts; a condition, a wish or a request does not
   count at all.
4. Where the rest holds the writer's own verdict (「納得」「却下」), the sentences with one are the main clause.
   Words on the comment as a whole (「五分五分」「保留」) speak for mixed or neutral.
5. The learned scores decide: pieces of the text, what the list found, and how near the comment is in meaning to labelled
   ones. Where the list settles the comment, they have to be well ahead to say otherwise.

A reading is sure where the scores put it well ahead of the next tone, or where they share what three words of the list say
with one voice; only then may a comment be corrected for it. The
reading names the words it rests on. A comment in another language is neutral.
"""

import re
import unicodedata
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise
from typing import Literal

from lyra.reports.tone_learned import Scores, learned, reasons, scores_of
from lyra.reports.tone_words import OBSERVATION, VERDICT, Word, lexicon, words_of

Polarity = Literal["positive", "negative", "neutral", "mixed"]

POSITIVE: Polarity = "positive"
NEGATIVE: Polarity = "negative"
LOW, HIGH = 30, 70
CONCEDED = 0.2
DECIDED = 0.3
ENOUGH = 1.0
# A report asks for the same comment several times.
REMEMBERED = 1_024
# How far behind the scores must put a reading that the list settled to overrule it.
OVERRULED = 0.1
# How many words of the list, one a verdict and none on the other side, make a reading sure that the scores share.
PLAIN = 3
_TAG = re.compile(r"<[^<>]{1,40}>")
_QUOTED = re.compile(r"「[^「」]*」|『[^『』]*』|“[^“”]*”")
_SENTENCE = re.compile(r"[^。!?\n]+[。!?]?")
# Written like a condition and none: "seen over ten years", "unless".
_NO_CONDITION = re.compile(r"(?:見|言え|比べ|考え|踏まえ|あえて言)れ?ば|なければ|この程度[^、。]{0,8}(?:であれば|なら)")
_AFTERTHOUGHT = re.compile(r"[だのるいた]が。$")
# 「揺るがない」 holds the letters of 「…るが」.
_NO_TURN = "揺"
_JAPANESE = re.compile(r"[ぁ-ゖァ-ヺ一-龠]")
_NEGATES = re.compile(r"な[いくかけし]|ず(?:[、に。]|$)|ません|まい|ぬ[。、]|ゼロ|皆無")
_COUNTS = re.compile(r"[0-9一二三四五六七八九十百千万]")
_CLAUSE = re.compile(r"[^、,;]+[、,;]?")


@dataclass(frozen=True, slots=True)
class ToneReading:
    """What a comment's conclusion says, from -1 (refuses) to 1 (agrees), and the words by which it was read.

    A matched word carries its sign as read here: `+` for the claim, `-` against it, `±` and `=` for words that settle
    a comment as mixed or neutral. `sure` says whether a comment may be corrected for it.
    """

    polarity: Polarity
    score: float
    matched: tuple[str, ...]
    sure: bool = False


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


@lru_cache(maxsize=REMEMBERED)
def analyse(text: str) -> ToneReading:
    """Return the tone of `text`. Deterministic; an empty or foreign text is neutral with no words.

    Raises ModelError where the file of the vectors is missing or damaged.
    """
    plain = folded(text)
    if not _JAPANESE.search(plain):
        return ToneReading("neutral", 0.0, ())
    listed, settled = by_list(plain)
    scores = scores_of(plain, signals(plain, listed), views_of(plain))
    keeps = settled and scores.lead(listed.polarity) > -OVERRULED
    reading = listed if keeps else _learned(scores, listed)
    lead = scores.lead(reading.polarity)
    plainly = keeps and abs(listed.score) == 1 and len(listed.matched) >= PLAIN and lead > OVERRULED
    return replace(reading, sure=lead >= learned().sure_from or plainly)


def contradicts(reading: ToneReading, confidence: int) -> bool:
    """Return whether a tone and a confidence do not go together: positive at 30 or below, negative at 70 or above."""
    return (confidence <= LOW and reading.polarity == "positive") or (confidence >= HIGH and reading.polarity == "negative")


def by_list(plain: str) -> tuple[ToneReading, bool]:
    """Return what the word list makes of a folded text, and whether a verdict or a word on the whole settles it."""
    if found := lexicon().irony.findall(plain):
        return ToneReading("negative", -1.0, tuple("-" + word for word in found)), True
    parts = _parts(plain)
    meant = "\n".join(part.text for part in parts if part.share == 1)
    if found := lexicon().mixed.findall(meant):
        return ToneReading("mixed", 0.0, tuple("±" + word for word in found)), True
    if found := lexicon().neutral.findall(meant):
        return ToneReading("neutral", 0.0, tuple("=" + word for word in found)), True
    return _weighed(_main(parts)), any(word.is_verdict for part in parts if part.share == 1 for word in part.words)


def views_of(plain: str) -> tuple[str, ...]:
    """Return the texts by which the meaning of a comment is compared: the whole, and what its last sentence ends on."""
    sentences = [piece.strip() for piece in _SENTENCE.findall(plain) if piece.strip()]
    last = sentences[-1] if sentences else plain
    ends = [match.end() for match in _turns(last)]
    return plain, last[ends[-1] :] if ends else last


def signals(plain: str, listed: ToneReading) -> dict[str, float]:
    """Return what the scores take into account besides the letters: the list's reading, and the shape of the text."""
    signs = [word[0] for word in listed.matched]
    return {
        "always": 1.0,
        f"list_{listed.polarity}": 1.0,
        "list_score": listed.score,
        "list_nothing": float(not signs),
        "list_for": min(signs.count("+"), 3) / 2,
        "list_against": min(signs.count("-"), 3) / 2,
        "list_last": {"+": 1.0, "-": -1.0}.get(signs[-1], 0.0) if signs else 0.0,
        "length": min(len(plain), 120) / 60,
        "sentences": min(len(_SENTENCE.findall(plain)), 4) / 3,
        "asks": float("?" in plain),
        "negates": float(bool(_NEGATES.search(plain))),
        "counts": float(bool(_COUNTS.search(plain))),
    }


def _learned(scores: Scores, listed: ToneReading) -> ToneReading:
    """The reading by the scores, with the list's words that agree with it, or the pieces that speak most for it."""
    if scores.best == "positive":
        polarity, sign = POSITIVE, "+"
    elif scores.best == "negative":
        polarity, sign = NEGATIVE, "-"
    elif scores.best == "mixed":
        return ToneReading("mixed", 0.0, listed.matched or tuple("±" + piece for piece in reasons(scores, "mixed")))
    else:
        return ToneReading("neutral", 0.0, listed.matched)
    words = tuple(word for word in listed.matched if word[0] == sign)
    found = words or tuple(sign + piece for piece in reasons(scores, polarity))
    strength = round(DECIDED + (1 - DECIDED) * min(1.0, scores.lead(polarity)), 3)
    return ToneReading(polarity, strength if sign == "+" else -strength, found)


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


def folded(text: str) -> str:
    """Return a comment as it is read: NFKC, without tags and quotations."""
    return _QUOTED.sub("", _TAG.sub("", unicodedata.normalize("NFKC", text)))


def _parts(text: str) -> list[_Part]:
    """Every sentence in its sides, those conceded with a small share."""
    parts: list[_Part] = []
    for sentence in (piece.strip() for piece in _SENTENCE.findall(text)):
        if lexicon().adversative.match(sentence) or _AFTERTHOUGHT.search(sentence):
            parts = [replace(part, share=min(part.share, CONCEDED)) for part in parts]
        parts += _sides(sentence)
    return parts


def _turns(sentence: str) -> list[re.Match[str]]:
    found = (match for match in lexicon().turns.finditer(sentence) if match.start() > 0 and match.end() < len(sentence) - 1)
    return [match for match in found if sentence[match.start() - 1] != _NO_TURN]


def _sides(sentence: str) -> list[_Part]:
    borders = [0, *(match.end() for match in _turns(sentence)), len(sentence)]
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
