"""PDF: paragraphs, pages, and a parser that may die."""

import io
import json
import re
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from reportlab.lib.pagesizes import A4
from reportlab.lib.pdfencrypt import StandardEncryption
from reportlab.lib.styles import ParagraphStyle, getSampleStyleSheet
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.cidfonts import UnicodeCIDFont
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import PageBreak, Paragraph, SimpleDocTemplate

from lyra.core.errors import DocumentProblem
from lyra.core.records import Document, Identifier
from lyra.providers.pdf import read_pdf
from lyra.providers.pdf_extraction import PdfLimits, extract_pages
from lyra.providers.pdf_layout import Line, Page, paragraphs

LIMITS = PdfLimits(seconds=60, memory_bytes=2**30, max_chars=1_000_000)
SENTENCE = "Vitamin D lowered the risk of fractures in older adults by about nine percent in that trial. "
JAPANESE = "ビタミンDの補充は高齢者の骨折の危険を下げることが、大規模な試験で示された。"
NEW_PAGE = "<new page>"
STYLES = getSampleStyleSheet()


def flow(blocks: Sequence[str], footer: str = "", **info: str) -> bytes:
    """A PDF with headings (`# …`) and paragraphs."""
    pdfmetrics.registerFont(UnicodeCIDFont("HeiseiMin-W3"))
    japanese = ParagraphStyle("japanese", fontName="HeiseiMin-W3", wordWrap="CJK", spaceAfter=6)
    story: list[object] = []
    for block in blocks:
        if block == NEW_PAGE:
            story.append(PageBreak())
        elif block.startswith("# "):
            font = "Helvetica-Bold" if block.isascii() else "HeiseiMin-W3"
            story.append(Paragraph(block[2:], ParagraphStyle("heading", STYLES["Heading2"], fontName=font)))
        else:
            story.append(Paragraph(block, STYLES["BodyText"] if block.isascii() else japanese))

    def number(canvas: Canvas, document: SimpleDocTemplate) -> None:
        if footer:
            canvas.drawString(70, 30, f"{footer} {document.page}")

    out = io.BytesIO()
    SimpleDocTemplate(out, pagesize=A4, **info).build(story, onFirstPage=number, onLaterPages=number)
    return out.getvalue()


def drawn(*pages: Sequence[str], encrypt: object = None) -> bytes:
    """A PDF with these lines on its pages."""
    out = io.BytesIO()
    canvas = Canvas(out, pagesize=A4, encrypt=encrypt)
    for lines in pages:
        for row, line in enumerate(lines):
            canvas.drawString(70, 750 - 14 * row, line)
        canvas.showPage()
    canvas.save()
    return out.getvalue()


def read(data: bytes) -> Document:
    return read_pdf(data, "a.pdf", LIMITS)


def code_of(act: Callable[[], object]) -> str:
    with pytest.raises(DocumentProblem) as caught:
        act()
    assert caught.value.params["path"] == "a.pdf"
    assert "{" not in caught.value.sentence("en") + caught.value.sentence("ja")
    return caught.value.code


def found_sections(document: Document) -> list[tuple[str | None, int | None, str]]:
    return [(section.heading, section.page_number, document.text[section.start : section.end]) for section in document.sections]


def test_lines_become_paragraphs_under_headings_with_their_page() -> None:
    document = read(flow(["# Background", SENTENCE * 5, SENTENCE * 3, NEW_PAGE, "# Results", SENTENCE * 2]))
    text = SENTENCE.strip()
    assert found_sections(document) == [
        ("Background", 1, " ".join([text] * 5) + "\n\n" + " ".join([text] * 3)),
        ("Results", 2, f"{text} {text}"),
    ]


def test_japanese_lines_are_joined_without_spaces() -> None:
    document = read(flow(["# 要旨", JAPANESE * 4]))
    assert found_sections(document) == [("要旨", 1, JAPANESE * 4)]


def test_a_sentence_over_a_page_break_belongs_to_the_page_it_begins_on() -> None:
    first = ["The first page ends in the middle of a", "sentence which then goes"]
    second = ["on at the top of the second page. The next sentence", "is on the second page only."]
    document = read(drawn(first, second))
    assert found_sections(document) == [
        (None, 1, "The first page ends in the middle of a sentence which then goes on at the top of the second page."),
        (None, 2, "The next sentence is on the second page only."),
    ]


def test_divided_words_are_put_together_and_compounds_keep_their_hyphen() -> None:
    document = read(
        drawn(["The result was con-", "firmed in a ran-", "domised trial of long-", "term effects in COVID-", "19 patients."])
    )
    assert document.text == "The result was confirmed in a randomised trial of long-term effects in COVID-19 patients."


def test_running_headers_footers_and_page_numbers_are_left_out() -> None:
    pages = [["# Part " + "IVX"[n], SENTENCE * 3, NEW_PAGE] for n in range(3)]
    document = read(flow([block for page in pages for block in page], footer="Journal of Samples, page"))
    assert "Journal of Samples" not in document.text


def test_the_file_says_title_and_authors_and_the_first_page_the_rest() -> None:
    blocks = [
        "Illustrative Reports, March 2021. https://doi.org/10.5555/IR.7",
        "# Methods",
        SENTENCE * 3 + "See doi:10.5555/other.",
    ]
    document = read(flow(blocks, title="A trial", author="Jane Doe, John Smith"))
    assert (document.title, document.authors, document.published_on) == ("A trial", ("Jane Doe", "John Smith"), "2021-03")
    assert document.identifiers == (Identifier("doi", "10.5555/ir.7"),)
    assert document.references == (Identifier("doi", "10.5555/other"),)
    assert document.extractor.startswith("pypdfium2 ")


@pytest.mark.parametrize("title", ["", "untitled", "Microsoft Word - draft7.docx", "paper_final.tex", "(anonymous)"])
def test_a_title_left_by_a_program_is_not_one(title: str) -> None:
    document = read(flow(["# The real title", SENTENCE * 3], title=title))
    assert document.title == "The real title"


def test_a_doi_further_down_is_a_reference_only() -> None:
    document = read(flow([SENTENCE * 20, "https://doi.org/10.5555/far"]))
    assert (document.identifiers, document.references) == ((), (Identifier("doi", "10.5555/far"),))


def test_the_day_the_file_was_written_is_not_the_day_of_publication() -> None:
    assert read(flow([SENTENCE * 3])).published_on is None


def test_a_retracted_article_is_recognised() -> None:
    assert read(flow([SENTENCE * 3], title="RETRACTED: A trial")).retracted


def test_an_encrypted_file_says_so() -> None:
    data = drawn(["text"], encrypt=StandardEncryption("secret", canPrint=1))
    assert code_of(lambda: read(data)) == "encrypted_pdf"


def test_a_file_that_opens_without_a_password_is_read() -> None:
    assert read(drawn(["Some readable text here."], encrypt=StandardEncryption("", "owner"))).text == "Some readable text here."


@pytest.mark.parametrize(
    "data", [b"%PDF-1.7\n", b"%PDF-1.4 nothing else", drawn(["x"])[:200], b"%PDF-1.4\n" + bytes(range(256)) * 20]
)
def test_a_damaged_file_says_so(data: bytes) -> None:
    assert code_of(lambda: read(data)) == "damaged_pdf"


def test_a_scanned_file_without_a_text_layer_says_so() -> None:
    out = io.BytesIO()
    canvas = Canvas(out)
    canvas.rect(100, 100, 200, 200, fill=1)
    canvas.save()
    assert code_of(lambda: read(out.getvalue())) == "no_text"


def test_more_text_than_the_limit_is_refused() -> None:
    limits = PdfLimits(seconds=60, memory_bytes=2**30, max_chars=100)
    assert code_of(lambda: read_pdf(flow([SENTENCE * 10]), "a.pdf", limits)) == "text_too_long"


def worker(tmp_path: Path, body: str) -> Path:
    """A stand-in for the parser's script that speaks its protocol."""
    header = json.dumps({"pages": 3, "info": {}, "version": "0"})
    page = {"width": 600, "height": 800, "lines": [["Text.", 70, 700, 100, 690, 10, False]]}
    script = tmp_path / "worker.py"
    script.write_text(
        "import json, os, signal, sys, time\n"
        "def say(**record):\n    print(json.dumps(record), flush=True)\n"
        f"def page(number):\n    say(page=number, **{page!r})\n"
        f"def die():\n    os.kill(os.getpid(), signal.SIGSEGV)\n"
        f"first = int(sys.argv[1])\nsys.stdin.buffer.read()\nprint({header!r}, flush=True)\n{body}\n"
    )
    return script


def extract(tmp_path: Path, body: str, seconds: float = 60) -> tuple[list[int], list[int]]:
    found = extract_pages(b"%PDF-", "a.pdf", PdfLimits(seconds, 2**30, 1000), worker(tmp_path, body))
    return [page.number for page in found.pages], found.failed


def test_a_page_that_kills_the_parser_costs_only_itself(tmp_path: Path) -> None:
    body = "for n in range(first, 4):\n    die() if n == 2 else page(n)\nsay(end=True)"
    assert extract(tmp_path, body) == ([1, 3], [2])


def test_a_page_the_parser_gives_up_costs_only_itself(tmp_path: Path) -> None:
    body = "page(1)\nsay(page=2, failed=True)\npage(3)\nsay(end=True)"
    assert extract(tmp_path, body) == ([1, 3], [2])


def test_a_failed_last_page_ends_the_work(tmp_path: Path) -> None:
    assert extract(tmp_path, "for n in range(first, 4):\n    die() if n == 3 else page(n)") == ([1, 2], [3])


def test_a_half_written_page_is_not_used(tmp_path: Path) -> None:
    body = 'if first > 1: page(3), say(end=True), sys.exit()\npage(1)\nprint(\'{"page": 2, "wid\', flush=True)\ndie()'
    assert extract(tmp_path, body) == ([1, 3], [2])


def test_a_parser_that_always_dies_means_a_damaged_file(tmp_path: Path) -> None:
    assert code_of(lambda: extract(tmp_path, "die()")) == "damaged_pdf"


def test_a_parser_killed_for_memory_means_a_file_too_complex(tmp_path: Path) -> None:
    assert code_of(lambda: extract(tmp_path, "os.kill(os.getpid(), signal.SIGABRT)")) == "pdf_too_complex"
    assert code_of(lambda: extract(tmp_path, "say(error='memory')")) == "pdf_too_complex"


def test_a_parser_that_hangs_is_stopped(tmp_path: Path) -> None:
    assert code_of(lambda: extract(tmp_path, "page(1)\ntime.sleep(600)", seconds=0.5)) == "pdf_timeout"


def test_a_page_that_takes_too_long_is_left_out(tmp_path: Path) -> None:
    body = "for n in range(first, 4):\n    os.kill(os.getpid(), signal.SIGALRM) if n == 2 else page(n)\nsay(end=True)"
    assert extract(tmp_path, body) == ([1, 3], [2])


def test_nonsense_from_the_parser_means_a_damaged_file(tmp_path: Path) -> None:
    assert code_of(lambda: extract(tmp_path, "print('nonsense')\nprint('[1]')")) == "damaged_pdf"


def test_a_parser_that_cannot_be_started_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.executable", "/nowhere/python")
    assert code_of(lambda: read(drawn(["text"]))) == "pdf_reader_unavailable"


def test_the_parser_sees_no_secret_of_its_surroundings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOME_API_KEY", "secret")
    body = "for n in range(first, 4):\n    page(n) if 'SOME_API_KEY' not in os.environ else die()\nsay(end=True)"
    assert extract(tmp_path, body) == ([1, 2, 3], [])


def test_a_broken_page_is_noted_and_the_others_are_read() -> None:
    whole = drawn(["First page text is here."], ["Second page text is here."], ["Third page text is here."])
    kids = re.search(rb"/Kids \[[^\]]*\]", whole)
    assert kids is not None
    second = re.findall(rb"\d+ 0 R", kids.group())[1]
    document = read(whole.replace(kids.group(), kids.group().replace(second, b"0 0 R")))
    assert document.text == "First page text is here.\n\nThird page text is here."
    assert document.notes == ("page_failed:2",)


def line(text: str, top: float, left: float = 70, right: float = 500, size: float = 10) -> Line:
    return Line(text, left, top, right, top - size, size)


def test_a_second_column_goes_on_where_the_first_ended() -> None:
    left = [line("The text of the left column", 700, right=290), line("goes on at the top", 688, right=290)]
    right = [line("of the right column.", 700, left=310, right=520)]
    found = paragraphs([Page(1, 595, 842, (*left, *right))])
    assert [paragraph.text for paragraph in found] == ["The text of the left column goes on at the top of the right column."]


def test_a_table_of_contents_is_recognised() -> None:
    (found,) = paragraphs([Page(1, 595, 842, (line("1 Introduction . . . . . . . . . . 3", 700),))])
    assert found.contents
    assert not found.heading
