"""Publication dates keep their precision."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lyra.providers.dates import find_date, parse_date


@pytest.mark.parametrize(
    ("written", "date"),
    [
        ("2021", "2021"),
        ("2021-03", "2021-03"),
        ("2021-03-05", "2021-03-05"),
        ("2021/3/5", "2021-03-05"),
        ("2021.03.05", "2021-03-05"),
        ("2021-03-05T10:00:00+09:00", "2021-03-05"),
        ("5 March 2021", "2021-03-05"),
        ("March 5, 2021", "2021-03-05"),
        ("Mar. 5th, 2021", "2021-03-05"),
        ("March 2021", "2021-03"),
        ("2021 Mar 5", "2021-03-05"),
        ("Sept 2020", "2020-09"),
        ("2021年3月5日", "2021-03-05"),
        ("２０２１年３月", "2021-03"),
        ("2021年", "2021"),
        ("令和3年3月5日", "2021-03-05"),
        ("令和元年5月", "2019-05"),
        ("平成31年", "2019"),
        ("昭和64年1月7日", "1989-01-07"),
        ("D:20210305101112+09'00'", "2021-03-05"),
    ],
)
def test_a_date_is_read_with_the_precision_it_has(written: str, date: str) -> None:
    assert parse_date(written) == date


@pytest.mark.parametrize(
    "written", ["", "2021-13", "2021-02-30", "03/05/2021", "Spring 2021", "last year", "31 June 2021", "2021-3-", "0", "12"]
)
def test_what_is_no_date_or_not_a_unique_one_gives_none(written: str) -> None:
    assert parse_date(written) is None


@pytest.mark.parametrize(
    ("text", "date"),
    [
        ("Illustrative Reports, March 2021. https://doi.org/10.5555/a.2020.052", "2021-03"),
        ("見本栄養学雑誌 2018年9月 https://doi.org/10.5555/mihon.2018.021", "2018-09"),
        ("Received 5 May 2020, accepted 2 June 2020", None),
        ("Published 5 May 2020 (5 May 2020)", "2020-05-05"),
        ("Between 2017 and 2019", None),
    ],
)
def test_a_date_in_running_text_counts_only_when_it_is_the_only_one(text: str, date: str | None) -> None:
    assert find_date(text) == date


@given(st.text())
def test_no_text_breaks_the_reader_of_dates(text: str) -> None:
    assert parse_date(text) is None or parse_date(str(parse_date(text))) == parse_date(text)
    find_date(text)
