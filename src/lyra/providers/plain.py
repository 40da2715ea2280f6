"""Reading plain text, exactly as it is: only where its title, header lines and sections stand is worked out."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from lyra.core.errors import DocumentProblem
from lyra.core.records import Document, Section
from lyra.providers.cleaning import clean_line
from lyra.providers.dates import find_date, parse_date
from lyra.providers.decoding import MAX_CHARS, decode_document
from lyra.providers.headings import is_heading, is_numbered, is_short_title
from lyra.providers.naming import author_names, distinct, identifier_of, named_works
from lyra.providers.notes import DATE_UNREADABLE, IDENTIFIER_UNREADABLE
from lyra.providers.retraction import retraction_notice, title_says_retracted

_FIELD_NAMES = {
    name: field
    for field, names in (
        ("title", "title 題名 タイトル 標題 表題 件名"),
        ("author", "author authors by 著者 執筆者 作成者"),
        ("date", "date published 日付 発行日 公開日 公表日 作成日"),
        ("venue", "journal venue 掲載誌 掲載"),
        ("doi", "doi"),
        ("pmid", "pmid"),
        ("arxiv", "arxiv"),
        ("url", "url source"),
    )
    for name in names.split()
}
_FIELD_LINE = re.compile(r"([A-Za-z]{2,12}(?: [A-Za-z]{2,12})?|[\u3040-\u9fff]{2,6})\s*[:：](?!//)\s*(\S.*)")
_DOI_LINE = re.compile(r"https?://(?:dx\.)?doi\.org/\S+", re.IGNORECASE)
_UNDERLINE = re.compile(r"[=\-~*＝─━_]{3,}")
_ENDS_SENTENCE = re.compile(r"[。．.!！?？,、，;；:：]$")
_MAX_TITLE = 150
_MAX_SUBTITLE = 80
_HEADER_LINES = 15


@dataclass(frozen=True, slots=True)
class _Line:
    start: int
    end: int
    text: str


def read_plain(data: bytes, where: str, max_chars: int = MAX_CHARS) -> Document:
    """Return the document in a text file. Raises DocumentProblem `undecodable`, `text_too_long` or `no_text`.

    The first line is the title where it looks like one; lines such as `DOI: 10.…` or `Date: …` at the top are
    understood. Title, these lines and headings stand in the text but in no section.
    """
    decoded = decode_document(data, where, max_chars)
    text = decoded.text
    if not any(map(str.isalnum, text)):
        raise DocumentProblem("no_text", path=where)
    paragraphs = _paragraphs(text)
    title_line, fields, body = _split_header(paragraphs)
    sections = tuple(_sections(body))
    title = fields.get("title") or title_line
    notice = retraction_notice(text, sections, title)
    named = [identifier_of(kind, fields[kind]) for kind in ("doi", "pmid", "arxiv", "url") if kind in fields]
    identifiers = distinct(named)
    published_on = parse_date(fields["date"]) if "date" in fields else find_date(_subtitle(body) if title_line else "")
    problems = ((DATE_UNREADABLE, "date" in fields and published_on is None), (IDENTIFIER_UNREADABLE, None in named))
    return Document(
        text=text,
        sections=sections,
        title=title,
        authors=author_names([fields["author"]] if "author" in fields else []),
        published_on=published_on,
        venue=fields.get("venue"),
        identifiers=tuple(identifiers),
        references=tuple(distinct(named_works(text), besides=identifiers)),
        retracted=title_says_retracted(title) or notice is not None,
        retraction_reason=notice,
        extractor="plain",
        notes=(*decoded.notes, *(code for code, holds in problems if holds)),
        unseen=decoded.unseen,
    )


def _paragraphs(text: str) -> list[list[_Line]]:
    """Return the text's lines, grouped between blank lines."""
    groups: list[list[_Line]] = [[]]
    start = 0
    for line in text.split("\n"):
        if line.strip():
            groups[-1].append(_Line(start, start + len(line), line.strip()))
        elif groups[-1]:
            groups.append([])
        start += len(line) + 1
    return [group for group in groups if group]


def _split_header(paragraphs: Sequence[Sequence[_Line]]) -> tuple[str | None, dict[str, str], list[list[_Line]]]:
    """Return the title line, the header fields, and the paragraphs without either."""
    fields: dict[str, str] = {}
    body = [list(paragraph) for paragraph in paragraphs]
    title = None
    if _looks_like_title(body):
        title = clean_line(body[0].pop(0).text)
    seen = 0
    for paragraph in body:
        whole = _is_header(paragraph)
        while paragraph and seen < _HEADER_LINES and (whole or _is_known(_field(paragraph[0].text)[0])):
            name, value = _field(paragraph.pop(0).text)
            fields.setdefault(name, value)
            seen += 1
        if paragraph:
            break
    return title, fields, [paragraph for paragraph in body if paragraph]


def _looks_like_title(paragraphs: Sequence[Sequence[_Line]]) -> bool:
    first = paragraphs[0][0].text
    second = paragraphs[0][1].text if len(paragraphs[0]) > 1 else ""
    if not second and len(paragraphs) == 1:
        return False
    is_field = _is_known(_field(first)[0]) or (_field(first)[0] and _field(second)[0])
    return len(first) <= _MAX_TITLE and not (second[:1].islower() or _ENDS_SENTENCE.search(first) or is_field)


def _subtitle(body: Sequence[Sequence[_Line]]) -> str:
    """Return the lines that stand directly under the title, where issue and date are written; empty if it is text."""
    lines = [line.text for line in body[0]] if body else []
    short = [line for line in lines if len(line) <= _MAX_SUBTITLE and not _ENDS_SENTENCE.search(line)]
    return "\n".join(short)


def _is_header(paragraph: Sequence[_Line]) -> bool:
    """Return whether every line is a field: a known one, or one of several in the manner of a memo's head."""
    names = [_field(line.text)[0] for line in paragraph]
    return all(names) and (len(names) > 1 or any(map(_is_known, names)))


def _is_known(name: str) -> bool:
    return bool(name) and not name.startswith("?")


def _field(line: str) -> tuple[str, str]:
    """Return (field, value) of a header line; the field is empty for other lines, and `?name` for an unknown field."""
    if _DOI_LINE.fullmatch(line):
        return "doi", line
    if (found := parse_date(line)) and len(found) > len("2021"):
        return "date", line
    match = _FIELD_LINE.fullmatch(line)
    if match is None:
        return "", ""
    name = match[1].strip().lower()
    return _FIELD_NAMES.get(name, f"?{name}"), clean_line(match[2])


def _sections(paragraphs: Sequence[Sequence[_Line]]) -> Iterator[Section]:
    heading: str | None = None
    pending: list[_Line] = []
    for index, paragraph in enumerate(paragraphs):
        following = paragraphs[index + 1] if index + 1 < len(paragraphs) else ()
        title, rest = _leading_heading(paragraph, following)
        if title is not None:
            if pending:
                yield Section(pending[0].start, pending[-1].end, heading)
            heading, pending = title, []
        pending.extend(rest)
    if pending:
        yield Section(pending[0].start, pending[-1].end, heading)


def _leading_heading(paragraph: Sequence[_Line], following: Sequence[_Line]) -> tuple[str | None, Sequence[_Line]]:
    """Return the heading that opens a paragraph, if one does, and the lines after it."""
    first = clean_line(paragraph[0].text)
    if len(paragraph) == 1:
        heads_text = bool(following) and is_short_title(first) and _ENDS_SENTENCE.search(following[-1].text) is not None
        return (first, ()) if is_heading(first) or heads_text else (None, paragraph)
    if _UNDERLINE.fullmatch(paragraph[1].text) and not _UNDERLINE.fullmatch(first):
        return first, paragraph[2:]
    if is_heading(first) and not (is_numbered(first) and is_numbered(paragraph[1].text)):
        return first, paragraph[1:]
    return None, paragraph
