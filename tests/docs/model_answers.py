"""What the commands for models answer with `--json`, and the tiny models that the page on larger ones is tried with."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from lyra.app import Models
from tests.docs.shell import Shell
from tests.fakes import HashEmbedder, KeywordStance, OverlapReranker
from tests.hub_server import Hub, hub_server
from tests.interfaces.terminal import Terminal
from tests.models.tiny_public import write_public_model

_CLAIM = "Evening coffee shortens sleep."


def model_outputs(folder: Path) -> Iterator[tuple[str, Any]]:
    """What every command for models writes with `--json`."""
    library = folder / "library"
    library.mkdir(parents=True)
    (library / "a.txt").write_text("Evening coffee shortens sleep in nurses.\n", encoding="utf-8")
    with hub_server(Hub(write_public_model(folder / "offered", "stance"), "OWNER/NAME", ["en"])) as hub:
        terminal = Terminal(folder / "home", {"LYRA_MODELS_HUB_URL": hub.url})
        yield "lyra models pull", terminal.run("models", "pull", "OWNER/NAME", "--use", "--json").json
    yield "lyra models use", terminal.run("models", "use", "OWNER/NAME", "--json").json
    yield "lyra models list", terminal.run("models", "list", "--json").json
    first = Terminal(folder / "home", models=lambda _: Models(HashEmbedder(), KeywordStance(), lambda: None, OverlapReranker()))
    checked = first.run("check", _CLAIM, "--library", library, "--json").json
    yield "lyra check", checked
    claim = checked["claims"][0]
    second = Terminal(folder / "home", models=lambda _: Models(HashEmbedder(), KeywordStance("2"), lambda: None))
    yield "lyra task rejudge", second.run("task", "rejudge", checked["task_id"], "--json").json
    yield "lyra trace claim", second.run("trace", "claim", claim["claim_id"], "--json").json
    yield "lyra trace edge", second.run("trace", "edge", claim["evidence"][0]["edge_id"], "--json").json


@contextmanager
def model_folders(shell: Shell) -> Iterator[None]:
    """The folders that the page on larger models names, and a hub to pull from."""
    for name, kind in (("my-nli", "stance"), ("my-embedder", "embedder"), ("my-reranker", "reranker")):
        write_public_model(shell.folder / name, kind)
    with hub_server(Hub(write_public_model(shell.folder / "offered", "stance"), "OWNER/NAME")) as hub:
        shell.environ["LYRA_MODELS_HUB_URL"] = hub.url
        yield
