"""Vectors as int8 with one scale each, and exact search over them. Imported only where vectors are used."""

import tempfile
from collections.abc import Iterable, Iterator
from itertools import islice

import numpy as np
import simsimd
from numpy.typing import NDArray

from lyra.store.database import Row

# A larger index lives in a file that the system maps into memory as it is needed.
MAX_BYTES_IN_MEMORY = 256 * 2**20
_ROWS_AT_ONCE = 4_096
# The first pass compares eight-bit numbers only. So many more than wanted are then compared with the query as it is.
_SPARE_FACTOR, _SPARE = 4, 64


def pack(vectors: NDArray[np.float32]) -> list[tuple[float, bytes]]:
    """Return (scale, int8 bytes) for each vector; a vector is scale times its bytes, to about 0.4 %."""
    scales = np.maximum(np.abs(vectors).max(axis=1), 1e-12) / 127.0
    rounded = np.round(vectors / scales[:, None]).astype(np.int8)
    return [(float(scale), row.tobytes()) for scale, row in zip(scales, rounded, strict=True)]


class VectorIndex:
    """Exact search over int8 vectors, one byte a dimension, in memory up to a bound and beyond it in a temporary file."""

    def __init__(self, rows: Iterable[Row], count: int, max_bytes: int = MAX_BYTES_IN_MEMORY) -> None:
        """Take `count` rows of (fragment number, scale, int8 bytes), in order of the number; they may be a stream."""
        self._seqs = np.empty(count, dtype=np.int64)
        self._scales = np.empty(count, dtype=np.float32)
        self._matrix: NDArray[np.int8] = np.empty((0, 0), dtype=np.int8)
        filled = 0
        stream = iter(rows)
        while batch := list(islice(stream, min(_ROWS_AT_ONCE, count - filled))):
            packed = np.frombuffer(b"".join(_blobs(batch)), dtype=np.int8).reshape(len(batch), -1)
            if not filled:
                self._matrix = _room(count, packed.shape[1], max_bytes)
            part = slice(filled, filled + len(batch))
            self._matrix[part] = packed
            self._seqs[part] = np.array([row[0] for row in batch], dtype=np.int64)
            self._scales[part] = np.array([row[1] for row in batch], dtype=np.float32)
            filled += len(batch)
        self._seqs, self._scales, self._matrix = self._seqs[:filled], self._scales[:filled], self._matrix[:filled]

    def __len__(self) -> int:
        return len(self._seqs)

    def nearest(self, query: NDArray[np.float32], limit: int, also: Iterable[int]) -> dict[int, float]:
        """Return the similarity of the `limit` nearest fragments and of those in `also`, by fragment number."""
        if not len(self._seqs):
            return {}
        candidates = self._candidates(query, _SPARE_FACTOR * limit + _SPARE)
        scores = self._similarities(candidates, query)
        order = np.lexsort((self._seqs[candidates], -scores))[:limit]
        chosen = {int(self._seqs[candidates[i]]): float(scores[i]) for i in order}
        wanted = np.array(sorted(set(also) - chosen.keys()), dtype=np.int64)
        places = np.searchsorted(self._seqs, wanted)
        known = places < len(self._seqs)
        known[known] = self._seqs[places[known]] == wanted[known]
        found = self._similarities(places[known], query)
        return chosen | {int(seq): float(score) for seq, score in zip(wanted[known], found, strict=True)}

    def _candidates(self, query: NDArray[np.float32], count: int) -> NDArray[np.intp]:
        """Return the places of about the nearest: the query is rounded to eight bits, too, so that the pass is fast."""
        if count >= len(self._seqs):
            return np.arange(len(self._seqs))
        ((_, rounded),) = pack(query[None, :])
        products = np.asarray(simsimd.cdist(np.frombuffer(rounded, dtype=np.int8)[None, :], self._matrix, metric="dot"))
        scores = products.ravel() * self._scales
        return np.argpartition(scores, len(scores) - count)[-count:]

    def _similarities(self, places: NDArray[np.intp], query: NDArray[np.float32]) -> NDArray[np.float32]:
        vectors = self._matrix[places].astype(np.float32) * self._scales[places, None]
        return np.asarray(vectors @ query, dtype=np.float32)


def _blobs(rows: Iterable[Row]) -> Iterator[bytes]:
    return (row[2] for row in rows if isinstance(row[2], bytes))


def _room(count: int, dimension: int, max_bytes: int) -> NDArray[np.int8]:
    """Return room for vectors: memory, or a file without a name that is gone with the process."""
    if count * dimension <= max_bytes:
        return np.empty((count, dimension), dtype=np.int8)
    with tempfile.TemporaryFile() as file:
        return np.memmap(file, dtype=np.int8, mode="w+", shape=(count, dimension))
