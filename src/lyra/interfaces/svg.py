"""Small pictures in SVG: shapes and words, nothing that runs or is fetched. Text that others wrote is escaped."""

from xml.sax.saxutils import escape, quoteattr

from lyra.interfaces.cli.layout import width_of
from lyra.interfaces.untrusted import on_one_line, shortened

MARK = "<!-- lyra picture -->"
INK, FAINT, ACCENT, GROUND = "#1f2328", "#8c959f", "#0b5cad", "#ffffff"
_CHARACTER = 6.6
_FONT = "system-ui, 'Hiragino Sans', 'Noto Sans CJK JP', 'Yu Gothic', sans-serif"


class Picture:
    """A drawing that grows by shapes; `text()` is the whole file."""

    def __init__(self, width: float, height: float, title: str, description: str) -> None:
        self._size = (width, height)
        self._title, self._description = title, description
        self._shapes: list[str] = []

    def line(self, start: tuple[float, float], end: tuple[float, float], colour: str = INK, width: float = 1.0) -> None:
        """Draw a line."""
        (x1, y1), (x2, y2) = start, end
        self._shapes.append(
            f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{colour}" stroke-width="{width:g}"/>'
        )

    def circle(self, centre: tuple[float, float], radius: float, colour: str = ACCENT) -> None:
        """Draw a dot."""
        self._shapes.append(f'<circle cx="{centre[0]:.1f}" cy="{centre[1]:.1f}" r="{radius:g}" fill="{colour}"/>')

    def box(self, corner: tuple[float, float], size: tuple[float, float], fill: str) -> None:
        """Draw a filled rectangle with a faint edge."""
        (x, y), (width, height) = corner, size
        place = f'x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}"'
        self._shapes.append(f'<rect {place} fill="{fill}" stroke="{FAINT}" stroke-width="0.5"/>')

    def words(self, place: tuple[float, float], text: str, anchor: str = "start", colour: str = INK, size: int = 12) -> None:
        """Write one line of text; `anchor` is start, middle or end."""
        self._shapes.append(
            f'<text x="{place[0]:.1f}" y="{place[1]:.1f}" text-anchor="{anchor}" fill="{colour}" font-size="{size}">'
            f"{escape(on_one_line(text))}</text>"
        )

    def text(self) -> str:
        """Return the picture as a file. Title and description are what a screen reader says."""
        width, height = self._size
        title, description = escape(on_one_line(self._title)), escape(on_one_line(self._description))
        return "\n".join(
            [
                f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height:.0f}"'
                f' viewBox="0 0 {width:.0f} {height:.0f}" role="img" font-family={quoteattr(_FONT)}>',
                MARK,
                f"<title>{title}</title>",
                f"<desc>{description}</desc>",
                f'<rect width="100%" height="100%" fill="{GROUND}"/>',
                *self._shapes,
                "</svg>\n",
            ]
        )


def room_for(text: str) -> float:
    """Return about how wide a line of text is drawn."""
    return width_of(on_one_line(text)) * _CHARACTER


def clipped(text: str, characters: int = 28) -> str:
    """Return a name short enough for an axis."""
    return shortened(on_one_line(text), characters)


def shade(share: float) -> str:
    """Return a colour between white and dark blue; 0 is white."""
    level = max(0.0, min(1.0, share))
    light, dark = (255, 255, 255), (11, 92, 173)
    return "#" + "".join(f"{round(a + (b - a) * level):02x}" for a, b in zip(light, dark, strict=True))
