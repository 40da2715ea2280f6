"""Each check alone: a report that breaks it is found, corrected as it should be, recorded, and otherwise left alone."""

import re
from difflib import SequenceMatcher

import pytest

from lyra.reports.checks import CHECKS, Severity
from lyra.reports.validation import problems
from lyra.reports.verifying import Verified
from tests.reports.breaking import (
    BREAKS,
    BY_CHECK,
    NEGATIVE,
    POSITIVE,
    Break,
    again,
    both,
    broken,
    confident,
    detected,
    in_section,
    layer,
    put,
    replaced,
    without_line,
)

INFO = {check.id for check in CHECKS if check.severity is Severity.INFO}


def changes(before: str, after: str) -> list[tuple[list[str], list[str]]]:
    """The lines that went and came, place by place."""
    old, new = before.split("\n"), after.split("\n")
    matched = SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
    return [(old[a:b], new[c:d]) for kind, a, b, c, d in matched if kind != "equal"]


def lines(before: str, after: str) -> tuple[list[str], list[str]]:
    """All lines that went, and all that came, blank ones aside."""
    gone = [line for old, _ in changes(before, after) for line in old if line.strip()]
    come = [line for _, new in changes(before, after) for line in new if line.strip()]
    return gone, come


def test_there_are_twenty_checks_and_a_way_to_break_each() -> None:
    assert [one.check for one in BREAKS] == [check.id for check in CHECKS]
    assert len(CHECKS) == 20


@pytest.mark.parametrize("one", BREAKS, ids=lambda one: one.check)
def test_a_broken_check_is_found_alone_and_mended_for_good(one: Break) -> None:
    report = broken((one, 2))
    verified = report.verified()
    assert detected(verified) == {one.check}
    assert verified.corrected.findings[one.check][0].claim_id == 2
    assert problems(verified.results, "verification-results") == []
    second = again(verified, report.earlier)
    if one.check in INFO:
        assert (verified.report, verified.status, verified.corrected.corrections) == (report.text, "pass", ())
        assert detected(second) == {one.check}
        return
    assert verified.status == "pass_with_corrections"
    assert {record.check for record in verified.corrected.corrections} == {one.check}
    assert {record.claim_id for record in verified.corrected.corrections} == {2}
    assert detected(second) == set()
    assert (second.report, second.structured, second.status) == (verified.report, verified.structured, "pass")
    assert report.verified().results == verified.results


# What each correction writes: the lines that go, and those that come.
EXPECTED: dict[str, tuple[list[str], list[str]]] = {
    "A-2": (["#### AI評価: かなり納得（90%）"], ["#### AI評価: まあ納得（50%）"]),
    "A-4": ([], ["| ルール5（CAGR接続の直接性） | direct | 2段階 [⚠️ T8修正] A-4 |"]),
    "A-5": ([], ["  - 反証された事実（#22）: 拠点数は220か所"]),
    "A-6": (
        ["  - 高評価: なし"],
        ["  - 高評価: I: 定量的裏付けのある差別化（競合との差が数値で示されている） [⚠️ T8修正] A-6"],
    ),
    "A-7": ([], ["| 売上成長寄与12 +2%（C12） | 60% | 客数の実績がある。 [⚠️ T8修正] A-7 |"]),
    "B-1": (
        [],
        [
            "| ルール1（能力か結果か） | result | 結果の記述にとどまり、それを生む能力や仕組みが示されていません。"
            " [⚠️ T8修正] B-1 |"
        ],
    ),
    "B-2": ([], ["| ルール2（名詞テスト） | fail | 優位性を名詞で言い表せていません。名詞形の案:「配送網2」 [⚠️ T8修正] B-2 |"]),
    "B-3": (
        [],
        [
            "| ルール3（相対的な優位性） | fail | 競合も同じことができるかが検証されておらず、相対的な優位と言えません。"
            " [⚠️ T8修正] B-3 |"
        ],
    ),
    "B-4": ([], []),
    "B-5": (
        [],
        ["| ルール7（純粋競合との比較） | absent | 純粋競合（同じ土俵の競合）との比較が不足しています。 [⚠️ T8修正] B-5 |"],
    ),
    "B-6": (
        [],
        ["| ルール8（戦略か優位性か） | strategy | 会社の戦略の説明であり、優位性そのものではありません。 [⚠️ T8修正] B-6 |"],
    ),
    "B-9": (
        [],
        [
            "> ⚠️ この主張は四半期レビュー（②）から抽出されました。",
            "> 期初レポート（①）での妥当性を再検討してください。",
            "> [⚠️ T8修正] B-9",
        ],
    ),
    "C-2": ([], ["  - 下限との差: 高評価 IV の下限70%に対し、確信度は50%（値は変更しない） [⚠️ T8修正] C-2"]),
    "C-3": ([], ["  - 優先順位: 却下優先（却下 A と高評価 I が同時に該当）、確信度は50% [⚠️ T8修正] C-3"]),
    "C-4": ([], []),
}


@pytest.mark.parametrize("check", EXPECTED)
def test_only_the_lines_of_the_correction_change(check: str) -> None:
    report = broken((BY_CHECK[check], 2))
    gone, come = lines(report.text, report.verified().report)
    table = {"| ルール | 判定 | 根拠 |", "|---|---|---|", "| パラメータ | AI確信度 | コメント |"}
    assert (gone, [line for line in come if line not in table]) == EXPECTED[check]


def test_a_missing_claim_is_put_back_where_it_was() -> None:
    whole = broken((Break("none"), 2)).text
    report = broken((BY_CHECK["A-1"], 2))
    assert report.verified().report == whole


@pytest.mark.parametrize(
    ("check", "value", "rank"),
    [("B-7", 10, "却下（10%）"), ("B-8", 70, "おおむね納得（70%）"), ("C-1", 30, "あまり納得しない（30%）")],
)
def test_a_confidence_comes_down_wherever_it_shows(check: str, value: int, rank: str) -> None:
    report = broken((BY_CHECK[check], 2))
    verified = report.verified()
    gone, come = lines(report.text, verified.report)
    assert len(gone) == len(come) == 5
    summary, higher, lower, heading, comment = come
    assert summary.split(" | ")[2] == f"{value}%"
    assert [line.split(" | ")[1].split()[0] for line in (higher, lower)] in (["2件", "1件"], ["0件", "1件"])
    assert heading == f"#### AI評価: {rank}"
    assert comment.startswith("優位性として")
    claim = verified.structured.claim(2)
    assert claim and claim.confidence == value
    assert claim.verification.confidence_delta == value - (claim.rule_evaluation.confidence or 0)
    others = [(one.id, one.confidence) for one in verified.structured.advantages if one.id != 2]
    assert others == [(1, 50), (3, 50)]
    first = verified.corrected.corrections[0]
    assert (first.kind, first.after) == ("confidence_adjustment", f"{value}%")


def test_a_persons_comment_is_only_rewritten_when_its_tone_is_wrong() -> None:
    kept = broken((Break("C-1", put(verification={"pattern_rejections": ["B"]}, ai_comment=NEGATIVE)), 2)).verified()
    assert NEGATIVE in kept.report
    assert [record.kind for record in kept.corrected.corrections] == ["confidence_adjustment"]
    wrong = broken((Break("C-1", put(verification={"pattern_rejections": ["B"]}, ai_comment=POSITIVE)), 2)).verified()
    assert POSITIVE not in wrong.report
    assert [(record.check, record.kind, record.before) for record in wrong.corrected.corrections][1:] == [
        ("A-3", "comment_rewrite", POSITIVE)
    ]
    claim = wrong.structured.claim(2)
    assert claim and claim.ai_comment == wrong.corrected.corrections[1].after


def test_without_rewriting_a_wrong_tone_is_flagged_and_fails() -> None:
    report = broken((BY_CHECK["A-3"], 2))
    flagged = report.verified(rewrite=False)
    assert (flagged.report, flagged.status, detected(flagged)) == (report.text, "fail", {"A-3"})
    assert [finding.check for finding in flagged.corrected.remaining] == ["A-3"]
    lowered = broken((BY_CHECK["B-8"], 2)).verified(rewrite=False)
    assert [record.kind for record in lowered.corrected.corrections] == ["confidence_adjustment"]


@pytest.mark.parametrize(("confidence", "comment"), [(30, "ある程度の優位性として認められる"), (70, NEGATIVE)])
def test_a_comment_against_its_confidence_is_critical(confidence: int, comment: str) -> None:
    verified = broken((Break("A-3", both(confident(confidence), put(ai_comment=comment))), 2)).verified()
    assert detected(verified) == {"A-3"}
    assert detected(again(verified)) == set()


@pytest.mark.parametrize("comment", ["方向性は認めるが、定量的裏付けが不足しており納得感は限定的"])
def test_the_comment_that_the_design_puts_in_its_place_is_clean(comment: str) -> None:
    assert detected(broken((Break("A-3", both(confident(30), put(ai_comment=comment))), 2)).verified()) == set()


def test_fifty_and_neutral_comments_never_fail_and_are_noted() -> None:
    verified = broken((Break("A-3", put(ai_comment=NEGATIVE)), 2), (Break("A-3", put(ai_comment="拠点は30か所。")), 3)).verified()
    assert detected(verified) == set()
    assert verified.corrected.notes["A-3"] == "50%で偏りのあるコメント: #2=negative / 中立と読んだコメント: #3"


def test_a_contradiction_that_is_not_sure_is_noted_for_a_person_and_left_alone_also_beside_a_finding() -> None:
    thin = "競合は値下げを始めたが、当社の受注は横ばいだった。"
    unsure = (Break("A-3", both(confident(30), put(ai_comment=thin))), 3)
    verified = broken(unsure).verified()
    assert detected(verified) == set() and thin in verified.report
    assert "人の確認を要するコメント: #3=positive" in verified.corrected.notes["A-3"]
    beside = broken((Break("A-3", both(confident(30), put(ai_comment=POSITIVE))), 2), unsure).verified()
    assert detected(beside) == {"A-3"} and thin in beside.report
    assert "人の確認を要するコメント: #3=positive" in beside.results_text


# Other ways in which the same checks break.

ROW_2 = r"(?m)^\| 2 \|.*\n"
OTHERS = {
    "A-1 summary row": ("A-1", lambda text, _: re.sub(ROW_2, "", text, count=1)),
    "A-1 section 4 row": ("A-1", lambda text, _: re.sub(r"(?m)^\| C12 \|.*\n", "", text)),
    "A-1 counts": ("A-1", lambda text, _: text.replace("競争優位性 3件", "競争優位性 4件")),
    "A-1 counts row": ("A-1", lambda text, _: re.sub(r"(?m)^\| \*\*主張数.*\n", "", text)),
    "A-2 summary": ("A-2", lambda text, _: text.replace("その2 | 50%", "その2 | 70%")),
    "A-2 summary of a connection": ("A-2", lambda text, _: text.replace("12 +2% | 60%", "12 +2% | 90%", 1)),
    "A-2 table of the section": ("A-2", lambda text, _: text.replace("（C12） | 60%", "（C12） | 61%")),
    "A-2 section 4": ("A-2", lambda text, _: re.sub(r"(?m)^(\| C12 .*)60%", r"\g<1>20%", text)),
    "A-2 distribution": ("A-2", lambda text, _: text.replace("3件 (100%)", "2件 (66.7%)")),
    "A-2 distribution row": ("A-2", lambda text, _: re.sub(r"(?m)^\| 30%（.*\n", "", text)),
    "A-2 distribution verdict": ("A-2", lambda text, _: re.sub(r"(\| 30%（.*)要確認", r"\g<1>OK", text)),
    "A-2 rank": ("A-2", in_section(replaced("まあ納得（50", "おおむね納得（50"))),
    "A-2 heading gone": ("A-2", in_section(without_line("#### AI評価"))),
    "A-5 counts": ("A-5", lambda text, _: text.replace("- verified: 3件", "- verified: 2件")),
    "A-5 counts gone": ("A-5", lambda text, _: re.sub(r"(?m)^- verified.*\n", "", text)),
    "A-6 extra pattern": ("A-6", in_section(replaced("却下: なし", "却下: B: 業界共通"))),
    "A-6 line gone": ("A-6", in_section(without_line("却下: なし"))),
    "A-7 summary": ("A-7", lambda text, _: text.replace("| C12 売上成長寄与12 +2% |", "| C11 |")),
    "A-7 source": ("A-7", lambda text, _: re.sub(r"(?m)^(\| C12 .*)#2", r"\g<1>#1", text)),
    "A-7 section heading gone": ("A-7", in_section(lambda part: re.sub(r"(?s)#### CAGR接続.*?(?=#### 根拠)", "", part))),
}


@pytest.mark.parametrize("name", OTHERS)
def test_other_breaks_of_the_same_checks_are_mended_too(name: str) -> None:
    check, text = OTHERS[name]
    report = broken((Break(check, text=text), 2))
    verified = report.verified()
    assert detected(verified) == {check}
    assert verified.status == "pass_with_corrections"
    second = again(verified)
    assert (detected(second), second.report) == (set(), verified.report)
    gone, come = lines(report.text, verified.report)
    assert len(gone) <= 1 <= len(come)
    assert len(come) <= 7


def test_missing_rules_make_their_table_and_wrong_verdicts_are_mended() -> None:
    data = put(rule_evaluation={"results": [{"rule": "rule_5", "verdict": "direct", "reasoning": "2段階"}]})
    wrong = broken((Break("A-4", data, in_section(replaced(r"\| direct \|", "| indirect |"))), 2)).verified()
    assert "| ルール5（CAGR接続の直接性） | direct | 2段階 [⚠️ T8修正] A-4 |" in wrong.report
    assert "indirect" not in wrong.report
    gone = broken((Break("A-4", data, in_section(lambda part: re.sub(r"(?s)#### ルール適用結果.*?(?=#### 検証)", "", part))), 2))
    assert detected(again(gone.verified())) == set()
    assert "#### ルール適用結果" in gone.verified().report.split("### #2")[1].split("### #3")[0]


@pytest.mark.parametrize("check", ["A-5", "A-6", "C-3"])
def test_a_missing_verification_part_is_made(check: str) -> None:
    one = BY_CHECK[check]
    gone = in_section(lambda part: re.sub(r"(?s)#### 検証結果.*?(?=\n---\n)", "", part))
    verified = broken((Break(check, one.data, gone, one.fact), 2)).verified()
    assert check in detected(verified)
    assert detected(again(verified)) == set()


def test_a_quarterly_claim_is_put_among_the_warnings() -> None:
    quarterly = layer(rule_12_source_type="quarterly")
    row = broken((Break("B-9", quarterly, lambda text, _: re.sub(r"(?m)^\| 2 \|.*⚠️.*\n", "", text)), 2)).verified()
    assert detected(row) == {"B-9"}
    assert "| ②四半期レビュー | ⚠️ 拡大解釈の可能性 [⚠️ T8修正] B-9 |" in row.report
    section = broken((Break("B-9", quarterly, lambda text, _: re.sub(r"(?s)## 警鐘事項.*?(?=## 全体)", "", text)), 2)).verified()
    assert detected(again(section)) == set()
    assert section.report.index("## CAGR接続サマリー") < section.report.index("## 警鐘事項") < section.report.index("## 全体")


def test_an_id_that_leads_nowhere_is_told_and_left_to_a_person() -> None:
    verified = broken((Break("A-7", put(cagr_connections=[12, 77])), 2)).verified()
    assert detected(verified) == {"A-7"}
    assert [(finding.check, finding.claim_id) for finding in verified.corrected.remaining] == [("A-7", 2)]
    assert verified.corrected.corrections == ()
    assert verified.status == "pass"
    layers = verified.results["verification_layers"]
    assert isinstance(layers, dict) and layers["layer_a_json_report_consistency"]["status"] == "pass_with_warnings"


def test_values_are_judged_as_they_came_in_and_corrected_in_order() -> None:
    high = both(confident(90, pattern_rejections=["C"]), layer(rule_11_industry_structure="absent"))
    verified = broken((Break("B-8", high), 2)).verified()
    assert detected(verified) == {"B-8", "C-1"}
    steps = [(one.check, one.before, one.after) for one in verified.corrected.corrections if one.kind == "confidence_adjustment"]
    assert steps == [("B-8", "90%", "70%"), ("C-1", "70%", "30%")]
    told = both(high, put(verification={"fact_check_status": "contradicted"}))
    contradicted = broken((Break("B-7", told), 2)).verified()
    assert detected(contradicted) == {"B-7", "B-8"}
    steps = [
        (one.check, one.before, one.after) for one in contradicted.corrected.corrections if one.kind == "confidence_adjustment"
    ]
    assert steps == [("B-7", "90%", "10%")]
    assert contradicted.status == "pass_with_corrections"


def test_a_connection_has_its_own_rules() -> None:
    def change(**verification: object) -> Verified:
        report = broken((Break("none", put(verification=verification)), 12))
        return report.verified()

    capped = change(pattern_rejections=["C"])
    assert detected(capped) == {"C-1"}
    assert capped.report.count("| 30% |") == 3
    parameter = capped.structured.claim(12)
    assert parameter and parameter.parameters[0].confidence == 30
    noted = change(pattern_matches=["IV"])
    assert detected(noted) == {"C-2"}
    assert "- C12: 下限との差" in noted.report
    assert detected(again(noted)) == set()
    assert detected(change(fact_check_status="contradicted")) == {"B-7"}


def test_a_layer_that_says_nothing_passes_as_not_evaluated() -> None:
    verified = broken((Break("none", put(five_layer_evaluation=None)), 2)).verified()
    assert detected(verified) == set()
    assert verified.corrected.notes["B-1"] == "not evaluated: #2"
    silent = broken((Break("B-8", both(confident(90), put(five_layer_evaluation=None))), 2)).verified()
    assert detected(silent) == {"B-8"}
    results = {"results": [{"rule": "rule_11", "verdict": "strong_fit", "reasoning": "合致"}]}
    told = Break("B-8", both(confident(90), put(five_layer_evaluation=None, rule_evaluation=results)))
    assert detected(broken((told, 2)).verified()) == set()


def test_earlier_reports_of_the_same_company_are_not_compared() -> None:
    one = BY_CHECK["C-4"]
    own = Break("C-4", one.data, earlier=tuple(type(e)("north", *[getattr(e, n) for n in e.__slots__[1:]]) for e in one.earlier))
    assert detected(broken((own, 2)).verified()) == set()
    near = Break("C-4", confident(70, pattern_matches=["V"]), earlier=one.earlier)
    assert detected(broken((near, 2)).verified()) == set()


def test_a_line_of_patterns_that_runs_on_is_rewritten_whole() -> None:
    text = in_section(replaced("却下: なし", "却下: B: 業界共通で\n    差別化にならない"))
    verified = broken((Break("A-6", text=text), 2)).verified()
    assert verified.corrected.remaining == ()
    assert "差別化にならない" not in verified.report
    assert detected(again(verified)) == set()
