"""Figures of a Japanese claim compared with those of its evidence: as ranges, by what they count, and worked out."""

import re
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, pairwise

from lyra.core.cues.japanese_words import pattern
from lyra.core.japanese_numbers import Figure, read_figures

_INFINITE = Fraction(10**24)
_HUNDRED = Fraction(100)
_HALF = Fraction(50)
_TOLERANCE = Fraction(1, 100)
_ABOUT = Fraction(12, 100)
_SHARE_WORDS = (
    (re.compile("過半数|半数以上|半分以上|半数を超え|半分を超え"), (_HALF, _HUNDRED)),
    (re.compile("大半|大多数|大部分|ほとんどの|ほとんどが|たいてい"), (Fraction(51), _HUNDRED)),
    (re.compile("(?:半分|半数|半額)(?:に満たな|に届か|未満|以下|より(?:少な|安|低))"), (Fraction(0), _HALF)),
    (re.compile("半分|半数|半額|半減"), (Fraction(45), Fraction(55))),
    (re.compile("多くの|多くが|多くは|の多く"), (Fraction(35), _HUNDRED)),
    (re.compile("少数|ごく一部|わずか"), (Fraction(0), Fraction(49))),
    (re.compile("全員|すべて|全て|十割"), (_HUNDRED, _HUNDRED)),
)
_FROM_WORDS = ("2倍", "倍増", "倍にな", "倍以上")
_UNDER_STRICT = re.compile("未満|に満た|に届か|に達して(?:い|お)?な|を下回|を割|を切|弱(?![いくかまめ])")
_OVER = re.compile("以上|超|を(?:上回|超)|より(?:多|高|長)|強(?![いくかまめ])|余り|を数え|に上っ|に上る")
_SMALL_COUNT = re.compile("([一二三四五六七八九十]|\\d+)(つ|隻|か国語|カ国語|軒|席|時(?!間)|隻)")
_OTHER_COUNTERS = re.compile("軒|席|隻|つ|か国語|種|社|本|台|組")
_LESS = re.compile("(?:ほど|近く|以上)?(?:減|少な|低|下が|下げ|安)")
_KANJI = dict(zip("一二三四五六七八九十", range(1, 11), strict=True))
_OF = re.compile("のうち|人中|件中|中(?=\\d)|あたり")
_SAME = {
    "名": "人", "才": "歳", "ヶ月": "か月", "カ月": "か月", "箇月": "か月", "週間": "週", "日間": "日", "年間": "年",
    "分間": "分", "戸": "軒",
}  # fmt: skip
_DIRECTION = re.compile("から[^、]{0,12}$")
_AGO = re.compile("前|後|ぶり|目|以内|間|たっ|続け|連続|で(?!あ|し|は)|にわたり|にかけ")


@dataclass(frozen=True, slots=True)
class Range:
    """What a figure says: at least, at most, of what, and its place."""

    low: Fraction
    high: Fraction
    unit: str
    start: int
    end: int

    def meets(self, other: "Range") -> bool:
        """Return whether one value can satisfy both."""
        return self.low <= other.high and other.low <= self.high


def ranges(text: str) -> list[Range]:
    """Return the figures of a folded text in order as ranges."""
    found = [_range(text, figure) for figure in read_figures(text)]
    for match in _SMALL_COUNT.finditer(text):
        if not any(one.start <= match.start() < one.end for one in found):
            value = Fraction(_KANJI[match[1]] if match[1] in _KANJI else int(match[1]))
            found.append(Range(value, value, match[2], match.start(), match.end()))
    for words, (low, high) in _SHARE_WORDS:
        spoken = words.search(text)
        if spoken is not None and not any(one.start <= spoken.start() < one.end for one in found):
            found.append(Range(low, high, "%", spoken.start(), spoken.end()))
            break
    return sorted(found, key=lambda one: one.start)


def _range(text: str, figure: Figure) -> Range:
    value, after = figure.value, text[figure.end : figure.end + 8]
    unit = {"share": "%", "year": "西暦"}.get(figure.kind, _SAME.get(figure.counter, figure.counter))
    if not unit and (other := _OTHER_COUNTERS.match(text, figure.end)):
        unit = other.group()
    low = high = value
    if _OVER.match(after) or re.match("(?:に|の|で)?(?:上った|上る)", after):
        high = _INFINITE if unit != "%" else _HUNDRED
    elif pattern("under").match(after):
        low = Fraction(0) if _UNDER_STRICT.match(after) or after.startswith(("以下", "以内")) else value
        high = value - value * _TOLERANCE if _UNDER_STRICT.match(after) else value
    elif figure.about:
        low, high = value * (1 - _ABOUT), value * (1 + _ABOUT)
    else:
        low, high = value * (1 - _TOLERANCE / 2), value * (1 + _TOLERANCE / 2)
    return Range(low, high, unit, figure.start, figure.end)


def worked_out(found: list[Range]) -> list[Range]:
    """Return what follows from the figures of a text: differences, ratios, shares, what is left of the whole."""
    made: list[Range] = []
    for first, second in combinations([one for one in found if one.unit not in {"西暦", ""}], 2):
        if first.unit != second.unit:
            continue
        left, right = _middle(first), _middle(second)
        made.append(_about(abs(left - right), first.unit))
        if left > 0 and right > 0:
            made += [_about(right / left, "倍"), _about(left / right, "倍")]
            made.append(_about(min(left, right) / max(left, right) * 100, "%"))
        if first.unit != "%":
            made.append(_about(left + right, first.unit))
    years = [one for one in found if one.unit == "西暦"]
    made += [_about(abs(_middle(a) - _middle(b)), "年") for a, b in combinations(years, 2)]
    times = [one for one in found if one.unit == "倍" and _middle(one) > 0]
    made += [_about(_HUNDRED / _middle(one), "%") for one in times]
    return made


def _middle(one: Range) -> Fraction:
    return one.low if one.high >= _INFINITE else (one.low + one.high) / 2


def _about(value: Fraction, unit: str) -> Range:
    return Range(value * Fraction(95, 100), value * Fraction(105, 100), unit, -1, -1)


def _parts(text: str, found: list[Range]) -> list[Range]:
    """Return the share that some are of all: 90人のうち27人."""
    for first, second in combinations(found, 2):
        between = text[first.end : second.start]
        if _OF.search(between) and _middle(first) >= _middle(second) > 0:
            return [_about(_middle(second) / _middle(first) * 100, "%")]
    return []


def figure_cues(evidence: str, claim: str, *, turned: bool) -> dict[str, float]:
    """Return how the figures of a folded claim stand to those of folded evidence.

    Where the claim turns round what is said (`turned`), what is left of the whole counts as well.
    """
    there, wanted = ranges(evidence), ranges(claim)
    there = there + _parts(evidence, there)
    derived = worked_out(there)
    derived += [_about(_HUNDRED - _middle(one), "%") for one in there if one.unit == "%" and _LESS.match(evidence, one.end)]
    if turned:
        there = there + [_about(_HUNDRED - _middle(one), "%") for one in there if one.unit == "%"]
    same = conflict = extra = time = 0.0
    for one in wanted:
        if one.unit == "西暦":
            years = [other for other in there if other.unit == "西暦"]
            if any(one.meets(other) for other in years):
                same = max(same, 0.5)
            elif years:
                time = max(time, _year_conflict(one, years, claim))
            continue
        alike = [other for other in there if other.unit == one.unit]
        if any(one.meets(other) for other in alike):
            same = 1.0
        elif any(one.meets(other) for other in derived if other.unit == one.unit):
            same = max(same, 0.8)
        elif alike and not _AGO.match(claim[one.end : one.end + 3]):
            conflict = 1.0
        elif alike:
            conflict = max(conflict, 0.5)
        else:
            extra = 1.0
    return {"number_same": same, "number_conflict": conflict, "number_extra": extra, "time_conflict": time}


def _year_conflict(one: Range, years: list[Range], claim: str) -> float:
    after = claim[one.end : one.end + 4]
    if re.match("以降|から|まで|以前|より|の前|の後|代", after):
        return 0.5
    return 1.0 if years else 0.0


def trend(text: str) -> float:
    """Return whether figures of a folded text go up (1.0) or down (-1.0): from one to another, times, parts; else 0.0."""
    found = [one for one in ranges(text) if one.unit != "西暦"]
    for first, second in pairwise(found):
        between = text[first.end : second.start]
        if first.unit == second.unit and re.match("(?:だった|あった|の)?[^、]{0,2}から", between):
            return _sign(_middle(second) - _middle(first))
    for one in found:
        after = text[one.end : one.end + 6]
        if one.unit == "倍" and re.match("[にの以も]", after) and "より" not in text[: one.start]:
            return _sign(_middle(one) - 1)
        if one.unit == "%" and one.start >= 0 and re.match("に(?:な|減|落|縮)", after) and _middle(one) < _HUNDRED:
            return -1.0
    return 0.0


def _sign(value: Fraction) -> float:
    return 1.0 if value > 0 else -1.0 if value < 0 else 0.0


def valued(text: str) -> list[tuple[str, Fraction]]:
    """Return (words before it, value) for the figures of a folded text that share the most common unit."""
    found = [one for one in ranges(text) if one.unit not in {"西暦", ""}]
    units = [one.unit for one in found]
    if not units:
        return []
    unit = max(units, key=units.count)
    ends = [0, *(one.end for one in found)]
    return [(text[ends[place] : one.start], _middle(one)) for place, one in enumerate(found) if one.unit == unit]
