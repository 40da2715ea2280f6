"""Templated Japanese pairs in which one word decides: denial, double denial, numbers, direction, certainty, は and が.

Own writing, the Japanese sister of `contrast_en.py`. Nothing here repeats a sentence of `bench/judgement`.
"""

from __future__ import annotations

from random import Random

from training.contrast_en import Row
from training.records import NEUTRAL, REFUTES, SUPPORTS, Pair

# A thing, and what may be said of it: stated, denied.
STATEMENTS = [
    tuple(line.split("/"))
    for line in (
        "荷物は届いた/荷物は届かなかった|試験に合格した/試験に合格しなかった|契約は成立した/契約は成立しなかった|機械は動いた/機械は動かなかった|"
        "新薬は効いた/新薬は効かなかった|列車は遅れた/列車は遅れなかった|会議は開かれた/会議は開かれなかった|患者は回復した/患者は回復しなかった|"
        "店は営業している/店は営業していない|データは公開されている/データは公開されていない|この道は通れる/この道は通れない|水は飲める/水は飲めない|"
        "書類は提出された/書類は提出されなかった|異常が見つかった/異常は見つからなかった|事故が起きた/事故は起きなかった|窓は開いていた/窓は開いていなかった|"
        "差が認められた/差は認められなかった|電池は交換された/電池は交換されなかった|資格を持っている/資格を持っていない|規則を守っている/規則を守っていない|"
        "費用がかかる/費用はかからない|被害が出た/被害は出なかった|関連がある/関連はない|毒性がある/毒性はない"
    ).split("|")
]
# People or things, stated and denied of each one.
PREDICATES = [
    tuple(line.split("/"))
    for line in (
        "参加した/参加しなかった|賛成した/賛成しなかった|返事をした/返事をしなかった|水泳ができる/水泳ができない|眼鏡をかけている/眼鏡をかけていない|"
        "検査を受けた/検査を受けなかった|給料に満足している/給料に満足していない|時間を守る/時間を守らない|説明を理解した/説明を理解しなかった|"
        "免許を持つ/免許を持たない|朝食をとる/朝食をとらない|保険に入っている/保険に入っていない|改善した/改善しなかった|税金を払った/税金を払わなかった"
    ).split("|")
]
MEMBERS = "生徒|職員|患者|店|会社|農家|選手|家庭|自治体|学生|運転手|看護師|教師|議員|住民|工場|大学|病院|留学生|社員".split("|")
UNITS = [
    tuple(line.split("/"))
    for line in (
        "部屋の広さは/平方メートル|橋の長さは/メートル|入会金は/円|会場の定員は/人|工事の期間は/日|荷物の重さは/キロ|蔵書は/冊|電車の本数は/本|"
        "駐車場の台数は/台|池の深さは/センチ|参加費は/円|町の人口は/人|生産量は/トン|待ち時間は/分"
    ).split("|")
]
THINGS = (
    "売上|気温|血糖値|来館者数|失業率|騒音|収穫量|水位|交通量|満足度|出生率|電気代|残業時間|欠席者|湿度|体重|家賃|誤差|"
    "待ち時間|魚の数|応募者|輸出|費用|事故件数"
).split("|")
CAUSES = (
    "新しい制度の導入|照明の交換|薬の服用|道路の拡張|研修|営業時間の延長|肥料の変更|屋根の断熱|値下げ|毎日の体操|学級の少人数化|水門の改修|禁煙|"
    "植え替え|監視員の配置"
).split("|")
UP = "増えた|増加した|上がった|上昇した|高まった|伸びた".split("|")
DOWN = "減った|減少した|下がった|低下した|落ちた|少なくなった".split("|")
FACTS = (
    "この化石が新種である|薬が頭痛を和らげる|その指輪が僧侶のものである|洪水が村を滅ぼした|新しい餌が成長を早める|壁画が八世紀に描かれた|"
    "その虫が胞子を運ぶ|亀裂が堤防を弱めている|この曲が北国で生まれた|塗料が有害である|睡眠が記憶を助ける|その酒が病気を防ぐ|"
    "磁気が渡り鳥を導く|課税が投資を妨げる"
).split("|")
CONTRASTS = [
    tuple(line.split("/"))
    for line in (
        "父/母/運転ができる/運転ができない|北館/南館/改修された/改修されなかった|日本語版/英語版/無料である/有料である|前半/後半/順調だった/不調だった|"
        "子猫/親猫/薬を嫌がった/薬を嫌がらなかった|都市部/農村部/人口が増えた/人口が減った|一階/二階/停電した/停電しなかった|平地/山地/雪が積もった/雪は積もらなかった|"
        "赤組/白組/勝った/負けた|本社/支社/利益が出た/利益は出なかった|昼/夜/静かだった/騒がしかった|正社員/契約社員/休暇を取れる/休暇を取れない|"
        "白菜/大根/値上がりした/値下がりした|左の扉/右の扉/開く/開かない|新型/旧型/燃費が良い/燃費が悪い|午前の便/午後の便/満席だった/空席があった"
    ).split("|")
]
ACTS = [
    tuple(line.split("/"))
    for line in (
        "批判した/批判された|助けた/助けられた|招いた/招かれた|追い越した/追い越された|雇った/雇われた|破った/破られた|訪ねた/訪ねられた|"
        "説得した/説得された|見つけた/見つけられた|選んだ/選ばれた|押した/押された|裏切った/裏切られた"
    ).split("|")
]
ACTORS = [
    tuple(line.split("/"))
    for line in "医師/弁護士|青組/黄組|市長/議長|オオカミ/ヤマネコ|監督/主将|作家/編集者|店主/客|母親/隣人|教授/学生|会長/組合|カラス/トビ|記者/大臣".split("|")
]


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
    all_ = rng.choice([f"{no}{who}はいなかった。", f"{place}{who}で{no}ところはなかった。", f"{no}{who}は一つもない。", f"{place}{who}に{no}例はない。"])
    some = rng.choice([f"{place}{who}が皆{no}わけではない。", f"{yes}{who}がいないわけではない。", f"{yes}{who}がいないとは言えない。"])
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
    act, can, cannot = rng.choice([
        ("入場", "入場できる", "入場できない"), ("申し込み", "申し込める", "申し込めない"), ("撮影", "撮影できる", "撮影できない"),
        ("栽培", "育てられる", "育てられない"), ("利用", "利用できる", "利用できない"), ("手術", "手術できる", "手術できない"),
    ])  # fmt: skip
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
    evidence = rng.choice([f"{who}{total}のうち{part}が{yes}。", f"{total}の{who}のうち、{yes}のは{part}だった。", f"{yes}{who}は{total}のうち{part}である。"])
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
    value = rng.choice([rng.randrange(12, 99), 10 * rng.randrange(11, 99), 1000 * rng.randrange(2, 90), 10_000 * rng.randrange(2, 60)])
    low, high = max(1, value * rng.choice([3, 5, 7, 8]) // 10), value * rng.choice([12, 15, 20, 30]) // 10
    shown = _number(rng, value)
    evidence = rng.choice([f"{subject}{shown}{unit}である。", f"{subject}{shown}{unit}だった。", f"測ったところ、{subject}{shown}{unit}だった。"])
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
    evidence = rng.choice([f"{cause}の後、{thing}は{rng.choice(ways[0])}。", f"{cause}によって{thing}が{rng.choice(ways[0])}。", f"{cause}をきっかけに{thing}が{rng.choice(ways[0])}という。"])
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
    weak = rng.choice([f"{fact}可能性がある。", f"{fact}かもしれない。", f"{fact}と言われている。", f"{fact}ことをうかがわせる資料がある。", f"{fact}と推測されている。"])
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
    evidence = rng.choice([f"{a}は{one}が、{b}は{other}。", f"{a}は{one}のに対し、{b}は{other}。", f"{b}は{other}が、{a}は{one}。"])
    subject = rng.choice([f"{one}のは{a}であって、{b}ではない。", f"{b}ではなく{a}が{one}。"])
    first, second = rng.choice(ACTORS)
    if rng.random() < 0.5:
        first, second = second, first
    active, passive = rng.choice(ACTS)
    act = rng.choice([f"{first}が{second}を{active}。", f"{second}は{first}に{passive}。", f"{second}を{active}のは{first}である。"])
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
