"""What `make conformance` makes of the suite's summary; the suite itself needs Node and is not run here."""

import tomllib

from scripts.conformance.__main__ import EXPECTED, VERSIONS, judge, read_summary
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
