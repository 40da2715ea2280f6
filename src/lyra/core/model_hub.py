"""Models on a hub: what one offers, which of its files are needed, and the seam to whatever fetches them."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from lyra.core.errors import HubError, InvalidInput
from lyra.core.model_card import Wanted
from lyra.core.records import ModelInfo

_NAME = re.compile(r"[A-Za-z0-9][\w.-]{0,95}(/[A-Za-z0-9][\w.-]{0,95})?", re.ASCII)
_REVISION = re.compile(r"[A-Za-z0-9][\w.-]{0,99}", re.ASCII)
_PATH = re.compile(r"\w[\w.-]*(/\w[\w.-]*){0,3}", re.ASCII)
_GRAPHS = ("onnx/model.onnx", "model.onnx")
_DATA_SUFFIXES = ("_data", ".data")
_REQUIRED = ("config.json", "tokenizer.json")
_HELPFUL = ("tokenizer_config.json", "modules.json", "1_Pooling/config.json")


@dataclass(frozen=True, slots=True)
class HubFile:
    """A file that a hub offers. Large ones are known by their SHA-256, small ones by the id that git gives their content."""

    path: str
    size: int
    sha256: str | None
    blob_id: str | None


@dataclass(frozen=True, slots=True)
class HubModel:
    """A model at one fixed commit, with its files and the languages that its card names."""

    name: str
    commit: str
    files: tuple[HubFile, ...]
    languages: tuple[str, ...] = ()

    def file(self, path: str) -> HubFile | None:
        """Return a file by its path."""
        return next((one for one in self.files if one.path == path), None)


class ModelHub(Protocol):
    """Where models are pulled from. Nothing is fetched but what is asked for."""

    @property
    def url(self) -> str:
        """Return the address of the hub."""
        ...

    def describe(self, name: str, revision: str) -> HubModel:
        """Return a model's files at a revision. Raises NotFound, or HubError for an outage, a refusal or a throttle."""
        ...

    def fetch(self, model: HubModel, file: HubFile, target: Path, advance: Callable[[int], None]) -> None:
        """Bring one file to `target`, verified; what an earlier attempt left half-done is gone on with. Raises HubError."""
        ...


class ModelShelf(Protocol):
    """Where pulled models are registered."""

    def add_pulled(self, folder: Path, graph: str, wanted: Wanted, source: str) -> ModelInfo:
        """Register the model in `folder`. Raises InvalidInput or ModelError for one that cannot be used."""
        ...


def check_name(name: str, revision: str) -> None:
    """Raise InvalidInput for what cannot be the name or revision of a model: both become parts of addresses and paths."""
    if not _NAME.fullmatch(name) or ".." in name:
        raise InvalidInput("hub_bad_name", name=name)
    if not _REVISION.fullmatch(revision) or ".." in revision:
        raise InvalidInput("hub_bad_revision", revision=revision)


def files_needed(model: HubModel, graph: str | None) -> tuple[str, list[HubFile]]:
    """Return the graph to use and all files that it needs.

    Raises InvalidInput for a model without an ONNX graph, without the one that was asked for, or without a tokenizer.
    """
    offered = sorted(file.path for file in model.files if file.path.endswith(".onnx"))
    chosen = graph or next((path for path in _GRAPHS if model.file(path)), None)
    if chosen is None or chosen not in offered:
        raise InvalidInput("hub_other_graph" if offered else "hub_no_graph", name=model.name, files=", ".join(offered))
    for path in _REQUIRED:
        if model.file(path) is None:
            raise InvalidInput("hub_file_absent", name=model.name, file=path)
    wanted = (chosen, *(chosen + suffix for suffix in _DATA_SUFFIXES), *_REQUIRED, *_HELPFUL)
    files = [file for path in wanted if (file := model.file(path)) is not None]
    for file in files:
        # A path of a hub becomes a path here: it must stay below the folder of the model.
        if not _PATH.fullmatch(file.path) or (file.sha256 is None and file.blob_id is None):
            raise HubError("hub_bad_answer", url=model.name, detail=file.path)
    return chosen, files


def languages_of(card: object) -> tuple[str, ...]:
    """Return the language codes that a model card names; none where it names none or says that it reads many."""
    named = card.get("language") if isinstance(card, dict) else None
    listed = named if isinstance(named, list) else [named]
    codes = [one.lower() for one in listed if isinstance(one, str)]
    known = tuple(dict.fromkeys(code for code in codes if re.fullmatch(r"[a-z]{2,3}", code)))
    return () if "multilingual" in codes else known
