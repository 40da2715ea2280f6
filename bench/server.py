"""The server for AI clients on a large task, asked as a client asks it, while another process keeps adding evidence."""

from pathlib import Path
from typing import Any

import anyio
from mcp import Client

from bench.corpus import TASK, build_graph
from bench.figures import Figure, Sizes, limited, spent
from lyra.config import read_settings
from lyra.core.paging import ORDERS
from lyra.interfaces.mcp.groups import chosen_tools
from lyra.interfaces.mcp.running import open_desk
from lyra.interfaces.mcp.server import build_server
from tests.interfaces.mcp.growing import growing
from tests.interfaces.terminal import fake_models

_LARGEST_PAGE = 60_000
_READ_IN = "controversy"


def figures(sizes: Sizes, home: Path) -> list[Figure]:
    """Return what a client waits for, and that it gets everything once."""
    build_graph(home, sizes.claims, sizes.edges_per_claim, sizes.fragments, sizes.pages)
    settings = read_settings({"home": str(home), "lang": "en"}, {})
    with open_desk(settings, fake_models(), lambda: None) as desk:
        server = build_server(desk, chosen_tools("research"))
        return [limited(sizes, one) for one in anyio.run(_measure, server, home, sizes)]


async def _measure(server: Any, home: Path, sizes: Sizes) -> list[Figure]:
    async with Client(server) as client:
        found = [await _first_page(client, order, sizes.runs) for order in ORDERS]
        for name, tool, arguments in (
            ("get_status", "get_status", {"task_id": TASK}),
            ("query_evidence, view contradictions", "query_evidence", {"view": "contradictions", "task_id": TASK}),
        ):
            began = spent()
            await client.call_tool(tool, arguments)
            found.append(Figure(name, spent() - began, "CPU s"))
        return found + await _while_growing(client, home, sizes)


async def _first_page(client: Client, order: str, runs: int) -> Figure:
    took = []
    for _ in range(runs):
        began = spent()
        await client.call_tool("get_materials", {"task_id": TASK, "order": order})
        took.append(spent() - began)
    return Figure(f"first page of get_materials, by {order}", min(took), "CPU s", at_most=0.2)


async def _while_growing(client: Client, home: Path, sizes: Sizes) -> list[Figure]:
    with growing(home, TASK) as grown:
        began = spent()
        seen, largest = await _read_all(client)
        took = spent() - began
    added = grown["edges"]
    wanted = {f"claim_{number:032x}" for number in range(sizes.claims)}
    return [
        Figure(f"all pages without evidence, while {added} edges are added", took, "CPU s"),
        Figure("edges added meanwhile", float(added), "", at_least=1),
        Figure("largest page", float(largest), "bytes", at_most=_LARGEST_PAGE),
        Figure("claims that came twice", float(len(seen) - len(set(seen))), "", at_most=0),
        Figure("claims that never came", float(len(wanted - set(seen))), "", at_most=0),
    ]


async def _read_all(client: Client) -> tuple[list[str], int]:
    """Return the claims of all pages, and how large the largest page was."""
    seen: list[str] = []
    largest, cursor = 0, None
    while True:
        arguments: dict[str, Any] = {"task_id": TASK, "limit": 100, "order": _READ_IN, "evidence_per_claim": 0}
        result = await client.call_tool("get_materials", arguments | ({"cursor": cursor} if cursor else {}))
        answer = result.structured_content
        seen += [claim["claim_id"] for claim in answer["claims"]]
        largest = max(largest, len(result.model_dump_json(by_alias=True).encode()))
        cursor = answer["page"]["next"]
        if cursor is None:
            return seen, largest
