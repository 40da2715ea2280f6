"""Reports as they really come: other line ends, folded parts, sections missing or swapped. The rest stays byte for byte."""

import re
from collections.abc import Callable

import pytest

from lyra.reports.builder import build_report
from lyra.reports.document import parse, split_cells
from lyra.reports.reading import structured_from
from lyra.reports.verifying import Request, Verified, verify_report
from lyra.reports.writing import structured_json
from tests.reports.breaking import BY_CHECK, KNOWLEDGE, TIME, again, broken, detected, sound
from tests.reports.examples import Json, consistent

VALUE = sound()
TEXT = build_report(structured_from(VALUE).structured, KNOWLEDGE)


REQUEST = Request(KNOWLEDGE, TIME)


def verified(text: str, value: Json = VALUE) -> Verified:
    return verify_report(structured_from(value), text, REQUEST)


FENCE = """
```markdown
### #2: 偽の見出し

#### AI評価: かなり納得（90%）

| # | 優位性 | AI確信度 |
|---|---|---|
| 1 | x | 90% |
```
"""
NESTED = """
<details>
<summary>古い版</summary>

<details>

### #2: 古い見出し

#### AI評価: 却下（10%）

</details>

## CAGR接続サマリー

</details>
"""


def after_heading(extra: str) -> Callable[[str], str]:
    return lambda text: text.replace("### #2:", f"{extra}\n### #2:", 1)


ODD: dict[str, Callable[[str], str]] = {
    "carriage returns": lambda text: text.replace("\n", "\r\n"),
    "mixed line ends": lambda text: text.replace("\n\n", "\r\n\n", 9),
    "lone carriage return": lambda text: text.replace("平均納期は", "平均\r納期は"),
    "byte order mark": lambda text: "\ufeff" + text,
    "both": lambda text: "\ufeff" + text.replace("\n", "\r\n"),
    "line separator": lambda text: text.replace("平均納期は", "平均\u2028納期\u2029は\x0b\x0c\x85"),
    "emoji": lambda text: text.replace("平均納期は", "平均😀👨‍👩‍👧納期は"),
    "full-width digits": lambda text: text.replace("（50%）", "（５０％）").replace("| 60% |", "| ６０％ |"),
    "escaped pipe": lambda text: text.replace("客数の実績がある。", "客数\\|単価の実績が `a \\| b` ある。"),
    "fence": after_heading(FENCE),
    "tilde fence": after_heading(FENCE.replace("```", "~~~~")),
    "details": after_heading(NESTED),
    "comment": after_heading("\n<!--\n### #2: 見えない見出し\n<details>\n-->\n"),
    "quoted heading": after_heading("\n> ### #2: 引用\n> #### AI評価: 却下（10%）\n"),
    "no last line break": lambda text: text.rstrip("\n"),
    "trailing spaces": lambda text: re.sub(r"(?m)\|$", "|   ", text),
    "no outer pipes": lambda text: re.sub(r"(?m)^\| (\d .*) \|$", r"\1", text),
    "setext and extra prose": lambda text: text.replace("## 警鐘事項", "補足\n----\n\n文章。\n\n## 警鐘事項"),
    "swapped": lambda text: re.sub(r"(?s)(## CAGR接続サマリー.*?)(## 警鐘事項.*?)(?=## 全体)", r"\2\1", text),
    "marked-up ranks": lambda text: re.sub(r"AI評価: (\S+?)（(\d+)%）", r"**AI評価**: **\1（\2%）**", text),
    "underlined ranks": lambda text: re.sub(r"AI評価: (\S+?)（(\d+)%）", r"AI評価: <u>\1</u>（**\2**%）", text),
    "marked-up values": lambda text: re.sub(r"(?m)^(\| \d+ \| .*?\| )(\d+)% \|", r"\1**\2**% |", text),
    "defined links": lambda text: text.replace("### #1: ", "### [#1][a]: ") + "\n[a]: https://example.org\n[⚠️ T8修正]: x\n",
    "filled in": lambda text: text.replace("回答:\n", "回答: 他社にも当てはまる | 10% #3\n").replace("□ はい", "☑ はい"),
    "no feedback form": lambda text: re.sub(r"(?s)## 全体フィードバック.*?(?=<details>)", "", text),
}


@pytest.mark.parametrize("name", ODD)
def test_an_odd_text_that_says_the_same_is_left_alone(name: str) -> None:
    text = ODD[name](TEXT)
    assert text != TEXT
    result = verified(text)
    assert detected(result) == set()
    assert result.report == text


@pytest.mark.parametrize("name", ODD)
def test_in_an_odd_text_only_the_defect_changes(name: str) -> None:
    text = ODD[name](TEXT)
    wrong = re.sub(r"(### #3:(?:.|\n)*?)#### [^\n\r]*まあ納得[^\n\r]*", r"\1#### AI評価: かなり納得（90%）", text, count=1)
    start = wrong.index("かなり納得（90%）", wrong.index("### #3:"))
    result = verified(wrong)
    assert detected(result) == {"A-2"}
    assert result.report[:start] == wrong[:start]
    assert result.report[start:].startswith("まあ納得（50%）")
    assert result.report[start:].removeprefix("まあ納得（50%）") == wrong[start:].removeprefix("かなり納得（90%）")


@pytest.mark.parametrize("name", ["carriage returns", "both", "mixed line ends"])
def test_lines_that_are_added_end_as_the_others_do(name: str) -> None:
    text = ODD[name](TEXT)
    without = re.sub(r"\| C12 \|[^\n]*\n", "", text)
    result = verified(without)
    assert detected(result) == {"A-1"}
    assert detected(again(result)) == set()
    if name != "mixed line ends":
        assert result.report == text


MISSING = {
    "summary": (r"(?s)## 評価サマリー.*?(?=---\n\n### #1)", {"A-1", "A-2", "A-5"}),
    "summary table": (r"(?s)(?<=## 評価サマリー\n\n).*?(?=### 確信度分布)", {"A-1"}),
    "distribution": (r"(?s)### 確信度分布.*?(?=### ファクト)", {"A-2"}),
    "fact checks": (r"(?s)### ファクトチェック結果サマリー.*?(?=---)", {"A-5"}),
    "all claims": (r"(?s)---\n\n### #1.*?(?=## CAGR接続サマリー)", {"A-1"}),
    "cagr": (r"(?s)## CAGR接続サマリー.*?(?=## 警鐘)", {"A-1"}),
    "cagr table": (r"(?s)(?<=### 構造的 vs 補完的の区分\n\n).*?(?=### CAGR接続の全体)", {"A-1"}),
    "warnings": (r"(?s)## 警鐘事項.*?(?=## 全体)", set[str]()),
    "header": (r"(?s)\| 項目.*?(?=> \*\*読み方)", {"A-1"}),
    "everything after the claims": (r"(?s)## CAGR接続サマリー.*$", {"A-1"}),
}


@pytest.mark.parametrize("name", MISSING)
def test_a_missing_section_is_made_where_a_check_needs_it(name: str) -> None:
    pattern, expected = MISSING[name]
    text = re.sub(pattern, "", TEXT, count=1)
    assert text != TEXT
    result = verified(text)
    assert detected(result) == expected
    second = again(result)
    assert (detected(second), second.report, result.corrected.remaining) == (set(), result.report, ())
    kept = iter(result.report.split("\n"))
    assert all(line in kept for line in text.split("\n")), "a line of the report went"


def test_a_report_with_fifteen_claims_and_all_sections_gone_is_made_whole() -> None:
    value = sound(15)
    whole = build_report(structured_from(value).structured, KNOWLEDGE)
    bare = whole.split("## 評価サマリー")[0]
    result = verified(bare, value)
    assert detected(result) == {"A-1", "A-2", "A-5"}
    assert detected(again(result)) == set()
    assert result.corrected.remaining == ()
    shown = [int(number) for number in re.findall(r"(?m)^### #(\d+):", result.report)]
    assert shown == list(range(1, 16))


def test_claims_come_back_in_the_order_of_their_ids() -> None:
    value = consistent()
    whole = build_report(structured_from(value).structured, KNOWLEDGE)
    for gone in ([1], [5], [2, 3], [1, 2, 4, 5], [3, 5]):
        text = whole
        for number in gone:
            text = re.sub(rf"(?s)### #{number}: .*?\n---\n\n\*\*納得度.*?\n---\n\n", "", text, count=1)
        result = verified(text, value)
        assert result.report == whole, gone


@pytest.mark.parametrize(
    "row", ["| a | b |", "a | b", "|a|b", "a\\|c | b |", "| `x\\|y` | \\| |  ", "||a|", "| a |\u3000b\u3000|"]
)
def test_cells_are_where_the_parser_sees_them(row: str) -> None:
    columns = len(split_cells(row))
    text = f"{'|h' * columns}|\n{'|-' * columns}|\n{row}\n"
    (table,) = parse(text).blocks
    assert [text[cell.start : cell.end].replace("\\|", "|").strip("` \u3000") for cell in table.rows[1].cells] == [
        cell.text.strip("` \u3000") for cell in table.rows[1].cells
    ]


def test_an_unclosed_fold_hides_nothing() -> None:
    assert detected(verified(TEXT.replace("### #2:", "<details>\n\n### #2:").replace("</details>", ""))) == set()


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("#### AI評価: まあ納得（50%）", "#### AI評価: **かなり納得（90%）**", "#### AI評価: まあ納得（50%）"),
        ("#### AI評価: まあ納得（50%）", "#### AI評価: まあ納得（1050%）", "#### AI評価: まあ納得（50%）"),
        ("| 50% |", "| **70**% |", "| 50% |"),
        ("| 50% |", "| 1050% |", "| 50% |"),
        ("| 50% |", "| 0.50% |", "| 50% |"),
        ("| 50% |", '| <b title="50%">70%</b> |', "| 50% |"),
    ],
)
def test_a_value_is_judged_as_it_is_seen_and_no_mark_is_left_half(before: str, after: str, expected: str) -> None:
    assert before in TEXT
    result = verified(TEXT.replace(before, after, 1))
    assert detected(result) == {"A-2"}
    assert result.report == TEXT.replace(before, expected, 1)


def test_a_fact_with_a_defined_link_in_it_is_named() -> None:
    report = broken((BY_CHECK["B-7"], 2))
    fact = report.verified().report.replace("ファクトチェック**: contra", "[ファクトチェック][a]**: contra")
    reading = structured_from(structured_json(report.verified().structured))
    assert detected(verify_report(reading, f"{fact}\n[a]: x\n", REQUEST)) == set()


def test_an_annotation_is_never_a_link() -> None:
    report = broken((BY_CHECK["C-2"], 2))
    first = verify_report(report.reading, f"{report.text}\n[⚠️ T8修正]: https://example.org\n", REQUEST)
    assert detected(first) == {"C-2"}
    assert detected(again(first)) == set()
