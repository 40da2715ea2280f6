"""As much of CSS as tells whether a text is seen: declarations, and the plain class and id rules of a page's style sheets."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

_NESTED_RULES = re.compile(r"@[^{}]*\{(?:[^{}]*\{[^{}]*\})*[^{}]*\}")
_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_RULE = re.compile(r"([^{}]+)\{([^{}]*)\}")
_SIMPLE_SELECTOR = re.compile(r"(?:[a-z][a-z0-9]*)?([.#])([A-Za-z_][\w-]*)")
_MAX_STYLE = 200_000
_MAX_DECLARATIONS = 100
_LENGTH = re.compile(r"(-?\d{0,9}\.?\d{1,9})\s*(px|pt|em|rem|%|vw|vh|ex|ch)?")
_UNIT_PIXELS = {
    "px": 1.0,
    "pt": 4 / 3,
    "em": 16.0,
    "rem": 16.0,
    "%": 0.16,
    "vw": 12.0,
    "vh": 8.0,
    "ex": 8.0,
    "ch": 8.0,
    None: 1.0,
}
_TINY_PIXELS = 2.0
_AWAY_PIXELS = -400.0
# Pages draw columns over each other by negative margins of some hundreds.
_AWAY_MARGIN = -2000.0
_FAINT = 0.05
_HEX = re.compile(r"#([0-9a-f]{3,8})\b")
_PART = r"(\d{0,9}\.?\d{1,9}%?)"
_RGB = re.compile(rf"rgba?\(\s*{_PART}[\s,]+{_PART}[\s,]+{_PART}(?:[\s,/]+{_PART})?\s*\)")
_NAMED = {"white": (255.0, 255.0, 255.0, 1.0), "black": (0.0, 0.0, 0.0, 1.0), "snow": (255.0, 250.0, 250.0, 1.0)}
_NAMED |= {"ivory": (255.0, 255.0, 240.0, 1.0), "ghostwhite": (248.0, 248.0, 255.0, 1.0), "transparent": (0.0, 0.0, 0.0, 0.0)}
_SHORT_HEX, _HEX_DIGITS, _HEX_ALPHA = (3, 4), 6, 8
# Nearer than this, per channel, two colours cannot be told apart.
_SAME_COLOUR = 12.0
_PALE = 243.0
_CLIPPED = re.compile(
    r"rect\(\s*(?:0|1)(?:px)?[\s,]+(?:0|1)(?:px)?[\s,]+(?:0|1)(?:px)?[\s,]+(?:0|1)(?:px)?\s*\)|inset\(\s*(?:50|100)%"
)
_SHRUNK = re.compile(r"scale[xy3d]*\(\s*0(?:\.0+)?\s*[,)]")

Colour = tuple[float, float, float, float]


@dataclass(frozen=True, slots=True)
class Hiding:
    """The class and id names (`.note`, `#top`) that a page's style sheets hide, set in white, or give a ground."""

    hidden: frozenset[str]
    pale: frozenset[str]
    grounded: frozenset[str]

    @staticmethod
    def is_white(style: str) -> bool:
        """Return whether a style sets text in white or nearly so."""
        colour = _colour(_declarations(style).get("color", ""))
        return colour is not None and min(colour[:3]) >= _PALE

    @staticmethod
    def has_ground(style: str) -> bool:
        """Return whether a style names a ground that is not white, or one whose colour cannot be told."""
        ground = _ground(_declarations(style))
        if not ground or ground in ("none", "transparent", "inherit", "initial"):
            return False
        colour = _colour(ground)
        return colour is None or (colour[3] > _FAINT and min(colour[:3]) < _PALE)


def hiding_rules(sheets: str) -> Hiding:
    """Return which names the rules of style sheets hide; rules inside `@media` and the like are not followed."""
    plain = _NESTED_RULES.sub("", _COMMENT.sub("", sheets[:_MAX_STYLE]))
    rules = [(match[1], match[2]) for match in _RULE.finditer(plain)]

    def names(holds: Callable[[str], bool]) -> frozenset[str]:
        return frozenset(
            match[1] + match[2]
            for selectors, body in rules
            if holds(body)
            for selector in selectors.split(",")
            if (match := _SIMPLE_SELECTOR.fullmatch(selector.strip()))
        )

    return Hiding(names(hides), names(Hiding.is_white), names(Hiding.has_ground))


def hides(style: str) -> bool:
    """Return whether declarations make an element's text unseen."""
    if not style:
        return False
    given = _declarations(style)
    return (
        given.get("display") == "none"
        or given.get("visibility") in ("hidden", "collapse")
        or _below(given.get("opacity", ""), _FAINT)
        or _below(given.get("font-size", ""), _TINY_PIXELS)
        or _is_away(given)
        or _is_cut_off(given)
        or _is_in_ground_colour(given)
    )


def _declarations(style: str) -> dict[str, str]:
    pairs = (one.partition(":") for one in style.lower().split(";")[:_MAX_DECLARATIONS])
    return {name.strip(): value.replace("!important", "").strip() for name, _, value in pairs}


def _pixels(value: str) -> float | None:
    match = _LENGTH.fullmatch(value.strip())
    return None if match is None else float(match[1]) * _UNIT_PIXELS[match[2]]


def _below(value: str, limit: float) -> bool:
    size = _pixels(value)
    return size is not None and size <= limit


def _is_away(given: Mapping[str, str]) -> bool:
    """Return whether an element stands far outside the screen."""
    sides = ("left", "top", "right", "bottom") if given.get("position") in ("absolute", "fixed", "relative") else ()
    moved = [(name, _AWAY_PIXELS) for name in (*sides, "text-indent")] + [
        ("margin-left", _AWAY_MARGIN),
        ("margin-top", _AWAY_MARGIN),
    ]
    if any(_below(given.get(name, ""), limit) for name, limit in moved):
        return True
    shift = re.search(r"translate[xy3d]*\(\s*(-\d+\w*%?)", given.get("transform", ""))
    return shift is not None and (_pixels(shift[1]) or 0.0) <= _AWAY_PIXELS


def _is_cut_off(given: Mapping[str, str]) -> bool:
    """Return whether nothing of an element's box is shown."""
    if _CLIPPED.search(given.get("clip", "")) or _CLIPPED.search(given.get("clip-path", "")):
        return True
    if _SHRUNK.search(given.get("transform", "")):
        return True
    narrow = any(_below(given.get(name, ""), 1.0) for name in ("width", "height", "max-width", "max-height"))
    return narrow and given.get("overflow", given.get("overflow-y", "")) == "hidden"


def _is_in_ground_colour(given: Mapping[str, str]) -> bool:
    text, ground = _colour(given.get("color", "")), _colour(_ground(given))
    if text is not None and text[3] <= _FAINT:
        return True
    if text is None or ground is None or ground[3] <= _FAINT:
        return False
    return all(abs(one - other) <= _SAME_COLOUR for one, other in zip(text[:3], ground[:3], strict=True))


def _ground(given: Mapping[str, str]) -> str:
    return given.get("background-color") or given.get("background", "")


def _colour(value: str) -> Colour | None:
    """Return red, green, blue and opacity; None for a value that names no colour we know."""
    text = value.strip()
    if text in _NAMED:
        return _NAMED[text]
    if match := _HEX.match(text):
        digits = match[1]
        if len(digits) in _SHORT_HEX:
            digits = "".join(digit * 2 for digit in digits)
        if len(digits) not in (_HEX_DIGITS, _HEX_ALPHA):
            return None
        parts = [float(int(digits[at : at + 2], 16)) for at in range(0, len(digits), 2)]
        return parts[0], parts[1], parts[2], parts[3] / 255 if len(parts) > 3 else 1.0  # noqa: PLR2004 - red, green, blue, opacity
    if match := _RGB.match(text):
        red, green, blue = (_channel(match[index]) for index in (1, 2, 3))
        alpha = match[4]
        opacity = 1.0 if alpha is None else float(alpha.rstrip("%")) / (100 if alpha.endswith("%") else 1)
        return red, green, blue, opacity
    return None


def _channel(value: str) -> float:
    return float(value.rstrip("%")) * 2.55 if value.endswith("%") else float(value)
