"""A model that a person brought: where its files lie, proof that they are the same files, and how it is read."""

import hashlib
import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from types import MappingProxyType

from lyra.core.errors import ModelError
from lyra.core.records import ModelInfo
from lyra.models.weights import TOKENIZER, ModelEntry, WeightFile

GRAPH = "graph"
HUB, DISK = "hub", "disk"


@dataclass(frozen=True, slots=True)
class FilePart:
    """One file of a model, by its absolute path, as it was when the model was registered."""

    path: str
    sha256: str
    size: int


@dataclass(frozen=True, slots=True)
class NamedModel:
    """A registered model. `source` is the folder it was found in, or its name and revision on a hub.

    `files` holds the `graph`, its `tokenizer`, and the graph's outside data under `data`, if there is any.
    """

    name: str
    kind: str
    version: str
    origin: str
    source: str
    max_tokens: int
    files: Mapping[str, FilePart]
    labels: tuple[str, ...] = ()
    languages: tuple[str, ...] = ()
    dimension: int | None = None
    pooling: str = "mean"

    @property
    def info(self) -> ModelInfo:
        """The model as it is named beside every number it makes. It is not calibrated."""
        return ModelInfo(self.kind, self.name, self.version, None, self.languages)

    @property
    def size(self) -> int:
        """How many bytes its files take."""
        return sum(part.size for part in self.files.values())

    @property
    def restore(self) -> str:
        """The command that brings its files back, or registers them as they are now."""
        if self.origin == HUB:
            name, _, revision = self.source.partition("@")
            return f"lyra models pull {name} --revision {revision}"
        return f"lyra models use {shlex.quote(self.source)}"

    def missing(self) -> str | None:
        """Return the first file that is not there or has another size; contents are not looked at."""
        for part in self.files.values():
            try:
                if Path(part.path).stat().st_size != part.size:
                    return part.path
            except OSError:
                return part.path
        return None


def version_of(files: Mapping[str, FilePart], *facts: object) -> str:
    """Return a version that changes with any file and with every way of reading them."""
    known = [f"{part}={files[part].sha256}" for part in sorted(files)]
    return hashlib.sha256("\n".join([*known, *map(str, facts)]).encode()).hexdigest()[:12]


class NamedWeights:
    """The `WeightSource` of one registered model. Files are verified once, before their path is first given out."""

    def __init__(self, model: NamedModel, registry: Path) -> None:
        self._model = model
        self._registry = registry
        self._verified: set[str] = set()
        self._lock = Lock()

    @property
    def described_in(self) -> Path:
        """The registry."""
        return self._registry

    def info(self, kind: str) -> ModelInfo:
        """Return name and version, without touching the weights."""
        return self.entry(kind).info

    def entry(self, kind: str) -> ModelEntry:
        """Return how the model is fed and read, without touching its weights."""
        model = self._model
        if kind != model.kind:
            raise ModelError("model_kind_unknown", kind=kind, known=model.kind)
        graph = model.files[GRAPH]
        return ModelEntry(
            info=model.info,
            file=WeightFile(Path(graph.path).name, graph.sha256, graph.size),
            max_tokens=model.max_tokens,
            dimension=model.dimension,
            labels=model.labels,
            temperature=MappingProxyType({}),
            pooling=model.pooling,
        )

    def path(self, kind: str) -> Path:
        """Return the verified graph, or the verified `tokenizer`."""
        wanted = [TOKENIZER] if kind == TOKENIZER else [part for part in self._model.files if part != TOKENIZER]
        with self._lock:
            for part in wanted:
                if part not in self._verified:
                    self._verify(self._model.files[part])
                    self._verified.add(part)
        return Path(self._model.files[TOKENIZER if kind == TOKENIZER else GRAPH].path)

    def _verify(self, part: FilePart) -> None:
        named = {"file": part.path, "name": self._model.name, "command": self._model.restore}
        try:
            found = measure(Path(part.path))
        except OSError as error:
            raise ModelError("model_part_missing", **named) from error
        if (found.sha256, found.size) != (part.sha256, part.size):
            raise ModelError("model_part_damaged", **named)


def measure(path: Path) -> FilePart:
    """Return a file with its size and SHA-256; raises OSError."""
    with path.open("rb") as stream:
        digest = hashlib.file_digest(stream, "sha256").hexdigest()
    return FilePart(str(path), digest, path.stat().st_size)
