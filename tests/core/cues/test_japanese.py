import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lyra.core.cues.japanese import japanese_cues
from lyra.core.cues.japanese_amounts import ranges, trend
from lyra.core.cues.japanese_polarity import Share, denials, leanings, polarity
from lyra.core.cues.japanese_text import clauses, content_words, folded, found_in
from lyra.core.cues.names import CUES

YES, NO = 1.0, 0.0


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("船は出なかった", 1),
        ("船は出ません", 1),
        ("窓を閉めずに寝た", 1),
        ("雨は降らなかったし、風も吹かなかった", 2),
        ("席は少ない", 0),
        ("雪になるかもしれない", 0),
        ("書類を出さなければならない", 0),
        ("五人に過ぎない", 0),
        ("現金しか使えない", 0),
        ("雨にもかかわらず開かれた", 0),
        ("兄ではなく弟が来た", 0),
        ("登録は不可能である", 1),
        ("来ない人はいなかった", 2),
    ],
)
def test_a_denial_is_counted_and_what_only_looks_like_one_is_not(text: str, count: int) -> None:
    assert denials(folded(text)) == count


@pytest.mark.parametrize(
    ("text", "share", "holds"),
    [
        ("会費を払わない会員はいない", Share.ALL, True),
        ("会費を払った会員はいない", Share.ALL, False),
        ("会費を払わない会員は少ない", Share.MOST, True),
        ("会費を払った会員は少ない", Share.MOST, False),
        ("会員はほとんど会費を払わない", Share.MOST, False),
        ("会員が全員会費を払ったわけではない", Share.SOME, False),
        ("会費を払わないわけではない", Share.SOME, True),
        ("会員の一部が会費を払った", Share.SOME, True),
        ("会員は全員会費を払った", Share.ALL, True),
        ("会員は会費を払った", Share.PLAIN, True),
    ],
)
def test_of_how_many_something_holds_is_read_through_denials(text: str, share: Share, holds: bool) -> None:
    found = polarity(folded(text))
    assert (found.share, found.holds) == (share, holds)


@pytest.mark.parametrize(
    ("text", "scale", "leaning"),
    [
        ("家賃が上がった", "amount", 1.0),
        ("家賃は上がらなかった", "amount", -1.0),
        ("家賃の上がらない町は少ない", "amount", 1.0),
        ("便の数は少なくなった", "amount", -1.0),
        ("列車は速くなった", "speed", 1.0),
        ("通行は不可能だ", "possible", -1.0),
        ("定員に届かなかった", "amount", -1.0),
    ],
)
def test_a_direction_is_turned_round_by_the_denials_behind_it(text: str, scale: str, leaning: float) -> None:
    assert leanings(folded(text))[scale] == leaning


@pytest.mark.parametrize(
    ("evidence", "claim", "cue", "value"),
    [
        # denial, and denial of a denial
        ("荷は港に着かなかった。", "荷は港に着いた。", "turned_once", YES),
        ("荷は港に着かなかった。", "荷は港に着かなかった。", "turned_twice", YES),
        ("予約を取り消さなかった客はいない。", "客は全員予約を取り消した。", "turned_twice", YES),
        ("予約を取り消さなかった客はいない。", "予約を取り消さなかった客がいた。", "quantifier_conflict", YES),
        # direction
        ("橋の通行料は春に下がった。", "橋の通行料は春に上がった。", "direction_opposed", YES),
        ("橋の通行料は春に下がった。", "橋の通行料は春に安くなった。", "direction_opposed", NO),
        ("橋の通行料は春に下がった。", "橋の通行料は春に減少した。", "direction_same", YES),
        ("堤を高くしても水は引かなかった。", "堤の高さは2メートルだ。", "number_extra", YES),
        # no difference
        ("二つの品種の収量に差はなかった。", "片方の品種の収量が多かった。", "turned_once", YES),
        ("塗り薬で傷あとは変わらなかった。", "塗り薬は傷あとに影響しなかった。", "turned_twice", YES),
        # figures
        ("参加者は約2割増えた。", "参加者は20%増えた。", "number_same", YES),
        ("参加者は約2割増えた。", "参加者は6割増えた。", "number_conflict", YES),
        ("招いた80人のうち60人が来た。", "招いた人の過半数が来た。", "number_conflict", NO),
        ("招いた80人のうち20人が来た。", "招いた人の過半数が来た。", "number_conflict", YES),
        ("塔は昭和33年に完成した。", "塔は1958年に完成した。", "time_conflict", NO),
        ("塔は昭和33年に完成した。", "塔は1985年に完成した。", "time_conflict", YES),
        ("貯水量は90万トンから30万トンになった。", "貯水量は減った。", "direction_same", YES),
        # certainty
        ("笛の音が犬を落ち着かせる可能性がある。", "笛の音は犬を落ち着かせる。", "hedge_gap", YES),
        ("笛の音が犬を落ち着かせる可能性がある。", "笛の音は犬を落ち着かせるかもしれない。", "hedge_gap", NO),
        ("薬草が眠りを助けるかどうかは分かっていない。", "薬草は眠りを助ける。", "unknown_evidence", YES),
        # shares
        ("果樹の一部が枯れた。", "果樹はすべて枯れた。", "quantifier_gap", YES),
        ("果樹はすべて残った。", "果樹の大半が残った。", "quantifier_gap", NO),
        # cause
        ("長湯の人ほど肩こりが少ないという関連がみられた。", "長湯が肩こりを防ぐ。", "cause_gap", YES),
        # who
        ("ラットでは腫れが引いた。", "人の腫れが引いた。", "population_gap", YES),
        ("男子の握力が伸びた。", "女子の握力が伸びた。", "population_gap", YES),
        # places of the words
        ("市長が記者を批判した。", "記者が市長を批判した。", "roles_swapped", YES),
        ("市長が記者を批判した。", "記者は市長に批判された。", "roles_swapped", NO),
        ("鉛は亜鉛より重い。", "亜鉛は鉛より重い。", "comparison_swapped", YES),
        ("鉛は亜鉛より重い。", "鉛は亜鉛より重い。", "comparison_same", YES),
        ("担当したのは課長ではなく部長だった。", "課長が担当した。", "turned_once", YES),
        ("担当したのは課長ではなく部長だった。", "担当したのは部長だった。", "focus_conflict", NO),
        ("兄は漁師になり、妹は宿を継いだ。", "兄が宿を継いだ。", "subject_elsewhere", YES),
        ("兄は漁師になり、妹は宿を継いだ。", "妹が宿を継いだ。", "subject_elsewhere", NO),
        ("売店は土曜だけ開く。", "売店は日曜も開く。", "only_conflict", YES),
        ("売店は土曜に開く。", "売店は土曜だけ開く。", "only_claim", YES),
        # time
        ("門は今も開いている。", "門はもう開いていない。", "time_conflict", YES),
        ("式は試合の前に行われた。", "式は試合の後に行われた。", "time_conflict", YES),
        # what is missing
        ("駅の時計が止まった。", "市場の屋根が飛んだ。", "predicate_missing", YES),
        ("駅の時計が止まった。", "駅の時計は止まったか？", "question", YES),
    ],
)
def test_a_cue_is_read(evidence: str, claim: str, cue: str, value: float) -> None:
    assert japanese_cues(evidence, claim)[cue] == value


def test_a_claim_that_repeats_its_evidence_has_every_word_and_no_conflict() -> None:
    sentence = "研究班は離島の井戸12本を調べ、3本から塩分を検出した。"
    cues = japanese_cues(sentence, sentence)
    assert cues["overlap"] == cues["copied"] == cues["characters"] == 1.0
    assert not any(cues[name] for name in ("number_conflict", "quantifier_conflict", "direction_opposed", "negation_flip"))


def test_clauses_end_where_a_predicate_does_and_keep_their_topic() -> None:
    found = clauses(folded("この店は安いが、味は良く、駅から近い。"))
    assert [clause.text for clause in found] == ["この店は安いが", "味は良く", "駅から近い"]
    assert "味" in found[2].subject


def test_a_noun_in_hiragana_is_a_word_and_a_particle_is_none() -> None:
    assert content_words(folded("がんの子どもは、けがが少ない")) == ["ガン", "子", "ドモ", "ケガ", "少"]


@pytest.mark.parametrize(
    ("word", "text", "least", "most"),
    [
        ("高齢者", "お年寄りが歩く", 0.9, 0.9),
        ("会社", "会社が動く", 1.0, 1.0),
        ("天文台", "気象台", 0.0, 0.4),
        ("ヨット", "港", 0.0, 0.0),
    ],
)
def test_a_word_is_found_as_it_is_by_meaning_or_in_part(word: str, text: str, least: float, most: float) -> None:
    assert least <= found_in(word, text) <= most


def test_bounds_of_a_figure_are_read() -> None:
    (under,) = ranges("定員は40人未満だ")
    (over,) = ranges("定員は40人以上だ")
    assert under.high < 40 <= over.low
    assert not under.meets(over)


@pytest.mark.parametrize(
    ("text", "way"), [("3%から5%に", 1.0), ("9人から4人に", -1.0), ("売上は3倍になった", 1.0), ("雨の日", 0.0)]
)
def test_figures_tell_a_direction(text: str, way: float) -> None:
    assert trend(text) == way


_JAPANESE = st.text(
    st.sampled_from(
        "はがをにでとのもないずぬかよりだけしか増減高低上下人年日月割倍万億約半0123456789%、。「」ァアイウー不無未aZ\n　"
    ),
    max_size=60,
)


@given(_JAPANESE | st.text(max_size=40), _JAPANESE | st.text(max_size=40))
def test_every_cue_is_a_number_from_0_to_1_for_any_two_texts(evidence: str, claim: str) -> None:
    cues = japanese_cues(evidence, claim)
    assert set(cues) == set(CUES)
    assert all(math.isfinite(value) and 0.0 <= value <= 1.0 for value in cues.values())
    assert cues == japanese_cues(evidence, claim)
