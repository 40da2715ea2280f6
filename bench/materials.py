"""Materials of a large task: the first page in every order, and the whole as JSON."""

from pathlib import Path

from bench.corpus import TASK, open_bench_store
from bench.figures import Figure, Sizes, best_of, limited
from lyra.core.paging import ORDERS
from lyra.interfaces.exports.bulk_json import stream_materials
from lyra.interfaces.presenter import materials_json
from lyra.interfaces.query_presenter import page_json
from lyra.workflows.materials import PageRequest, read_page


def figures(sizes: Sizes, home: Path) -> list[Figure]:
    """Return what reading the task of the graph costs."""
    found = []
    with open_bench_store(home) as store:
        for order in ORDERS:

            def first_page(order: str = order) -> object:
                page = read_page(store, TASK, PageRequest(20, order=order, evidence_per_claim=5))
                return materials_json(page.materials, page=page_json(page))

            seconds = best_of(sizes.runs, first_page)
            found.append(limited(sizes, Figure(f"first page of materials, by {order}", seconds, "CPU s", at_most=0.2)))
        target = home / "materials.json"

        def export() -> None:
            with target.open("wb") as stream:
                stream.writelines(stream_materials(store, TASK, "en"))

        seconds = best_of(max(1, sizes.runs - 2), export)
    size = target.stat().st_size / 1e6
    return [*found, limited(sizes, Figure(f"all materials as JSON ({size:.0f} MB)", seconds, "CPU s", at_most=1.5))]
