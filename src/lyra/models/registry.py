"""The registry of a home directory: which models a person brought, and which of them are in use."""

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from lyra.core.errors import ModelError
from lyra.core.model_card import EMBEDDER, FIRST_TOKEN, MEAN, MODEL_KINDS, RERANKER, STANCE
from lyra.core.records import Relation
from lyra.models.named import DISK, GRAPH, HUB, FilePart, NamedModel
from lyra.models.reading import Part
from lyra.models.weights import TOKENIZER

REGISTRY_NAME = "models.json"
SCHEMA_VERSION = 1
NONE = "none"
_LARGEST_REGISTRY = 4_000_000


@dataclass(frozen=True, slots=True)
class Registry:
    """What the file says. `judges` are asked in order, each for the languages it names.

    `embedder` and `reranker` are names of registered models, None for the shipped one; `reranker` may be `none`.
    """

    models: Mapping[str, NamedModel] = field(default_factory=dict)
    judges: tuple[str, ...] = ()
    embedder: str | None = None
    reranker: str | None = None

    def with_model(self, model: NamedModel) -> "Registry":
        """Return the registry with a model added, or replaced where the name is known."""
        return replace(self, models={**self.models, model.name: model})

    def using(self, name: str) -> "Registry":
        """Return the registry with a registered model in use.

        A judge that names its languages is asked first for pairs in them, and earlier choices keep the others; one that
        names none judges everything.
        """
        model = self.models[name]
        if model.kind == EMBEDDER:
            return replace(self, embedder=name)
        if model.kind == RERANKER:
            return replace(self, reranker=name)
        covered = set(model.languages)
        others = [one for one in self.judges if one != name and model.languages]
        kept = [one for one in others if not self.models[one].languages or not set(self.models[one].languages) <= covered]
        return replace(self, judges=(name, *kept))

    def without(self, kind: str, *, turned_off: bool = False) -> "Registry":
        """Return the registry with the shipped model of a kind in use again, or with none (`turned_off`, re-ranker only)."""
        if kind == STANCE:
            return replace(self, judges=())
        if kind == EMBEDDER:
            return replace(self, embedder=None)
        return replace(self, reranker=NONE if turned_off else None)


def read_registry(path: Path) -> Registry:
    """Return what the registry says; a home without one has no models but the shipped ones. Raises ModelError."""
    try:
        if path.stat().st_size > _LARGEST_REGISTRY:
            raise ModelError("model_registry_broken", file=path, reason=f"> {_LARGEST_REGISTRY}")
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return Registry()
    except (OSError, UnicodeDecodeError) as error:
        raise ModelError("model_registry_broken", file=path, reason=getattr(error, "strerror", None) or "UTF-8") from error
    try:
        root = Part("", json.loads(text))
        if root.whole("schema_version") != SCHEMA_VERSION:
            raise ValueError(f"schema_version ≠ {SCHEMA_VERSION}")
        listed, in_use = root.part("models"), root.part("in_use")
        models = {name: _model(name, listed.part(name)) for name in listed.names()}
        return Registry(
            models=models,
            judges=tuple(_known(models, STANCE, name) for name in in_use.texts(STANCE)),
            embedder=_chosen(models, EMBEDDER, in_use),
            reranker=NONE if in_use.has(RERANKER) and in_use.text(RERANKER) == NONE else _chosen(models, RERANKER, in_use),
        )
    except (ValueError, RecursionError) as error:
        raise ModelError("model_registry_broken", file=path, reason=error) from error


def _chosen(models: Mapping[str, NamedModel], kind: str, in_use: Part) -> str | None:
    return _known(models, kind, in_use.text(kind)) if in_use.has(kind) else None


def _known(models: Mapping[str, NamedModel], kind: str, name: str) -> str:
    if name not in models or models[name].kind != kind:
        raise ValueError(f"in_use.{kind}: {name}")
    return name


def _model(name: str, part: Part) -> NamedModel:
    files = part.part("files")
    parts = {key: _file(files.part(key)) for key in files.names()}
    if not {GRAPH, TOKENIZER} <= set(parts):
        raise ValueError(part.where("files"))
    model = NamedModel(
        name=name,
        kind=part.text("kind"),
        version=part.text("version"),
        origin=part.text("origin"),
        source=part.text("source"),
        max_tokens=part.whole("max_tokens"),
        files=parts,
        labels=part.texts("labels"),
        languages=part.texts("languages"),
        dimension=part.whole("dimension") if part.has("dimension") else None,
        pooling=part.text("pooling"),
    )
    sound = {
        "kind": model.kind in MODEL_KINDS,
        "origin": model.origin in (HUB, DISK),
        "labels": sorted(model.labels) == (sorted(Relation) if model.kind == STANCE else []),
        "pooling": model.pooling in (MEAN, FIRST_TOKEN),
        "dimension": (model.dimension is not None) == (model.kind == EMBEDDER),
    }
    for key, fits in sound.items():
        if not fits:
            raise ValueError(part.where(key))
    return model


def _file(part: Part) -> FilePart:
    return FilePart(part.text("path"), part.text("sha256"), part.whole("bytes"))


def write_registry(path: Path, registry: Registry) -> None:
    """Write the registry whole or not at all: into a new file that then takes the name. Raises ModelError."""
    value = {
        "schema_version": SCHEMA_VERSION,
        "models": {name: _as_json(model) for name, model in sorted(registry.models.items())},
        "in_use": {STANCE: list(registry.judges), EMBEDDER: registry.embedder, RERANKER: registry.reranker},
    }
    draft = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            with draft.open("w", encoding="utf-8") as stream:
                stream.write(json.dumps(value, ensure_ascii=False, indent=1) + "\n")
                stream.flush()
                os.fsync(stream.fileno())
            draft.replace(path)
        except BaseException:
            draft.unlink(missing_ok=True)
            raise
    except OSError as error:
        raise ModelError("model_registry_unwritable", file=path, reason=error.strerror) from error


def _as_json(model: NamedModel) -> dict[str, object]:
    return {
        "kind": model.kind,
        "version": model.version,
        "origin": model.origin,
        "source": model.source,
        "max_tokens": model.max_tokens,
        "labels": list(model.labels),
        "languages": list(model.languages),
        "dimension": model.dimension,
        "pooling": model.pooling,
        "files": {key: {"path": part.path, "sha256": part.sha256, "bytes": part.size} for key, part in model.files.items()},
    }
