"""Many documents at once: the same rows that registering them one by one gives, written set by set."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, fields
from operator import attrgetter

import orjson

from lyra.core.collection import without_collection
from lyra.core.domains import DEFAULT_CATEGORY
from lyra.core.fragments import FRAGMENTER_VERSION
from lyra.core.identity import (
    content_hash,
    fragment_id_of,
    hash_of_normalised,
    host_of,
    is_catalogue,
    new_ids,
    normalise_text,
    work_keys,
)
from lyra.core.language import detect_language
from lyra.core.records import Document, Identifier, Span
from lyra.core.terms import index_terms
from lyra.store.database import Value, placeholders
from lyra.store.pages import Pages, Sighting, names_of
from lyra.store.session import Session

Registration = tuple[Document, str, Sequence[Span]]

_PER_QUERY = 400
# What a document may have and be plain; all the rest must be as in an empty one.
_PLAIN = {"text", "sections", "title", "authors", "published_on", "venue", "identifiers", "extractor", "notes"}
_REST = attrgetter(*(one.name for one in fields(Document) if one.name not in _PLAIN))
_REST_OF_A_PLAIN_ONE = _REST(Document("", ()))


@dataclass(slots=True)
class _Batch:
    """Rows to be written, table by table, and what they hold so far."""

    now: str
    urls: set[str]
    hashes: dict[str, str]
    names: set[Identifier] = field(default_factory=set)
    hosts: dict[str, str | None] = field(default_factory=dict)
    pages: list[tuple[Value, ...]] = field(default_factory=list)
    events: list[tuple[Value, ...]] = field(default_factory=list)
    resources: list[tuple[Value, ...]] = field(default_factory=list)
    versions: list[tuple[Value, ...]] = field(default_factory=list)
    fragments: list[tuple[Value, ...]] = field(default_factory=list)
    terms: list[tuple[Value, ...]] = field(default_factory=list)
    occurrences: list[tuple[Value, ...]] = field(default_factory=list)


class PageBatches:
    """Registers documents set-wise. A document that is not plainly new takes the ordinary way, in its turn."""

    def __init__(self, session: Session, pages: Pages) -> None:
        self._session = session
        self._database = session.database
        self._pages = pages

    def register(self, documents: Iterable[Registration]) -> list[Sighting]:
        """Store documents as `Pages.register` does, in order; returns what became of each. One transaction."""
        given = list(documents)
        with self._session.transaction(), without_collection():
            named = [names_of(document, url) for document, url, _ in given]
            known = self._known_names({name for names in named for name in names})
            prepared = [[_prepared(document.text, span) for span in spans] for document, _, spans in given]
            places = [self._pages.addresses(names) for names in named]
            ids = zip(self._new_ids("page", len(given)), self._new_ids("version", len(given)), strict=True)
            batch, seq = self._begin(places, prepared)
            found = []
            for (document, url, spans), names, addresses, pieces in zip(given, named, places, prepared, strict=True):
                if _is_plain(document) and known.isdisjoint(names) and batch.names.isdisjoint(names):
                    new = next(ids)
                    self._add_page(batch, document, names, addresses, new[0])
                    seq, sighting = self._add(batch, document, new, list(zip(spans, pieces, strict=True)), seq)
                else:
                    self._write(batch)
                    sighting = self._pages.register(document, url, list(spans))
                    known.update(names)
                    batch, seq = self._begin(places, prepared)
                found.append(sighting)
            self._write(batch)
        return found

    def _begin(self, places: list[list[str]], prepared: list[list[tuple[str, str]]]) -> tuple[_Batch, int]:
        """Return an empty batch that knows which addresses and fragments are stored, and the newest fragment's number."""
        addresses = {address for one in places for address in one}
        urls = {url for url, _ in self._pairs("SELECT url, 1 FROM pages WHERE url IN", addresses)}
        digests = {digest for pieces in prepared for digest, _ in pieces}
        hashes = dict(self._pairs("SELECT text_hash, fragment_id FROM fragments WHERE text_hash IN", digests))
        return _Batch(self._session.now(), urls, hashes), self._database.count("SELECT max(fragment_seq) FROM fragments")

    def _new_ids(self, prefix: str, count: int) -> list[str]:
        """Return ids of one moment in their order: what is written in the order of its index is written faster."""
        return sorted(new_ids(prefix, self._session.clock.now(), self._session.rng, count))

    def _pairs(self, sql: str, values: set[str]) -> Iterator[tuple[str, str]]:
        wanted = list(values)
        for start in range(0, len(wanted), _PER_QUERY):
            part = wanted[start : start + _PER_QUERY]
            for first, second in self._database.rows(f"{sql} ({placeholders(len(part))})", part):
                yield str(first), str(second)

    def _known_names(self, names: set[Identifier]) -> set[Identifier]:
        wanted = sorted((name.kind, name.value) for name in names)
        found: set[Identifier] = set()
        for start in range(0, len(wanted), _PER_QUERY):
            part = wanted[start : start + _PER_QUERY]
            rows = self._database.rows(
                "SELECT identifier_kind, identifier_value FROM resource_index WHERE (identifier_kind, identifier_value)"
                f" IN (VALUES {', '.join(['(?, ?)'] * len(part))})",
                [value for pair in part for value in pair],
            )
            found |= {Identifier(str(kind), str(value)) for kind, value in rows}
        return found

    def _add(
        self,
        batch: _Batch,
        document: Document,
        new: tuple[str, str],
        pieces: list[tuple[Span, tuple[str, str]]],
        seq: int,
    ) -> tuple[int, Sighting]:
        now = batch.now
        page_id, version_id = new
        whole = next((digest for _, (digest, normalised) in pieces if normalised == document.text), None)
        digest = whole or content_hash(document.text)  # of a text that is one normalised fragment they are the same
        batch.versions.append((version_id, page_id, digest, document.text, document.extractor, now))
        before, places = seq, set()
        for span, (digest, normalised) in pieces:
            identity = batch.hashes.get(digest)
            if identity is None:
                seq += 1
                identity = batch.hashes[digest] = fragment_id_of(digest)
                language = detect_language(normalised)
                batch.fragments.append((seq, identity, digest, normalised, language, FRAGMENTER_VERSION, now))
                # The index itself cuts ASCII into the very words that index_terms gives.
                batch.terms.append((seq, normalised if normalised.isascii() else index_terms(normalised)))
            if (span.start, span.end) not in places:
                places.add((span.start, span.end))
                batch.occurrences.append((identity, page_id, version_id, span.start, span.end, span.section, span.page_number))
        return seq, Sighting(page_id, version_id, True, True, seq - before, len(places))

    def _add_page(self, batch: _Batch, document: Document, names: list[Identifier], addresses: list[str], page_id: str) -> None:
        now = batch.now
        url = next((address for address in addresses if address not in batch.urls), f"page:{page_id}")
        own = [name.value for name in names if name.kind == "url" and not is_catalogue(name.value)]
        host = _host(batch, own[0] if own else url)
        doi = next((name.value for name in names if name.kind == "doi"), None)
        authors = orjson.dumps(document.authors).decode()
        key = "\n".join(work_keys(document.title, document.authors, names)) or None
        batch.pages.append(
            (
                page_id,
                url,
                host,
                document.title,
                authors,
                document.published_on,
                doi,
                document.venue,
                key,
                now,
            )
        )
        batch.events.append(("page_found", orjson.dumps({"page_id": page_id, "url": url}).decode(), now))
        batch.resources += [(name.kind, name.value, page_id) for name in names]
        batch.names.update(names)
        batch.urls.add(url)

    def _write(self, batch: _Batch) -> None:
        bulk, insert = self._database.run_bulk, self._database.insert_bulk
        hosts = [(host, DEFAULT_CATEGORY, batch.now) for host in dict.fromkeys(batch.hosts.values()) if host is not None]
        insert("INSERT OR IGNORE INTO domains", hosts)
        bulk(
            "INSERT INTO pages (page_id, url, domain, title, authors, published_on, doi, venue, work_key, created_at)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            batch.pages,
        )
        insert("INSERT INTO event_log (event_type, payload, created_at)", batch.events)
        insert("INSERT OR IGNORE INTO resource_index", batch.resources)
        bulk(
            "INSERT INTO page_versions (page_version_id, page_id, content_hash, extracted_text, extractor, first_read_at)"
            " VALUES (?, ?, ?, ?, ?, ?)",
            batch.versions,
        )
        bulk(
            "INSERT INTO fragments (fragment_seq, fragment_id, text_hash, fragment_text, fragment_language,"
            " fragmenter_version, created_at) VALUES (?, ?, ?, ?, ?, ?, ?)",
            batch.fragments,
        )
        insert(
            "INSERT OR IGNORE INTO extracted_from"
            " (fragment_id, page_id, page_version_id, char_start, char_end, section, page_number)",
            batch.occurrences,
        )
        # Last, and row by row: with each savepoint of a larger statement the index would write out what it has gathered.
        bulk("INSERT INTO fragment_index (rowid, terms) VALUES (?, ?)", batch.terms)
        self._cite([str(page[0]) for page in batch.pages])

    def _cite(self, page_ids: Sequence[str]) -> None:
        """Turn references of older pages to these new ones into citations."""
        if not page_ids or not self._database.value("SELECT 1 FROM page_references LIMIT 1"):
            return
        for start in range(0, len(page_ids), _PER_QUERY):
            part = page_ids[start : start + _PER_QUERY]
            rows = self._database.rows(
                "SELECT DISTINCT i.page_id FROM resource_index i JOIN page_references r ON r.identifier_kind = i.identifier_kind"
                f" AND r.identifier_value = i.identifier_value WHERE i.page_id IN ({placeholders(len(part))})",
                part,
            )
            for (page_id,) in rows:
                self._pages.cite(str(page_id))


def _host(batch: _Batch, url: str) -> str | None:
    """Return the host of an address; it depends on what stands before the path alone."""
    front = "/".join(url.split("/", 3)[:3])
    if front not in batch.hosts:
        batch.hosts[front] = host_of(front)
    return batch.hosts[front]


def _prepared(text: str, span: Span) -> tuple[str, str]:
    normalised = normalise_text(text[span.start : span.end])
    return hash_of_normalised(normalised), normalised


def _is_plain(document: Document) -> bool:
    """Return whether a document has a text, and nothing that needs more than rows of its own: references, a retraction."""
    return bool(document.text) and _REST(document) == _REST_OF_A_PLAIN_ONE
