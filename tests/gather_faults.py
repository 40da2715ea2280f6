"""A whole search beside a service that spoils its answers, and what is wrong with how it ended."""

from dataclasses import replace
from pathlib import Path
from random import Random

from lyra.core.gathering import Beyond, Budget
from lyra.core.messages import render
from lyra.core.records import JobStatus, ProviderStatus
from lyra.workflows.check import RunResult, search
from tests.contents import contents, faults
from tests.loopback.fault_runs import read_seconds
from tests.loopback.faults import FAULTS, Exchange, spoiling
from tests.loopback.timing import MovedClock
from tests.loopback.world import World

QUERY = "green tea blood pressure randomised trial"
SECONDS = 120.0
# A request under way may end within its own limits.
SLACK_SECONDS = 60.0


def search_beside(world: World, home: Path, fault: str, rng: Random) -> list[str]:
    """Search while an index of papers spoils its answers from a random one on, some or all; returns the broken promises."""
    clock, first, times = MovedClock(), rng.randint(0, 4), rng.choice([1, 3, None])
    service, (server, base) = rng.choice([("openalex", (world.works, "")), ("semantic_scholar", (world.papers, "/graph/v1"))])

    def spoil(exchange: Exchange) -> None:
        after = exchange.number - first
        if after < 0 or (times is not None and after >= times):
            exchange.connection.sendall(exchange.good)
        else:
            FAULTS[fault](replace(exchange, number=after))

    with spoiling(server.port, spoil, clock) as proxy:
        settings = {
            f"providers__{service}_url": f"{proxy.url}{base}",
            f"providers__{service}_key": "k",
            "fetch__read_seconds": str(read_seconds(fault)),
            "fetch__seconds": "20",
        }
        with world.bench(home, clock, **settings) as bench:
            task = bench.store.tasks.create("Does green tea lower blood pressure?", None, [])
            beyond = Beyond((service, "searxng"), budget=Budget(seconds=SECONDS))
            result = search(bench, task.task_id, [QUERY], beyond=beyond)
            wrong = [str(one) for one in faults(bench.store)]
            pages = contents(bench.store).pages
    wrong += _complaints(result, service, fault, lasting=times is None)
    if len({str(page[0]) for page in pages}) != len(pages):
        wrong.append("a page twice")
    if clock.monotonic() > SECONDS + SLACK_SECONDS:
        wrong.append(f"took {clock.monotonic():.0f} seconds")
    return [f"{service}, {fault} from {first}, {times}: {one}" for one in wrong]


def _complaints(result: RunResult, service: str, fault: str, *, lasting: bool) -> list[str]:
    reports = {report.name: report for report in result.materials.providers}
    spoiled = reports[service]
    said = [render(f"{entry.area}.{entry.code}", "en", **entry.params) for entry in spoiled.problems]
    pages = reports["pages"]
    fetched, late = pages.counts.get("fetched", 0), any(entry.code == "out_of_time" for entry in pages.problems)
    promises = {
        f"the job is {result.outcome.status}": result.outcome.status is JobStatus.DONE,
        "a failure reads as nothing found": spoiled.status is not ProviderStatus.NOTHING_FOUND,
        f"throttled shows as {spoiled.status}": not (fault.startswith("throttled") and lasting)
        or spoiled.status is ProviderStatus.THROTTLED,
        f"status {spoiled.status} with {len(said)} problems": (spoiled.status is ProviderStatus.OK) != bool(said),
        "said without its values": not any("{" in sentence for sentence in said),
        "the others did not go on": reports["searxng"].status is ProviderStatus.OK and (fetched > 0 or late),
    }
    return [broken for broken, kept in promises.items() if not kept]
