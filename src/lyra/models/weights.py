"""The weight files on disk: what the manifest says of them, and proof that they are the files it means."""

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import resources
from pathlib import Path
from threading import Lock
from types import MappingProxyType
from typing import Protocol

from lyra.core.errors import ModelError
from lyra.core.model_card import MEAN
from lyra.core.records import ModelInfo
from lyra.models.reading import Part

MANIFEST = "manifest.json"
SCHEMA_VERSION = 1
TOKENIZER = "tokenizer"
# Further files of the judge.
REST, PIECES, PIECES_TOKENIZER = "rest", "pieces", "pieces_tokenizer"
_JUDGE = "stance"

_LEAST_NEUTRAL = 0.5
_FILE_NAME = re.compile(r"\w[\w.-]*")
_SHA256 = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True, slots=True)
class WeightFile:
    """One file beside the manifest; `size` is None where the manifest gives none."""

    name: str
    sha256: str
    size: int | None


@dataclass(frozen=True, slots=True)
class Doors:
    """How a judge with two doors is fed: one for English words, one for pieces of Japanese and English.

    `vocabulary` is how many tokens of the shared tokenizer it knows; the number after the last of them stands for an empty
    row. After its first layers it makes a guess. A pair whose calibrated (`temperature`) guess of neutral reaches what
    `neutral` has for its manner is neutral, and read no further; a manner that is not there is always read to the end.
    """

    vocabulary: int
    temperature: float
    neutral: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class ModelEntry:
    """What the manifest says of one model.

    `labels` are the model's outputs in order (empty for an embedder), `dimension` the length of a vector
    (None for a judge), `temperature` the calibration per language (empty: not calibrated), `pooling` how the vectors
    of tokens become one. `parts` are further files by name: `rest`, `pieces` and `pieces_tokenizer` of a judge with two
    `doors` (None: it has one).
    """

    info: ModelInfo
    file: WeightFile
    max_tokens: int
    dimension: int | None
    labels: tuple[str, ...]
    temperature: Mapping[str, float]
    pooling: str = MEAN
    parts: Mapping[str, WeightFile] = field(default_factory=lambda: MappingProxyType({}))
    doors: Doors | None = None


@dataclass(frozen=True, slots=True)
class Manifest:
    """The models of one weights directory by kind, and the tokenizer they share."""

    models: Mapping[str, ModelEntry]
    tokenizer: WeightFile


class WeightSource(Protocol):
    """Where a model's files come from: the shipped directory, or a model that a person brought.

    Every failure is a ModelError that names the file and how to restore it.
    """

    @property
    def described_in(self) -> Path:
        """Return the file that describes the weights."""
        ...

    def info(self, kind: str) -> ModelInfo:
        """Return name, version and calibration of a model, without touching its weights."""
        ...

    def entry(self, kind: str) -> ModelEntry:
        """Return how a model is fed and read, without touching its weights."""
        ...

    def path(self, kind: str) -> Path:
        """Return the verified file of a model, of its `tokenizer`, or of one of the judge's further parts."""
        ...


class Weights:
    """The weights in one directory; without one, those installed with the program.

    Building it reads nothing. The manifest is read once, at the first question; a file is verified once, before
    its path is first given out: its size, then its SHA-256. Safe to share between threads. Every failure is a
    ModelError: `weights_missing`, `weights_damaged`, `weights_manifest_broken` or `model_kind_unknown`.
    """

    def __init__(self, directory: Path | None = None) -> None:
        self._directory = directory
        self._manifest: Manifest | None = None
        self._verified: set[str] = set()
        self._lock = Lock()

    @property
    def directory(self) -> Path:
        """The directory that holds the files, whether or not they are there."""
        return self._directory if self._directory is not None else Path(str(resources.files("lyra.models"))) / "weights"

    @property
    def described_in(self) -> Path:
        """The manifest."""
        return self.directory / MANIFEST

    def info(self, kind: str) -> ModelInfo:
        """Return name, version and calibration of a model, without touching its weights."""
        return self.entry(kind).info

    def entry(self, kind: str) -> ModelEntry:
        """Return all the manifest says of a model, without touching its weights."""
        models = self._read().models
        if kind not in models:
            raise ModelError("model_kind_unknown", kind=kind, known=", ".join(sorted(models)))
        return models[kind]

    def has(self, kind: str) -> bool:
        """Return whether the manifest has a model of a kind; a manifest that cannot be read has none."""
        try:
            return kind in self._read().models
        except ModelError:
            return False

    def lost(self, file: WeightFile) -> Path | None:
        """Return where a file should be if it is not there or has another size; its content is not looked at."""
        path = self.directory / file.name
        try:
            return None if file.size in (None, path.stat().st_size) else path
        except OSError:
            return path

    def path(self, kind: str) -> Path:
        """Return the verified file of a model; `tokenizer` names the one both models share, others a part of the judge."""
        file = self._file_of(kind)
        path = self.directory / file.name
        with self._lock:
            if file.name not in self._verified:
                _verify(path, file)
                self._verified.add(file.name)
        return path

    def _file_of(self, kind: str) -> WeightFile:
        if kind == TOKENIZER:
            return self._read().tokenizer
        parts = self.entry(_JUDGE).parts if self.has(_JUDGE) else {}
        return parts[kind] if kind in parts else self.entry(kind).file

    def _read(self) -> Manifest:
        with self._lock:
            if self._manifest is None:
                self._manifest = _load(self.directory / MANIFEST)
            return self._manifest


def _verify(path: Path, file: WeightFile) -> None:
    try:
        size = path.stat().st_size
        if file.size is not None and size != file.size:
            raise ModelError("weights_damaged", file=path)
        with path.open("rb") as stream:
            digest = hashlib.file_digest(stream, "sha256").hexdigest()
    except OSError as error:
        raise ModelError("weights_missing", file=path) from error
    if digest != file.sha256:
        raise ModelError("weights_damaged", file=path)


def _load(path: Path) -> Manifest:
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise ModelError("weights_missing", file=path) from error
    except UnicodeDecodeError as error:
        raise ModelError("weights_manifest_broken", file=path, reason="UTF-8") from error
    try:
        root = Part("", json.loads(text))
        if root.whole("schema_version") != SCHEMA_VERSION:
            raise ValueError(f"schema_version ≠ {SCHEMA_VERSION}")
        models = root.part("models")
        return Manifest(
            models=MappingProxyType({kind: _model(kind, models.part(kind)) for kind in models.names()}),
            tokenizer=_file(root.part(TOKENIZER)),
        )
    except (ValueError, RecursionError) as error:
        raise ModelError("weights_manifest_broken", file=path, reason=error) from error


def _model(kind: str, part: Part) -> ModelEntry:
    calibration = part.part("calibration") if part.has("calibration") else None
    temperature = calibration.part("temperature") if calibration else None
    info = ModelInfo(
        kind=kind,
        name=part.text("name"),
        version=part.text("version"),
        calibration_version=calibration.text("version") if calibration else None,
        languages=part.texts("languages") if part.has("languages") else (),
    )
    return ModelEntry(
        info=info,
        file=_file(part),
        max_tokens=part.whole("max_tokens"),
        dimension=part.whole("dimension") if part.has("dimension") else None,
        labels=part.texts("labels") if part.has("labels") else (),
        parts=MappingProxyType(_parts(part)),
        doors=_doors(part) if part.has(REST) else None,
        temperature=MappingProxyType({lang: temperature.positive(lang) for lang in temperature.names()} if temperature else {}),
    )


def _parts(part: Part) -> dict[str, WeightFile]:
    if not part.has(REST):
        return {}
    pieces = part.part(PIECES)
    return {REST: _file(part.part(REST)), PIECES: _file(pieces), PIECES_TOKENIZER: _file(pieces.part(TOKENIZER))}


def _doors(part: Part) -> Doors:
    vocabulary = part.whole("vocabulary")
    if not part.has("screen"):
        return Doors(vocabulary, 1.0, MappingProxyType({}))
    screen = part.part("screen")
    neutral = screen.part("neutral")
    least = {manner: neutral.positive(manner) for manner in neutral.names()}
    for manner, value in least.items():
        # Below a half, a pair could be called neutral whose guess is a side.
        if not _LEAST_NEUTRAL <= value <= 1.0:
            raise ValueError(neutral.where(manner))
    return Doors(vocabulary, screen.positive("temperature"), MappingProxyType(least))


def _file(part: Part) -> WeightFile:
    name, sha256 = part.text("file"), part.text("sha256")
    # A manifest names its neighbours: a path in it could make any file of the machine "the model".
    if not _FILE_NAME.fullmatch(name):
        raise ValueError(part.where("file"))
    if not _SHA256.fullmatch(sha256):
        raise ValueError(part.where("sha256"))
    return WeightFile(name=name, sha256=sha256, size=part.whole("bytes") if part.has("bytes") else None)
