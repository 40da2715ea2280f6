"""Every place where a report shows a confidence, and the edits that bring it to the value of the data."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from lyra.reports import phrases
from lyra.reports.derived import linked_connections, section_connections
from lyra.reports.document import Block, Document, Edit, Row, Span
from lyra.reports.markup import contains, essence
from lyra.reports.model import Claim, Parameter, Structured
from lyra.reports.rendering import (
    distribution_cells,
    distribution_table,
    links_text,
    parameter_value,
    parameters_of,
    rating_heading,
    row,
)
from lyra.reports.scale import RANKS, rank_of
from lyra.reports.sections import ClaimSection, Report, cell, numbered_rows

_RATING = re.compile(r"(AI評価\s*[:：]\s*)(.*?)(\s*[（(]\s*)([0-9０-９]{1,3})(?=\s*[%％])")
_PERCENT = re.compile(r"(?<![0-9０-９.．])([0-9０-９]{1,3})(?=\s*[%％])")
# Marks that would be left half if a value between them were replaced.
_MARKS = re.compile(r"[*_~`<\[\\]")
_COUNT = re.compile(r"([0-9０-９]+)\s*件(?:\s*[(（]\s*([0-9０-９]+(?:[.．][0-9０-９]+)?)\s*[%％]\s*[)）])?")
_CONNECTION = re.compile(r"(?<![A-Za-z0-9])[CＣ]([0-9０-９]{1,9})(?![0-9])")
_OWNER = re.compile(r"[（(]\s*[CＣ]([0-9０-９]{1,9})\s*[)）]\s*$")
# Shares may be rounded to whole numbers by whoever wrote the report.
_ROUNDING = 0.5


@dataclass(frozen=True, slots=True)
class Mismatch:
    """A place that shows another value than the data; `claim_id` is None for the distribution."""

    claim_id: int | None
    where: str
    before: str
    after: str
    edit: Edit


def mismatches(report: Report, structured: Structured) -> list[Mismatch]:
    """Return every place that differs from the data, in the order of the report. Places that do not exist are no mismatch."""
    found = [
        *_headings(report, structured),
        *_summary(report, structured),
        *_section_tables(report, structured),
        *_section_4(report, structured),
        *_distribution(report, structured),
    ]
    return sorted(found, key=lambda one: (one.edit.start, one.edit.end))


def connection_ids(text: str) -> list[int]:
    """Return the ids of CAGR connections that a text names, in order."""
    return [int(number) for number in _CONNECTION.findall(text)]


def shows_links(text: str, linked: Sequence[Claim]) -> bool:
    """Return whether a summary cell names exactly these connections, in order."""
    return essence(text) == essence(links_text(linked)) or connection_ids(text) == [one.id for one in linked]


def _headings(report: Report, structured: Structured) -> Iterator[Mismatch]:
    for claim in structured.advantages:
        for section in report.claims:
            if section.id == claim.id and (mismatch := _heading(report.document, section, claim)):
                yield mismatch


def _heading(document: Document, section: ClaimSection, claim: Claim) -> Mismatch | None:
    part = section.sub(phrases.RATING)
    expected = f"{rank_of(claim.confidence)}（{claim.confidence}%）"
    if part is None:
        line = section.subs[0].line if section.subs else section.form
        edit = document.insert_lines(line, f"{rating_heading(claim.confidence)}\n")
        return Mismatch(claim.id, phrases.RATING, phrases.NONE, expected, edit)
    if _shows_rating(part.heading.text, claim.confidence):
        return None
    start, end = document.line_span(part.line)
    shown = _RATING.search(document.text, start, end)
    if shown is None or _MARKS.search(shown[2]):
        edit = document.replace_lines(part.line, part.heading.end, rating_heading(claim.confidence))
        return Mismatch(claim.id, phrases.RATING, part.heading.text, expected, edit)
    text = f"{rank_of(claim.confidence)}{shown[3]}{shown[4] if int(shown[4]) == claim.confidence else claim.confidence}"
    return Mismatch(claim.id, phrases.RATING, f"{shown[2]}（{shown[4]}%）", expected, Edit(shown.start(2), shown.end(4), text))


def _shows_rating(heading: str, confidence: int) -> bool:
    """Return whether a heading, as a reader sees it, has this value and its rank name, and no other."""
    ranks = [value for value, name in RANKS.items() if contains(heading, name)]
    return ranks == [confidence] and _percents(heading) == [confidence]


def _percents(text: str) -> list[int]:
    return [int(number) for number in _PERCENT.findall(text)]


def _summary(report: Report, structured: Structured) -> Iterator[Mismatch]:
    table = report.summary
    if table is None:
        return
    rows = numbered_rows(table)
    for claim in structured.advantages:
        if claim.id not in rows:
            continue
        span = cell(table, rows[claim.id], phrases.SUMMARY_HEAD[2])
        yield from _value(report.document, span, claim.confidence, claim.id, phrases.SUMMARY)
        linked = linked_connections(structured, claim)
        links = cell(table, rows[claim.id], phrases.SUMMARY_HEAD[3])
        values = cell(table, rows[claim.id], phrases.SUMMARY_HEAD[4])
        if links and values and linked and shows_links(phrases.unmarked(links.text), linked):
            yield from _values(report.document, values, linked)


def _value(document: Document, span: Span | None, value: int, claim_id: int, where: str) -> Iterator[Mismatch]:
    if span is None or _percents(span.text)[:1] == [value]:
        return
    shown = list(_PERCENT.finditer(document.text, span.start, span.end))
    visible = bool(shown) and len(shown) == len(_percents(span.text))
    edit = Edit(shown[0].start(1), shown[0].end(1), str(value)) if visible else Edit(span.start, span.end, f"{value}%")
    yield Mismatch(claim_id, where, span.text or phrases.NONE, f"{value}%", edit)


def _values(document: Document, span: Span, linked: tuple[Claim, ...]) -> Iterator[Mismatch]:
    if _percents(span.text) == [one.confidence for one in linked]:
        return
    shown = list(_PERCENT.finditer(document.text, span.start, span.end))
    if len(shown) != len(linked):
        after = "、".join(f"{one.confidence}%" for one in linked)
        yield Mismatch(linked[0].id, phrases.SUMMARY, span.text or phrases.NONE, after, Edit(span.start, span.end, after))
        return
    for match, one in zip(shown, linked, strict=True):
        if int(match[1]) != one.confidence:
            edit = Edit(match.start(1), match.end(1), str(one.confidence))
            yield Mismatch(one.id, phrases.SUMMARY, f"{match[1]}%", f"{one.confidence}%", edit)


def _section_tables(report: Report, structured: Structured) -> Iterator[Mismatch]:
    for claim in structured.advantages:
        section = report.section(claim.id)
        table = section.table(phrases.CAGR_HEAD[0]) if section else None
        if table is None:
            continue
        for connection in section_connections(structured, claim):
            for shown, parameter in rows_of_connection(table, connection):
                span = cell(table, shown, phrases.CAGR_HEAD[1])
                value = parameter_value(connection, parameter)
                yield from _value(report.document, span, value, connection.id, phrases.CAGR)


def rows_of_connection(table: Block, connection: Claim) -> list[tuple[Row, Parameter]]:
    """Return the rows of a CAGR table that show a connection, each with the parameter it is about.

    A row belongs to the connection whose id it names; a row that names none, to the one whose parameter it shows.
    """
    parameters = parameters_of(connection)
    rows = [shown for shown in table.rows[1:] if shown.cells and _is_about(shown.cells[0].text, connection)]
    labels = [shown.cells[0].text for shown in rows]
    if len(rows) == len(parameters) and all(map(contains, labels, (one.label for one in parameters))):
        return list(zip(rows, parameters, strict=True))
    return [(shown, _parameter_in(label, parameters)) for shown, label in zip(rows, labels, strict=True)]


def _is_about(label: str, connection: Claim) -> bool:
    owner = _OWNER.search(label)
    ids = [int(owner[1])] if owner else connection_ids(label)
    return connection.id in ids if ids else any(contains(label, one.label) for one in parameters_of(connection))


def _parameter_in(label: str, parameters: Sequence[Parameter]) -> Parameter:
    shown = [one for one in parameters if contains(label, one.label)]
    return max(shown, key=lambda one: len(one.label), default=parameters[0])


def _section_4(report: Report, structured: Structured) -> Iterator[Mismatch]:
    table = report.section_4
    if table is None:
        return
    rows = numbered_rows(table)
    for connection in structured.connections:
        if connection.id in rows:
            span = cell(table, rows[connection.id], phrases.SECTION_4_HEAD[4])
            yield from _value(report.document, span, connection.confidence, connection.id, phrases.CAGR_SUMMARY)


def _distribution(report: Report, structured: Structured) -> Iterator[Mismatch]:
    table, document = report.distribution, report.document
    if not structured.advantages:
        return
    if table is None:
        yield Mismatch(None, phrases.DISTRIBUTION, phrases.NONE, phrases.DISTRIBUTION, _distribution_place(report, structured))
        return
    rows = {int(shown[0]): one for one in table.rows[1:] if one.cells and (shown := _PERCENT.search(one.cells[0].text))}
    for value in RANKS:
        expected = distribution_cells(structured, value)
        if value in rows:
            for span, text, right in zip(rows[value].cells, expected, _is_right(rows[value], expected), strict=False):
                if not right:
                    yield Mismatch(None, phrases.DISTRIBUTION, f"{value}%: {span.text}", text, Edit(span.start, span.end, text))
        else:
            later = [one.line for other, one in rows.items() if other < value]
            edit = document.insert_lines(min(later, default=table.end), row(expected))
            yield Mismatch(None, phrases.DISTRIBUTION, f"{value}%: {phrases.NONE}", expected[1], edit)


def _is_right(shown: Row, expected: tuple[str, ...]) -> list[bool]:
    """Return for each cell of a distribution row whether it may stand; base rates are the reader's business."""
    texts = [span.text for span in shown.cells]
    return [
        essence(texts[0]) == essence(expected[0]),
        len(texts) > 1 and _same_count(texts[1], expected[1]),
        True,
        len(texts) > 3 and essence(texts[3]) == essence(expected[3]),  # noqa: PLR2004 - the fourth column
    ]


def _same_count(shown: str, expected: str) -> bool:
    found, wanted = _COUNT.search(shown), _COUNT.search(expected)
    if not found or not wanted or int(found[1]) != int(wanted[1]):
        return False
    share, right = (match[2] for match in (found, wanted))
    return share is None or abs(float(share.replace("．", ".")) - float(right)) <= _ROUNDING


def _distribution_place(report: Report, structured: Structured) -> Edit:
    part = report.part(phrases.DISTRIBUTION)
    text = distribution_table(structured)
    if part is not None:
        return report.document.insert_lines(part.heading.end, f"\n{text}")
    whole = f"\n### {phrases.DISTRIBUTION}\n\n{text}"
    summary = report.summary
    if summary is not None:
        return report.document.insert_lines(summary.end, whole)
    line = report.claims[0].whole.line if report.claims else report.document.lines
    return report.document.insert_lines(line, f"{whole.strip()}\n")
