"""The whole way with real model files, small enough to foresee what they say."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from lyra.app import models_of
from lyra.models.weights import Weights
from tests.interfaces.terminal import Terminal
from tests.models.tiny import TinyWeights, make_tiny_weights
from tests.models.tiny_doors import make_tiny_doors

CLAIM = "word1 word2 word3."


@pytest.fixture
def tiny(tmp_path: Path) -> TinyWeights:
    return make_tiny_weights(tmp_path / "weights")


@pytest.fixture
def library(tmp_path: Path) -> Path:
    folder = tmp_path / "library"
    folder.mkdir()
    for name, text in {
        "for.txt": "Word4 word5 word6. Agrees agrees agrees.",
        "against.txt": "denies denies denies.",
        "beside.txt": "word7 word8 word9 word7 word8.",
    }.items():
        (folder / name).write_text(text + "\n", encoding="utf-8")
    return folder


def with_weights(terminal: Terminal, tiny: TinyWeights) -> Terminal:
    return replace(terminal, models=lambda settings: models_of(Weights(tiny.directory), settings))


def test_claims_are_judged_by_the_files_on_disk(terminal: Terminal, tiny: TinyWeights, library: Path) -> None:
    ran = with_weights(terminal, tiny).run("check", CLAIM, "--library", library, "--json")
    assert (ran.code, ran.err) == (0, "")
    (claim,) = ran.json["claims"]
    relations = {Path(item["locator"]["path"]).stem: item["relation"] for item in claim["evidence"]}
    assert relations == {"for": "supports", "against": "refutes", "beside": "neutral"}
    (support,) = [item for item in claim["evidence"] if item["relation"] == "supports"]
    decisive = support["decisive"]
    assert support["quote"][decisive["start"] : decisive["end"]].strip() == "Agrees agrees agrees."
    assert ran.json["models"]["stance"]["calibration_version"] == "c1"


def test_claims_are_judged_by_a_judge_with_two_doors(terminal: Terminal, tmp_path: Path, library: Path) -> None:
    (library / "japanese.txt").write_text("日本語の日本語は、日本語の日本語の否の否は、日本語の否。\n", encoding="utf-8")
    shell = with_weights(terminal, make_tiny_doors(tmp_path / "doors"))
    ran = shell.run("check", CLAIM, "--library", library, "--json")
    assert (ran.code, ran.err) == (0, "")
    relations = {Path(item["locator"]["path"]).stem: item["relation"] for item in ran.json["claims"][0]["evidence"]}
    assert relations == {"for": "supports", "against": "refutes", "beside": "neutral", "japanese": "refutes"}
    assert ran.json["models"]["stance"]["calibration_version"] == "d1"


@pytest.mark.parametrize("name", ["stance_rest.onnx", "stance_pieces.onnx", "pieces_tokenizer.json"])
def test_the_doctor_looks_at_every_part_of_a_judge_with_two_doors(terminal: Terminal, tmp_path: Path, name: str) -> None:
    tiny = make_tiny_doors(tmp_path / "doors")
    shell = with_weights(terminal, tiny)
    assert {check["name"]: check["status"] for check in shell.run("doctor", "--json").json["checks"]}["models"] == "ok"
    (tiny.directory / name).unlink()
    ran = shell.run("doctor", "--json")
    assert ran.code == 3
    (said,) = [check for check in ran.json["checks"] if check["name"] == "models"]
    assert name in json.dumps(said)


def test_the_doctor_verifies_and_tries_the_files(terminal: Terminal, tiny: TinyWeights) -> None:
    checks = {check["name"]: check for check in with_weights(terminal, tiny).run("doctor", "--json").json["checks"]}
    assert checks["models"]["status"] == "ok"
    assert checks["judgement"]["status"] in ("ok", "warning")


@pytest.mark.parametrize("name", ["manifest.json", "stance.onnx", "embedder.onnx", "tokenizer.json"])
def test_a_damaged_or_missing_file_stops_a_check_before_it_writes(
    terminal: Terminal, tiny: TinyWeights, library: Path, name: str
) -> None:
    file = tiny.directory / name
    shell = with_weights(terminal, tiny)
    file.write_bytes(file.read_bytes()[:-1] + b"!")
    damaged = shell.run("check", CLAIM, "--library", library, "--json")
    assert (damaged.code, damaged.err.count("\n")) == (3, 1)
    assert damaged.json["error"]["code"] in ("weights_damaged", "weights_manifest_broken")
    file.unlink()
    assert shell.run("check", CLAIM, "--library", library, "--json").json["error"]["code"] == "weights_missing"
    assert shell.run("doctor", "--json").code == 3
    assert shell.run("status", "--json").json["counts"]["tasks"] == 0
