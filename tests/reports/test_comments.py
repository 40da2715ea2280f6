"""Composed comments: three sentences whose tone fits the confidence, whatever the layers say."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lyra.reports.comments import compose
from lyra.reports.correction import is_own_comment
from lyra.reports.model import LAYER_VALUES, Claim, ClaimType, FactCheck, FiveLayers, Verification
from lyra.reports.scale import CONFIDENCES
from lyra.reports.tone import analyse

TONES = {90: "positive", 70: "positive", 50: "mixed", 30: "negative", 10: "negative"}
LAYERS = st.fixed_dictionaries({}, optional={name: st.sampled_from(values) for name, values in LAYER_VALUES.items()})
CLAIMS = st.builds(
    lambda kind, layers, status: Claim(
        1, kind, "x", five_layer_evaluation=FiveLayers(layers), verification=Verification(fact_check_status=status)
    ),
    st.sampled_from([ClaimType.COMPETITIVE_ADVANTAGE, ClaimType.CAGR_CONNECTION]),
    LAYERS,
    st.sampled_from([None, *FactCheck]),
)


def claim(**layers: str) -> Claim:
    return Claim(1, ClaimType.COMPETITIVE_ADVANTAGE, "x", five_layer_evaluation=FiveLayers(layers))


@given(CLAIMS)
def test_the_tone_of_a_composed_comment_fits_all_five_values(one: Claim) -> None:
    assert {value: analyse(compose(one, value)).polarity for value in CONFIDENCES} == TONES


@given(CLAIMS, st.sampled_from(CONFIDENCES))
def test_a_composed_comment_has_two_or_three_sentences_and_at_most_one_underlined_point(one: Claim, value: int) -> None:
    comment = compose(one, value)
    assert comment.endswith("。") and 2 <= comment.count("。") <= 3
    assert comment.count("<u>") == comment.count("</u>") <= 1


@pytest.mark.parametrize(("judgement", "values"), [item for item in LAYER_VALUES.items() if item[0].startswith("rule_")])
def test_every_adverse_judgement_of_a_rule_is_named_at_30(judgement: str, values: tuple[str, ...]) -> None:
    alone = {compose(claim(**{judgement: value}), 30) for value in values}
    assert len(alone) == len(values)


def test_a_comment_names_conclusion_reason_and_improvement_in_this_order() -> None:
    comment = compose(claim(rule_4_quantitative="absent", rule_1_capability_vs_result="capability"), 30)
    assert comment == (
        "優位性としてはあまり納得しない。結果ではなく能力を捉えているものの、<u>定量的な裏付けが不足している</u>。"
        "数値による裏付けを加えれば、評価が上がる。"
    )


def test_without_a_judgement_no_reason_is_made_up() -> None:
    assert "判定が記録されていない" in compose(Claim(1, ClaimType.COMPETITIVE_ADVANTAGE, "x"), 70)


def test_a_comment_of_this_program_is_recognised_and_another_is_not() -> None:
    one = claim(rule_4_quantitative="absent")
    shown = compose(one, 90).replace("<u>", "").replace("</u>", "")
    assert is_own_comment(one, shown)
    assert is_own_comment(one, f"{shown}\n")
    assert not is_own_comment(one, "優位性として妥当である。")


def test_a_cagr_connection_between_two_values_takes_the_words_of_the_nearest() -> None:
    one = Claim(2, ClaimType.CAGR_CONNECTION, "x")
    assert compose(one, 65).startswith("CAGR接続としておおむね納得できる。")
    assert compose(one, 60).startswith("CAGR接続としてまあ納得できる")
