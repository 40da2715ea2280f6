"""Sentences worth checking."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.judgement.suites import check_worthy
from lyra.core.claimworthy import propose_claims


def proposed(text: str) -> list[str]:
    return [proposal.text for proposal in propose_claims(text, 10)]


@pytest.mark.parametrize(
    "text",
    [
        "Vitamin D supplementation reduces the risk of fractures in older adults.",
        "Output per employee rose by 7 percent across the 33 companies.",
        "Women lived three years longer than men in all of the districts.",
        "Smoking is the leading cause of lung cancer in most countries.",
        "Mortality was not associated with coffee consumption in this age group.",
        "喫煙は肺がんの主な原因である。",
        "在宅勤務の日の睡眠時間は、出社した日より平均で38分長かった。",
        "街路樹のある通りの気温は、ない通りより平均で1.6℃低かった。",
        "国の予算は令和6年度に約3兆円となった。",
        "市の人口は二十三万人に上る。",
        "この10年間で都内の銭湯は半減した。",
        "クジラは哺乳類であり、肺で呼吸する。",
        "明治維新の後、武士の身分は廃止された。",
    ],
)
def test_a_finding_that_stands_alone_is_proposed(text: str) -> None:
    assert proposed(text) == [text]


@pytest.mark.parametrize(
    ("text", "statement"),
    [
        (
            "Our findings suggest that aspirin does not lower mortality in healthy adults.",
            "aspirin does not lower mortality in healthy adults.",
        ),
        ("We found that coffee before noon had no effect on sleep.", "coffee before noon had no effect on sleep."),
        (
            "RESULTS Evening coffee reduced total sleep time by 39 minutes.",
            "Evening coffee reduced total sleep time by 39 minutes.",
        ),
        ("- Evening coffee reduced total sleep time by 39 minutes.", "Evening coffee reduced total sleep time by 39 minutes."),
        ("ビタミンDの補充は高齢者の骨折を20%減らすことが示された。", "ビタミンDの補充は高齢者の骨折を20%減らす"),
        ("本研究の結果、緑茶の摂取量が多い人ほど死亡率が低いことが明らかになった。", "緑茶の摂取量が多い人ほど死亡率が低い"),
    ],
)
def test_the_statement_is_taken_out_of_the_words_that_report_it(text: str, statement: str) -> None:
    assert proposed(text) == [statement]


@pytest.mark.parametrize(
    "text",
    [
        "Does vitamin D reduce the risk of fractures in adults?",
        "We recruited 120 patients from two sites between 2017 and 2019.",
        "Patients were randomly assigned to receive 2,000 IU of vitamin D.",
        "This reduced the risk of fractures by about nine percent.",
        "These results show a reduction of about nine percent in risk.",
        "However, they reduced the risk by more than half.",
        "It fell.",
        "The Effect of Vitamin D on Fracture Risk in Older Adults",
        "We use cookies to improve your experience and increase security.",
        "Copyright 2021 by the publisher, which increases every year.",
        "Subscribe to our newsletter to increase your knowledge every week.",
        "I think that vitamin D reduces my risk of catching a cold.",
        "Smith J, Jones K. Vitamin D reduces risk. Lancet 2019;12:3-9.",
        "The causes of the increase were as follows, in this order:",
        "それは骨折のリスクを20%低下させることが示された。",
        "この薬は骨折のリスクを20%低下させる効果がある。",
        "本研究では、ビタミンDが骨折に与える効果を検討した。",
        "ビタミンDは骨折のリスクを低下させるのだろうか。",
        "会員登録をすると、効果が高い情報を毎週10件お届けします。",
        "著作権は例示大学にあり、増加する利用には許可が必要です。",
        "効果があった。",
        "データは平均値と標準偏差で示し、t検定で比較した。",
        "塩を小さじ1杯加えて弱火で10分煮ます。",
        "次のバスは5分後に来ます。",
        "もし雨なら3割の人が来ないかもしれない。",
        "",
    ],
)
def test_what_cannot_be_checked_alone_is_not_proposed(text: str) -> None:
    assert proposed(text) == []


def test_japanese_sentences_worth_checking_are_told_from_others() -> None:
    precision, recall = check_worthy("test", lambda sentence: bool(propose_claims(sentence, 1)))
    assert precision >= 0.9
    assert recall >= 0.8


def test_a_frame_that_denies_is_kept() -> None:
    text = "ビタミンCが風邪を予防することは示されなかった。"
    assert proposed(text) == [text]


def test_the_best_come_first_and_no_more_than_asked() -> None:
    weak = "The effect may perhaps be common among people who should rest."
    strong = "Vitamin D reduced fractures by 20 percent compared with placebo (p < .05)."
    found = propose_claims(f"{weak} {strong} {strong}", 5)
    assert [proposal.text for proposal in found] == [strong, weak]
    assert len(propose_claims(f"{weak} {strong}", 1)) == 1
    assert propose_claims(strong, 0) == propose_claims(strong, -1) == []


@given(
    st.text()
    | st.lists(
        st.sampled_from(
            ["Coffee ", "reduced ", "sleep by 39% ", "than tea. ", "この", "効果が", "高い。", "We found that ", "\n"]
        )
    ).map("".join)
)
def test_proposals_are_slices_with_a_score_between_zero_and_one(text: str) -> None:
    for proposal in propose_claims(text, 20):
        assert text[proposal.start : proposal.end] == proposal.text
        assert 0 < proposal.score <= 1
