"""Cursors that mean one place only, and short lists of evidence that hide no side."""

import base64
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lyra.core.errors import InvalidInput
from lyra.core.paging import ORDERS, Cursor, check_order, choose_evidence, read_cursor, write_cursor
from tests.fakes import evidence

cursors = st.builds(
    Cursor,
    st.just("task_1"),
    st.sampled_from(ORDERS),
    st.integers(0, 2**31 - 1),
    st.none() | st.text(st.characters(codec="ascii", categories=["L", "N"]), max_size=40),
    st.none() | st.booleans(),
)


@given(cursors)
def test_a_cursor_is_read_back_as_it_was(cursor: Cursor) -> None:
    written = write_cursor(cursor)
    assert read_cursor(written, "task_1") == cursor
    assert written.isascii() and " " not in written and "'" not in written


def test_a_cursor_of_another_task_is_refused() -> None:
    with pytest.raises(InvalidInput, match="no cursor of this task"):
        read_cursor(write_cursor(Cursor("task_1", "added", 3)), "task_2")


@given(st.text(max_size=60) | st.binary(max_size=60).map(lambda raw: "c1." + base64.urlsafe_b64encode(raw).decode()))
def test_what_is_no_cursor_is_refused(text: str) -> None:
    with pytest.raises(InvalidInput) as refusal:
        read_cursor(text, "task_1")
    assert refusal.value.code == "bad_cursor"


@pytest.mark.parametrize(
    "fields",
    [
        ["task_1", "nothing", 3, None, None],
        ["task_1", "added", -1, None, None],
        ["task_1", "added", 2**40, None, None],
        ["task_1", "added", True, None, None],
        ["task_1", "added", "3", None, None],
        ["task_1", "added", 3, 4, None],
        ["task_1", "added", 3, None, "yes"],
        ["task_1", "added", 3],
        {"task": "task_1"},
        None,
    ],
)
def test_a_cursor_with_other_content_is_refused(fields: object) -> None:
    text = "c1." + base64.urlsafe_b64encode(json.dumps(fields).encode()).decode().rstrip("=")
    with pytest.raises(InvalidInput) as refusal:
        read_cursor(text, "task_1")
    assert refusal.value.code == "bad_cursor"


def test_an_unknown_order_is_answered_with_the_nearest_and_with_all() -> None:
    with pytest.raises(InvalidInput) as refusal:
        check_order("confidense")
    assert refusal.value.params["nearest"] == "confidence"
    assert all(order in str(refusal.value) for order in ORDERS)


def test_a_short_list_has_the_strongest_of_both_sides_and_keeps_its_order() -> None:
    items = [evidence(f"s{n}", "supports", 0.9 - n / 100) for n in range(5)]
    items += [evidence("r1", "refutes", 0.7), evidence("r2", "refutes", 0.6), evidence("n1", "neutral", 0.99)]
    chosen = [item.edge_id for item in choose_evidence(tuple(items), 3)]
    assert chosen == ["s0", "s1", "r1"]
    assert [item.edge_id for item in choose_evidence(tuple(items), 7)] == ["s0", "s1", "s2", "s3", "s4", "r1", "r2"]
    assert choose_evidence(tuple(items), 0) == ()
    assert choose_evidence(tuple(items), None) == choose_evidence(tuple(items), 8) == tuple(items)
