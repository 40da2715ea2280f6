"""Numbers, shares and years as Japanese text writes them: 二十三万, 3兆円, 約2割, 3分の1, 令和6年.

One figure has many spellings. `read_figures` tells what is meant, `spellings` gives the other ways to write it, so that a
search for one finds the others.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Literal

Kind = Literal["year", "share", "amount"]

_DIGITS = "〇一二三四五六七八九"
_SMALL = {"十": 10, "百": 100, "千": 1000}
_LARGE = {"万": 10**4, "億": 10**8, "兆": 10**12, "京": 10**16}
_MOST = 10**20
# No number below that needs more characters; Python refuses to read some thousand digits.
_LONGEST = 100
# Name, first year, number of the last year (the running era has none).
_ERAS = (("明治", 1868, 45), ("大正", 1912, 15), ("昭和", 1926, 64), ("平成", 1989, 31), ("令和", 2019, 99))
_INITIALS = dict(zip("MTSHR", (name for name, _, _ in _ERAS), strict=True))
# One character for one, so that places in the folded text are places in the text.
_FOLDED = str.maketrans("０１２３４５６７８９，．％（）零壱弐参拾", "0123456789,.%()〇一二三十")

# Atomic: digits once taken are not given back, else a run of a hundred digits could be parted in countless ways.
_ARABIC = r"(?>(?:\d{1,3}(?:,\d{3})+(?!\d)|\d+)(?:\.\d+)?)"
_MIXED = rf"(?:{_ARABIC}[十百千]?[万億兆京]?)+"
_KANJI = rf"[{_DIGITS}十百千万億兆京]+"
_NUMBER = rf"(?:{_MIXED}|{_KANJI})"
_COUNTERS = """円 ドル ユーロ ポンド 人 名 件 例 倍 歳 才 回 個 本 枚 台 社 校 店 冊 頭 羽 匹 棟 戸 世帯 か国 カ国 ヶ国
    か所 カ所 ヶ所 箇所 か月 カ月 ヶ月 箇月 月 週間 週 日間 日 時間 分間 分 秒 年間 年度 年 度 ℃ キロメートル
    センチメートル ミリメートル 平方メートル メートル キログラム ミリグラム グラム キロワット キロ トン リットル ヘクタール
    ポイント 点 位 歩 票 字 語 km kg mg cm mm""".split()
_COUNTER = "|".join(sorted(_COUNTERS, key=len, reverse=True)).replace("|年|", "|年(?!代)|")
# Different spellings of one counter.
_SAME_COUNTER = {f"{mark}{thing}": f"か{thing}" for mark in "カヶ箇" for thing in ("月", "所", "国")} | {"才": "歳"}
_ABOUT = r"(?:約|およそ|おおよそ|ほぼ|おおむね|概ね|ざっと)"
_ABOUT_AFTER = re.compile(r"ほど|程度|前後|余り|あまり|強(?![いくかさ])|弱(?![いくかさ])|くらい|ぐらい")
_NOT_CALENDAR = r"(?!間|前|後|ぶり|代|以内|以上|以下|目|余|来|ほど|程度|未満|近く|あまり|にわたり|にわたって)"
_FIGURE = re.compile(
    rf"(?P<about>{_ABOUT})?(?:"
    rf"(?P<era>{'|'.join(name for name, _, _ in _ERAS)}|(?<![A-Za-z])[MTSHR](?=\d))\s?(?P<era_year>元|\d{{1,2}}|{_KANJI})"
    rf"(?:\((?:西暦)?\d{{4}}年?\))?年"
    rf"|(?<![\d.,])(?P<year>1\d{{3}}|20\d\d|[一二][〇一二三四五六七八九]{{3}})(?:\([^()]{{1,8}}\))?年{_NOT_CALENDAR}"
    rf"|(?P<parts>{_NUMBER})分の(?P<of_parts>{_NUMBER})"
    rf"|(?P<tenths>{_NUMBER})割(?!合|り|れ|る|っ|当)(?:(?P<hundredths>[\d一二三四五六七八九])分(?!の))?"
    rf"|(?P<percent>{_NUMBER})\s?(?:%|パーセント)"
    rf"|(?P<amount>{_NUMBER})\s?(?P<counter>{_COUNTER})?"
    rf")"
)
_TOKEN = re.compile(rf"(?P<arabic>{_ARABIC})|(?P<digits>[{_DIGITS}]+)|(?P<small>[十百千])|(?P<large>[万億兆京])")
# Words that only look like a figure: 十分 is "enough", 一時 "for a time".
_WORDS = frozenset({"十分", "一度", "一位", "一点"})
_PLACES = 2
_PER_CENT = 100


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure and its place in the text.

    A `year` is one of the western calendar, a `share` is in per cent, an `amount` has the `counter` that stands behind it,
    if any. `about` is set where the text says so (約, ほど).
    """

    start: int
    end: int
    kind: Kind
    value: Fraction
    counter: str = ""
    about: bool = False


def parse_number(text: str) -> Fraction | None:
    """Return the value of a number in Arabic digits, kanji, or both (1億2千万); None for what is no well-formed number."""
    total, section = Fraction(0), Fraction(0)
    current: Fraction | None = None
    last_small, last_large = 10**4, _MOST
    position = 0
    folded = text.translate(_FOLDED)
    if len(folded) > _LONGEST:
        return None
    for token in _TOKEN.finditer(folded):
        if token.start() != position:
            return None
        position, written = token.end(), token.group()
        if token["arabic"] or token["digits"]:
            if current is not None:
                return None
            current = _plain(written)
        elif token["small"]:
            size = _SMALL[written]
            if size >= last_small:
                return None
            section, current, last_small = section + (1 if current is None else current) * size, None, size
        else:
            size = _LARGE[written]
            counted = section + (current or 0)
            if size >= last_large or not counted:
                return None
            total, section, current, last_small, last_large = total + counted * size, Fraction(0), None, 10**4, size
    found = total + section + (current or 0)
    return found if folded and position == len(folded) and found < _MOST else None


def _plain(written: str) -> Fraction:
    if written[0] in _DIGITS:
        return Fraction(int("".join(str(_DIGITS.index(digit)) for digit in written)))
    return Fraction(written.replace(",", ""))


def read_figures(text: str) -> list[Figure]:
    """Return the figures of a text in order, without overlap. Never raises.

    A number in kanji alone counts only with a counter, an era or a share behind it: 千葉 and 一般 are words.
    """
    folded = text.translate(_FOLDED)
    found = (_figure(folded, match) for match in _FIGURE.finditer(folded))
    return [figure for figure in found if figure is not None]


def _figure(text: str, match: re.Match[str]) -> Figure | None:
    about = match["about"] is not None or _ABOUT_AFTER.match(text, match.end()) is not None
    kind, value, counter = _meaning(match)
    if value is None or _is_a_word(match, counter):
        return None
    return Figure(match.start(), match.end(), kind, value, counter, about)


def _meaning(match: re.Match[str]) -> tuple[Kind, Fraction | None, str]:
    if match["era"]:
        return "year", _era_year(match["era"], match["era_year"]), ""
    if match["year"]:
        return "year", parse_number(match["year"]), ""
    if match["parts"]:
        whole, part = parse_number(match["parts"]), parse_number(match["of_parts"])
        return "share", part * _PER_CENT / whole if whole and part is not None else None, ""
    if match["tenths"]:
        tenths, hundredths = parse_number(match["tenths"]), parse_number(match["hundredths"] or "0")
        return "share", None if tenths is None or hundredths is None else tenths * 10 + hundredths, ""
    if match["percent"]:
        return "share", parse_number(match["percent"]), ""
    return "amount", parse_number(match["amount"]), match["counter"] or ""


def _is_a_word(match: re.Match[str], counter: str) -> bool:
    amount = match["amount"]
    return amount is not None and not re.search(r"\d", amount) and (not counter or amount + counter in _WORDS)


def _era_year(era: str, number: str) -> Fraction | None:
    count = Fraction(1) if number == "元" else parse_number(number)
    _, first, last = next(entry for entry in _ERAS if entry[0] == _INITIALS.get(era, era))
    return first + count - 1 if count is not None and 1 <= count <= last else None


def spellings(figure: Figure) -> tuple[str, ...]:
    """Return the usual ways to write a figure, its counter included, each once."""
    match figure.kind:
        case "year":
            found = _year_spellings(int(figure.value))
        case "share":
            found = _share_spellings(figure.value)
        case _:
            counter = _SAME_COUNTER.get(figure.counter, figure.counter)
            counters = [counter, *(other for other, same in _SAME_COUNTER.items() if same == counter)]
            found = (f"{number}{name}" for number in _amount_spellings(figure.value) for name in counters)
    return tuple(dict.fromkeys(found))


def _year_spellings(year: int) -> Iterator[str]:
    yield f"{year}年"
    yield "".join(_DIGITS[int(digit)] for digit in str(year)) + "年"
    for name, first, last in _ERAS:
        count = year - first + 1
        if 1 <= count <= last:
            yield f"{name}{count}年"
            yield f"{name}{'元' if count == 1 else in_kanji(count)}年"


def _share_spellings(share: Fraction) -> Iterator[str]:
    written = _decimal(share)
    if written is None:
        part = share / _PER_CENT
        yield f"{part.denominator}分の{part.numerator}"
        yield f"{in_kanji(part.denominator)}分の{in_kanji(part.numerator)}"
        return
    yield f"{written}%"
    yield f"{written}パーセント"
    tenths, hundredths = divmod(share, 10)
    if 1 <= tenths <= 10 and hundredths.denominator == 1:  # noqa: PLR2004 - 十割 is the whole
        yield f"{tenths}割" + (f"{hundredths}分" if hundredths else "")
        yield f"{in_kanji(int(tenths))}割" + (f"{in_kanji(int(hundredths))}分" if hundredths else "")


def _amount_spellings(value: Fraction) -> Iterator[str]:
    written = _decimal(value)
    if written is None:
        return
    yield written
    if value.denominator == 1 and value >= 1000:  # noqa: PLR2004 - commas group thousands
        yield f"{int(value):,}"
    for name, size in _LARGE.items():
        short = _decimal(value / size)
        if 1 <= value / size < 10**4 and short is not None:
            yield f"{short}{name}"
    if value.denominator == 1:
        yield "".join(f"{digits}{name}" for digits, name in _sections(int(value)))
        yield "".join(f"{_with_thousands(digits)}{name}" for digits, name in _sections(int(value)))
        yield in_kanji(int(value))


def _with_thousands(number: int) -> str:
    return f"{number // 1000}千" if number >= 1000 and number % 1000 == 0 else str(number)  # noqa: PLR2004 - 千 is 1000


def _decimal(value: Fraction) -> str | None:
    """Return a value with at most two places as digits; None where it has more."""
    scaled = value * 10**_PLACES
    if scaled.denominator != 1:
        return None
    whole, rest = divmod(int(scaled), 10**_PLACES)
    return f"{whole}.{rest:0{_PLACES}d}".rstrip("0").rstrip(".") if rest else str(whole)


def _sections(number: int) -> Iterator[tuple[int, str]]:
    """Yield the groups of four digits that are not zero, largest first, each with its name; zero itself is one group."""
    sizes = [_MOST, *sorted(_LARGE.values(), reverse=True), 1]
    names = {size: name for name, size in _LARGE.items()}
    groups = [(number % above // size, names.get(size, "")) for above, size in pairwise(sizes)]
    yield from [group for group in groups if group[0]] or [(0, "")]


def in_kanji(number: int) -> str:
    """Return a whole number from 0 to below 10²⁰ as it is written in kanji with units: 二十三万四千."""
    return "".join(_group_in_kanji(group, name) + name for group, name in _sections(number))


def _group_in_kanji(group: int, name: str) -> str:
    if not group:
        return _DIGITS[0]
    written = ""
    for unit, size in (("千", 1000), ("百", 100), ("十", 10), ("", 1)):
        digit = group // size % 10
        if digit:
            # 一 before 千 is written only in front of a larger unit (一千万), and never before 百 and 十.
            bare = digit == 1 and unit and not (unit == "千" and name)
            written += unit if bare else _DIGITS[digit] + unit
    return written
