"""Which links of a text refer to a source, by rules alone."""

import pytest

from lyra.core.citation_links import is_citation
from lyra.core.identity import identify_link
from lyra.core.pages import Link

PAGE = "https://blog.example.org/tea"


def link(url: str, anchor: str, context: str) -> Link:
    target = identify_link(url)
    assert target is not None
    return Link(target, url, anchor, context)


@pytest.mark.parametrize(
    ("url", "anchor", "context"),
    [
        ("https://doi.org/10.5555/a", "here", "Buy it here."),
        ("https://news.example.com/a", "the Loop", "According to the Loop, tea sales fell."),
        ("https://agency.example.gov/report", "report", "The figures come from a report of the agency."),
        ("https://uni.example.edu/p/1", "a study", "Tea helps, as a study of 64 adults says."),
        ("https://stat.example.go.jp/x", "総務省", "総務省の統計によると、茶の消費は減った。"),
        ("https://news.example.jp/1", "記事", "出典：新聞の記事"),
    ],
)
def test_links_that_a_text_leans_on_are_citations(url: str, anchor: str, context: str) -> None:
    assert is_citation(link(url, anchor, context), PAGE)


@pytest.mark.parametrize(
    ("url", "anchor", "context"),
    [
        ("https://shop.example.org/teapots", "these teapots", "I also like these teapots."),
        ("https://www.facebook.com/share", "report", "Share this report on Facebook."),
        ("https://blog.example.org/tag/tea", "study", "More posts: study"),
        ("https://blog.example.org/", "My blog on research", "My blog on research"),
        ("https://other.example.org/a", "related articles", "Related articles about the study."),
        ("https://other.example.org/b", "green kettles", "A study found much. I bought green kettles. They are nice."),
        ("https://shop.example.jp/a", "購入はこちら", "研究者も愛用。購入はこちら"),
    ],
)
def test_links_that_lead_elsewhere_are_none(url: str, anchor: str, context: str) -> None:
    assert not is_citation(link(url, anchor, context), PAGE)
