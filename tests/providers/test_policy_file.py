"""The policy file: what it may say, what is refused and in which line, and when a change is seen."""

import os
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lyra.core.domain_policy import Policy, Terms
from lyra.core.errors import ConfigError
from lyra.providers.policy_file import SETTLING_SECONDS, PolicyFile
from lyra.providers.policy_yaml import MAX_BYTES
from tests.fakes import FakeClock

LATER = datetime(2040, 1, 1, tzinfo=UTC)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "domains.yaml"


def reader(path: Path, moment: datetime = LATER) -> PolicyFile:
    return PolicyFile(path, FakeClock(moment, tick=timedelta(0)))


def problem(path: Path, content: str | bytes) -> ConfigError:
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    reading = reader(path).read()
    assert reading.policy is None
    assert reading.problem is not None
    return reading.problem


def policy(path: Path, content: str) -> Policy:
    path.write_text(content, encoding="utf-8")
    reading = reader(path).read()
    assert reading.problem is None
    assert reading.policy is not None
    return reading.policy


def test_without_a_file_the_shipped_policy_holds(path: Path) -> None:
    found = reader(path).read().policy
    assert found is not None
    categories = {
        "www.iso.org": "primary",
        "www.mhlw.go.jp": "government",
        "www.cdc.gov": "government",
        "pubmed.ncbi.nlm.nih.gov": "academic",
        "arxiv.org": "academic",
        "ja.wikipedia.org": "low",
        "somebody.example": "unverified",
    }
    assert {host: found.standing(host).category for host in categories} == categories
    assert (found.superseded_days("x.nih.gov"), found.superseded_days("me.github.io")) == (730, 180)
    assert found.wikipedia_mode == "follow_citations"
    assert found.denylist == {} == found.user_overrides
    assert found.default.qps == 0.5


def test_a_section_of_the_file_replaces_the_shipped_one_and_the_others_stay(path: Path) -> None:
    found = policy(
        path,
        """
default:
  qps: 2
denylist:
  - domain: .bad.example
    reason: spam
    added_at: 2026-03-01
user_overrides:
  - {domain: WWW.Example.com, domain_category: trusted, max_pages_per_day: 3, headful_ratio: 0.5}
superseded_thresholds:
  - {domain_pattern: "*.日本語.jp", days: 10}
wikipedia_mode: ordinary
""",
    )
    assert (found.default.qps, found.default.domain_category) == (2.0, "unverified")
    assert found.denylist == {"bad.example": Terms(reason="spam", added_at="2026-03-01")}
    assert found.user_overrides["www.example.com"] == Terms(domain_category="trusted", max_pages_per_day=3, headful_ratio=0.5)
    assert found.superseded_thresholds == {"xn--wgv71a119e.jp": 10}
    assert found.wikipedia_mode == "ordinary"
    assert found.standing("www.cdc.gov").category == "government"


@pytest.mark.parametrize("content", ["# nothing yet\n", "\n", "denylist:\n", "allowlist: []\n"])
def test_a_file_that_says_nothing_changes_nothing_else(path: Path, content: str) -> None:
    assert policy(path, content).standing("ja.wikipedia.org").category == "low"


@pytest.mark.parametrize(
    ("content", "code", "line"),
    [
        ("default: {qps: -1}\n", "policy_bad_value", 1),
        ("default:\n  qps: 0\n", "policy_bad_value", 2),
        ("default:\n  qps: nan\n", "policy_bad_value", 2),
        ("default:\n  qps: 1e999\n", "policy_bad_value", 2),
        ("default:\n  headful_ratio: 1.5\n", "policy_bad_value", 2),
        ("default:\n  max_pages_per_day: 1.5\n", "policy_bad_value", 2),
        ("default:\n  max_requests_per_day: yes\n", "policy_bad_value", 2),
        ("default:\n  qps:\n    - 1\n", "policy_bad_value", 2),
        ("default:\n  domain_category: super\n", "policy_bad_value", 2),
        ("default:\n  domain_category: blocked\n", "policy_blocked_category", 2),
        ("default:\n  domain: a.com\n", "policy_unknown_key", 2),
        ("allowlist:\n  - domain: a.com\n    domain_category: blocked\n", "policy_blocked_category", 3),
        ("user_overrides:\n  - domain: a.com\n    domain_category: blocked\n", "policy_blocked_category", 3),
        ("user_overrides:\n  - domain: '*.a.com'\n", "policy_bad_value", 2),
        ("user_overrides:\n  - domain: .a.com\n", "policy_bad_value", 2),
        ("allowlist:\n  - domain: a.*.com\n", "policy_bad_value", 2),
        ("allowlist:\n  - domain: 'https://a.com'\n", "policy_bad_value", 2),
        ("allowlist:\n  - domain: ''\n", "policy_bad_value", 2),
        ("allowlist:\n  - domain:\n", "policy_bad_value", 2),
        ("allowlist:\n  - domain_category: low\n", "policy_missing_key", 2),
        ("allowlist:\n  - a.com\n", "policy_not_fields", 2),
        ("allowlist: a.com\n", "policy_not_a_list", 1),
        ("allowlist:\n  domain: a.com\n", "policy_not_a_list", 2),
        ("allowlist:\n  - {domain: a.com, trusted: low}\n", "policy_unknown_key", 2),
        ("denylist:\n  - domain: a.com\n    qps: 1\n", "policy_unknown_key", 3),
        ("denylist:\n  - domain: a.com\n    added_at: yesterday\n", "policy_bad_value", 3),
        ("denylist:\n  - domain: a.com\n  - domain: A.com.\n", "policy_twice", 3),
        ("denyList: []\n", "policy_unknown_key", 1),
        ("denylist: []\nqps: 1\ndenylist: []\n", "policy_twice", 3),
        ("default:\n  qps: 1\n  qps: 2\n", "policy_twice", 3),
        ("wikipedia_mode: maybe\n", "policy_bad_value", 1),
        ("superseded_thresholds:\n  - {domain_pattern: a.com, days: 0}\n", "policy_bad_value", 2),
        ("superseded_thresholds:\n  - {domain_pattern: a.com}\n", "policy_missing_key", 2),
        ("- a\n- b\n", "policy_not_fields", 1),
        ("just words\n", "policy_not_fields", 1),
        ("denylist: [\n", "policy_broken", 2),
        ("default:\n\tqps: 1\n", "policy_broken", 2),
        ("a: 'b\n", "policy_broken", 2),
        ("default: {}\n---\ndefault: {}\n", "policy_broken", 2),
        ("default: &a {qps: 1}\n", "policy_trick", 1),
        ("default: *a\n", "policy_trick", 1),
        ("default:\n  <<: {qps: 1}\n", "policy_unknown_key", 2),
        ("default: !!python/object/apply:os.system ['true']\n", "policy_trick", 1),
        ("default:\n  qps: !!float 1\n", "policy_trick", 2),
        ("? [a, b]\n: 1\n", "policy_bad_key", 1),
        ("default: {qps: [[[[[[1]]]]]]}\n", "policy_too_deep", 1),
        ("[" * 20_000 + "\n", "policy_too_deep", 1),
        ("a: \u0007\n", "policy_broken", 1),
        ("default:\n  reason: " + "x" * 2001 + "\n", "policy_bad_value", 2),
    ],
)
def test_a_mistake_is_named_with_its_line(path: Path, content: str, code: str, line: int) -> None:
    found = problem(path, content)
    assert (found.code, found.params.get("line")) == (code, line)
    assert str(path) in found.sentence("en") and str(path) in found.sentence("ja")


BOMB = "a: &a [x, x]\n" + "".join(f"{chr(98 + i)}: &{chr(98 + i)} [*{chr(97 + i)}, *{chr(97 + i)}]\n" for i in range(20))


def test_an_alias_bomb_is_refused_before_it_is_unfolded(path: Path) -> None:
    assert problem(path, BOMB).code == "policy_trick"


def test_a_file_that_is_too_large_not_text_or_no_file_is_refused(path: Path) -> None:
    assert problem(path, "# " + "x" * MAX_BYTES).code == "policy_too_large"
    found = problem(path, b"default: {}\n# \xff\n")
    assert (found.code, found.params["line"]) == ("policy_not_utf8", 2)
    path.unlink()
    path.mkdir()
    found_directory = reader(path).read().problem
    assert found_directory is not None and found_directory.code == "policy_unreadable"


def test_a_pipe_in_the_place_of_the_file_keeps_nobody_waiting(path: Path) -> None:
    path.unlink(missing_ok=True)
    os.mkfifo(path)
    found = reader(path).read().problem
    assert found is not None and found.code == "policy_unreadable"


def test_a_byte_order_mark_is_no_mistake(path: Path) -> None:
    path.write_bytes(b"\xef\xbb\xbfwikipedia_mode: ordinary\n")
    reading = reader(path).read()
    assert reading.policy is not None and reading.policy.wikipedia_mode == "ordinary"


def in_place(path: Path, content: str) -> None:
    path.write_text(content, encoding="utf-8")


def replaced(path: Path, content: str) -> None:
    draft = path.with_name("draft")
    draft.write_text(content, encoding="utf-8")
    os.utime(draft, ns=(1, 1))
    draft.replace(path)


@pytest.mark.parametrize("write", [in_place, replaced])
def test_a_change_is_seen_at_the_next_look_however_it_was_written(path: Path, write: Callable[[Path, str], None]) -> None:
    source = reader(path)
    write(path, "wikipedia_mode: ordinary\n")
    first = source.read()
    assert source.read() is first
    write(path, "wikipedia_mode: follow_citations\n")
    second = source.read().policy
    assert second is not None and second.wikipedia_mode == "follow_citations"
    path.unlink()
    assert source.read().text is None


def test_a_file_of_the_same_size_and_time_is_told_apart(path: Path) -> None:
    source = reader(path)
    replaced(path, "denylist: [{domain: a.com}]\n")
    source.read()
    replaced(path, "denylist: [{domain: b.com}]\n")
    found = source.read().policy
    assert found is not None and list(found.denylist) == ["b.com"]


def test_a_file_that_ends_in_the_middle_of_a_line_is_waited_for(path: Path) -> None:
    """A cut-off file may be valid YAML that says less: it is not believed while it is fresh."""
    whole = "denylist: [{domain: a.com}]\nwikipedia_mode: ordinary"
    path.write_text(whole, encoding="utf-8")
    written = datetime.fromtimestamp(path.stat().st_mtime, tz=UTC)
    clock = FakeClock(written, tick=timedelta(0))
    source = PolicyFile(path, clock)
    found = source.read().problem
    assert found is not None and found.code == "policy_unfinished"
    clock.advance(SETTLING_SECONDS + 0.1)
    settled = source.read().policy
    assert settled is not None and settled.wikipedia_mode == "ordinary"


def test_an_empty_file_that_is_just_being_written_is_waited_for(path: Path) -> None:
    path.touch()
    written = datetime.fromtimestamp(path.stat().st_mtime, tz=UTC)
    found = PolicyFile(path, FakeClock(written, tick=timedelta(0))).read().problem
    assert found is not None and found.code == "policy_unfinished"


@given(content=st.text(max_size=200) | st.binary(max_size=200).map(lambda raw: raw.decode("latin-1")))
def test_no_content_raises_or_hangs(content: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    path = tmp_path_factory.mktemp("any") / "domains.yaml"
    path.write_text(content, encoding="utf-8", errors="surrogatepass")
    reading = reader(path).read()
    assert (reading.policy is None) is (reading.problem is not None)
