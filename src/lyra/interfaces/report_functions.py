"""Reports from Python, as pure functions: JSON-ready values and texts in, the same out. No file, no store, no clock."""

from collections.abc import Mapping
from dataclasses import dataclass

from lyra.interfaces.presenter import Json
from lyra.reports.accuracy_report import HumanSource, accuracy_json, measure
from lyra.reports.builder import Stamp, stamped
from lyra.reports.builder import build_report as build
from lyra.reports.human_reading import read_human
from lyra.reports.knowledge import shipped_knowledge
from lyra.reports.reading import structured_from
from lyra.reports.verifying import Request
from lyra.reports.verifying import verify_report as verify
from lyra.reports.writing import structured_json

_DATA, _HUMAN = "structured", "human"


@dataclass(frozen=True, slots=True)
class VerifiedReport:
    """A report after verification: `pass`, `pass_with_corrections` or `fail`, the corrected pair, and all results."""

    status: str
    report: str
    structured: Json
    results: Json


def build_report(structured: Mapping[str, object], generated_at: str = "", research_id: str = "") -> str:
    """Return the report of a `structured.json` as Markdown; time and id are used where the data has none.

    The same input gives the same text. Raises InvalidInput with the path and what was expected there.
    """
    reading, knowledge = structured_from(dict(structured), _DATA), shipped_knowledge()
    return build(stamped(reading.structured, Stamp(generated_at, research_id), knowledge), knowledge)


def verify_report(structured: Mapping[str, object], report: str, timestamp: str, *, rewrite: bool = True) -> VerifiedReport:
    """Return a report with everything corrected that can be, checked against its data in three layers.

    Without `rewrite` no comment is touched. Raises InvalidInput for data or a text that cannot be used.
    """
    reading = structured_from(dict(structured), _DATA)
    done = verify(reading, report, Request(shipped_knowledge(), timestamp, rewrite=rewrite))
    return VerifiedReport(done.status, done.report, structured_json(done.structured), done.results)


def report_accuracy(
    structured: Mapping[str, object],
    generated_at: str,
    human: str | None = None,
    *,
    given: Mapping[str, object] | None = None,
) -> Json:
    """Return how near a report comes to a person's evaluation, given as Markdown; without one, how plausible it is by itself.

    `given` is the data before verification: with it, values that verification drew from the tested company's own scores are
    measured without them. The same values as `accuracy-report.json` holds. Raises InvalidInput for data or a text that cannot
    be used.
    """
    records = structured_from(dict(structured), _DATA).structured
    before = None if given is None else structured_from(dict(given), _DATA).structured
    source = None if human is None else HumanSource(read_human(human.encode("utf-8"), _HUMAN, records.ticker), _HUMAN)
    return accuracy_json(measure(records, shipped_knowledge(), source, generated_at, before))
