"""Reading the content of a file of records, as the library does, without a file."""

import io

from lyra.core.records import Document, Record
from lyra.providers.records.reading import read_records

LIMIT = 1 << 25


def records(content: str | bytes, name: str, *, largest: int = LIMIT, longest: int = 5_000_000) -> list[Record]:
    """Return every record of a file of this name and content."""
    data = content if isinstance(content, bytes) else content.encode()
    return list(read_records(io.BytesIO(data), name, largest, longest))


def documents(content: str | bytes, name: str) -> list[Document]:
    """Return the documents of the records, all of which must have been read."""
    found = [record.document for record in records(content, name)]
    assert None not in found
    return [document for document in found if document is not None]


def names(document: Document) -> set[tuple[str, str]]:
    """Return the names of a work as pairs."""
    return {(name.kind, name.value) for name in document.identifiers}
