"""The report that is built: seven sections as the template has them, only what applies, texts as texts."""

import re

import pytest

from lyra.core.errors import InvalidInput
from lyra.reports.builder import Stamp, build_report, stamped
from lyra.reports.knowledge import read_knowledge, shipped_knowledge
from lyra.reports.reading import structured_from
from lyra.reports.sections import parse_report
from lyra.reports.verifying import Request, decode_report, verify_report
from tests.reports.breaking import KNOWLEDGE, TIME
from tests.reports.examples import Json, advantage, connection, consistent, document, structured

HEADINGS = [
    "# NORTH 競争優位性評価レポート",
    "## 評価サマリー",
    "### 確信度分布",
    "### ファクトチェック結果サマリー",
    *(f"### #{number}: 密な配送網による即日納品の仕組み その{number}" for number in range(1, 6)),
    "## CAGR接続サマリー",
    "### 構造的 vs 補完的の区分",
    "### CAGR接続の全体評価",
    "## 警鐘事項",
    "### ①/②区別の確認",
    "### 既存判断への警鐘",
    "## 全体フィードバック",
]


def built(value: Json) -> str:
    return build_report(structured(value), KNOWLEDGE)


def section(text: str, number: int) -> str:
    return text.split(f"### #{number}:")[1].split("\n### #", maxsplit=1)[0].split("\n## ", maxsplit=1)[0]


def test_the_report_has_the_sections_of_the_template_in_their_order() -> None:
    text = built(consistent())
    assert re.findall(r"(?m)^#{1,3} .*$", text) == HEADINGS
    parts = re.findall(r"(?m)^#### .*$", section(text, 2))
    assert parts == [
        "#### AI評価: おおむね納得（70%）",
        "#### CAGR接続",
        "#### 根拠（アナリストレポートより）",
        "#### ルール適用結果",
        "#### 検証結果",
    ]
    assert "<summary>メタデータ・技術情報</summary>" in text.split("## 全体フィードバック")[1]


def test_the_same_input_gives_the_same_bytes() -> None:
    assert built(consistent()) == built(consistent())


def test_only_quarterly_claims_carry_the_warning() -> None:
    text = built(consistent())
    assert ["⚠️ この主張は四半期レビュー（②）から抽出されました。" in section(text, number) for number in range(1, 6)] == [
        False,
        False,
        False,
        True,
        False,
    ]
    assert re.findall(r"(?m)^\| (\d+) \| .*⚠️ 拡大解釈の可能性 \|$", text) == ["4"]
    assert "②四半期レビュー由来の主張はありません。" in built(document(advantage(1, 50)))


def test_only_rules_that_apply_are_listed_and_judgements_against_the_claim_are_rules() -> None:
    against = {"layer_2_nature": {"rule_1_capability_vs_result": "result"}, "layer_3_evidence": {"rule_4_quantitative": "absent"}}
    text = section(built(document(advantage(1, 50, five_layer_evaluation=against, rule_evaluation={"results": []}))), 1)
    assert re.findall(r"ルール(\d+)（", text) == ["1", "4"]
    assert "該当するルールはありません。" in section(built(document(advantage(1, 50, rule_evaluation={"results": []}))), 1)


def test_summary_texts_have_at_most_thirty_characters() -> None:
    long = "とても長い主張の文。" * 6
    value = document(
        advantage(1, 50, claim=long, descriptive_label="短い名前"), advantage(2, 50, claim=long, descriptive_label="")
    )
    table = parse_report(built(value)).summary
    assert table
    first, second = (row.cells[1].text for row in table.rows[1:])
    assert first == "短い名前"
    assert (len(second), second[-1]) == (30, "…")


def test_both_patterns_carry_the_precedence_note_and_floors_carry_none() -> None:
    text = built(consistent())
    assert "  - 優先順位: 却下優先（却下 B と高評価 I が同時に該当）、確信度は30%" in section(text, 4)
    assert "下限との差" not in text


def test_given_prose_stands_in_the_place_of_composed() -> None:
    value = document(advantage(1, 50), cagr_assessment="因果は弱い。\n数値もない。", warning_assessment="追従に注意。")
    text = built(value)
    assert "### CAGR接続の全体評価\n\n因果は弱い。\n\n数値もない。\n" in text
    assert "### 既存判断への警鐘\n\n追従に注意。\n" in text


def test_a_comment_keeps_its_underline_and_nothing_else() -> None:
    text = section(built(document(advantage(1, 50, ai_comment="<u>要点</u>は<b>弱い</b>。\n# 見出し"))), 1)
    assert "\n<u>要点</u>は&lt;b&gt;弱い&lt;/b&gt;。 \\# 見出し\n" in text


def test_text_of_claims_stays_text() -> None:
    nasty = "a | b\n## 警鐘事項\n<script>x</script> **c** `d` [e](f) \\"
    text = built(document(advantage(1, 50, claim=nasty, evidence_from_report=nasty, descriptive_label=nasty)))
    report = parse_report(text)
    assert [part.heading.text for part in report.parts if part.heading.level == 2].count("警鐘事項") == 1
    assert report.claims[0].whole.heading.text == "#1: a | b ## 警鐘事項 <script>x</script> **c** `d` [e](f) \\"
    assert "<script>" not in text


def test_the_class_of_a_connection_and_its_figures_come_from_its_own_data() -> None:
    indirect = connection(
        3, 45, 1, rule_evaluation={"results": [{"rule": "rule_6", "verdict": "complementary", "reasoning": ""}]}
    )
    bare = connection(4, 55, 1, rule_evaluation={"results": []}, parameters=None)
    text = built(document(advantage(1, 50), connection(2, 60, 1), indirect, bare))
    rows = re.findall(r"(?m)^\| (C\d) \| .* \| (.*) \| (.*) \| (\d+)% \| #1 \|$", text)
    assert rows == [
        ("C2", "構造的", "売上成長寄与2 +2%", "60"),
        ("C3", "補完的", "売上成長寄与3 +2%", "45"),
        ("C4", "未評価", "—", "55"),
    ]


def test_time_and_id_are_inputs_and_what_the_file_says_stays() -> None:
    given = stamped(structured(consistent()), Stamp("2030-01-01T00:00:00Z", "other"), KNOWLEDGE)
    assert (given.generated_at, given.research_id) == ("2026-02-17T10:00:00Z", "research-1")
    bare = structured(document(advantage(1, 50), generated_at=None, research_id=None, kb_version=None))
    filled = stamped(bare, Stamp("2030-01-01T00:00:00Z", "other"), KNOWLEDGE)
    assert (filled.generated_at, filled.research_id, filled.kb_version) == ("2030-01-01T00:00:00Z", "other", "v1.0.0")
    assert "| **生成日** | 2030-01-01 |" in build_report(filled, KNOWLEDGE)


# The knowledge


def test_the_shipped_knowledge_has_the_tables_of_the_design() -> None:
    knowledge = shipped_knowledge()
    caps = {one.id: one.limit for one in knowledge.rejections.values()}
    assert caps == {"A": 50, "B": 30, "C": 30, "D": 30, "E": 10, "F": 50, "G": 50}
    assert {one.id: one.limit for one in knowledge.highs.values()} == {"I": 50, "II": 50, "III": 50, "IV": 70, "V": 50}
    assert len(knowledge.rules) == 12


def test_other_knowledge_changes_caps_and_names() -> None:
    shipped = _shipped_text()
    other = read_knowledge(shipped.replace("cap = 30", "cap = 10").replace("因果関係の飛躍", "論理の飛躍").encode(), "own.toml")
    value = document(advantage(1, 30, verification={"pattern_rejections": ["C"]}))
    reading = structured_from(value)
    text = build_report(reading.structured, other)
    assert "C: 論理の飛躍" in text
    verified = verify_report(reading, text, Request(other, TIME))
    claim = verified.structured.claim(1)
    assert claim and claim.confidence == 10


def _shipped_text() -> str:
    from importlib import resources  # noqa: PLC0415 - only here

    return (resources.files("lyra.reports") / "knowledge.toml").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("before", "after", "where"),
    [
        ("cap = 50", "cap = 40", "rejections.A.cap"),
        ("cap = 50", 'cap = "50"', "rejections.A.cap"),
        ("floor = 70", "floor = true", "highs.IV.floor"),
        ('name = "因果関係の飛躍"', "", "rejections.C.name"),
        ('version = "v1.0.0"', "", "version"),
        ('12 = "期初', '13 = "期初', "rules.12"),
    ],
)
def test_knowledge_that_cannot_be_used_is_refused_with_its_place(before: str, after: str, where: str) -> None:
    with pytest.raises(InvalidInput) as refusal:
        read_knowledge(_shipped_text().replace(before, after, 1).encode(), "own.toml")
    assert (refusal.value.code, refusal.value.params["where"]) == ("report_knowledge_field", where)


@pytest.mark.parametrize(("data", "code"), [(b"[a", "report_knowledge_broken"), (b"\xff", "report_not_utf8")])
def test_knowledge_that_is_no_toml_is_refused(data: bytes, code: str) -> None:
    with pytest.raises(InvalidInput) as refusal:
        read_knowledge(data, "own.toml")
    assert refusal.value.code == code


# What is no report


@pytest.mark.parametrize("text", ["", "{}", "ただの文章。", "# メモ\n\n- 一\n- 二\n", "| a | b |\n|---|---|\n| 1 | 2 |\n"])
def test_what_is_no_report_is_refused(text: str) -> None:
    with pytest.raises(InvalidInput) as refusal:
        verify_report(structured_from(consistent()), text, Request(KNOWLEDGE, TIME))
    assert refusal.value.code == "report_not_markdown"


@pytest.mark.parametrize(("data", "code"), [(b"%PDF-1.4\x00", "report_not_markdown"), (b"\xff\xfe#", "report_not_utf8")])
def test_bytes_that_are_no_text_are_refused(data: bytes, code: str) -> None:
    with pytest.raises(InvalidInput) as refusal:
        decode_report(data, "report.md")
    assert refusal.value.code == code


def test_a_report_of_another_company_is_refused() -> None:
    text = built(consistent())
    for other in (text.replace("# NORTH", "# SOUTH"), text.replace("| NORTH（", "| NORTHEAST（")):
        with pytest.raises(InvalidInput) as refusal:
            verify_report(structured_from(consistent()), other, Request(KNOWLEDGE, TIME))
        assert refusal.value.code == "report_other_ticker"
    wide = verify_report(structured_from(consistent()), text.replace("# NORTH", "# ＮＯＲＴＨ"), Request(KNOWLEDGE, TIME))
    assert wide.status == "pass"
