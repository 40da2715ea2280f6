"""Reports as files: read what is given, build or verify, write everything or nothing. Inputs are never overwritten."""

import hashlib
import os
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from lyra.core.errors import InvalidInput
from lyra.core.units import MEBIBYTE
from lyra.reports.assumptions import Assumption
from lyra.reports.builder import Stamp, build_report, stamped
from lyra.reports.draft import EarlierClaim
from lyra.reports.knowledge import Knowledge, read_knowledge, shipped_knowledge
from lyra.reports.model import Structured
from lyra.reports.reading import read_structured
from lyra.reports.verifying import Request, Verified, decode_report, verify_report
from lyra.reports.wording import Writer
from lyra.reports.writing import structured_text
from lyra.store.reports import ReportFiles, Reports, SavedClaim
from lyra.workflows.report_belonging import (
    REPORT,
    RESULTS,
    STRUCTURED,
    VERIFIED_REPORT,
    VERIFIED_STRUCTURED,
    digest_of,
    refuse_changed_copies,
)

_MOST_BYTES = 64 * MEBIBYTE


@dataclass(frozen=True, slots=True)
class BuildOrder:
    """What to build, where to, and what the file may leave open: time and id."""

    source: Path
    out: Path
    now: datetime
    at: str | None = None
    research_id: str | None = None
    knowledge: Path | None = None
    replace: bool = False


@dataclass(frozen=True, slots=True)
class Built:
    """A report that was written."""

    structured: Structured
    assumptions: tuple[Assumption, ...]
    report: Path
    data: Path


@dataclass(frozen=True, slots=True)
class VerifyOrder:
    """What to verify and how; without `out` the results go beside the report."""

    folder: Path
    now: datetime
    out: Path | None = None
    at: str | None = None
    knowledge: Path | None = None
    rewrite: bool = True
    replace: bool = False


@dataclass(frozen=True, slots=True)
class VerifiedFiles:
    """A report that was verified and written."""

    verified: Verified
    assumptions: tuple[Assumption, ...]
    report: Path
    data: Path
    results: Path


def build_files(order: BuildOrder) -> Built:
    """Write `report.md` and the completed `structured.json`. Raises InvalidInput before anything is written.

    A report that is there already, and differs, is only replaced on demand: a person may have filled it in.
    """
    knowledge, moment = load_knowledge(order.knowledge), stamp_of(order.at, order.now)
    reading = read_structured(read_bytes(order.source), str(order.source))
    refuse_input_folder(order.source, order.out)
    research_id = order.research_id or _default_id(reading.structured)
    structured = stamped(reading.structured, Stamp(moment, research_id), knowledge)
    texts = {order.out / REPORT: build_report(structured, knowledge), order.out / STRUCTURED: structured_text(structured)}
    if not order.replace:
        _refuse_replacing(texts)
    write_all(order.out, texts)
    return Built(structured, reading.assumptions, order.out / REPORT, order.out / STRUCTURED)


def verify_files(order: VerifyOrder, earlier: "EarlierReports | None" = None, writer: Writer | None = None) -> VerifiedFiles:
    """Write the corrected report and data and the results. Raises InvalidInput before anything is written.

    A verified copy that a person has changed since it was written is only replaced on demand.
    """
    knowledge, moment = load_knowledge(order.knowledge), stamp_of(order.at, order.now)
    source, data = order.folder / REPORT, order.folder / STRUCTURED
    given, written = read_bytes(data), read_bytes(source)
    reading, text = read_structured(given, str(data)), decode_report(written, str(source))
    others = earlier.of_others(reading.structured.ticker) if earlier else ()
    request = Request(knowledge, moment, others, order.rewrite, writer)
    verified = _with_digests(verify_report(reading, text, request, str(source)), written, given)
    out = order.out or order.folder
    paths = out / VERIFIED_REPORT, out / VERIFIED_STRUCTURED, out / RESULTS
    for path in paths:
        if path.exists() and any(path.samefile(one) for one in (source, data)):
            raise InvalidInput("report_out_is_input", path=path)
    texts = dict(zip(paths, (verified.report, verified.structured_text, verified.results_text), strict=True))
    if not order.replace:
        refuse_changed_copies(out, texts)
    write_all(out, texts)
    return VerifiedFiles(verified, reading.assumptions, *paths)


def _with_digests(verified: Verified, report: bytes, structured: bytes) -> Verified:
    """Put the digests of what was read and of what is to be written into the results."""
    contents = {
        "report": report,
        "structured": structured,
        "verified_report": verified.report.encode("utf-8"),
        "verified_structured": verified.structured_text.encode("utf-8"),
    }
    return replace(verified, results={**verified.results, "digests": {name: digest_of(one) for name, one in contents.items()}})


class EarlierReports:
    """The reports that were saved, as verification and `--save` need them."""

    def __init__(self, reports: Reports) -> None:
        self._reports = reports

    def of_others(self, ticker: str) -> tuple[EarlierClaim, ...]:
        """Return the claims of other tickers."""
        return tuple(
            EarlierClaim(
                one.ticker,
                one.research_id,
                one.claim,
                one.confidence,
                frozenset(one.pattern_matches),
                frozenset(one.pattern_rejections),
            )
            for one in self._reports.of_others(ticker)
        )

    def save(self, verified: Verified) -> tuple[str, bool]:
        """Keep a verified report; returns its id and whether it is new."""
        structured = verified.structured
        claims = [
            (
                claim.id,
                SavedClaim(
                    structured.ticker,
                    structured.research_id,
                    claim.claim,
                    claim.confidence,
                    claim.verification.pattern_matches,
                    claim.verification.pattern_rejections,
                ),
            )
            for claim in structured.advantages
        ]
        texts = (verified.report, verified.structured_text, verified.results_text)
        files = ReportFiles(structured.ticker, structured.research_id, verified.status, *texts)
        return self._reports.save(files, claims)


def load_knowledge(path: Path | None) -> Knowledge:
    """Return the knowledge of a file, or the shipped one."""
    return shipped_knowledge() if path is None else read_knowledge(read_bytes(path), str(path))


def stamp_of(given: str | None, now: datetime) -> str:
    """Return the time stamp of a report: the given one, checked, or now, to the second. Raises InvalidInput for no time."""
    if given is None:
        return now.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    try:
        datetime.fromisoformat(given)
    except ValueError:
        raise InvalidInput("report_bad_time", value=given) from None
    return given


def read_bytes(path: Path) -> bytes:
    """Return a file's bytes. Raises InvalidInput for one that is missing, unreadable or far too large."""
    try:
        with path.open("rb") as stream:
            content = stream.read(_MOST_BYTES + 1)
    except FileNotFoundError:
        raise InvalidInput("report_file_missing", path=path) from None
    except (OSError, ValueError) as failure:
        detail = getattr(failure, "strerror", None) or failure
        raise InvalidInput("report_file_unreadable", path=path, detail=detail) from None
    if len(content) > _MOST_BYTES:
        raise InvalidInput("report_file_too_large", path=path, limit=_MOST_BYTES // MEBIBYTE)
    return content


def refuse_input_folder(source: Path, out: Path) -> None:
    """Raise InvalidInput when results would go where the input is."""
    with suppress(OSError):
        if out.exists() and out.resolve() in (source.resolve().parent, source.parent.resolve()):
            raise InvalidInput("report_out_is_input", path=out)


def write_all(folder: Path, texts: Mapping[Path, str]) -> None:
    """Write files whole and together: all into new files first, which then take the names. Raises InvalidInput."""
    drafts: list[tuple[Path, Path]] = []
    if taken := next((path for path in texts if path.is_dir()), None):
        raise InvalidInput("out_is_directory", path=taken)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for path, text in texts.items():
            draft = path.with_name(f".{path.name}.{os.getpid()}.part")
            drafts.append((draft, path))
            with draft.open("wb") as stream:
                stream.write(text.encode("utf-8"))
                stream.flush()
                os.fsync(stream.fileno())
        for draft, path in drafts:
            draft.replace(path)
    except (OSError, ValueError) as failure:
        for draft, _ in drafts:
            with suppress(OSError):
                draft.unlink(missing_ok=True)
        detail = getattr(failure, "strerror", None) or failure
        raise InvalidInput("report_out_unwritable", path=folder, detail=detail) from failure


def _refuse_replacing(texts: Mapping[Path, str]) -> None:
    for path, text in texts.items():
        if path.is_file() and read_bytes(path) != text.encode("utf-8"):
            raise InvalidInput("report_out_exists", path=path)


def _default_id(structured: Structured) -> str:
    digest = hashlib.sha256(structured_text(structured).encode("utf-8")).hexdigest()
    return f"{structured.ticker}-{digest[:12]}"
