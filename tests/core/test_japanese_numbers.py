"""Figures as Japanese text writes them."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lyra.core.japanese_numbers import Figure, in_kanji, parse_number, read_figures, spellings


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("23", 23),
        ("１２３", 123),
        ("1,234,567", 1_234_567),
        ("3.5", Fraction(7, 2)),
        ("二十三万", 230_000),
        ("23万", 230_000),
        ("千二百", 1200),
        ("一万六千", 16_000),
        ("1万6千", 16_000),
        ("1億2千万", 120_000_000),
        ("1.5億", 150_000_000),
        ("2兆3,456億", 2_345_600_000_000),
        ("二〇二四", 2024),
        ("二三万", 230_000),
        ("壱拾弐", 12),
        ("〇", 0),
    ],
)
def test_a_number_is_read_in_digits_kanji_and_both(text: str, value: int) -> None:
    assert parse_number(text) == value


@pytest.mark.parametrize(
    "text", ["", "万", "億万", "二百三百", "三万二億", "十千", "1,23", "3.", "abc", "二十三 万", "9999999京"]
)
def test_what_is_no_well_formed_number_is_none(text: str) -> None:
    assert parse_number(text) is None


def meanings(text: str) -> list[tuple[str, Fraction, str, bool]]:
    return [(figure.kind, figure.value, figure.counter, figure.about) for figure in read_figures(text)]


@pytest.mark.parametrize(
    ("text", "kind", "value", "counter", "about"),
    [
        ("令和6年", "year", 2024, "", False),
        ("令和元年", "year", 2019, "", False),
        ("R6年度", "year", 2024, "", False),
        ("平成三十一年", "year", 2019, "", False),
        ("昭和39（1964）年", "year", 1964, "", False),
        ("明治5年", "year", 1872, "", False),
        ("２０２４年", "year", 2024, "", False),
        ("一九四六年", "year", 1946, "", False),
        ("約2割", "share", 20, "", True),
        ("二割五分", "share", 25, "", False),
        ("20％ほど", "share", 20, "", True),
        ("12.5パーセント", "share", Fraction(25, 2), "", False),
        ("3分の1", "share", Fraction(100, 3), "", False),
        ("四分の三", "share", 75, "", False),
        ("3兆円", "amount", 3 * 10**12, "円", False),
        ("二十三万人", "amount", 230_000, "人", False),
        ("472万トン", "amount", 4_720_000, "トン", False),
        ("2000年前", "amount", 2000, "年", False),
        ("17年ぶり", "amount", 17, "年", False),
        ("1980年代", "amount", 1980, "", False),
        ("週休三日", "amount", 3, "日", False),
        ("3 か月程度", "amount", 3, "か月", True),
    ],
)
def test_a_figure_is_understood(text: str, kind: str, value: int, counter: str, about: bool) -> None:
    assert meanings(text) == [(kind, Fraction(value), counter, about)]


@pytest.mark.parametrize(
    "text", ["千葉県", "一般の人", "四国", "十分な量", "三割り増し", "割合", "昭和65年", "大正0年", "0分の1", "万年筆"]
)
def test_words_and_impossible_figures_are_none(text: str) -> None:
    assert read_figures(text) == []


def test_figures_stand_in_order_with_their_places() -> None:
    text = "令和６年1月に約2割の23万人が、3兆円を受け取った。"
    figures = read_figures(text)
    assert [text[figure.start : figure.end] for figure in figures] == ["令和６年", "1月", "約2割", "23万人", "3兆円"]


@pytest.mark.parametrize(
    ("text", "others"),
    [
        ("2024年", {"令和6年", "令和六年", "二〇二四年"}),
        ("2019年", {"平成31年", "令和元年", "令和1年"}),
        ("昭和21年", {"1946年", "一九四六年"}),
        ("23万人", {"230,000人", "230000人", "二十三万人"}),
        ("16000円", {"1万6千円", "1万6000円", "一万六千円", "1.6万円"}),
        ("1億5千万円", {"1.5億円", "1億5000万円", "一億五千万円", "150,000,000円"}),
        ("2割", {"20%", "20パーセント", "二割"}),
        ("25%", {"2割5分", "二割五分"}),
        ("3分の1", {"三分の一"}),
        ("三日", {"3日"}),
        ("3カ月", {"3か月", "3ヶ月", "三か月"}),
    ],
)
def test_the_other_spellings_of_a_figure(text: str, others: set[str]) -> None:
    (figure,) = read_figures(text)
    assert others <= set(spellings(figure))


@given(st.integers(0, 10**20 - 1))
def test_a_number_written_in_kanji_reads_as_itself(number: int) -> None:
    assert parse_number(in_kanji(number)) == number


@given(
    st.builds(
        Figure, st.just(0), st.just(0), st.just("amount"), st.integers(1, 10**16).map(Fraction), st.sampled_from(["円", "人"])
    )
    | st.builds(Figure, st.just(0), st.just(0), st.just("year"), st.integers(1600, 2099).map(Fraction))
    | st.builds(Figure, st.just(0), st.just(0), st.just("share"), st.fractions(0, 100, max_denominator=40))
)
def test_every_spelling_means_the_same(figure: Figure) -> None:
    for spelling in spellings(figure):
        assert [(read.kind, read.value, read.counter) for read in read_figures(spelling)] == [
            (figure.kind, figure.value, figure.counter)
        ]


@given(st.text() | st.text(alphabet="〇一二十百千万億兆年割分の約令和元0159,.％%R円人 "))
def test_every_text_can_be_read_and_figures_never_overlap(text: str) -> None:
    end = 0
    for figure in read_figures(text):
        assert end <= figure.start < figure.end <= len(text)
        assert figure.value >= 0
        assert spellings(figure) or figure.value.denominator > 1
        end = figure.end


@pytest.mark.parametrize("text", ["0" * 5_000 + "人", "1万" * 2_000, "9," * 3_000])
def test_a_run_of_many_digits_is_no_number_and_takes_no_time(text: str) -> None:
    assert not any(figure.end - figure.start > 100 for figure in read_figures(text))
