"""Patterns of override rules: which are taken, what each covers, and which of several holds."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lyra.core.domain_patterns import OverrideRule, check_pattern, matches, ruling
from lyra.core.errors import InvalidInput
from lyra.providers.public_suffixes import is_public_suffix

TAKEN = [
    ("example.com", "example.com"),
    ("*.example.com", "*.example.com"),
    ("EXAMPLE.com", "example.com"),
    ("*.Example.COM", "*.example.com"),
    ("  example.com  ", "example.com"),
    ("example.com.", "example.com"),
    ("*.example.com.", "*.example.com"),
    ("a.b.c.example.co.jp", "a.b.c.example.co.jp"),
    ("example.co.jp", "example.co.jp"),
    ("someone.github.io", "someone.github.io"),
    ("*.someone.github.io", "*.someone.github.io"),
    ("bucket.s3.amazonaws.com", "bucket.s3.amazonaws.com"),
    ("日本語.jp", "xn--wgv71a119e.jp"),
    ("xn--wgv71a119e.jp", "xn--wgv71a119e.jp"),
    ("XN--WGV71A119E.JP", "xn--wgv71a119e.jp"),
    ("*.日本語。jp", "*.xn--wgv71a119e.jp"),
    ("Ｅｘａｍｐｌｅ．ｃｏｍ", "example.com"),
    ("bücher.de", "xn--bcher-kva.de"),
    ("пример.com", "xn--e1afmkfd.com"),
    ("東京タワー.jp", "xn--5ck2eqb538s34z.jp"),
    ("under_score.example.com", "under_score.example.com"),
    ("www.ck", "www.ck"),
    ("3com.com", "3com.com"),
    (f"{'a' * 63}.example.com", f"{'a' * 63}.example.com"),
]
REFUSED = [
    ("", "pattern_empty"),
    ("   ", "pattern_empty"),
    ("*", "pattern_wildcard"),
    ("*.*", "pattern_wildcard"),
    ("**.example.com", "pattern_wildcard"),
    ("*.*.example.com", "pattern_wildcard"),
    ("ex*ample.com", "pattern_wildcard"),
    ("a.*.com", "pattern_wildcard"),
    ("example.*", "pattern_wildcard"),
    ("*example.com", "pattern_wildcard"),
    ("com", "pattern_public_suffix"),
    ("*.com", "pattern_public_suffix"),
    ("*.COM", "pattern_public_suffix"),
    ("*.com.", "pattern_public_suffix"),
    ("*.io", "pattern_public_suffix"),
    ("co.jp", "pattern_public_suffix"),
    ("*.co.jp", "pattern_public_suffix"),
    ("*.github.io", "pattern_public_suffix"),
    ("github.io", "pattern_public_suffix"),
    ("*.blogspot.com", "pattern_public_suffix"),
    ("*.рф", "pattern_public_suffix"),
    ("*.xn--p1ai", "pattern_public_suffix"),
    ("*.公司.cn", "pattern_public_suffix"),
    ("*.ck", "pattern_public_suffix"),
    ("localhost", "pattern_public_suffix"),
    ("127.0.0.1", "pattern_address"),
    ("*.0.0.1", "pattern_address"),
    ("10.1", "pattern_address"),
    ("2130706433", "pattern_address"),
    ("0x7f.0.0.1", "pattern_address"),
    ("0x7f000001", "pattern_address"),
    ("::1", "pattern_address"),
    ("[::1]", "pattern_address"),
    ("[2001:db8::1]", "pattern_address"),
    ("１２７.０.０.１", "pattern_address"),
    ("example.com:8080", "pattern_malformed"),
    ("https://example.com", "pattern_malformed"),
    ("example.com/path", "pattern_malformed"),
    ("me@example.com", "pattern_malformed"),
    ("exa mple.com", "pattern_malformed"),
    ("example..com", "pattern_malformed"),
    ("example.com..", "pattern_malformed"),
    (".example.com", "pattern_malformed"),
    ("*.", "pattern_malformed"),
    ("-example.com", "pattern_malformed"),
    ("example-.com", "pattern_malformed"),
    ("exa\nmple.com", "pattern_malformed"),
    ("example.com\0", "pattern_malformed"),
    (f"{'a' * 64}.com", "pattern_malformed"),
    ("xn--\u00e9.com", "pattern_malformed"),
    ("xn--99999999999.com", "pattern_malformed"),
    (f"{'a.' * 150}com", "pattern_too_long"),
    ("x" * 300, "pattern_too_long"),
    ("раypal.com", "pattern_mixed"),
    ("xn--pypal-4ve.com", "pattern_mixed"),
    ("gооgle.com", "pattern_mixed"),
    ("日本語рус.jp", "pattern_mixed"),
]


@pytest.mark.parametrize(("written", "kept"), TAKEN)
def test_a_pattern_that_names_one_site_is_taken_in_its_one_spelling(written: str, kept: str) -> None:
    assert check_pattern(written, is_public_suffix) == kept
    assert check_pattern(kept, is_public_suffix) == kept


@pytest.mark.parametrize(("written", "code"), REFUSED)
def test_a_pattern_that_could_take_in_strangers_is_refused_with_the_reason(written: str, code: str) -> None:
    with pytest.raises(InvalidInput) as refusal:
        check_pattern(written, is_public_suffix)
    assert refusal.value.code == code


@given(st.text(max_size=80))
def test_whatever_is_written_is_taken_or_refused_and_never_covers_a_public_suffix(written: str) -> None:
    try:
        pattern = check_pattern(written, is_public_suffix)
    except InvalidInput:
        return
    assert pattern.isascii() and pattern == pattern.lower()
    assert not is_public_suffix(pattern.removeprefix("*."))


@pytest.mark.parametrize(
    ("pattern", "host", "covered"),
    [
        ("example.com", "example.com", True),
        ("example.com", "www.example.com", False),
        ("*.example.com", "example.com", True),
        ("*.example.com", "www.example.com", True),
        ("*.example.com", "a.b.c.d.example.com", True),
        ("*.example.com", "notexample.com", False),
        ("*.example.com", "example.com.evil.net", False),
        ("*.example.com", "example.org", False),
        ("*.www.example.com", "example.com", False),
    ],
)
def test_a_wildcard_covers_the_domain_and_everything_below_and_nothing_beside(pattern: str, host: str, covered: bool) -> None:
    assert matches(pattern, host) is covered


def rule(pattern: str, decision: str = "block", sequence: int = 1) -> OverrideRule:
    return OverrideRule(f"rule {pattern} {sequence}", pattern, decision, "why", "then", "then", sequence)


@pytest.mark.parametrize(
    ("rules", "host", "winner"),
    [
        ([rule("*.example.com", sequence=9), rule("a.example.com")], "a.example.com", "a.example.com"),
        ([rule("*.example.com", sequence=9), rule("*.a.example.com")], "x.a.example.com", "*.a.example.com"),
        ([rule("*.a.example.com"), rule("*.example.com", sequence=9)], "b.example.com", "*.example.com"),
        ([rule("example.com")], "www.example.com", None),
        ([], "example.com", None),
    ],
)
def test_an_exact_rule_beats_a_suffix_and_the_longer_suffix_the_shorter(
    rules: list[OverrideRule], host: str, winner: str | None
) -> None:
    found = ruling(rules, host)
    assert (found.domain_pattern if found else None) == winner


def test_of_equal_rules_the_one_made_last_holds_whatever_the_clock_said() -> None:
    older = OverrideRule("first", "*.example.com", "block", "why", "2030", "2030", 1)
    newer = OverrideRule("second", "*.example.com", "unblock", "why", "2020", "2020", 2)
    found = ruling([newer, older], "example.com")
    assert found is not None and found.rule_id == "second"
