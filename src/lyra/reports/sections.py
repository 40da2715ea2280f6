"""A report as its checks see it: the tables and sections it has, wherever they stand. What is missing is None."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from lyra.reports import phrases
from lyra.reports.document import Block, Document, Item, Row, Span, parse
from lyra.reports.markup import essence

_CLAIM = re.compile(r"^\s*[#＃]\s*([0-9０-９]{1,9})\s*[:：]")
_NUMBER = re.compile(r"[0-9０-９]{1,9}")
_CLAIM_LEVEL, _SUB_LEVEL = 3, 4


@dataclass(frozen=True, slots=True)
class Part:
    """A heading with what stands under it, up to the line `end`."""

    heading: Block
    end: int
    blocks: tuple[Block, ...]

    @property
    def line(self) -> int:
        """Return the line of the heading."""
        return self.heading.line

    def tables(self) -> Iterator[Block]:
        """Yield the tables of the part."""
        return (block for block in self.blocks if block.kind == "table")

    def items(self) -> Iterator[Item]:
        """Yield the list items of the part, nested ones included."""
        return (item for block in self.blocks for item in block.items)


@dataclass(frozen=True, slots=True)
class ClaimSection:
    """The section of an advantage; `form` is the line where the reader's form begins, or where the section ends."""

    id: int
    whole: Part
    form: int
    subs: tuple[Part, ...]

    def sub(self, title: str) -> Part | None:
        """Return the first part under the fourth-level heading that begins with a title."""
        return next((part for part in self.subs if essence(part.heading.text).startswith(essence(title))), None)

    def table(self, first_column: str) -> Block | None:
        """Return the first table of the section whose first column has a name."""
        return next((block for block in self.whole.tables() if _head(block)[:1] == [essence(first_column)]), None)


@dataclass(frozen=True, slots=True)
class Report:
    """A parsed report."""

    document: Document
    parts: tuple[Part, ...]
    claims: tuple[ClaimSection, ...]

    def section(self, claim_id: int) -> ClaimSection | None:
        """Return the first section of a claim."""
        return next((section for section in self.claims if section.id == claim_id), None)

    def part(self, title: str) -> Part | None:
        """Return the first part with a title, at any level."""
        return next((part for part in self.parts if essence(part.heading.text) == essence(title)), None)

    def table(self, column: str) -> Block | None:
        """Return the first table with a column of a name."""
        return next((block for block in self.document.blocks if essence(column) in _head(block)), None)

    @property
    def header(self) -> Block | None:
        """Return the table of the header: the first of two columns, before any section."""
        for block in self.document.blocks:
            if block.kind == "heading" and block.level > 1:
                return None
            if block.kind == "table":
                return block
        return None

    @property
    def summary(self) -> Block | None:
        """Return the table of advantages."""
        return self.table(phrases.SUMMARY_HEAD[1])

    @property
    def distribution(self) -> Block | None:
        """Return the table of the distribution."""
        return self.table(phrases.DISTRIBUTION_HEAD[2])

    @property
    def section_4(self) -> Block | None:
        """Return the table of CAGR connections."""
        return self.table(phrases.SECTION_4_HEAD[5])

    @property
    def warnings(self) -> Block | None:
        """Return the table of quarterly claims."""
        return self.table(phrases.WARNINGS_HEAD[3])

    @property
    def title(self) -> Block | None:
        """Return the heading of the first level."""
        return next((block for block in self.document.blocks if block.kind == "heading" and block.level == 1), None)


def parse_report(source: str) -> Report:
    """Return a report's structure. Never fails; a text that is no report has no parts."""
    document = parse(source)
    parts = tuple(_parts(document))
    claims = tuple(_claim_section(part, number) for part in parts if (number := claim_number(part.heading)) is not None)
    return Report(document, parts, claims)


def claim_number(heading: Block) -> int | None:
    """Return the id in a heading such as `#3: …`."""
    found = _CLAIM.match(heading.text)
    return int(found[1]) if found and heading.level in (_CLAIM_LEVEL - 1, _CLAIM_LEVEL) else None


def _parts(document: Document) -> Iterator[Part]:
    blocks = document.blocks
    for at, heading in enumerate(blocks):
        if heading.kind != "heading":
            continue
        higher = (one for one in range(at + 1, len(blocks)) if 0 < blocks[one].level <= heading.level)
        end = next(higher, len(blocks))
        last = blocks[end].line if end < len(blocks) else document.lines
        yield Part(heading, last, blocks[at + 1 : end])


def _claim_section(whole: Part, number: int) -> ClaimSection:
    subs: list[Part] = []
    heads = [at for at, block in enumerate(whole.blocks) if block.kind == "heading" and block.level == _SUB_LEVEL]
    for at, following in zip(heads, [*heads[1:], len(whole.blocks)], strict=True):
        inside: list[Block] = []
        for block in whole.blocks[at + 1 : following]:
            if block.kind == "hr":
                break
            inside.append(block)
        end = inside[-1].end if inside else whole.blocks[at].end
        subs.append(Part(whole.blocks[at], end, tuple(inside)))
    form = next((block.line for block in whole.blocks if block.kind == "hr"), whole.end)
    return ClaimSection(number, whole, form, tuple(subs))


def _head(table: Block) -> list[str]:
    return [essence(cell.text) for cell in table.rows[0].cells] if table.rows else []


def cell(table: Block, row: Row, column: str) -> Span | None:
    """Return the cell of a row under a column of a name."""
    head = _head(table)
    at = head.index(essence(column)) if essence(column) in head else len(row.cells)
    return row.cells[at] if at < len(row.cells) else None


def numbered_rows(table: Block | None) -> dict[int, Row]:
    """Return the rows of a table by the number in their first cell (`3`, `#3`, `C3`), the first of each."""
    found: dict[int, Row] = {}
    for row in table.rows[1:] if table else ():
        number = _NUMBER.search(row.cells[0].text) if row.cells else None
        if number:
            found.setdefault(int(number[0]), row)
    return found


def row_place(table: Block, number: int) -> int:
    """Return the line before which a row with a number belongs: rows stand in the order of their numbers."""
    later = [row.line for other, row in numbered_rows(table).items() if other > number]
    return min(later, default=table.end)
