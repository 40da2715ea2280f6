"""Which files of a report belong together: what verification read and wrote, by digest.

`verification-results.json` names the digests of its two inputs and two outputs. By them a later run knows a copy that a person
has changed since, and data that has changed since it was verified.
"""

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path

from lyra.core.errors import InvalidInput
from lyra.reports.validation import problems

REPORT, STRUCTURED = "report.md", "structured.json"
VERIFIED_REPORT, VERIFIED_STRUCTURED = "verified-report.md", "verified-structured.json"
RESULTS = "verification-results.json"
_NAMES = {
    "report": REPORT,
    "structured": STRUCTURED,
    "verified_report": VERIFIED_REPORT,
    "verified_structured": VERIFIED_STRUCTURED,
}
_OUTPUTS = ("verified_report", "verified_structured")


def digest_of(content: bytes) -> str:
    """Return the SHA-256 of a file's content, in hexadecimal."""
    return hashlib.sha256(content).hexdigest()


def recorded_digests(folder: Path) -> Mapping[str, str]:
    """Return what the results in a folder say of their files; nothing where there are none, or none that say it."""
    try:
        value = json.loads((folder / RESULTS).read_bytes())
    except (OSError, ValueError, RecursionError):
        return {}
    listed = value.get("digests") if isinstance(value, dict) else None
    return {name: str(digest) for name, digest in listed.items()} if isinstance(listed, dict) else {}


def refuse_changed_copies(folder: Path, texts: Mapping[Path, str] | None = None) -> None:
    """Raise InvalidInput when a verified file in a folder is not as verification left it: a person may have filled it in.

    A file that already has the content to be written, given by `texts`, is in nobody's way.
    """
    recorded = recorded_digests(folder)
    for name in _OUTPUTS:
        path = folder / _NAMES[name]
        if not path.is_file():
            continue
        content = _bytes(path)
        if digest_of(content) != recorded.get(name) and (texts is None or texts.get(path, "").encode() != content):
            raise InvalidInput("report_out_changed", path=path)


def refuse_stale_data(source: Path, out: Path) -> None:
    """Raise InvalidInput when the data in `source` or its verified copy in `out` is not what verification saw and wrote.

    What is not there, or was verified without a record of digests, is not compared.
    """
    for name in ("structured", "verified_structured"):
        if not is_as_verified(name, source, out):
            raise InvalidInput("report_stale", path=(out if name in _OUTPUTS else source) / _NAMES[name])


def is_as_verified(name: str, source: Path, out: Path) -> bool:
    """Return whether one of the four files is as verification saw or wrote it, as far as the results in `out` tell."""
    recorded = recorded_digests(out)
    path = (out if name in _OUTPUTS else source) / _NAMES[name]
    return name not in recorded or not path.is_file() or digest_of(_bytes(path)) == recorded[name]


def refuse_other_file(path: Path, schema: str) -> None:
    """Raise InvalidInput when a file that would be replaced is of another kind than what is to be written there."""
    if path.is_dir():
        raise InvalidInput("out_is_directory", path=path)
    if not path.is_file():
        return
    try:
        kind_fits = not problems(json.loads(_bytes(path)), schema)
    except (ValueError, RecursionError):
        kind_fits = False
    if not kind_fits:
        raise InvalidInput("report_out_other", path=path)


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as failure:
        raise InvalidInput("report_file_unreadable", path=path, detail=failure.strerror) from None
