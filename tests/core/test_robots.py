"""robots.txt: what a host asks of us."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lyra.core.robots import EVERYTHING, NOTHING, read_robots

TEXT = """
User-agent: *
Disallow: /private   # not for anybody
Allow: /private/open
Disallow: /*.pdf$
Disallow: /a*b*c

User-agent: badbot
Disallow: /

User-agent: other
User-agent: Lyra/1.0
Disallow: /lyra
Crawl-delay: 2.5
"""


@pytest.mark.parametrize(
    ("path", "allowed"),
    [
        ("/", True),
        ("/private", False),
        ("/private/x", False),
        ("/private/open/x", True),
        ("/file.pdf", False),
        ("/file.pdf?x=1", True),
        ("/a1b2c3", False),
        ("/a1c2b3", True),
        ("/robots.txt", True),
        ("/%70rivate", False),
    ],
)
def test_the_longest_rule_decides(path: str, allowed: bool) -> None:
    assert read_robots(TEXT, "stranger").allows(path) is allowed


def test_a_group_of_our_own_replaces_the_general_one() -> None:
    ours = read_robots(TEXT, "lyra")
    assert ours.allows("/private")
    assert not ours.allows("/lyra/x")
    assert ours.delay == 2.5


def test_allow_wins_over_disallow_of_the_same_length() -> None:
    assert read_robots("User-agent: *\nDisallow: /x\nAllow: /x", "lyra").allows("/x")


def test_an_empty_disallow_allows_everything() -> None:
    assert read_robots("User-agent: *\nDisallow:", "lyra").allows("/x")
    assert EVERYTHING.allows("/x")
    assert not NOTHING.allows("/x")


@given(st.text(max_size=200), st.text(max_size=40))
def test_no_text_breaks_the_reading(text: str, path: str) -> None:
    assert read_robots(f"User-agent: *\nDisallow: {text}", "lyra").allows(f"/{path}") in (True, False)
