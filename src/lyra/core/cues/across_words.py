"""Japanese text cut into words that have an English counterpart, by the longest entry of a lexicon of our own writing."""

import re
import unicodedata
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from lyra.core.cues.across_english import number, share
from lyra.core.japanese_numbers import Figure, read_figures
from lyra.core.lexicon import HAN, HIRAGANA, KATAKANA

_CONTENT = re.compile(f"[{HAN}{KATAKANA}A-Za-z0-9]")
_HIRAGANA = re.compile(f"[{HIRAGANA}]+")
_KATAKANA = re.compile(f"[{KATAKANA}ー]+")
_LATIN = re.compile("[A-Za-z][A-Za-z0-9-]*")
_DROPPED = re.compile(r"[「」『』“”\"'\s]")
_PARTICLES = sorted(
    """によって により による において における について に関する に対して に対する にとって として という とは では には
    にも からは までに より よりも から まで だけ のみ しか ほど など ごと あたり は が を に で と も へ の や のうち""".split(),
    key=len,
    reverse=True,
)
_BEING = ("である", "であっ", "でし", "ではな", "でな", "ではあ")
_IN_HIRAGANA = ("けが", "ごみ", "がん", "いじめ", "すべて", "ほとんど")
_ENDING = re.compile("が[っらりるれろ]|や[さしすせ]|と[さしすせ]|から[なずれ]")
# A verb that ends like this before を, は or の is a noun: 引き上げは.
_STEMS = frozenset("げけめれえせてりいきしみ")
_SIDE = re.compile("(?<=[のたいるう])(?:方|ほう)(?=[がはを])")
_UNITS = {
    "円": "yen", "ドル": "dollars", "ユーロ": "euros", "ポンド": "pounds", "人": "people", "名": "people", "件": "cases",
    "例": "cases", "倍": "times", "歳": "years old", "才": "years old", "回": "times", "社": "companies", "校": "schools",
    "店": "shops", "世帯": "households", "か国": "countries", "カ国": "countries", "ヶ国": "countries", "か所": "places",
    "か月": "months", "カ月": "months", "ヶ月": "months", "週間": "weeks", "週": "weeks", "日間": "days", "日": "days",
    "時間": "hours", "分間": "minutes", "分": "minutes", "秒": "seconds", "年間": "years", "年": "years", "度": "degrees",
    "℃": "degrees", "メートル": "metres", "センチメートル": "centimetres", "キロメートル": "kilometres", "kg": "kilograms",
    "キログラム": "kilograms", "キロ": "kilograms", "グラム": "grams", "ミリグラム": "milligrams", "トン": "tons",
    "リットル": "litres", "ヘクタール": "hectares", "ポイント": "points", "点": "points", "位": "place", "歩": "steps",
    "票": "votes", "冊": "books", "頭": "animals", "匹": "animals", "km": "kilometres", "cm": "centimetres", "月": "",
}  # fmt: skip
_BOUNDS = (
    ("以上", "at least"), ("未満", "fewer than"), ("以下", "at most"), ("以内", "within"), ("を超え", "more than"),
    ("超", "more than"), ("を上回", "more than"), ("を下回", "fewer than"), ("に満たな", "fewer than"), ("弱", "almost"),
    ("強", "over"), ("まで", "up to"),
)  # fmt: skip
_ROMAN = dict(
    zip(
        "アイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワヲンガギグゲゴザジズゼゾダヂヅデドバビブベボパピプペポヴ",
        "a i u e o ka ki ku ke ko sa shi su se so ta chi tsu te to na ni nu ne no ha hi fu he ho ma mi mu me mo ya yu yo ra ri ru"
        " re ro wa o n ga gi gu ge go za ji zu ze zo da ji zu de do ba bi bu be bo pa pi pu pe po vu".split(),
        strict=True,
    )
)
# Stands for 方 in 〜の方が, "the one of two that".
SIDE = "§"


@dataclass(frozen=True, slots=True)
class Word:
    """A piece of a text.

    The kinds are those of the lexicon (n noun, s noun that is also a verb, v verb, a adjective, k adjective by な,
    d adverb, q quantifier), and: m number, p particle, t ending, x mark.
    """

    kind: str
    text: str
    english: str = ""
    noun: str = ""


@cache
def lexicon() -> dict[str, tuple[Word, ...]]:
    """Return the entries by Japanese form, read from the package once."""
    found: dict[str, list[Word]] = {}
    lines = Path(__file__).with_name("across.tsv").read_text(encoding="utf-8").splitlines()
    for line in lines[1:]:
        japanese, kind, english, noun = line.split("\t")
        found.setdefault(japanese, []).append(Word(kind, japanese, english, noun))
    return {japanese: tuple(entries) for japanese, entries in found.items()}


@cache
def _longest() -> int:
    return max(map(len, lexicon()))


def words(text: str) -> tuple[list[Word], float]:
    """Return the words of a text in order, and the share of its content characters that are known."""
    plain = _DROPPED.sub("", unicodedata.normalize("NFKC", text)).rstrip("。.!?")
    figures = {figure.start: figure for figure in read_figures(plain)}
    found: list[Word] = []
    at = known = 0
    while at < len(plain):
        word, length, counts = _next(plain, at, figures, found)
        if word is not None:
            found.append(word)
        known += counts * len(_CONTENT.findall(plain[at : at + length]))
        at += length
    content = len(_CONTENT.findall(plain))
    return found, known / content if content else 0.0


def _next(text: str, at: int, figures: dict[int, Figure], before: list[Word]) -> tuple[Word | None, int, bool]:
    side = _SIDE.match(text, at)
    if side:
        return Word("n", side.group(), SIDE), len(side.group()), True
    entry = _entry(text, at, before)
    figure = figures.get(at)
    if figure is not None and (entry is None or len(entry.text) < figure.end - figure.start):
        return _number(text, figure)
    if entry is not None:
        return entry, len(entry.text), True
    kana = _HIRAGANA.match(text, at)
    if kana:
        return _kana(kana.group(), before)
    for pattern in (_KATAKANA, _LATIN):
        match = pattern.match(text, at)
        if match:
            latin = pattern is _LATIN
            return Word("n", match.group(), match.group() if latin else romanised(match.group())), len(match.group()), latin
    return (Word("x", text[at]) if text[at] in "、,・" else None), 1, False


def _entry(text: str, at: int, before: list[Word]) -> Word | None:
    if _HIRAGANA.match(text[at]) and before and before[-1].kind in "vakt" and text[at - 1] not in "、はがをにのもで":
        return None
    for length in range(min(_longest(), len(text) - at), 0, -1):
        entries = lexicon().get(text[at : at + length])
        if entries:
            chosen = _chosen(entries, text, at + length)
            if chosen is not None:
                return chosen
    return None


def _chosen(entries: tuple[Word, ...], text: str, end: int) -> Word | None:
    rest = text[end : end + 4]
    if text[end - 1] == "く" and re.match("は?な[っりるら]|し[たてなま]|す[るれ]", rest):
        entries = tuple(entry for entry in entries if entry.kind == "a")
    if text[end - 1] in _STEMS and rest[:1] in {"を", "は", "の"}:
        entries = tuple(Word("n", one.text, one.noun or one.english) if one.kind == "v" else one for one in entries)
    marked = _particle(rest) is not None and (rest[0] not in "まか" or rest[:2] in {"から", "まで"})
    inflects = _HIRAGANA.match(rest) is not None and not marked
    ends_in_kana = _HIRAGANA.match(text[end - 1]) is not None
    for entry in entries:
        fits = inflects or ends_in_kana if entry.kind in "va" else True
        if entry.kind == "v" and not ends_in_kana and not inflects:
            fits = False
        if fits and not (entry.kind in "ns" and len(entry.text) == 1 and inflects and len(entries) > 1):
            return entry
    return None


def _particle(kana: str) -> str | None:
    return None if _ENDING.match(kana) else next((one for one in _PARTICLES if kana.startswith(one)), None)


def _kana(kana: str, before: list[Word]) -> tuple[Word, int, bool]:
    last = before[-1].kind if before else "x"
    if last in "nsmkdqp" or (last == "a" and kana[0] in "のはが"):
        particle = _particle(kana)
        if particle and not (last == "k" and kana.startswith("で")) and not kana.startswith(_BEING):
            return Word("p", particle), len(particle), False
    length = len(kana)
    # An ending goes as far as the next word of the lexicon that is written in hiragana behind a particle.
    for cut in range(1, len(kana)):
        if kana[cut - 1] in "はがをに" and kana.startswith(_IN_HIRAGANA, cut):
            length = cut
            break
    return Word("t", kana[:length]), length, False


def _number(text: str, figure: Figure) -> tuple[Word, int, bool]:
    length = figure.end - figure.start
    if figure.kind == "year":
        return Word("m", text[figure.start : figure.end], str(int(figure.value))), length, True
    counted = f"{number(figure.value)} {_UNITS.get(figure.counter, '')}".strip()
    written = share(figure.value) if figure.kind == "share" else counted
    after = text[figure.end : figure.end + 4]
    for mark, english in _BOUNDS:
        if after.startswith(mark):
            written, length = f"{english} {written}", length + (len(mark) if mark[0] not in "をに" else 0)
            break
    else:
        written = f"about {written}" if figure.about else written
    return Word("m", text[figure.start : figure.start + length], written), length, True


def romanised(katakana: str) -> str:
    """Return a katakana word in Latin letters, for names; long vowels and small letters as plain ones."""
    small = str.maketrans("ァィゥェォャュョ", "アイウエオヤユヨ")
    return "".join(_ROMAN.get(one, "") for one in katakana.translate(small)).capitalize()
