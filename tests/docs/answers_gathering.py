"""What the commands that reach beyond the library answer with `--json`."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.interfaces.terminal import Terminal
from tests.loopback.website import article
from tests.loopback.world import loopback_world


def _say(prompt: str) -> str:
    return '{"summary": "A page about tea."}' if prompt.startswith("Sum up") else "8"


def gathering_outputs(folder: Path) -> Iterator[tuple[str, Any]]:
    """A search with every provider, a queued one, and a page that waits for a person."""
    home = folder / "home"
    home.mkdir(parents=True)
    denied = "default: {qps: 1000}\ndenylist:\n  - {domain: shop.example.org, reason: a shop}\n"
    (home / "domains.yaml").write_text(denied, encoding="utf-8")
    with loopback_world(by_number=True, say=_say) as world:
        llm = {"LYRA_LLM_USE": "ollama", "LYRA_LLM_SUMMARIES": "on"}
        terminal = Terminal(home, {**world.environ(), "LYRA_FETCH_ATTEMPTS": "1", **llm})

        def answer(*words: str | Path) -> Any:
            return terminal.run(*words, "--json").json

        task = answer("task", "new", "Does green tea lower blood pressure?")["task_id"]
        named = [word for name in ("searxng", "openalex", "semantic_scholar") for word in ("--provider", name)]
        urls = ["--url", f"{world.site.url}/members", "--url", "https://shop.example.org/tea"]
        found = answer("search", task, "green tea members", *named, *urls)
        yield "lyra search", found
        yield "lyra materials", answer("materials", task)
        yield "lyra search --queue", answer("search", task, "tea", "--provider", "openalex", "--queue")
        yield "lyra check --queue", answer("check", "Tea is good.", "!", "--provider", "openalex", "--queue")
        yield "lyra auth list", answer("auth", "list")
        waiting = answer("auth", "list")["interventions"][0]["intervention_id"]
        page = folder / "page.html"
        page.write_text(
            article("Members", "<p>Green tea lowered blood pressure by 4 mmHg in 90 adults.</p>" * 4), encoding="utf-8"
        )
        yield "lyra auth resolve", answer("auth", "resolve", waiting, "--page", page)
        pages = {edge["page_id"] for claim in found["claims"] for edge in claim["evidence"] if "127.0.0.1" in edge["url"]}
        yield "lyra library text --raw", answer("library", "text", sorted(pages)[0], "--raw")
