"""Accuracy: deviation classes, the criteria at their borders, matching, the eight simplified checks, the report itself."""

from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lyra.core.errors import InvalidInput
from lyra.reports.accuracy import Block, Comparison, Verdict, judge, severity_of
from lyra.reports.accuracy_report import Accuracy, HumanSource, accuracy_json, measure
from lyra.reports.human import HumanEvaluation, HumanScore
from lyra.reports.knowledge import shipped_knowledge
from lyra.reports.leakage import Revalued, hold_out
from lyra.reports.matching import Overrides, read_overrides
from lyra.reports.model import (
    Claim,
    ClaimType,
    FactCheck,
    FiveLayers,
    RuleEvaluation,
    Structured,
    Verification,
)
from lyra.reports.simplified import simplified_checks
from lyra.reports.validation import problems

TEXTS = (
    "店舗網の密度による配送の速さ",
    "自社ブランド商品の利益率",
    "会員制による顧客の定着",
    "長期の特許による参入障壁",
    "教育制度が生む接客の質",
    "工場の自動化による原価の低さ",
)
CA, CAGR = ClaimType.COMPETITIVE_ADVANTAGE, ClaimType.CAGR_CONNECTION


def claim(number: int, confidence: int, kind: ClaimType = CA, text: str = "", **fields: object) -> Claim:
    text = text or TEXTS[(number - 1) % len(TEXTS)]
    return Claim(number, kind, text, rule_evaluation=RuleEvaluation(confidence=confidence), **fields)  # type: ignore[arg-type]


def structured(*claims: Claim, ticker: str = "ZZQX", metadata: dict[str, object] | None = None) -> Structured:
    return Structured(
        ticker, "架空", "r-1", "①期初", "v1.0.0", "2026-01-01T00:00:00Z", claims, extraction_metadata=metadata or {}
    )


def humans(*scores: int, texts: Sequence[str] = TEXTS) -> tuple[HumanScore, ...]:
    return tuple(HumanScore(text, score, at, at) for at, (text, score) in enumerate(zip(texts, scores, strict=False), start=1))


def source(
    advantages: Sequence[HumanScore], connections: Sequence[HumanScore] = (), overrides: Overrides | None = None
) -> HumanSource:
    evaluation = HumanEvaluation(tuple(advantages), tuple(connections))
    return HumanSource(evaluation, "human.md", overrides or Overrides({}, {}), "pairs.json")


def block(*pairs: tuple[int, int]) -> Block:
    """A block of (AI, person) values."""
    return Block(tuple(Comparison(claim(1, ai), HumanScore("x", human, 1), 1.0, 0.5) for ai, human in pairs))


def codes(verdict: Verdict) -> list[tuple[str, str | None]]:
    return [(reason.code, reason.block) for reason in verdict.reasons]


def run(one: Structured, human: HumanSource | None = None) -> Accuracy:
    return measure(one, shipped_knowledge(), human, "2026-01-02T00:00:00Z")


# Deviations and criteria


@pytest.mark.parametrize(
    ("deviation", "severity"),
    [
        (0, "exact_match"),
        (1, "within_target"),
        (10, "within_target"),
        (11, "acceptable"),
        (20, "acceptable"),
        (21, "significant"),
        (30, "significant"),
        (31, "critical"),
        (80, "critical"),
    ],
)
def test_a_deviation_has_its_class_with_either_sign(deviation: int, severity: str) -> None:
    assert severity_of(deviation) == severity_of(-deviation) == severity


@pytest.mark.parametrize(
    ("pairs", "failing"),
    [
        ([(70, 60), (50, 60)], []),  # mean size 10 is within
        ([(70, 59), (50, 60)], ["mean_deviation"]),  # 10.5
        ([(90, 60), (50, 50), (30, 40), (30, 50)], ["mean_deviation"]),  # 15: only the mean; a largest of 30 is within
        ([(90, 59), *[(50, 50)] * 6], ["max_deviation"]),  # 31; bias 31/7 is within 5
        ([(71, 50), (50, 60), (50, 54), (50, 50)], []),  # 21 in one of four is 25 %, within
        ([(71, 50), (50, 61), (50, 56)], ["mean_deviation", "share_over_20"]),  # one of three; bias (21 - 11 - 6) / 3 is within
        ([(55, 50), (55, 50)], []),  # bias +5 is within
        ([(56, 50), (55, 50)], ["direction_bias"]),  # 5.5
        ([(44, 50), (45, 50)], ["direction_bias"]),  # -5.5
        ([(45, 50), (45, 50)], []),
    ],
)
def test_each_criterion_holds_up_to_its_border_and_not_beyond(pairs: list[tuple[int, int]], failing: list[str]) -> None:
    for kind in (0, 1):
        blocks = (block(*pairs), block()) if kind == 0 else (block(), block(*pairs))
        assert sorted({code for code, _ in codes(judge(*blocks))}) == sorted(failing)


def test_the_mean_must_be_within_10_in_both_blocks() -> None:
    verdict = judge(block((50, 50)), block((50, 61), (50, 39)))
    assert verdict.criteria.mean_deviation_within_10 is False
    assert codes(verdict) == [("mean_deviation", "cagr_accuracy")]


def test_bias_is_judged_per_block_so_that_two_wrongs_make_no_right() -> None:
    verdict = judge(block((56, 50)), block((44, 50)))
    assert codes(verdict) == [("direction_bias", "advantage_accuracy"), ("direction_bias", "cagr_accuracy")]


def test_the_share_above_20_is_over_all_matched_of_both_blocks() -> None:
    far, near = (71, 50), (46, 50)
    assert judge(block(far), block(near, near, near)).criteria.over_20_percent_under_25_pct is True
    assert judge(block(far), block(near, near)).criteria.over_20_percent_under_25_pct is False


def test_an_empty_block_is_null_and_ignored() -> None:
    report = accuracy_json(run(structured(claim(1, 70)), source(humans(70))))
    full = report["full_mode_results"]
    assert isinstance(full, dict)
    assert full["cagr_accuracy"] is None
    assert full["overall_verdict"] == "pass"


def test_no_match_at_all_fails_with_null_criteria() -> None:
    verdict = run(structured(claim(1, 70)), source([HumanScore("zzz", 70, 1)])).full
    assert verdict is not None
    assert not verdict.verdict.passed
    assert set(verdict.verdict.criteria.values().values()) == {None}
    assert codes(verdict.verdict) == [("no_match", None)]


@pytest.mark.parametrize(
    ("pairs", "bias"),
    [
        ([(50, 50)], "none"),
        ([(50, 60), (60, 50)], "none"),
        ([(51, 50)], "slight_overestimate"),
        ([(49, 50)], "slight_underestimate"),
        ([(55, 50)], "slight_overestimate"),
        ([(56, 50)], "overestimate"),
        ([(44, 50)], "underestimate"),
    ],
)
def test_bias_has_the_sign_of_ai_less_human(pairs: list[tuple[int, int]], bias: str) -> None:
    assert block(*pairs).bias == bias


@given(st.lists(st.tuples(st.integers(10, 90), st.integers(0, 100)), min_size=1, max_size=8))
def test_a_passing_comparison_has_no_reason_and_a_failing_one_has_some(pairs: list[tuple[int, int]]) -> None:
    verdict = judge(block(*pairs), block())
    assert verdict.passed == (not verdict.reasons) == all(verdict.criteria.values().values())


# Matching


def test_claims_are_matched_one_to_one_whatever_their_order() -> None:
    full = run(structured(*(claim(at, 50) for at in range(1, 7))), source(list(reversed(humans(10, 20, 30, 40, 50, 60))))).full
    assert full is not None
    assert [(one.claim.id, one.human.score) for one in full.advantages.comparisons] == [(at, at * 10) for at in range(1, 7)]


def test_what_has_no_partner_is_listed_on_either_side() -> None:
    one = structured(claim(1, 50), claim(2, 50, text="まったく別のこと"))
    report = accuracy_json(run(one, source(humans(50, 60, texts=(TEXTS[0], "qqq")))))
    full = report["full_mode_results"]
    assert isinstance(full, dict)
    matching = full["claim_matching"]
    assert (matching["matched"], matching["unmatched_ai"], matching["missing_in_ai"]) == (1, 1, 1)
    assert matching["unmatched_ai_claims"] == [{"claim_id": 2, "claim": "まったく別のこと", "ai_confidence": 50}]
    assert matching["missing_in_ai_evaluations"] == [{"y_number": 2, "y_text": "qqq", "y_confidence": 60, "y_line": 2}]


def test_a_pair_with_a_close_rival_is_listed_for_review() -> None:
    twins = ("国内の店舗網の密度の高さ", "海外の店舗網の密度の高さ")
    one = structured(claim(1, 50, text="店舗網の密度の高さ"), claim(2, 50, text="まるで異なる主張"))
    full = run(one, source(humans(50, 50, texts=twins))).full
    assert full is not None
    assert [pair.claim.id for pair in full.advantages.review] == [1]


def test_connections_are_matched_through_the_advantage_they_rest_on() -> None:
    one = structured(
        claim(1, 50),
        claim(2, 50),
        claim(3, 60, CAGR, text="売上成長への寄与", source_advantage=1),
        claim(4, 40, CAGR, text="売上成長への寄与", source_advantage=2),
    )
    spoken = [HumanScore(f"{TEXTS[1]} 売上成長寄与 +2%", 45, 2, 2), HumanScore(f"{TEXTS[0]} 売上成長寄与 +1%", 55, 1, 1)]
    full = run(one, source(humans(50, 50), spoken)).full
    assert full is not None
    assert [(pair.claim.id, pair.deviation) for pair in full.connections.comparisons] == [(3, 5), (4, -5)]


def test_an_override_sets_a_pair_or_parts_one() -> None:
    one = structured(claim(1, 50), claim(2, 50))
    full = run(one, source(humans(10, 20), overrides=Overrides({1: 2, 2: None}, {}))).full
    assert full is not None
    assert [(pair.claim.id, pair.human.score, pair.margin) for pair in full.advantages.comparisons] == [(1, 20, None)]
    assert [left.id for left in full.advantages.unmatched_ai] == [2]


@pytest.mark.parametrize(
    ("overrides", "code"),
    [
        (Overrides({9: 1}, {}), "override_unknown_claim"),
        (Overrides({1: 9}, {}), "override_unknown_score"),
        (Overrides({1: 1, 2: 1}, {}), "override_twice"),
    ],
)
def test_an_override_to_nothing_is_refused(overrides: Overrides, code: str) -> None:
    with pytest.raises(InvalidInput) as refusal:
        run(structured(claim(1, 50), claim(2, 50)), source(humans(10, 20), overrides=overrides))
    assert refusal.value.code == code


@pytest.mark.parametrize(
    "text", ["[]", '{"advantages": [1]}', '{"advantages": {"x": 1}}', '{"advantages": {"1": true}}', '{"ca": {}}']
)
def test_an_override_file_of_another_shape_is_refused(text: str) -> None:
    with pytest.raises(InvalidInput) as refusal:
        read_overrides(text.encode(), "pairs.json")
    assert refusal.value.code == "override_shape"


def test_an_override_file_names_claims_as_the_report_does() -> None:
    assert read_overrides(b'{"advantages": {"#1": 2}, "connections": {"C4": null}}', "x") == Overrides({1: 2}, {4: None})


# Leakage


def test_the_tested_ticker_is_held_out_of_the_knowledge() -> None:
    knowledge, held_out = hold_out(shipped_knowledge(), structured(claim(1, 50), ticker="orly"))
    assert all("ORLY" not in basis for pattern in knowledge.rejections.values() for basis in pattern.basis)
    assert any(score.startswith("ORLY#") for score in held_out.scores)
    assert "IV" in held_out.patterns and "IV" not in knowledge.highs
    assert "E" in knowledge.rejections  # drawn from a rule, not from scores


def test_a_value_that_a_held_out_cap_set_is_compared_as_the_other_rules_give_it() -> None:
    # The cap of B was drawn from LLY#6 alone: comparing LLY's 30 with the person's 30 would prove the cap by itself.
    rejected = Verification(pattern_rejections=("B",))
    given = structured(claim(1, 70, verification=rejected), claim(2, 50), ticker="LLY")
    verified = structured(claim(1, 70, verification=replace(rejected, final_confidence=30)), claim(2, 50), ticker="LLY")
    done = measure(verified, shipped_knowledge(), source(humans(30, 50)), "t", given)
    assert done.full is not None
    assert [one.deviation for one in done.full.advantages.comparisons] == [40, 0]
    assert done.full.revalued == (Revalued(1, 30, 70),)
    unknown = measure(verified, shipped_knowledge(), source(humans(30, 50)), "t").full
    assert unknown is not None
    assert ([one.deviation for one in unknown.advantages.comparisons], unknown.revalued) == ([0, 0], (Revalued(1, 30, None),))
    other = measure(replace(verified, ticker="ZZQX"), shipped_knowledge(), source(humans(30, 50)), "t", given).full
    assert other is not None and other.revalued == ()


def test_a_cap_from_a_rule_or_from_others_still_holds_for_the_tested_ticker() -> None:
    rejected = Verification(pattern_rejections=("B", "E"), final_confidence=10)
    given = structured(claim(1, 70, verification=replace(rejected, final_confidence=None)), ticker="LLY")
    verified = structured(claim(1, 70, verification=rejected), ticker="LLY")
    full = measure(verified, shipped_knowledge(), source(humans(10)), "t", given).full
    assert full is not None and full.revalued == () and full.advantages.comparisons[0].deviation == 0


def test_nothing_is_held_out_for_a_ticker_the_knowledge_does_not_know() -> None:
    knowledge, held_out = hold_out(shipped_knowledge(), structured(claim(1, 50)))
    assert (knowledge, held_out.scores, held_out.patterns) == (shipped_knowledge(), (), ())


@pytest.mark.parametrize(
    ("metadata", "stated"),
    [
        ({}, "not_stated"),
        ({"kb_tickers": ["AAA", "zzqx"]}, "contains_ticker"),
        ({"kb_tickers": ["AAA"]}, "held_out"),
        ({"kb_tickers": ["ZZQX"], "kb_held_out": ["ZZQX"]}, "held_out"),
    ],
)
def test_what_is_known_of_the_ai_s_own_knowledge_is_said(metadata: dict[str, object], stated: str) -> None:
    one = structured(claim(1, 50), metadata=metadata)
    assert hold_out(shipped_knowledge(), one)[1].ai_knowledge == stated
    full = run(one, source(humans(50))).full
    assert full is not None
    assert any("精度の証拠にならない" in text for text in full.suggestions) == (stated == "contains_ticker")


# Simplified


def statuses(one: Structured) -> dict[str, str]:
    return {check.check_id: check.status for check in simplified_checks(one, shipped_knowledge()).checks}


FIT = FiveLayers({"rule_11_industry_structure": "strong_fit"})


def many(*values: int) -> list[Claim]:
    return [claim(at, value, five_layer_evaluation=FIT) for at, value in enumerate(values, start=1)]


def test_eight_checks_pass_on_a_plausible_report() -> None:
    simplified = simplified_checks(structured(*many(70, 50, 50, 50, 30, 30, 70)), shipped_knowledge())
    assert [check.check_id for check in simplified.checks] == [f"S-{number}" for number in range(1, 9)]
    assert simplified.overall_status == "pass"


@pytest.mark.parametrize(
    ("check", "values", "status"),
    [
        ("S-1", [90, 90, 90, *[50] * 17], "pass"),  # exactly 15 %
        ("S-1", [90, *[50] * 5], "warning"),  # 16.7 %
        ("S-2", [50, 50, 50, *[70] * 7], "pass"),  # exactly 30 %
        ("S-2", [50, *[70] * 4], "warning"),
        ("S-3", [10, 10, 10, *[50] * 17], "pass"),
        ("S-3", [10, *[50] * 5], "warning"),
        ("S-7", [50] * 4, "warning"),
        ("S-7", [50] * 5, "pass"),
        ("S-7", [50] * 15, "pass"),
        ("S-7", [50] * 16, "warning"),
    ],
)
def test_a_share_or_count_is_judged_at_its_border(check: str, values: list[int], status: str) -> None:
    assert statuses(structured(*many(*values)))[check] == status


def test_s_3_leaves_contradicted_claims_out_on_both_sides() -> None:
    refuted = [claim(at, 10, verification=Verification(fact_check_status=FactCheck.CONTRADICTED)) for at in (1, 2)]
    rest = [claim(at, 50) for at in range(3, 8)]
    (check,) = (
        one for one in simplified_checks(structured(*refuted, *rest), shipped_knowledge()).checks if one.check_id == "S-3"
    )
    assert (check.status, check.value) == ("pass", "0件 (0.0%)")


def test_s_4_passes_without_connections_and_compares_means_with_them() -> None:
    base = many(50, 50, 50, 50, 50)
    assert statuses(structured(*base))["S-4"] == "pass"
    assert statuses(structured(*base, claim(6, 50, CAGR)))["S-4"] == "pass"
    assert statuses(structured(*base, claim(6, 49, CAGR)))["S-4"] == "warning"


def test_s_5_names_claims_above_the_cap_of_their_patterns() -> None:
    above = claim(1, 50, verification=Verification(pattern_rejections=("B",)))
    linked = claim(9, 60, CAGR, verification=Verification(pattern_rejections=("G",)))
    (check,) = (
        one
        for one in simplified_checks(structured(above, linked, *many(0)[1:]), shipped_knowledge()).checks
        if one.check_id == "S-5"
    )
    assert (check.status, check.severity, check.claims) == ("warning", "warning", (1, 9))


def test_s_6_fails_on_90_without_a_strong_fit() -> None:
    weak = claim(1, 90, five_layer_evaluation=FiveLayers({"rule_11_industry_structure": "weak_fit"}))
    assert statuses(structured(weak, *many(50, 50, 50, 50, 50)[1:]))["S-6"] == "fail"


def test_s_8_fails_on_a_contradicted_claim_that_is_not_at_10() -> None:
    refuted = Verification(fact_check_status=FactCheck.CONTRADICTED)
    for kind in (CA, CAGR):
        assert statuses(structured(claim(1, 30, kind, verification=refuted)))["S-8"] == "fail"
        assert statuses(structured(claim(1, 10, kind, verification=refuted)))["S-8"] == "pass"


def test_info_counts_in_neither_the_warnings_nor_the_overall_status() -> None:
    simplified = simplified_checks(structured(*many(70, 70, 70, 70, 70)), shipped_knowledge())
    assert [check.check_id for check in simplified.checks if check.status == "warning"] == ["S-2"]
    assert (simplified.warning_count, simplified.critical_count, simplified.overall_status) == (0, 0, "pass")


# The report


@given(
    st.lists(st.sampled_from([10, 30, 50, 70, 90]), min_size=1, max_size=6),
    st.none() | st.lists(st.integers(0, 100), min_size=1, max_size=6),
)
def test_the_report_is_valid_and_full_mode_decides_where_there_are_scores(values: list[int], scores: list[int] | None) -> None:
    one = structured(*(claim(at, value) for at, value in enumerate(values, start=1)))
    accuracy = run(one, None if scores is None else source(humans(*scores)))
    report = accuracy_json(accuracy)
    assert problems(report, "accuracy-report") == []
    assert report["mode"] == ("simplified" if scores is None else "full")
    assert len(report["simplified_mode_results"]["checks"]) == 8  # type: ignore[index]


def test_simplified_mode_fails_on_a_critical_check_alone() -> None:
    assert run(structured(*many(50, 50, 50))).passed
    assert not run(structured(claim(1, 90))).passed


def test_suggestions_name_the_largest_deviation_and_the_rule_to_look_at() -> None:
    weak = claim(1, 90, five_layer_evaluation=FiveLayers({"rule_7_pure_competitor": "absent"}))
    full = run(structured(weak, claim(2, 30)), source(humans(40, 30))).full
    assert full is not None
    assert any(text.startswith("#1: AI 90% / 評価者 40%") and "ルール7" in text for text in full.suggestions)
    assert any("平均25.0ポイント高い" in text for text in full.suggestions)
