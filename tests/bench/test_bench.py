"""The programs that measure and those that run for long: they run, and they say what they found."""

import re
from pathlib import Path

import pytest

from bench import run as bench_run
from bench.confidence import compute, load
from bench.corpus import TASK, Texts, build_graph, open_bench_store
from bench.figures import Figure
from bench.near_duplicates import texts_with_copies, with_datasketch
from lyra.core.near_groups import near_duplicate_groups
from lyra.store.evidence_store import DATABASE_NAME
from soak import run as soak_run


def test_the_quick_bench_prints_one_table_and_writes_the_curve(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    drawing = tmp_path / "curve.svg"
    only = "confidence,materials,ingest,text,vectors,duplicates,growth"
    assert bench_run.main(["--quick", "--only", only, "--drawing", str(drawing)]) == 0
    out = capsys.readouterr().out
    for words in (
        "NetworkX, cold",
        "first page of materials",
        "as JSON",
        "taken in",
        "rank_bm25",
        "recall",
        "datasketch",
        "cost per",
    ):
        assert words in out
    assert drawing.read_text(encoding="utf-8").startswith("<svg ")


def test_a_figure_that_misses_its_limit_fails() -> None:
    assert Figure("x", 2.0, "s", at_most=1.0).fails
    assert Figure("x", 2.0, "s", at_least=3.0).fails
    assert not Figure("x", 2.0, "s", at_most=2.0).fails
    assert not Figure("x", 2.0, "s").fails


def test_a_bench_that_misses_a_limit_ends_in_1(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(bench_run, "parts", lambda *_: {"slow": lambda: [Figure("slow", 2.0, "s", at_most=1.0)]})
    assert bench_run.main(["--quick"]) == 1


def test_an_unknown_part_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    for program in (bench_run.main, soak_run.main):
        with pytest.raises(SystemExit) as ended:
            program(["--only", "nothing"])
        assert ended.value.code == 2
    assert "no part nothing" in capsys.readouterr().err


def test_the_baselines_compute_the_same_as_we_do(tmp_path: Path) -> None:
    build_graph(tmp_path, 30, 5, 60, 10)
    with open_bench_store(tmp_path) as store:
        mine = store.edges.confidences(TASK)
    theirs = compute(load(tmp_path / DATABASE_NAME))
    assert mine.keys() == theirs.keys()
    for name, values in mine.items():
        assert tuple(values) == pytest.approx(theirs[name], abs=1e-9)
    texts = texts_with_copies(300)
    assert {frozenset(group) for group in near_duplicate_groups(texts)} == with_datasketch(texts)


def test_made_up_abstracts_have_the_words_they_promise_and_are_the_same_every_time() -> None:
    one, two = list(Texts(1).abstracts(3)), list(Texts(1).abstracts(3))
    assert one == two
    assert [len(text.split()) for text in one] == [200, 200, 200]
    assert len(re.findall(r"\n", next(Texts(1).abstracts(1, 48, line_breaks=True)))) == 3


def test_a_short_soak_ends_well(capsys: pytest.CaptureFixture[str]) -> None:
    assert soak_run.main(["--only", "power,deletions", "--rounds", "4", "--seed", "3"]) == 0
    assert "4 cut points" in capsys.readouterr().out
