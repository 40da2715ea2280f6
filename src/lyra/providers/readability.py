"""Whether the text of a document can be read at all, whatever format it came in."""

from dataclasses import replace

from lyra.core.errors import DocumentProblem
from lyra.core.garbled import is_garbled
from lyra.core.records import Document
from lyra.providers.notes import GARBLED_PASSAGES


def readable(document: Document, where: str) -> Document:
    """Return the document, with a note where some lines are garbled. Raises DocumentProblem `garbled_text` where it all is."""
    if is_garbled(document.text):
        raise DocumentProblem("garbled_text", path=where)
    if any(is_garbled(line) for line in document.text.split("\n")):
        return replace(document, notes=(*document.notes, GARBLED_PASSAGES))
    return document
