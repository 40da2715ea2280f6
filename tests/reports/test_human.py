"""A person's evaluation: scores as people write them, tables, headings, and what cannot be read."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lyra.core.errors import InvalidInput
from lyra.reports.human import score_in
from lyra.reports.human_markdown import read_human_markdown
from lyra.reports.human_reading import read_human

TABLE = """# P2 ZZQX

| 優位性<br>-かなり/おおむね/まあ/あまりしない/却下で 90/70/50/30/10%程度の納得感 | 評価 | \\*CAGR パラメータへの影響 | 評価 |
| --- | --- | --- | --- |
| <u>凡例</u> |  | <u>前提</u> |  |
| 1：店舗網の密度 | >おおむね納得（70％）<br>-シェア40%<br><u>違和感あり</u> | 売上成長寄与 +6.0% | ＞まあ納得（50％）<br>-妥当 |
| 2. 自社\\|他社ブランド | ＞　却下(1 ０%) | マージン +0.5% | あまり納得しない（20%） |
"""
HEADINGS = """# 評価

全体の印象: 20%の項目は弱い

## 1. 店舗網の密度

-   **仮説**: 退職率(9%)は低い

＞　おおむね納得　(確信度　 70%)
業界対比では20%の差

## 2. 劇場的価値

＞　まあ納得　(5 ０%)

```
## 3. 偽の見出し
＞ 却下 (10%)
```

## STEP ４　 CAGR との接続

全体の印象

## 店舗網の密度の分析

＞あまり納得しない　(20%)
"""


@pytest.mark.parametrize(
    ("text", "score"),
    [
        (">おおむね納得（70％）<br>-3%の差", 70),
        ("＞　却下　(1 ０%)", 10),
        ("＞おおむね納得　(確信度　 70%)", 70),
        ("あまり納得しない(20%)", 20),
        ("50%", 50),
        ("**70%**", 70),
        ("○30%", 30),
        ("７０％", 70),
        ("納得度: 65%", 65),
        ("<u>まあ納得</u>", 50),
        ("コメントだけ<br>まあ納得（50%）", 50),
        ("0%", 0),
        ("100%", 100),
        ("70/100", 70),
        ("70点", 70),
        ("50〜60%", None),
        ("72.5%", None),
        ("売上成長寄与 +6.0%", None),
        ("シェア40%を維持", None),
        ("", None),
    ],
)
def test_a_score_is_read_as_people_write_it_and_a_figure_is_not(text: str, score: int | None) -> None:
    found = score_in(text)
    assert (found.value if found else None) == score


def test_a_table_gives_advantages_and_their_connections() -> None:
    found = read_human_markdown(TABLE, "x.md")
    assert [(one.number, one.text, one.score) for one in found.advantages] == [
        (1, "店舗網の密度", 70),
        (2, "自社|他社ブランド", 10),
    ]
    assert [(one.number, one.text, one.score) for one in found.connections] == [
        (1, "店舗網の密度 売上成長寄与 +6.0%", 50),
        (2, "自社|他社ブランド マージン +0.5%", 20),
    ]
    assert [one.line for one in found.advantages] == [6, 7]


def test_a_digit_that_stands_apart_is_listed_as_an_assumption() -> None:
    assert [(one.path, one.found, one.taken) for one in read_human_markdown(TABLE, "x.md").assumptions] == [("7", "1 0", "10")]


def test_headings_give_advantages_and_after_the_one_on_cagr_connections() -> None:
    found = read_human_markdown(HEADINGS, "x.md")
    assert [(one.number, one.text, one.score) for one in found.advantages] == [(1, "店舗網の密度", 70), (2, "劇場的価値", 50)]
    assert [(one.text, one.score) for one in found.connections] == [("店舗網の密度", 20)]


def test_a_score_that_cannot_be_read_is_listed_and_its_claim_left_out() -> None:
    read = read_human_markdown("| 優位性 | 評価 |\n|---|---|\n| 密度 | 50〜60% |\n| 文化 | 30% |\n| 研修 | - |\n", "h.md")
    assert [(one.text, one.score) for one in read.advantages] == [("文化", 30)]
    assert [(one.path, one.found, one.taken) for one in read.assumptions] == [("3", "50〜60%", "–")]


def test_a_table_of_two_columns_needs_no_outer_bars_and_prose_may_hold_one() -> None:
    text = "優位性 | 評価\n--- | ---\n密度 | 70%\n\n## 文化\n\nまあ納得（50%）| 理由\n"
    assert [(one.text, one.score) for one in read_human_markdown(text, "h.md").advantages] == [("密度", 70), ("文化", 50)]


def test_a_heading_may_end_in_its_score_and_a_figure_inside_it_is_none() -> None:
    text = "### 2. シェア40%の維持（納得度: 70%）\n\n理由\n\n### シェア40%\n\n理由\n"
    assert [(one.number, one.text, one.score) for one in read_human_markdown(text, "h.md").advantages] == [
        (2, "シェア40%の維持", 70)
    ]


def test_a_claim_in_the_table_and_under_a_heading_counts_once_if_the_score_is_the_same() -> None:
    text = "| 優位性 | 評価 |\n|---|---|\n| 密度 | 70% |\n| 文化 | 30% |\n\n## 密度\n\n70%\n\n## 文化\n\n50%\n"
    assert [(one.text, one.score) for one in read_human_markdown(text, "h.md").advantages] == [
        ("密度", 70),
        ("文化", 30),
        ("文化", 50),
    ]


def test_the_column_of_the_ai_is_not_taken_for_the_person_s() -> None:
    text = "| # | 優位性 | AI確信度 | 納得度 |\n|---|---|---|---|\n| 4 | 店舗網 | 90% | 30% |\n"
    (found,) = read_human_markdown(text, "x.md").advantages
    assert (found.number, found.score) == (4, 30)


@pytest.mark.parametrize("change", [lambda text: text.replace("\n", "\r\n"), lambda text: "\ufeff" + text])
def test_line_ends_and_a_byte_order_mark_change_nothing(change: object) -> None:
    assert callable(change)
    for text in (TABLE, HEADINGS):
        assert read_human_markdown(change(text), "x.md") == read_human_markdown(text, "x.md")


@pytest.mark.parametrize("text", ["", "# 評価\n\n良い会社です。\n", "| 優位性 | 評価 |\n|---|---|\n| 店舗網 | 未記入 |\n"])
def test_a_file_without_scores_is_refused(text: str) -> None:
    with pytest.raises(InvalidInput) as refusal:
        read_human(text.encode(), "x.md", "ZZQX")
    assert refusal.value.code == "human_no_scores"


def test_a_score_above_100_is_refused_with_its_line() -> None:
    with pytest.raises(InvalidInput) as refusal:
        read_human("## 1. 店舗網\n\n納得度: 120%\n".encode(), "x.md", "ZZQX")
    assert (refusal.value.code, refusal.value.params["line"]) == ("human_score_off_scale", 3)


@pytest.mark.parametrize(
    ("data", "name"),
    [
        (TABLE.encode(), "phase1_ABC_phase2.md"),
        (
            b'{"schema_version": "1", "ticker": "ABC", "source": "", "advantages": [], "connections": [],'
            b' "knowledge_candidates": [],'
            b' "overall": {"agreement": null, "best_claim": null, "worst_claim": null, "impression": "", "strangest_point": ""},'
            b' "unusable": []}',
            "human-evaluation.json",
        ),
    ],
)
def test_the_evaluation_of_another_ticker_is_refused(data: bytes, name: str) -> None:
    with pytest.raises(InvalidInput) as refusal:
        read_human(data, name, "ZZQX")
    assert refusal.value.code == "human_other_ticker"


def test_bytes_that_are_no_text_are_refused() -> None:
    with pytest.raises(InvalidInput) as refusal:
        read_human(b"\xff\xfe", "x.md", "ZZQX")
    assert refusal.value.code == "report_not_utf8"


def test_json_that_does_not_fit_the_schema_is_refused_with_its_path() -> None:
    with pytest.raises(InvalidInput) as refusal:
        read_human(b'{"schema_version": "1"}', "x.json", "ZZQX")
    assert refusal.value.code == "report_field_missing"


@given(st.text(alphabet="|#>-＞ \n１1０0%％()（）納得度まあ却下優位性評価CAGR<br>`", max_size=80))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        found = read_human_markdown(text, "x.md")
    except InvalidInput as refusal:
        assert refusal.code in ("human_no_scores", "human_score_off_scale")
    else:
        assert all(0 <= one.score <= 100 for one in (*found.advantages, *found.connections))
