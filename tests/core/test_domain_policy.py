"""What a policy says of a host."""

import pytest

from lyra.core.domain_policy import Policy, Terms, suffixes

POLICY = Policy(
    default=Terms(domain_category="unverified", qps=0.5, headful_ratio=0.1),
    allowlist={
        "go.jp": Terms(domain_category="government"),
        "jst.go.jp": Terms(domain_category="academic", qps=2.0),
        "example.com": Terms(domain_category="trusted"),
    },
    graylist={"example.com": Terms(domain_category="low"), "slow.org": Terms(qps=0.1)},
    denylist={"bad.example": Terms(reason="spam")},
    user_overrides={
        "www.jst.go.jp": Terms(domain_category="primary"),
        "quick.go.jp": Terms(qps=9.0),
        "x.bad.example": Terms(domain_category="trusted"),
    },
    superseded_thresholds={"nih.gov": 730, "news.nih.gov": 30},
)


@pytest.mark.parametrize(
    ("host", "category", "source", "qps"),
    [
        ("unknown.example", "unverified", "default", 0.5),
        ("mhlw.go.jp", "government", "allowlist", 0.5),
        ("go.jp", "government", "allowlist", 0.5),
        ("notgo.jp", "unverified", "default", 0.5),
        ("a.jst.go.jp", "academic", "allowlist", 2.0),
        ("www.jst.go.jp", "primary", "user_overrides", 2.0),
        ("below.www.jst.go.jp", "academic", "allowlist", 2.0),
        ("quick.go.jp", "government", "allowlist", 9.0),
        ("example.com", "low", "graylist", 0.5),
        ("slow.org", "unverified", "default", 0.1),
    ],
)
def test_the_longest_entry_holds_and_an_override_completes_it(host: str, category: str, source: str, qps: float) -> None:
    found = POLICY.standing(host)
    assert (found.category, found.source, found.terms.qps) == (category, source, qps)
    assert found.terms.headful_ratio == 0.1


@pytest.mark.parametrize(
    ("host", "denied"), [("bad.example", True), ("x.bad.example", True), ("notbad.example", False), ("example", False)]
)
def test_nothing_in_the_policy_outweighs_the_denylist(host: str, denied: bool) -> None:
    assert (POLICY.standing(host).denied_by is not None) is denied


@pytest.mark.parametrize(("host", "days"), [("a.nih.gov", 730), ("news.nih.gov", 30), ("example.com", 365), (None, 365)])
def test_the_threshold_is_that_of_the_longest_pattern(host: str | None, days: int) -> None:
    assert POLICY.superseded_days(host) == days


def test_suffixes_go_label_by_label() -> None:
    assert list(suffixes("a.b.c")) == ["a.b.c", "b.c", "c"]
    assert list(suffixes("")) == []
