"""`import lyra`: exactly these names, typed, cheap to import, the same results as the command."""

import hashlib
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import lyra
from lyra.api import Lyra
from lyra.config import read_settings
from tests.interfaces.terminal import Terminal, fake_models, no_models
from tests.reports.examples import consistent

NAMES = [
    "Agreement",
    "ClaimMaterial",
    "Confidence",
    "Evidence",
    "FeedbackAnswer",
    "Finding",
    "Judgement",
    "LegalValues",
    "Lyra",
    "LyraError",
    "Materials",
    "Task",
    "VerifiedReport",
    "__version__",
    "agreement",
    "build_report",
    "confidence",
    "judge",
    "legal_values",
    "open",
    "report_accuracy",
    "validate_case",
    "verify_report",
]
CLAIM = "Cats sleep most of the day."


def opened(tmp_path: Path) -> Lyra:
    return Lyra(read_settings({"home": str(tmp_path / "home")}, {"LYRA_CONFIG": "/dev/null"}), fake_models())


def library_in(tmp_path: Path) -> Path:
    folder = tmp_path / "library"
    folder.mkdir()
    (folder / "cats.txt").write_text("Cats sleep most of the day. They hunt at night.\n", encoding="utf-8")
    return folder


def test_the_surface_is_exactly_this() -> None:
    assert lyra.__all__ == NAMES
    assert dir(lyra) == sorted(NAMES)
    for name in NAMES:
        assert getattr(lyra, name) is not None


def test_a_name_that_does_not_exist_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
        lyra.nothing  # type: ignore[attr-defined]  # noqa: B018 - the look-up is the test


def test_importing_loads_nothing() -> None:
    program = "import sys, lyra; print([name for name in sys.modules if name.startswith(('lyra.', 'numpy', 'apsw'))])"
    environ = {"PYTHONPATH": str(Path(lyra.__path__[0]).parent)}
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, env=environ)
    assert ran.stdout == "[]\n"


def test_confidence_is_the_arithmetic_of_edges() -> None:
    values = lyra.confidence([("supports", 0.9)] * 3 + [("refutes", 0.9), ("neutral", 0.5)])
    assert (round(values.confidence, 4), round(values.uncertainty, 4), round(values.controversy, 4)) == (0.6607, 0.1843, 0.25)
    with pytest.raises(lyra.LyraError, match="use supports, refutes or neutral"):
        lyra.confidence([("agrees", 0.5)])


def test_agreement_takes_triples_and_says_what_is_undefined() -> None:
    found = lyra.agreement([("ann", "1", "yes"), ("bob", "1", "yes"), ("ann", "2", "no"), ("bob", "2", None)])
    assert (found.estimate("percent").value, found.estimate("cohen").undefined) == (1.0, "constant")


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ({"ratings": [("ann", "1")]}, "agreement_bad_triple"),
        ({"ratings": [("ann", "1", 3)]}, "agreement_bad_triple"),
        ({"ratings": [], "level": "ratio"}, "agreement_bad_level"),
        ({"ratings": [], "weights": "cubic"}, "agreement_bad_weights"),
        ({"ratings": [], "replicates": -1}, "agreement_bad_number"),
        ({"ratings": [("ann", "1", "maybe")], "categories": ["yes", "no"]}, "agreement_off_scale"),
        ({"ratings": [("ann", "1", "x")], "level": "interval"}, "agreement_not_numeric"),
    ],
)
def test_agreement_refuses_what_it_cannot_measure(arguments: Any, code: str) -> None:
    with pytest.raises(lyra.LyraError) as caught:
        lyra.agreement(**arguments)
    assert caught.value.code == code


def test_a_check_gives_records_and_the_same_json_as_the_command(tmp_path: Path) -> None:
    with opened(tmp_path) as home:
        materials = home.check([CLAIM, "Chess lowers cholesterol."], library=library_in(tmp_path), question="Cats?")
        assert [claim.has_evidence for claim in materials.claims] == [True, False]
        (task,) = home.tasks()
        assert (task.task_id, task.question) == (materials.task.task_id, "Cats?")
        stored = home.to_json(home.materials(task.task_id))
    command = Terminal(tmp_path / "home").run("materials", task.task_id, "--json").json
    assert json.loads(json.dumps(stored)) == command


def test_one_claim_and_one_path_need_no_list(tmp_path: Path) -> None:
    with opened(tmp_path) as home:
        assert len(home.check(CLAIM, str(library_in(tmp_path))).claims) == 1
        assert len(home.check(CLAIM).claims) == 1


def test_a_path_that_cannot_be_used_is_an_error_before_any_work(tmp_path: Path) -> None:
    with opened(tmp_path) as home:
        with pytest.raises(lyra.LyraError) as caught:
            home.check(CLAIM, [library_in(tmp_path), tmp_path / "nowhere"])
        assert caught.value.code == "path_missing"
        assert home.tasks() == []


def test_an_empty_claim_is_an_error(tmp_path: Path) -> None:
    with opened(tmp_path) as home, pytest.raises(lyra.LyraError) as caught:
        home.check(" ", library_in(tmp_path))
    assert caught.value.code == "empty_claim"


def test_pairs_are_judged_without_storing_anything(tmp_path: Path) -> None:
    with opened(tmp_path) as home:
        (first, second) = home.judge(iter([("Cats sleep most of the day.", CLAIM), ("Dogs bark.", CLAIM)]))
        assert home.tasks() == []
    assert (first.label, second.label) == ("supports", "neutral")
    assert first.nli_confidence == first.supports
    assert abs(first.supports + first.refutes + first.neutral - 1) < 1e-9


@pytest.mark.parametrize("pair", ["ab", ("a",), ("a", 3), ("a", "b", "c"), None])
def test_what_is_no_pair_of_texts_is_refused(tmp_path: Path, pair: object) -> None:
    with opened(tmp_path) as home, pytest.raises(lyra.LyraError) as caught:
        home.judge([("a", "b"), pair])  # type: ignore[list-item]
    assert (caught.value.code, caught.value.params) == ("bad_pair", {"position": 2})


def test_without_weights_a_check_is_a_model_error_and_reading_still_works(tmp_path: Path) -> None:
    settings = read_settings({"home": str(tmp_path / "home")}, {"LYRA_CONFIG": "/dev/null"})
    with Lyra(settings, no_models) as home:
        with pytest.raises(lyra.LyraError) as caught:
            home.check(CLAIM, library_in(tmp_path))
        assert caught.value.code == "weights_missing"
        assert home.tasks() == []


def test_a_case_is_validated_and_completed_without_a_home() -> None:
    case = {"id": "a", "text": "t", "outcome": "Unknown", "outcome_status": "unverified", "sources": []}
    (missing, reason) = lyra.validate_case(case)
    assert (missing.rule, missing.path, reason.rule, str(reason.severity)) == ("L04", "verification_confidence", "L21", "error")
    assert reason.sentence() == "unverified needs a reason."
    assert "理由" in reason.sentence("ja")
    (field,) = lyra.legal_values(case, "verification_confidence").fields
    assert [choice.value for choice in field.choices if choice.allowed] == ["none"]


def test_open_takes_a_home_and_closes_twice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LYRA_CONFIG", "/dev/null")
    home = lyra.open(tmp_path / "home")
    assert home.tasks() == []
    home.close()
    home.close()
    assert (tmp_path / "home" / "lyra.db").exists()


def test_reports_are_pure_functions_with_the_same_results_as_the_commands(tmp_path: Path) -> None:
    data = consistent()
    (tmp_path / "in.json").write_text(json.dumps(data), encoding="utf-8")
    terminal = Terminal(tmp_path / "home")
    terminal.run("report", "build", tmp_path / "in.json", "-o", tmp_path / "out")
    report = lyra.build_report(data)
    assert report == (tmp_path / "out" / "report.md").read_text(encoding="utf-8")
    time = "2026-02-17T10:35:00Z"
    verified = lyra.verify_report(data, report.replace("その1 | 90%", "その1 | 70%"), time)
    assert (verified.status, verified.report) == ("pass_with_corrections", report)
    terminal.run("report", "verify", tmp_path / "out", "--at", time)
    terminal.run("report", "accuracy", tmp_path / "out", "--at", time)
    measured = lyra.report_accuracy(verified.structured, time)
    data_file = (tmp_path / "out" / "verified-structured.json").read_bytes()
    written = json.loads((tmp_path / "out" / "accuracy-report.json").read_text(encoding="utf-8"))
    assert {**measured, "data_digest": hashlib.sha256(data_file).hexdigest()} == written
    full = lyra.report_accuracy(data, time, "| 優位性 | 評価 |\n|---|---|\n| 密な配送網による即日納品の仕組み その1 | 85% |\n")
    assert full["mode"] == "full"
    with pytest.raises(lyra.LyraError) as caught:
        lyra.build_report({"ticker": "X", "claims": []})
    assert caught.value.code == "report_no_claims"
