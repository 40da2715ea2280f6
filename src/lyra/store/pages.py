"""Pages, their versions, fragments and citations: what was read, stored once however often it is seen."""

import json
from collections.abc import Sequence
from dataclasses import dataclass

from lyra.core.domains import DEFAULT_CATEGORY
from lyra.core.errors import NotFound
from lyra.core.fragments import FRAGMENTER_VERSION
from lyra.core.identity import (
    content_hash,
    fragment_id_of,
    hash_of_normalised,
    host_of,
    is_catalogue,
    normalise_text,
    work_keys,
)
from lyra.core.language import detect_language
from lyra.core.records import Document, Identifier, Span
from lyra.core.terms import index_terms
from lyra.store.database import optional_text
from lyra.store.session import Session
from lyra.store.set_aside import counted_sighting

_PRECEDENCE = ("doi", "pmid", "pmcid", "arxiv", "url")
# Of several observers of one pair, the first in this order is named.
_OBSERVER = "CASE citation_source WHEN 'semantic_scholar' THEN 0 WHEN 'openalex' THEN 1 ELSE 2 END"
# Out of the page and into it, each by its own index; one condition for both would read all references there are.
_NEW_CITATIONS = f"""
    SELECT found.citing, found.cited,
           CASE min({_OBSERVER}) WHEN 0 THEN 'semantic_scholar' WHEN 1 THEN 'openalex' ELSE 'extraction' END,
           s.domain_category, t.domain_category
    FROM (
        SELECT r.page_id AS citing, i.page_id AS cited, r.citation_source FROM page_references r
        JOIN resource_index i ON i.identifier_kind = r.identifier_kind AND i.identifier_value = r.identifier_value
        WHERE r.page_id = ?
        UNION ALL
        SELECT r.page_id, i.page_id, r.citation_source FROM resource_index i
        JOIN page_references r ON r.identifier_kind = i.identifier_kind AND r.identifier_value = i.identifier_value
        WHERE i.page_id = ?
    ) found
    JOIN pages sp ON sp.page_id = found.citing LEFT JOIN domains s ON s.domain = sp.domain
    JOIN pages tp ON tp.page_id = found.cited LEFT JOIN domains t ON t.domain = tp.domain
    WHERE found.citing <> found.cited GROUP BY found.citing, found.cited
"""


@dataclass(frozen=True, slots=True)
class Sighting:
    """What registering a document found or made. A document without text has no version."""

    page_id: str
    page_version_id: str | None
    new_page: bool
    new_version: bool
    new_fragments: int
    new_occurrences: int


@dataclass(frozen=True, slots=True)
class PageFacts:
    """What is known of a page, its text aside."""

    page_id: str
    url: str
    title: str | None
    authors: tuple[str, ...]
    published_on: str | None
    doi: str | None
    venue: str | None
    domain: str | None
    retracted: bool
    quarantined: bool


def names_of(document: Document, fallback_url: str) -> list[Identifier]:
    """Return the names of a document, the strongest first; one that has none goes by the given address."""
    return _ordered(list(document.identifiers) or [Identifier("url", fallback_url)])


def _ordered(names: Sequence[Identifier]) -> list[Identifier]:
    return sorted(dict.fromkeys(names), key=lambda name: (_PRECEDENCE.index(name.kind), name.value))


class Pages:
    """The global part of the graph, shared by all tasks."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._database = session.database

    def register(self, document: Document, fallback_url: str, spans: list[Span]) -> Sighting:
        """Store a document with its fragments; a second sighting adds nothing and returns the same ids.

        Identity is the DOI, else PMID or arXiv id, else the URL (the document's own, or `fallback_url`).
        One transaction.
        """
        names = names_of(document, fallback_url)
        with self._session.transaction():
            known = self._find(names)
            page_id = known or self._insert_page(document, names)
            self._database.run_many(
                "INSERT OR IGNORE INTO resource_index VALUES (?, ?, ?)", [(name.kind, name.value, page_id) for name in names]
            )
            version_id, new_version = self._version(page_id, document) if document.text else (None, False)
            self._update_metadata(page_id, document, names, overwrite=new_version)
            fragments, occurrences = (0, 0)
            if version_id is not None:
                fragments, occurrences = self._add_fragments(page_id, version_id, document.text, spans)
            self._add_references(page_id, document)
        return Sighting(page_id, version_id, known is None, new_version, fragments, occurrences)

    def known(self, names: Sequence[Identifier]) -> str | None:
        """Return the page of the work that has these names; one that has another name of a stronger kind is not it."""
        return self._find(_ordered(names))

    def _find(self, names: list[Identifier]) -> str | None:
        for position, name in enumerate(names):
            page_id = self._database.value(
                "SELECT page_id FROM resource_index WHERE identifier_kind = ? AND identifier_value = ?", (name.kind, name.value)
            )
            stronger = {other.kind for other in names[:position]} - {name.kind}
            if page_id is not None and not any(self._has_name(str(page_id), kind) for kind in stronger):
                return str(page_id)
        return None

    def _has_name(self, page_id: str, kind: str) -> bool:
        """Return whether a page has a name of this kind: if it was not found by it, no weaker name makes it the same work."""
        sql = "SELECT 1 FROM resource_index WHERE page_id = ? AND identifier_kind = ? LIMIT 1"
        return self._database.value(sql, (page_id, kind)) is not None

    def _insert_page(self, document: Document, names: list[Identifier]) -> str:
        page_id, now = self._session.new_id("page"), self._session.now()
        url = self._free_url(names, page_id)
        host = host_of(next((name.value for name in names if name.kind == "url" and not is_catalogue(name.value)), url))
        if host is not None:
            self._database.run("INSERT OR IGNORE INTO domains VALUES (?, ?, ?)", (host, DEFAULT_CATEGORY, now))
        self._database.run("INSERT INTO pages (page_id, url, domain, created_at) VALUES (?, ?, ?, ?)", (page_id, url, host, now))
        self._session.log("page_found", None, {"page_id": page_id, "url": url})
        return page_id

    @staticmethod
    def addresses(names: list[Identifier]) -> list[str]:
        """Return the addresses under which a page with these names can be shown, the best first."""
        known = [name.value for name in names if name.kind == "url"]
        found = [address for address in known if not is_catalogue(address)]
        found += [f"https://doi.org/{name.value}" for name in names if name.kind == "doi"]
        found += [f"{name.kind}:{name.value}" for name in names if name.kind in ("pmid", "pmcid", "arxiv")]
        return [*found, *filter(is_catalogue, known)]

    def _free_url(self, names: list[Identifier], page_id: str) -> str:
        for address in self.addresses(names):
            if not self._database.value("SELECT 1 FROM pages WHERE url = ?", (address,)):
                return address
        return f"page:{page_id}"

    def _update_metadata(self, page_id: str, document: Document, names: list[Identifier], *, overwrite: bool) -> None:
        values = {
            "title": document.title,
            "published_on": document.published_on,
            "venue": document.venue,
            # One key a line: a page may be known under several.
            "work_key": "\n".join(work_keys(document.title, document.authors, [*names, *document.versions])) or None,
            "doi": next((name.value for name in names if name.kind == "doi"), None),
        }
        for column, value in values.items():
            first, second = ("?", column) if overwrite and column != "doi" else (column, "?")
            self._database.run(f"UPDATE pages SET {column} = coalesce({first}, {second}) WHERE page_id = ?", (value, page_id))
        if document.authors:
            self._database.run(
                "UPDATE pages SET authors = ? WHERE page_id = ? AND (? OR authors = '[]')",
                (json.dumps(document.authors, ensure_ascii=False), page_id, int(overwrite)),
            )
        if document.retracted:
            marked = self._database.run(
                "UPDATE pages SET retracted_at = ?, retraction_reason = ? WHERE page_id = ? AND retracted_at IS NULL",
                (self._session.now(), document.retraction_reason, page_id),
            )
            if marked:
                self._session.log("page_retracted", None, {"page_id": page_id, "reason": document.retraction_reason})

    def _version(self, page_id: str, document: Document) -> tuple[str, bool]:
        digest = content_hash(document.text)
        known = self._database.row(
            "SELECT page_version_id, purged_at FROM page_versions WHERE page_id = ? AND content_hash = ?", (page_id, digest)
        )
        if known is not None:
            if known[1] is not None:
                self._database.run(
                    "UPDATE page_versions SET extracted_text = ?, purged_at = NULL WHERE page_version_id = ?",
                    (document.text, known[0]),
                )
            return str(known[0]), False
        version_id = self._session.new_id("version")
        self._database.run(
            "INSERT INTO page_versions (page_version_id, page_id, content_hash, extracted_text, extractor, first_read_at)"
            " VALUES (?, ?, ?, ?, ?, ?)",
            (version_id, page_id, digest, document.text, document.extractor, self._session.now()),
        )
        return version_id, True

    def _add_fragments(self, page_id: str, version_id: str, text: str, spans: list[Span]) -> tuple[int, int]:
        new_fragments = new_occurrences = 0
        now = self._session.now()
        for span in spans:
            quote = text[span.start : span.end]
            normalised = normalise_text(quote)
            digest = hash_of_normalised(normalised)
            identity = fragment_id_of(digest)
            new_fragments += self._add_fragment(identity, digest, normalised, now)
            new_occurrences += self._database.run(
                "INSERT OR IGNORE INTO extracted_from"
                " (fragment_id, page_id, page_version_id, char_start, char_end, section, page_number)"
                " VALUES (?, ?, ?, ?, ?, ?, ?)",
                (identity, page_id, version_id, span.start, span.end, span.section, span.page_number),
            )
        return new_fragments, new_occurrences

    def _add_fragment(self, identity: str, digest: str, normalised: str, now: str) -> int:
        added = self._database.run(
            "INSERT OR IGNORE INTO fragments"
            " (fragment_id, text_hash, fragment_text, fragment_language, fragmenter_version, created_at)"
            " VALUES (?, ?, ?, ?, ?, ?)",
            (identity, digest, normalised, detect_language(normalised), FRAGMENTER_VERSION, now),
        )
        if added:
            self._database.run(
                "INSERT INTO fragment_index (rowid, terms) SELECT fragment_seq, ? FROM fragments WHERE fragment_id = ?",
                (index_terms(normalised), identity),
            )
        return added

    def _add_references(self, page_id: str, document: Document) -> None:
        self._database.run_many(
            "INSERT OR IGNORE INTO page_references VALUES (?, ?, ?, ?)",
            [(page_id, name.kind, name.value, document.citation_source) for name in document.references],
        )
        self.cite(page_id)

    def cite(self, page_id: str) -> None:
        """Turn references from or to a page into citations: they are when both pages are known, whichever came first."""
        pairs = self._database.rows(_NEW_CITATIONS, (page_id, page_id))
        now = self._session.now()
        self._database.run_many(
            "INSERT OR IGNORE INTO cites VALUES (?, ?, ?, ?, ?, ?, ?)",
            [(self._session.new_id("edge"), *pair, now) for pair in pairs],
        )

    def find(self, name: Identifier) -> tuple[str, str] | None:
        """Return the page known by a name and its current version; None where no such page was read."""
        row = self._database.row(
            "SELECT page_id FROM resource_index WHERE identifier_kind = ? AND identifier_value = ?", (name.kind, name.value)
        )
        if row is None:
            return None
        return str(row[0]), self.text(str(row[0]))[0]

    def references(self, page_id: str) -> list[Identifier]:
        """Return the works that a page names or links to, in a stable order."""
        rows = self._database.rows(
            "SELECT identifier_kind, identifier_value FROM page_references WHERE page_id = ? ORDER BY 1, 2", (page_id,)
        )
        return [Identifier(str(kind), str(value)) for kind, value in rows]

    def text(self, page_id: str, version_id: str | None = None) -> tuple[str, str]:
        """Return (page version id, its stored text): a current version, the newest first, unless one is named."""
        row = self._database.row(
            "SELECT page_version_id, extracted_text, purged_at FROM page_versions v"
            " WHERE page_id = ? AND (? IS NULL OR page_version_id = ?)"
            " ORDER BY EXISTS (SELECT 1 FROM library_files l WHERE l.page_version_id = v.page_version_id)"
            " OR EXISTS (SELECT 1 FROM library_records r WHERE r.page_version_id = v.page_version_id) DESC,"
            " first_read_at DESC, page_version_id DESC LIMIT 1",
            (page_id, version_id, version_id),
        )
        if row is None:
            known = version_id is None and self._database.value("SELECT 1 FROM pages WHERE page_id = ?", (page_id,))
            raise NotFound("page_without_text" if known else "unknown_page", page_id=page_id)
        if row[2] is not None:
            raise NotFound("text_purged", page_id=page_id, when=str(row[2])[:10])
        return str(row[0]), str(row[1])

    def about(self, page_id: str) -> PageFacts:
        """Return what is known of a page, or raise NotFound."""
        row = self._database.row(
            "SELECT url, title, authors, published_on, doi, venue, domain, retracted_at IS NOT NULL, quarantined_at IS NOT NULL"
            " FROM pages WHERE page_id = ?",
            (page_id,),
        )
        if row is None:
            raise NotFound("unknown_page", page_id=page_id)
        url, title, authors, published_on, doi, venue, domain, retracted, quarantined = row
        return PageFacts(
            page_id=page_id,
            url=str(url),
            title=optional_text(title),
            authors=tuple(map(str, json.loads(str(authors)))),
            published_on=optional_text(published_on),
            doi=optional_text(doi),
            venue=optional_text(venue),
            domain=optional_text(domain),
            retracted=bool(retracted),
            quarantined=bool(quarantined),
        )

    def first_page(self, fragment_id: str) -> str:
        """Return the page a fragment counts with: the first current one it was seen on that may be used."""
        sighting = counted_sighting(self._database, "?")
        found = self._database.value(f"SELECT page_id FROM extracted_from WHERE occurrence_seq = ({sighting})", (fragment_id,))
        if found is None:
            raise NotFound("unknown_fragment", fragment_id=fragment_id)
        return str(found)
