"""Garbage in cycles is looked for again as soon as a block is over, however it ends."""

import gc
from collections.abc import Iterator

import pytest

from lyra.core.collection import without_collection


@pytest.fixture(autouse=True)
def _as_before() -> Iterator[None]:
    enabled = gc.isenabled()
    gc.enable()
    yield
    (gc.enable if enabled else gc.disable)()


def test_the_search_rests_in_the_block_and_goes_on_after_it() -> None:
    with without_collection():
        assert not gc.isenabled()
        with without_collection():
            pass
        assert not gc.isenabled()
    assert gc.isenabled()


def test_the_search_goes_on_after_a_failure() -> None:
    with pytest.raises(ZeroDivisionError), without_collection():
        _ = 1 / 0
    assert gc.isenabled()


def test_a_search_that_was_off_stays_off() -> None:
    gc.disable()
    with without_collection():
        pass
    assert not gc.isenabled()
