"""Putting blocks of a document together into one text, with the sections as offsets into it."""

from collections.abc import Iterable
from dataclasses import dataclass

from lyra.core.records import Section
from lyra.providers.cleaning import clean_line, clean_text

PARAGRAPH = "\n\n"
LINE = "\n"


@dataclass(frozen=True, slots=True)
class Block:
    """A paragraph, list item or heading; `glue` is what stands between it and the block before.

    A block that is `outside` stands in the text but in no section: author lines, tables of contents.
    """

    text: str
    heading: bool = False
    outside: bool = False
    page: int | None = None
    glue: str = PARAGRAPH


def assemble(blocks: Iterable[Block]) -> tuple[str, tuple[Section, ...]]:
    """Return the text of the blocks and its sections.

    A section runs from the first to the last block under one heading on one page; the heading itself stands in
    the text before it, in no section. Invisible characters are gone, empty blocks too.
    """
    parts: list[str] = []
    sections: list[Section] = []
    length = 0
    heading: str | None = None
    fresh = True
    for block in blocks:
        text = clean_line(block.text) if block.heading else clean_text(block.text).strip()
        if not text:
            continue
        if length:
            parts.append(block.glue)
            length += len(block.glue)
        start, length = length, length + len(text)
        parts.append(text)
        if block.outside:
            fresh = True
        elif block.heading:
            heading, fresh = text, True
        elif fresh or sections[-1].page_number != block.page:
            sections.append(Section(start, length, heading, block.page))
            fresh = False
        else:
            sections[-1] = Section(sections[-1].start, length, heading, block.page)
    return "".join(parts), tuple(sections)
