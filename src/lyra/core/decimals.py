"""Many numbers as text at once. Imported only where numpy is at hand."""

import numpy as np
from numpy.typing import NDArray

PLACE = b"%.6f"
_DIGITS = 6
_ROWS_AT_ONCE = 1_000  # so that the lines, of a hundred bytes or two, stay in the processor's cache
_EMPTY = b"0." + b"0" * _DIGITS
# How far a number times 1e6 may be off after the multiplication, generously: nearer to a half, rounding might go astray.
_DOUBT = 1e-6


def written(template: bytes, values: NDArray[np.float64]) -> list[bytes]:
    """Return, for each row of values, what `template % tuple(row)` gives; the template has `%.6f` places and no other.

    From 0 to 1 all numbers are equally wide, so whole columns of digits can be put into copies of one line.
    """
    three = (np.arange(1_000)[:, None] // (100, 10, 1) % 10 + ord("0")).astype(np.uint8)
    parts = (values[at : at + _ROWS_AT_ONCE] for at in range(0, len(values), _ROWS_AT_ONCE))
    return [line for part in parts for line in _written(template, part, three)]


def _written(template: bytes, values: NDArray[np.float64], three: NDArray[np.uint8]) -> list[bytes]:
    line = np.frombuffer(template.replace(PLACE, _EMPTY), np.uint8)
    fitting = np.clip(values, 0.0, 1.0)
    scaled = fitting * 10.0**_DIGITS
    nearest = np.rint(scaled)
    sure = (np.abs(scaled - nearest) < 0.5 - _DOUBT) & (fitting == values) & ~np.signbit(values)
    rest, last = np.divmod(np.where(sure, nearest, 0.0).astype(np.int32), 1_000)
    ones, first = np.divmod(rest, 1_000)
    left, right = three.take(first, axis=0), three.take(last, axis=0)
    lines = np.tile(line, (len(values), 1))
    at = 0
    for column, text in enumerate(template.split(PLACE)[:-1]):
        at += len(text)
        lines[:, at] += ones[:, column].astype(np.uint8)
        lines[:, at + 2 : at + 5] = left[:, column]
        lines[:, at + 5 : at + 8] = right[:, column]
        at += len(_EMPTY)
    data, width = lines.tobytes(), len(line)
    found = [data[start : start + width] for start in range(0, len(data), width)]
    for row in np.flatnonzero(~sure.all(axis=1)).tolist():
        found[row] = template % tuple(values[row].tolist())
    return found
