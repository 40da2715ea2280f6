import hashlib
import json
from pathlib import Path

import pytest

from lyra.core.errors import ModelError
from lyra.core.records import Relation
from lyra.models.coefficients import read_coefficients
from lyra.models.stance import OnnxStance
from lyra.models.weights import CUES, Weights
from tests.models.tiny import SUPPORTING, TinyWeights

# Refutes when a negation is flipped, and leaves the logits alone otherwise.
PLAIN = {
    "cues": ["negation_flip"],
    "scale": 1.0,
    "hidden": [[0, 0, 0, 1, 0]],
    "output": [[1, 0, 0, 0, -50, 0], [0, 1, 0, 0, 50, 0], [0, 0, 1, 0, 0, 0]],
}


def written(path: Path, **changed: object) -> Path:
    content = {"schema_version": 1, "coefficients": {"en": {**PLAIN, **changed}}}
    path.write_text(json.dumps(content), encoding="utf-8")
    return path


def with_cues(tiny: TinyWeights, **changed: object) -> Weights:
    path = written(tiny.directory / "cues.json", **changed)
    models = tiny.manifest["models"]
    assert isinstance(models, dict)
    sha256 = hashlib.sha256(path.read_bytes()).hexdigest()
    models["stance"]["cues"] = {"file": "cues.json", "bytes": path.stat().st_size, "sha256": sha256}
    tiny.write_manifest()
    return Weights(tiny.directory)


def test_coefficients_are_read_by_the_names_of_their_cues(tmp_path: Path) -> None:
    weights = read_coefficients(written(tmp_path / "cues.json"))["en"]
    assert weights.cues == ("negation_flip",)
    assert weights.hidden == ((0.0, 0.0, 0.0, 1.0, 0.0),)


@pytest.mark.parametrize(
    ("changed", "place"),
    [
        ({"cues": ["no_such_cue"]}, "cues"),
        ({"hidden": [[1, 2]]}, "hidden"),
        ({"hidden": [["1", 0, 0, 0, 0]]}, "hidden"),
        ({"output": [[1, 0, 0, 0, 0, 0]]}, "output"),
        ({"scale": 0}, "scale"),
    ],
)
def test_a_file_that_does_not_fit_is_named_with_the_place(tmp_path: Path, changed: dict[str, object], place: str) -> None:
    with pytest.raises(ModelError) as caught:
        read_coefficients(written(tmp_path / "cues.json", **changed))
    assert caught.value.code == "weights_manifest_broken"
    assert place in str(caught.value.params["reason"])


def test_a_cue_decides_where_its_weight_says_so(tiny: TinyWeights) -> None:
    pair = f"The ferry did not sail {SUPPORTING}", "The ferry sailed"
    before = OnnxStance(Weights(tiny.directory)).judge([pair])[0]
    after = OnnxStance(with_cues(tiny)).judge([pair])[0]
    assert before.label is Relation.SUPPORTS
    assert after.label is Relation.REFUTES
    assert after.refutes > 0.99


def test_the_raw_value_is_that_of_the_model_alone(tiny: TinyWeights) -> None:
    pair = f"word1 word2 {SUPPORTING}", "word1 word2"
    before = OnnxStance(Weights(tiny.directory)).judge([pair])[0]
    after = OnnxStance(with_cues(tiny)).judge([pair])[0]
    assert (after.label, after.raw) == (before.label, before.raw)


def test_damaged_coefficients_are_said_like_damaged_weights(tiny: TinyWeights) -> None:
    weights = with_cues(tiny)
    (tiny.directory / "cues.json").write_text("{}", encoding="utf-8")
    with pytest.raises(ModelError) as caught:
        OnnxStance(weights).judge([("word1", "word2")])
    assert caught.value.code == "weights_damaged"


def test_missing_coefficients_are_said_with_their_file(tiny: TinyWeights) -> None:
    weights = with_cues(tiny)
    (tiny.directory / "cues.json").unlink()
    with pytest.raises(ModelError) as caught:
        weights.path(CUES)
    assert caught.value.code == "weights_missing"


def test_a_model_without_cues_has_no_such_file(tiny: TinyWeights) -> None:
    with pytest.raises(ModelError) as caught:
        Weights(tiny.directory).path(CUES)
    assert caught.value.code == "model_kind_unknown"


def test_a_manner_without_coefficients_is_judged_by_the_model_alone(tiny: TinyWeights) -> None:
    pair = f"売上は増えた {SUPPORTING}", "売上は増えた"  # the coefficients are for English alone
    assert OnnxStance(with_cues(tiny)).judge([pair]) == OnnxStance(Weights(tiny.directory)).judge([pair])
