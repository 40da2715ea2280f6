"""What a person thought of the claims: records, and the score in a piece of text as people write it."""

import re
import unicodedata
from dataclasses import dataclass

from lyra.reports.assumptions import Assumption
from lyra.reports.scale import RANKS

HIGHEST_SCORE = 100
# Digits that may stand apart (「1 ０%」), with whatever marks a chosen value around them.
_DIGITS = r"(\d(?:[ ]{0,2}\d){0,2})"
_LABELLED = re.compile(rf"(?:確信度|納得度|納得感|評価|score|confidence)\s*:?\s*\**\s*{_DIGITS}\s*(?:%|点)", re.IGNORECASE)
_BRACKETED = re.compile(rf"\(\s*(?:確信度|納得度|納得感|評価)?\s*:?\s*{_DIGITS}\s*%?\s*(?:程度)?\s*\)")
_RANKED = re.compile("|".join(sorted(map(re.escape, RANKS.values()), key=len, reverse=True)))
_AFTER_RANK = re.compile(rf"^[^\d\n]{{0,12}}?{_DIGITS}\s*%")
_ALONE = re.compile(rf"^[\s>*○◯〇●◎]*{_DIGITS}\s*(?:%|点|/\s*100)?[\s*]*$")
# A score that ends the title of a claim: 「店舗網の密度（70%）」.
_AT_END = re.compile(rf"\s*\(\s*(?:(?:確信度|納得度|納得感|評価)\s*:?)?\s*{_DIGITS}\s*%\s*\)$")
_BREAK = re.compile(r"<br\s*/?>|\n", re.IGNORECASE)
_TAG = re.compile(r"<[^<>]{1,40}>")
_VALUES = {name: value for value, name in RANKS.items()}


@dataclass(frozen=True, slots=True)
class HumanScore:
    """One claim as a person saw it, with the conviction given, 0 to 100, and where that stands."""

    text: str
    score: int
    line: int
    number: int | None = None
    comment: str = ""


@dataclass(frozen=True, slots=True)
class HumanEvaluation:
    """All scores of one file: of the advantages, and of their CAGR connections.

    The text of a connection begins with that of its advantage where the file shows which one it belongs to.
    """

    advantages: tuple[HumanScore, ...]
    connections: tuple[HumanScore, ...]
    assumptions: tuple[Assumption, ...] = ()


@dataclass(frozen=True, slots=True)
class Score:
    """A score read from text: the number, the line of the text it stands on, and whether only a rank's name stood for it."""

    value: int
    line: int
    from_rank: bool = False
    written: str = ""


def plain(text: str) -> str:
    """Return a text of a cell or heading for comparison: one form of each character, no tags, no emphasis, one space."""
    without = _TAG.sub("", unicodedata.normalize("NFKC", _BREAK.sub(" ", text)))
    return " ".join(re.sub(r"\*\*|__|\\(?=[*_|#])", "", without).split())


def lines_of(text: str) -> list[str]:
    """Return the lines of a cell, which `<br>` separates, without tags and in one form of each character."""
    return [_TAG.sub("", unicodedata.normalize("NFKC", line)).strip() for line in _BREAK.split(text)]


def score_in(text: str) -> Score | None:
    """Return the score that a text states, if it does.

    Read are 「おおむね納得（70％）」, 「確信度　70%」, 「(1 ０%)」, 「50%」 alone on a line, and a rank's name alone. Percentages
    in running text are figures, not scores. The first line that states one counts.
    """
    for number, line in enumerate(lines_of(text)):
        if found := _in_line(line):
            value, written = found
            return Score(value, number, written=written)
    for number, line in enumerate(lines_of(text)):
        if ranked := _RANKED.match(line.lstrip("> *-")):
            return Score(_VALUES[ranked[0]], number, from_rank=True, written=ranked[0])
    return None


def score_at_end(title: str) -> tuple[str, int] | None:
    """Return a title without the score in brackets that ends it, and the score; None where it has none."""
    found = _AT_END.search(title)
    return (title[: found.start()], int(found[1].replace(" ", ""))) if found and found.start() else None


def _in_line(line: str) -> tuple[int, str] | None:
    if ranked := _RANKED.search(line[:24]):
        found = _AFTER_RANK.match(line[ranked.end() :])
    else:
        found = _LABELLED.search(line[:40]) or _BRACKETED.match(line.lstrip("> *")) or _ALONE.match(line)
    if found is None:
        return None
    return int(found[1].replace(" ", "")), found[1]
