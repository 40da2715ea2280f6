"""Verifying a report: from its bytes and the structured data to the corrected pair and the results."""

from collections.abc import Iterator
from dataclasses import dataclass

from lyra.core.errors import InvalidInput
from lyra.reports import phrases
from lyra.reports.correction import Corrected, correct
from lyra.reports.draft import Draft, EarlierClaim
from lyra.reports.json_text import write_json_text
from lyra.reports.knowledge import Knowledge
from lyra.reports.markup import essence
from lyra.reports.model import Structured
from lyra.reports.reading import Reading
from lyra.reports.results import Json, overall_status, results_json
from lyra.reports.sections import Report, parse_report
from lyra.reports.wording import Writer
from lyra.reports.writing import structured_text

_TITLES = (phrases.SUMMARY, phrases.CAGR_SUMMARY, phrases.WARNINGS, phrases.DISTRIBUTION, phrases.FEEDBACK)


@dataclass(frozen=True, slots=True)
class Verified:
    """The corrected report and data as they are to be written, and the results."""

    report: str
    structured: Structured
    results: Json
    status: str
    corrected: Corrected

    @property
    def structured_text(self) -> str:
        """Return the text of `verified-structured.json`."""
        return structured_text(self.structured)

    @property
    def results_text(self) -> str:
        """Return the text of `verification-results.json`."""
        return write_json_text(self.results)


@dataclass(frozen=True, slots=True)
class Request:
    """How to verify: by which knowledge, against which earlier reports, at which time, comments rewritten or not, and by whom."""

    knowledge: Knowledge
    timestamp: str
    earlier: tuple[EarlierClaim, ...] = ()
    rewrite: bool = True
    writer: Writer | None = None


def decode_report(data: bytes, where: str) -> str:
    """Return the text of a report file. Raises InvalidInput for one that is no text."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as failure:
        raise InvalidInput("report_not_utf8", path=where, position=failure.start) from None
    if "\x00" in text:
        raise InvalidInput("report_not_markdown", path=where)
    return text


def verify_report(reading: Reading, text: str, request: Request, where: str = "report.md") -> Verified:
    """Return a report with everything corrected that can be. Everything else in it stays byte for byte.

    Raises InvalidInput for a text that is no report, or one of another ticker.
    """
    report = parse_report(text)
    refuse_foreign(report, reading.structured, where)
    draft = Draft(reading.structured, report, request.knowledge, request.earlier)
    corrected = correct(draft, rewrite=request.rewrite, writer=request.writer)
    results = results_json(corrected, request.timestamp, reading.assumptions)
    written = corrected.draft.report.document.edited([])
    return Verified(written, corrected.draft.structured, results, overall_status(corrected), corrected)


def refuse_foreign(report: Report, structured: Structured, where: str) -> None:
    """Raise InvalidInput unless this is a report, and one of the company that the data is about."""
    if not report.claims and not any(map(report.part, _TITLES)) and phrases.REPORT_TITLE not in _title(report):
        raise InvalidInput("report_not_markdown", path=where)
    for found, own in _named(report, structured.ticker):
        if not own:
            raise InvalidInput("report_other_ticker", path=where, found=found, expected=structured.ticker)


def _named(report: Report, ticker: str) -> Iterator[tuple[str, bool]]:
    """Yield what a report names as its company, in the title and in the header, and whether it is the ticker."""
    title = _title(report)
    if phrases.REPORT_TITLE in title:
        named = title.partition(phrases.REPORT_TITLE)[0].strip()
        yield named, essence(named) == essence(ticker)
    for row in report.header.rows[1:] if report.header else ():
        if len(row.cells) > 1 and essence(row.cells[0].text) == essence(phrases.TARGET):
            named = essence(row.cells[1].text)
            yield row.cells[1].text, named == essence(ticker) or named.startswith(f"{essence(ticker)}(")


def _title(report: Report) -> str:
    return report.title.text if report.title else ""
