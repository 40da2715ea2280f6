"""A worker killed at any moment loses nothing it had acknowledged, and its job is finished by the next."""

from pathlib import Path
from random import Random

import pytest

from tests.contents import Contents
from tests.crashes import ACKNOWLEDGEMENTS, CLAIMS, FILES, Moment, crash_and_recover, draw_moment, uninterrupted, write_library

ROUNDS = 10


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_library(tmp_path_factory.mktemp("crashes") / "library")


@pytest.fixture(scope="module")
def expected(library: Path) -> Contents:
    return uninterrupted(library.parent / "undisturbed", library)


def test_the_undisturbed_run_is_worth_comparing_with(expected: Contents) -> None:
    assert (len(expected.ledger), len(expected.claims)) == (FILES, len(CLAIMS))
    assert {row[3] for row in expected.edges} == {"supports", "refutes", "neutral"}
    assert len(expected.occurrences) > len(expected.fragments) > FILES / 2


@pytest.mark.parametrize("seed", range(ROUNDS))
def test_a_kill_at_any_moment_loses_nothing(tmp_path: Path, library: Path, expected: Contents, seed: int) -> None:
    report = crash_and_recover(tmp_path / "home", library, draw_moment(Random(seed)), expected)
    assert report.losses == ()


@pytest.mark.parametrize(
    "moment",
    [
        pytest.param(Moment(0, 0.0), id="before anything"),
        pytest.param(Moment(FILES, 0.0), id="after the last file"),
        pytest.param(Moment(ACKNOWLEDGEMENTS, 0.0), id="after the last claim"),
    ],
)
def test_a_kill_between_two_phases_loses_nothing(tmp_path: Path, library: Path, expected: Contents, moment: Moment) -> None:
    report = crash_and_recover(tmp_path / "home", library, moment, expected)
    assert report.losses == ()
    assert report.acknowledged >= moment.acknowledgements


def test_a_loss_would_be_seen(tmp_path: Path) -> None:
    library = write_library(tmp_path / "library")
    expected = uninterrupted(tmp_path / "undisturbed", library)
    with (library / "00.txt").open("a", encoding="utf-8") as file:
        file.write(" And one more sentence that nobody expects here.")
    report = crash_and_recover(tmp_path / "home", library, Moment(FILES, 0.0), expected)
    assert "the state at the end differs from an uninterrupted run" in report.losses
    assert "occurrences of an acknowledged file are missing" in report.losses
