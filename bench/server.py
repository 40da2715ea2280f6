"""The server for AI clients on a large task: `make bench-server`.

10,000 claims with 100,000 edges on 20,000 fragments of 2,000 pages. Reads the first page in every order, then all pages
while another process keeps adding, as a client does. CPU seconds; exit code 1 when a figure misses its limit.
"""

import argparse
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from random import Random
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "src"), str(ROOT)]

import anyio  # noqa: E402  the paths above come first
from mcp import Client  # noqa: E402

from lyra.app import open_reading_store  # noqa: E402
from lyra.config import Settings, read_settings  # noqa: E402
from lyra.core.identity import text_hash  # noqa: E402
from lyra.core.paging import ORDERS  # noqa: E402
from lyra.interfaces.mcp.groups import chosen_tools  # noqa: E402
from lyra.interfaces.mcp.running import open_desk  # noqa: E402
from lyra.interfaces.mcp.server import build_server  # noqa: E402
from lyra.store.database import Value  # noqa: E402
from tests.interfaces.terminal import fake_models  # noqa: E402

TASK = "task_bench"
MOMENT = "2026-03-01T12:00:00.000000Z"
LARGEST_PAGE = 60_000
FIRST_PAGE_LIMIT = 0.2
ADDED = 200
ADDING = """
import sys
from lyra.app import open_reading_store
from lyra.config import read_settings
with open_reading_store(read_settings({"home": sys.argv[1]}, {})) as store:
    for number in range(int(sys.argv[2])):
        store.tasks.add_claims("task_bench", [f"Added meanwhile: number {number} holds."])
        sys.stdout.write("added\\n")
        sys.stdout.flush()
"""


def fill(settings: Settings, claims: int, edges_per_claim: int, pages: int, fragments_per_page: int) -> None:
    """Make the task, set by set."""
    rng, fragments = Random(3), pages * fragments_per_page
    words = ("sleep coffee trial adults evening dose hours effect study group minutes control weeks cohort daily").split()
    texts = [f"In study {n} the {' '.join(rng.choices(words, k=40))} was reported." for n in range(fragments)]
    with open_reading_store(settings) as store, store.transaction():
        bulk = store.database.run_bulk
        store.database.run("INSERT INTO tasks VALUES (?, 'What holds?', NULL, 'active', ?, ?)", (TASK, MOMENT, MOMENT))
        bulk(
            "INSERT INTO pages (page_id, url, title, published_on, created_at) VALUES (?, ?, ?, ?, ?)",
            [(f"page_{n}", f"file:///papers/{n}.txt", f"Paper {n}", str(1990 + n % 36), MOMENT) for n in range(pages)],
        )
        bulk(
            "INSERT INTO page_versions (page_version_id, page_id, content_hash, extracted_text, extractor, first_read_at)"
            " VALUES (?, ?, ?, ?, 'plain/1', ?)",
            [
                (
                    f"version_{n}",
                    f"page_{n}",
                    str(n),
                    " ".join(texts[n * fragments_per_page : (n + 1) * fragments_per_page]),
                    MOMENT,
                )
                for n in range(pages)
            ],
        )
        bulk(
            "INSERT INTO fragments (fragment_id, text_hash, fragment_text, fragment_language, fragmenter_version, created_at)"
            " VALUES (?, ?, ?, 'en', '1', ?)",
            [(f"frag_{n}", f"hash_{n}", text, MOMENT) for n, text in enumerate(texts)],
        )
        places, start = [], 0
        for n, text in enumerate(texts):
            start = 0 if n % fragments_per_page == 0 else start
            places.append(
                (f"frag_{n}", f"page_{n // fragments_per_page}", f"version_{n // fragments_per_page}", start, start + len(text))
            )
            start += len(text) + 1
        bulk(
            "INSERT INTO extracted_from (fragment_id, page_id, page_version_id, char_start, char_end) VALUES (?, ?, ?, ?, ?)",
            places,
        )
        statements = [f"Statement {n}: {' '.join(rng.choices(words, k=12))}." for n in range(claims)]
        bulk(
            "INSERT INTO claims (claim_id, task_id, claim_position, claim_text, claim_text_hash, claim_language, created_at)"
            " VALUES (?, ?, ?, ?, ?, 'en', ?)",
            [(f"claim_{n}", TASK, n + 1, text, text_hash(text), MOMENT) for n, text in enumerate(statements)],
        )
        edges: list[tuple[Value, ...]] = []
        for n in range(claims):
            for number, fragment in enumerate(rng.sample(range(fragments), edges_per_claim)):
                label, weight = rng.choice(["supports", "refutes", "neutral"]), 0.5 + rng.random() / 2
                rest = (1 - weight) / 2
                three = [weight if label == one else rest for one in ("supports", "refutes", "neutral")]
                edges.append(
                    (f"edge_{n}_{number}", f"frag_{fragment}", f"claim_{n}", label, label, weight, weight, *three, MOMENT)
                )
        bulk(
            "INSERT INTO edges (edge_id, fragment_id, claim_id, relation, nli_label, nli_confidence, nli_confidence_raw,"
            " nli_supports, nli_refutes, nli_neutral, nli_model, nli_model_version, created_at)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'bench', '1', ?)",
            edges,
        )
        store.edges.sum_up(TASK)  # as every job does at its end


async def read_all(client: Client, order: str) -> tuple[list[str], int, int]:
    """Return the claims of all pages in an order, how many pages there were, and how large the largest was."""
    seen: list[str] = []
    largest, pages, cursor = 0, 0, None
    while True:
        arguments: dict[str, Any] = {"task_id": TASK, "limit": 100, "order": order, "evidence_per_claim": 0}
        result = await client.call_tool("get_materials", arguments | ({"cursor": cursor} if cursor else {}))
        answer = result.structured_content
        seen += [claim["claim_id"] for claim in answer["claims"]]
        largest, pages = max(largest, len(result.model_dump_json(by_alias=True).encode())), pages + 1
        cursor = answer["page"]["next"]
        if cursor is None:
            return seen, pages, largest


async def measure(server: Any, home: Path, claims: int, runs: int) -> list[tuple[str, float, str, float | None]]:
    """Return all figures: name, value, unit and limit."""
    figures: list[tuple[str, float, str, float | None]] = []
    async with Client(server) as client:
        for order in ORDERS:
            took = []
            for _ in range(runs):
                began = time.process_time()
                await client.call_tool("get_materials", {"task_id": TASK, "order": order})
                took.append(time.process_time() - began)
            figures.append((f"first page of get_materials, by {order}", min(took), "CPU s", FIRST_PAGE_LIMIT))
        began = time.process_time()
        with subprocess.Popen([sys.executable, "-c", ADDING, str(home), str(ADDED)], stdout=subprocess.PIPE, text=True) as adder:
            assert adder.stdout is not None
            adder.stdout.readline()
            seen, pages, largest = await read_all(client, "controversy")
            adder.stdout.read()
        figures.append(
            (f"all {pages} pages without evidence while another process adds", time.process_time() - began, "CPU s", None)
        )
        figures.append(("largest page", float(largest), "bytes", float(LARGEST_PAGE)))
        figures.append(("claims that came twice", float(len(seen) - len(set(seen))), "", 0.0))
        wanted = {f"claim_{n}" for n in range(claims)}
        figures.append(("claims that never came", float(len(wanted - set(seen))), "", 0.0))
        for name, arguments in {
            "get_status": {"task_id": TASK},
            "query_evidence, view contradictions": {"view": "contradictions", "task_id": TASK},
        }.items():
            began = time.process_time()
            await client.call_tool(name.partition(",")[0], arguments)
            figures.append((name, time.process_time() - began, "CPU s", None))
    return figures


def main() -> int:
    """Print the table; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--runs", type=int, default=3, help="runs per figure; the best counts")
    parser.add_argument("--claims", type=int, default=10_000)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder) / "home"
        settings = read_settings({"home": str(home), "lang": "en"}, {})
        fill(settings, options.claims, 10, max(20, options.claims // 5), 10)
        with open_desk(settings, fake_models(), lambda: None) as desk:
            server = build_server(desk, chosen_tools("research"))
            figures = anyio.run(measure, server, home, options.claims, options.runs)
    width = max(len(name) for name, *_ in figures)
    print(f"{'what':{width}}  {'value':>10}  {'unit':6} {'limit':>8}")
    missed = False
    for name, value, unit, limit in figures:
        fails = limit is not None and value > limit
        missed |= fails
        print(f"{name:{width}}  {value:10.3f}  {unit:6} {'-' if limit is None else f'{limit:g}':>8}{'  MISSED' if fails else ''}")
    return int(missed)


if __name__ == "__main__":
    sys.exit(main())
