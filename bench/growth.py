"""How the cost per claim grows with the number of claims, as a figure and as a drawing."""

from functools import partial
from pathlib import Path

from bench.corpus import TASK, build_graph, open_bench_store
from bench.figures import Figure, Sizes, best_of, limited

_FLAT = 2.0
_WIDTH, _HEIGHT, _MARGIN = 640, 360, 56


def figures(sizes: Sizes, home: Path, drawing: Path) -> list[Figure]:
    """Return how much dearer a claim of the largest task is than one of the smallest; writes the curve."""
    points = []
    for claims in sizes.growth:
        place = home / f"growth-{claims}"
        build_graph(place, claims, sizes.edges_per_claim, min(sizes.fragments, 2 * claims), min(sizes.pages, claims))
        with open_bench_store(place) as store:
            read = partial(store.edges.confidences, TASK)
            read()
            seconds = best_of(sizes.runs, read)
        points.append((claims, 1e6 * seconds / claims))
    drawing.parent.mkdir(parents=True, exist_ok=True)
    drawing.write_text(_drawn(points), encoding="utf-8")
    rise = points[-1][1] / points[0][1]
    shown = ", ".join(f"{claims:,}: {cost:.2f}" for claims, cost in points)
    return [
        limited(sizes, Figure(f"cost per claim, {points[-1][0]:,} against {points[0][0]:,}", rise, "x", at_most=_FLAT)),
        Figure(f"  CPU µs at {shown}", points[-1][1], "CPU µs"),
    ]


def _drawn(points: list[tuple[int, float]]) -> str:
    """Return the curve as SVG: claims on a logarithmic axis, CPU microseconds per claim on a linear one."""
    top = 1.25 * max(cost for _, cost in points)
    step = (_WIDTH - 2 * _MARGIN) / max(1, len(points) - 1)
    places = [
        (_MARGIN + number * step, _HEIGHT - _MARGIN - cost / top * (_HEIGHT - 2 * _MARGIN))
        for number, (_, cost) in enumerate(points)
    ]
    line = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
    dots = "".join(
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4"/><text x="{x:.1f}" y="{y - 10:.1f}">{cost:.2f}</text>'
        f'<text x="{x:.1f}" y="{_HEIGHT - _MARGIN + 20}">{claims:,}</text>'
        for (x, y), (claims, cost) in zip(places, points, strict=True)
    )
    base = _HEIGHT - _MARGIN
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{_WIDTH}" height="{_HEIGHT}" font-family="sans-serif" font-size="12"'
        ' text-anchor="middle"><title>Confidence of all claims: CPU microseconds per claim</title>'
        f'<rect width="{_WIDTH}" height="{_HEIGHT}" fill="white"/>'
        f'<text x="{_WIDTH / 2}" y="24" font-size="14">Confidence of all claims of a task: CPU µs per claim</text>'
        f'<path d="M{_MARGIN} {_MARGIN - 16}V{base}H{_WIDTH - _MARGIN + 16}" fill="none" stroke="black"/>'
        f'<polyline points="{line}" fill="none" stroke="#2563eb" stroke-width="2"/><g>{dots}</g>'
        f'<text x="{_WIDTH / 2}" y="{_HEIGHT - 12}">claims in the task</text></svg>\n'
    )
