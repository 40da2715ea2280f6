"""What a file really is, from its first bytes, whatever its name says."""

import re

_MAGIC = (
    (b"PK\x03\x04", "zip"),
    (b"\x89PNG", "png"),
    (b"\xff\xd8\xff", "jpeg"),
    (b"GIF8", "gif"),
    (b"\x1f\x8b", "gzip"),
    (b"7z\xbc\xaf", "7z"),
    (b"\xd0\xcf\x11\xe0", "office"),
    (b"{\\rtf", "rtf"),
    (b"\x7fELF", "program"),
    (b"MZ\x90", "program"),
    (b"SQLite format 3\x00", "sqlite"),
    (b"%!PS", "postscript"),
)
_PDF_WITHIN = 1024
_HTML = re.compile(
    rb"(?:\xef\xbb\xbf)?\s*(?:<\?xml[^>]*>\s*)?(?:<!--.*?-->\s*)*(?:<!doctype\s+html|<html[\s>])", re.IGNORECASE | re.DOTALL
)


def actual_type(data: bytes) -> str | None:
    """Return the kind of a file that its first bytes give away (`pdf`, `html`, `zip`, `png`, …), or None for text."""
    head = data[:4096]
    for magic, kind in _MAGIC:
        if head.startswith(magic):
            return kind
    if head.lstrip().startswith(b"%PDF-"):
        return "pdf"
    return "html" if _HTML.match(head) else None


def holds_pdf(data: bytes) -> bool:
    """Return whether a PDF header stands where readers look for it: anywhere in the first kilobyte."""
    return b"%PDF-" in data[:_PDF_WITHIN]
