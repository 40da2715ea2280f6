"""Models by name: found on disk, registered with their sums, put into use, and refused where they do not fit."""

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from lyra.core.errors import EXIT_BAD_INPUT, EXIT_DEPENDENCY, InvalidInput, LyraError, ModelError, NotFound
from lyra.core.model_card import Wanted
from lyra.core.records import Relation
from lyra.models.registry import read_registry
from lyra.models.shelf import Shelf
from lyra.models.weights import Weights
from tests.models.tiny import DIMENSION, REFUTING, SUPPORTING, Outputs, TinyWeights, embedding_rows, write_graph
from tests.models.tiny_public import write_public_model


@pytest.fixture
def shelf(tmp_path: Path, tiny: TinyWeights) -> Shelf:
    return Shelf(tmp_path / "home", Weights(tiny.directory))


@pytest.fixture
def judge(tmp_path: Path) -> Path:
    return write_public_model(tmp_path / "tiny-nli", "stance")


def names_in_use(shelf: Shelf) -> list[str]:
    return [model.info.name for model in shelf.models() if model.in_use]


def test_without_a_registry_the_shipped_models_are_in_use(shelf: Shelf) -> None:
    assert names_in_use(shelf) == ["tiny-stance", "tiny-embedder"]
    opened = shelf.open(1)
    assert (opened.stance.info.name, opened.embedder.info.name, opened.reranker) == ("tiny-stance", "tiny-embedder", None)
    assert not shelf.path.exists()
    opened.verify()


def test_a_judge_from_disk_judges_by_the_labels_of_its_configuration(shelf: Shelf, judge: Path) -> None:
    info = shelf.use(str(judge), Wanted())
    assert info is not None
    assert (info.name, info.kind, info.calibration_version, len(info.version)) == ("tiny-nli", "stance", None, 12)
    opened = shelf.open(1)
    opened.verify()
    assert opened.stance.info == info
    found = opened.stance.judge([(SUPPORTING, "word1"), (REFUTING, "word1")])
    assert [one.label for one in found] == [Relation.SUPPORTS, Relation.REFUTES]
    assert found[0].raw == found[0].supports


def test_labels_in_another_order_turn_the_meaning(shelf: Shelf, tmp_path: Path) -> None:
    turned = write_public_model(tmp_path / "turned", "stance", id2label={"0": "CONTRADICTION", "1": "ENTAILMENT", "2": "NEUTRAL"})
    shelf.use(str(turned), Wanted())
    assert shelf.open(1).stance.judge([(SUPPORTING, "word1")])[0].label is Relation.REFUTES


def test_an_embedder_and_a_re_ranker_from_disk_are_used_and_taken_back(shelf: Shelf, tmp_path: Path) -> None:
    shelf.use(str(write_public_model(tmp_path / "vectors", "embedder")), Wanted())
    shelf.use(str(write_public_model(tmp_path / "order" / "best", "reranker") / "onnx" / "model.onnx"), Wanted())
    opened = shelf.open(1)
    opened.verify()
    assert opened.embedder.embed(["word1"]).shape == (1, DIMENSION)
    assert opened.reranker is not None
    assert opened.reranker.info.name == "best"
    assert names_in_use(shelf) == ["tiny-stance", "best", "vectors"]
    assert shelf.use("none", Wanted(kind="reranker")) is None
    shelf.use("tiny-embedder", Wanted())
    assert names_in_use(shelf) == ["tiny-stance", "tiny-embedder"]
    assert shelf.open(1).reranker is None
    shelf.use("best", Wanted())
    assert "best" in names_in_use(shelf)


def test_the_first_token_speaks_for_the_text_where_the_model_says_so(shelf: Shelf, tmp_path: Path) -> None:
    folder = write_public_model(tmp_path / "first", "embedder")
    (folder / "1_Pooling").mkdir()
    (folder / "1_Pooling" / "config.json").write_text('{"pooling_mode_cls_token": true}', encoding="utf-8")
    shelf.use(str(folder), Wanted())
    first, second = shelf.open(1).embedder.embed(["word1", "word2 word3"])
    assert np.allclose(first, second)  # both begin with the same token


def test_judges_share_the_languages(shelf: Shelf, tmp_path: Path, judge: Path) -> None:
    japanese = write_public_model(tmp_path / "nihongo", "stance")
    shelf.use(str(judge), Wanted(languages=("en",)))
    shelf.use(str(japanese), Wanted(languages=("ja",)))
    opened = shelf.open(1)
    assert [one.info.name for one in opened.specialists] == ["nihongo", "tiny-nli"]
    assert opened.stance.info.name == "tiny-stance"
    assert names_in_use(shelf) == ["tiny-stance", "tiny-embedder", "nihongo", "tiny-nli"]
    shelf.use("tiny-nli", Wanted(languages=("en", "ja")))
    assert [one.info.name for one in shelf.open(1).specialists] == ["tiny-nli"]
    shelf.use("tiny-stance", Wanted())
    assert shelf.open(1).specialists == ()


def test_a_judge_that_names_no_language_judges_everything(shelf: Shelf, tmp_path: Path, judge: Path) -> None:
    shelf.use(str(write_public_model(tmp_path / "english", "stance")), Wanted(languages=("en",)))
    shelf.use(str(judge), Wanted())
    opened = shelf.open(1)
    assert (opened.stance.info.name, opened.specialists) == ("tiny-nli", ())
    assert names_in_use(shelf) == ["tiny-embedder", "tiny-nli"]


@pytest.mark.parametrize("name", ["lyra-stance-minlm", "", "no/such", "\0", "a" * 5000])
def test_an_unknown_name_answers_with_the_known_ones(shelf: Shelf, judge: Path, name: str) -> None:
    shelf.use(str(judge), Wanted())
    with pytest.raises(NotFound) as refusal:
        shelf.use(name, Wanted())
    assert refusal.value.code == "model_unknown"
    assert "tiny-stance, tiny-embedder, tiny-nli" in str(refusal.value)


@pytest.mark.parametrize(("name", "kind"), [("tiny-stance", "embedder"), ("tiny-embedder", "stance")])
def test_a_shipped_model_of_the_wrong_kind_is_refused_by_name(shelf: Shelf, name: str, kind: str) -> None:
    with pytest.raises(InvalidInput) as refusal:
        shelf.use(name, Wanted(kind=kind))
    assert (refusal.value.code, refusal.value.exit_code) == ("model_of_other_kind", EXIT_BAD_INPUT)
    assert name in str(refusal.value)
    assert not shelf.path.exists()


def test_a_graph_that_does_not_do_what_its_configuration_says_is_refused_by_name(shelf: Shelf, judge: Path) -> None:
    write_graph(judge / "onnx" / "model.onnx", Outputs(embedding_rows()))
    with pytest.raises(InvalidInput) as refusal:
        shelf.use(str(judge), Wanted())
    assert refusal.value.code == "model_of_no_use"
    assert "tiny-nli (4)" in str(refusal.value)
    assert not shelf.path.exists()


SPOILS: dict[str, tuple[Callable[[Path], object], str]] = {
    "no configuration": (lambda folder: (folder / "config.json").unlink(), "model_file_absent"),
    "no tokenizer": (lambda folder: (folder / "tokenizer.json").unlink(), "model_file_absent"),
    "a tokenizer that is none": (lambda folder: (folder / "tokenizer.json").write_text("{}"), "model_bad_tokenizer"),
    "torn JSON": (lambda folder: (folder / "config.json").write_text("{"), "broken_json"),
    "JSON of another kind": (lambda folder: (folder / "config.json").write_text("[]"), "broken_json"),
    "deep JSON": (lambda folder: (folder / "config.json").write_text("[" * 100_000), "broken_json"),
    "no graph": (lambda folder: (folder / "onnx" / "model.onnx").unlink(), "model_no_graph"),
    "a graph that is none": (lambda folder: (folder / "onnx" / "model.onnx").write_bytes(b"no graph"), "model_wrong_kind"),
    "two graphs": (
        lambda folder: (folder / "onnx" / "model.onnx").rename(folder / "onnx" / "a.onnx").with_name("b.onnx").touch(),
        "model_many_graphs",
    ),
}


@pytest.mark.parametrize("what", SPOILS)
def test_a_folder_that_is_not_whole_is_refused_and_nothing_is_written(shelf: Shelf, judge: Path, what: str) -> None:
    spoil, code = SPOILS[what]
    spoil(judge)
    with pytest.raises(LyraError) as refusal:
        shelf.use(str(judge), Wanted())
    assert refusal.value.code == code
    assert str(judge) in refusal.value.sentence("ja")
    assert not shelf.path.exists()


def test_a_file_that_is_no_graph_is_refused(shelf: Shelf, judge: Path) -> None:
    with pytest.raises(InvalidInput) as refusal:
        shelf.use(str(judge / "config.json"), Wanted())
    assert refusal.value.code == "model_no_graph"


@pytest.mark.parametrize("name", ["a b", "../x", "none", "猫", "x" * 201])
def test_a_name_that_could_not_be_typed_or_told_apart_is_refused(shelf: Shelf, judge: Path, name: str) -> None:
    with pytest.raises(InvalidInput) as refusal:
        shelf.use(str(judge), Wanted(name=name))
    assert refusal.value.code == "model_name_unusable"


def test_a_name_belongs_to_one_model(shelf: Shelf, judge: Path, tmp_path: Path) -> None:
    shelf.use(str(judge), Wanted())
    other = write_public_model(tmp_path / "elsewhere" / "tiny-nli", "stance")
    for name in (None, "tiny-stance"):
        with pytest.raises(InvalidInput) as refusal:
            shelf.use(str(other), Wanted(name=name))
        assert refusal.value.code == "model_name_taken"
    assert shelf.use(str(other), Wanted(name="second")) is not None


def test_a_changed_file_is_found_with_how_to_restore_it(shelf: Shelf, judge: Path) -> None:
    shelf.use(str(judge), Wanted())
    graph = judge / "onnx" / "model.onnx"
    content = bytearray(graph.read_bytes())
    content[-20] ^= 1
    graph.write_bytes(content)
    opened = shelf.open(1)
    with pytest.raises(ModelError) as refusal:
        opened.verify()
    assert (refusal.value.code, refusal.value.exit_code) == ("model_part_damaged", EXIT_DEPENDENCY)
    for lang in ("en", "ja"):
        assert str(graph) in refusal.value.sentence(lang)
        assert f"`lyra models use {judge}`" in refusal.value.sentence(lang)
    with pytest.raises(ModelError):
        opened.stance.judge([("word1", "word2")])


@pytest.mark.parametrize("name", ["onnx/model.onnx", "tokenizer.json"])
def test_a_missing_file_is_found_by_listing_by_use_and_by_checking(shelf: Shelf, judge: Path, name: str) -> None:
    shelf.use(str(judge), Wanted())
    (judge / name).unlink()
    assert shelf.models()[-1].problem == str(judge / name)
    acts: list[Callable[[], object]] = [lambda: shelf.use("tiny-nli", Wanted()), shelf.open(1).verify]
    for act in acts:
        with pytest.raises(ModelError) as refusal:
            act()
        assert refusal.value.code == "model_part_missing"
        assert str(judge / name) in str(refusal.value)


def test_registering_again_gives_changed_files_a_version_of_their_own(shelf: Shelf, judge: Path) -> None:
    first = shelf.use(str(judge), Wanted())
    assert shelf.use(str(judge), Wanted()) == first
    again = shelf.use(str(judge), Wanted(labels=("neutral", "entailment", "contradiction")))
    assert first is not None
    assert again is not None
    assert again.version != first.version


def test_weights_beside_the_graph_belong_to_the_model(shelf: Shelf, judge: Path) -> None:
    (judge / "onnx" / "model.onnx_data").write_bytes(b"weights")
    shelf.use(str(judge), Wanted())
    (judge / "onnx" / "model.onnx_data").write_bytes(b"weightz")
    with pytest.raises(ModelError, match="onnx_data"):
        shelf.open(1).verify()


def test_a_shipped_re_ranker_is_used_unless_it_is_turned_off(shelf: Shelf, tiny: TinyWeights, tmp_path: Path) -> None:
    source = write_public_model(tmp_path / "r", "reranker") / "onnx" / "model.onnx"
    (tiny.directory / "reranker.onnx").write_bytes(source.read_bytes())
    tiny._describe("reranker", {})
    again = Shelf(tmp_path / "home", Weights(tiny.directory))
    opened = again.open(1)
    opened.verify()
    assert opened.reranker is not None
    assert opened.reranker.score("word1", [SUPPORTING])[0] > 0.9
    again.use("none", Wanted(kind="reranker"))
    assert again.open(1).reranker is None
    again.use("tiny-reranker", Wanted())
    assert again.open(1).reranker is not None


def test_nothing_but_the_re_ranker_can_be_turned_off(shelf: Shelf) -> None:
    for kind in (None, "stance", "embedder"):
        with pytest.raises(InvalidInput) as refusal:
            shelf.use("none", Wanted(kind=kind))
        assert refusal.value.code == "model_none_only_reranker"


@pytest.mark.parametrize(
    ("place", "value"),
    [
        (("schema_version",), 2),
        (("models",), []),
        (("in_use", "stance"), ["gone"]),
        (("in_use", "embedder"), "tiny-nli"),
        (("models", "tiny-nli", "kind"), "oracle"),
        (("models", "tiny-nli", "origin"), "thin air"),
        (("models", "tiny-nli", "labels"), ["supports"]),
        (("models", "tiny-nli", "pooling"), "max"),
        (("models", "tiny-nli", "dimension"), 4),
        (("models", "tiny-nli", "files"), {}),
        (("models", "tiny-nli", "files", "graph", "bytes"), "many"),
    ],
)
def test_a_registry_that_does_not_fit_is_refused_at_its_place(
    shelf: Shelf, judge: Path, place: tuple[str, ...], value: object
) -> None:
    shelf.use(str(judge), Wanted())
    root = json.loads(shelf.path.read_text(encoding="utf-8"))
    inner = root
    for key in place[:-1]:
        inner = inner[key]
    inner[place[-1]] = value
    shelf.path.write_text(json.dumps(root), encoding="utf-8")
    with pytest.raises(ModelError) as refusal:
        shelf.open(1)
    assert refusal.value.code == "model_registry_broken"
    assert str(shelf.path) in str(refusal.value)


@pytest.mark.parametrize("text", ["", "{", "null", "[" * 100_000, "\udcff"])
def test_a_registry_that_is_none_is_refused(shelf: Shelf, text: str) -> None:
    shelf.path.parent.mkdir()
    shelf.path.write_bytes(text.encode("utf-8", "surrogateescape"))
    with pytest.raises(ModelError) as refusal:
        read_registry(shelf.path)
    assert refusal.value.code == "model_registry_broken"


def test_a_home_that_cannot_be_written_keeps_its_registry(shelf: Shelf, judge: Path, tmp_path: Path) -> None:
    (tmp_path / "home").write_text("a file, no folder", encoding="utf-8")
    with pytest.raises(ModelError) as refusal:
        shelf.use(str(judge), Wanted())
    assert refusal.value.code in ("model_registry_broken", "model_registry_unwritable")
