"""All loopback services at once, and a bench whose settings lead to them and to nothing else."""

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from lyra.app import Models, SilentProgress, open_bench
from lyra.config import Settings, read_settings
from lyra.core.ports import WaitingClock
from lyra.workflows.bench import Bench
from tests.fakes import HashEmbedder, KeywordStance
from tests.loopback import ollama, openalex, searxng, semantic_scholar, website
from tests.loopback.server import Answering, Reply, Seen, Server, serving
from tests.loopback.timing import MovedClock

ALL = ("semantic_scholar", "openalex", "searxng")
# The names under which the site is known; outside a bench of the tests only its number leads there.
TEA, WIKI, BAD, NUMBER = "tea.example.org", "en.wikipedia.org", "bad.example.net", "127.0.0.1"


class Names:
    """A resolver that knows the names of the site and nothing else."""

    def resolve(self, host: str, port: int) -> Sequence[str]:
        if host not in (TEA, WIKI, BAD, NUMBER):
            raise OSError(f"{host} is not known")
        return [NUMBER]


@dataclass(frozen=True, slots=True)
class World:
    """The services, and the settings by which a home reaches them."""

    papers: Server
    works: Server
    engine: Server
    site: Server
    model: Server
    flags: dict[str, str]

    def at(self, path: str, host: str = TEA) -> str:
        """The address of a page of the site, under one of its names."""
        return f"http://{host}:{self.site.port}{path}"

    def settings(self, home: Path, **values: str) -> Settings:
        """Settings for a home; `values` change some, with `__` for each dot of a name."""
        changed = {name.replace("__", "."): value for name, value in values.items()}
        return read_settings({**self.flags, "home": str(home), **changed}, {"LYRA_CONFIG": os.devnull})

    def environ(self) -> dict[str, str]:
        """The same as environment variables, for the command."""
        return {f"LYRA_{name.upper().replace('.', '_')}": value for name, value in self.flags.items()}

    @contextmanager
    def bench(self, home: Path, clock: WaitingClock | None = None, **values: str) -> Iterator[Bench]:
        """A bench with fake models; nothing waits unless a clock is given."""
        models = Models(HashEmbedder(), KeywordStance(), lambda: None)
        settings = self.settings(home, **values)
        with open_bench(settings, SilentProgress(), lambda _: models, clock or MovedClock(), Names()) as bench:
            yield bench

    def asked(self) -> int:
        """How many requests all services have seen."""
        return sum(len(server.seen) for server in (self.papers, self.works, self.engine, self.site, self.model))


def listed(site: str, *, by_number: bool = False) -> list[searxng.Listed]:
    """What the search engine knows of the site."""
    wiki = site if by_number else site.replace(TEA, WIKI)
    return [
        searxng.Listed(f"{site}/blog/tea", "My green tea", "What research says about tea and blood pressure"),
        searxng.Listed(f"{site}/news/tea", "Tea trial disappoints", "Extract of green tea did not lower blood pressure"),
        searxng.Listed(f"{wiki}/wiki/Green_tea", "Green tea - Loopedia", "Green tea is a type of tea"),
        searxng.Listed(f"{site}/members", "Members read on about green tea", "Green tea for members"),
        searxng.Listed(f"{site}/report.pdf", "Report on tea and health", "Green tea in eleven cohorts"),
        searxng.Listed(f"{site}/ja/sjis", "緑茶と血圧", "緑茶 血圧 無作為化比較試験"),
        searxng.Listed(f"{site}/harbour", "The harbour of Nowhere", "Ships and cranes in the harbour"),
    ]


def no_model(prompt: str) -> str:
    """A language model that nobody should ask."""
    raise AssertionError(prompt)


@contextmanager
def loopback_world(
    *,
    pages: dict[str, Reply] | None = None,
    say: Callable[[str], str] = no_model,
    answers: dict[str, Answering] | None = None,
    by_number: bool = False,
) -> Iterator[World]:
    """Serve everything. `pages` stand on the site beside its own, `answers` replace services by name.

    `by_number` lists the pages of the site under its number, for programs that cannot look up its names.
    """
    own = {"semantic_scholar": semantic_scholar.answer, "openalex": openalex.answer, **(answers or {})}
    with ExitStack() as stack:
        address: list[str] = []
        site_answer = website.answering(lambda: address[0])

        def answer(seen: Seen) -> Reply:
            return (pages or {}).get(seen.path) or site_answer(seen)

        site = stack.enter_context(serving(own.get("site", answer)))
        address.append(site.url if by_number else f"http://{TEA}:{site.port}")
        engine = stack.enter_context(serving(own.get("searxng", searxng.answering(listed(address[0], by_number=by_number)))))
        papers = stack.enter_context(serving(own["semantic_scholar"]))
        works = stack.enter_context(serving(own["openalex"]))
        model = stack.enter_context(serving(ollama.answering(say)))
        flags = {
            "fetch.allow_hosts": ",".join(f"{name}:{site.port}" for name in (TEA, WIKI, BAD, NUMBER)),
            "fetch.browser": "never",
            "fetch.attempts": "2",
            "fetch.cache_mb": "0",
            "providers.semantic_scholar_url": f"{papers.url}/graph/v1",
            "providers.semantic_scholar_qps": "100",
            "providers.openalex_url": works.url,
            "providers.openalex_qps": "100",
            "providers.searxng_url": engine.url,
            "providers.searxng_qps": "100",
            "llm.url": model.url,
        }
        yield World(papers, works, engine, site, model, flags)
