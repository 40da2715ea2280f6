"""Where something that is missing goes: rows in the order of ids, blocks with a blank line around them."""

from lyra.reports import phrases
from lyra.reports.document import Block, Document, Edit, Item, Span
from lyra.reports.rendering import table
from lyra.reports.sections import ClaimSection, Report, row_place

# The sections that follow the claims, in order.
_AFTER_CLAIMS = (phrases.CAGR_SUMMARY, phrases.WARNINGS, phrases.FEEDBACK)


def cell_edit(span: Span, text: str) -> Edit:
    """Return the edit that puts text in the place of a cell's; an empty cell gets the spaces that keep it apart."""
    return Edit(span.start, span.end, text if span.end > span.start else f" {text} ")


def row_edit(report: Report, shown: Block, number: int, text: str) -> Edit:
    """Return the edit that adds a row to a table, in the order of its numbers."""
    return report.document.insert_lines(row_place(shown, number), text)


def block_at(document: Document, line: int, text: str) -> Edit:
    """Return the edit that puts a block before a line, with a blank line on each side."""
    before = "\n" if line > 0 and line <= document.lines and document.source(line - 1).strip() else ""
    after = "\n" if line < document.lines and document.source(line).strip() else ""
    return document.insert_lines(line, f"{before}{text}{after}")


def end_of(document: Document, item: Item) -> int:
    """Return the line after the last one that a list item has written."""
    return document.last_written(item.line + 1, item.end)


def own_end(document: Document, section: ClaimSection, item: Item) -> int:
    """Return the line after the last one of a list item's own text, before any list inside it."""
    inside = [other.line for other in section.whole.items() if item.line < other.line < item.end]
    return min(inside, default=end_of(document, item))


def section_edit(report: Report, claim_id: int, text: str) -> Edit:
    """Return the edit that adds a claim's section, in the order of ids; its text ends in a rule, as all sections do."""
    document = report.document
    later = [section.whole.line for section in report.claims if section.id > claim_id]
    if later:
        return document.insert_lines(min(later), f"{text}\n")
    earlier = [section for section in report.claims if section.id < claim_id]
    if earlier:
        blocks = earlier[-1].whole.blocks
        ruled = bool(blocks) and blocks[-1].kind == "hr"
        line = blocks[-1].end if blocks else earlier[-1].whole.heading.end
        return block_at(document, line, text if ruled else f"---\n\n{text}")
    return after_claims_before(report, phrases.SUMMARY, f"---\n\n{text}")


def after_claims_before(report: Report, title: str, text: str) -> Edit:
    """Return the edit that adds a section where the template has it.

    Section 2 goes before the claims; what has no place of its own goes before the sections that follow the claims, else
    to the end.
    """
    document = report.document
    if title == phrases.SUMMARY and report.claims and not text.startswith("---"):
        line = report.claims[0].whole.line
        if line > 1 and document.source(document.last_written(0, line) - 1).strip() == "---":
            line = document.last_written(0, line) - 1
        return block_at(document, line, text)
    follow = _AFTER_CLAIMS[_AFTER_CLAIMS.index(title) + 1 :] if title in _AFTER_CLAIMS else _AFTER_CLAIMS
    found = [part.line for name in follow if (part := report.part(name))]
    if found:
        return block_at(document, min(found), text)
    folded = _folded_from(document)
    return block_at(document, folded, text)


def _folded_from(document: Document) -> int:
    """Return the line of a folded block that ends the file, or the end of the file."""
    end = document.blocks[-1].end if document.blocks else 0
    for line in range(end, document.lines):
        if document.source(line).strip().lower().startswith("<details"):
            return line
    return document.lines


def into_rules(report: Report, section: ClaimSection, text: str) -> tuple[Edit, bool]:
    """Return the edit that adds a row to a section's table of rules, and whether it made the table."""
    document, shown = report.document, section.table(phrases.RULES_HEAD[0])
    if shown is not None:
        return document.insert_lines(shown.end, text), False
    made, part = table(phrases.RULES_HEAD, [text]), section.sub(phrases.RULES)
    if part is not None:
        said = next((block for block in part.blocks if block.text.strip() == phrases.NO_RULES), None)
        if said is not None:
            return document.replace_lines(said.line, said.end, made), True
        return block_at(document, part.heading.end, made), True
    verification = section.sub(phrases.VERIFICATION)
    line = verification.line if verification else section.form
    return block_at(document, line, f"#### {phrases.RULES}\n\n{made}"), True


def in_verification(report: Report, section: ClaimSection, text: str, *, first: bool = False) -> Edit:
    """Return the edit that adds list items to a section's verification, which is made where there is none."""
    document, part = report.document, section.sub(phrases.VERIFICATION)
    if part is None:
        return block_at(document, section.form, f"#### {phrases.VERIFICATION}\n\n{text}")
    lists = [block for block in part.blocks if block.kind == "list"]
    if not lists:
        return block_at(document, part.heading.end, text)
    line = lists[0].line if first else document.last_written(lists[-1].line + 1, lists[-1].end)
    return document.insert_lines(line, text)
