"""`models pull`: a model brought from a hub into the home directory, verified and registered. Only when a person asks."""

import shutil
from dataclasses import dataclass, field, replace
from pathlib import Path

from lyra.core.errors import LyraError
from lyra.core.model_card import Wanted
from lyra.core.model_hub import HubFile, HubModel, ModelHub, ModelShelf, check_name, files_needed
from lyra.core.ports import Progress
from lyra.core.records import ModelInfo

FOLDER = "models"
_SHORT_COMMIT = 12


@dataclass(frozen=True, slots=True)
class PullRequest:
    """Which model to bring. `graph` names one of several ONNX files of it."""

    name: str
    revision: str = "main"
    graph: str | None = None
    wanted: Wanted = field(default_factory=Wanted)


@dataclass(frozen=True, slots=True)
class Pulled:
    """A model that is registered now, where its files lie, and what was transferred for it."""

    info: ModelInfo
    commit: str
    folder: Path
    files: tuple[HubFile, ...]
    url: str


def pull(hub: ModelHub, shelf: ModelShelf, home: Path, request: PullRequest, progress: Progress) -> Pulled:
    """Fetch a model's files, resuming what was begun, verify them, and register the model under its name on the hub.

    Raises InvalidInput for a name that is none or a model that cannot be used, NotFound for one that the hub does not
    have, and HubError for an outage, a throttle, a refusal or wrong content. Files that are right stay for the next try.
    """
    check_name(request.name, request.revision)
    model = hub.describe(request.name, request.revision)
    graph, files = files_needed(model, request.graph)
    folder = home / FOLDER / request.name.replace("/", "--") / model.commit[:_SHORT_COMMIT]
    _bring(hub, model, files, folder, progress)
    wanted = replace(
        request.wanted,
        name=request.wanted.name or request.name,
        languages=request.wanted.languages or model.languages,
    )
    info = shelf.add_pulled(folder, graph, wanted, f"{request.name}@{model.commit}")
    return Pulled(info, model.commit, folder, tuple(files), hub.url)


def _bring(hub: ModelHub, model: HubModel, files: list[HubFile], folder: Path, progress: Progress) -> None:
    needed = sum(file.size for file in files)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        free = shutil.disk_usage(folder).free
        if free < needed:
            raise LyraError("model_no_space", path=folder, needed=f"{needed / 1e6:.0f}", free=f"{free / 1e6:.0f}")
        with progress.track("progress.pulling", needed) as step:
            for file in files:
                hub.fetch(model, file, folder / file.path, step.advance)
    except OSError as failure:
        raise LyraError("model_unwritable", path=folder, detail=failure.strerror) from failure
