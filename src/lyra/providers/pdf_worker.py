"""The PDF parser's own process: a PDF on standard input, one JSON line per page on standard output.

PDFs are untrusted and their parser is native code, so it runs apart, under limits of memory, time and output, and a crash
costs one page. The module imports nothing of the rest, so that it runs as a plain script in Python's isolated modes.

Lines written: `{"pages", "info", "version"}` once, then `{"page", "width", "height", "lines"}` or `{"page", "failed"}` for each
page, then `{"end"}`; or `{"error"}` with `encrypted`, `damaged`, `memory` or `too_long`. A line of text is
`[text, left, top, right, bottom, size, bold]`, in points from the lower left corner: left and top of its first character, right
and bottom of its last, which stands lower where a hyphenated word joins two rows. Bold is a line that begins and ends so.
"""

import json
import signal
import sys
from collections.abc import Iterator
from ctypes import byref
from typing import Any

# FPDF_ERR_PASSWORD of PDFium's public interface.
_ERR_PASSWORD = 4
_LINE_ENDS = frozenset({10, 13})
_MAX_CODE = 0x10FFFF
_HYPHEN_CODES = frozenset({0x02, 0xAD, 0xFFFE})

_BOLD = 600

Line = tuple[str, float, float, float, float, float, bool]


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
        total += sum(len(line[0]) for line in record["lines"])
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
        return {"page": number, "width": width, "height": height, "lines": list(_lines(text_page))}
    finally:
        text_page.close()
        page.close()


def _lines(text_page: Any) -> Iterator[Line]:
    from pypdfium2 import raw  # noqa: PLC0415 - as above

    codes: list[tuple[int, int]] = []
    for index in range(text_page.count_chars()):
        code = raw.FPDFText_GetUnicode(text_page, index)
        if code not in _LINE_ENDS:
            codes.append((index, code))
            continue
        yield from _line(text_page, codes)
        codes = []
    yield from _line(text_page, codes)


def _line(text_page: Any, codes: list[tuple[int, int]]) -> Iterator[Line]:
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
