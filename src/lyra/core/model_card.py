"""What a model's own configuration says of it: which work it does, and what its outputs mean. Reads nothing, runs nothing."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from lyra.core.errors import InvalidInput
from lyra.core.records import Relation

STANCE, EMBEDDER, RERANKER = "stance", "embedder", "reranker"
MODEL_KINDS = (STANCE, EMBEDDER, RERANKER)
MEAN, FIRST_TOKEN = "mean", "first_token"

_CLASSIFIER = "ForSequenceClassification"
_PLAIN_ENCODER = "Model"
# The names that public models give the three outcomes, in any case.
_RELATIONS = {
    Relation.SUPPORTS: ("entailment", "entail", "entails", "entailed", "supports", "support", "supported"),
    Relation.REFUTES: ("contradiction", "contradict", "contradicts", "contradictory", "refutes", "refute", "refuted"),
    Relation.NEUTRAL: ("neutral", "neutrality", "not enough info", "nei"),
}
_MEANING = {name: relation for relation, names in _RELATIONS.items() for name in names}
# Positions of these families begin after the padding position, so two of them are never used.
_SHIFTED_POSITIONS = ("roberta", "camembert", "mpnet", "longformer")
_LONGEST_WINDOW = 512
# A tokenizer that knows no limit says so by an absurd number.
_NO_LIMIT = 1_000_000


@dataclass(frozen=True, slots=True)
class ModelFiles:
    """The configuration files of one model, parsed; those that it does not have are empty."""

    config: Mapping[str, object]
    tokenizer_config: Mapping[str, object]
    pooling: Mapping[str, object]
    is_sentence_transformer: bool


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a person says of a model: under which name, as which kind, what its outputs mean, which languages it reads."""

    name: str | None = None
    kind: str | None = None
    labels: tuple[str, ...] = ()
    languages: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ModelCard:
    """What a model does. `labels` are its outputs in order (stance only), `pooling` how token vectors become one."""

    kind: str
    max_tokens: int
    labels: tuple[Relation, ...] = ()
    pooling: str = MEAN


def read_card(name: str, files: ModelFiles, wanted: str | None, labels: Sequence[str]) -> ModelCard:
    """Return what a model does, or refuse it by name.

    `wanted` is the kind that it must be; `labels` are given by a person where the configuration does not name the
    outputs. Raises InvalidInput for a model that does something else, or does not say which output means what.
    """
    kind = _kind(name, files, labels)
    if wanted is not None and wanted != kind:
        raise InvalidInput("model_of_other_kind", name=name, found=kind, wanted=wanted)
    return ModelCard(
        kind=kind,
        max_tokens=_window(files),
        labels=_relations(name, _outputs(files.config), labels) if kind == STANCE else (),
        pooling=_pooling(name, files.pooling) if kind == EMBEDDER else MEAN,
    )


def _kind(name: str, files: ModelFiles, labels: Sequence[str]) -> str:
    stated = files.config.get("architectures")
    architecture = str(stated[0]) if isinstance(stated, list) and stated else "?"
    outputs = _outputs(files.config)
    if architecture.endswith(_CLASSIFIER):
        if len(outputs) == 1:
            return RERANKER
        if len(outputs) == len(Relation) and (labels or _meant(outputs) or _unnamed(outputs)):
            return STANCE
    elif files.is_sentence_transformer or architecture.endswith(_PLAIN_ENCODER):
        return EMBEDDER
    shown = f"{architecture}: {', '.join(outputs)}" if outputs else architecture
    raise InvalidInput("model_of_no_use", name=name, detail=shown)


def _outputs(config: Mapping[str, object]) -> list[str]:
    """Return the names of the outputs in order; what is not numbered from 0 on is no order."""
    named = config.get("id2label")
    if not isinstance(named, Mapping):
        return []
    numbered = {str(key): str(value) for key, value in named.items()}
    wanted = [str(number) for number in range(len(numbered))]
    return [numbered[number] for number in wanted] if set(numbered) == set(wanted) else []


def _meant(names: Sequence[str]) -> list[Relation] | None:
    found = [_MEANING.get(" ".join(name.lower().replace("_", " ").replace("-", " ").split())) for name in names]
    relations = [relation for relation in found if relation is not None]
    return relations if len(names) == len(Relation) and set(relations) == set(Relation) else None


def _unnamed(names: Sequence[str]) -> bool:
    return all(name.upper() == f"LABEL_{number}" for number, name in enumerate(names))


def _relations(name: str, outputs: Sequence[str], given: Sequence[str]) -> tuple[Relation, ...]:
    relations = _meant(given or outputs)
    if relations is None:
        raise InvalidInput("model_labels_unclear", name=name, labels=", ".join(given or outputs))
    return tuple(relations)


def _window(files: ModelFiles) -> int:
    limits = [_LONGEST_WINDOW]
    positions, family = files.config.get("max_position_embeddings"), str(files.config.get("model_type", ""))
    if isinstance(positions, int) and positions > 0:
        limits.append(positions - 2 if any(part in family for part in _SHIFTED_POSITIONS) else positions)
    stated = files.tokenizer_config.get("model_max_length")
    if isinstance(stated, (int, float)) and 0 < stated < _NO_LIMIT:
        limits.append(int(stated))
    return max(8, min(limits))


def _pooling(name: str, pooling: Mapping[str, object]) -> str:
    if pooling.get("pooling_mode_cls_token") is True:
        return FIRST_TOKEN
    if pooling and pooling.get("pooling_mode_mean_tokens") is not True:
        used = ", ".join(sorted(key for key, value in pooling.items() if key.startswith("pooling_mode") and value is True))
        raise InvalidInput("model_of_no_use", name=name, detail=used or "pooling")
    return MEAN
