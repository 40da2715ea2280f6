"""The PDF parser's own process: a PDF on standard input, one JSON line per page on standard output.

PDFs are untrusted and their parser is native code, so it runs apart, under limits of memory, time and output, and a crash
costs one page. The module imports nothing of the rest, so that it runs as a plain script in Python's isolated modes.

Lines written: `{"pages", "info", "version"}` once, then `{"page", "width", "height", "lines", "unseen"}` or
`{"page", "failed"}` for each page, then `{"end"}`; or `{"error"}` with `encrypted`, `damaged`, `memory` or `too_long`. A line
of text is `[text, left, top, right, bottom, size, bold]`, in points from the lower left corner: left and top of its first
character, right and bottom of its last, which stands lower where a hyphenated word joins two rows. Bold is a line that begins
and ends so. `unseen` are texts that leave no trace on the page as it is drawn: white on white, transparent, covered, tiny,
beside the page.
"""

import json
import signal
import sys
from collections.abc import Iterator
from ctypes import byref, c_uint
from itertools import groupby
from typing import Any

# FPDF_ERR_PASSWORD of PDFium's public interface.
_ERR_PASSWORD = 4
_LINE_ENDS = frozenset({10, 13})
_MAX_CODE = 0x10FFFF
_HYPHEN_CODES = frozenset({0x02, 0xAD, 0xFFFE})

_BOLD = 600

# From here on a colour may be that of the paper, and an opacity that of nothing.
_PALE, _FAINT = 235, 16
# A text object may be nested in forms this deep, and a page may hold this many, before all of it is looked at closely.
_MAX_DEPTH, _MAX_OBJECTS = 8, 20_000
_TINY_POINTS = 3.0
# What is tiny or beside the page is unseen where it is the smaller part of it; else the page is drawn in a way of its own.
_SMALLER_PART = 0.3
_MAX_PIXELS = 2_000_000
_LEAST_CONTRAST = 24

Line = tuple[str, float, float, float, float, float, bool]
Codes = list[tuple[int, int]]


def limit_resources(memory_bytes: int, cpu_seconds: int, output_bytes: int) -> None:
    """Limit this process where the platform can; where it cannot, the parent's clock is the only limit."""
    try:
        import resource  # noqa: PLC0415 - absent on some platforms
    except ImportError:
        return
    limits = (
        (resource.RLIMIT_AS, memory_bytes),
        (resource.RLIMIT_CPU, cpu_seconds),
        (resource.RLIMIT_FSIZE, output_bytes),
        (resource.RLIMIT_CORE, 0),
    )
    for kind, value in limits:
        try:
            resource.setrlimit(kind, (value, value))
        except (ValueError, OSError):
            continue


def read_pages(data: bytes, first_page: int, page_seconds: float, max_chars: int) -> Iterator[dict[str, object]]:
    """Yield the records described above for the pages from `first_page` (counted from 1) on.

    A page that takes longer than `page_seconds` ends the process: native code cannot be interrupted otherwise.
    """
    import pypdfium2  # noqa: PLC0415 - native code that the parent's process never loads

    try:
        document = pypdfium2.PdfDocument(data)
        pages = len(document)
    except pypdfium2.PdfiumError as problem:
        yield {"error": "encrypted" if problem.err_code == _ERR_PASSWORD else "damaged"}
        return
    yield {"pages": pages, "info": document.get_metadata_dict(), "version": str(pypdfium2.version.PYPDFIUM_INFO)}
    total = 0
    for number in range(first_page, pages + 1):
        _alarm(page_seconds)
        try:
            record = _read_page(document, number)
        except (pypdfium2.PdfiumError, MemoryError):
            yield {"page": number, "failed": True}
            continue
        total += sum(len(line[0]) for line in record["lines"]) + sum(map(len, record["unseen"]))
        if total > max_chars:
            yield {"error": "too_long"}
            return
        yield record
    _alarm(0)
    yield {"end": True}


def _alarm(seconds: float) -> None:
    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_REAL, seconds)


def _read_page(document: Any, number: int) -> dict[str, Any]:
    page = document[number - 1]
    width, height = page.get_size()
    text_page = page.get_textpage()
    try:
        lines, unseen = _seen_and_unseen(page, text_page)
        return {"page": number, "width": width, "height": height, "lines": lines, "unseen": unseen}
    finally:
        text_page.close()
        page.close()


def _seen_and_unseen(page: Any, text_page: Any) -> tuple[list[Line], list[str]]:
    sight = _Sight(page, text_page)
    found = [
        (sight.shows(run), line) for codes in _rows(text_page) for run in sight.runs(codes) for line in _line(text_page, run)
    ]
    edges = page.get_cropbox()
    apart = [(shown, line, line[5] <= _TINY_POINTS or _is_beside(line, edges)) for shown, line in found]
    if sum(len(line[0]) for _, line, is_apart in apart if is_apart) > _SMALLER_PART * sum(len(line[0]) for _, line in found):
        apart = [(shown, line, False) for shown, line in found]
    lines = [line for shown, line, is_apart in apart if shown and not is_apart]
    return lines, [line[0] for shown, line, is_apart in apart if is_apart or not shown]


def _is_beside(line: Line, edges: tuple[float, float, float, float]) -> bool:
    _, left, top, right, bottom, _, _ = line
    return right < edges[0] or left > edges[2] or top < edges[1] or bottom > edges[3]


def _rows(text_page: Any) -> Iterator[Codes]:
    from pypdfium2 import raw  # noqa: PLC0415 - as above

    codes: Codes = []
    for index in range(text_page.count_chars()):
        code = raw.FPDFText_GetUnicode(text_page, index)
        if code not in _LINE_ENDS:
            codes.append((index, code))
            continue
        yield codes
        codes = []
    yield codes


class _Sight:
    """Tells what of a page's text can be seen. Pages without pale or unpainted text cost next to nothing."""

    def __init__(self, page: Any, text_page: Any) -> None:
        self._page = page
        self._text_page = text_page
        self._doubtful = _has_doubtful_text(page)
        self._doubts: dict[int, bool] = {}
        self._drawing: tuple[Any, Any] | None = None

    def runs(self, codes: Codes) -> Iterator[Codes]:
        """Yield the parts of a row that are in doubt, and those that are not, in order."""
        if not self._doubtful:
            yield codes
            return
        doubt = False
        marked = []
        for index, code in codes:
            if _character(code).strip():  # a blank goes with what stands before it
                doubt = self._in_doubt(index)
            marked.append((doubt, (index, code)))
        for _, run in groupby(marked, key=lambda item: item[0]):
            yield [one for _, one in run]

    def shows(self, codes: Codes) -> bool:
        """Return whether a part of a row, as `runs` gives it, leaves a trace on the page as it is drawn."""
        shown = [index for index, code in codes if _character(code).strip()]
        if not self._doubtful or not shown or not self._in_doubt(shown[0]):
            return True
        return any(self._has_contrast(index) for index in shown[:: max(1, len(shown) // 12)])

    def _in_doubt(self, index: int) -> bool:
        from pypdfium2 import raw  # noqa: PLC0415 - as above

        if index not in self._doubts:
            found = raw.FPDFText_GetTextObject(self._text_page, index)
            self._doubts[index] = bool(found) and _is_doubtful(found)
        return self._doubts[index]

    def _has_contrast(self, index: int) -> bool:
        if self._drawing is None:
            width, height = self._page.get_size()
            scale = min(2.0, (_MAX_PIXELS / max(1.0, width * height)) ** 0.5)
            bitmap = self._page.render(scale=scale, grayscale=True, may_draw_forms=False)
            self._drawing = bitmap, bitmap.get_posconv(self._page)
        bitmap, places = self._drawing
        left, low, right, top = _box(self._text_page, index)
        corners = [places.to_bitmap(x, y) for x, y in ((left, low), (right, top))]
        across = range(max(0, min(x for x, _ in corners)), min(bitmap.width, max(x for x, _ in corners) + 1))
        down = range(max(0, min(y for _, y in corners)), min(bitmap.height, max(y for _, y in corners) + 1))
        inks = [
            value for y in down for value in bitmap.buffer[y * bitmap.stride + across.start : y * bitmap.stride + across.stop]
        ]
        return bool(inks) and max(inks) - min(inks) >= _LEAST_CONTRAST


def _has_doubtful_text(page: Any) -> bool:
    from pypdfium2 import raw  # noqa: PLC0415 - as above

    waiting = [(raw.FPDFPage_GetObject(page, at), 0) for at in range(min(_MAX_OBJECTS, raw.FPDFPage_CountObjects(page)))]
    seen = 0
    while waiting:
        found, depth = waiting.pop()
        seen += 1
        kind = raw.FPDFPageObj_GetType(found)
        if kind == raw.FPDF_PAGEOBJ_TEXT and _is_doubtful(found):
            return True
        if kind == raw.FPDF_PAGEOBJ_FORM:
            if depth >= _MAX_DEPTH or seen >= _MAX_OBJECTS:
                return True
            waiting += [(raw.FPDFFormObj_GetObject(found, at), depth + 1) for at in range(raw.FPDFFormObj_CountObjects(found))]
    return False


def _is_doubtful(text_object: Any) -> bool:
    """Return whether a text is drawn with nothing, or with a colour that is nearly white or nearly transparent."""
    from pypdfium2 import raw  # noqa: PLC0415 - as above

    if raw.FPDFTextObj_GetTextRenderMode(text_object) in (raw.FPDF_TEXTRENDERMODE_INVISIBLE, raw.FPDF_TEXTRENDERMODE_CLIP):
        return True
    channels = [c_uint() for _ in range(4)]
    if not raw.FPDFPageObj_GetFillColor(text_object, *map(byref, channels)):
        return False
    red, green, blue, opacity = (channel.value for channel in channels)
    return min(red, green, blue) >= _PALE or opacity <= _FAINT


def _line(text_page: Any, codes: Codes) -> Iterator[Line]:
    text = "".join(_character(code) for _, code in codes)
    # Characters beyond the basic plane may arrive as two halves.
    whole = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    shown = [index for index, code in codes if _character(code).strip()]
    if shown:
        left, low, _, top = _box(text_page, shown[0])
        _, bottom, right, high = _box(text_page, shown[-1])
        bold = _is_bold(text_page, shown[0]) and _is_bold(text_page, shown[-1])
        yield (
            whole,
            round(left, 1),
            round(top, 1),
            round(right, 1),
            round(bottom, 1),
            round(max(top - low, high - bottom), 1),
            bold,
        )


def _is_bold(text_page: Any, index: int) -> bool:
    from pypdfium2 import raw  # noqa: PLC0415 - as above

    return int(raw.FPDFText_GetFontWeight(text_page, index)) >= _BOLD


def _character(code: int) -> str:
    if code in _HYPHEN_CODES:
        return "\u00ad"
    return chr(code) if 0 < code <= _MAX_CODE else ""


def _box(text_page: Any, index: int) -> tuple[float, float, float, float]:
    from pypdfium2 import raw  # noqa: PLC0415 - as above

    rectangle = raw.FS_RECTF()
    raw.FPDFText_GetLooseCharBox(text_page, index, byref(rectangle))
    return rectangle.left, rectangle.bottom, rectangle.right, rectangle.top


def main(arguments: list[str]) -> int:
    """Read the PDF on standard input under the limits given as arguments."""
    first_page, memory_bytes, cpu_seconds, page_milliseconds, max_chars, output_bytes = map(int, arguments)
    data = sys.stdin.buffer.read()
    import pypdfium2  # noqa: F401, PLC0415 - loading the library is not what the limits are for, and must not fail on them

    limit_resources(memory_bytes, cpu_seconds, output_bytes)
    try:
        for record in read_pages(data, first_page, page_milliseconds / 1000, max_chars):
            _write(record)
    except MemoryError:
        _write({"error": "memory"})
    return 0


def _write(record: dict[str, object]) -> None:
    sys.stdout.write(json.dumps(record) + "\n")
    # A crash on the next page must not take this one with it.
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
