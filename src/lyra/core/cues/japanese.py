"""The cues of a Japanese sentence and a Japanese claim: what agrees, what is turned round, what is missing."""

import re

from lyra.core.cues.japanese_amounts import figure_cues, trend
from lyra.core.cues.japanese_polarity import Polarity, Share, is_certain, leanings, polarity
from lyra.core.cues.japanese_roles import comparison, focus, only, sides, swapped, valued_sides
from lyra.core.cues.japanese_text import Clause, clauses, content_words, folded, found_in, share_found
from lyra.core.cues.japanese_words import pattern
from lyra.core.cues.names import blank

_LONG_CLAIM, _LONG_EVIDENCE, _MANY = 40, 80, 5
# Longer texts are no sentences; what lies beyond is not read.
_READ = 400
_HALF, _QUARTER = 0.5, 0.25
_TESTED = re.compile("群|試験|割り付け|投与|実験|与えた")
_MORE_THAN_ONLY = re.compile("も(?![のうっ])|全員|すべて|毎日|どの|いつ|誰")
_STRIKING = ("focus_conflict", "number_conflict", "subject_elsewhere", "roles_swapped", "only_conflict")
_QUESTION = re.compile("[?？]$|(?:です|ます|だろう)?か$")
_KINDS = (
    ("男性 男子 夫 父 男の", "女性 女子 妻 母 女の 妊婦"),
    ("子ドモ 児童 乳児 幼児 小児 若者 若年 生徒 青少年", "大人 成人 高齢 老人 お年寄り 中高年"),
    ("マウス ラット 動物 豚 犬 猫 ハムスター サル 牛 細胞 魚", "人で 人の 人に 人は ヒト 人間 患者 成人 乳児 子ドモ"),
    ("都市 都会 市街", "農村 地方 田舎 離島"),
    ("初心者 新人 下位", "熟練者 ベテラン 上位"),
    ("国内 日本", "海外 外国 欧州 米国"),
    ("中小 小規模", "大企業 大手 大規模"),
    ("夏 夏季", "冬 冬季"),
    ("昼 日中 午前 朝", "夜 夜間 午後 晩"),
    ("平日", "週末 土日 休日 日曜"),
)
_STILL = re.compile("まだ|今も|依然|いまだ|なお|現在も|続けて")
_NO_LONGER = re.compile("もう[^、]*な|もはや|すでに|かつて|以前は|なくなっ|やめ|終わ")
_FIRST, _LATER = re.compile("前に|前は|より先|以前|先に|[^年]前、"), re.compile("後に|後は|より後|以降|後、|のち")


def japanese_cues(evidence: str, claim: str) -> dict[str, float]:
    """Return every cue for one sentence of evidence and one claim; deterministic, and never fails on any text."""
    said, asked = folded(evidence[:_READ]), folded(claim[:_READ])
    cues = blank()
    cues |= {"length_claim": min(1.0, len(asked) / _LONG_CLAIM), "length_evidence": min(1.0, len(said) / _LONG_EVIDENCE)}
    cues["question"] = float(_QUESTION.search(asked) is not None)
    mine, theirs = clauses(asked), clauses(said)
    if not mine or not theirs:
        return cues
    main = mine[-1]
    nearest = max(theirs, key=lambda clause: _nearness(clause, theirs, asked, main))
    cues |= _words(said, asked, nearest, main)
    cues |= _polarities(said, asked, nearest)
    cues |= _directions(said, nearest, asked, main)
    cues |= figure_cues(said, asked, turned=bool(cues["direction_opposed"] or cues["negation_flip"]))
    cues |= _places(said, asked, theirs, nearest, main)
    if cues["time_conflict"] == 0.0:
        cues["time_conflict"] = _order(nearest.text, asked)
    return cues | _verdict(cues)


def _nearness(clause: Clause, others: list[Clause], claim: str, main: Clause) -> float:
    """Return how near a clause is to a claim: words that no other clause has tell most, then those of the subject."""
    shared = 0.0
    rest = [other for other in others if other is not clause]
    for word in content_words(claim):
        here = found_in(word, clause.text + clause.subject)
        alone = all(found_in(word, other.text + other.subject) < here for other in rest)
        topic = alone and rest and all(found_in(word, clause.subject) > found_in(word, other.subject) for other in rest)
        shared += here * (4.0 if topic else 2.0 if alone else 0.7) * (1.3 if word in main.subject else 1.0)
    return shared + 0.2 * share_found(clause.text, claim)


def _verdict(cues: dict[str, float]) -> dict[str, float]:
    """Return whether, all in all, the claim says the opposite: each thing that turns it round is counted once.

    A direction that both speak of already has its denial in it, so a denial counts only where there is none.
    """
    directed = cues["direction_same"] != cues["direction_opposed"]
    if cues["null_result"] and cues["null_claim"]:
        turns = 0.0
    elif cues["null_result"]:
        turns = 1.0 - cues["negation_claim"]
    elif directed:
        turns = cues["direction_opposed"]
    else:
        turns = max(cues["negation_flip"], cues["quantifier_conflict"]) if cues["predicate_missing"] <= _HALF else -1.0
        if cues["comparison_swapped"]:
            turns = 1.0 - max(0.0, turns)
    struck = max(cues[name] for name in _STRIKING)
    if turns <= 0 and struck >= _HALF and cues["overlap"] >= _HALF:
        turns = 1.0
    return {"turned_once": float(turns >= _HALF), "turned_twice": float(0.0 <= turns < _HALF and cues["overlap"] >= _HALF)}


def _words(said: str, asked: str, nearest: Clause, main: Clause) -> dict[str, float]:
    words = content_words(asked)
    scales, there = {word: leanings(word + "い") for word in words}, leanings(said)
    # A word of a scale that the evidence speaks of is not missing: whether it agrees is another cue.
    found = [max(found_in(word, said), 0.8 * bool(scales[word].keys() & there.keys())) for word in words]
    gone = [word for word, share in zip(words, found, strict=True) if share < 0.5]  # noqa: PLR2004 - less than half of it
    scaled = there.keys() & leanings(main.predicate).keys()
    head = content_words(main.predicate)
    predicate = 1.0 if not head or scaled else max(found_in(word, said) for word in head)
    mine, theirs = _pairs(asked), _pairs(said)
    arguments = " ".join(phrase.text for phrase in main.phrases)
    return {
        "overlap": sum(found) / len(found) if found else 0.0,
        "missing": min(1.0, len(gone) / _MANY),
        "names_missing": float(any(re.search("[ァ-ヶーa-z]{2}", word) for word in gone)),
        "predicate_missing": 1.0 - predicate,
        "argument_missing": 1.0 - share_found(arguments, said) if content_words(arguments) else 0.0,
        "clause_overlap": share_found(asked, nearest.text),
        "subject_missing": 1.0 - share_found(main.subject, nearest.subject + nearest.text) if main.subject else 0.0,
        "copied": len(mine & theirs) / len(mine) if mine else 0.0,
        "characters": 2 * len(mine & theirs) / (len(mine) + len(theirs)) if mine and theirs else 0.0,
        "evidence_covered": share_found(said, asked),
    }


def _pairs(text: str) -> set[str]:
    return {text[at : at + 2] for at in range(len(text) - 1)}


def _polarities(said: str, asked: str, nearest: Clause) -> dict[str, float]:
    theirs, mine, whole = polarity(nearest.text), polarity(asked), polarity(said)
    conflict, gap = _shares(theirs, mine)
    return {
        "negation_claim": float(not mine.holds),
        "negation_evidence": float(not theirs.holds),
        "negation_flip": float(theirs.holds != mine.holds),
        "null_result": float(theirs.null),
        "null_claim": float(mine.null),
        "double_negation": float(theirs.double or mine.double or theirs.denials > 1),
        "hedge_gap": float((whole.hedged or whole.unknown) and not (mine.hedged or mine.unknown)),
        "hedge_claim": float(mine.hedged),
        "hedge_evidence": float(whole.hedged),
        "quantifier_same": float(theirs.share == mine.share != Share.PLAIN and theirs.holds == mine.holds),
        "certain_claim": float(is_certain(asked) and not is_certain(said)),
        "unknown_evidence": float(whole.unknown),
        "unknown_claim": float(mine.unknown),
        "quantifier_conflict": conflict,
        "quantifier_gap": gap,
        "cause_gap": float(_links_only(said) and pattern("cause").search(asked) is not None),
    }


def _links_only(said: str) -> bool:
    causes = pattern("cause").search(said) or _TESTED.search(said)
    return pattern("link").search(said) is not None and not causes


def _shares(theirs: Polarity, mine: Polarity) -> tuple[float, float]:
    """Return (conflict, gap) of what is said of how many.

    All do, and some do not: a conflict. Some do, and all do: the claim goes beyond.
    """
    if theirs.share is Share.PLAIN and mine.share is Share.PLAIN:
        return 0.0, 0.0
    wide = {Share.ALL, Share.MOST, Share.PLAIN}
    if theirs.holds != mine.holds:
        strong = (theirs.share in wide and mine.share in wide) or Share.ALL in {theirs.share, mine.share}
        return (1.0, 0.0) if strong else (0.0, 1.0) if theirs.share is Share.SOME else (0.5, 0.0)
    both = {theirs.share, mine.share}
    if Share.FEW in both and both & {Share.ALL, Share.MOST}:
        return 1.0, 0.0
    return 0.0, float(mine.share is Share.ALL and theirs.share is not Share.ALL) or 0.7 * float(
        mine.share in {Share.MOST, Share.PLAIN} and theirs.share in {Share.SOME, Share.FEW}
    )


def _directions(said: str, nearest: Clause, asked: str, main: Clause) -> dict[str, float]:
    mine = leanings(asked)
    theirs, elsewhere = leanings(nearest.text), leanings(said)
    # What the predicate itself says counts before what else the claim says.
    own = leanings(main.predicate).keys() & mine.keys() & elsewhere.keys()
    mine = {scale: mine[scale] for scale in own} if own else mine
    ways = comparison(nearest, main) or 1.0
    common = [scale for scale in mine if scale in theirs] or [scale for scale in mine if scale in elsewhere]
    same = opposed = 0.0
    for scale in common:
        other = theirs.get(scale, elsewhere.get(scale, 0.0))
        if mine[scale] * other * ways > 0:
            same = 1.0
        else:
            opposed = 1.0
    going = trend(said)
    level = mine.get("amount") or mine.get("length") or mine.get("size")
    if going and level and not common:
        same, opposed = (1.0, 0.0) if going == level else (0.0, 1.0)
    by_figures = valued_sides(said, main) if level and not going else 0.0
    if by_figures and level:
        same, opposed = (1.0, 0.0) if by_figures * level > 0 else (0.0, 1.0)
    product = _sign(mine) * _sign(theirs) * ways
    return {
        "direction_same": same,
        "direction_opposed": opposed,
        "antonym": float(opposed > 0 and same == 0 and ways > 0),
        "sign_same": float(product > 0),
        "sign_opposed": float(product < 0),
        "direction_claim_only": float(bool(mine) and not common and not going),
    }


def _sign(found: dict[str, float]) -> float:
    product = 1.0 if found else 0.0
    for value in found.values():
        product *= value
    return product


def _places(said: str, asked: str, theirs: list[Clause], nearest: Clause, main: Clause) -> dict[str, float]:
    forward, out = focus(said, asked)
    compared = sides(main) is not None
    way = comparison(nearest, main)
    return {
        "population_gap": _population(said, asked),
        "roles_swapped": max(swapped(clause, main) for clause in theirs) if not compared else 0.0,
        "comparison_swapped": float(way < 0),
        "comparison_same": float(way > 0),
        "focus_same": forward,
        "focus_conflict": out if out > forward else 0.0,
        "only_claim": float(only(asked) and not only(said)),
        "only_conflict": float(only(said) and not only(asked) and _MORE_THAN_ONLY.search(asked) is not None),
        "only_evidence": float(only(said) and not only(asked)),
        "subject_elsewhere": _subject_elsewhere(theirs, main),
    }


def _subject_elsewhere(theirs: list[Clause], main: Clause) -> float:
    """Return 1.0 where the claim's subject belongs to another clause than its predicate: 姉は医者に、弟は店を継いだ."""
    subject, predicate = main.subject, main.predicate
    rest = " ".join(phrase.text for phrase in main.phrases if phrase.text not in subject) + predicate
    if len(theirs) == 1 or not content_words(subject) or not content_words(rest):
        return 0.0
    by_subject = max(theirs, key=lambda clause: share_found(subject, clause.subject))
    by_rest = max(theirs, key=lambda clause: share_found(rest, clause.text))
    away = share_found(subject, by_subject.subject) - share_found(subject, by_rest.subject + by_rest.text)
    near = share_found(rest, by_rest.text) - share_found(rest, by_subject.text)
    asked = polarity(main.text).holds
    if polarity(by_subject.text).holds == asked != polarity(by_rest.text).holds:
        return 0.0
    return float(by_subject is not by_rest and near > 0 and away >= _QUARTER)


def _population(said: str, asked: str) -> float:
    for kinds in _KINDS:
        first, second = (kind.split() for kind in kinds)
        for mine, other in ((first, second), (second, first)):
            claimed = any(word in asked for word in mine)
            there = any(word in said for word in mine)
            if claimed and not there and any(word in said for word in other):
                return 1.0
    return 0.0


def _order(said: str, asked: str) -> float:
    """Return 1.0 where one tells of before and the other of after, or one of still and the other of no longer."""
    for one, other in ((_FIRST, _LATER), (_STILL, _NO_LONGER)):
        told, wanted = ((one.search(text) is not None, other.search(text) is not None) for text in (said, asked))
        if {told, wanted} == {(True, False), (False, True)}:
            return 1.0
    return 0.0
