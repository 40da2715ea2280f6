"""Templated Japanese pairs in which one word decides: denial, double denial, numbers, direction, certainty, は and が.

Own writing, the Japanese sister of `contrast_en.py`. Nothing here repeats a sentence of `bench/judgement`.
"""

from __future__ import annotations

from random import Random

from training.contrast_words import Row
from training.lexicons import Lexicon
from training.records import NEUTRAL, REFUTES, SUPPORTS, Pair

_LEXICON = Lexicon("contrasts_ja.toml")
STATEMENTS = _LEXICON.together("statements")
PREDICATES = _LEXICON.together("predicates")
MEMBERS = _LEXICON.words("members")
UNITS = _LEXICON.together("units")
THINGS = _LEXICON.words("things")
CAUSES = _LEXICON.words("causes")
UP = _LEXICON.words("up")
DOWN = _LEXICON.words("down")
FACTS = _LEXICON.words("facts")
CONTRASTS = _LEXICON.together("contrasts")
ACTS = _LEXICON.together("acts")
ACTORS = _LEXICON.together("actors")


def denials(rng: Random) -> list[Row]:
    """Stated and denied, plainly and with an introduction."""
    yes, no = rng.choice(STATEMENTS)
    other_yes, _ = rng.choice([item for item in STATEMENTS if item[0] != yes])
    said_no = rng.choice([f"{no}。", f"調べたところ、{no}。", f"{yes}というのは事実ではない。", f"期待に反して、{no}。"])
    said_yes = rng.choice([f"{yes}。", f"調べたところ、{yes}。", f"{no}というのは誤りで、{yes}。"])
    return [
        (said_no, f"{yes}。", REFUTES),
        (said_no, f"{no}。", SUPPORTS),
        (said_yes, f"{no}。", REFUTES),
        (said_yes, f"{yes}。", SUPPORTS),
        (said_no, f"{other_yes}。", NEUTRAL),
    ]


def double_denials(rng: Random) -> list[Row]:
    """〜ない者はいない and its kin."""
    yes, no = rng.choice(PREDICATES)
    who = rng.choice(MEMBERS)
    place = rng.choice(["この町の", "この地域の", "調査した", "今年の", "登録された", ""])
    all_ = rng.choice(
        [
            f"{no}{who}はいなかった。",
            f"{place}{who}で{no}ところはなかった。",
            f"{no}{who}は一つもない。",
            f"{place}{who}に{no}例はない。",
        ]
    )
    some = rng.choice(
        [f"{place}{who}が皆{no}わけではない。", f"{yes}{who}がいないわけではない。", f"{yes}{who}がいないとは言えない。"]
    )
    none = rng.choice([f"{yes}{who}はいなかった。", f"{place}{who}に{yes}例はない。", f"{yes}{who}は一つもない。"])
    few = rng.choice([f"{no}{who}はほとんどいない。", f"{no}{who}は少ない。"])
    return [
        (all_, f"{who}はすべて{yes}。", SUPPORTS),
        (all_, f"{no}{who}がいた。", REFUTES),
        (some, f"{yes}{who}もいる。", SUPPORTS),
        (some, f"{yes}{who}は皆無である。", REFUTES),
        (none, f"{who}はどれも{no}。", SUPPORTS),
        (none, f"{yes}{who}がいた。", REFUTES),
        (few, f"大半の{who}が{yes}。", SUPPORTS),
        (few, f"大半の{who}が{no}。", REFUTES),
    ]


def conditions(rng: Random) -> list[Row]:
    """〜なしには〜できない."""
    need = rng.choice("許可|会員証|予約|署名|水|訓練|燃料|身分証|推薦状|日光|同意書|鍵".split("|"))
    act, can, cannot = rng.choice(
        [
            ("入場", "入場できる", "入場できない"),
            ("申し込み", "申し込める", "申し込めない"),
            ("撮影", "撮影できる", "撮影できない"),
            ("栽培", "育てられる", "育てられない"),
            ("利用", "利用できる", "利用できない"),
            ("手術", "手術できる", "手術できない"),
        ]
    )
    evidence = rng.choice([f"{need}なしには{cannot}。", f"{need}がなければ{cannot}。", f"{need}がないと{cannot}。"])
    free = rng.choice([f"{need}がなければ{cannot}ということはない。", f"{need}がなくても{can}。"])
    return [
        (evidence, f"{act}には{need}が必要である。", SUPPORTS),
        (evidence, f"{need}がなくても{can}。", REFUTES),
        (free, f"{act}に{need}は必要ない。", SUPPORTS),
        (free, f"{act}には{need}が欠かせない。", REFUTES),
    ]


def shares(rng: Random) -> list[Row]:
    """Some of a whole: 過半数, 割, 残り."""
    yes, no = rng.choice(PREDICATES)
    who = rng.choice(MEMBERS)
    total = rng.choice([10, 20, 30, 40, 50, 80, 100, 200])
    part = rng.choice([n for n in range(1, 10) if n != 5]) * total // 10
    most = 2 * part > total
    wrong = rng.choice([n * total // 10 for n in range(1, 10) if abs(n * total // 10 - part) * 10 > total * 1.5])
    evidence = rng.choice(
        [
            f"{who}{total}のうち{part}が{yes}。",
            f"{total}の{who}のうち、{yes}のは{part}だった。",
            f"{yes}{who}は{total}のうち{part}である。",
        ]
    )
    return [
        (evidence, f"過半数の{who}が{yes}。", SUPPORTS if most else REFUTES),
        (evidence, f"{yes}{who}は半数に満たない。", REFUTES if most else SUPPORTS),
        (evidence, f"{no}{who}は{total - part}である。", SUPPORTS),
        (evidence, f"{yes}{who}は{wrong}である。", REFUTES),
        (evidence, f"{who}の{part * 10 // total}割が{yes}。", SUPPORTS),
        (evidence, f"{who}の{wrong * 10 // total}割が{yes}。", REFUTES),
        (evidence, f"すべての{who}が{yes}。", REFUTES),
    ]


def _number(rng: Random, value: int) -> str:
    if value % 10_000 == 0 and rng.random() < 0.6:
        return f"{value // 10_000}万"
    if value % 1_000 == 0 and value < 10_000 and rng.random() < 0.4:
        return f"{value // 1_000}千"
    return f"{value:,}" if rng.random() < 0.5 else str(value)


def amounts(rng: Random) -> list[Row]:
    """One quantity against bounds and other values."""
    subject, unit = rng.choice(UNITS)
    value = rng.choice(
        [rng.randrange(12, 99), 10 * rng.randrange(11, 99), 1000 * rng.randrange(2, 90), 10_000 * rng.randrange(2, 60)]
    )
    low, high = max(1, value * rng.choice([3, 5, 7, 8]) // 10), value * rng.choice([12, 15, 20, 30]) // 10
    shown = _number(rng, value)
    evidence = rng.choice(
        [f"{subject}{shown}{unit}である。", f"{subject}{shown}{unit}だった。", f"測ったところ、{subject}{shown}{unit}だった。"]
    )
    other = rng.choice([item for item in UNITS if item[0] != subject])
    return [
        (evidence, f"{subject}{_number(rng, low)}{unit}を超える。", SUPPORTS),
        (evidence, f"{subject}{_number(rng, high)}{unit}を超える。", REFUTES),
        (evidence, f"{subject}{_number(rng, high)}{unit}に満たない。", SUPPORTS),
        (evidence, f"{subject}{_number(rng, low)}{unit}に満たない。", REFUTES),
        (evidence, f"{subject}{_number(rng, high)}{unit}である。", REFUTES),
        (evidence, f"{other[0]}{shown}{other[1]}である。", NEUTRAL),
    ]


def changes(rng: Random) -> list[Row]:
    """From one value to another, eras included."""
    thing = rng.choice(THINGS)
    before = 10 * rng.randrange(2, 60)
    factor = rng.choice([0.5, 0.5, 0.8, 1.5, 2, 2, 3])
    after = int(before * factor)
    up = after > before
    evidence = rng.choice([f"{thing}は{before}から{after}になった。", f"{thing}は前年の{before}に対し今年は{after}だった。"])
    gap = abs(after - before)
    year = rng.randrange(2, 8)
    work = rng.choice("校舎の建設|道路の工事|辞書の改訂|港の整備|制度の見直し|塔の修復".split("|"))
    era = f"{work}は令和{year}年に終わった。"
    return [
        (evidence, f"{thing}は{rng.choice(UP if up else DOWN)}。", SUPPORTS),
        (evidence, f"{thing}は{rng.choice(DOWN if up else UP)}。", REFUTES),
        (evidence, f"{thing}は{gap}{'増えた' if up else '減った'}。", SUPPORTS),
        (evidence, f"{thing}は{gap + rng.choice([10, 20, 50])}{'増えた' if up else '減った'}。", REFUTES),
        (evidence, f"{thing}は2倍になった。", SUPPORTS if factor == 2 else REFUTES),
        (evidence, f"{thing}は半減した。", SUPPORTS if factor == 0.5 else REFUTES),
        (era, f"{work}は{2018 + year}年に終わった。", SUPPORTS),
        (era, f"{work}は{2018 + year - rng.choice([3, 10, 20])}年に終わった。", REFUTES),
    ]


def directions(rng: Random) -> list[Row]:
    """The same change in other words, and its opposite."""
    thing, cause = rng.choice(THINGS), rng.choice(CAUSES)
    ways = [UP, DOWN]
    rng.shuffle(ways)
    evidence = rng.choice(
        [
            f"{cause}の後、{thing}は{rng.choice(ways[0])}。",
            f"{cause}によって{thing}が{rng.choice(ways[0])}。",
            f"{cause}をきっかけに{thing}が{rng.choice(ways[0])}という。",
        ]
    )
    other = rng.choice([item for item in THINGS if item != thing])
    return [
        (evidence, f"{cause}により{thing}が{rng.choice(ways[0])}。", SUPPORTS),
        (evidence, f"{cause}により{thing}が{rng.choice(ways[1])}。", REFUTES),
        (evidence, f"{cause}の前後で{thing}は変わらなかった。", REFUTES),
        (evidence, f"{cause}により{other}が{rng.choice(ways[0])}。", NEUTRAL),
    ]


def certainty(rng: Random) -> list[Row]:
    """Possible, said, proven, open."""
    fact = rng.choice(FACTS)
    weak = rng.choice(
        [
            f"{fact}可能性がある。",
            f"{fact}かもしれない。",
            f"{fact}と言われている。",
            f"{fact}ことをうかがわせる資料がある。",
            f"{fact}と推測されている。",
        ]
    )
    strong = rng.choice([f"{fact}ことが実験で確かめられた。", f"{fact}ことに疑いはない。", f"{fact}ことが証明された。"])
    unknown = rng.choice([f"{fact}かどうかは不明である。", f"{fact}かどうかは決着していない。", f"{fact}とは断言できない。"])
    sure = rng.choice([f"{fact}ことは確実である。", f"{fact}ことは立証されている。", f"{fact}と断定された。"])
    maybe = rng.choice([f"{fact}こともありうる。", f"{fact}という見方がある。"])
    doubt = rng.choice([f"{fact}かどうかは分かっていない。", f"{fact}という証拠はない。"])
    return [
        (weak, sure, NEUTRAL),
        (weak, maybe, SUPPORTS),
        (strong, sure, SUPPORTS),
        (strong, doubt, REFUTES),
        (unknown, sure, REFUTES),
        (unknown, doubt, SUPPORTS),
    ]


def contrasts(rng: Random) -> list[Row]:
    """Aは〜だが、Bは〜ない; AであってBではない; who did it to whom."""
    a, b, one, other = rng.choice(CONTRASTS)
    evidence = rng.choice(
        [f"{a}は{one}が、{b}は{other}。", f"{a}は{one}のに対し、{b}は{other}。", f"{b}は{other}が、{a}は{one}。"]
    )
    subject = rng.choice([f"{one}のは{a}であって、{b}ではない。", f"{b}ではなく{a}が{one}。"])
    first, second = rng.choice(ACTORS)
    if rng.random() < 0.5:
        first, second = second, first
    active, passive = rng.choice(ACTS)
    act = rng.choice(
        [f"{first}が{second}を{active}。", f"{second}は{first}に{passive}。", f"{second}を{active}のは{first}である。"]
    )
    return [
        (evidence, f"{a}は{one}。", SUPPORTS),
        (evidence, f"{b}は{one}。", REFUTES),
        (evidence, f"{b}は{other}。", SUPPORTS),
        (evidence, f"{a}は{other}。", REFUTES),
        (subject, f"{a}が{one}。", SUPPORTS),
        (subject, f"{b}が{one}。", REFUTES),
        (act, f"{second}は{first}に{passive}。", SUPPORTS),
        (act, f"{first}は{second}に{passive}。", REFUTES),
        (act, f"{second}が{first}を{active}。", REFUTES),
    ]


KINDS = (denials, double_denials, conditions, shares, amounts, changes, directions, certainty, contrasts)


def generate(count: int, seed: int) -> list[Pair]:
    """Return `count` pairs, every kind in turn, three of each scene."""
    rng = Random(seed)
    found: list[Pair] = []
    while len(found) < count:
        for kind in KINDS:
            rows = kind(rng)
            found += [Pair(*row, "contrast-ja", "ja") for row in rng.sample(rows, min(3, len(rows)))]
    return found[:count]
