"""A compound claim cut into its parts, so that what is fact and what is praise can be verified apart.

A part is a slice of the claim: nothing is added, reworded or guessed. Cuts are made only between clauses that have a
predicate each; where that is not sure, the claim stays whole.
"""

import re
from collections.abc import Iterator

from lyra.cases.classification.claim import ClassifiedClaim, classify_claim
from lyra.core.language import detect_language
from lyra.core.sentences import split_sentences

# A Japanese clause that goes on: a verb in its connecting form, or a concession, before a comma.
_JAPANESE_CUT = re.compile(
    r"(?:(?:[っいん]て|して|れて|えて|きて|べて|めて)?おり|であり|があり|にあり|ないが|[ただるい]が|ものの|[一-龠々ァ-ヶー]し|され|れ|なり|[一-龠]り|[一-龠]ち|[一-龠]き|[一-龠]み|[一-龠]め|[一-龠]え|[一-龠]け)、"
)
_NOT_A_CLAUSE = re.compile(
    r"(?:しかし|ただし|もし|として|により|より|とおり|通り|ため|これまで|および|つまり|すなわち|それ|あれ|これ|われ|だれ|いずれ|当たり|あたり)、$"
)
_SHORTEST_JAPANESE = 4

_ENGLISH_JOINT = re.compile(
    r"\s*;\s+|,\s+(?:and|but|while|whereas|although|though|yet|so)\s+|,\s+(?=(?:the|its|it|they|their|he|she|his|her|this|that|these|those)\s)",
    re.IGNORECASE,
)
_SUBJECT = r"(?:(?!and\b|or\b|which\b|who\b|that\b)[\w$'&.-]+\s+){1,7}?"
_VERB = (
    r"(?:is|are|was|were|be|has|have|had|does|do|did|will|would|can|could|may|might|must|became|becomes|made|makes|rose|fell|grew|"
    r"sold|sells|lost|won|went|began|took|gave|held|kept|led|left|met|paid|ran|saw|sank|shrank|stood|beat|built|bought|came|cut|"
    r"hit|put|set|spent|told|wrote|ranks|leads|offers|employs|owns|costs|remains|needs|seems|deserves|\w+ed)\b"
)
_CLAUSE = re.compile(rf"^{_SUBJECT}{_VERB}", re.IGNORECASE)


def decompose(text: str) -> tuple[ClassifiedClaim, ...]:
    """Return the parts of a claim with their types and places, in order; one part where it is not compound."""
    found = []
    for start, end in split_sentences(text):
        cut = _japanese_parts if detect_language(text[start:end]) == "ja" else _english_parts
        for left, right in cut(text[start:end]):
            place = _trimmed(text, start + left, start + right)
            if place is not None:
                walked = classify_claim(text[place[0] : place[1]])
                found.append(ClassifiedClaim(walked.text, *place, walked.walk))
    return tuple(found)


def _trimmed(text: str, start: int, end: int) -> tuple[int, int] | None:
    part = text[start:end]
    inner = part.strip(" \t\n\u3000、。，．.;,")
    if not inner:
        return None
    begin = start + part.index(inner)
    return begin, begin + len(inner)


def _japanese_parts(sentence: str) -> Iterator[tuple[int, int]]:
    start = 0
    for found in _JAPANESE_CUT.finditer(sentence):
        clause = sentence[start : found.end()]
        long_enough = len(clause) > _SHORTEST_JAPANESE and len(sentence) - found.end() > _SHORTEST_JAPANESE
        if long_enough and not _NOT_A_CLAUSE.search(clause) and not _inside_quotes(sentence, found.end()):
            yield start, found.end()
            start = found.end()
    yield start, len(sentence)


def _inside_quotes(sentence: str, place: int) -> bool:
    before = sentence[:place]
    return before.count("「") > before.count("」") or before.count("『") > before.count("』")


def _english_parts(sentence: str) -> Iterator[tuple[int, int]]:
    start = 0
    for found in _ENGLISH_JOINT.finditer(sentence):
        left, right = sentence[start : found.start()], sentence[found.end() :]
        if sentence[: found.start()].count('"') % 2 == 0 and _CLAUSE.match(left) and _CLAUSE.match(right):
            yield start, found.start()
            start = found.end()
    yield start, len(sentence)
