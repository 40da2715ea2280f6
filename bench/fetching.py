"""How well waiting for the network overlaps: pages that each take their server a while, fetched as a search does."""

import os
import time
from functools import partial
from tempfile import TemporaryDirectory

from bench.figures import Figure
from lyra.app.network import open_network
from lyra.config import read_settings
from lyra.core.pages import FetchedPage
from lyra.workflows.gather.crew import Crew
from tests.loopback import website
from tests.loopback.client import OpenGate
from tests.loopback.server import Reply, Seen, serving

PAGES = 20
PAGE_SECONDS = 0.3


def fetching_seconds() -> tuple[float, float]:
    """Return the seconds for all pages side by side, and the seconds that their servers take one after the other."""
    html = website.article("Tea", "<p>" + "Green tea is a drink that many people like. " * 30 + "</p>").encode()

    def answer(seen: Seen) -> Reply:
        if seen.path == "/robots.txt":
            return Reply(b"", 404)
        time.sleep(PAGE_SECONDS)
        return Reply(html)

    with serving(answer) as server, TemporaryDirectory() as home:
        flags = {"home": home, "fetch.allow_hosts": server.host, "fetch.browser": "never"}
        settings = read_settings(flags, {"LYRA_CONFIG": os.devnull})
        with open_network(settings, OpenGate()) as network:
            network.fetcher.fetch(f"{server.url}/first")  # loads the parsers
            began = time.monotonic()
            calls = [partial(network.fetcher.fetch, f"{server.url}/{number}") for number in range(PAGES)]
            outcomes = list(Crew(settings.fetch.workers, lambda: None).results(calls))
            taken = time.monotonic() - began
    if not all(isinstance(outcome, FetchedPage) for outcome in outcomes):
        raise RuntimeError("a page could not be fetched")
    return taken, PAGES * PAGE_SECONDS


def figures() -> list[Figure]:
    """Return how long all pages take, and against one after the other."""
    side_by_side, one_by_one = fetching_seconds()
    return [
        Figure(f"{PAGES} pages of {PAGE_SECONDS * 1000:.0f} ms, side by side", side_by_side, "s"),
        Figure("against one after the other", side_by_side / one_by_one, "x", at_most=0.25),
    ]
