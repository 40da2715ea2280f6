"""Time as text: one form, in UTC, in an order that text comparison keeps."""

from datetime import UTC, datetime, timedelta, timezone

from hypothesis import given
from hypothesis import strategies as st

from lyra.core.times import from_text, to_text

zones = st.integers(-14 * 60, 14 * 60).map(lambda minutes: timezone(timedelta(minutes=minutes)))
moments = st.builds(
    lambda seconds, zone: datetime.fromtimestamp(seconds, UTC).astimezone(zone), st.floats(min_value=-2e9, max_value=7e9), zones
)


def test_a_moment_is_written_in_utc_with_microseconds() -> None:
    tokyo = timezone(timedelta(hours=9))
    assert to_text(datetime(2026, 3, 1, 9, 0, tzinfo=tokyo)) == "2026-03-01T00:00:00.000000Z"


@given(moments)
def test_what_was_written_is_read_back(moment: datetime) -> None:
    assert from_text(to_text(moment)) == moment
    assert from_text(to_text(moment)).utcoffset() == timedelta(0)


@given(moments, moments)
def test_text_order_is_time_order(first: datetime, second: datetime) -> None:
    assert (to_text(first) < to_text(second)) == (first < second)


@given(moments)
def test_every_text_has_the_same_form(moment: datetime) -> None:
    text = to_text(moment)
    assert len(text) == len("2026-03-01T00:00:00.000000Z")
    assert text.endswith("Z")
    assert from_text(text).tzinfo == UTC
