"""A filled-in report, read back."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lyra.core.errors import InvalidInput
from lyra.reports import phrases
from lyra.reports.feedback import feedback_json, read_feedback
from lyra.reports.human_reading import read_human
from lyra.reports.json_text import write_json_text
from lyra.reports.validation import problems

CHOICES = "10% / 30% / 50% / 70% / 90%"


def section(number: int, marked: str, form: str = phrases.CONVICTION_FORM) -> str:
    return f"### #{number}: 主張{number}\n\n#### AI評価: まあ納得（50%）\n\n売上は70%増。\n\n{form.replace(CHOICES, marked)}\n\n"


def report(*sections: str, overall: str = phrases.OVERALL_FORM) -> str:
    return "# ZZQX 競争優位性評価レポート\n\n## 評価サマリー\n\n" + "".join(sections) + overall


def score(marked: str) -> int | None:
    return read_feedback(report(section(1, marked), section(2, "○10%")), "x.md").claims[0].score


@pytest.mark.parametrize(
    ("marked", "value"),
    [
        ("10% / 30% / 50% / ○70% / 90%", 70),
        ("10% / 30% / 50% / (70%) / 90%", 70),
        ("10% / 30% / 50% / **70%** / 90%", 70),
        ("[ ] 10% / [ ] 30% / [ ] 50% / [x] 70% / [ ] 90%", 70),
        ("□10% / □30% / □50% / ☑70% / □90%", 70),
        ("□10% □30% □50% ■70% □90%", 70),
        ("10% / 30% / 50% / 70%○ / 90%", 70),
        ("10% / 30% / 50% / 70% / 90% ○", 90),
        ("１０％／３０％／（５０％）／７０％／９０％", 50),
        ("65%", 65),
        ("10% / 30% / 50% / 70% / 90% 65%", 65),
        ("10%・30%・50%・○70%・90%", 70),
        ("10% / 30% / 50% / *70%* / 90%", 70),
        ("10% / 30% / 50% / __70%__ / 90%", 70),
        ("10% / 30% / ✔️50% / 70% / 90%", 50),
        ("~~10%~~ / ~~30%~~ / 50% / ~~70%~~ / ~~90%~~", 50),
        ("10% / 30% / 50% / 70% / 90% → 70%", 70),
        ("0%", 0),
        (CHOICES, None),
        ("", None),
    ],
)
def test_a_conviction_mark_is_read(marked: str, value: int | None) -> None:
    assert score(marked) == value


@pytest.mark.parametrize(
    ("marked", "code"), [("○10% / ○30%", "several_scores"), ("60〜70%", "several_scores"), ("○120%", "off_scale")]
)
def test_a_mark_that_cannot_be_used_is_a_problem_and_no_score(marked: str, code: str) -> None:
    found = read_feedback(report(section(1, marked)), "x.md")
    assert found.claims[0].score is None
    assert [problem.code for problem in found.problems] == [code]


def test_answers_boxes_and_notes_are_read_and_make_candidates() -> None:
    form = phrases.CONVICTION_FORM.replace("回答:\n", "回答: 比較が足りない。\n二行目\n").replace("□ はい", "☑ はい")
    form = form.replace("**補足（任意）:**\n", "**補足（任意）:**\n競合二社を見る\n")
    found = read_feedback(report(section(1, "○30%", form), section(2, CHOICES)), "x.md")
    first, second = found.claims
    assert (first.answer, first.applies_elsewhere, first.note) == ("比較が足りない。\n二行目", "yes", "競合二社を見る")
    assert not second.is_filled
    assert [claim.number for claim in found.candidates] == [1]


@pytest.mark.parametrize(
    "answer",
    [
        "補足資料が足りない。",
        "納得度が上がる材料はない。",
        "レポート全体として弱い。",
        "この指摘は他の銘柄にも言える。",
        "全体的な印象は良い。",
        "```\n回答: 例\n---\n```",
    ],
)
def test_an_answer_that_begins_like_a_label_is_an_answer(answer: str) -> None:
    form = phrases.CONVICTION_FORM.replace("回答:\n", f"回答:\n一行目\n{answer}\n")
    found = read_feedback(report(section(1, "○70%", form)), "x.md").claims[0]
    assert (found.score, found.answer, found.note) == (70, f"一行目\n{answer}", "")


@pytest.mark.parametrize("box", ["☑", "☑\ufe0f", "✔\ufe0f", "■", "[x]", "- [X]", "✅"])
def test_a_ticked_box_is_read_however_it_is_typed(box: str) -> None:
    form = phrases.CONVICTION_FORM.replace("□ はい", f"{box} はい")
    assert read_feedback(report(section(1, "", form)), "x.md").claims[0].applies_elsewhere == "yes"


def test_two_boxes_that_exclude_each_other_are_a_problem() -> None:
    form = phrases.CONVICTION_FORM.replace("□ はい", "☑ はい").replace("□ いいえ", "■ いいえ")
    found = read_feedback(report(section(1, "○30%", form)), "x.md")
    assert found.claims[0].applies_elsewhere is None
    assert [problem.code for problem in found.problems] == ["several_boxes"]


def test_the_form_on_the_whole_report_is_read() -> None:
    overall = phrases.OVERALL_FORM.replace("□ 部分的", "[x] 部分的").replace(
        "良かった主張の番号:**  #___", "良かった主張の番号:**  #３"
    )
    found = read_feedback(report(section(1, CHOICES), overall=overall + "長すぎる。\n"), "x.md").overall
    assert (found.agreement, found.best_claim, found.worst_claim, found.strangest_point) == ("partly", 3, None, "長すぎる。")


def test_the_metadata_below_the_form_are_no_answer() -> None:
    text = report(section(1, "○10%")) + "\n<details>\n<summary>メタデータ・技術情報</summary>\n\n- 値\n\n</details>\n"
    assert not read_feedback(text, "x.md").overall.is_filled


def test_the_feedback_is_valid_json_that_accuracy_reads() -> None:
    found = read_feedback(report(section(1, "○30%"), section(2, CHOICES), section(3, "(70%)")), "x.md")
    written = feedback_json(found, "x.md")
    assert problems(written, "human-evaluation") == []
    scores = read_human(write_json_text(written).encode(), "human-evaluation.json", "ZZQX")
    assert [(one.number, one.text, one.score) for one in scores.advantages] == [(1, "主張1", 30), (3, "主張3", 70)]
    assert scores.connections == ()


def test_a_fenced_form_is_an_example_and_not_a_form() -> None:
    text = report("```\n" + section(9, "○90%") + "```\n\n", section(1, "○10%"))
    assert [claim.number for claim in read_feedback(text, "x.md").claims] == [1]


def test_a_report_in_another_encoding_of_lines_reads_the_same() -> None:
    text = report(section(1, "○10%"))
    assert read_feedback("\ufeff" + text.replace("\n", "\r\n"), "x") == read_feedback(text, "x")


@pytest.mark.parametrize(
    ("text", "code"), [("ただの文", "feedback_not_a_report"), (report(section(1, CHOICES)), "feedback_nothing_filled_in")]
)
def test_what_is_no_report_or_not_filled_in_is_refused(text: str, code: str) -> None:
    with pytest.raises(InvalidInput) as refusal:
        read_feedback(text, "x.md")
    assert refusal.value.code == code


@given(st.text(alphabet="#: \n納得度回答補足○□☑10357 9%/*()[]x←はい", max_size=60))
def test_any_form_is_read(text: str) -> None:
    found = read_feedback(report(section(1, "○10%"), f"### #2: x\n\n**納得度:** {text}\n\n"), "x.md")
    assert problems(feedback_json(found, "x.md"), "human-evaluation") == []
