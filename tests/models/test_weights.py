import json
import subprocess
import sys
from pathlib import Path

import pytest

from lyra.core.errors import EXIT_DEPENDENCY, ModelError
from lyra.core.records import ModelInfo
from lyra.models.stance import OnnxStance
from lyra.models.weights import Weights
from tests.models.tiny import TinyWeights


def test_the_manifest_names_model_version_and_calibration(weights: Weights) -> None:
    assert weights.info("stance") == ModelInfo("stance", "tiny-stance", "7", "c1", ("en", "ja"))
    assert weights.info("embedder") == ModelInfo("embedder", "tiny-embedder", "7")


def test_building_weights_reads_nothing(tmp_path: Path) -> None:
    assert Weights(tmp_path / "absent").directory == tmp_path / "absent"


def test_without_a_directory_the_installed_weights_are_meant() -> None:
    assert Weights().directory.parts[-3:] == ("lyra", "models", "weights")


def test_naming_a_model_imports_no_runtime(tiny: TinyWeights) -> None:
    program = (
        "import sys; from pathlib import Path; from lyra.models.weights import Weights;"
        "from lyra.models.stance import OnnxStance; from lyra.models.embedder import OnnxEmbedder;"
        "weights = Weights(Path(sys.argv[1])); OnnxStance(weights).info; OnnxEmbedder(weights).dimension;"
        "sys.exit(bool({'numpy', 'onnxruntime', 'tokenizers'} & set(sys.modules)))"
    )
    source = Path(__file__).parents[2] / "src"
    run = subprocess.run([sys.executable, "-c", program, str(tiny.directory)], env={"PYTHONPATH": str(source)}, check=False)
    assert run.returncode == 0


def test_a_whole_file_is_given_out_by_its_path(tiny: TinyWeights, weights: Weights) -> None:
    assert weights.path("stance") == tiny.directory / "stance.onnx"
    assert weights.path("tokenizer") == tiny.directory / "tokenizer.json"


def test_a_file_is_verified_once(tiny: TinyWeights, weights: Weights) -> None:
    weights.path("stance")
    (tiny.directory / "stance.onnx").unlink()
    assert weights.path("stance") == tiny.directory / "stance.onnx"


@pytest.mark.parametrize("name", ["stance.onnx", "tokenizer.json"])
def test_a_missing_file_is_named_with_the_way_to_restore_it(tiny: TinyWeights, weights: Weights, name: str) -> None:
    (tiny.directory / name).unlink()
    with pytest.raises(ModelError) as caught:
        weights.path(name.split(".", maxsplit=1)[0])
    assert caught.value.code == "weights_missing"
    assert caught.value.exit_code == EXIT_DEPENDENCY
    for lang, restore in (("en", "reinstall"), ("ja", "入れ直して")):
        assert str(tiny.directory / name) in caught.value.sentence(lang)
        assert restore in caught.value.sentence(lang)


def test_a_missing_manifest_is_a_missing_file(tmp_path: Path) -> None:
    with pytest.raises(ModelError) as caught:
        Weights(tmp_path).info("stance")
    assert caught.value.code == "weights_missing"
    assert "manifest.json" in str(caught.value)


def test_a_file_of_another_size_is_damaged(tiny: TinyWeights, weights: Weights) -> None:
    with (tiny.directory / "stance.onnx").open("ab") as stream:
        stream.write(b"x")
    with pytest.raises(ModelError) as caught:
        weights.path("stance")
    assert caught.value.code == "weights_damaged"
    assert "stance.onnx" in str(caught.value)


@pytest.mark.parametrize("name", ["stance.onnx", "tokenizer.json"])
def test_a_file_of_equal_size_and_other_content_is_damaged(tiny: TinyWeights, weights: Weights, name: str) -> None:
    content = bytearray((tiny.directory / name).read_bytes())
    content[len(content) // 2] ^= 1
    (tiny.directory / name).write_bytes(content)
    for _ in range(2):  # a refusal is never remembered as a success
        with pytest.raises(ModelError) as caught:
            weights.path(name.split(".", maxsplit=1)[0])
        assert caught.value.code == "weights_damaged"
    assert "壊れています" in caught.value.sentence("ja")


def test_an_unknown_kind_answers_with_the_known_ones(weights: Weights) -> None:
    with pytest.raises(ModelError) as caught:
        weights.info("stnace")
    assert caught.value.code == "model_kind_unknown"
    assert str(caught.value) == "There is no model of kind 'stnace': use one of embedder, stance."


@pytest.mark.parametrize(
    "text", ["", "{", "[]", "null", "[" * 100_000, '{"schema_version": 2}', '{"schema_version": 1}', "\udcff"]
)
def test_a_manifest_that_is_none_is_broken(tiny: TinyWeights, text: str) -> None:
    (tiny.directory / "manifest.json").write_bytes(text.encode("utf-8", "surrogateescape"))
    with pytest.raises(ModelError) as caught:
        Weights(tiny.directory).info("stance")
    assert caught.value.code == "weights_manifest_broken"
    assert "manifest.json" in str(caught.value)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("file", "../stance.onnx"),
        ("file", "/etc/hostname"),
        ("file", "..\\stance.onnx"),
        ("file", ".."),
        ("sha256", "abc"),
        ("bytes", "many"),
        ("bytes", True),
        ("max_tokens", 0),
        ("name", None),
        ("labels", "supports"),
        ("calibration", {"version": "c1", "temperature": {"en": 0}}),
        ("calibration", {"version": "c1", "temperature": {"en": "warm"}}),
        ("calibration", {"temperature": {"en": 1.0}}),
        ("calibration", []),
    ],
)
def test_an_entry_that_does_not_fit_is_named(tiny: TinyWeights, key: str, value: object) -> None:
    tiny.stance(**{key: value})
    with pytest.raises(ModelError) as caught:
        Weights(tiny.directory).info("stance")
    assert caught.value.code == "weights_manifest_broken"
    assert f"models.stance.{key}" in str(caught.value)


def test_an_entry_that_is_no_longer_used_is_passed_over(tiny: TinyWeights) -> None:
    tiny.stance(cues={"file": "cues.json", "bytes": 1, "sha256": "0" * 64})
    weights = Weights(tiny.directory)
    assert weights.entry("stance").parts == {}
    assert OnnxStance(weights).judge([("word1 word2", "word1")])[0].supports > 0


def test_a_temperature_that_is_no_number_is_refused(tiny: TinyWeights) -> None:
    tiny.stance(calibration={"version": "c1", "temperature": {"en": float("nan")}})
    assert "NaN" in json.dumps(tiny.manifest)
    with pytest.raises(ModelError, match="temperature"):
        Weights(tiny.directory).info("stance")
