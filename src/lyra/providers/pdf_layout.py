"""From the lines of PDF pages to paragraphs and headings, by where the lines stand and how large they are."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import median

from lyra.core.lexicon import CJK
from lyra.providers.headings import is_heading

_LIST_MARK = re.compile(r"\s*(?:[•◦‣▪●○・]|[-–]\s|[(（]?\d{1,2}[.)）]\s)")
_ENDS_SENTENCE = re.compile(r"[.。．!！?？:：][\"'”’)）」』\]]*$")
_CJK_END = re.compile(rf"[{CJK}、。，．！？」』）]$")
_CJK_START = re.compile(rf"[{CJK}「『（、。，．]")
_PAGE_NUMBER = re.compile(
    r"\W*(?:(?:page|p\.|頁)?\s*\d{1,4}(?:\s*(?:/|of|／)\s*\d{1,4})?\s*(?:頁|ページ)?|[ivxlc]{1,7})\W*", re.IGNORECASE
)
_DOT_LEADER = re.compile(r"(?:\.\s){4,}|\.{5,}|…{3,}|(?:・){5,}")
_DIGITS = re.compile(r"\d+")

# The share of the page height in which running headers and footers stand, and how often they must repeat.
_MARGIN = 0.12
_REPEATED_SHARE = 0.05
_REPEATED_PAGES = 3
_LARGER = 1.12
_WIDE_STEP = 1.35
_SHORT_LINE = 0.12
_MAX_HEADING = 150
_MAX_HEADING_LINES = 3


@dataclass(frozen=True, slots=True)
class Line:
    """A line of text and its place on the page, in points from the lower left corner."""

    text: str
    left: float
    top: float
    right: float
    bottom: float
    size: float
    bold: bool = False


@dataclass(frozen=True, slots=True)
class Page:
    """The lines of a page in the order in which they are drawn."""

    number: int
    width: float
    height: float
    lines: tuple[Line, ...]


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Lines joined into running text. Words divided at a line end still hold a soft hyphen there."""

    text: str
    page: int
    size: float
    heading: bool = False
    contents: bool = False


def paragraphs(pages: Sequence[Page]) -> list[Paragraph]:
    """Return the paragraphs and headings of the pages in order, without running headers, footers and page numbers."""
    kept = _without_running_lines(pages)
    body_size = _body_size(kept)
    return [
        Paragraph(_joined(group), page.number, group[0].size, _is_heading(group, body_size), _is_contents(group))
        for page in kept
        for group in _groups(page)
    ]


def join_words(before: str, after: str) -> str:
    """Return two pieces of running text as one: a space between words, none between Japanese characters."""
    if before.endswith("-") and after[:1].islower():
        return before[:-1] + "\u00ad" + after
    if before.endswith("\u00ad") or (_CJK_END.search(before) and _CJK_START.match(after)):
        return before + after
    return f"{before} {after}"


def ends_sentence(text: str) -> bool:
    """Return whether running text ends where a sentence does."""
    return _ENDS_SENTENCE.search(text) is not None


def _without_running_lines(pages: Sequence[Page]) -> list[Page]:
    repeated = Counter(key for page in pages for key in {_running_key(line) for line in page.lines if _in_margin(line, page)})
    # A chapter's title may head a few pages of many only; on two pages, both must carry the line.
    often = max(min(_REPEATED_PAGES, len(pages)), _REPEATED_SHARE * len(pages), 2)
    running = {key for key, count in repeated.items() if count >= often}
    return [
        Page(
            page.number,
            page.width,
            page.height,
            tuple(
                line
                for line in page.lines
                if not (_in_margin(line, page) and (_running_key(line) in running or _PAGE_NUMBER.fullmatch(line.text)))
            ),
        )
        for page in pages
    ]


def _in_margin(line: Line, page: Page) -> bool:
    return line.bottom > (1 - _MARGIN) * page.height or line.top < _MARGIN * page.height


def _running_key(line: Line) -> str:
    return _DIGITS.sub("#", " ".join(line.text.split())).lower()


def _body_size(pages: Sequence[Page]) -> float:
    """Return the size in which most of the text is set."""
    weight: Counter[float] = Counter()
    for page in pages:
        for line in page.lines:
            weight[line.size] += len(line.text)
    return max(weight, key=lambda size: (weight[size], size), default=0.0)


def _groups(page: Page) -> Iterator[list[Line]]:
    """Yield the lines of each paragraph."""
    spacing = _spacing(page)
    right_edges = _right_edges(page)
    group: list[Line] = []
    for line in page.lines:
        if group and _starts_paragraph(
            group[-1], line, spacing, right_edges[_column(group[-1], page)] - _SHORT_LINE * page.width
        ):
            yield group
            group = []
        group.append(line)
    if group:
        yield group


def _step(before: Line, line: Line) -> float:
    """Return how far `line` stands below `before`, baseline to baseline; negative where it stands above."""
    return before.bottom - line.top + line.size


def _spacing(page: Page) -> float:
    steps = [_step(before, line) for before, line in zip(page.lines, page.lines[1:], strict=False)]
    ordinary = [step for step, line in zip(steps, page.lines[1:], strict=True) if 0.5 * line.size < step < 3 * line.size]
    return median(ordinary) if ordinary else 0.0


def _column(line: Line, page: Page) -> int:
    return int(line.left / max(1.0, 0.15 * page.width))


def _right_edges(page: Page) -> defaultdict[int, float]:
    edges: defaultdict[int, float] = defaultdict(float)
    for line in page.lines:
        column = _column(line, page)
        edges[column] = max(edges[column], line.right)
    return edges


def _starts_paragraph(before: Line, line: Line, spacing: float, short_of: float) -> bool:
    step = _step(before, line)
    if abs(step) < 0.5 * line.size and line.left >= before.left:
        return False
    if max(before.size, line.size) > _LARGER * min(before.size, line.size) or before.bold != line.bold:
        return True
    finished = ends_sentence(before.text)
    if step < 0:
        return finished or is_heading(line.text)
    if _LIST_MARK.match(line.text) or (spacing and step > max(_WIDE_STEP * spacing, 1.2 * line.size)):
        return True
    if before.right < short_of and (is_heading(before.text) or finished):
        return True
    return finished and line.left > before.left + 0.8 * line.size


def _joined(group: Sequence[Line]) -> str:
    text = ""
    for line in group:
        piece = " ".join(line.text.split())
        text = join_words(text, piece) if text else piece
    return text


def _is_heading(group: Sequence[Line], body_size: float) -> bool:
    text = _joined(group)
    if len(group) > _MAX_HEADING_LINES or len(text) > _MAX_HEADING or not any(map(str.isalpha, text)) or _is_contents(group):
        return False
    if group[0].size >= _LARGER * body_size:
        return not text.endswith((".", "。", "．"))
    if len(group) > 1 or group[0].size < body_size / _LARGER:
        return False
    return is_heading(text) or (group[0].bold and not ends_sentence(text))


def _is_contents(group: Sequence[Line]) -> bool:
    return any(_DOT_LEADER.search(line.text) for line in group)
