"""A Markdown file with source positions: blocks by line, table cells by offset. Edits splice the source.

Lines end at `\\n` only. A byte order mark and carriage returns stay where they are; offsets count the text without the mark.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING

from lyra.reports.phrases import ANNOTATION

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

Shown = Callable[[str], str]

BOM = "\ufeff"
# What Markdown counts as space around a cell.
_SPACE = " \t\n\v\f\r"
_DETAILS = re.compile(r"<!--.*?-->|<(/?)details\b[^>]*>", re.IGNORECASE | re.DOTALL)


@dataclass(frozen=True, slots=True)
class Span:
    """A piece of the source, by offsets, with the text a reader sees there."""

    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Row:
    """A table row with its cells."""

    line: int
    cells: tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class Item:
    """A list item: its own text without that of lists inside it, the line it begins on and the one after its end."""

    line: int
    end: int
    depth: int
    text: str


@dataclass(frozen=True, slots=True)
class Block:
    """A block at the top level: its kind, its lines, its text, and what is inside a table or a list."""

    kind: str
    line: int
    end: int
    text: str = ""
    level: int = 0
    rows: tuple[Row, ...] = ()
    items: tuple[Item, ...] = ()


@dataclass(frozen=True, slots=True)
class Edit:
    """Source to be replaced; an insertion where both ends are the same."""

    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Document:
    """A parsed file. Blocks inside `<details>` are left out: what is folded away is no part of the report's structure."""

    text: str
    bom: bool
    starts: tuple[int, ...]
    blocks: tuple[Block, ...]

    @property
    def newline(self) -> str:
        """Return how lines end here: as the first one does."""
        end = self.text.find("\n")
        return "\r\n" if end > 0 and self.text[end - 1] == "\r" else "\n"

    @property
    def lines(self) -> int:
        """Return how many lines there are; a last line without a line break counts."""
        return len(self.starts) - (1 if self.starts and self.starts[-1] == len(self.text) else 0)

    def offset(self, line: int) -> int:
        """Return where a line begins; the end of the text for the line after the last."""
        return self.starts[line] if line < len(self.starts) else len(self.text)

    def line_span(self, line: int) -> tuple[int, int]:
        """Return a line's offsets without its line break."""
        end = self.offset(line + 1)
        while end > self.offset(line) and self.text[end - 1] in "\r\n":
            end -= 1
        return self.offset(line), end

    def source(self, line: int) -> str:
        """Return a line as written, without its line break."""
        start, end = self.line_span(line)
        return self.text[start:end]

    def last_written(self, line: int, end: int) -> int:
        """Return the line after the last one, from `line` to before `end`, that is not blank."""
        while end > line and not self.source(end - 1).strip():
            end -= 1
        return end

    def insert_lines(self, line: int, text: str) -> Edit:
        """Return the edit that puts whole lines before a line; at the end of a file without a last line break it adds one."""
        at = self.offset(line)
        lead = "\n" if at and self.text[at - 1] != "\n" else ""
        return Edit(at, at, self._native(f"{lead}{text}\n"))

    def replace_lines(self, line: int, end: int, text: str) -> Edit:
        """Return the edit that replaces whole lines, leaving the last line break as it is."""
        return Edit(self.offset(line), self.line_span(end - 1)[1], self._native(text))

    def remove_lines(self, line: int, end: int) -> Edit:
        """Return the edit that takes whole lines out."""
        return Edit(self.offset(line), self.offset(end), "")

    def _native(self, text: str) -> str:
        return text.replace("\n", self.newline)

    def edited(self, edits: Iterable[Edit]) -> str:
        """Return the source with all edits made, the byte order mark included.

        Edits must not overlap; insertions at one place keep their order.
        """
        parts, done = [BOM if self.bom else ""], 0
        for edit in sorted(edits, key=lambda one: (one.start, one.end)):
            if edit.start < done:
                raise ValueError(f"edits overlap at {edit.start}")
            parts += [self.text[done : edit.start], edit.text]
            done = edit.end
        return "".join([*parts, self.text[done:]])


def parse(source: str) -> Document:
    """Return the blocks of a Markdown text. Never fails: any text is Markdown."""
    bom = source.startswith(BOM)
    text = source[1:] if bom else source
    starts = (0, *(at + 1 for at, char in enumerate(text) if char == "\n"))
    # The parser also ends lines at a lone carriage return; here it is a character like any other.
    unified = re.sub(r"\r(?!\n)", " ", text).replace("\r\n", "\n")
    defined: dict[str, dict[str, Mapping[str, str]]] = {}
    tokens = _parser().parse(unified, defined)
    blocks = _blocks(tokens, text, starts, _reader(defined.get("references", {})))
    return Document(text, bom, starts, tuple(_unfolded(blocks, tokens)))


@cache
def _parser() -> "MarkdownIt":
    """Return the parser of blocks; what stands inside them is read by `shown_text`, when and if it is wanted."""
    from markdown_it import MarkdownIt  # noqa: PLC0415 - costs start-up time that only reading Markdown may pay

    parser = MarkdownIt("commonmark").enable(["table", "strikethrough"])
    parser.core.ruler.enableOnly(["normalize", "block"])
    return parser


def _blocks(tokens: Sequence["Token"], text: str, starts: Sequence[int], shown: Shown) -> list[Block]:
    found, at = [], 0
    while at < len(tokens):
        token, end = tokens[at], at + 1
        if token.nesting == 1:
            while not (tokens[end].level == 0 and tokens[end].nesting == -1):
                end += 1
            end += 1
        found.append(_block(tokens[at:end], text, starts, shown))
        at = end
    return found


def _block(tokens: Sequence["Token"], text: str, starts: Sequence[int], shown: Shown) -> Block:
    first = tokens[0]
    line, end = first.map or (0, 0)
    kind = first.type.removesuffix("_open")
    words = "\n".join(shown(token.content) for token in tokens if token.type == "inline")
    level = int(first.tag[1]) if kind == "heading" else 0
    if kind == "table":
        return Block(kind, line, end, words, rows=tuple(_rows(tokens, text, starts, shown)))
    if kind in ("bullet_list", "ordered_list"):
        return Block("list", line, end, words, items=tuple(_items(tokens, shown)))
    return Block(kind, line, end, words if kind not in ("fence", "code_block", "html_block") else "", level)


@lru_cache(maxsize=8192)
def shown_text(inline: str) -> str:
    """Return what a reader sees of inline Markdown: no marks, no tags, a new line for a line break.

    Lines come again and again while a report is being corrected, so the last few thousand are kept.
    """
    return _shown_with(inline, {})


def _reader(references: Mapping[str, Mapping[str, str]]) -> Shown:
    """Return what reads inline Markdown where these links are defined. The annotation of a correction is never a link."""
    links = {label: target for label, target in references.items() if ANNOTATION.casefold() != f"[{label}]".casefold()}
    return (lambda inline: _shown_with(inline, links)) if links else shown_text


def _shown_with(inline: str, references: Mapping[str, Mapping[str, str]]) -> str:
    parser = _parser()
    children: list[Token] = []
    parser.inline.parse(inline, parser, {"references": dict(references)}, children)
    return _shown(children)


def _shown(children: Sequence["Token"]) -> str:
    parts = []
    for child in children:
        if child.type in ("text", "code_inline", "text_special"):
            parts.append(child.content)
        elif child.type in ("softbreak", "hardbreak"):
            parts.append("\n")
        elif child.type == "image":
            parts.append(_shown(child.children or ()))
        elif child.type == "html_inline" and child.content.lower().startswith("<br"):
            parts.append("\n")
    return "".join(parts)


def _rows(tokens: Sequence["Token"], text: str, starts: Sequence[int], shown: Shown) -> Iterable[Row]:
    line, cells = 0, list[str]()
    for token in tokens:
        if token.type == "tr_open":
            line, cells = (token.map or (0, 0))[0], []
        elif token.type == "inline":
            cells.append(shown(token.content))
        elif token.type == "tr_close":
            start = starts[line]
            end = starts[line + 1] if line + 1 < len(starts) else len(text)
            spans = [(start + left, start + right) for left, right in split_cells(text[start:end])]
            spans += [(spans[-1][1], spans[-1][1])] * (len(cells) - len(spans)) if spans else []
            yield Row(line, tuple(Span(*span, words) for span, words in zip(spans, cells, strict=False)))


def split_cells(line: str) -> list[tuple[int, int]]:
    """Return the places of a row's cells, without the space around them, divided where the parser divides them."""
    start, end = len(line) - len(line.lstrip(_SPACE)), len(line.rstrip(_SPACE))
    borders = [at for at in range(start, end) if line[at] == "|" and not (at > start and line[at - 1] == "\\")]
    edges = [start - 1, *borders, end]
    spans = [(left + 1, right) for left, right in pairwise(edges)]
    if spans and spans[0][0] >= spans[0][1]:
        spans = spans[1:]
    if spans and spans[-1][0] >= spans[-1][1]:
        spans = spans[:-1]
    return [_trimmed(line, *span) for span in spans]


def _trimmed(line: str, start: int, end: int) -> tuple[int, int]:
    while start < end and line[start] in _SPACE:
        start += 1
    while end > start and line[end - 1] in _SPACE:
        end -= 1
    return start, end


def _items(tokens: Sequence["Token"], shown: Shown) -> Iterable[Item]:
    open_items: list[tuple[int, int, list[str]]] = []
    found: list[Item] = []
    for token in tokens:
        if token.type == "list_item_open":
            line, end = token.map or (0, 0)
            open_items.append((line, end, []))
        elif token.type == "inline" and open_items:
            open_items[-1][2].append(shown(token.content))
        elif token.type == "list_item_close":
            line, end, words = open_items.pop()
            found.append(Item(line, end, len(open_items), "\n".join(words)))
    return sorted(found, key=lambda item: (item.line, item.depth))


def _unfolded(blocks: Sequence[Block], tokens: Sequence["Token"]) -> Iterable[Block]:
    """Leave out what stands between a `<details>` and its end. One that is never closed folds nothing."""
    html = [token for token in tokens if token.type == "html_block" and token.level == 0]
    opened: list[int] = []
    folded: list[tuple[int, int]] = []
    for token in html:
        line, end = token.map or (0, 0)
        for tag in _DETAILS.finditer(token.content):
            if tag[1] == "":
                opened.append(line)
            elif tag[1] == "/" and opened:
                folded.append((opened.pop(), end))
    return (block for block in blocks if not any(start <= block.line < end for start, end in folded))
