"""Vectors as int8 with one scale each, and exact search over them. Imported only where vectors are used."""

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from lyra.store.database import Row


def pack(vectors: NDArray[np.float32]) -> list[tuple[float, bytes]]:
    """Return (scale, int8 bytes) for each vector; a vector is scale times its bytes, to about 0.4 %."""
    scales = np.maximum(np.abs(vectors).max(axis=1), 1e-12) / 127.0
    rounded = np.round(vectors / scales[:, None]).astype(np.int8)
    return [(float(scale), row.tobytes()) for scale, row in zip(scales, rounded, strict=True)]


class VectorIndex:
    """Exact search over int8 vectors held in memory."""

    def __init__(self, rows: Sequence[Row]) -> None:
        """Take rows of (fragment number, scale, int8 bytes)."""
        self._seqs = np.array([row[0] for row in rows], dtype=np.int64)
        scales = np.array([row[1] for row in rows], dtype=np.float32)
        blob = b"".join(bytes(row[2]) for row in rows if isinstance(row[2], bytes))
        packed = np.frombuffer(blob, dtype=np.int8).reshape(len(rows), -1) if rows else np.zeros((0, 0), np.int8)
        # float32 keeps the matrix product in BLAS.
        self._matrix = packed.astype(np.float32) * scales[:, None]
        self._positions = {int(seq): i for i, seq in enumerate(self._seqs)}

    def __len__(self) -> int:
        return len(self._seqs)

    def nearest(self, query: NDArray[np.float32], limit: int, also: Iterable[int]) -> dict[int, float]:
        """Return the similarity of the `limit` nearest fragments and of those in `also`, by fragment number."""
        if not len(self._seqs):
            return {}
        scores = self._matrix @ query
        order = np.lexsort((self._seqs, -scores))[:limit]
        chosen = {int(self._seqs[i]): float(scores[i]) for i in order}
        for seq in also:
            if seq not in chosen and seq in self._positions:
                chosen[seq] = float(scores[self._positions[seq]])
        return chosen
