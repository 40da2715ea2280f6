"""The confidence distribution against the base rates, as a picture in the page."""

from collections.abc import Mapping
from html import escape

from lyra.reports.scale import BASE_RATES, RANKS, is_anomalous, share

_WIDTH, _BAR, _GAP, _TOP, _LEFT, _SCALE = 640, 14, 16, 34, 150, 4.2
_ROW = 2 * _BAR + _GAP


def distribution_svg(counts: Mapping[int, int], words: Mapping[str, str]) -> str:
    """Return the picture: two bars per value, the report's share above the base rate, each with its figure.

    `words` names `title`, `ai`, `base` and `anomaly` in the reader's language; the picture says all of it as text, too.
    """
    total = sum(counts.values())
    rows = "".join(_row(at, value, counts.get(value, 0), total, words) for at, value in enumerate(RANKS))
    height = _TOP + _ROW * len(RANKS)
    legend = (
        f'<rect class="ai" x="{_LEFT}" y="8" width="12" height="12"/><text x="{_LEFT + 18}" y="18">{escape(words["ai"])}</text>'
        f'<rect class="base" x="{_LEFT + 160}" y="8" width="12" height="12"/>'
        f'<text x="{_LEFT + 178}" y="18">{escape(words["base"])}</text>'
    )
    spoken = "; ".join(f"{value}%: {float(share(counts.get(value, 0), total)):.1f}% / {BASE_RATES[value]}%" for value in RANKS)
    return (
        f'<svg class="distribution" role="img" viewBox="0 0 {_WIDTH} {height}" xmlns="http://www.w3.org/2000/svg">'
        f"<title>{escape(words['title'])}</title><desc>{escape(spoken)}</desc>{legend}{rows}</svg>"
    )


def _row(at: int, value: int, count: int, total: int, words: Mapping[str, str]) -> str:
    top, own, base = _TOP + at * _ROW, float(share(count, total)), BASE_RATES[value]
    odd = is_anomalous(value, count, total)
    note = f" ⚠ {words['anomaly']}" if odd else ""
    return (
        f'<text x="{_LEFT - 8}" y="{top + _BAR + 4}" text-anchor="end">{value}% {escape(RANKS[value])}</text>'
        f'<rect class="{"ai odd" if odd else "ai"}" x="{_LEFT}" y="{top}" width="{own * _SCALE:.1f}" height="{_BAR}"/>'
        f'<text x="{_LEFT + own * _SCALE + 6:.1f}" y="{top + 11}">{count} ({own:.1f}%){escape(note)}</text>'
        f'<rect class="base" x="{_LEFT}" y="{top + _BAR}" width="{base * _SCALE:.1f}" height="{_BAR}"/>'
        f'<text x="{_LEFT + base * _SCALE + 6:.1f}" y="{top + _BAR + 11}">{base}%</text>'
    )
