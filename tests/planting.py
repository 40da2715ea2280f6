"""The labelled corpus of planted instructions: its rows, and each of them as a document that somebody planted it in."""

import base64
import codecs
import csv
import html
import io
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from reportlab.lib.pagesizes import A4
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.cidfonts import UnicodeCIDFont
from reportlab.pdfgen.canvas import Canvas

from lyra.core.records import Document
from lyra.providers.html import read_html
from lyra.providers.pdf import read_pdf
from lyra.providers.pdf_extraction import PdfLimits
from lyra.providers.plain import read_plain

CORPUS = Path(__file__).parent / "core" / "corpus" / "dangerous"
CARRIERS = {
    "en": (
        "The survey was held in the spring of that year in eleven towns. Of the people who were asked, six in ten answered.",
        "Rainfall was higher than in the year before. The harvest of barley fell by a tenth, that of oats hardly changed.",
    ),
    "ja": (
        "調査はその年の春に十一の町で行われた。尋ねられた人のうち、六割が回答した。",
        "降水量は前の年より多かった。大麦の収穫は一割減り、燕麦はほとんど変わらなかった。",
    ),
}
_ESCAPE = re.compile(r"\\u([0-9a-f]{4})|\\U([0-9a-f]{8})")
_PDF_LIMITS = PdfLimits(seconds=60, memory_bytes=2**30, max_chars=100_000)
_LOOKALIKES = str.maketrans("aeopcxi", "аеорсхі")
_LEET = str.maketrans("aeiost", "431057")
_FULL_WIDTH = {code: code + 0xFEE0 for code in range(0x21, 0x7F)}


@dataclass(frozen=True, slots=True)
class Planted:
    """One row: a text, what it is, and where it is planted."""

    family: str
    language: str
    place: str
    text: str


def corpus(kind: str, part: str) -> list[Planted]:
    """Return the rows of `attacks` or `benign`, of the part `tune` or `test`."""
    with (CORPUS / f"{kind}-{part}.tsv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    return [Planted(row["family"], row["language"], row["place"], _unescaped(row["text"])) for row in rows]


def _unescaped(text: str) -> str:
    return _ESCAPE.sub(lambda match: chr(int(match[1] or match[2], 16)), text)


def planted(row: Planted) -> Document:
    """Return the document that comes of planting a row between two ordinary paragraphs."""
    if row.place in _WRITTEN:
        return _plain(row, _WRITTEN[row.place](row.text))
    if row.place in INVISIBLE:
        before, after = CARRIERS[row.language]
        return read_plain(f"{before}\n\n{after[:12]}{INVISIBLE[row.place](row.text)}{after[12:]}\n".encode(), "planted.txt")
    if row.place in _MARKUP:
        return _page(row, *_MARKUP[row.place])
    return read_pdf(pdf(row), "planted.pdf", _PDF_LIMITS)


def _plain(row: Planted, text: str) -> Document:
    before, after = CARRIERS[row.language]
    return read_plain(f"{before}\n\n{text}\n\n{after}\n".encode(), "planted.txt")


def _page(row: Planted, markup: str, head: str = "") -> Document:
    before, after = CARRIERS[row.language]
    text = row.text.replace("--", "—") if row.place == "comment" else html.escape(row.text)
    source = (
        f"<!doctype html><html><head><meta charset='utf-8'><title>A survey</title>{head.format(text)}</head><body><article>"
        f"<h1>A survey</h1><p>{before}</p>{markup.format(text)}<p>{after}</p></article></body></html>"
    )
    return read_html(source.encode(), "planted.html")


def _bits(text: str) -> str:
    return "".join("\u200b" if bit == "0" else "\u200c" for byte in text.encode() for bit in f"{byte:08b}")


def _selectors(text: str) -> str:
    return "".join(chr(0xFE00 + byte) if byte < 16 else chr(0xE0100 + byte - 16) for byte in text.encode())


_WRITTEN: dict[str, Callable[[str], str]] = {
    "visible": str,
    "base64": lambda text: base64.b64encode(text.encode()).decode(),
    "rot13": lambda text: codecs.encode(text, "rot13"),
    "hex": lambda text: text.encode().hex(),
    "leet": lambda text: text.translate(_LEET),
    "spaced": lambda text: "  ".join(" ".join(word) for word in text.split()),
    "homoglyph": lambda text: text.translate(_LOOKALIKES),
    "fullwidth": lambda text: text.translate(_FULL_WIDTH),
    "reversed": lambda text: text[::-1],
    "split": "\u200b".join,
}
INVISIBLE: dict[str, Callable[[str], str]] = {
    "tags": lambda text: "".join(chr(0xE0000 + ord(character)) for character in text),
    "zero-width": _bits,
    "selectors": _selectors,
    "bidi": lambda text: f"\u202e{text[::-1]}\u202c",
}
_MARKUP: dict[str, tuple[str, ...]] = {
    "display-none": ('<div style="display: none">{}</div>',),
    "white-on-white": ('<p><span style="color:#fff">{}</span></p>',),
    "tiny-font": ('<p style="font-size:1px">{}</p>',),
    "off-screen": ('<p style="position:absolute; left:-9999px">{}</p>',),
    "aria-hidden": ('<p aria-hidden="true">{}</p>',),
    "opacity": ('<p style="opacity:0">{}</p>',),
    "clip": ('<p style="position:absolute;clip:rect(0 0 0 0)">{}</p>',),
    "class-hidden": ('<p class="sidenote x">{}</p>', "<style>.x {{ visibility: hidden }}</style>"),
    "template": ("<template><p>{}</p></template>",),
    "noscript": ("<noscript>{}</noscript>",),
    "comment": ("<!-- {} -->",),
    "alt": ('<p><img src="chart.png" alt="{}"></p>',),
    "title": ('<p><a href="chart.html" title="{}">chart</a></p>',),
    "aria-label": ('<p><a href="chart.html" aria-label="{}">chart</a></p>',),
    "data": ('<p data-note="{}">See the chart.</p>',),
    "meta": ("", '<meta name="description" content="{}">'),
    "script-json": ("", '<script type="application/ld+json">{{"@type": "Article", "abstract": "{}"}}</script>'),
}


def pdf(row: Planted) -> bytes:
    """Return a PDF of one page in which a row is planted."""
    pdfmetrics.registerFont(UnicodeCIDFont("HeiseiMin-W3"))
    font = "Helvetica" if row.language == "en" else "HeiseiMin-W3"
    out = io.BytesIO()
    canvas = Canvas(out, pagesize=A4)
    canvas.setFont(font, 11)
    before, after = CARRIERS[row.language]
    for height, text in ((760, before), (740, after)):
        for line, part in enumerate((text[: len(text) // 2], text[len(text) // 2 :])):
            canvas.drawString(60, height - 60 * line, part)
    if row.place == "pdf-info":
        canvas.setSubject(row.text)
    else:
        _draw(canvas, row, font)
    canvas.save()
    return out.getvalue()


def _draw(canvas: Canvas, row: Planted, font: str) -> None:
    text = canvas.beginText(60 if row.place != "pdf-off-page" else 5000, 300)
    text.setFont(font, 1 if row.place == "pdf-micro" else 10)
    if row.place == "pdf-white":
        text.setFillColorRGB(1, 1, 1)
    if row.place == "pdf-render":
        text.setTextRenderMode(3)
    text.textOut(row.text)
    canvas.drawText(text)
