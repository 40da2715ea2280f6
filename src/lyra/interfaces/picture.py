"""Confidence as a line of characters: where the value stands between 0 and 1, and how wide its interval is."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Strokes:
    """The characters of a picture: ends, outside and inside of the interval, the value itself."""

    left: str
    right: str
    outside: str
    inside: str
    value: str


LINES = Strokes("├", "┤", "─", "━", "●")
PLAIN = Strokes("[", "]", ".", "=", "o")


def draw(confidence: float, interval: tuple[float, float], width: int, strokes: Strokes = LINES) -> str:
    """Return a line of `width` cells between two ends; the value is always on it."""

    def cell(value: float) -> int:
        return min(width - 1, max(0, int(value * width)))

    cells = [strokes.outside] * width
    for position in range(cell(interval[0]), cell(interval[1]) + 1):
        cells[position] = strokes.inside
    cells[cell(confidence)] = strokes.value
    return strokes.left + "".join(cells) + strokes.right
