"""The sample library holds what its README promises."""

from __future__ import annotations

import csv
import json
import re
from collections import Counter
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import cast
from urllib.parse import urlsplit

import pypdfium2
import pytest
import yaml
from lxml import html

SAMPLE = Path(__file__).resolve().parent.parent / "sample"
LIBRARY = SAMPLE / "library"
BROKEN = LIBRARY / "broken-report.pdf"
ENCODINGS = {"bp-katei-sokutei.txt": "shift_jis", "telework-tsukin-jikan.txt": "euc_jp"}

DOI = re.compile(r"\b10\.\d{4,9}/[^\s\"'<>()\[\]]*[^\s\"'<>()\[\].,;:]")
ADDRESS = re.compile(r"https?://[^\s\"'<>()\[\]]+")
MAIL = re.compile(r"[\w.+-]+@([\w-]+(?:\.[\w-]+)+)")
EXAMPLE_HOST = re.compile(r"(?:[a-z0-9-]+\.)*example\.(?:org|com|net)")
DOCUMENT_TYPES = Counter({".md": 16, ".html": 15, ".txt": 8, ".pdf": 9})


@dataclass(frozen=True)
class Entry:
    """One labelled pair of a claim and a sentence."""

    claim: str
    document: str
    quote: str
    stance: str
    language: str


def documents() -> list[Path]:
    return sorted(path for path in LIBRARY.rglob("*") if path.is_file())


def readable() -> list[Path]:
    return [path for path in documents() if path != BROKEN]


@cache
def expected() -> tuple[tuple[Entry, ...], dict[str, str]]:
    content = json.loads((SAMPLE / "expected.json").read_text(encoding="utf-8"))
    return tuple(Entry(**entry) for entry in content["entries"]), cast("dict[str, str]", content["demo"])


def demo_claims() -> list[str]:
    with (SAMPLE / "claims.csv").open(encoding="utf-8", newline="") as lines:
        return [row["claim"] for row in csv.DictReader(lines)]


@cache
def source(path: Path) -> str:
    """The document as written: markup and front matter included, a PDF as its text and its details."""
    if path.suffix == ".pdf":
        pdf = pypdfium2.PdfDocument(path)
        try:
            pages = [cast("str", page.get_textpage().get_text_range()) for page in pdf]
            details = cast("dict[str, str]", pdf.get_metadata_dict())
        finally:
            pdf.close()
        return "\n".join([*pages, *details.values()])
    return path.read_text(encoding=ENCODINGS.get(path.name, "utf-8"))


@cache
def text(path: Path) -> str:
    """The text a quote is looked up in."""
    if path.suffix == ".html":
        return folded(cast("str", html.fromstring(source(path).encode()).text_content()))
    if path.suffix == ".pdf":
        return unspaced(source(path))
    return source(path)


def folded(value: str) -> str:
    return re.sub(r"\s+", " ", value)


def unspaced(value: str) -> str:
    return re.sub(r"\s+", "", value)


def occurs(entry: Entry) -> bool:
    path = SAMPLE / entry.document
    return (unspaced(entry.quote) if path.suffix == ".pdf" else entry.quote) in text(path)


def front_matter(path: Path) -> dict[str, object]:
    return cast("dict[str, object]", yaml.safe_load(source(path).split("---\n")[1]))


def meta(path: Path, name: str) -> list[str]:
    found = html.fromstring(source(path).encode()).xpath("//meta[@name=$name]/@content", name=name)
    return [str(value) for value in cast("list[object]", found)]


def paragraphs(path: Path, marker: str) -> list[str]:
    """The paragraphs inside the element of that class, byte for byte as they are written."""
    start = source(path).index(f'<div class="{marker}">')
    return re.findall(r"<p>.*?</p>", source(path)[start : source(path).index("</div>", start)])


def words(path: Path) -> int:
    """How many words a document has; two Japanese characters count as one word."""
    body = source(path).split("---\n", 2)[2] if path.suffix == ".md" else source(path)
    if path.suffix == ".html":
        body = " ".join(
            cast("str", block.text_content())
            for block in html.fromstring(source(path).encode()).iter("h1", "h2", "p", "li", "td")
        )
    japanese = len(re.findall(r"[\u3040-\u30ff\u4e00-\u9fff]", body))
    return len(re.findall(r"[A-Za-z0-9]+(?:['.,-][A-Za-z0-9]+)*", body)) + japanese // 2


def test_the_library_has_at_least_forty_documents_in_four_formats() -> None:
    assert len(documents()) >= 40
    assert Counter(path.suffix for path in documents()) == DOCUMENT_TYPES


def test_about_a_third_of_the_documents_are_japanese() -> None:
    japanese = [path for path in readable() if len(re.findall(r"[\u3040-\u30ff]", source(path))) > 100]
    assert 0.3 <= len(japanese) / len(readable()) <= 0.4


@pytest.mark.parametrize("path", readable(), ids=lambda path: path.name)
def test_a_document_is_short_but_not_empty(path: Path) -> None:
    assert 80 <= words(path) <= 450


@pytest.mark.parametrize("path", readable(), ids=lambda path: path.name)
def test_a_document_says_that_it_is_illustrative(path: Path) -> None:
    whole = source(path).casefold()
    assert any(word in whole for word in ("illustrative", "invented", "例示用", "架空"))


@pytest.mark.parametrize("path", readable(), ids=lambda path: path.name)
def test_only_the_reserved_doi_prefix_and_example_hosts_occur(path: Path) -> None:
    for doi in DOI.findall(source(path)):
        assert doi.startswith("10.5555/")
    for address in ADDRESS.findall(source(path)):
        parts = urlsplit(address)
        reserved = parts.hostname == "doi.org" and parts.path.startswith("/10.5555/")
        assert reserved or EXAMPLE_HOST.fullmatch(parts.hostname or ""), address
    for host in MAIL.findall(source(path)):
        assert EXAMPLE_HOST.fullmatch(host), host


def test_every_doi_that_is_linked_belongs_to_a_document_of_the_library() -> None:
    own: set[str] = set()
    for path in readable():
        if path.suffix == ".md":
            own.add(str(front_matter(path).get("doi")))
        elif path.suffix == ".html":
            own.update(meta(path, "citation_doi"))
        elif path.suffix == ".pdf":
            own.update(DOI.findall(source(path))[:1])
    linked = {doi for path in readable() if path.suffix in {".md", ".html"} for doi in DOI.findall(source(path))}
    assert linked <= own
    assert len(linked) >= 12


def test_the_syndicated_article_has_the_same_paragraphs_on_two_hosts() -> None:
    news, wire = LIBRARY / "week-pilot-news.html", LIBRARY / "week-pilot-wire.html"
    assert paragraphs(news, "article-body") == paragraphs(wire, "story")
    assert len(paragraphs(news, "article-body")) >= 5
    assert 'rel="canonical" href="https://news.example.org/' in source(news)
    assert 'rel="canonical" href="https://wire.example.net/' in source(wire)


def test_the_preprint_and_the_journal_version_share_title_and_authors_but_not_doi_or_text() -> None:
    preprint, journal = LIBRARY / "trees-canopy-preprint.md", LIBRARY / "trees-canopy-journal.html"
    front = front_matter(preprint)
    assert front["kind"] == "preprint"
    assert meta(journal, "citation_title") == [front["title"]]
    assert meta(journal, "citation_author") == front["authors"]
    assert meta(journal, "citation_doi") != [front["doi"]]
    shared = "Sensors next to water or within 200 metres of a large park were left out."
    assert shared in text(preprint)
    assert shared in text(journal)
    assert "1.5 °C cooler" in text(preprint)
    assert "1.3 °C cooler" in text(journal)


def test_the_retracted_paper_says_so_and_supports_a_demo_claim() -> None:
    path = LIBRARY / "vitd-retracted-trial.md"
    front = front_matter(path)
    assert front["retracted"] is True
    assert str(front["title"]).startswith("RETRACTED:")
    assert front["retraction_reason"]
    assert "Retraction note" in text(path)
    supported = {e.claim for e in expected()[0] if e.document == f"library/{path.name}" and e.stance == "supports"}
    assert supported & set(demo_claims())


def test_no_other_document_is_retracted() -> None:
    assert [path.name for path in readable() if path.suffix == ".md" and front_matter(path).get("retracted")] == [
        "vitd-retracted-trial.md"
    ]


def test_the_broken_report_starts_like_a_pdf_and_cannot_be_opened() -> None:
    content = BROKEN.read_bytes()
    assert content.startswith(b"%PDF-1.7")
    assert b"%%EOF" not in content
    assert content.count(b" obj") > content.count(b"endobj")
    with pytest.raises(pypdfium2.PdfiumError):
        pypdfium2.PdfDocument(BROKEN)


@pytest.mark.parametrize("name", sorted(ENCODINGS))
def test_a_text_in_an_old_encoding_is_not_valid_utf_8(name: str) -> None:
    with pytest.raises(UnicodeDecodeError):
        (LIBRARY / name).read_bytes().decode("utf-8")
    assert "例示用の文書です" in source(LIBRARY / name)


def test_every_pdf_has_a_title_and_one_has_two_pages() -> None:
    pages = Counter[int]()
    for path in readable():
        if path.suffix == ".pdf":
            pdf = pypdfium2.PdfDocument(path)
            try:
                assert pdf.get_metadata_dict()["Title"]
                pages[len(pdf)] += 1
            finally:
                pdf.close()
    assert pages == {1: 7, 2: 1}


def test_there_are_eight_demo_claims_with_an_expected_direction_each() -> None:
    claims, (_, demo) = demo_claims(), expected()
    assert len(claims) == 8
    assert list(demo) == claims
    assert Counter(demo.values()) == {"supported": 3, "refuted": 3, "contested": 1, "no_evidence": 1}
    japanese = {demo[claim] for claim in claims if not claim.isascii()}
    assert japanese == {"supported", "refuted"}
    assert sum(not claim.isascii() for claim in claims) == 3


def test_the_expected_direction_of_a_demo_claim_follows_from_its_entries() -> None:
    entries, demo = expected()
    for claim, direction in demo.items():
        voices = {
            stance: len({entry.document for entry in entries if entry.claim == claim and entry.stance == stance})
            for stance in ("supports", "refutes")
        }
        match direction:
            case "supported":
                assert voices["supports"] >= voices["refutes"] + 2
            case "refuted":
                assert voices["refutes"] > voices["supports"]
            case "contested":
                assert min(voices.values()) >= 2
            case _:
                assert voices == {"supports": 0, "refutes": 0}


def test_no_document_speaks_about_the_claim_without_evidence() -> None:
    for path in readable():
        assert not re.search(r"chess|cholesterol|チェス|コレステロール", source(path), re.IGNORECASE)


def test_the_expected_entries_are_balanced() -> None:
    entries, _ = expected()
    assert len(entries) >= 120
    stances = Counter(entry.stance for entry in entries)
    assert set(stances) == {"supports", "refutes", "neutral"}
    assert min(stances.values()) >= 30
    languages = Counter(entry.language for entry in entries)
    assert set(languages) == {"en", "ja", "ja-en"}
    assert languages["ja"] >= 35
    assert languages["ja-en"] >= 5
    assert len({(entry.claim, entry.document, entry.quote) for entry in entries}) == len(entries)


def test_every_readable_document_has_an_expected_entry() -> None:
    assert {entry.document for entry in expected()[0]} == {f"library/{path.name}" for path in readable()}


def test_the_language_of_an_entry_is_that_of_its_claim_and_its_quote() -> None:
    kana = re.compile(r"[\u3040-\u30ff]")
    names = {(False, False): "en", (True, True): "ja", (True, False): "ja-en"}
    for entry in expected()[0]:
        assert names[bool(kana.search(entry.claim)), bool(kana.search(entry.quote))] == entry.language


def test_every_expected_quote_occurs_literally_in_its_document() -> None:
    assert [entry for entry in expected()[0] if not occurs(entry)] == []
