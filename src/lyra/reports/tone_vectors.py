"""What a comment means, as vectors: a small sentence encoder in NumPy, and how near a text is to labelled comments.

The encoder is the multilingual Universal Sentence Encoder (version 3, Apache-2.0), cut to Japanese pieces and stored in four
and eight bits; `training/tone_encoder.py` makes it. A comment is seen in two views: the whole, and what its last
sentence ends on (after 「…が、」). Each is compared with the same view of the comments that were learned from.
The file is known by size and SHA-256.
"""

from __future__ import annotations

import hashlib
import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, Any

from lyra.core.errors import ModelError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[Any]

FILE = "tone_vectors.npz"
UNKNOWN, FIRST, LAST = 0, 1, 2
# The order of each convolution, and how far it reaches to the left.
ORDERS = ((2, 0), (3, 1), (5, 2))
SPREAD, WEIGHT = 0.5, 20.0
LONGEST_TEXT = 2_000
_SPACE = "▁"
_UNKNOWN_COST = 10.0


@dataclass(frozen=True, slots=True)
class Encoder:
    """Pieces with their costs, the table in four bits, and the matrices of the network as numbers."""

    pieces: Mapping[str, int]
    costs: Sequence[float]
    longest: int
    table: Array
    low: Array
    step: Array
    weights: Mapping[str, Array]


@dataclass(frozen=True, slots=True)
class Neighbours:
    """The labelled comments as short vectors by view, and the share of each in the scores of the four tones."""

    centre: Array
    axes: Array
    views: Array
    shares: Array


def checked(data: bytes, size: int, digest: str, path: object) -> bytes:
    """Return the bytes of the file. Raises ModelError `weights_damaged` where they are not those that were shipped."""
    if len(data) != size or hashlib.sha256(data).hexdigest() != digest:
        raise ModelError("weights_damaged", file=path)
    return data


@cache
def shipped(size: int, digest: str) -> tuple[Encoder, Neighbours]:
    """Return encoder and neighbours of the package. Raises ModelError `weights_missing` or `weights_damaged`."""
    path = resources.files("lyra.reports") / FILE
    try:
        data = path.read_bytes()
    except OSError as error:
        raise ModelError("weights_missing", file=path) from error
    arrays = arrays_of(checked(data, size, digest, path))
    return encoder_of(arrays), Neighbours(
        arrays["centre"], arrays["axes"].astype("f4"), arrays["views"] * arrays["views_step"], arrays["shares"]
    )


def arrays_of(data: bytes) -> dict[str, Array]:
    """Return the arrays of a file that was checked."""
    import numpy as np  # noqa: PLC0415 - only a comment in Japanese needs it

    with np.load(io.BytesIO(data), allow_pickle=False) as archive:
        return {name: archive[name] for name in archive.files}


def encoder_of(arrays: Mapping[str, Array]) -> Encoder:
    """Return the encoder in the arrays of the file: the table stays in four bits, the matrices become numbers."""
    names = bytes(arrays["pieces"]).decode().split("\n")
    weights = {
        name: (value * arrays[f"step_{name}"]).astype("f4") if value.dtype == "int8" else value.astype("f4")
        for name, value in arrays.items()
        if f"step_{name}" in arrays or name.startswith(("b_", "g_"))
    }
    pieces = {name: number for number, name in enumerate(names)}
    table = arrays["table"], arrays["table_low"], arrays["table_step"]
    return Encoder(pieces, arrays["costs"].tolist(), max(map(len, names)), *table, weights)


def segmented(encoder: Encoder, text: str) -> list[int]:
    """Return the pieces of a text by number: the cheapest way to cut it, each unknown letter for itself."""
    line = _SPACE + _SPACE.join(text.lower().split())
    lowest = min(encoder.costs) - _UNKNOWN_COST
    best, came = [0.0] + [float("-inf")] * len(line), [(0, UNKNOWN)] * (len(line) + 1)
    for start in range(len(line)):
        for end in range(start + 1, min(start + encoder.longest, len(line)) + 1):
            number = encoder.pieces.get(line[start:end], UNKNOWN if end == start + 1 else -1)
            if number < 0:
                continue
            value = best[start] + (encoder.costs[number] if number else lowest)
            if value > best[end]:
                best[end], came[end] = value, (start, number)
    found, place = [], len(line)
    while place:
        place, number = came[place]
        found.append(number)
    return [FIRST, *reversed(found), LAST]


def encoded(encoder: Encoder, text: str) -> Array:
    """Return the vector of a text, of length one."""
    import numpy as np  # noqa: PLC0415 - as above

    numbers = np.array(segmented(encoder, text[:LONGEST_TEXT]))
    halves = encoder.table[numbers]
    levels = np.stack([halves >> 4, halves & 15], -1).reshape(len(numbers), -1)
    rows = levels * encoder.step[numbers].astype("f4") + encoder.low[numbers].astype("f4")
    of = encoder.weights
    parts = [rows]
    for order, left in ORDERS:
        x = normed(rows @ of[f"proj{order}"] + of[f"b_proj{order}"], of[f"g_ln{order}"], of[f"b_ln{order}"])
        for step in ("1", "2"):
            padded = np.pad(x, ((left, order - 1 - left), (0, 0)))
            windows = np.concatenate([padded[place : place + len(x)] for place in range(order)], -1)
            x = np.maximum(windows @ of[f"w{step}_{order}"] + of[f"b_{step}_{order}"], 0) + x
        parts.append(x)
    tokens = normed(np.concatenate(parts, -1), of["g_ln"], of["b_ln"])
    mean = (tokens.sum(0) @ of["cnn"] + len(tokens) * of["b_cnn"]) / np.sqrt(np.float32(len(tokens)))
    first = np.maximum(mean @ of["p1"] + np.maximum(mean @ of["d0"], 0) @ of["d1"], 0)
    last = np.tanh(first @ of["p3"] + np.maximum(first @ of["d2"], 0) @ of["d3"])
    return np.asarray(last / np.sqrt(max(float(last @ last), 1e-12)))


def normed(x: Array, gain: Array, shift: Array) -> Array:
    """Return rows with mean zero and spread one, then stretched and shifted."""
    import numpy as np  # noqa: PLC0415 - as above

    x = x - x.mean(-1, keepdims=True)
    return np.asarray(x / np.sqrt((x * x).mean(-1, keepdims=True) + 1e-12) * gain + shift)


def nearness(near: Neighbours, vectors: Sequence[Array]) -> Array:
    """Return how near each view of a comment is to the same view of every labelled one, summed over the views."""
    import numpy as np  # noqa: PLC0415 - as above

    short = np.stack([(vector - near.centre) @ near.axes for vector in vectors])
    apart = ((near.views - short) ** 2).sum(-1)
    return np.asarray(np.exp(-SPREAD * apart.astype("f8")).sum(1))


def told_by_vectors(size: int, digest: str, views: Sequence[str]) -> tuple[float, ...]:
    """Return what the neighbours of a comment in its views add to the scores of the four tones."""
    encoder, near = shipped(size, digest)
    vectors = {text: encoded(encoder, text) for text in dict.fromkeys(views)}
    told = WEIGHT * (nearness(near, [vectors[text] for text in views]) @ near.shares)
    return tuple(round(float(value), 6) for value in told)
