"""Reading PDF: paragraphs and headings, each with its page, and what the file says of itself."""

import re
from collections.abc import Iterator, Sequence

from lyra.core.errors import DocumentProblem
from lyra.core.page_safety import HIDDEN, METADATA, Unseen
from lyra.core.records import Document, Identifier
from lyra.core.sentences import split_sentences
from lyra.providers.assembly import PARAGRAPH, Block, assemble
from lyra.providers.cleaning import clean_line
from lyra.providers.dates import find_date
from lyra.providers.naming import author_names, distinct, named_works, own_doi
from lyra.providers.notes import PAGE_FAILED
from lyra.providers.pdf_extraction import Extraction, PdfLimits, extract_pages
from lyra.providers.pdf_layout import Paragraph, ends_sentence, join_words, paragraphs
from lyra.providers.retraction import retraction_notice, title_says_retracted
from lyra.providers.unseen import invisible_messages, unseen_texts

__all__ = ["PdfLimits", "read_pdf"]

_JUNK_TITLE = re.compile(
    r"\W*(?:microsoft (?:word|powerpoint)\b.*|untitled.*|(?:document|slide|layout|print)\s*\d*|\(?(?:unspecified|anonymous)\)?"
    r"|\S*\.(?:docx?|pdf|tex|indd|qxd|dvi|rtf|pptx?|html?))\W*",
    re.IGNORECASE,
)
_DIVIDED = re.compile(r"(\w+)\u00ad\s*(\w+)")
_HYPHENATED = re.compile(r"\b\w+(?:-\w+)+\b")
# First parts of words that English hyphenates rather than joins.
_COMPOUND_STARTS = frozenset(
    "self well long short high low double single cross two three four five six seven eight nine ten half all".split()
)
_DOI_WITHIN = 1500
_FRONT_PARAGRAPHS = 8
_FRONT_LENGTH = 250
_FRONT_SIGN = re.compile(r"@|doi\.org/|\bdoi:|https?://", re.IGNORECASE)
_MAX_TITLE = 300


def read_pdf(data: bytes, where: str, limits: PdfLimits) -> Document:
    """Return the document in a PDF. One bad page only adds a note `page_failed:N`.

    Lines are joined into paragraphs and divided words put together; what repeats at the edge of most pages is left
    out. A sentence that runs over a page break belongs to the page it begins on. Raises DocumentProblem: those of
    `extract_pages`, and `no_text` for pages without a text layer.
    """
    extraction = extract_pages(data, where, limits)
    parts = _without_divided_words(paragraphs(extraction.pages))
    opening = "\n".join(part.text for part in parts if part.page == 1)[:_DOI_WITHIN]
    subject = extraction.info.get("Subject", "")
    authors = author_names([extraction.info.get("Author", "")])
    front = _front_matter(parts, authors)
    text, sections = assemble(_blocks(parts, front))
    if not any(map(str.isalnum, text)):
        raise DocumentProblem("no_text", path=where)
    title = _title(extraction, parts)
    doi = own_doi(subject) or own_doi(opening)
    identifiers = [Identifier("doi", doi)] if doi else []
    notice = retraction_notice(text, sections, title)
    head = "\n".join(parts[index].text for index in sorted(front))
    return Document(
        text=text,
        sections=sections,
        title=title,
        authors=authors,
        # The file's own creation date says when it was written, often years after publication, so it is not used.
        published_on=find_date(subject) or find_date(head),
        identifiers=tuple(identifiers),
        references=tuple(distinct(named_works(text), besides=identifiers)),
        retracted=title_says_retracted(title) or notice is not None,
        retraction_reason=notice,
        extractor=f"pypdfium2 {extraction.version}",
        notes=tuple(f"{PAGE_FAILED}:{number}" for number in extraction.failed),
        unseen=tuple(_unseen(extraction)),
    )


def _unseen(extraction: Extraction) -> list[Unseen]:
    """Return what readers of the pages do not see: text that leaves no trace, the file's properties, invisible characters."""
    drawn = "\n".join(line.text for page in extraction.pages for line in page.lines)
    # A sentence may run over several lines of hidden text, so they are scanned as one.
    return [
        *unseen_texts(HIDDEN, [" ".join(extraction.unseen)]),
        *unseen_texts(METADATA, extraction.info.values()),
        *invisible_messages(drawn),
    ]


def _without_divided_words(parts: Sequence[Paragraph]) -> list[Paragraph]:
    """Put words together that a line end divided; the hyphen stays where the document writes the word with one."""
    compounds = {word.lower() for part in parts for word in _HYPHENATED.findall(part.text)}

    def together(match: re.Match[str]) -> str:
        first, second = match[1], match[2]
        keeps = first.lower() in _COMPOUND_STARTS or not second[0].islower() or f"{first}-{second}".lower() in compounds
        return f"{first}-{second}" if keeps else first + second

    return [
        Paragraph(_DIVIDED.sub(together, part.text), part.page, part.size, part.heading, part.contents)
        for part in _over_page_breaks(parts)
    ]


def _over_page_breaks(parts: Sequence[Paragraph]) -> Iterator[Paragraph]:
    """Yield the paragraphs, with a sentence that runs over a page break moved to the page it begins on."""
    waiting: Paragraph | None = None
    for part in parts:
        following: Paragraph | None = part
        if waiting is not None and _continues(waiting, part):
            end = split_sentences(part.text)[0][1]
            waiting = Paragraph(join_words(waiting.text, part.text[:end]), waiting.page, waiting.size)
            rest = part.text[end:].strip()
            following = Paragraph(rest, part.page, part.size) if rest else None
        if following is not None:
            if waiting is not None:
                yield waiting
            waiting = following
    if waiting is not None:
        yield waiting


def _continues(before: Paragraph, after: Paragraph) -> bool:
    plain = not (before.heading or after.heading or before.contents or after.contents)
    begins_inside = after.text[:1].islower() or (after.text[:1].isalpha() and not after.text[:1].isupper())
    return (
        plain and after.page == before.page + 1 and before.size == after.size and not ends_sentence(before.text) and begins_inside
    )


def _front_matter(parts: Sequence[Paragraph], authors: Sequence[str]) -> set[int]:
    """Return the positions of the lines between title and text: authors, addresses, journal and DOI."""
    front: set[int] = set()
    for index, part in enumerate(parts[:_FRONT_PARAGRAPHS]):
        if part.page > 1 or len(part.text) > _FRONT_LENGTH or (part.heading and front):
            break
        if part.heading:
            continue
        signed = _FRONT_SIGN.search(part.text) or any(author in part.text for author in authors)
        if not signed and ends_sentence(part.text):
            break
        front.add(index)
    return front if any(part.heading for part in parts) else set()


def _blocks(parts: Sequence[Paragraph], front: set[int]) -> Iterator[Block]:
    for index, part in enumerate(parts):
        outside = index in front or part.contents
        yield Block(part.text, heading=part.heading and not outside, outside=outside, page=part.page, glue=PARAGRAPH)


def _title(extraction: Extraction, parts: Sequence[Paragraph]) -> str | None:
    stated = clean_line(extraction.info.get("Title", ""))
    if any(map(str.isalpha, stated)) and not _JUNK_TITLE.fullmatch(stated):
        return stated[:_MAX_TITLE]
    headings = [part for part in parts if part.page == 1 and part.heading]
    largest = max(headings, key=lambda part: part.size, default=None)
    first = next((part.text for part in parts), "")
    return clean_line(largest.text if largest else first)[:_MAX_TITLE] or None
