"""The HTML page of a report: self-contained, escaped, with checks, corrections and the picture."""

import json
import re
from functools import cache
from html.parser import HTMLParser
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lyra.interfaces.report_page.diff import diff_html
from lyra.interfaces.report_page.page import page_html
from lyra.interfaces.report_page.text import report_html
from lyra.interfaces.report_page.view import view_of
from lyra.reports.accuracy_report import HumanSource, accuracy_json, measure
from lyra.reports.builder import build_report
from lyra.reports.human import HumanEvaluation, HumanScore
from lyra.reports.knowledge import shipped_knowledge
from lyra.reports.reading import Reading, read_structured, structured_from
from lyra.reports.verifying import Request, verify_report

SAMPLE = Path(__file__).parents[3] / "sample" / "report" / "structured.json"
VOID = {"meta", "br", "hr", "rect"}


class Tags(HTMLParser):
    """Notes every tag with its attributes, and whether tags pair up."""

    def __init__(self) -> None:
        super().__init__()
        self.seen: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.mismatched = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if self.open and self.open[-1] == tag:
            self.open.pop()
        elif tag not in VOID:
            self.mismatched += 1


def tags(html: str) -> Tags:
    found = Tags()
    found.feed(html)
    found.close()
    return found


def sample() -> Reading:
    return read_structured(SAMPLE.read_bytes(), "structured.json")


@cache
def sample_page(lang: str = "en") -> str:
    reading, knowledge = sample(), shipped_knowledge()
    built = build_report(reading.structured, knowledge)
    verified = verify_report(reading, built, Request(knowledge, "2026-01-15T09:00:00Z"))
    accuracy = accuracy_json(measure(verified.structured, knowledge, None, "2026-01-15T09:00:00Z"))
    return page_html(view_of(verified.structured, built, verified.report, verified.results, accuracy), lang)


def test_the_page_has_no_script_and_loads_nothing() -> None:
    found = tags(sample_page())
    assert not {tag for tag, _ in found.seen} & {"script", "img", "link", "iframe", "object", "form"}
    assert not [
        attrs for _, attrs in found.seen if "src" in attrs or "style" in attrs or any(name.startswith("on") for name in attrs)
    ]
    assert all(str(attrs["href"]).startswith("#") for _, attrs in found.seen if "href" in attrs)
    assert "default-src 'none'" in sample_page()


def test_the_page_is_well_formed_and_every_link_leads_somewhere() -> None:
    found = tags(sample_page())
    assert (found.open, found.mismatched) == ([], 0)
    ids = {attrs["id"] for _, attrs in found.seen if "id" in attrs}
    assert {str(attrs["href"])[1:] for _, attrs in found.seen if "href" in attrs} <= ids


def test_all_twenty_checks_stand_beside_the_text_and_broken_ones_at_their_claim() -> None:
    page = sample_page()
    assert len(re.findall(r'<li class="\w+" id="check-[ABC]-\d"', page)) == 20
    assert re.search(r'id="claim-3"><a class="badge fail" href="#check-B-8">B-8</a>', page)


def test_corrections_are_shown_before_and_after() -> None:
    page = sample_page()
    assert "<del>" in page and "<ins>" in page
    assert "アプリの刷新は優位性として妥当である" in page


def test_the_picture_shows_every_value_against_its_base_rate_and_says_it_in_words() -> None:
    page = sample_page()
    assert page.count('<rect class="base"') == page.count('<rect class="ai') == 6  # five rows and the legend
    assert "<desc>90%: 10.0% / 6%; 70%: 20.0% / 26%; 50%: 20.0% / 35%; 30%: 40.0% / 26%; 10%: 10.0% / 6%</desc>" in page


@pytest.mark.parametrize(("lang", "word"), [("en", "Checks"), ("ja", "チェック項目")])
def test_the_page_speaks_the_reader_s_language(lang: str, word: str) -> None:
    page = sample_page(lang)
    assert f'<html lang="{lang}">' in page and f">{word}</h2>" in page


def test_the_same_report_gives_the_same_page() -> None:
    assert sample_page() == sample_page.__wrapped__()


def test_only_the_template_s_own_tags_have_a_meaning() -> None:
    html = report_html("<u>強調</u> <script>alert(1)</script> <u onclick=x>y</u> <img src=x onerror=alert(1)>\n", {})
    assert "<u>強調</u>" in html
    assert "<script" not in html and "<img" not in html and "<u onclick" not in html


@pytest.mark.parametrize(
    "source", ["[x](javascript:alert(1))", "![x](https://example.org/p.png)", "<https://example.org>", "[x](https://e.org)"]
)
def test_links_and_pictures_are_their_text(source: str) -> None:
    html = report_html(source, {})
    assert "href" not in html and "src" not in html


def test_folded_metadata_stays_folded() -> None:
    html = report_html("<details>\n<summary>情報</summary>\n\n- 値\n\n</details>\n", {})
    assert "<details>" in html and "<summary>情報</summary>" in html and html.rstrip().endswith("</details>")


@given(
    st.lists(
        st.sampled_from(["<u>", "</u>", "<details>", "</details>", "<b>", "x", "\n\n", "**", "| a |", "&", '"', "> ", "- "]),
        max_size=14,
    )
)
def test_whatever_the_source_the_tags_pair_up_or_are_text(pieces: list[str]) -> None:
    found = tags(report_html("".join(pieces), {}))
    assert "b" not in {tag for tag, _ in found.seen}
    assert not [attrs for _, attrs in found.seen if attrs]


@given(st.lists(st.sampled_from(["a", "b", "<i>", ""]), max_size=6), st.lists(st.sampled_from(["a", "b", "<i>", ""]), max_size=6))
def test_a_diff_shows_exactly_the_lines_that_differ(old: list[str], new: list[str]) -> None:
    html = diff_html("\n".join(old), "\n".join(new))
    assert ("<del>" in html or "<ins>" in html) == ("\n".join(old) != "\n".join(new))
    assert "<i>" not in html


EVIL = "\"'><script>alert(1)</script><img src=x onerror=alert(1)> [x](javascript:alert(1)) </style></svg>"
KEPT = {"claim_type", "report_type_source", "rule", "verification_status", "fact_check_status", "schema_version"}


def spoilt(value: object, name: str = "") -> object:
    """The same value with an attack in every text that is free."""
    if isinstance(value, dict):
        return {key: inner if key == "five_layer_evaluation" else spoilt(inner, key) for key, inner in value.items()}
    if isinstance(value, list):
        return value if name == "applied_rules" else [spoilt(one, name) for one in value]
    return f"{value} {EVIL}" if isinstance(value, str) and name not in KEPT else value


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_text_of_others_is_escaped_in_every_field(lang: str) -> None:
    knowledge, at = shipped_knowledge(), EVIL
    reading = structured_from(spoilt(json.loads(SAMPLE.read_bytes())))
    built = build_report(reading.structured, knowledge)
    verified = verify_report(reading, f"{built}\n{EVIL}\n", Request(knowledge, at))
    person = HumanEvaluation(tuple(HumanScore(f"{c.claim} {EVIL}", 50, 1, None, EVIL) for c in reading.structured.advantages), ())
    accuracy = accuracy_json(measure(verified.structured, knowledge, HumanSource(person, EVIL), at))
    page = page_html(view_of(verified.structured, built, verified.report, verified.results, accuracy), lang)
    found = tags(page)
    assert found.mismatched == 0 and not found.open
    assert {tag for tag, _ in found.seen} & {"script", "img", "iframe", "object", "form"} == set()
    assert not [name for _, attributes in found.seen for name in attributes if name.startswith("on")]
    assert all(link.startswith("#") for tag, attributes in found.seen if tag == "a" and (link := attributes.get("href") or ""))
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page
    assert page.count("<style>") == page.count("</style>") == 1


def test_a_claim_with_wide_digits_is_linked() -> None:
    assert 'id="claim-3"' in report_html("### ＃３： 主張\n", {})
    assert "<b>A-1</b>" in report_html("### #３: 主張\n", {3: "<b>A-1</b>"})
