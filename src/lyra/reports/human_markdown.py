"""A person's evaluation in Markdown: read as people write it, in tables or under headings; every assumption is listed.

Two styles, which one file may mix. A *table* has a column for the advantage and one for its evaluation, and may have two more for
the CAGR connection. Under a *heading* that names the claim stands a line with the score, or the heading ends in it. A heading
about CAGR without a score of its own opens the part on connections. A claim to which both styles give the same score counts once.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from lyra.core.errors import InvalidInput
from lyra.reports.assumptions import Assumptions
from lyra.reports.human import HIGHEST_SCORE, HumanEvaluation, HumanScore, Score, plain, score_at_end, score_in

Kind = Literal["advantage", "connection"]

_HEADING = re.compile(r"^ {0,3}(#{1,6})\s+(.*?)\s*#*\s*$")
_FENCE = re.compile(r"^ {0,3}(`{3,}|~{3,})")
_RULE_ROW = re.compile(r"^:?-+:?$")
_CELL_BORDER = re.compile(r"(?<!\\)\|")
_NUMBER = re.compile(
    r"^(?:No\.?\s*|優位性\s*|主張\s*)?[#C]?\s*(\d{1,3})\s*[.:)、]\s*(?=\D)|^#?(\d{1,3})\s+(?=\D)|^[#C](\d{1,3})\s*:?\s*"
)
_TITLE_END = re.compile(r"\s*の(?:分析|評価)$")
_OWN = ("AI",)
_CLAIM_WORDS = ("優位性", "主張", "仮説", "advantage", "claim")
_SCORE_WORDS = ("評価", "納得", "確信度", "score", "confidence", "点数")
_CAGR = "CAGR"
# What stands in the place of a score that could not be read.
UNREAD = "–"


@dataclass(frozen=True, slots=True)
class _Columns:
    """Where a table keeps the claim, its score, the connection and its score."""

    claim: int
    score: int | None
    connection: int | None
    connection_score: int | None


def read_human_markdown(text: str, where: str) -> HumanEvaluation:
    """Return the scores in a person's file. Raises InvalidInput when there is none, or one is above 100."""
    noted = Assumptions()
    lines = text.removeprefix("\ufeff").replace("\r\n", "\n").split("\n")
    advantages: list[HumanScore] = []
    connections: list[HumanScore] = []
    in_tables = list(_from_tables(lines, noted))
    twice = {(kind, plain(found.text), found.score) for kind, found in in_tables}
    under_headings = (one for one in _from_headings(lines, noted) if (one[0], plain(one[1].text), one[1].score) not in twice)
    for kind, found in (*in_tables, *under_headings):
        if found.score > HIGHEST_SCORE:
            raise InvalidInput("human_score_off_scale", path=where, line=found.line, found=found.score)
        (advantages if kind == "advantage" else connections).append(found)
    if not advantages and not connections:
        raise InvalidInput("human_no_scores", path=where)
    return HumanEvaluation(tuple(advantages), tuple(connections), tuple(noted))


def _outside_fences(lines: Sequence[str]) -> Iterator[tuple[int, str]]:
    fence = ""
    for number, line in enumerate(lines, start=1):
        if mark := _FENCE.match(line):
            if not fence:
                fence = mark[1]
            elif mark[1].startswith(fence):
                fence = ""
            continue
        if not fence:
            yield number, line


def _is_row(line: str) -> bool:
    """Whether a line can only be a row of a table: prose may hold a single bar."""
    return line.strip().startswith("|") or line.count("|") > 1


def _cells(line: str) -> list[str] | None:
    stripped = line.strip()
    if "|" not in stripped:
        return None
    cells = _CELL_BORDER.split(stripped)
    cells = cells[1:] if stripped.startswith("|") else cells
    cells = cells[:-1] if stripped.endswith("|") and not stripped.endswith("\\|") else cells
    return [cell.replace("\\|", "|").strip() for cell in cells]


def _from_tables(lines: Sequence[str], noted: Assumptions) -> Iterator[tuple[Kind, HumanScore]]:
    columns: _Columns | None = None
    before: list[str] | None = None
    for number, line in _outside_fences(lines):
        cells = _cells(line)
        if cells is None:
            columns, before = None, None
        elif all(_RULE_ROW.match(cell) for cell in cells if cell) and before is not None:
            columns = _columns(before)
        elif columns is not None:
            yield from _row(cells, columns, number, noted)
        before = cells


def _columns(header: Sequence[str]) -> _Columns | None:
    names = [plain(cell.split("<br")[0]) for cell in header]
    cagr = [
        at for at, name in enumerate(names) if _CAGR in name.upper() and not any(word in name for word in ("確信度", "納得度"))
    ]
    claims = [at for at, name in enumerate(names) if at not in cagr and any(word in name.lower() for word in _CLAIM_WORDS)]
    if not claims:
        return None
    scores = [at for at, name in enumerate(names) if _is_score(name) and at not in claims]
    connection = cagr[0] if cagr else None
    end = len(names) if connection is None else connection
    own = next((at for at in scores if at < end), None)
    other = None if connection is None else next((at for at in scores if at > connection), None)
    return _Columns(claims[0], own, connection, other)


def _is_score(name: str) -> bool:
    return any(word in name.lower() for word in _SCORE_WORDS) and not name.startswith(_OWN)


def _row(cells: Sequence[str], columns: _Columns, line: int, noted: Assumptions) -> Iterator[tuple[Kind, HumanScore]]:
    def cell(at: int | None) -> str:
        return cells[at] if at is not None and at < len(cells) else ""

    number, title = _numbered(plain(cell(columns.claim)))
    if number is None and columns.claim > 0 and (beside := re.fullmatch(r"#?(\d{1,3})", plain(cells[0]))):
        number = int(beside[1])
    if not title:
        return
    for kind, said, own in (
        ("advantage", cell(columns.score), title),
        ("connection", cell(columns.connection_score), f"{title} {plain(cell(columns.connection))}".strip()),
    ):
        if found := score_in(said):
            yield _noted(kind, HumanScore(own, found.value, line, number, plain(said)), found, noted)
        elif plain(said).strip("-–—/ "):
            noted.add("left_out", f"{line}", plain(said), UNREAD)


def _noted(kind: str, score: HumanScore, found: Score, noted: Assumptions) -> tuple[Kind, HumanScore]:
    if found.from_rank or " " in found.written:
        noted.add("value", f"{score.line}", found.written, found.value)
    return ("advantage" if kind == "advantage" else "connection"), score


def _numbered(title: str) -> tuple[int | None, str]:
    """The number that a title begins with, and the rest of it."""
    if found := _NUMBER.match(title):
        return int(found[1] or found[2] or found[3]), title[found.end() :].strip()
    return None, title


@dataclass(frozen=True, slots=True)
class _Section:
    title: str
    line: int
    body: tuple[tuple[int, str], ...]


def _sections(lines: Sequence[str]) -> Iterator[_Section]:
    title: tuple[str, int] | None = None
    body: list[tuple[int, str]] = []
    for number, line in _outside_fences(lines):
        if heading := _HEADING.match(line):
            if title is not None:
                yield _Section(*title, tuple(body))
            title, body = (plain(heading[2]), number), []
        elif not _is_row(line):
            body.append((number, line))
    if title is not None:
        yield _Section(*title, tuple(body))


def _from_headings(lines: Sequence[str], noted: Assumptions) -> Iterator[tuple[Kind, HumanScore]]:
    kind: Kind = "advantage"
    for section in _sections(lines):
        scored = next(((number, found) for number, line in section.body if (found := _spoken_score(line))), None)
        if scored is None and (ended := score_at_end(section.title)):
            number, title = _numbered(ended[0])
            comment = " ".join(plain(text) for _, text in section.body if text.strip())
            yield kind, HumanScore(_TITLE_END.sub("", title), ended[1], section.line, number, comment)
            continue
        if scored is None:
            if _CAGR in section.title.upper():
                kind = "connection"
            continue
        number, title = _numbered(section.title)
        line, found = scored
        comment = " ".join(plain(text) for at, text in section.body if at >= line and text.strip())
        yield _noted(kind, HumanScore(_TITLE_END.sub("", title), found.value, line, number, comment), found, noted)


def _spoken_score(line: str) -> Score | None:
    """The score on a line of prose; a list item or a quotation from the report states none."""
    return None if line.lstrip().startswith(("- ", "-\t", "* ", "|")) else score_in(line)
