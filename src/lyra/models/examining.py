"""Looking at a model on disk before it is registered: its files, what it says of itself, and what its graph really does."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from lyra.core.errors import InvalidInput, NotFound
from lyra.core.model_card import EMBEDDER, RERANKER, STANCE, ModelCard, ModelFiles, Wanted, read_card
from lyra.models.named import DISK, GRAPH, FilePart, NamedModel, measure, version_of
from lyra.models.weights import TOKENIZER

if TYPE_CHECKING:  # importing numpy and onnxruntime costs time that a listing must not pay
    import numpy as np
    from numpy.typing import NDArray

SUFFIX = ".onnx"
TOKENIZER_FILE, CONFIG_FILE = "tokenizer.json", "config.json"
TOKENIZER_CONFIG_FILE, POOLING_FILE, MODULES_FILE = "tokenizer_config.json", "1_Pooling/config.json", "modules.json"
USUAL_GRAPHS = ("model.onnx", "onnx/model.onnx")
# How exporters name the weights that do not fit into the graph's own file.
DATA_SUFFIXES = ("_data", ".data")
_LARGEST_JSON = 20_000_000
_PREMISE, _HYPOTHESIS = "At sea level, water boils at 100 degrees Celsius.", "Water boils at 100 degrees Celsius."
_TEXT_AXES = (1, 2)


def examine(place: Path, wanted: Wanted, origin: str = DISK, source: str | None = None) -> NamedModel:
    """Return the model at `place`, a folder or an ONNX file, ready to be registered. Writes nothing.

    The graph is run once, so that a model of the wrong kind is refused now and not in the middle of a check. Raises
    NotFound or InvalidInput that names the file or the model, or ModelError for a graph that cannot be run.
    """
    graph = _graph(place)
    folder = _folder(graph, place)
    name = wanted.name or folder.name
    card = read_card(name, _files(folder), wanted.kind, wanted.labels)
    files = {GRAPH: _measured(graph), TOKENIZER: _measured(folder / TOKENIZER_FILE)}
    for suffix in DATA_SUFFIXES:
        beside = graph.with_name(graph.name + suffix)
        if beside.is_file():
            files["data"] = _measured(beside)
    dimension = _try(name, card, graph, folder / TOKENIZER_FILE)
    return NamedModel(
        name=name,
        kind=card.kind,
        version=version_of(files, card, dimension),
        origin=origin,
        source=source or str(place.absolute()),
        max_tokens=card.max_tokens,
        files=files,
        labels=tuple(card.labels),
        languages=wanted.languages,
        dimension=dimension,
        pooling=card.pooling,
    )


def _graph(place: Path) -> Path:
    if place.is_file():
        if place.suffix.lower() != SUFFIX:
            raise InvalidInput("model_no_graph", path=place)
        return place.absolute()
    for usual in USUAL_GRAPHS:
        if (place / usual).is_file():
            return (place / usual).absolute()
    found = sorted(path for folder in (place, place / "onnx") if folder.is_dir() for path in folder.glob(f"*{SUFFIX}"))
    if not found:
        raise InvalidInput("model_no_graph", path=place)
    if len(found) > 1:
        shown = ", ".join(str(path.relative_to(place)) for path in found)
        raise InvalidInput("model_many_graphs", path=place, files=shown)
    return found[0].absolute()


def _folder(graph: Path, place: Path) -> Path:
    """Return where the files beside the graph lie: its folder, or the one above, as hubs lay it out."""
    for folder in (graph.parent, graph.parent.parent):
        if (folder / CONFIG_FILE).is_file():
            if not (folder / TOKENIZER_FILE).is_file():
                raise NotFound("model_file_absent", path=place, file=TOKENIZER_FILE)
            return folder
    raise NotFound("model_file_absent", path=place, file=CONFIG_FILE)


def _files(folder: Path) -> ModelFiles:
    return ModelFiles(
        config=_object(folder / CONFIG_FILE),
        tokenizer_config=_object(folder / TOKENIZER_CONFIG_FILE),
        pooling=_object(folder / POOLING_FILE),
        is_sentence_transformer=(folder / POOLING_FILE).is_file() or (folder / MODULES_FILE).is_file(),
    )


def _object(path: Path) -> Mapping[str, object]:
    """Return the JSON object of a file; nothing where there is no file. Raises InvalidInput for anything else."""
    try:
        if path.stat().st_size > _LARGEST_JSON:
            raise InvalidInput("broken_json", path=path, detail=f"> {_LARGEST_JSON}")
        value = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, RecursionError) as error:
        raise InvalidInput("broken_json", path=path, detail=error) from error
    if not isinstance(value, dict):
        raise InvalidInput("broken_json", path=path, detail="{}")
    return value


def _measured(path: Path) -> FilePart:
    try:
        return measure(path)
    except OSError as error:
        raise NotFound("model_file_absent", path=path.parent, file=path.name) from error


def _try(name: str, card: ModelCard, graph: Path, tokenizer: Path) -> int | None:
    """Run the graph once; returns the length of its vectors for an embedder. Raises for what does not fit its kind."""
    from lyra.models.embedder import pool  # noqa: PLC0415 - see above
    from lyra.models.session import TextSession  # noqa: PLC0415 - see above

    session = TextSession(card.kind, graph, tokenizer, threads=1)
    pair = (_HYPOTHESIS, card.max_tokens // 2) if card.kind in (STANCE, RERANKER) else (None, 0)
    output = session.output(session.fit(_PREMISE, card.max_tokens, *pair))
    expected = {STANCE: (len(card.labels),), RERANKER: (1,)}
    if card.kind != EMBEDDER:
        if output.shape != expected[card.kind]:
            raise InvalidInput("model_of_no_use", name=name, detail=_shape(output))
        return None
    if output.ndim not in _TEXT_AXES:
        raise InvalidInput("model_of_no_use", name=name, detail=_shape(output))
    return int(pool(output, card.pooling).shape[0])


def _shape(output: "NDArray[np.float32]") -> str:
    return "×".join(map(str, output.shape)) or "1"
