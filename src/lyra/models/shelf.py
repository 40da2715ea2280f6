"""The shelf: the shipped models and those a person brought, which of them are in use, and opening them."""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from lyra.core.errors import InvalidInput, ModelError, NotFound
from lyra.core.model_card import EMBEDDER, MODEL_KINDS, RERANKER, STANCE, Wanted
from lyra.core.ports import Embedder, Reranker, StanceModel
from lyra.core.records import ModelInfo
from lyra.models.embedder import OnnxEmbedder
from lyra.models.examining import examine
from lyra.models.named import HUB, NamedModel, NamedWeights
from lyra.models.registry import NONE, REGISTRY_NAME, Registry, read_registry, write_registry
from lyra.models.reranker import OnnxReranker
from lyra.models.stance import OnnxStance
from lyra.models.weights import TOKENIZER, Weights, WeightSource

SHIPPED = "shipped"
_NAME = re.compile(r"[A-Za-z0-9][\w.-]*(/[A-Za-z0-9][\w.-]*)?", re.ASCII)
_LONGEST_NAME = 200


@dataclass(frozen=True, slots=True)
class ShelfModel:
    """One model as it is listed. `problem` names the file that is missing or has another size, if any."""

    info: ModelInfo
    origin: str
    source: str
    in_use: bool
    size: int | None = None
    problem: str | None = None


@dataclass(frozen=True, slots=True)
class OpenModels:
    """The models in use. `verify` raises ModelError unless all their files are there and unchanged."""

    embedder: Embedder
    stance: StanceModel
    reranker: Reranker | None
    specialists: tuple[StanceModel, ...]
    verify: Callable[[], None]


class Shelf:
    """The models of a home directory, beside those that are shipped. Reading it loads no model."""

    def __init__(self, home: Path, shipped: Weights) -> None:
        self.path = home / REGISTRY_NAME
        self._shipped = shipped

    def models(self) -> list[ShelfModel]:
        """Return every model that can be used by name, the shipped ones first. Raises ModelError."""
        registry = read_registry(self.path)
        shipped = [self._shipped_model(kind, registry) for kind in MODEL_KINDS if self._shipped.has(kind)]
        used = {*registry.judges, registry.embedder, registry.reranker}
        named = [
            ShelfModel(model.info, model.origin, model.source, model.name in used, model.size, model.missing())
            for _, model in sorted(registry.models.items())
        ]
        return [*shipped, *named]

    def _shipped_model(self, kind: str, registry: Registry) -> ShelfModel:
        entry = self._shipped.entry(kind)
        files = (entry.file, *entry.parts.values())
        in_use = {
            # A judge that names its languages leaves the others to the shipped one.
            STANCE: all(registry.models[name].languages for name in registry.judges),
            EMBEDDER: registry.embedder is None,
            RERANKER: registry.reranker is None,
        }[kind]
        problem = next((str(path) for path in map(self._shipped.lost, files) if path is not None), None)
        size = sum(file.size or 0 for file in files) or None
        return ShelfModel(entry.info, SHIPPED, str(self._shipped.directory), in_use, size, problem)

    def use(self, model: str, wanted: Wanted) -> ModelInfo | None:
        """Put a model into use, by its name or by where it lies on disk, and return it; None when one was turned off.

        Raises NotFound, with the known names, for what is neither; InvalidInput for a model of the wrong kind.
        """
        registry = read_registry(self.path)
        if model == NONE:
            if wanted.kind != RERANKER:
                raise InvalidInput("model_none_only_reranker", kind=wanted.kind or "?")
            write_registry(self.path, registry.without(RERANKER, turned_off=True))
            return None
        shipped = self._shipped_info(model)
        if shipped is not None:
            _refuse_other_kind(shipped, wanted.kind)
            write_registry(self.path, registry.without(shipped.kind))
            return shipped
        if model in registry.models and not wanted.labels:
            known = registry.models[model]
            _refuse_other_kind(known.info, wanted.kind)
            if (lost := known.missing()) is not None:
                raise ModelError("model_part_missing", file=lost, name=known.name, command=known.restore)
            known = replace(known, languages=wanted.languages or known.languages)
            write_registry(self.path, registry.with_model(known).using(known.name))
            return known.info
        found = self.examined(Path(model), model, wanted)
        write_registry(self.path, registry.with_model(found).using(found.name))
        return found.info

    def examined(self, place: Path, shown: str, wanted: Wanted) -> NamedModel:
        """Return a model on disk under a name that is free for it. Raises NotFound with the known names."""
        registry = read_registry(self.path)
        try:
            exists = bool(shown.strip()) and place.exists()
        except (OSError, ValueError):
            exists = False
        if not exists:
            raise NotFound("model_unknown", name=shown, known=", ".join(self.names()))
        model = examine(place, wanted)
        self._refuse_taken_name(model, registry)
        return model

    def add_pulled(self, folder: Path, graph: str, wanted: Wanted, source: str) -> ModelInfo:
        """Register a model that was pulled from a hub, without using it."""
        registry = read_registry(self.path)
        model = examine(folder / graph, wanted, HUB, source)
        self._refuse_taken_name(model, registry)
        write_registry(self.path, registry.with_model(model))
        return model.info

    def names(self) -> list[str]:
        """Return the names of all models, the shipped ones first."""
        return [model.info.name for model in self.models()]

    def _refuse_taken_name(self, model: NamedModel, registry: Registry) -> None:
        if not _NAME.fullmatch(model.name) or len(model.name) > _LONGEST_NAME or model.name == NONE:
            raise InvalidInput("model_name_unusable", name=model.name)
        known = registry.models.get(model.name)
        elsewhere = known is not None and known.source.partition("@")[0] != model.source.partition("@")[0]
        if elsewhere or self._shipped_info(model.name) is not None:
            raise InvalidInput("model_name_taken", name=model.name)

    def _shipped_info(self, name: str) -> ModelInfo | None:
        infos = (self._shipped.info(kind) for kind in MODEL_KINDS if self._shipped.has(kind))
        return next((info for info in infos if info.name == name), None)

    def open(self, threads: int | None) -> OpenModels:
        """Return the models in use. Weights are read when they are first needed. Raises ModelError for a broken registry."""
        registry = read_registry(self.path)
        chosen = [*registry.judges, *filter(None, (registry.embedder, registry.reranker))]
        named = {name: NamedWeights(registry.models[name], self.path) for name in chosen if name != NONE}
        judges = [OnnxStance(named[name], threads) for name in registry.judges]
        general = next((judge for judge in judges if not judge.info.languages), None)
        reranking: WeightSource | None = self._shipped if self._shipped.has(RERANKER) else None
        if registry.reranker is not None:
            reranking = named.get(registry.reranker)
        needed: list[tuple[WeightSource, str]] = [(named[name], registry.models[name].kind) for name in named]
        if general is None:
            needed.append((self._shipped, STANCE))
        if registry.embedder is None:
            needed.append((self._shipped, EMBEDDER))
        if reranking is self._shipped:
            needed.append((self._shipped, RERANKER))

        def verify() -> None:
            for source, kind in needed:
                source.path(TOKENIZER)
                source.path(kind)
                for part in source.entry(kind).parts:
                    source.path(part)

        return OpenModels(
            embedder=OnnxEmbedder(named[registry.embedder] if registry.embedder else self._shipped, threads),
            stance=general or OnnxStance(self._shipped, threads),
            reranker=None if reranking is None else OnnxReranker(reranking, threads),
            specialists=tuple(judge for judge in judges if judge.info.languages),
            verify=verify,
        )


def _refuse_other_kind(info: ModelInfo, wanted: str | None) -> None:
    if wanted is not None and wanted != info.kind:
        raise InvalidInput("model_of_other_kind", name=info.name, found=info.kind, wanted=wanted)
