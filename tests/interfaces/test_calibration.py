"""Calibration from the command line: measuring, fitting, going back, and the picture."""

from pathlib import Path
from random import Random
from typing import Any
from xml.etree import ElementTree

import pytest

from lyra.core.records import ModelInfo
from lyra.store.evidence_store import open_store
from tests.answers import answer_all, simulated
from tests.fakes import SystemClock
from tests.interfaces.terminal import Terminal

MODEL = ModelInfo("stance", "keyword", "1", "none")


def answer(terminal: Terminal, count: int, temperature: float = 3.0, seed: int = 1) -> None:
    with open_store(terminal.home, SystemClock(), Random(seed)) as store:
        answer_all(store, simulated(count, temperature, seed), MODEL, str(seed))


def judge_version(terminal: Terminal) -> Any:
    return terminal.run("status", "--json").json["models"]["stance"]["calibration_version"]


def test_samples_are_counted_measured_and_drawn(terminal: Terminal, tmp_path: Path) -> None:
    answer(terminal, 40)
    assert "keyword/1: samples 40" in terminal.run("calibration", "stats").out
    picture = tmp_path / "reliability.svg"
    shown = terminal.run("calibration", "evaluate", "--picture", picture)
    assert shown.code == 0
    assert "ECE" in shown.out
    assert str(picture) in shown.out
    drawing = ElementTree.parse(picture).getroot()
    assert drawing.tag.endswith("svg")
    assert "keyword/1" in picture.read_text(encoding="utf-8")
    (kept,) = terminal.run("calibration", "history", "--json").json["evaluations"]
    assert kept["sample_count"] == 40
    assert sum(one["count"] for one in kept["bins"]) == 40
    assert {one["label"] for one in kept["classes"]} == {"supports", "refutes", "neutral"}


def test_a_fit_shows_both_sides_and_is_in_force_at_once(terminal: Terminal) -> None:
    answer(terminal, 160)
    assert judge_version(terminal) == "none"
    fitted = terminal.run("calibration", "fit")
    assert fitted.code == 0
    assert "fit-1" in fitted.out
    assert fitted.out.count("Brier") == 2
    assert judge_version(terminal) == "fit-1"
    assert "fit-1" in terminal.run("status").out
    back = terminal.run("calibration", "rollback", "shipped", "--reason", "to compare")
    assert back.code == 0
    assert judge_version(terminal) == "none"
    assert "to compare" in terminal.run("calibration", "history").out
    assert terminal.run("calibration", "rollback", "fit-1", "--json").json["changed"] is True
    assert terminal.run("calibration", "rollback", "fit-1", "--json").json["changed"] is False


def test_too_few_samples_answer_no_in_both_languages(terminal: Terminal) -> None:
    answer(terminal, 12)
    english, japanese = terminal.run("calibration", "fit"), terminal.run("calibration", "fit", "--lang", "ja")
    assert (english.code, japanese.code) == (1, 1)
    assert "needs 100 samples and has 12" in english.out
    assert "12 件" in japanese.out
    told = terminal.run("calibration", "fit", "--json").json
    assert (told["applied"], told["reason_code"], told["sample_count"]) == (False, "too_few_samples", 12)


def test_a_fit_that_is_not_better_answers_no(terminal: Terminal) -> None:
    answer(terminal, 160, temperature=1.0, seed=11)
    told = terminal.run("calibration", "fit", "--json")
    assert told.code == 1
    assert told.json["reason_code"] == "not_better"
    assert [one["kind"] for one in told.json["candidates"]] == ["temperature"]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("evaluate",), "no samples"),
        (("evaluate", "--model", "other"), "no samples"),
        (("history", "--limit", "0"), "--limit"),
        (("history", "--limit", "many"), "--limit"),
        (("history", "--picture", "new.svg"), "no evaluation"),
        (("rollback", "fit-3"), "fit-3"),
        (("rollback", ""), "calibration version"),
        (("fit", "--model", "other"), "keyword/1"),
        (("stats", "--model", "other"), "other"),
    ],
)
def test_bad_input_is_one_sentence_and_exit_code_2(terminal: Terminal, arguments: tuple[str, ...], words: str) -> None:
    ran = terminal.run("calibration", *arguments)
    assert ran.code == 2
    assert words in ran.err
    assert len(ran.err.strip().splitlines()) == 1


def test_a_file_that_is_no_picture_is_not_replaced(terminal: Terminal, tmp_path: Path) -> None:
    answer(terminal, 12)
    mine = tmp_path / "mine.svg"
    mine.write_text("<svg>mine</svg>", encoding="utf-8")
    refused = terminal.run("calibration", "evaluate", "--picture", mine)
    assert refused.code == 2
    assert mine.read_text(encoding="utf-8") == "<svg>mine</svg>"
    assert terminal.run("calibration", "history", "--json").json["evaluations"] == []
    assert terminal.run("calibration", "evaluate", "--picture", tmp_path).code == 2
    assert terminal.run("calibration", "evaluate", "--picture", tmp_path / "no" / "such.svg").code == 2
    for _ in range(2):
        assert terminal.run("calibration", "evaluate", "--picture", tmp_path / "ours.svg").code == 0
