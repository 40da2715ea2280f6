"""Confidence of all claims beside NetworkX: the graph loaded from the same file, and the same numbers from it.

The baseline is what one would write first: every row of the task's graph becomes a node or an edge of a DiGraph with its
columns as attributes, and the numbers are computed over the edges that come into each claim. Cold is with loading, for
us with opening the file; warm is without.
"""

import math
import subprocess
import sys
from pathlib import Path
from typing import Any

import apsw
import networkx

from bench.corpus import TASK, build_graph, open_bench_store
from bench.figures import Figure, Sizes, best_of, limited
from lyra.store.evidence_store import DATABASE_NAME

_ROOT = Path(__file__).resolve().parent.parent
_MEMORY_LIMIT = 100.0
_TOLERANCE = 1e-9


def load(path: Path) -> Any:
    """Return the task's graph as a DiGraph."""
    graph = networkx.DiGraph()
    connection = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)
    for table, key in (("claims", "claim_id"), ("fragments", "fragment_id"), ("pages", "page_id")):
        rows = connection.execute(f"SELECT * FROM {table}")
        names = [column[0] for column in rows.get_description()]
        for row in rows:
            attributes = dict(zip(names, row, strict=True))
            graph.add_node(attributes[key], kind=table, **attributes)
    for table, first, second in (("extracted_from", "fragment_id", "page_id"), ("edges", "fragment_id", "claim_id")):
        rows = connection.execute(f"SELECT * FROM {table}")
        names = [column[0] for column in rows.get_description()]
        for row in rows:
            attributes = dict(zip(names, row, strict=True))
            graph.add_edge(attributes[first], attributes[second], kind=table, **attributes)
    connection.close()
    return graph


def compute(graph: Any) -> dict[str, tuple[float, ...]]:
    """Return the values of every claim from the edges that come into it."""
    found = {}
    for node, attributes in graph.nodes(data=True):
        if attributes["kind"] != "claims":
            continue
        alpha, beta, counts = 1.0, 1.0, {"supports": 0, "refutes": 0, "neutral": 0}
        for _, _, edge in graph.in_edges(node, data=True):
            relation = edge["relation"]
            counts[relation] += 1
            if relation == "supports":
                alpha += edge["nli_confidence"]
            elif relation == "refutes":
                beta += edge["nli_confidence"]
        total = alpha + beta
        evidence = total - 2.0
        found[node] = (
            alpha / total,
            math.sqrt(alpha * beta / (total * total * (total + 1.0))),
            min(alpha - 1.0, beta - 1.0) / evidence if evidence > 0.0 else 0.0,
            alpha,
            beta,
            sum(counts.values()),
            *counts.values(),
        )
    return found


def figures(sizes: Sizes, home: Path) -> list[Figure]:
    """Return the costs of both, cold and warm, and our memory; raises where the numbers differ."""
    build_graph(home, sizes.claims, sizes.edges_per_claim, sizes.fragments, sizes.pages)
    path = home / DATABASE_NAME

    def cold() -> dict[str, Any]:
        with open_bench_store(home) as store:
            return dict(store.edges.confidences(TASK))

    ours = best_of(sizes.runs, cold)
    with open_bench_store(home) as store:
        warm = best_of(3 * sizes.runs, lambda: store.edges.confidences(TASK))
        mine = store.edges.confidences(TASK)
    graph = load(path)
    loading = best_of(2, lambda: load(path))
    computing = best_of(sizes.runs, lambda: compute(graph))
    _compare({name: tuple(values) for name, values in mine.items()}, compute(graph))
    size = f"{sizes.claims:,} claims, {sizes.claims * sizes.edges_per_claim:,} edges"
    return [
        Figure(f"confidence of {size}: NetworkX, cold", loading + computing, "CPU s"),
        Figure("  NetworkX, warm", computing, "CPU s"),
        Figure("  ours, cold", ours, "CPU s"),
        Figure("  ours, warm", warm, "CPU s"),
        limited(sizes, Figure("  ours against NetworkX, cold", (loading + computing) / ours, "x", at_least=20.0)),
        limited(sizes, Figure("  ours against NetworkX, warm", computing / warm, "x", at_least=4.0)),
        limited(sizes, Figure("  memory of a process that does it", _memory(home), "MB", at_most=_MEMORY_LIMIT)),
    ]


def _compare(mine: dict[str, tuple[float, ...]], theirs: dict[str, tuple[float, ...]]) -> None:
    if mine.keys() != theirs.keys():
        raise ValueError("not the same claims")
    for name, values in mine.items():
        if max(abs(one - other) for one, other in zip(values, theirs[name], strict=True)) > _TOLERANCE:
            raise ValueError(f"not the same numbers for {name}: {values} and {theirs[name]}")


def _memory(home: Path) -> float:
    """Return the peak memory of a fresh process that reads all confidences."""
    ran = subprocess.run(
        [sys.executable, "-m", "bench.alone", str(home), TASK], check=True, capture_output=True, text=True, cwd=_ROOT
    )
    return float(ran.stdout)
