"""Reading all evidence of a task in bulk: edges claim by claim, and each fragment and each page once.

`EvidenceReader` joins the same rows for each edge. Here they come apart, because a fragment has many edges.
"""

from collections.abc import Collection, Iterator
from itertools import chain
from operator import itemgetter
from typing import cast

from lyra.store.database import Row, Value, placeholders
from lyra.store.session import Session

_CLAIMS = """
    SELECT claim_id, claim_position, claim_text, claim_language, claim_adoption_status,
           claim_origin_fragment IS NULL AND claim_origin_page IS NULL
    FROM claims WHERE task_id = ? AND claim_position > ? ORDER BY claim_position LIMIT ?
"""
# What most edges have in common comes as one text: one value to fetch and to look up instead of eleven.
_EDGES = """
    SELECT c.claim_position, e.edge_id, e.relation = 'neutral',
           json_array(e.relation, e.nli_label, e.nli_model, e.nli_model_version, e.calibration_version,
             e.source_domain_category, e.target_domain_category, e.claim_language, e.fragment_language, e.edge_human_corrected),
           e.nli_confidence, e.nli_confidence_raw, e.nli_supports, e.nli_refutes, e.nli_neutral, e.nli_decisive_start,
           e.nli_decisive_end, e.fragment_id
    FROM claims c CROSS JOIN edges e ON e.claim_id = c.claim_id
    WHERE c.task_id = ? AND c.claim_position BETWEEN ? AND ? ORDER BY c.claim_position
"""
# Where a fragment is shown: its first current sighting, as everywhere. The last column tells whether it stands on one page only.
_FRAGMENTS = """
    SELECT x.fragment_id, f.fragment_text, x.page_version_id, x.char_start, x.char_end, x.section, x.page_number, x.is_stale,
           x.page_id, x.kept_quote,
           NOT EXISTS (SELECT 1 FROM extracted_from o WHERE o.fragment_id = x.fragment_id AND o.page_id <> x.page_id)
    FROM fragments f
    CROSS JOIN extracted_from x ON x.occurrence_seq = (SELECT o.occurrence_seq FROM extracted_from o
        WHERE o.fragment_id = f.fragment_id ORDER BY o.is_stale, o.occurrence_seq LIMIT 1)
    WHERE f.fragment_id IN ({values})
"""
# Read once for all the fragments of a version: cutting them out of a long text in SQL would begin at its start each time.
# In the order of the fragments, and one at a time, because a text may be long.
_VERSIONS = """
    SELECT page_version_id, extracted_text, content_hash,
           coalesce((SELECT min(l.path) FROM library_files l WHERE l.page_version_id = v.page_version_id),
             (SELECT min(r.path) FROM library_records r WHERE r.page_version_id = v.page_version_id))
    FROM page_versions v WHERE page_version_id IN ({values}) ORDER BY page_version_id
"""
_PAGES = """
    SELECT p.page_id, p.url, p.title, p.authors, p.published_on, p.doi, p.venue, p.retracted_at IS NOT NULL, p.work_key,
           (SELECT count(*) FROM cites c WHERE c.citing_page_id = p.page_id AND NOT EXISTS (SELECT 1 FROM resource_index i
             WHERE i.page_id = p.page_id AND i.identifier_kind <> 'url')) <> 1
             AND p.quarantined_at IS NULL AND p.is_pointer = 0
    FROM pages p WHERE p.page_id IN ({values})
"""
_PER_QUERY = 8_000
_VERSION = itemgetter(2)


# The columns of an edge, in order. A plain tuple: a large task has millions of them.
BulkEdge = tuple[
    int,  # claim_position
    str,  # edge_id
    int,  # whether it is neutral
    str,  # as a JSON list: relation, label, model, version, calibration, both categories, both languages, corrected by a person
    float,  # nli_confidence
    float,  # nli_confidence_raw
    float,  # nli_supports
    float,  # nli_refutes
    float,  # nli_neutral
    int | None,  # nli_decisive_start
    int | None,  # nli_decisive_end
    str,  # fragment_id
]


class BulkEvidence:
    """Read-only; for use inside `reading`, where all of it is one state."""

    def __init__(self, session: Session) -> None:
        self._database = session.database

    def claims(self, task_id: str, after: int, limit: int) -> list[Row]:
        """Return (id, position, text, language, adoption, whether people gave it) of the next claims."""
        return self._database.rows(_CLAIMS, (task_id, after, limit))

    def edges(self, task_id: str, first: int, last: int) -> list[BulkEdge]:
        """Return the edges of the claims at these positions, claim by claim."""
        return cast("list[BulkEdge]", self._database.rows(_EDGES, (task_id, first, last)))

    def fragments(self, fragment_ids: Collection[str]) -> Iterator[Row]:
        """Yield (id, text, quote, version, its hash, start, end, section, page number, stale, path, page, stands alone)."""
        for rows in self._batches(_FRAGMENTS, fragment_ids):
            rows.sort(key=_VERSION)  # in the database it would have to move the texts as well
            versions = self._versions(dict.fromkeys(row[2] for row in rows))
            known: Row = (None, "", None, None)
            for fragment_id, normalised, version, start, end, section, number, stale, page_id, kept, alone in rows:
                if version != known[0]:
                    known = next(versions)
                _, text, digest, path = known
                quote = str(text or "")[int(start or 0) : int(end or 0)] if kept is None else kept
                yield fragment_id, normalised, quote, version, digest, start, end, section, number, stale, path, page_id, alone

    def pages(self, page_ids: Collection[str]) -> Iterator[Row]:
        """Yield (id, url, title, authors, published on, DOI, venue, retracted, work keys, retells no other page and counts)."""
        return chain.from_iterable(self._batches(_PAGES, page_ids))

    def _versions(self, version_ids: Collection[Value]) -> Iterator[Row]:
        wanted = tuple(version_ids)
        return self._database.stream(_VERSIONS.format(values=placeholders(len(wanted))), wanted)

    def _batches(self, sql: str, values: Collection[str]) -> Iterator[list[Row]]:
        wanted = list(values)
        for start in range(0, len(wanted), _PER_QUERY):
            part = wanted[start : start + _PER_QUERY]
            yield self._database.rows(sql.format(values=placeholders(len(part))), part)
