"""Many clients at once on servers that share a home: nothing that was acknowledged is lost, nothing is done twice."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

import anyio
from mcp import Client

from lyra.app import open_reading_store
from tests.contents import faults
from tests.interfaces.mcp.client import LEGACY, MODERN, Talk, opened, said, settings_of


@dataclass
class Tally:
    """What the servers acknowledged, and what they refused."""

    calls: int = 0
    tasks: list[str] = field(default_factory=list)
    claims: list[str] = field(default_factory=list)
    jobs: list[str] = field(default_factory=list)
    rejected: dict[str, str] = field(default_factory=dict)
    errors: Counter[str] = field(default_factory=Counter)


async def crowd(addresses: Sequence[str], clients: int, calls: int, seed: int) -> Tally:
    """Let so many clients make so many calls in all, spread over the servers and both protocols; then wait for all jobs."""
    tally = Tally()
    async with anyio.create_task_group() as group:
        for number in range(clients):
            address = addresses[number % len(addresses)]
            group.start_soon(_visit, address, Random(seed * 1_000 + number), f"{seed}-{number}", calls // clients, tally)
    async with Client(addresses[0]) as client:
        talk = await opened(client)
        while (await talk.ask("get_status", wait_seconds=50))["waiting_for"]:
            pass
    return tally


async def _visit(address: str, rng: Random, name: str, calls: int, tally: Tally) -> None:
    async with Client(address, mode=rng.choice([MODERN, LEGACY]), read_timeout_seconds=600) as client:
        talk = await opened(client)
        own: list[tuple[str, str]] = []
        for number in range(calls):
            tally.calls += 1
            if not own or rng.random() < 0.15:
                await _check(talk, f"Walk {name} number {number} increases attention in children.", own, tally)
            else:
                await _look(talk, rng, *rng.choice(own), tally)


async def _check(talk: Talk, claim: str, own: list[tuple[str, str]], tally: Tally) -> None:
    answer = await _called(talk, tally, "check_claims", claims=[claim], question=claim)
    if answer is not None:
        own.append((answer["task_id"], answer["claim_ids"][0]))
        tally.tasks.append(answer["task_id"])
        tally.claims.append(claim)
        tally.jobs.append(answer["job"]["job_id"])


async def _look(talk: Talk, rng: Random, task_id: str, claim_id: str, tally: Tally) -> None:
    way = rng.randrange(5)
    if way == 0:
        reason = f"reason {rng.random()}"
        if await _called(talk, tally, "feedback", action="claim_reject", claim_id=claim_id, reason=reason):
            tally.rejected[claim_id] = reason
    elif way == 1:
        await _called(talk, tally, "get_status", task_id=task_id)
    elif way == 2:
        await _called(talk, tally, "query_evidence", view="best_supported", task_id=task_id)
    else:
        await _called(talk, tally, "get_materials", task_id=task_id)


async def _called(talk: Talk, tally: Tally, tool: str, **arguments: Any) -> Any:
    result = await talk.call(tool, arguments)
    if result.is_error:
        tally.errors[said(result)["error"]["code"]] += 1
        return None
    return result.structured_content


def losses(home: Path, tally: Tally) -> list[str]:
    """What is not in the store as it was acknowledged; empty when all is well."""
    with open_reading_store(settings_of(home)) as store:
        stored = Counter(task.task_id for task in store.tasks.all())
        jobs = [job for task_id in tally.tasks for job in store.jobs.of_task(task_id)]
        claims = Counter(claim.text for task_id in tally.tasks for claim in store.tasks.claims(task_id))
        rejections = {claim_id: store.corrections.rejection_of(claim_id) for claim_id in tally.rejected}
        found = [f"fault {row}" for row in faults(store)]
    found += [f"errors {dict(tally.errors)}"] if tally.errors else []
    found += [f"{one} is lost" for one in tally.tasks if stored[one] != 1]
    found += [f"{claim}: {claims[claim]} times" for claim in tally.claims if claims[claim] != 1]
    found += [f"{job.job_id}: {job.status} after {job.attempts}" for job in jobs if (job.status, job.attempts) != ("done", 1)]
    found += [] if sorted(job.job_id for job in jobs) == sorted(tally.jobs) else ["jobs are not those acknowledged"]
    return found + [f"{one} is not rejected as said" for one, reason in tally.rejected.items() if rejections[one] != reason]
