"""The reliability diagram as a picture: in each bin, how sure judgements were and how often they were right."""

from collections.abc import Sequence

from lyra.core.calibration_records import SHIPPED, Evaluation
from lyra.core.messages import render
from lyra.interfaces.svg import ACCENT, FAINT, INK, Picture, shade

_SIDE = 260.0
_LEFT, _TOP, _BELOW = 64.0, 64.0, 64.0
_PANEL = _TOP + _SIDE + _BELOW
_WIDTH = _LEFT + _SIDE + 150.0
_TICKS = 5
_FAINTEST = 0.25


def reliability_diagram(evaluations: Sequence[Evaluation], lang: str) -> str:
    """Draw one panel per evaluation: bars for accuracy, dots for confidence, the diagonal for what would be right."""
    title = render("text.calibration_picture", lang)
    picture = Picture(_WIDTH, _PANEL * max(1, len(evaluations)), title, _spoken(evaluations, lang))
    for number, evaluation in enumerate(evaluations):
        _panel(picture, evaluation, _PANEL * number, lang)
    return picture.text()


def _panel(picture: Picture, evaluation: Evaluation, top: float, lang: str) -> None:
    metrics, floor = evaluation.metrics, top + _TOP + _SIDE

    def place(across: float, up: float) -> tuple[float, float]:
        return _LEFT + across * _SIDE, floor - up * _SIDE

    version = evaluation.calibration_version or SHIPPED
    picture.words((16, top + 22), f"{evaluation.source.name} · {version}", size=14)
    picture.words((16, top + 42), f"n {metrics.sample_count} · ECE {metrics.ece:.3f} · Brier {metrics.brier:.3f}", colour=FAINT)
    most = max((one.count for one in metrics.bins), default=0)
    for tick in range(_TICKS + 1):
        value = tick / _TICKS
        picture.line(place(0, value), place(1, value), FAINT, 0.5)
        picture.words((_LEFT - 8, place(0, value)[1] + 4), f"{value:g}", "end", size=11)
        picture.words((place(value, 0)[0], floor + 16), f"{value:g}", "middle", size=11)
    for one in metrics.bins:
        if one.accuracy is not None:
            wide = (one.upper - one.lower) * _SIDE
            shading = shade(_FAINTEST + (1 - _FAINTEST) * one.count / most)
            picture.box(place(one.lower, one.accuracy), (wide, one.accuracy * _SIDE), shading)
    picture.line(place(0, 0), place(1, 1), INK, 1)
    for one in metrics.bins:
        if one.accuracy is not None and one.mean_confidence is not None:
            picture.circle(place(one.mean_confidence, one.accuracy), 3.5, ACCENT)
    picture.words((_LEFT + _SIDE / 2, floor + 36), render("label.calibration_confidence", lang), "middle")
    picture.words((16, top + _TOP - 6), render("label.calibration_accuracy", lang), size=11)
    picture.words((_LEFT + _SIDE + 12, top + _TOP + 12), render("label.calibration_shade", lang), colour=FAINT, size=11)


def _spoken(evaluations: Sequence[Evaluation], lang: str) -> str:
    parts = [
        f"{one.lower:.1f}–{one.upper:.1f}: n {one.count}, {one.mean_confidence:.2f} → {one.accuracy:.2f}"
        for evaluation in evaluations
        for one in evaluation.metrics.bins
        if one.mean_confidence is not None and one.accuracy is not None
    ]
    return f"{render('text.calibration_bins', lang)} {'; '.join(parts)}"
