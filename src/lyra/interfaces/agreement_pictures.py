"""Agreement as pictures: a forest plot of all coefficients, and for each field who chose what where another chose what."""

import re
from collections.abc import Callable, Sequence

from lyra.cases.agreement import Estimate, PairAgreement
from lyra.cases.agreement_fields import FieldAgreement
from lyra.core.messages import render
from lyra.interfaces.agreement_markdown import shown_estimate, shown_interval
from lyra.interfaces.svg import ACCENT, FAINT, INK, Picture, clipped, room_for, shade

_ROW, _HEAD, _MARGIN = 20.0, 34.0, 16.0
_PLOT = 320.0
_CELL = 44.0
_DARK = 0.55
# More panels than this make a picture nobody reads; the numbers of all pairs are in the report.
_MOST_PANELS = 12
# Room for the longest of the defined labels.
_LONGEST = 20
_NAME = re.compile(r"[^A-Za-z0-9_.-]+")


def picture_files(fields: Sequence[FieldAgreement], lang: str) -> dict[str, str]:
    """Return the pictures by file name."""
    files = {"forest.svg": forest(fields, lang)}
    for found in fields:
        if found.agreement.pairs:
            stem = _NAME.sub("_", found.field).strip("._")[:60] or "field"
            name, number = f"confusion-{stem}.svg", 2
            while name in files:
                name, number = f"confusion-{stem}-{number}.svg", number + 1
            files[name] = confusion(found, lang)
    return files


def forest(fields: Sequence[FieldAgreement], lang: str) -> str:
    """Draw every coefficient of every field with its interval on one axis."""
    rows = [(found, one) for found in fields for one in found.agreement.estimates]
    names = [render(f"label.agreement_{one.name}", lang) for _, one in rows]
    left = _MARGIN * 2 + max([room_for(name) for name in names] + [room_for(clipped(found.field)) for found in fields] + [80.0])
    lowest = min([0.0] + [value for _, one in rows for value in (one.value, *(one.interval or ())) if value is not None])
    low = -1.0 if lowest < -0.5 else -0.5 if lowest < 0 else 0.0  # noqa: PLR2004 - ends of the axis
    title = render("text.agreement_forest", lang)
    height = _HEAD + _ROW * (len(rows) + len(fields)) + 40
    picture = Picture(left + _PLOT + 190, height, title, _spoken(rows, lang))
    picture.words((_MARGIN, 20), title, size=14)

    def across(value: float) -> float:
        return left + (value - low) / (1.0 - low) * _PLOT

    bottom = _HEAD + _ROW * (len(rows) + len(fields))
    for tick in [low + (1.0 - low) * step / 4 for step in range(5)]:
        picture.line((across(tick), _HEAD), (across(tick), bottom), FAINT, 0.5)
        picture.words((across(tick), bottom + 16), f"{tick:g}", "middle", size=11)
    if low < 0:
        picture.line((across(0), _HEAD), (across(0), bottom), INK, 1)
    y = _HEAD
    for found in fields:
        y += _ROW
        picture.words((_MARGIN, y - 5), clipped(found.field), size=13)
        for one in found.agreement.estimates:
            y += _ROW
            _forest_row(picture, one, (across, left + _PLOT), y, lang)
    return picture.text()


def _forest_row(picture: Picture, one: Estimate, axis: tuple[Callable[[float], float], float], y: float, lang: str) -> None:
    across, right = axis
    picture.words((_MARGIN * 2, y - 5), render(f"label.agreement_{one.name}", lang), size=12)
    if one.value is None:
        picture.words(
            (right + 10, y - 5),
            render("text.agreement_undefined", lang),
            colour=FAINT,
            size=11,
        )
        return
    if one.interval is not None:
        picture.line((across(one.interval[0]), y - 9), (across(one.interval[1]), y - 9), ACCENT, 2)
    picture.circle((across(one.value), y - 9), 4)
    interval = f" ({shown_interval(one, lang)})" if one.interval else ""
    picture.words((right + 10, y - 5), f"{one.value:.3f}{interval}", size=11)


def _spoken(rows: Sequence[tuple[FieldAgreement, Estimate]], lang: str) -> str:
    said = []
    for found, one in rows:
        name = render(f"label.agreement_{one.name}", lang)
        said.append(f"{found.field}, {name}: {shown_estimate(one, None, lang)} {shown_interval(one, lang)}".strip())
    return "; ".join(said)


def confusion(found: FieldAgreement, lang: str) -> str:
    """Draw a matrix for every pair of raters: darker is more often; the diagonal is agreement."""
    agreement = found.agreement
    pairs = agreement.pairs[:_MOST_PANELS]
    side = _CELL * len(agreement.categories)
    gutter = max([room_for(clipped(name, _LONGEST)) for name in agreement.categories] + [40.0]) + 20
    panel_width, panel_height = gutter + side + 30, _HEAD * 2 + side + gutter
    columns = min(len(pairs), 3) or 1
    rows = -(-len(pairs) // columns)
    title = render("text.agreement_confusion_title", lang, field=found.field)
    said = "; ".join(f"{pair.first} – {pair.second}: {pair.confusion}" for pair in pairs)
    picture = Picture(_MARGIN * 2 + panel_width * columns, 30 + panel_height * rows, title, said)
    picture.words((_MARGIN, 20), title, size=14)
    for place, pair in enumerate(pairs):
        corner = (_MARGIN + (place % columns) * panel_width, 30 + (place // columns) * panel_height)
        _matrix(picture, pair, agreement.categories, (corner[0] + gutter, corner[1] + _HEAD * 2), lang)
    return picture.text()


def _matrix(picture: Picture, pair: PairAgreement, categories: Sequence[str], corner: tuple[float, float], lang: str) -> None:
    x, y = corner
    caption = render("text.agreement_confusion", lang, first=clipped(pair.first, 16), second=clipped(pair.second, 16))
    picture.words((x, y - 30), caption, size=12)
    most = max((cell for row in pair.confusion for cell in row), default=0) or 1
    for i, row in enumerate(pair.confusion):
        picture.words((x - 8, y + _CELL * (i + 0.5) + 4), clipped(categories[i], _LONGEST), "end", size=11)
        for j, count in enumerate(row):
            share = count / most
            picture.box((x + _CELL * j, y + _CELL * i), (_CELL, _CELL), shade(share))
            ink = "#ffffff" if share > _DARK else INK
            picture.words((x + _CELL * (j + 0.5), y + _CELL * (i + 0.5) + 4), str(count), "middle", ink)
    for j, name in enumerate(categories):
        # Names of columns stand one below the other in steps, so that long ones do not run into each other.
        drop = y + _CELL * len(categories) + 16 + 13 * (j % 3)
        picture.words((x + _CELL * (j + 0.5), drop), clipped(name, _LONGEST), "middle", size=10)
