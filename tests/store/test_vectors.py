"""Exact search over int8 vectors: as near as the vectors themselves say, in memory or in a file."""

import numpy as np
import pytest

from lyra.store.database import Row
from lyra.store.vectors import VectorIndex, pack


def unit_vectors(count: int, dimension: int = 48, seed: int = 1) -> np.ndarray[tuple[int, int], np.dtype[np.float32]]:
    found = np.random.default_rng(seed).standard_normal((count, dimension)).astype(np.float32)
    found /= np.linalg.norm(found, axis=1, keepdims=True)
    return found


def rows_of(vectors: np.ndarray[tuple[int, int], np.dtype[np.float32]]) -> list[Row]:
    return [(10 * number, scale, blob) for number, (scale, blob) in enumerate(pack(vectors), start=1)]


@pytest.mark.parametrize("max_bytes", [2**30, 0])
def test_the_nearest_are_found_in_memory_and_in_a_file(max_bytes: int) -> None:
    vectors = unit_vectors(9_000)
    index = VectorIndex(iter(rows_of(vectors)), 9_000, max_bytes)
    hits = 0
    for query in unit_vectors(10, seed=2):
        truth = {10 * (int(at) + 1) for at in np.argsort(-(vectors @ query))[:50]}
        hits += len(truth & index.nearest(query, 50, ()).keys())
    assert hits / 500 >= 0.98
    assert len(index) == 9_000


def test_similarities_are_those_of_the_packed_vectors_and_best_first() -> None:
    vectors = unit_vectors(500)
    index = VectorIndex(rows_of(vectors), 500)
    found = index.nearest(vectors[7], 20, ())
    assert next(iter(found)) == 80
    assert list(found.values()) == sorted(found.values(), reverse=True)
    for seq, score in found.items():
        assert score == pytest.approx(float(vectors[seq // 10 - 1] @ vectors[7]), abs=0.01)


def test_others_that_are_asked_for_come_too_if_they_are_known() -> None:
    vectors = unit_vectors(300)
    index = VectorIndex(rows_of(vectors), 300)
    found = index.nearest(vectors[0], 5, [3000, 15, 10, 99_999, -1])
    assert {3000, 10} <= found.keys()
    assert not {15, 99_999, -1} & found.keys()
    assert found[3000] == pytest.approx(float(vectors[299] @ vectors[0]), abs=0.01)


def test_equal_vectors_are_ordered_by_number() -> None:
    same = np.repeat(unit_vectors(1), 6, axis=0)
    assert list(VectorIndex(rows_of(same), 6).nearest(same[0], 3, ())) == [10, 20, 30]


def test_an_empty_index_finds_nothing() -> None:
    assert VectorIndex([], 0).nearest(unit_vectors(1)[0], 5, [1]) == {}
    assert len(VectorIndex([], 0)) == 0


def test_fewer_rows_than_announced_are_taken_as_they_are() -> None:
    vectors = unit_vectors(3)
    index = VectorIndex(rows_of(vectors), 10)
    assert len(index) == 3
    assert set(index.nearest(vectors[0], 10, ())) == {10, 20, 30}
