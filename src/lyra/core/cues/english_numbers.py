"""Numbers, shares, dates and spans of an English claim against those of its evidence."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from lyra.core.cues.english_sentence import Sentence
from lyra.core.cues.english_words import NUMBERS, Word
from lyra.core.lexicon import words as listed

_SCALES = {"hundred": 1e2, "thousand": 1e3, "million": 1e6, "billion": 1e9, "trillion": 1e12, "dozen": 12.0}
_PARTS = {
    "half": 2, "third": 3, "thirds": 3, "quarter": 4, "quarters": 4, "fifth": 5, "fifths": 5, "sixth": 6, "seventh": 7,
    "eighth": 8, "tenth": 10, "tenths": 10,
}  # fmt: skip
_TIMES = {
    "twice": 2.0, "double": 2.0, "doubled": 2.0, "doubles": 2.0, "triple": 3.0, "tripled": 3.0, "trebled": 3.0, "quadrupled": 4.0,
    "halved": 0.5,
}  # fmt: skip
_ALONE = {"half": 0.5, "dozen": 12.0}
_ABOUT = frozenset("about around roughly approximately nearly almost some".split())
_SPAN = {
    "second": 1, "minut": 60, "hour": 3600, "day": 86_400, "week": 604_800, "month": 2_629_800, "year": 31_557_600,
    "decad": 315_576_000, "centuri": 3_155_760_000,
}  # fmt: skip
_YEAR = re.compile(r"1[0-9]{3}|20[0-9]{2}")
_AT_LEAST = (("at", "least"), ("no", "fewer", "than"), ("no", "less", "than"), ("not", "less", "than"), ("a", "minimum", "of"))
_MORE = (
    ("more", "than"), ("over",), ("above",), ("exceeding",), ("upwards", "of"), ("greater", "than"), ("higher", "than"),
    ("beyond",), ("exceeded",),
)  # fmt: skip
_AT_MOST = (("at", "most"), ("up", "to"), ("no", "more", "than"), ("not", "more", "than"), ("a", "maximum", "of"), ("within",))
_FEWER = (("fewer", "than"), ("less", "than"), ("under",), ("below",), ("lower", "than"), ("almost",), ("nearly",))
_MEASURES = listed(
    """metr meter kilometr kilometer mil ton tonn kilogram gram milligram litr liter megawatt watt degre euro dollar pound km kg
    mg hectar acr inch foot hour"""
)
_SLACK = 0.06
_FAR = 1e18
# What is counted stands so near behind its number.
_THING_WITHIN = 4


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number as a range, with what is counted (stem of the next content word), its kind and its place."""

    low: float
    high: float
    kind: str  # "year", "share", "span", "times" or "count"
    thing: str
    place: int
    derived: bool = False  # worked out from another number of the sentence: evidence, but nothing a claim must show


def quantities(sentence: Sentence) -> list[Quantity]:
    """Return the numbers of a sentence, in digits or words."""
    words, found, place = sentence.words, [], 0
    while place < len(words):
        value, length = _number(words, place)
        if value is None:
            place += 1
            continue
        found.append(_quantity(sentence, place, length, value))
        whole = _share_of(words, place + length, [word.text for word in words[place + length : place + length + 4]])
        if whole is not None and found[-1].kind == "share":
            count = value if value > 1 else value * whole
            found.append(Quantity(count, count, "count", "", place, derived=True))
        place += length
    return found + _worked_out(sentence, found)


def _worked_out(sentence: Sentence, found: Sequence[Quantity]) -> list[Quantity]:
    """Return what two numbers of a sentence give together: "from 90 to 30", "of the 90 doctors, 27 answered"."""
    made: list[Quantity] = []
    for one, other in pairwise(found):
        if one.kind != other.kind or one.low <= 0 or one.low != one.high or other.low != other.high:
            continue
        before = tuple(sentence.words[q.place - 1].text if q.place else "" for q in (one, other))
        if before == ("from", "to"):
            change = abs(other.low - one.low)
            for value, kind in ((change / one.low, "share"), (other.low / one.low, "times"), (change, one.kind)):
                made.append(Quantity(value * (1 - _SLACK), value * (1 + _SLACK), kind, "", other.place, derived=True))
        elif one.kind == "count" and other.low < one.low and _whole_first(sentence, one.place):
            made.append(Quantity(other.low / one.low, other.low / one.low, "share", "", other.place, derived=True))
    return made


def _whole_first(sentence: Sentence, place: int) -> bool:
    """Return whether a number is the whole of which another is a part: "of 90", "of the 90", "among 90"."""
    before = [word.text for word in sentence.words[max(0, place - 2) : place]]
    return before[-1:] in (["of"], ["among"], ["out"]) or (before[-1:] == ["the"] and before[:1] in (["of"], ["among"]))


def _number(words: Sequence[Word], place: int) -> tuple[float | None, int]:
    """Return the number that begins at a place and how many words it takes; None where none does."""
    text = words[place].text
    following = words[place + 1].text if place + 1 < len(words) else ""
    if text[0].isdigit():
        return _scaled(words, place, float(text.replace(",", "")))
    if text in _TIMES or text in _ALONE:
        return _TIMES.get(text, _ALONE.get(text)), 1
    if text in ("a", "an", "one") and following in _PARTS:
        return 1 / _PARTS[following], 2
    return _written_out(words, place, text, following)


def _written_out(words: Sequence[Word], place: int, text: str, following: str) -> tuple[float | None, int]:
    parts = text.split("-")
    if not all(part in NUMBERS for part in parts):
        return None, 1
    value = float(sum(NUMBERS[part] for part in parts))
    if following in _PARTS and following.endswith("s"):
        return value / _PARTS[following], 2
    if text == "one" and following not in _SCALES and following not in ("of", "out", "in", "percent", "%"):
        return None, 1
    return _scaled(words, place, value)


def _scaled(words: Sequence[Word], place: int, value: float) -> tuple[float, int]:
    length = 1
    while place + length < len(words) and words[place + length].text in _SCALES:
        value *= _SCALES[words[place + length].text]
        length += 1
    return value, length


def _quantity(sentence: Sentence, place: int, length: int, value: float) -> Quantity:
    words, end = sentence.words, place + length
    after = [word.text for word in words[end : end + 4]]
    thing = _thing(sentence, end)
    kind = "count"
    whole = _share_of(words, end, after)
    if after[:1] in (["%"], ["percent"]) or after[:2] == ["per", "cent"]:
        value, kind, thing = value / 100, "share", _thing(sentence, end + 1)
    elif whole is not None and whole >= value >= 1:
        value, kind = value / whole, "share"
    elif words[place].text == "half" or words[end - 1].text in _PARTS:
        kind = "share"
    elif words[place].text in _TIMES or after[:1] == ["times"]:
        kind = "times"
    elif length == 1 and thing not in _SPAN and _YEAR.fullmatch(words[place].text) and _dates(words, place):
        return _year(words, place, value)
    elif end < len(words) and words[end].stem in _SPAN:
        thing = words[end].stem
        value, kind = value * _SPAN[thing], "span"
    low, high = _range(words, place, value)
    return Quantity(low, high, kind, thing, place)


def _thing(sentence: Sentence, start: int) -> str:
    return next((sentence.words[place].stem for place in sentence.content if start <= place < start + _THING_WITHIN), "")


def _year(words: Sequence[Word], place: int, value: float) -> Quantity:
    before = words[place - 1].text if place else ""
    decade = place + 1 < len(words) and words[place + 1].text == "s"
    low, high = value, value + 9 if decade else value
    if before in ("since", "from"):
        high = _FAR
    elif before in ("until", "till", "before", "by"):
        low = -_FAR
    elif before == "after":
        low, high = value + 1, _FAR
    return Quantity(low, high, "year", "", place)


def _dates(words: Sequence[Word], place: int) -> bool:
    before = words[place - 1].text if place else ""
    return before in _DATING or (place + 1 == len(words)) or before in _MONTHS


_DATING = frozenset("in since until till by from after before during between of to and year early late around end".split())
_MONTHS = listed(
    "january february march april may june july august september october november december spring summer autumn winter"
)


def _share_of(words: Sequence[Word], start: int, after: Sequence[str]) -> float | None:
    """Return the whole in "three of the five", "two out of three", "one in ten"."""
    for opening in (("of", "the"), ("of",), ("out", "of"), ("out", "of", "the"), ("in",)):
        if tuple(after[: len(opening)]) == opening and start + len(opening) < len(words):
            value, _ = _number(words, start + len(opening))
            if value is not None and not (opening == ("in",) and value > 1000):  # noqa: PLR2004 - "in 1998" is a date
                return value
    return None


def _range(words: Sequence[Word], place: int, value: float) -> tuple[float, float]:
    before = tuple(word.text for word in words[max(0, place - 3) : place])
    for phrases, low, high in (
        (_AT_LEAST, value, _FAR),
        (_AT_MOST, -_FAR, value),
        (_MORE, value * 1.0001, _FAR),
        (_FEWER, -_FAR, value * 0.9999),
    ):
        if any(before[-len(phrase) :] == phrase for phrase in phrases):
            return (value * 0.85, value) if before[-1] in _ABOUT else (low, high)
    if before and before[-1] in _ABOUT:
        return value * (1 - _SLACK), value * (1 + _SLACK)
    return value, value


@dataclass(frozen=True, slots=True)
class Compared:
    """How the claim's numbers stand to the evidence's: shares of the claim's numbers, 0.0 where it has none."""

    same: float
    conflict: float
    extra: float
    time_conflict: float


def compare(evidence: Sequence[Quantity], claim: Sequence[Quantity]) -> Compared:
    """Return how the numbers of a claim stand to those of its evidence."""
    same = conflict = extra = late = 0.0
    claim = [wanted for wanted in claim if not wanted.derived]
    for wanted in claim:
        alike = [found for found in evidence if found.kind == wanted.kind]
        if any(_inside(found, wanted) and not _bounds_differ(found, wanted) for found in alike):
            same += 1
        elif _rivals(alike, wanted, claim):
            conflict += 1
            late += wanted.kind in ("year", "span")
        else:
            extra += 1
    count = max(1, len(claim))
    return Compared(same / count, conflict / count, extra / count, late / count)


def _inside(found: Quantity, wanted: Quantity) -> bool:
    if wanted.kind == "year":
        return found.low <= wanted.high and wanted.low <= found.high
    if found.thing != wanted.thing and found.thing in _MEASURES and wanted.thing in _MEASURES:
        return False
    slack = (
        _SLACK * max(abs(wanted.low), abs(wanted.high))
        if wanted.kind == "share" and wanted.low != wanted.high
        else 1e-6 * abs(wanted.low)
    )
    slack = max(slack, 0.012) if wanted.kind == "share" else slack
    if found.derived and found.kind in ("share", "times"):
        slack = max(slack, found.high - found.low)
    return found.low >= wanted.low - slack and found.high <= wanted.high + slack


def _rivals(alike: Sequence[Quantity], wanted: Quantity, claim: Sequence[Quantity]) -> bool:
    """Return whether the evidence counts the same thing and has another value for it."""
    free = [found for found in alike if _bounds_differ(found, wanted) or not any(_inside(found, other) for other in claim)]
    named = [found for found in free if found.thing == wanted.thing or not found.thing or not wanted.thing]
    if wanted.kind in ("share", "year", "span", "times"):
        named = named or free
    return any(found.low > wanted.high or found.high < wanted.low or _bounds_differ(found, wanted) for found in named)


def _bounds_differ(found: Quantity, wanted: Quantity) -> bool:
    return found.low <= -_FAR and wanted.low <= -_FAR and found.high < wanted.high
