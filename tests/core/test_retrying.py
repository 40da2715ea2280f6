"""How long to wait before asking again."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lyra.core.retrying import LONGEST_PAUSE_SECONDS, pause_before, retry_after

NOW = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ("7", 7.0),
        (" 0 ", 0.0),
        ("1.5", 1.5),
        ("Sun, 01 Mar 2026 12:00:20 GMT", 20.0),
        ("Sun, 01 Mar 2026 11:00:00 GMT", 0.0),
        ("Sun Mar  1 12:00:05 2026", 5.0),
        ("99999999999", 315_360_000.0),
        ("Fri, 31 Dec 9999 23:59:59 GMT", 315_360_000.0),
        ("-3", None),
        ("soon", None),
        ("", None),
        (None, None),
        ("1e400", None),
    ],
)
def test_retry_after_is_read_as_seconds_or_a_date(value: str | None, seconds: float | None) -> None:
    assert retry_after(value, NOW) == seconds


@given(st.text(max_size=40))
def test_no_header_breaks_the_reading(value: str) -> None:
    found = retry_after(value, NOW)
    assert found is None or found >= 0


@given(st.integers(2, 1000), st.floats(0, 0.999))
def test_pauses_grow_with_jitter_up_to_a_limit(attempt: int, chance: float) -> None:
    assert 0.5 <= pause_before(attempt, chance) <= LONGEST_PAUSE_SECONDS
    assert pause_before(2, chance) <= 1.0
